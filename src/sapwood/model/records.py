"""Records: what a model answers about a text, as JSON, with what a page has to know of its answers.

Each task that has something to show has a class of its own here; the page and the API ask no model for its task.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import sapwood._core as _core
from sapwood.errors import OptionError
from sapwood.io.columns import given_tokens
from sapwood.model.parts import require_capability

AnswerRecord = dict[str, Any]  # a sentence or an example, as JSON has it

INPUT = "input"  # the name under which a model is given a text, and by which it begins its messages
_BLOCK = 1 << 15  # bytes of a column file or of CoNLL-U that are annotated together


class Origin(NamedTuple):
    """The decision that made a word: the part of a pipeline, and the numbers that explanations have for it."""

    part: str
    sentence: int
    token: int


Origins = Callable[[int, Sequence[AnswerRecord]], list[Origin | None]]  # takes a sentence's number and words


class Records:
    """The answers of a fitted model, by kinds of input: text, tokens, conllu, columns, examples."""

    inputs: tuple[str, ...]  # the kinds that it reads, the usual one first
    format = "conllu"  # its own format, beside JSON
    decided: Mapping[str, str] = {}  # column that it decides -> the part of a pipeline
    shows_given = True  # whether a page shows columns that it does not decide
    tags: str | None = None  # the column of tags that trees have; None without trees
    chunks: str | None = None  # the column of names or chunks
    lists_labels = True  # whether `labels` has the answers of the model
    decider = "model"  # its name where it has decided, if no part has

    def __init__(self, model: Any) -> None:
        self._model = model

    def labels(self, part: str) -> Sequence[str]:
        """Return the answers that `against` may name, of the model or a part of it; none if there is no list."""
        return self._model.labels_ if self.lists_labels else ()

    def written(self, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
        """Yield the analysis of an input of this kind, piece by piece; JSON has a line for each sentence or example.

        Raises ModelError if there are no confidences and should be, and DataError with the place.
        """
        if confidence:
            require_capability(self._model, "confidence").check()
        return self._written(data, kind, format, confidence)

    def _written(self, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
        """Yield the analysis; whether there are confidences is checked. This one is of a model that reads blocks."""
        read = list(self._model._read_blocks(blocks_of(self._file(data, kind)), INPUT))  # errors come before answers
        if format == "json":
            return (as_lines(self._records(block, confidence)) for block in read)
        return self._model._written(read, confidence)  # type: ignore[no-any-return]

    def _records(self, block: Any, confidence: bool) -> Iterator[AnswerRecord]:
        """Yield the records of a block that the model has read."""
        raise NotImplementedError

    def reasons(self, data: bytes, kind: str, asked: _core.Question, part: str) -> Iterator[bytes]:
        """Yield explanations of the model's decisions, or of those of a part of it, as lines of JSON."""
        if part:
            raise OptionError(f"the model has no parts, so none that is called '{part}'")
        return self._reasons(data, kind, asked)

    def _reasons(self, data: bytes, kind: str, asked: _core.Question) -> Iterator[bytes]:
        return self._model.reasons.of_bytes(self._file(data, kind), INPUT, asked)  # type: ignore[no-any-return]

    def _file(self, data: bytes, kind: str) -> bytes:
        """Return sentences, one a line with tokens between spaces, as a file of columns."""
        if kind != "tokens":
            return data
        return "".join("".join(f"{token}\n" for token in line) + "\n" for line in given_tokens(data, INPUT)).encode()

    def origins(self, data: bytes, kind: str) -> Origins | None:
        """Return the decisions that made the words of a text, None where the words are given."""
        return None


def blocks_of(data: bytes) -> Iterator[bytes]:
    """Yield blocks of a file, each of which ends with a sentence."""
    begin = 0
    while begin < len(data):
        end = data.find(b"\n\n", begin + _BLOCK)
        end = len(data) if end < 0 else end + 2
        yield data[begin:end]
        begin = end


def texts_of_sentences(treebank: _core.Conllu) -> Iterator[str]:
    """Yield the text of each sentence of a treebank."""
    written = treebank.text()
    for first, last in pairwise(written.sentences):
        yield written.text[written.tokens[first][0] : written.tokens[last - 1][1]].decode()


def sentence_record(
    text: str,
    words: Sequence[str],
    columns: Mapping[str, Sequence[Any]],
    decision: str = "",
    confidences: Sequence[float] = (),
) -> AnswerRecord:
    """Return a sentence: its words with their columns, and perhaps the confidence in a decision about each."""
    tokens: list[AnswerRecord] = [{"id": k, "text": word} for k, word in enumerate(words, start=1)]
    for name, values in columns.items():
        for token, value in zip(tokens, values, strict=True):
            token[name] = value
    for token, confidence in zip(tokens, confidences, strict=False):
        token["confidence"] = {decision: round(confidence, 4)}
    return {"text": text, "tokens": tokens}


def as_lines(records: Iterable[AnswerRecord]) -> bytes:
    """Return records as lines of JSON."""
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)
