"""The records of a pipeline: sentences with the answers of its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sapwood import _core
from sapwood.model.records import INPUT, Origins, Records
from sapwood.parts import PARTS
from sapwood.tasks.pipeline.output import FORMATS, PIECE, pieces
from sapwood.tasks.segmenting.records import places_in


class PipelineRecords(Records):
    """Answers of a pipeline about a text, or about words."""

    shows_given = False
    chunks = "entity"

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        self.inputs = ("text", "conllu", "tokens") if "segmenter" in model.models_ else ("conllu", "tokens")
        self.tags = "upos" if "parser" in model.models_ else None
        there = [part for part in PARTS if part.name in model.models_]
        self.decided = {column.name: part.name for part in there for column in part.columns}

    def labels(self, part: str) -> Sequence[str]:
        """Return the labels of a part."""
        return self._model.models_[part].labels_ if part else ()

    def _written(self, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
        model = self._model
        if kind != "text" or len(data) > PIECE:
            return model.writer.written(  # type: ignore[no-any-return]
                pieces(data), name=INPUT, format=format, input=kind, confidence=confidence
            )
        docs = model.familiarity_.monitor(iter(model.pipeline_.read(data, INPUT)), INPUT)  # in one go
        return map(FORMATS[format].writer(), model.writer.with_confidences(docs, confidence))

    def reasons(self, data: bytes, kind: str, asked: _core.Question, part: str) -> Iterator[bytes]:
        """Yield explanations of the decisions of a part, or of all, as lines of JSON."""
        return self._model.reasons.of_bytes(data, INPUT, asked, input=kind, part=part)  # type: ignore[no-any-return]

    def origins(self, data: bytes, kind: str) -> Origins | None:
        """Return the decisions that made the words of a text."""
        return places_in(self._model.models_["segmenter"], data, "segmenter") if kind == "text" else None
