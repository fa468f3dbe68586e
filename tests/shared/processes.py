"""Waiting for processes, and what is wanted of those that read standard input."""

import contextlib
import ctypes
import fcntl
import os
import pty
import resource
import signal
import struct
import subprocess
import sys
import termios
import time

import psutil

HANG = 600  # seconds after which a test gives up what never comes; none is about how long something takes
GUARD = 60  # CPU seconds after which a process that does not listen is ended, however busy the machine is


def wait_until(holds):
    """Wait until holds() is true."""
    deadline = time.monotonic() + HANG
    while not holds():
        assert time.monotonic() < deadline, "what is waited for does not come"
        time.sleep(0.01)


def wait_until_idle(process):
    """Wait until a process waits itself, for input: a signal that comes while it is on its way there may get lost."""
    state = psutil.Process(process.pid).status
    wait_until(lambda: state() in (psutil.STATUS_SLEEPING, psutil.STATUS_ZOMBIE))


def wait_for_work(process, seconds=0.3):
    """Wait until a process has worked for so long, by its own time: however busy the machine is, it is under way."""
    used = psutil.Process(process.pid).cpu_times
    before = used().user
    wait_until(lambda: used().user > before + seconds)


def assert_ends_without_its_reader(process, piece):
    """A verb that reads standard input ends without a traceback when nobody reads what it writes."""
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        for _ in range(2000):
            process.stdin.write(piece)
        process.stdin.close()
    process.wait(HANG)
    assert b"Traceback" not in process.stderr.read()


def assert_ctrl_c_ends_waiting(process, piece):
    """A verb that has answered a piece of standard input, and waits for more, is ended by Ctrl-C."""
    process.stdin.write(piece)
    process.stdin.flush()
    process.stdout.readline()
    wait_until_idle(process)
    process.send_signal(signal.SIGINT)
    process.wait(HANG)
    assert process.returncode == 130
    assert b"Traceback" not in process.stderr.read()


def default_signals():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ends_with_its_parent():
    """Have Linux kill this process when its parent ends, however that does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def end_processes_of(scratch, patience=5):
    """End the processes whose temporary files go to this folder; return their commands.

    One that ends by itself within some seconds is not counted, nor are helpers of multiprocessing, which end with us.
    """
    begun = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("TMPDIR") == scratch and "multiprocessing" not in " ".join(process.cmdline()):
                begun.append(process)
    left = []
    for process in psutil.wait_procs(begun, timeout=patience)[1]:
        with contextlib.suppress(psutil.Error):
            left.append(" ".join(process.cmdline()))
            process.kill()
    return sorted(left)


def guarded():
    """Begin a process as `default_signals` does; the system ends it when it has worked for GUARD seconds."""
    default_signals()
    resource.setrlimit(resource.RLIMIT_CPU, (GUARD, GUARD + 5))


def on_terminal(arguments, columns=80, typed=b"", **environment):
    """Run `sapwood` with all three streams on a terminal; return the exit status and what the terminal shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")} | {
        "TERM": "xterm",
        **environment,
    }
    command = [sys.executable, "-m", "sapwood", *map(str, arguments)]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    if typed:
        os.write(ours, typed)
    shown = b""
    try:
        while block := os.read(ours, 4096):
            shown += block
    except OSError:  # how a terminal whose other end is closed says so
        pass
    os.close(ours)
    return process.wait(), shown
