"""The model file's container: what is written is read back, and nothing else is."""

import json
import os
from itertools import product

import numpy
import pytest
import safetensors
import safetensors.numpy
from containers import ARRAYS, METADATA, names_in, plain
from hypothesis import given
from hypothesis import strategies as st

from sapwood.errors import ModelError
from sapwood.model.file import container
from sapwood.model.file.container import Array

ITEM_SIZES = {"U8": 1, "I8": 1, "U16": 2, "I16": 2, "U32": 4, "I32": 4, "F32": 4, "U64": 8, "F64": 8}


def header_of(path):
    """The header and where the data start, read with nothing of ours."""
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    return json.loads(raw[8:start]), start


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.sap"
    container.write(path, ARRAYS, METADATA)
    return path


# What is written is read back


def test_what_is_written_is_read_back(model):
    metadata, arrays = container.read(model)
    assert metadata == METADATA
    assert plain(arrays) == plain(ARRAYS)
    assert list(arrays) == list(ARRAYS)


def test_the_bytes_of_a_small_file_are_those_of_the_format(tmp_path):
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


@given(st.dictionaries(names, some_arrays(), max_size=6), st.dictionaries(keys, text | keys, max_size=5))
def test_whatever_is_written_is_read_back_and_by_safetensors_too(tmp_path_factory, arrays, metadata):
    path = tmp_path_factory.getbasetemp() / "any.sap"
    assert container.write(path, arrays, metadata) == path.stat().st_size
    found_metadata, found = container.read(path)
    assert (found_metadata, plain(found)) == (metadata, plain(arrays))
    filled = [name for name, array in arrays.items() if array.data]
    assert [name for name in found if name in filled] == filled

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


@pytest.mark.parametrize(("arrays", "metadata"), [({}, {"path": "\udcff"}), ({"\ud800": Array("U8", (1,), b"x")}, {})])
def test_what_no_file_can_hold_is_refused(tmp_path, arrays, metadata):
    with pytest.raises(ValueError, match="not Unicode"):
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


def test_every_appended_byte_is_noticed(model):
    whole = model.read_bytes()
    for byte, count in product(range(256), (1, 63, 64)):
        with pytest.raises(ModelError):
            container.parse(whole + bytes([byte]) * count, "m.sap")


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
