"""The model file's container: what is written is read back, and nothing else is."""

import errno
import json
import os
import signal
import stat
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy
import pytest
import safetensors
import safetensors.numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from sapwood.errors import ModelError
from sapwood.modelfile import container
from sapwood.modelfile.container import Array

ITEM_SIZES = {"U8": 1, "I8": 1, "U16": 2, "I16": 2, "U32": 4, "I32": 4, "F32": 4, "U64": 8, "F64": 8}

ARRAYS = {
    "keys": Array("U32", (3,), struct.pack("<3I", 1, 2, 2**32 - 1)),
    "weights": Array("I8", (2, 32), bytes(range(64))),
    "labels": Array("U8", (0,), b""),
    "scales": Array("F32", (), struct.pack("<f", 0.5)),
    "names": Array("U8", (5,), "na\xefv".encode()),
}
METADATA = {"task": "tag", "format": "1", "template": 'U00:%x[0,0]\n"\\\u2028', "": "\N{EVERGREEN TREE}"}


def plain(arrays):
    return {name: (array.dtype, array.shape, bytes(array.data)) for name, array in arrays.items()}


def header_of(path):
    """The header and where the data start, read with nothing of ours."""
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    return json.loads(raw[8:start]), start


def names_in(directory):
    return sorted(path.name for path in directory.iterdir())


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.sap"
    container.write(path, ARRAYS, METADATA)
    return path


# What is written is read back


def test_round_trip(model):
    metadata, arrays = container.read(model)
    assert metadata == METADATA
    assert plain(arrays) == plain(ARRAYS)
    assert list(arrays) == list(ARRAYS)


def test_the_file_by_eye(tmp_path):
    path = tmp_path / "m"
    size = container.write(path, {"b": Array("U8", (1,), b"B"), "a": Array("U8", (1,), b"A")}, {"z": "1", "k": "2"})
    raw = path.read_bytes()
    header = (
        b'{"__metadata__":{"checksum":"--------","k":"2","z":"1"},'
        b'"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
        b'"_pad.0":{"dtype":"U8","shape":[63],"data_offsets":[1,64]},'
        b'"a":{"dtype":"U8","shape":[1],"data_offsets":[64,65]}}'
    )
    length = (len(header) + 8 + 63) // 64 * 64 - 8
    assert raw[:37] == length.to_bytes(8, "little") + header[:29]
    assert raw[45 : 8 + length] == header[37:].ljust(length - 37)
    assert raw[8 + length :] == b"B" + bytes(63) + b"A"
    assert size == len(raw)


def test_nothing_at_all_is_a_container(tmp_path):
    container.write(tmp_path / "m", {}, {})
    assert container.read(tmp_path / "m") == ({}, {})


def test_arrays_are_read_only_views_that_outlive_the_file(model):
    _, arrays = container.read(model)
    model.unlink()
    assert isinstance(arrays["keys"].data, memoryview)
    assert arrays["keys"].data.readonly
    assert bytes(arrays["keys"].data) == ARRAYS["keys"].data


def test_arrays_of_a_buffer_that_can_change_are_read_only_too(model):
    _, arrays = container.parse(memoryview(bytearray(model.read_bytes())), "m.sap")
    assert all(array.data.readonly for array in arrays.values())


def test_any_contiguous_buffer_is_data(tmp_path):
    matrix = numpy.arange(6, dtype="<i4").reshape(2, 3)
    arrays = {
        "m": Array("I32", (2, 3), memoryview(matrix)),
        "e": Array("F64", (0, 4), memoryview(numpy.zeros((0, 4)))),
    }
    container.write(tmp_path / "m", arrays, {})
    _, found = container.read(tmp_path / "m")
    assert plain(found) == {"m": ("I32", (2, 3), matrix.tobytes()), "e": ("F64", (0, 4), b"")}


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
names = (text | st.sampled_from(['"checksum":"', ',"checksum":"00000000"', "__metadata__x", "_pad"])).filter(
    lambda name: name != "__metadata__" and not name.startswith("_pad.")
)
keys = (text | st.sampled_from(['"checksum', '{"checksum":"00000000"', "__metadata__", "_pad.0"])).filter(
    lambda key: key != "checksum"
)


@st.composite
def some_arrays(draw):
    dtype = draw(st.sampled_from(sorted(ITEM_SIZES)))
    shape = tuple(draw(st.lists(st.integers(0, 5), max_size=3)))
    size = ITEM_SIZES[dtype] * int(numpy.prod(shape, dtype=int))
    return Array(dtype, shape, draw(st.binary(min_size=size, max_size=size)))


@settings(deadline=None)  # each file is synced to the disk
@given(st.dictionaries(names, some_arrays(), max_size=6), st.dictionaries(keys, text | keys, max_size=5))
def test_whatever_is_written_is_read_back_and_by_safetensors_too(tmp_path_factory, arrays, metadata):
    path = tmp_path_factory.getbasetemp() / "any.sap"
    assert container.write(path, arrays, metadata) == path.stat().st_size
    found_metadata, found = container.read(path)
    assert (found_metadata, plain(found), list(found)) == (metadata, plain(arrays), list(arrays))

    theirs = {name: entry for name, entry in safetensors.deserialize(path.read_bytes()) if "_pad." not in name[:5]}
    assert {name: (e["dtype"], tuple(e["shape"]), bytes(e["data"])) for name, e in theirs.items()} == plain(arrays)
    with safetensors.safe_open(path, framework="np") as opened:
        assert {key: value for key, value in opened.metadata().items() if key != "checksum"} == metadata

    header, start = header_of(path)
    del header["__metadata__"]
    assert start % 64 == 0
    for name, entry in header.items():
        assert name.startswith("_pad.") or (start + entry["data_offsets"][0]) % 64 == 0


def test_safetensors_for_numpy_reads_it(model):
    theirs = safetensors.numpy.load_file(model)
    assert theirs["keys"].tolist() == [1, 2, 2**32 - 1]
    assert theirs["weights"].shape == (2, 32)
    assert theirs["scales"] == 0.5


def test_the_order_of_metadata_does_not_matter(model, tmp_path):
    container.write(tmp_path / "again", ARRAYS, dict(reversed(METADATA.items())))
    assert model.read_bytes() == (tmp_path / "again").read_bytes()


@pytest.mark.parametrize(
    ("arrays", "metadata", "why"),
    [
        ({"__metadata__": Array("U8", (1,), b"x")}, {}, "container's own"),
        ({"_pad.0": Array("U8", (1,), b"x")}, {}, "container's own"),
        ({}, {"checksum": "x"}, "container's own"),
        ({}, {"version": 1}, "not a string"),
        ({}, {"path": "\udcff"}, "not Unicode"),
        ({"\ud800": Array("U8", (1,), b"x")}, {}, "not Unicode"),
        ({"a": Array("U8", (2,), b"x")}, {}, "do not fit"),
        ({"a": Array("F32", (1,), b"x")}, {}, "do not fit"),
        ({"a": Array("I64", (1,), bytes(8))}, {}, "unknown dtype"),
        ({"a": Array("U8", (-1,), b"")}, {}, "natural numbers"),
        ({"a": Array("U8", (numpy.int64(1),), b"x")}, {}, "natural numbers"),
    ],
)
def test_what_no_file_can_hold_is_refused(tmp_path, arrays, metadata, why):
    with pytest.raises(ValueError, match=why):
        container.write(tmp_path / "m", arrays, metadata)
    assert names_in(tmp_path) == []


def test_a_header_that_could_not_be_read_is_not_written(tmp_path):
    with pytest.raises(ModelError, match="over 16 MiB"):
        container.write(tmp_path / "m", {}, {"labels": "x" * (16 << 20)})
    assert names_in(tmp_path) == []


# Nothing else is read


def test_every_altered_byte_is_noticed(model):
    raw = bytearray(model.read_bytes())
    for position in range(len(raw)):
        for mask in (0x01, 0x20, 0xFF):  # 0x20 turns a digit's letter into a capital
            raw[position] ^= mask
            with pytest.raises(ModelError, match=r"^m\.sap: not a sapwood model: .*; copy or train it again$"):
                container.parse(bytes(raw), "m.sap")
            raw[position] ^= mask
    container.parse(bytes(raw), "m.sap")


def test_every_truncation_is_noticed(model):
    raw = model.read_bytes()
    for size in range(len(raw)):
        with pytest.raises(ModelError, match="truncated"):
            container.parse(raw[:size], "m.sap")


@pytest.mark.parametrize("byte", range(256))
def test_every_appended_byte_is_noticed(model, byte):
    for count in (1, 63, 64):
        with pytest.raises(ModelError):
            container.parse(model.read_bytes() + bytes([byte]) * count, "m.sap")


def test_the_file_is_read_like_the_bytes(model):
    with model.open("r+b") as file:
        file.truncate(100)
    with pytest.raises(ModelError, match=r"model\.sap: not a sapwood model: .*truncated"):
        container.read(model)
    model.write_bytes(b"")
    with pytest.raises(ModelError, match="only 0 bytes"):
        container.read(model)


def test_a_foreign_safetensors_file_is_refused(tmp_path):
    path = tmp_path / "foreign.safetensors"
    safetensors.numpy.save_file({"a": numpy.zeros(3, "f4")}, path, metadata={"checksum": "00000000"})
    with pytest.raises(ModelError, match=r"foreign\.safetensors: not a sapwood model"):
        container.read(path)


def test_what_is_no_file_cannot_be_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_bytes(b"")
    for name, why in [
        ("missing", "no such file; check the path"),
        ("file/below", "not a directory"),
        (".", "it is a directory; name a file in it"),
        ("pipe", "device or pipe"),  # and does not wait for a writer
        ("loop", "symbolic links"),
    ]:
        path = tmp_path / name
        with pytest.raises(ModelError, match=why) as caught:
            container.read(path)
        assert str(caught.value).startswith(f"{path}: cannot be read: ")
    with pytest.raises(ModelError, match=r"^/dev/zero: cannot be read: it is a device"):
        container.read("/dev/zero")


def test_a_message_is_one_line_whatever_the_path(tmp_path):
    with pytest.raises(ModelError) as caught:
        container.read(tmp_path / "a\nb")
    assert len(str(caught.value).splitlines()) == 1
    with pytest.raises(ModelError, match=r"^Bäume\.sap: "):
        container.parse(b"", "Bäume.sap")


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
import os, signal, sys
from sapwood.modelfile import container
from sapwood.modelfile.container import Array

def fsync(descriptor):
    print("writing", flush=True)
    signal.pause()

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
        assert process.wait(60) == -number  # it dies of the signal, as whoever sent it expects
        assert process.stderr.read() == b""
    assert names_in(tmp_path) == ["model.sap"]
    assert model.read_bytes() == before


def test_a_handler_of_the_program_decides_itself(model, tmp_path):
    with start_writing(model, "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 7
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


def test_devices(tmp_path):
    before = Path("/dev/null").stat()
    container.check_writable("/dev/null")
    assert container.write("/dev/null", ARRAYS, METADATA) == container.write(tmp_path / "m", ARRAYS, METADATA)
    assert Path("/dev/null").stat().st_rdev == before.st_rdev


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_device(tmp_path):
    (tmp_path / "full").symlink_to("/dev/full")
    for path in ("/dev/full", tmp_path / "full"):
        container.check_writable(path)
        with pytest.raises(ModelError, match="full: cannot be written: the disk is full"):
            container.write(path, ARRAYS, METADATA)
    assert Path("/dev/full").is_char_device()


def test_a_pipe(tmp_path, model):
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
