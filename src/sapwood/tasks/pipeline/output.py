"""What a pipeline writes about texts: documents of whatever goes in, and the formats that come out."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from json import dumps
from typing import TYPE_CHECKING, Any, Protocol

from sapwood import _core
from sapwood.errors import OptionError
from sapwood.model.doc import Doc
from sapwood.tasks.pipeline.confidence import calibrated_parts
from sapwood.tasks.pipeline.options import PipelineOptions

if TYPE_CHECKING:
    from sapwood.model.doc import Sentence


class Pipeline(Protocol):
    """What is needed of a pipeline, sapwood.tasks.pipeline.model."""

    params: PipelineOptions
    models_: dict[str, Any]
    pipeline_: _core.Pipeline

    def annotate(self, chunks: Iterable[bytes], *, name: str = ..., prompt: bool = ...) -> Iterator[_core.Doc]:
        """Yield the documents of raw text."""

    def fill(self, data: bytes, name: str = ..., *, confidence: bool = ...) -> bytes:
        """Return CoNLL-U with answers in it."""

    def add_confidences(self, doc: _core.Doc) -> None:
        """Keep with a document how sure the pipeline is."""


INPUTS = ("text", "tokens", "conllu")
_WITHOUT_CONFIDENCES = ("html", "text", "tree")  # formats


def written(
    pipeline: Pipeline,
    chunks: Iterable[bytes],
    name: str,
    *,
    format: str = "conllu",
    input: str = "text",
    errors: str = "strict",
    confidence: bool = False,
) -> Iterator[bytes]:
    """Yield what the pipeline writes about one text, as `sapwood annotate` does. Raises OptionError and DataError.

    format : one of WRITERS; input : one of INPUTS; errors : of UTF-8, "strict" or "replace"
    """
    for option, value, known in (
        ("format", format, tuple(WRITERS)),
        ("input", input, INPUTS),
        ("errors", errors, ("strict", "replace")),
    ):
        if value not in known:
            raise OptionError(f"{option} is one of {', '.join(known)}; got {value!a}")
    check_input(pipeline, input)
    if confidence:
        check_shown(format)
        calibrated_parts(pipeline.models_)
    return _written(pipeline, chunks if errors == "strict" else replaced(chunks), name, format, input, confidence)


def _written(
    pipeline: Pipeline, chunks: Iterable[bytes], name: str, format: str, input: str, confidence: bool
) -> Iterator[bytes]:
    write = WRITERS[format]()
    yield write.begin()
    if fills(input, format):
        yield pipeline.fill(b"".join(chunks), name, confidence=confidence)
    else:
        yield from map(write, documents(pipeline, chunks, name, input, confidence=confidence))
    yield write.end()


def fills(input: str, format: str) -> bool:
    """Whether CoNLL-U goes in and comes out, so that its comments and whatever else it has stay."""
    return input == format == "conllu"


def check_input(pipeline: Pipeline, input: str) -> None:
    """Raise OptionError if the pipeline cannot read raw text and should."""
    if input == "text" and "segment" not in pipeline.params.parts:
        raise OptionError("raw text needs the part segment; without it, give --input tokens or --input conllu")


def check_shown(format: str) -> None:
    """Raise OptionError if a format has no place for confidences."""
    if format in _WITHOUT_CONFIDENCES:
        raise OptionError(f"the format {format} has no place for confidences; conllu, json and table have")


def documents(
    pipeline: Pipeline,
    chunks: Iterable[bytes],
    name: str,
    input: str,
    *,
    confidence: bool = False,
    prompt: bool = False,
) -> Iterator[_core.Doc]:
    """Yield the documents of an input: of raw text as soon as they are certain, of other inputs a single one.

    confidence : with confidences. Raises DataError, and ModelError for confidences of a pipeline that has none.
    """
    for doc in _documents(pipeline, chunks, name, input, prompt):
        if confidence:
            pipeline.add_confidences(doc)
        yield doc


def _documents(pipeline: Pipeline, chunks: Iterable[bytes], name: str, input: str, prompt: bool) -> Iterator[_core.Doc]:
    if input == "text":
        yield from pipeline.annotate(chunks, name=name, prompt=prompt)
    elif input == "tokens":
        yield pipeline.pipeline_.read_lines(b"".join(chunks), name)
    else:
        yield pipeline.pipeline_.read_words(_core.Conllu.read(b"".join(chunks), name))


def replaced(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield chunks with U+FFFD in place of invalid UTF-8 and of NUL."""
    decoder = getincrementaldecoder("utf-8")("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).replace("\0", "\ufffd").encode()
    yield decoder.decode(b"", final=True).encode()


class Writer:
    """Writes documents one after another."""

    def begin(self) -> bytes:
        """Return what stands before all documents."""
        return b""

    def next_file(self, name: str) -> None:
        """Begin with the text of another file, one of several."""

    def __call__(self, doc: _core.Doc) -> bytes:
        """Write a document."""
        return b"".join(self.sentences(doc))

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        """Write each sentence of a document."""
        raise NotImplementedError

    def end(self) -> bytes:
        """Return what stands behind all documents."""
        return b""


class Conllu(Writer):
    """CoNLL-U; sentences are numbered through all documents, and of several files each begins with its name."""

    def __init__(self) -> None:
        self.first = 1
        self.heading = b""

    def next_file(self, name: str) -> None:
        """Begin with the text of another file, one of several."""
        self.heading = f"# newdoc id = {' '.join(name.split())}\n".encode(errors="replace")

    def __call__(self, doc: _core.Doc) -> bytes:
        """Write a document."""
        if doc.sentence_count == 0:
            return b""
        first, self.first = self.first, self.first + doc.sentence_count
        heading, self.heading = self.heading, b""
        return heading + doc.to_conllu(first)

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        """Write each sentence of a document."""
        return [sentence + b"\n\n" for sentence in self(doc).split(b"\n\n")[:-1]]


class Json(Writer):
    """JSON lines; offsets count through all documents of a file, and of several files each line has the name."""

    def __init__(self) -> None:
        self.first = 0
        self.file = b""

    def next_file(self, name: str) -> None:
        """Begin with the text of another file, one of several."""
        self.first = 0
        self.file = f'{{"file": {dumps(name)}, '.encode()

    def __call__(self, doc: _core.Doc) -> bytes:
        """Write a document."""
        first, self.first = self.first, self.first + doc.characters
        lines: bytes = doc.to_json_lines(first)
        return b"".join(self.file + line[1:] for line in lines.splitlines(keepends=True)) if self.file else lines

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        """Write each sentence of a document."""
        return self(doc).splitlines(keepends=True)


class Text(Writer):
    """What a person reads, made of the views of a document."""

    def __init__(self, shown: Callable[[Sentence], str]) -> None:
        self.shown = shown

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        """Write each sentence of a document."""
        return [self.shown(sentence).encode() for sentence in Doc(doc).sentences]


class Html(Text):
    """A page; each sentence is written as it comes."""

    def __init__(self) -> None:
        from sapwood.draw import html_page

        super().__init__(lambda sentence: sentence._repr_html_() + "\n")
        self.page = html_page(())

    def begin(self) -> bytes:
        """Return the head of the page."""
        return next(self.page).encode()

    def end(self) -> bytes:
        """Return the foot of the page."""
        return next(self.page).encode()


def _line(sentence: Sentence) -> str:
    return " ".join(_on_a_line(token.text) for token in sentence) + "\n"


def _on_a_line(text: str) -> str:
    return "\u00a0".join(text.split())  # a space within a token must not end it


# Formats that are the same wherever they are written.
WRITERS: dict[str, Callable[[], Writer]] = {"conllu": Conllu, "json": Json, "html": Html, "text": lambda: Text(_line)}
