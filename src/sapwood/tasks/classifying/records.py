"""The records of a classifier: examples with their best labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sapwood import _core
from sapwood.io.examples import Examples, texts_as_examples
from sapwood.io.source import plain_text
from sapwood.model.records import INPUT, Record, Records, as_lines
from sapwood.tasks.classifying.data import layout_of

_BEST = 5  # labels of an example that are written with their scores


class LabelRecords(Records):
    """Answers of a classifier about a text, or about the examples of a file."""

    format = "labels"

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        file = model.model_
        self.inputs = (*["text"][: file.columns[: file.label] == ["word"]], "examples", "records")

    def _written(self, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
        examples = self._examples(data, kind)
        lines, best = self._model.writer.of_examples(examples, INPUT, 0, _BEST)
        texts = [plain_text(data, INPUT)] if kind == "text" else []
        abstains = self._model._scorer.least is not None
        yield lines if format != "json" else as_lines(_records(examples, best, lines, texts, abstains=abstains))

    def _reasons(self, data: bytes, kind: str, asked: _core.Question) -> Iterator[bytes]:
        return self._model.reasons.of_encoded(self._examples(data, kind), asked)  # type: ignore[no-any-return]

    def _examples(self, data: bytes, kind: str) -> Examples:
        if kind == "text":
            return texts_as_examples([plain_text(data, INPUT)], INPUT, layout_of(self._model.model_))
        return self._model.writer.parsed(data, INPUT, "jsonl" if kind == "records" else None)  # type: ignore[no-any-return]


def _records(
    examples: Examples, best: bytes, lines: bytes, texts: Sequence[str], *, abstains: bool
) -> Iterator[Record]:
    """Yield examples with their labels.

    best : a line for each: its best labels, each with a score, with tabs between
    lines : a line for each that begins with its label, or with several
    texts : of the examples; without, they are made of their words or numbers
    abstains : say whether the model abstained
    """
    for k, (scored, line) in enumerate(zip(best.decode().split("\n"), lines.decode().split("\n"), strict=True)):
        if not scored:
            continue
        cells = scored.split("\t")
        scores = [{"label": y, "score": float(score)} for y, score in zip(cells[::2], cells[1::2], strict=True)]
        if texts:
            text = texts[k]
        else:
            text = f"example {k + 1}" if examples.documents is None else " ".join(examples.documents.words(k))
        label = line.partition("\t")[0]
        said = {"abstained": label == "_"} if abstains else {}
        yield {"text": text, "label": label or "no label", **said, "best": scores}
