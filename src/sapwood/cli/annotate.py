"""``sapwood annotate``: raw text in, sentences, words, tags, lemmas, trees and names out."""

from __future__ import annotations

import sys

from sapwood.cli.flags import add_threads
from sapwood.cli.options import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterable, Iterator

    from sapwood import _core
    from sapwood.models.doc import Doc
    from sapwood.models.pipeline import Pipeline

ANNOTATE = """Analyse raw text: sentences, words, tags, lemmas, trees and names.

MODEL is a pipeline ('sapwood train pipeline'), or 'en', the English one that comes with sapwood and is taken if none is
named. CoNLL-U comes out, on a terminal a table. The text of standard input ('-', or no FILE) is read paragraph by
paragraph, as it comes; a paragraph ends with an empty line. Memory is bounded, whatever the size of the text.

Formats: conllu; json (an object for each sentence, one a line; offsets count characters); table; tree; html (a page
with the trees); text (a sentence a line, tokens between spaces).

Examples:
  echo "Ada Lovelace wrote the first program in 1843." | sapwood annotate
  sapwood annotate en book.txt.gz --format json > book.jsonl
  sapwood annotate french.sap --steps segment,tag < text > words.conllu
  sapwood annotate en tokenised.txt --input tokens
"""

_FORMATS = ("conllu", "json", "table", "tree", "html", "text")


def _options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("files", metavar="[MODEL] [FILE ...]", nargs="*", default=(), help="a pipeline; texts, '-': standard input")
    add("--format", choices=_FORMATS, help="what comes out; without, table on a terminal and conllu elsewhere")
    kinds = "raw text, lines of tokens between spaces, or CoNLL-U, whose words and comments stay"
    add("--input", choices=("text", "tokens", "conllu"), default="text", help=f"what goes in: {kinds}")
    add("--steps", metavar="STEP,...", help="only these of segment, tag, lemmatize, parse and entities")
    errors = "what to do with bytes that are not UTF-8: stop, or put U+FFFD in their place"
    add("--errors", choices=("strict", "replace"), default="strict", help=errors)
    add_threads(parser)


def _annotate(files: list[str], format: str | None, input: str, steps: str | None, errors: str, threads: int) -> None:
    from sapwood.cli.streams import read_chunks
    from sapwood.models.bundled import BUNDLED, is_model
    from sapwood.models.load import load_as
    from sapwood.models.pipeline import Pipeline

    names = list(files)
    model = names.pop(0) if names and (names[0] in BUNDLED or is_model(names[0])) else "en"
    pipeline = load_as(Pipeline, model).set_params(threads=threads)
    if steps is not None:
        pipeline = pipeline.only(*steps.split(",")).set_params(threads=threads)
    write = _WRITERS[format or ("table" if sys.stdout.isatty() else "conllu")]()
    for name, chunks in read_chunks(names):
        data = chunks if errors == "strict" else _replaced(chunks)
        if input == "conllu" and isinstance(write, _Conllu):
            _write(pipeline.fill(_whole(data), name))
        else:
            for doc in _documents(pipeline, data, name, input):
                _write(write(doc))
    _write(write.end())


def _documents(pipeline: Pipeline, chunks: Iterable[bytes], name: str, input: str) -> Iterator[_core.Doc]:
    if input == "text":
        yield from pipeline.annotate(chunks, name=name)
    elif input == "tokens":
        yield pipeline.pipeline_.read_lines(_whole(chunks), name)
    else:
        from sapwood import _core

        yield pipeline.pipeline_.read_words(_core.Conllu.read(_whole(chunks), name))


def _whole(chunks: Iterable[bytes]) -> bytes:
    return b"".join(chunks)


def _replaced(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield chunks with U+FFFD for what is no UTF-8, and for NUL."""
    from codecs import getincrementaldecoder

    decoder = getincrementaldecoder("utf-8")("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).replace("\0", "\ufffd").encode()
    yield decoder.decode(b"", final=True).encode()


def _write(data: bytes) -> None:
    if data:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


class _Conllu:
    """CoNLL-U; sentences are numbered through all files."""

    def __init__(self) -> None:
        self.first = 1

    def __call__(self, doc: _core.Doc) -> bytes:
        first, self.first = self.first, self.first + doc.sentence_count
        return doc.to_conllu(first)

    def end(self) -> bytes:
        return b""


class _Json:
    """JSON lines; offsets count through all files."""

    def __init__(self) -> None:
        self.first = 0

    def __call__(self, doc: _core.Doc) -> bytes:
        first, self.first = self.first, self.first + doc.characters
        return doc.to_json_lines(first)

    def end(self) -> bytes:
        return b""


class _Text:
    """What a person reads, made of the views of a document."""

    def __init__(self, shown: Callable[[Doc], str]) -> None:
        self.shown = shown

    def __call__(self, core: _core.Doc) -> bytes:
        from sapwood.models.doc import Doc

        text = self.shown(Doc(core))
        return text.encode() if core.words else b""

    def end(self) -> bytes:
        return b""


class _Html:
    """A page with the trees; it is written at the end."""

    def __init__(self) -> None:
        self.trees: list[tuple[list[str], list[int], list[str], list[str]]] = []

    def __call__(self, core: _core.Doc) -> bytes:
        from sapwood.models.doc import Doc

        self.trees += [sentence.tree() for sentence in Doc(core).sentences]
        return b""

    def end(self) -> bytes:
        from sapwood.draw import html_page

        return html_page(self.trees).encode()


def _table(doc: Doc) -> str:
    from sapwood.cli.terminal import printable
    from sapwood.draw.sentence import cells

    columns = ["id", "text", "lemma", "upos", "xpos", "feats", "head", "deprel", "entity"]
    rows: list[list[str]] = []
    for sentence in doc.sentences:
        rows += [["", *([""] * 8)]] if rows else []
        for token in sentence:
            values = [getattr(token, column) for column in columns]
            rows.append(["" if value in (None, "_", "O") else printable(str(value)) for value in values])
    used = [c for c, column in enumerate(columns) if any(row[c] for row in rows)]
    widths = {c: max(cells(row[c]) for row in rows) for c in used}
    lines = ["  ".join(row[c] + " " * (widths[c] - cells(row[c])) for c in used).rstrip() for row in rows]
    return "\n".join(lines) + "\n\n"


def _trees(doc: Doc) -> str:
    import shutil

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    return doc.draw(width) + "\n\n"


def _lines(doc: Doc) -> str:
    return "".join(" ".join(_on_a_line(t.text) for t in sentence) + "\n" for sentence in doc.sentences)


def _on_a_line(text: str) -> str:
    return "\u00a0".join(text.split())  # a space within a token must not end it


_WRITERS: dict[str, Callable[[], _Conllu | _Json | _Text | _Html]] = {
    "conllu": _Conllu,
    "json": _Json,
    "table": lambda: _Text(_table),
    "tree": lambda: _Text(_trees),
    "html": _Html,
    "text": lambda: _Text(_lines),
}

VERBS = {"annotate": Verb(ANNOTATE, _options, _annotate)}
