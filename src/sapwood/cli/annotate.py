"""``sapwood annotate``: raw text in, sentences, words, tags, lemmas, trees and names out."""

from __future__ import annotations

import sys
from pathlib import Path

from sapwood.cli.flags import add_threads
from sapwood.cli.options import Verb, whole_number
from sapwood.errors import DataError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterable, Iterator

    from sapwood import _core
    from sapwood.models.doc import Sentence
    from sapwood.models.pipeline import Pipeline

ANNOTATE = """Analyse raw text: sentences, words, tags, lemmas, trees and names.

MODEL is a pipeline ('sapwood train pipeline'), or 'en', the English one that comes with sapwood and is taken if none is
named; the first argument is a model if it is a model file or its name ends in .sap, else a text. CoNLL-U comes out, on
a terminal a table. The text of standard input ('-', or no FILE) is read as it comes, paragraph by paragraph; these end
with an empty line. Memory is bounded, whatever the size of the text.

A model that 'sapwood calibrate' has seen, as 'en' has been, says with --confidence how sure it is of tags, features,
arcs and names, from 0 to 1. --least-sure N writes the N sentences of all texts that it is least sure of: those that are
worth looking at, or annotating by hand.

Formats: conllu, with names as NER= in MISC; json (an object for each sentence, one a line; offsets count characters);
table (on a terminal without the columns that do not fit); tree; html (a page of trees and names, which needs no
network); text (a sentence a line, words between spaces).

Examples:
  echo "Ada Lovelace wrote the first program in 1843." | sapwood annotate
  sapwood annotate en book.txt.gz --format json > book.jsonl
  sapwood annotate french.sap --parts segment,tag < text > words.conllu
  sapwood annotate en tokenised.txt --input tokens
  sapwood annotate en letter.txt --format html > letter.html
  sapwood annotate en corpus.txt --least-sure 50 > look-at-these.conllu
"""

_COLUMNS = ("id", "text", "lemma", "upos", "xpos", "feats", "head", "deprel", "entity")  # of a table
_FORMATS = ("conllu", "json", "table", "tree", "html", "text")


def _options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("files", metavar="MODEL|FILE", nargs="*", default=(), help="a pipeline; texts, '-': standard input")
    add("--format", choices=_FORMATS, help="what comes out; without, table on a terminal and conllu elsewhere")
    kinds = "raw text, lines of tokens between spaces, or CoNLL-U, whose words and comments stay"
    add("--input", choices=("text", "tokens", "conllu"), default="text", help=f"what goes in: {kinds}")
    add("--parts", metavar="PART,...", help="only these of segment, tag, lemmatize, parse and entities")
    errors = "what to do with bytes that are not UTF-8: stop, or put U+FFFD in their place"
    add("--errors", choices=("strict", "replace"), default="strict", help=errors)
    add("--confidence", action="store_true", help="add how sure the model is of tags, features, arcs and names")
    least = "write the N sentences that the model is least sure of, the least sure one first; with confidences"
    add("--least-sure", type=whole_number(1, 1_000_000), metavar="N", help=least)
    add_threads(parser)


def _annotate(
    files: list[str],
    format: str | None,
    input: str,
    parts: str | None,
    errors: str,
    confidence: bool,
    least_sure: int | None,
    threads: int,
) -> None:
    from sapwood.cli.streams import read_chunks

    model, texts = _model_and_texts(files)
    pipeline = _pipeline(model, parts, raw=input == "text").set_params(threads=threads)
    format = format or ("table" if sys.stdout.isatty() else "conllu")
    if format == "tree" and "parse" not in pipeline.parts:
        raise OptionError("trees need the part parse, which the pipeline does not have")
    write, confidence = _WRITERS[format](), confidence or least_sure is not None
    least = None if least_sure is None else _LeastSure(write, least_sure)
    _write(write.begin())
    for name, chunks in read_chunks(texts):
        data = chunks if errors == "strict" else _replaced(chunks)
        if input == "conllu" and isinstance(write, _Conllu) and least is None:
            _write(pipeline.fill(_whole(data), name, confidence=confidence))
            continue
        for doc in _documents(pipeline, data, name, input):
            if confidence:
                pipeline.add_confidences(doc)
            if least is None:
                _write(write(doc))
            else:
                least.look_at(doc)
    for sentence in least or ():
        _write(sentence)
    _write(write.end())


def _model_and_texts(files: list[str]) -> tuple[str, list[str]]:
    """Return the name of the pipeline and the names of the texts. Raises DataError if a text does not exist."""
    from sapwood.models.bundled import BUNDLED, is_model

    first = files[0] if files else "-"
    named = first in BUNDLED or first.endswith(".sap") or is_model(first)
    model, texts = (first, files[1:]) if named else ("en", list(files))
    for text in texts:
        if text != "-" and not Path(text).exists():
            models = f", and no model of this name comes with sapwood (there is {', '.join(BUNDLED)})"
            raise DataError(f"{text!r}: no such file{models if text == first else ''}")
    return model, texts


def _pipeline(model: str, parts: str | None, *, raw: bool) -> Pipeline:
    """Load a pipeline of these parts. Raises OptionError if it cannot read raw text and should."""
    from sapwood.models.load import load_as
    from sapwood.models.pipeline import Pipeline

    pipeline = load_as(Pipeline, model)
    if parts is not None:
        pipeline = pipeline.only(*filter(None, parts.split(",")))
    if raw and "segment" not in pipeline.parts:
        raise OptionError("raw text needs the part segment; without it, give --input tokens or --input conllu")
    return pipeline


def _documents(pipeline: Pipeline, chunks: Iterable[bytes], name: str, input: str) -> Iterator[_core.Doc]:
    if input == "text":
        yield from pipeline.annotate(chunks, name=name, prompt=name == "standard input")
    elif input == "tokens":
        yield pipeline.pipeline_.read_lines(_whole(chunks), name)
    else:
        from sapwood import _core

        yield pipeline.pipeline_.read_words(_core.Conllu.read(_whole(chunks), name))


def _whole(chunks: Iterable[bytes]) -> bytes:
    return b"".join(chunks)


def _replaced(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield chunks with U+FFFD in place of invalid UTF-8 and of NUL."""
    from codecs import getincrementaldecoder

    decoder = getincrementaldecoder("utf-8")("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).replace("\0", "\ufffd").encode()
    yield decoder.decode(b"", final=True).encode()


def _write(data: bytes) -> None:
    if data:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


class _LeastSure:
    """The sentences that the model is least sure of among those that it has looked at, the least sure one first."""

    def __init__(self, write: _Writer, most: int) -> None:
        self.write, self.most = write, most
        self._found: list[tuple[float, int, bytes]] = []  # a heap, the surest sentence first
        self._seen = 0

    def look_at(self, doc: _core.Doc) -> None:
        from heapq import heappop, heappush

        from sapwood.models.doc import Doc

        for sentence, written in zip(Doc(doc).sentences, self.write.sentences(doc), strict=True):
            self._seen += 1
            heappush(self._found, (-sentence.confidence, -self._seen, written))
            if len(self._found) > self.most:
                heappop(self._found)

    def __iter__(self) -> Iterator[bytes]:
        return (written for _, _, written in sorted(self._found, reverse=True))


class _Writer:
    """Writes documents one after another."""

    def begin(self) -> bytes:
        return b""

    def __call__(self, doc: _core.Doc) -> bytes:
        return b"".join(self.sentences(doc))

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        """Write each sentence of a document."""
        raise NotImplementedError

    def end(self) -> bytes:
        return b""


class _Conllu(_Writer):
    """CoNLL-U; sentences are numbered through all files."""

    def __init__(self) -> None:
        self.first = 1

    def __call__(self, doc: _core.Doc) -> bytes:
        first, self.first = self.first, self.first + doc.sentence_count
        return doc.to_conllu(first)

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        return [sentence + b"\n\n" for sentence in self(doc).split(b"\n\n")[:-1]]


class _Json(_Writer):
    """JSON lines; offsets count through all files."""

    def __init__(self) -> None:
        self.first = 0

    def __call__(self, doc: _core.Doc) -> bytes:
        first, self.first = self.first, self.first + doc.characters
        return doc.to_json_lines(first)

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        return self(doc).splitlines(keepends=True)


class _Text(_Writer):
    """What a person reads, made of the views of a document."""

    def __init__(self, shown: Callable[[Sentence], str]) -> None:
        self.shown = shown

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        from sapwood.models.doc import Doc

        return [self.shown(sentence).encode() for sentence in Doc(doc).sentences]


class _Html(_Text):
    """A page; each sentence is written as it comes."""

    def __init__(self) -> None:
        from sapwood.draw import html_page

        super().__init__(lambda sentence: sentence._repr_html_() + "\n")
        self.page = html_page(())

    def begin(self) -> bytes:
        return next(self.page).encode()

    def end(self) -> bytes:
        return next(self.page).encode()


def _table(sentence: Sentence) -> str:
    from sapwood.cli.terminal import paint
    from sapwood.draw import word_table

    columns = {name: [getattr(token, name) for token in sentence] for name in _COLUMNS}
    columns["confidence"] = [_percents(token.confidences) for token in sentence]
    shown = {
        name: ["" if v is None or (name == "entity" and v == "O") else str(v) for v in values]
        for name, values in columns.items()
    }
    heading, *rows = word_table(shown, _width())
    return "\n".join([paint(heading, "bold", sys.stdout), *rows]) + "\n\n"


def _percents(confidences: dict[str, float]) -> str:
    return " ".join(f"{decision} {int(100 * confidence)}" for decision, confidence in confidences.items())


def _tree(sentence: Sentence) -> str:
    return sentence.draw(_width()) + "\n\n"


def _width() -> int | None:
    """Return how wide the terminal is; None if the output is none."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _line(sentence: Sentence) -> str:
    return " ".join(_on_a_line(token.text) for token in sentence) + "\n"


def _on_a_line(text: str) -> str:
    return "\u00a0".join(text.split())  # a space within a token must not end it


_WRITERS: dict[str, Callable[[], _Writer]] = {
    "conllu": _Conllu,
    "json": _Json,
    "table": lambda: _Text(_table),
    "tree": lambda: _Text(_tree),
    "html": _Html,
    "text": lambda: _Text(_line),
}

VERBS = {"annotate": Verb(ANNOTATE, _options, _annotate)}
