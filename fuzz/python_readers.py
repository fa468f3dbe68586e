"""Fuzzes the readers that are Python: containers, JSON lines, CSV, lists of candidates, requests.

    python fuzz/python_readers.py TARGET FOLDER [libFuzzer's arguments]

by atheris (`pip install atheris`), which runs libFuzzer over the coverage of Python's code. Every input is read, or
refused with one of sapwood's errors, of one line. TARGET is one of those below, FOLDER keeps the inputs.
"""

import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["sapwood"]):
    from sapwood.errors import SapwoodError
    from sapwood.io.example_files import parse_examples
    from sapwood.io.examples import Layout
    from sapwood.io.lists import format_list, parse_lists
    from sapwood.model.file import container
    from sapwood.model.file.container import Array
    from sapwood.web.requests import parsed_json, place_in_form
    from sapwood.web.responses import FAULTS, refusal
    from sapwood.web.schemas import Question, Texts

HEADER = container.dump({"x": Array.of("U32", bytes(12)), "y": Array.of("U8", b"z")}, {"task": "tag", "\u00e9": "{}"})


def header_of(data: bytes) -> bytes:
    """Make a container of a header, of which the opening, the padding and the checksum are made right, and of data."""
    text, _, rest = data.partition(b"\0")
    text = b'{"__metadata__":{"checksum":"00000000"' + text
    text += b" " * (-(8 + len(text)) % 64)
    whole = bytearray(len(text).to_bytes(8, "little") + text + rest)
    whole[37:45] = b"%08x" % zlib.crc32(whole)
    return bytes(whole)


def read_container(data: bytes) -> None:
    """A container of any bytes, and one whose header is the data."""
    for each in (data, header_of(data)):
        try:
            metadata, arrays = container.parse(each, "file")
        except SapwoodError as error:
            check(error)
            continue
        again = container.parse(container.dump(arrays, metadata), "again")
        assert again[0] == metadata and list(again[1]) == list(arrays)


def read_examples(data: bytes) -> None:
    """JSON lines and CSV files of a classifier."""
    form = "jsonl" if data[:1] in (b"{", b"[", b" ") else "csv"
    layout = Layout(form, [], [], several=len(data) % 3 == 0)
    for fixed in (False, True):
        if fixed:
            layout = layout._replace(columns=["word"], fields=["author"])
        parse_examples(data, "file", layout, fixed=fixed, tabs=len(data) % 2 == 0)


def read_lists(data: bytes) -> None:
    """Lists of candidates; as JSON lines they come back."""
    lists = list(parse_lists(data, "file"))
    again = list(parse_lists("".join(map(format_list, lists)).encode(), "again"))
    assert [each.candidates for each in again] == [each.candidates for each in lists]


def read_request(data: bytes) -> None:
    """A request of the web API."""
    for read in (Texts.model_validate, Question.model_validate, lambda values: place_in_form({"why": str(values)})):
        try:
            read(parsed_json(data))
        except FAULTS as error:
            assert str(refusal(error)).isprintable()


TARGETS: dict[str, Callable[[bytes], None]] = {
    "container": read_container,
    "examples": read_examples,
    "lists": read_lists,
    "request": read_request,
}


SEEDS = {
    "container": [HEADER, b',"a":"b"},"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}\0ab'],
    "examples": [
        b'{"label": "a", "text": "good film", "author": "x"}\n{"label": "b", "tokens": ["so", "so"], "marked": 1}\n',
        b'{"label": ["a", "b"], "features": {"x": 1, "y": 0.5, "z": "\\u00e9"}}\n',
        b'label,text,author\na,"good, film",x\nb,"so ""so""\nagain",y\n',
        b"[]\n{}\n",
    ],
    "lists": [
        b'{"tokens": [["the", "DT"]], "gold": ["B"], "candidates": [{"labels": ["B"]}]}\n',
        b'{"candidates": [{"tree": "(S (X y))", "loss": 1}, {"tree": "(S (Z y))"}]}\n',
        b'{"candidates":[{"features":{"a":1}}]}\n',
        b'{"tokens": ["a"], "gold": {"heads": [0]}, "candidates": [{"heads": [0], "score": "1"}]}\n',
        b"(S (X y))\n-3.5 (S (X y))\n-4 (S (Z y))\n\n-1\t(S a)\n",
    ],
    "request": [
        b'{"text": "A dog.", "model": "en", "input": "text", "confidence": true, "sentence": 1, "token": 2}',
        b'{"texts": ["\\ud83d\\ude00"], "against": "x", "why": "1.2.tag"}',
    ],
}


def check(error: Exception) -> None:
    """The message is one line that can be printed."""
    assert str(error) and str(error).isprintable(), repr(str(error))


def main() -> None:
    """Run the target that is named."""
    name = sys.argv.pop(1)
    target, folder = TARGETS[name], Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[name]):
        (folder / f"seed{number}").write_bytes(seed)

    def run(data: bytes) -> None:
        try:
            target(data)
        except SapwoodError as error:
            check(error)

    atheris.Setup(sys.argv, run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
