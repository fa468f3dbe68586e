"""The forms of a pipeline's answers: records, and the findings in texts without gold answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sapwood._core as _core
from sapwood.io.conllu import is_conllu, read_conllu
from sapwood.io.records import json_records
from sapwood.io.source import read_bytes, shown
from sapwood.model.familiarity import Familiarity
from sapwood.model.parts import Observed
from sapwood.model.records import INPUT, Origins, Records
from sapwood.parts import COLUMNS, PART_OF, PARTS
from sapwood.tasks.pipeline.data import Given, reads_and_fills
from sapwood.tasks.pipeline.output import FORMATS, PIECE, docs_of_each, pieces
from sapwood.tasks.segmenting.answers import places_in

if TYPE_CHECKING:
    from sapwood.tasks.pipeline.writer import DocumentWriter

_FIRST = [column.name for column in sorted(COLUMNS, key=lambda column: not column.is_tagset)]  # tags, if there are any


class PipelineRecords(Records):
    """Answers of a pipeline about a text, or about words."""

    shows_given = False
    chunks = "entity"

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        self.inputs = ("text", "conllu", "tokens") if "segmenter" in model.models_ else ("conllu", "tokens")
        self.tags = "upos" if "parser" in model.models_ else None
        there = [part for part in PARTS if part.name in model.models_]
        filled = ((part.name, reads_and_fills(part, model.models_[part.name])[1]) for part in there)
        self.decided = {column: name for name, columns in filled for column in columns}

    def labels(self, part: str) -> Sequence[str]:
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
        return self._model.reasons.of_bytes(data, INPUT, asked, input=kind, part=part)  # type: ignore[no-any-return]

    def origins(self, data: bytes, kind: str) -> Origins | None:
        return places_in(self._model.models_["segmenter"], data, "segmenter") if kind == "text" else None


def documents_in(
    core: _core.Pipeline, writer: DocumentWriter, source: Path | Iterable[Given], threads: int
) -> Iterator[_core.Doc]:
    """Yield the documents of a file or of texts in memory. Raises DataError."""
    from sapwood.io.example_files import format_by_name

    if not isinstance(source, Path):
        yield from docs_of_each(core, source, threads, lambda message: None)
    elif format_by_name(source) == "jsonl":
        texts = [record.text("text") for record in json_records(read_bytes(source), shown(source))]
        yield from docs_of_each(core, texts, threads, lambda message: None)
    elif is_conllu(data := read_bytes(source)):
        yield core.read_words(read_conllu(data, shown(source)))
    else:
        yield from writer.documents([data], name=shown(source))


def observed_tags(docs: Iterable[_core.Doc], familiarity: Familiarity) -> Observed:
    """Return the tags of each sentence, or what else the pipeline gives, the confidences in them, and known words."""
    words: list[list[str]] = []
    found = Observed([], [], lambda k, place: words[k][place], [])
    for doc in docs:
        if familiarity.core is not None:
            found.counts.extend(familiarity.core.count(doc, 1))  # a window for each sentence
        treebank = _core.Conllu.of_docs([doc], "")
        name = next((name for name in _FIRST if doc.column(name) is not None), "")
        rows = treebank.column(name) if name else [[] for _ in range(treebank.sentences)]
        found.labels.extend(rows)
        words.extend(treebank.column("form"))
        if sure := doc.confidences.get(PART_OF[name].decision if name else ""):
            each = iter(sure)
            found.confidences.extend([p for p in islice(each, len(row)) if p == p] for row in rows)
    return found
