"""Documents: read out of text that comes in chunks, as soon as they are certain; written in formats; CoNLL-U filled."""

from abc import ABC, abstractmethod
from codecs import getincrementaldecoder
from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import heappop, heappush
from itertools import islice, pairwise
from json import dumps
from typing import NamedTuple

import sapwood._core as _core
from sapwood.documents.doc import Doc, Sentence
from sapwood.documents.words import ABSTAINED
from sapwood.errors import Listener, OptionError
from sapwood.io.conllu import with_items, without_graph
from sapwood.io.entities import other_item
from sapwood.io.formats import warn_of_format
from sapwood.io.memory import COUNTED
from sapwood.io.source import check_not_utf16, encoded
from sapwood.model.confidence import doubt
from sapwood.parts import COLUMNS
from sapwood.tasks.pipeline.data import Given, are_words, doc_of_words, warn_of_tags


class Writer(ABC):
    """A format, as it writes documents one after another."""

    fills = False  # true if CoNLL-U that is read is completed, and no document written

    def begin(self) -> bytes:
        return b""

    def next_file(self, name: str) -> bytes:
        """Begin with the text of another file, one of several. Return the bytes before its sentences."""
        return b""

    def next_language(self, code: str) -> bytes:
        """Begin with text in another language, which was recognised. Return the bytes before its sentences."""
        return b""

    def __call__(self, doc: _core.Doc) -> bytes:
        return b"".join(self.sentences(doc))

    @abstractmethod
    def sentences(self, doc: _core.Doc) -> list[bytes]:
        """Write each sentence of a document."""

    def end(self) -> bytes:
        return b""


class Conllu(Writer):
    """CoNLL-U; sentences are numbered through all documents, and of several files each begins with its name."""

    first = 1  # number of the next sentence
    fills = True

    def next_file(self, name: str) -> bytes:
        return f"# newdoc id = {name}\n".encode()

    def next_language(self, code: str) -> bytes:
        return f"# language = {code}\n".encode()

    def __call__(self, doc: _core.Doc) -> bytes:
        first, self.first = self.first, self.first + doc.sentence_count
        return doc.to_conllu(first)

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        return [sentence + b"\n\n" for sentence in self(doc).split(b"\n\n")[:-1]]


class Json(Writer):
    """JSON lines; offsets count through all documents of a file, and of several files each line has the name.

    Where languages were recognised, each line has the language, too.
    """

    first = 0  # characters before the next document
    file = b""  # the beginning of each line, if there are several files
    language = b""

    def next_file(self, name: str) -> bytes:
        self.first = 0
        self.file = f'"file": {dumps(name)}, '.encode()
        return b""

    def next_language(self, code: str) -> bytes:
        self.language = f'"language": {dumps(code)}, '.encode()
        return b""

    def __call__(self, doc: _core.Doc) -> bytes:
        first, self.first = self.first, self.first + doc.characters
        lines: bytes = doc.to_json_lines(first)
        if not (begin := self.file + self.language):
            return lines
        return b"".join(b"{" + begin + line[1:] for line in lines.splitlines(keepends=True))

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        return self(doc).splitlines(keepends=True)


class Text(Writer):
    """Text for people, made of the views of a document."""

    def __init__(self, shown: Callable[[Sentence], str]) -> None:
        self.shown = shown

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        return [self.shown(sentence).encode() for sentence in Doc(doc).sentences]


class Html(Text):
    """A page; each sentence is written as it comes."""

    def __init__(self) -> None:
        from sapwood.base.drawing.html import html_page

        super().__init__(lambda sentence: sentence._repr_html_() + "\n")
        self.page = html_page(())

    def begin(self) -> bytes:
        return next(self.page).encode()

    def end(self) -> bytes:
        return next(self.page).encode()


class LeastSure(Writer):
    """The sentences that the model is least sure of, the least sure one first, written once all are known."""

    def __init__(self, write: Writer, most: int) -> None:
        self._write, self._most = write, most
        self._found: list[tuple[float, int, bytes, bytes]] = []  # a heap, the surest sentence first
        self._sentences, self._file, self._language = 0, b"", b""

    def begin(self) -> bytes:
        return self._write.begin()

    def next_file(self, name: str) -> bytes:
        self._file = self._write.next_file(name)
        return b""

    def next_language(self, code: str) -> bytes:
        self._language = self._write.next_language(code)
        return b""

    def __call__(self, doc: _core.Doc) -> bytes:
        for sentence, written in zip(Doc(doc).sentences, self._write.sentences(doc), strict=True):
            self._sentences += 1
            order = doubt(sentence.confidence, len(sentence)), -self._sentences
            heappush(self._found, (*order, self._file + self._language, written))
            if len(self._found) > self._most:
                heappop(self._found)
        return b""

    def sentences(self, doc: _core.Doc) -> list[bytes]:
        return self._write.sentences(doc)

    def end(self) -> bytes:
        found, before = [], b""
        for _, _, heading, written in sorted(self._found, reverse=True):
            found.append(written if heading == before else heading + written)
            before = heading
        return b"".join(found) + self._write.end()


def _line(sentence: Sentence) -> str:
    return " ".join("\u00a0".join(token.text.split()) for token in sentence) + "\n"  # a space must not end a token


class Format(NamedTuple):
    """A format that documents are written in."""

    writer: Callable[[], Writer]
    confidences: bool  # whether it has a place for them


FORMATS = {  # formats of files; a terminal shows two more, table and tree
    "conllu": Format(Conllu, True),
    "json": Format(Json, True),
    "html": Format(Html, False),
    "text": Format(lambda: Text(_line), False),
}


def check_confidences(name: str, formats: dict[str, Format]) -> None:
    """Raise OptionError if the format of this name has no place for confidences."""
    if not formats[name].confidences:
        *others, last = [other for other, each in formats.items() if each.confidences]
        raise OptionError(f"the format {name} has no place for confidences; {', '.join(others)} and {last} have")


def filled(treebank: _core.Conllu, doc: _core.Doc, columns: Collection[str]) -> _core.Conllu:
    """Return a treebank with what a document says in these columns about its words; all else stays.

    New trees take the place of the enhanced graph, too, which belongs to the old ones.
    """
    found: dict[str, list[str]] = {}
    items: list[dict[str, str | None]] = [{} for _ in range(doc.words)]  # items of MISC
    cells = [misc for sentence in treebank.column("misc") for misc in sentence]
    for column in COLUMNS:
        values = doc.column(column.name) if column.name in columns else None
        if values is None:
            continue
        if not column.item:
            found[column.name] = list(map(str, values))
            continue
        for item, value, cell in zip(items, values, cells, strict=True):
            if other := other_item(cell, column):
                item[other[2]] = None
            item[column.item] = None if value in ("_", column.nothing) else value
    for item, value in zip(items, doc.column(ABSTAINED) or [], strict=False):
        item[ABSTAINED.capitalize()] = None if value == "O" else value
    for decision, confidences in doc.confidences.items():
        for item, confidence in zip(items, confidences, strict=True):
            item[f"{decision.capitalize()}Confidence"] = None if confidence != confidence else f"{confidence:.4f}"
    found["misc"] = [with_items(cell, dict(reversed(new.items()))) for cell, new in zip(cells, items, strict=True)]
    spans = list(pairwise(word for _, word, _ in doc.sentences))
    treebank = without_graph(treebank) if "head" in found else treebank
    return treebank.with_columns({field: [values[a:b] for a, b in spans] for field, values in found.items()})


PIECE = 1 << 14  # bytes of a text that is analysed piece by piece
_LONG = 1 << 17  # bytes of a line that are kept for its end to come


def documents_of(
    pipeline: _core.Pipeline,
    chunks: Iterable[bytes],
    name: str,
    prompt: bool,
    threads: int,
    lines: bool = False,
    first: int = 0,
) -> Iterator[_core.Doc]:
    """Yield the documents of a text that comes in chunks of bytes; `Pipeline.annotate` says more.

    lines : each line is a sentence; first : number of bytes of the input that stand before the text
    """
    text, continues = b"", False

    def read(goes_on: bool) -> Iterator[_core.Doc]:
        nonlocal text, first, continues
        part = text[: _whole_characters(text)] if goes_on else text
        docs = pipeline.read(part, name, first, goes_on, continues, prompt, threads, lines)
        if docs:
            continues = docs[-1].within_paragraph
            done = sum(doc.size for doc in docs)
            text, first = text[done:], first + done
        yield from docs

    for chunk in chunks:
        text += chunk
        if b"\n" in chunk or b"\r" in chunk or len(text) > _LONG:
            yield from read(True)
    if text:
        yield from read(True)
    if text:
        yield from read(False)


def docs_of_each(
    pipeline: _core.Pipeline, texts: Iterable[Given], threads: int, on_warning: Listener
) -> Iterator[_core.Doc]:
    """Yield the document of each text or list of words, as many at a time as keep the threads busy.

    Warn of texts in a format that is no running text, and of words with tags. Raises DataError.
    """
    rest = enumerate(texts, 1)
    while batch := list(islice(rest, 32 * threads if threads > 1 else 1)):
        given = {k: doc_of_words(text) for k, (_, text) in enumerate(batch) if are_words(text)}
        for k in given:
            warn_of_tags(batch[k][1], on_warning)
        raw = [
            encoded(text, f"text {number} {COUNTED}")  # type: ignore[arg-type]
            for k, (number, text) in enumerate(batch)
            if k not in given
        ]
        for text in raw:
            warn_of_format(text, "text", "text", on_warning)
        read = iter(pipeline.read_each(raw, threads))
        for k in range(len(batch)):
            yield pipeline.complete(given[k]) if k in given else next(read)


def pieces(data: bytes, size: int = PIECE) -> Iterator[bytes]:
    """Yield a text in pieces, each of which is read before the next."""
    for begin in range(0, len(data), size):
        yield data[begin : begin + size]


def replaced(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield chunks with U+FFFD in place of invalid UTF-8 and of NUL. Raises DataError for UTF-16."""
    decoder = getincrementaldecoder("utf-8")("replace")
    start = b""
    for chunk in chunks:
        if len(start) < 1000:
            start += chunk[:1000]
            check_not_utf16(start, name)
        yield decoder.decode(chunk).replace("\0", "\ufffd").encode()
    yield decoder.decode(b"", final=True).encode()


def _whole_characters(text: bytes) -> int:
    """Return the size of a text without a character, or a CR before LF, at the end that may be cut."""
    size = len(text) - text.endswith(b"\r")
    for at in range(size - 1, max(size - 4, -1), -1):
        if text[at] >= 0xC0:
            return at
        if text[at] < 0x80:
            return size
    return size
