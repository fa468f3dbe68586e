"""Containers that lie: each has a checksum that is right, so the check under attack stands alone."""

import json
import re
import threading
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood.errors import ModelError
from sapwood.model.file import container

META = '"__metadata__":{"checksum":"00000000","task":"tag"}'
PLAIN = '"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}'
TWO = (
    PLAIN
    + ',"_pad.0":{"dtype":"U8","shape":[60],"data_offsets":[4,64]},'
    + '"b":{"dtype":"U8","shape":[4],"data_offsets":[64,68]}'
)
DATA = b"aaaa"
TWO_DATA = b"aaaa" + bytes(60) + b"bbbb"
LINE = r"^bad\.sap: not a sapwood model: [^\n\r]*; copy or train it again$"


def padded(header: bytes) -> bytes:
    return header + b" " * (-(8 + len(header)) % 64)


def seal(header: bytes, data: bytes) -> bytes:
    """A file of this header and data whose checksum is right, if it has one in front."""
    raw = len(header).to_bytes(8, "little") + header + data
    return raw[:37] + b"%08x" % zlib.crc32(raw) + raw[45:] if raw[37:45] == b"00000000" else raw


def entry(dtype='"U8"', shape="[4]", offsets="[0,4]") -> str:
    return f'"a":{{"dtype":{dtype},"shape":{shape},"data_offsets":{offsets}}}'


def refused(raw: bytes, why: str) -> None:
    with pytest.raises(ModelError, match=LINE) as caught:
        container.parse(raw, "bad.sap")
    message = str(caught.value)
    assert why in message
    assert message.isprintable()
    assert len(message) < 250


def test_the_honest_files_are_accepted():
    assert container.parse(seal(padded(f"{{{META},{PLAIN}}}".encode()), DATA), "good")[0] == {"task": "tag"}
    assert list(container.parse(seal(padded(f"{{{META},{TWO}}}".encode()), TWO_DATA), "good")[1]) == [
        "a",
        "b",
    ]


LENGTHS = [
    ("nothing", b"", "only 0 bytes"),
    ("a length cut short", bytes(7), "only 7 bytes"),
    ("an empty header", bytes(8), "does not start with '{'"),
    (
        "an empty header before data that look like one",
        bytes(8) + b'{"__metadata__":{}}',
        "does not start with '{'",
    ),
    ("a header longer than the file", (64).to_bytes(8, "little") + b"{}", "ends before it should"),
    (
        "a header longer than the file by one byte",
        (57).to_bytes(8, "little") + b"{" + b" " * 55,
        "ends before",
    ),
    ("a header one byte over the limit", ((16 << 20) + 1).to_bytes(8, "little"), "over the limit of 16 MiB"),
    ("a length that is negative if signed", b"\xff" * 8 + b"{}", "over the limit of 16 MiB"),
    ("a length that overflows when 8 is added", (2**64 - 8).to_bytes(8, "little") + b"{}", "over the limit"),
]


@pytest.mark.parametrize(("raw", "why"), [case[1:] for case in LENGTHS], ids=[case[0] for case in LENGTHS])
def test_lengths_that_lie_are_refused(raw, why):
    refused(raw, why)


# What it tries, the header (str or bytes) without padding, the data, the error.
HEADERS = [
    ("an array instead of an object", "[" + META + "]", b"", "does not start with '{'"),
    ("a space before the object", " {" + META + "}", b"", "does not start with '{'"),
    ("a byte order mark", "\ufeff{" + META + "}", b"", "does not start with '{'"),
    ("no metadata", "{" + PLAIN + "}", DATA, "no checksum in front"),
    ("no checksum", '{"__metadata__":{"task":"tag"}}', b"", "no checksum in front"),
    ("a checksum that is not first", '{"__metadata__":{"a":"b","checksum":"00000000"}}', b"", "no checksum"),
    ("a checksum in an array's place", '{"checksum":"00000000"}', b"", "no checksum in front"),
    ("a checksum that is a number", '{"__metadata__":{"checksum":00000000}}', b"", "no checksum in front"),
    (
        "a checksum with a sign, as int() takes it",
        '{"__metadata__":{"checksum":"+0000000"}}',
        b"",
        "no checksum",
    ),
    ("a checksum of seven digits", '{"__metadata__":{"checksum":"0000000"}}', b"", "no checksum in front"),
    ("a checksum of nine digits", '{"__metadata__":{"checksum":"000000000"}}', b"", "no checksum in front"),
    ("a checksum in escapes", '{"__metadata__":{"checksum":"\\u0030\\u0030"}}', b"", "no checksum in front"),
    ("a wrong checksum", '{"__metadata__":{"checksum":"00000001"}}', b"", "checksum does not match"),
    (
        "two checksums",
        '{"__metadata__":{"checksum":"00000000","checksum":"00000000"}}',
        b"",
        "'checksum' twice",
    ),
    ("Latin-1", b'{"__metadata__":{"checksum":"00000000","a":"\xe9"}}', b"", "not UTF-8"),
    (
        "a surrogate in UTF-8",
        b'{"__metadata__":{"checksum":"00000000","a":"\xed\xa0\x80"}}',
        b"",
        "not UTF-8",
    ),
    ("an overlong NUL", b'{"__metadata__":{"checksum":"00000000","a":"\xc0\x80"}}', b"", "not UTF-8"),
    ("a surrogate in escapes", '{"__metadata__":{"checksum":"00000000","a":"\\ud800"}}', b"", "not Unicode"),
    (
        "a surrogate as a metadata name",
        '{"__metadata__":{"checksum":"00000000","\\udfff":""}}',
        b"",
        "not Unicode",
    ),
    (
        "a surrogate as an array's name",
        "{" + META + "," + PLAIN.replace("a", "\\ud800", 1) + "}",
        DATA,
        "not Unicode",
    ),
    ("no end", "{" + META, b"", "not JSON"),
    ("a second object", "{" + META + "}{}", b"", "not JSON"),
    ("NULs for padding", "{" + META + "}\0", b"", "not JSON"),
    ("a trailing comma", "{" + META + ",}", b"", "not JSON"),
    ("a raw newline in a string", "{" + META + ',"\n":{}}', b"", "not JSON"),
    ("a comment", "{" + META + "/* */}", b"", "not JSON"),
    ("lists nested to overflow the stack", "{" + META + ',"a":' + "[" * 10**6, b"", "nested too deeply"),
    ("objects nested to overflow the stack", "{" + META + ',"a":' + '{"":' * 10**6, b"", "nested too deeply"),
    (
        "a number of a million digits",
        "{" + META + "," + entry(offsets=f"[0,{'9' * 10**6}]") + "}",
        DATA,
        "a whole number of over 4,300 digits",
    ),
    ("an array twice", "{" + META + "," + PLAIN + "," + PLAIN + "}", DATA, "'a' twice"),
    ("an array twice, once in escapes", "{" + META + "," + PLAIN + ',"\\u0061":{}}', DATA, "'a' twice"),
    ("metadata twice", "{" + META + "," + META + "}", b"", "'__metadata__' twice"),
    ("a metadatum twice", '{"__metadata__":{"checksum":"00000000","a":"1","a":"2"}}', b"", "'a' twice"),
    ("a dtype twice", "{" + META + "," + entry('"U8","dtype":"I8"') + "}", DATA, "'dtype' twice"),
    (
        "a number in the metadata",
        '{"__metadata__":{"checksum":"00000000","a":1}}',
        b"",
        "'a' are not a string",
    ),
    (
        "null in the metadata",
        '{"__metadata__":{"checksum":"00000000","a":null}}',
        b"",
        "'a' are not a string",
    ),
    (
        "an object in the metadata",
        '{"__metadata__":{"checksum":"00000000","a":{}}}',
        b"",
        "'a' are not a string",
    ),
    ("NaN in the metadata", '{"__metadata__":{"checksum":"00000000","a":NaN}}', b"", "'a' are not a string"),
    ("an array that is a list", "{" + META + ',"a":[]}', b"", "not described by"),
    ("an array that is null", "{" + META + ',"a":null}', b"", "not described by"),
    ("an array that is Infinity", "{" + META + ',"a":Infinity}', b"", "not described by"),
    (
        "an array without a shape",
        "{" + META + ',"a":{"dtype":"U8","data_offsets":[0,4]}}',
        DATA,
        "not described",
    ),
    ("an array with more to say", "{" + META + "," + entry('"U8","x":0') + "}", DATA, "not described by"),
    ("an unknown dtype", "{" + META + "," + entry('"I64"') + "}", DATA, "unknown dtype"),
    ("a dtype in small letters", "{" + META + "," + entry('"u8"') + "}", DATA, "unknown dtype"),
    ("a dtype that cannot be hashed", "{" + META + "," + entry("[]") + "}", DATA, "unknown dtype"),
    ("a dtype that is a number", "{" + META + "," + entry("8") + "}", DATA, "unknown dtype"),
    ("a shape that is a number", "{" + META + "," + entry(shape="4") + "}", DATA, "natural numbers"),
    ("a shape that is a string", "{" + META + "," + entry(shape='"4"') + "}", DATA, "natural numbers"),
    ("a shape with a bool", "{" + META + "," + entry(shape="[4,true]") + "}", DATA, "natural numbers"),
    ("a shape with a float", "{" + META + "," + entry(shape="[4.0]") + "}", DATA, "natural numbers"),
    ("a shape with NaN", "{" + META + "," + entry(shape="[NaN]") + "}", DATA, "natural numbers"),
    (
        "a negative shape whose product fits",
        "{" + META + "," + entry(shape="[-2,-2]") + "}",
        DATA,
        "natural numbers",
    ),
    (
        "a shape whose product wraps at 2^64 to 4",
        "{" + META + "," + entry(shape=f"[{2**62 + 1},4]") + "}",
        DATA,
        "below 2^62",
    ),
    (
        "a shape of no elements but huge sides",
        "{" + META + "," + entry(shape=f"[0,{2**62}]", offsets="[0,0]") + "}",
        b"",
        "below 2^62",
    ),
    (
        "a shape of nine dimensions",
        "{" + META + "," + entry(shape="[4,1,1,1,1,1,1,1,1]") + "}",
        DATA,
        "too large",
    ),
    (
        "a shape of a million dimensions",
        "{" + META + "," + entry(shape=f"[4{',1' * 10**6}]") + "}",
        DATA,
        "too large",
    ),
    ("a shape over its bytes", "{" + META + "," + entry(shape="[5]") + "}", DATA, "do not fit"),
    ("a shape under its bytes", "{" + META + "," + entry(shape="[3]") + "}", DATA, "do not fit"),
    ("a scalar of four bytes", "{" + META + "," + entry(shape="[]") + "}", DATA, "do not fit"),
    ("a wider dtype", "{" + META + "," + entry('"F64"') + "}", DATA, "do not fit"),
    (
        "offsets that are floats",
        "{" + META + "," + entry(offsets="[0.0,4.0]") + "}",
        DATA,
        "a begin and an end",
    ),
    (
        "offsets that are bools",
        "{" + META + "," + entry(shape="[1]", offsets="[false,true]") + "}",
        b"a",
        "a begin and",
    ),
    ("offsets in an object", "{" + META + "," + entry(offsets="{}") + "}", DATA, "a begin and an end"),
    ("one offset", "{" + META + "," + entry(offsets="[4]") + "}", DATA, "a begin and an end"),
    ("three offsets", "{" + META + "," + entry(offsets="[0,2,4]") + "}", DATA, "a begin and an end"),
    (
        "offsets that run backwards",
        "{" + META + "," + entry(offsets="[4,0]") + "}",
        DATA,
        "a begin and an end",
    ),
    ("a negative offset", "{" + META + "," + entry(offsets="[-4,0]") + "}", DATA, "a begin and an end"),
    ("an end outside the file", "{" + META + "," + PLAIN + "}", b"aaa", "outside the file"),
    (
        "an end far outside",
        "{" + META + "," + entry(shape=f"[{2**48}]", offsets=f"[0,{2**48}]") + "}",
        DATA,
        "outside",
    ),
    ("a hole in front", "{" + META + "," + entry(offsets="[64,68]") + "}", bytes(64) + DATA, "leaves a hole"),
    (
        "a hole after a filler",
        "{" + META + "," + TWO.replace("[64,68]", "[128,132]") + "}",
        bytes(132),
        "leaves a hole",
    ),
    (
        "two arrays in one place",
        "{" + META + "," + TWO.replace("[64,68]", "[0,4]") + "}",
        bytes(64),
        "overlaps",
    ),
    (
        "arrays out of order",
        "{" + META + "," + TWO.split("},")[2] + "," + PLAIN + "}",
        TWO_DATA,
        "leaves a hole",
    ),
    (
        "an array that is not aligned",
        "{" + META + "," + PLAIN + "," + PLAIN.replace("a", "b", 1).replace("[0,4]", "[4,8]") + "}",
        bytes(8),
        "does not start at a multiple of 64",
    ),
    (
        "an empty array that is not aligned",
        "{" + META + "," + PLAIN + ',"b":{"dtype":"U8","shape":[0],"data_offsets":[4,4]}}',
        DATA,
        "does not start at a multiple",
    ),
    ("a message in a filler", "{" + META + "," + TWO + "}", b"aaaa" + bytes(59) + b"!bbbb", "not the zeros"),
    (
        "a filler of another dtype",
        "{" + META + "," + TWO.replace('"U8","shape":[60]', '"I8","shape":[60]') + "}",
        TWO_DATA,
        "not the zeros",
    ),
    (
        "a filler out of turn",
        "{" + META + "," + TWO.replace("_pad.0", "_pad.1") + "}",
        TWO_DATA,
        "not the zeros",
    ),
    (
        "a filler without a number",
        "{" + META + "," + TWO.replace("_pad.0", "_pad.") + "}",
        TWO_DATA,
        "not the zeros",
    ),
    (
        "a filler that goes on",
        "{" + META + "," + TWO.replace("60", "124").replace("64", "128").replace("68", "132") + "}",
        bytes(132),
        "not the zeros",
    ),
    (
        "a filler in front",
        "{" + META + ',"_pad.0":{"dtype":"U8","shape":[64],"data_offsets":[0,64]}}',
        bytes(64),
        "not the zeros",
    ),
    (
        "a filler of nothing",
        "{" + META + ',"_pad.0":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}',
        b"",
        "not the zeros",
    ),
    ("a filler at the end", "{" + META + "," + TWO.split(',"b"')[0] + "}", bytes(64), "a filler follows"),
    ("a trailing byte", "{" + META + "," + PLAIN + "}", DATA + b"!", "1 bytes follow"),
    ("data of no array", "{" + META + "}", bytes(64), "64 bytes follow"),
    (
        "a name with newlines and escapes",
        "{" + META + ',"\\n\\u001b[31m\\u202e":[]}',
        b"",
        r"'\n\x1b[31m\u202e'",
    ),
    ("a name of a million letters", "{" + META + ',"' + "x" * 10**6 + '":[]}', b"", "x' is not described"),
]


@pytest.mark.parametrize(("header", "data", "why"), [c[1:] for c in HEADERS], ids=[c[0] for c in HEADERS])
def test_headers_that_lie_are_refused(header, data, why):
    refused(seal(padded(header if isinstance(header, bytes) else header.encode()), data), why)


def test_a_header_that_is_not_padded():
    header = padded(f"{{{META},{PLAIN}}}".encode())
    refused(seal(header[:-1], DATA), "do not start at a multiple of 64")
    refused(seal(header + b" " * 8, DATA), "do not start at a multiple of 64")


def test_a_deep_header_is_refused_in_a_thread_with_a_small_stack():
    raw = seal(padded(("{" + META + ',"a":' + "[" * 10**6).encode()), b"")
    caught = []

    def attempt():
        try:
            container.parse(raw, "bad.sap")
        except ModelError as error:
            caught.append(error)

    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=attempt)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert "nested too deeply" in str(caught[0])


@pytest.mark.slow
def test_a_large_header_is_no_hang():
    """Thirty thousand names and as many metadata: whatever is quadratic in them takes a minute."""
    count = 30_000
    names = {str(i): {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for i in range(count)}
    metadata = {"checksum": "00000000"} | {str(i): "" for i in range(count)}
    header = json.dumps({"__metadata__": metadata} | names, separators=(",", ":"))
    found_metadata, arrays = container.parse(seal(padded(header.encode()), b""), "large.sap")
    assert len(found_metadata) == len(arrays) == count


HONEST = padded(f"{{{META},{TWO}}}".encode())
scraps = st.sampled_from([b'"', b"{", b"}", b"[", b",", b":", b"-", b"\\", b"0", b"null", b"NaN", b"_pad.1", b"\xff"])


@given(
    st.lists(
        st.tuples(st.integers(45, len(HONEST) - 1), st.integers(0, 9), scraps | st.binary(max_size=3)),
        min_size=1,
        max_size=3,
    )
)
def test_a_header_scrambled_at_random_and_sealed_is_refused_or_read(edits):
    """Cuts and pastes anywhere behind the checksum: a `ModelError` of one line, or arrays that fit."""
    header = HONEST
    for position, cut, paste in edits:
        header = header[:position] + paste + header[position + cut :]
    try:
        _, arrays = container.parse(seal(padded(header), TWO_DATA), "bad.sap")
    except ModelError as error:
        assert re.match(LINE, str(error))
        assert str(error).isprintable()
    else:
        assert b"".join(bytes(array.data) for array in arrays.values()) in (b"aaaabbbb", TWO_DATA)
