"""The command line, run in this process as a shell would run it, or a person at a terminal."""

import os
import pty
import sys
import tempfile
import threading
from typing import NamedTuple


class Run(NamedTuple):
    """What a run of the command line gave."""

    status: int
    out: str
    err: str


def run_command(args, stdin=b"", run=None):
    """Run `sapwood`, or another command line, in this process; what it writes is caught at the file descriptors.

    `args` is a list, or a string that is split at its spaces.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        status = run_between(args, stdin, out.fileno(), err.fileno(), run)
        err.seek(0)
        out.seek(0)
        return Run(status, out.read().decode(), err.read().decode())


def run_between(args, stdin, out, err, run=None):
    """Run `sapwood`, or another command line, in this process with these descriptors as its output and its errors."""
    from sapwood import cli

    args = args.split() if isinstance(args, str) else [str(arg) for arg in args]
    stdin = stdin.encode() if isinstance(stdin, str) else stdin
    kept = sys.stdin, sys.stdout, sys.stderr
    saved = [os.dup(descriptor) for descriptor in (0, 1, 2)]
    with tempfile.TemporaryFile() as source:
        source.write(stdin)
        source.seek(0)
        for file, descriptor in ((source.fileno(), 0), (out, 1), (err, 2)):
            os.dup2(file, descriptor)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        try:
            return (run or cli.run)(args)
        finally:
            for stream in (sys.stderr, sys.stdout, sys.stdin):
                stream.close()
            sys.stdin, sys.stdout, sys.stderr = kept
            for descriptor in (0, 1, 2):
                os.dup2(saved[descriptor], descriptor)
                os.close(saved[descriptor])


def run_on_terminal(args, stdin=b""):
    """Run `sapwood` in this process; standard output and standard error are a terminal. What appears there is `out`."""
    master, slave = pty.openpty()
    shown = bytearray()

    def read():
        try:
            while data := os.read(master, 1 << 16):
                shown.extend(data)
        except OSError:  # the terminal is closed
            pass

    reader = threading.Thread(target=read)
    reader.start()
    try:
        status = run_between(args, stdin, slave, slave)
    finally:
        os.close(slave)
        reader.join()
        os.close(master)
    return Run(status, shown.decode(), "")
