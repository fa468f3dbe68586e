"""Metadata and arrays that are coded in a model file, and what a file that lies about them is told."""

import json
import random
import string

import pytest
from forged import Contents, attacked, contents
from hypothesis import given
from hypothesis import strategies as st
from oracles.coded_bytes import read_bytes, read_file

import sapwood
from sapwood import ModelError, SequenceTagger, _core
from sapwood.model.file import container
from sapwood.model.file.coding import coded
from sapwood.model.file.container import Array

pieces = st.lists(st.binary(max_size=12) | st.sampled_from([b"label", b'"options":', b"aaaaaaaaaa", b"\0\0\0\0"]))
CORPUS = [[("the", "D"), ("dog", "N")], [("a", "D"), ("cat", "N"), ("sat", "V")], [("dog", "N"), ("sat", "V")]]


@given(pieces=pieces, times=st.integers(1, 20))
def test_decoding_gives_the_bytes_again(pieces, times):
    data = b"".join(pieces) * times
    code = _core.code_bytes(data)
    assert len(code) <= len(data)
    if code != data:
        assert len(code) < len(data) < 512 * (len(code) + 1)
        assert _core.decode_bytes(code, len(data)) == data
        assert read_bytes(code, len(data)) == data


def test_words_that_occur_again_take_less():
    choose = random.Random(3)
    words = ["".join(choose.choices(string.ascii_lowercase, k=choose.randrange(2, 9))) for _ in range(300)]
    text = " ".join(choose.choices(words, k=4000)).encode()
    code = _core.code_bytes(text)
    assert len(code) < 0.4 * len(text)
    assert read_bytes(code, len(text)) == text


@pytest.mark.parametrize("data", [bytes(3_000_000), b"ab" * 1_000_000, bytes(range(256)) * 4000, b"a" + bytes(90000)])
def test_long_repeats_are_decoded_or_kept_as_they_are(data):
    """Nothing is coded by so little that its size could be a lie."""
    code = _core.code_bytes(data)
    assert code == data or _core.decode_bytes(code, len(data)) == data


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("coded") / "m.sap"
    SequenceTagger(template="U:%x[0,0]\nB\n# A template may have a comment\n", min_updates=1).fit(CORPUS).save(path)
    return path


@pytest.fixture(scope="module")
def honest(path):
    metadata, arrays = container.read(path)
    return Contents(metadata, {name: Array(a.dtype, a.shape, bytes(a.data)) for name, a in arrays.items()})


def check(model):
    model.predict([["the", "cat"]])


def test_the_page_describes_the_file(path, honest):
    metadata, arrays = read_file(*honest)
    decoded = contents(path)
    assert metadata == decoded.metadata
    assert arrays == {name: bytes(array.data) for name, array in decoded.arrays.items()}


def test_files_that_are_not_coded_load_and_are_coded_when_saved(path, tmp_path):
    model, plain = sapwood.load(path), contents(path)
    container.write(tmp_path / "plain.sap", plain.arrays, plain.metadata)
    assert (tmp_path / "plain.sap").stat().st_size > path.stat().st_size
    loaded = sapwood.load(tmp_path / "plain.sap")
    assert loaded.predict([["the", "cat"]]) == model.predict([["the", "cat"]])
    loaded.save(tmp_path / "new.sap")
    assert (tmp_path / "new.sap").read_bytes() == path.read_bytes()


def test_arrays_keep_their_type():
    arrays = {"a": Array.of("U16", bytes(5000)), "b": Array.of("F64", bytes(range(80)))}
    written, metadata = coded(arrays, {"format": "sapwood/3", "task": "tag"})
    assert json.loads(metadata["coded"]) == {"a": ["U16", 5000]}
    assert written["b"] == arrays["b"]
    assert read_file(metadata, written)[1] == {"a": bytes(5000), "b": bytes(range(80))}


def test_equal_arrays_are_written_once(tmp_path):
    low = bytes(range(250)) * 4
    arrays = {"x/a.high": Array.of("U8", low[::-1]), "x/b": Array.of("U8", low), "y/b": Array.of("U8", low)}
    arrays |= {"z/b": Array.of("U16", low), "s": Array.of("U8", b"short"), "t": Array.of("U8", b"short")}
    written, metadata = coded(arrays, {"format": "sapwood/3", "task": "tag"})
    assert json.loads(metadata["coded"])["y/b"] == ["same", "x/b"]
    assert [name for name in arrays if name not in written] == ["y/b"]
    assert read_file(metadata, written)[1] == {name: array.data for name, array in arrays.items()}


@pytest.mark.parametrize("entry", [["same"], ["same", 1], ["same", "no"], ["same", "y"], ["same", "x", "x"]])
def test_arrays_that_equal_nothing_are_refused(entry):
    arrays = {"x": ("U8", (1,), b"a")}
    with pytest.raises(ModelError, match="does not say which array 'y' equals"):
        _core.read_model({"coded": json.dumps({"y": entry})}, arrays, None)
    with pytest.raises(ModelError, match="does not say which array 'x' equals"):
        _core.read_model({"coded": '{"x":["same","x"]}'}, arrays, None)


@pytest.fixture(scope="module")
def clustered(tmp_path_factory):
    """The contents of a file with word clusters."""
    folder = tmp_path_factory.mktemp("clustered")
    (folder / "c.txt").write_text("".join(f"{k % 8:03b}\tword{k}\t1\n" for k in range(900)) + "000\tthe\t1\n")
    tagger = SequenceTagger(template="U:%cluster[0,0]\nB\n", min_updates=1, clusters=folder / "c.txt")
    tagger.fit(CORPUS).save(folder / "m.sap")
    metadata, arrays = container.read(folder / "m.sap")
    return Contents(metadata, {name: Array(a.dtype, a.shape, bytes(a.data)) for name, a in arrays.items()})


def test_keys_of_words_are_coded(clustered, tmp_path):
    sizes = json.loads(clustered.metadata["coded"])
    assert sizes["clusters.high"] == ["keys", 901, 20]
    assert "clusters.low" not in clustered.arrays
    container.write(tmp_path / "m.sap", clustered.arrays, clustered.metadata)
    decoded = contents(tmp_path / "m.sap")
    metadata, arrays = read_file(*clustered)
    assert metadata == decoded.metadata
    assert arrays == {name: bytes(array.data) for name, array in decoded.arrays.items()}


@pytest.mark.slow
def test_keys_that_lie_are_refused(clustered, tmp_path):
    sizes = json.loads(clustered.metadata["coded"])
    _, count, bits = sizes["clusters.high"]
    entries = [["keys"], ["keys", count], ["keys", count, 65], ["keys", count, 0], ["keys", count, "20"]]
    entries += [["keys", n, b] for n, b in ((count + 1, bits), (count - 1, bits), (count, bits - 1), (1 << 39, bits))]
    for entry in entries:
        lies = {"coded": json.dumps({**sizes, "clusters.high": entry})}
        assert attacked(tmp_path / "bad.sap", clustered, lies, None, check)
    twice = {"clusters.low": Array.of("U8", b"")}
    assert "twice" in attacked(tmp_path / "bad.sap", clustered, None, twice, check)
    data = clustered.arrays["clusters.high"].data
    for cut in range(0, len(data), 7):
        arrays = {"clusters.high": Array.of("U8", data[:cut])}
        assert "clusters.high" in attacked(tmp_path / "bad.sap", clustered, None, arrays, check)
    for place in range(0, len(data), 3):
        bad = bytearray(data)
        bad[place] ^= 1 + place % 255
        attacked(tmp_path / "bad.sap", clustered, None, {"clusters.high": Array.of("U8", bytes(bad))}, check)


@pytest.mark.slow
def test_every_changed_byte_of_the_metadata_is_refused_or_works(honest, tmp_path):
    """Each byte of the coded metadata is changed in two ways."""
    data = honest.arrays["metadata"].data
    refused = 0
    for place in range(len(data)):
        for change in (1, 0xFF):
            bad = bytearray(data)
            bad[place] ^= change
            arrays = {"metadata": Array.of("U8", bytes(bad))}
            refused += attacked(tmp_path / "bad.sap", honest, None, arrays, check) is not None
    assert refused > len(data)


@pytest.mark.slow
def test_codes_that_end_early_or_go_on(honest, tmp_path):
    data = honest.arrays["metadata"].data
    for bad in [*(data[:n] for n in range(len(data))), data + b"\0", data + b"\0\0", data + data]:
        error = attacked(tmp_path / "bad.sap", honest, None, {"metadata": Array.of("U8", bad)}, check)
        assert "array 'metadata'" in error


@pytest.mark.parametrize("size", [1, -1, 1000, 1 << 30, 1 << 60])
def test_sizes_that_are_wrong(honest, tmp_path, size):
    [(name, (dtype, right))] = json.loads(honest.metadata["coded"]).items()
    lies = {"coded": json.dumps({name: [dtype, right + size]})}
    assert "array 'metadata'" in attacked(tmp_path / "bad.sap", honest, lies, None, check)


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ("[]", "'coded' in its header is not"),
        ("{", "'coded' in its header is not"),
        ("[" * 100_000, "'coded' in its header is nested too deeply"),
        ('{"metadata":[]}', "'coded' in its header"),
        ('{"metadata":["U8",true]}', "'coded' in its header"),
        ('{"metadata":[["U8"],9]}', "'coded' in its header"),
        ('{"metadata":["U7",9]}', "does not say what the array 'metadata' is"),
        ('{"metadata":["U16",9]}', "does not say what the array 'metadata' is"),
        ('{"metadata":["U8",0]}', "cannot have"),
        ('{"nothing":["U8",9]}', "no coded array 'nothing'"),
        ("{}", "has no 'weights'"),
    ],
)
def test_what_is_coded_is_said_in_one_way(honest, tmp_path, entry, what):
    assert what in attacked(tmp_path / "bad.sap", honest, {"coded": entry}, None, check)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"[]" + b" " * 900, "'metadata', which is coded, is not"),
        (b'[["a","b"]]' + b" " * 900, "'metadata', which is coded, is not"),
        (b'{"a":1}' + b" " * 900, "'metadata', which is coded, is not"),
        (b'{"a":"\xff"}' + b" " * 900, "coded metadata are not UTF-8"),
        (b'{"a":"b","a":"b"}' + b" " * 900, "has the name 'a' twice"),
        (b'{"task":"tag"}' + b" " * 900, "a name that its header has"),
        (b'{"coded":"{}"}' + b" " * 900, "a name that its header has"),
        (b'{"a":"\\ud800"}' + b" " * 900, "not Unicode"),
    ],
)
def test_metadata_that_are_none(honest, tmp_path, text, what):
    arrays = {"metadata": Array.of("U8", _core.code_bytes(text))}
    lies = {"coded": json.dumps({"metadata": ["U8", len(text)]})}
    assert what in attacked(tmp_path / "bad.sap", honest, lies, arrays, check)


def test_random_codes_are_refused():
    choose = random.Random(5)
    for _ in range(300):
        with pytest.raises(ModelError, match=r"^coded bytes "):
            _core.decode_bytes(choose.randbytes(choose.randrange(1, 200)), choose.randrange(1, 5000))
