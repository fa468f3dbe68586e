"""The model file's container is written whole or not at all, wherever it is written to."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from containers import ARRAYS, METADATA, names_in, plain
from processes import HANG

from sapwood.errors import ModelError
from sapwood.model.file import container
from sapwood.model.file.container import Array


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.sap"
    container.write(path, ARRAYS, METADATA)
    return path


# Written whole or not at all


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("before", [None, b"old"])
def test_a_failure_leaves_everything_as_it_was(tmp_path, monkeypatch, call, before):
    path = tmp_path / "m.sap"
    if before is not None:
        path.write_bytes(before)

    def fail(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(ModelError, match=r"m\.sap: cannot be written: the disk is full; free some space"):
        container.write(path, ARRAYS, METADATA)
    assert names_in(tmp_path) == ([] if before is None else ["m.sap"])
    assert before is None or path.read_bytes() == before


def test_an_interruption_leaves_everything_as_it_was(model, tmp_path, monkeypatch):
    before = model.read_bytes()

    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        container.write(model, {}, {})
    assert names_in(tmp_path) == ["model.sap"]
    assert model.read_bytes() == before


WRITING = """
import os, signal, sys, time
from sapwood.model.file import container
from sapwood.model.file.container import Array

def fsync(descriptor):
    print("writing", flush=True)
    while True:
        time.sleep(0.01)  # signal.pause would miss a signal that comes just before it

os.fsync = fsync
{setup}
container.write(sys.argv[1], {{"keys": Array("U8", (1000,), bytes(1000))}}, {{}})
"""


def start_writing(path, setup=""):
    """Start a process that writes a file, and stops before it puts it in its place."""
    command = [sys.executable, "-c", WRITING.format(setup=setup), path]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"writing\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_process_that_is_ended_leaves_everything_as_it_was(model, tmp_path, number):
    before = model.read_bytes()
    with start_writing(model) as process:
        assert len(names_in(tmp_path)) == 2
        process.send_signal(number)
        assert process.wait(HANG) == -number  # it dies of the signal, as whoever sent it expects
        assert process.stderr.read() == b""
    assert names_in(tmp_path) == ["model.sap"]
    assert model.read_bytes() == before


ENDING = """
import os, sys, threading
from pathlib import Path
from sapwood.base.writing import SCRATCH, remove_scratch, write_bytes

folder = Path(sys.argv[1])

def write_for_ever(number):
    while True:
        write_bytes(folder / f"{number}.txt", b"whole")

for number in range(4):
    threading.Thread(target=write_for_ever, args=(number,), daemon=True).start()
while len(list(folder.glob("*.txt"))) < 4:
    pass
remove_scratch()
left = {path.name for _ in range(200) for path in folder.iterdir() if path.name.startswith(SCRATCH)}
print(left or "nothing is left", flush=True)
os._exit(0)
"""


def test_threads_of_a_process_that_ends_begin_nothing_more(tmp_path):
    command = [sys.executable, "-c", ENDING, str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=True)
    assert run.stdout == "nothing is left\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.txt", "1.txt", "2.txt", "3.txt"]


def test_a_handler_of_the_program_decides_itself(model, tmp_path):
    with start_writing(model, "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(HANG) == 7
    assert names_in(tmp_path) == ["model.sap"]


def test_the_handlers_are_put_back(tmp_path):
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    container.write(tmp_path / "m.sap", ARRAYS, METADATA)
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)] == before


def age(path, seconds):
    os.utime(path, (time.time() - seconds,) * 2, follow_symlinks=False)


def test_what_a_killed_process_left_is_removed_when_it_is_old(tmp_path):
    with start_writing(tmp_path / "m.sap") as process:
        process.kill()
    (left,) = tmp_path.iterdir()
    container.write(tmp_path / "m.sap", ARRAYS, METADATA)
    assert left.exists()  # it is young, so that its process may live on another machine
    age(left, 3500)
    container.write(tmp_path / "m.sap", ARRAYS, METADATA)
    assert left.exists()
    age(left, 3700)
    container.write(tmp_path / "m.sap", ARRAYS, METADATA)
    assert names_in(tmp_path) == ["m.sap"]


def test_what_a_living_process_writes_is_left_alone_however_old(tmp_path):
    with start_writing(tmp_path / "m.sap") as process:
        (left,) = tmp_path.iterdir()
        age(left, 10**6)
        container.write(tmp_path / "m.sap", ARRAYS, METADATA)
        assert left.exists()
        process.kill()
        process.wait()
        container.check_writable(tmp_path / "m.sap")
    assert names_in(tmp_path) == ["m.sap"]


def test_nothing_else_is_ever_removed(tmp_path):
    digits = "0123456789abcdef"
    others = ["x.tmp", ".sapwood-.tmp", f".sapwood-{digits}", f".sapwood-{digits}.tmp.bak", f"sapwood-{digits}.tmp"]
    others += [f".sapwood-{digits.upper()}.tmp", f".sapwood-{digits}0.tmp", f".sapwood-{digits}.tmp\n"]
    for name in others:
        (tmp_path / name).write_bytes(b"")
    (tmp_path / f".sapwood-1{digits[1:]}.tmp").mkdir()
    (tmp_path / f".sapwood-2{digits[1:]}.tmp").symlink_to("x.tmp")
    os.mkfifo(tmp_path / f".sapwood-3{digits[1:]}.tmp")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / f".sapwood-{digits}.tmp").write_bytes(b"")
    before = sorted(tmp_path.rglob("*"))
    for path in before:
        age(path, 10**6)
    container.write(tmp_path / "m.sap", ARRAYS, METADATA)
    assert sorted(tmp_path.rglob("*")) == sorted([*before, tmp_path / "m.sap"])


def test_a_directory_that_cannot_be_synced_is_no_failure(tmp_path, monkeypatch):
    fsync = os.fsync

    def fsync_files(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync_files)
    container.write(tmp_path / "m.sap", ARRAYS, METADATA)
    assert names_in(tmp_path) == ["m.sap"]


def test_the_file_and_then_its_directory_are_synced(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor)))
    container.write(tmp_path / "m.sap", ARRAYS, METADATA)
    assert [status.st_ino for status in synced] == [
        (tmp_path / "m.sap").stat().st_ino,
        tmp_path.stat().st_ino,
    ]
    assert synced[0].st_size == (tmp_path / "m.sap").stat().st_size


def test_the_old_file_stays_whole_for_whoever_mapped_it(model):
    _, arrays = container.read(model)
    container.write(model, {"keys": Array("U8", (1,), b"n")}, {})
    assert plain(arrays) == plain(ARRAYS)
    container.write(model, arrays, METADATA)  # views of a map can be written back
    assert plain(container.read(model)[1]) == plain(ARRAYS)


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_permissions_are_those_of_open(tmp_path, umask):
    before = os.umask(umask)
    try:
        container.write(tmp_path / "m.sap", ARRAYS, METADATA)
        (tmp_path / "plain").write_bytes(b"")
    finally:
        os.umask(before)
    assert (tmp_path / "m.sap").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_replaced_file_keeps_its_permissions(model):
    model.chmod(0o640)
    container.write(model, {}, {})
    assert stat.S_IMODE(model.stat().st_mode) == 0o640


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_what_it_points_at_is_replaced(tmp_path, there):
    target, link = tmp_path / "models" / "v1.sap", tmp_path / "current.sap"
    target.parent.mkdir()
    if there:
        target.write_bytes(b"old")
    link.symlink_to("models/v1.sap")
    container.check_writable(link)
    container.write(link, ARRAYS, METADATA)
    assert link.is_symlink()
    assert not target.is_symlink()
    assert container.read(link)[0] == container.read(target)[0] == METADATA
    assert names_in(tmp_path) == ["current.sap", "models"]
    assert names_in(target.parent) == ["v1.sap"]


def test_where_it_cannot_be_written_is_said_before_training_too(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nowhere").symlink_to("missing/m.sap")
    before = names_in(tmp_path)
    for name, why in [
        (".", "it is a directory; name a file in it"),
        ("missing/m.sap", "no such directory; make it first"),
        ("nowhere", "no such directory; make it first"),
        ("file/m.sap", "its parent is not a directory; choose another path"),
        ("loop", "symbolic links; choose another path"),
        ("x" * 300, "too long; choose another path"),
    ]:
        path = tmp_path / name
        for attempt in (container.check_writable, lambda path: container.write(path, ARRAYS, METADATA)):
            with pytest.raises(ModelError, match=why) as caught:
                attempt(path)
            assert str(caught.value).startswith(f"{path}: cannot be written: ")
            assert len(str(caught.value).splitlines()) == 1
    assert names_in(tmp_path) == before


def test_a_write_protected_file_or_directory_is_refused(model, monkeypatch):
    before = model.read_bytes()
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # as root, everything is permitted
    for attempt in (container.check_writable, lambda path: container.write(path, {}, {})):
        with pytest.raises(ModelError, match="permission denied; change the permissions or choose another path"):
            attempt(model)
    monkeypatch.undo()

    def refuse(*_, **__):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    for attempt in (container.check_writable, lambda path: container.write(path, {}, {}), container.read):
        with pytest.raises(ModelError, match="permission denied; change the permissions or choose another path"):
            attempt(model)
    monkeypatch.undo()
    assert model.read_bytes() == before


def test_checking_leaves_no_trace(model, tmp_path):
    before = model.stat()
    container.check_writable(model)
    container.check_writable(tmp_path / "new.sap")
    assert names_in(tmp_path) == ["model.sap"]
    assert (model.stat().st_ino, model.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


# Devices and pipes are written straight to


def test_devices_are_written_and_stay(tmp_path):
    before = Path("/dev/null").stat()
    container.check_writable("/dev/null")
    assert container.write("/dev/null", ARRAYS, METADATA) == container.write(tmp_path / "m", ARRAYS, METADATA)
    assert Path("/dev/null").stat().st_rdev == before.st_rdev


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_device_is_an_error(tmp_path):
    (tmp_path / "full").symlink_to("/dev/full")
    for path in ("/dev/full", tmp_path / "full"):
        container.check_writable(path)
        with pytest.raises(ModelError, match="full: cannot be written: the disk is full"):
            container.write(path, ARRAYS, METADATA)
    assert Path("/dev/full").is_char_device()


def test_a_pipe_gets_the_whole_file(tmp_path, model):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    container.check_writable(pipe)  # without waiting for a reader
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    container.write(pipe, ARRAYS, METADATA)
    reader.join()
    assert received == [model.read_bytes()]
    assert pipe.is_fifo()
