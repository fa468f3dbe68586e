"""The writer of a pipeline: files of text, tokens or CoNLL-U to documents in one of the formats."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

import sapwood._core as _core
from sapwood.errors import Listener, OptionError
from sapwood.io.conllu import read_conllu
from sapwood.io.formats import check_format
from sapwood.io.source import STANDARD_INPUT, bytes_of, lines_of, whole_blocks, with_lines
from sapwood.model.familiarity import Familiarity, Monitor
from sapwood.tasks.pipeline.confidence import PipelineConfidence
from sapwood.tasks.pipeline.output import FORMATS, Writer, check_confidences, documents_of, replaced

_MOSES = re.compile(r"&(?:apos|quot|amp|lt|gt|#124|#91|#93);")
_RAW = re.compile(r"[&'\"<>|\[\]]")  # characters that Moses leaves nowhere
_MARKUP = re.compile(r"(?i)\b(?:x?html|xml|sgml|markup|entit(?:y|ies)|escap(?:es?|ed|ing)|ampersands?)\b")
_PIECES = re.compile(r"\S(?:@@(?= )|</w>(?!\S))|(?<= )##[^\W_]|(?:(?<!\S)\u2581|\uffed)(?=\S)")
_PENN = ("-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-")
INPUTS = ("text", "lines", "tokens", "conllu")
_UNCUT = ("text", "lines")  # inputs in which the tokens are to be found


def warn_of_escapes(data: bytes, name: str, tag: Callable[[str], object], on_warning: Listener) -> None:
    """Warn if tokens between spaces are escaped or cut, unless the text is about escapes, or the model knows them.

    tag : the model's UPOS of a token, if it has any
    """
    text = data.decode(errors="ignore")
    escaped, pieces = _MOSES.findall(text), _PIECES.findall(text)
    raw = len(_RAW.findall(_MOSES.sub("", text))) if escaped else 0
    if escaped and 10 * raw <= len(escaped) and ("&apos;" in escaped or not _MARKUP.search(text)):
        said = f"Moses's escapes ({', '.join(sorted(set(escaped))[:3])}); write the characters that they stand for"
    elif len(pieces) > 1:
        said = f"pieces of words ({', '.join(sorted(set(pieces))[:3])}); join them to words"
    elif unknown := [token for token in _PENN if token in text and tag(token) not in (None, ["PUNCT"])]:
        said = f"Penn's brackets ({', '.join(unknown)}), which the model does not know; write the brackets themselves"
    else:
        return
    on_warning(f"{name}: among its tokens are {said}")


class DocumentWriter:
    """A writer of the documents of files, as soon as they are certain.

    parts : of the analysis
    fill : completes a treebank by the document of its words
    """

    reads_tables = False  # Parquet is no text

    def __init__(
        self,
        core: _core.Pipeline,
        parts: Sequence[str],
        confidence: PipelineConfidence,
        familiarity: Familiarity,
        threads: int,
        fill: Callable[[_core.Conllu, _core.Doc], _core.Conllu],
    ) -> None:
        self._core, self._parts, self._threads, self._fill = core, parts, threads, fill
        self._confidence, self._familiarity = confidence, familiarity

    def written(
        self,
        chunks: Iterable[bytes],
        *,
        name: str = "input",
        format: str = "conllu",
        input: str = "text",
        errors: str = "strict",
        confidence: bool = False,
    ) -> Iterator[bytes]:
        """Yield the analysis of a text as bytes, as `sapwood annotate` writes it. Raises OptionError and DataError.

        format : one of FORMATS; input : one of INPUTS; errors : of UTF-8, "strict" or "replace"
        """
        for option, value, known in (
            ("format", format, tuple(FORMATS)),
            ("input", input, INPUTS),
            ("errors", errors, ("strict", "replace")),
        ):
            if value not in known:
                raise OptionError(f"{option} is one of {', '.join(known)}; got {value!a}")
        self.check_input(input)
        if confidence:
            check_confidences(format, FORMATS)
            self.check_confidence()
        write = FORMATS[format].writer()
        return self.of_files([(name, chunks)], write, input=input, errors=errors, confidence=confidence)

    def output_format(self, **options: Any) -> str:
        return str(options.get("format", "conllu"))

    def check_input(self, input: str) -> None:
        """Raise OptionError if the pipeline cannot read raw text and should."""
        if input in _UNCUT and "segment" not in self._parts:
            raise OptionError("raw text needs the part segment; without it, give --input tokens or --input conllu")

    def check_confidence(self) -> None:
        """Raise ModelError if the pipeline is not calibrated."""
        self._confidence.check()

    def of_files(
        self,
        files: Iterable[tuple[str, Iterable[bytes]]],
        write: Writer,
        *,
        input: str = "text",
        errors: str = "strict",
        confidence: bool = False,
        several: bool = False,
    ) -> Iterator[bytes]:
        """Yield the analysis of files as bytes; each has a name and chunks, and of `several` the name is written."""
        yield write.begin()
        for name, chunks in files:
            heading = write.next_file(name) if several else b""
            chunks = chunks if errors == "strict" else replaced(chunks, name)
            yield from self.of_text(chunks, write, heading, name=name, input=input, confidence=confidence)
        yield write.end()

    def of_text(
        self,
        chunks: Iterable[bytes],
        write: Writer,
        heading: bytes,
        *,
        name: str,
        input: str,
        confidence: bool,
        first: int = 0,
    ) -> Iterator[bytes]:
        """Yield the analysis of a text as bytes, behind its heading if it has any document.

        first : number of bytes of the file that stand before the text
        """
        if input == "conllu" and write.fills:  # its comments, and whatever else it has, stay
            for treebank, doc in self._treebanks(chunks, name, Monitor(self._familiarity, name)):
                yield self._fill(treebank, *self.with_confidences([doc], confidence)).to_bytes()
            return
        docs = self.documents(chunks, name=name, input=input, prompt=name == STANDARD_INPUT, first=first)
        for doc in self.with_confidences(docs, confidence):
            if written := write(doc):
                yield heading + written
                heading = b""

    def documents(
        self, chunks: Iterable[bytes], *, name: str = "input", input: str = "text", prompt: bool = False, first: int = 0
    ) -> Iterator[_core.Doc]:
        """Yield the documents of an input: of raw text as `Pipeline.annotate` does, of tokens or CoNLL-U one.

        Of tokens and CoNLL-U in standard input there is one for the lines or sentences that have come.
        """
        monitor, chunks = Monitor(self._familiarity, name), bytes_of(chunks)
        if not first:
            chunks = check_format(chunks, name, "text" if input in _UNCUT else input, monitor.warn)
        if input in _UNCUT:
            docs = documents_of(self._core, chunks, name, prompt, self._threads, lines=input == "lines", first=first)
            return monitor.parts(docs)
        if input != "tokens":
            return (doc for _, doc in self._treebanks(chunks, name, monitor))
        return monitor.parts(self._of_tokens(chunks, name, monitor))

    def _of_tokens(self, chunks: Iterable[bytes], name: str, monitor: Monitor) -> Iterator[_core.Doc]:
        read, begin = self._core.read_lines, 0
        for block in _blocks(chunks, name, "line"):
            if not monitor.warned:
                warn_of_escapes(block, name, lambda token: read(token.encode(), name).column("upos"), monitor.warn)
            yield read(block, name, begin)
            begin += len(block)

    def _treebanks(
        self, chunks: Iterable[bytes], name: str, monitor: Monitor
    ) -> Iterator[tuple[_core.Conllu, _core.Doc]]:
        def read() -> Iterator[tuple[_core.Conllu, _core.Doc]]:
            before = None
            for block, line in with_lines(_blocks(lines_of(chunks), name, "sentence")):
                before = read_conllu(block, name, line, before)
                yield before, self._core.read_words(before)

        return monitor.parts(read(), words_of=itemgetter(1))

    def with_confidences(self, docs: Iterable[_core.Doc], confidence: bool) -> Iterator[_core.Doc]:
        """Yield documents without names that are not sure enough, with confidences if they are wanted."""
        return self._confidence.add_to(docs, self._threads, confidence=confidence)


def _blocks(chunks: Iterable[bytes], name: str, ends: str) -> Iterator[bytes]:
    """Yield standard input in blocks that end with a line or sentence, as they come, and a file as a whole."""
    return whole_blocks(chunks, ends if name == STANDARD_INPUT else "file", name)
