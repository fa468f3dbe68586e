"""The forms of a tagger's answers: the material of a report, records, and lists for a reranker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sapwood._core as _core
from sapwood.errors import DataError
from sapwood.model.answers import Answers, Explain, row_reasons
from sapwood.model.file.schema import ModelFile
from sapwood.model.records import AnswerRecord, Records, sentence_record
from sapwood.tasks.tagging.data import parse_columns
from sapwood.training.nbest import proposed_lists

if TYPE_CHECKING:
    from sapwood.base.candidates import CandidateList


def label_answers(
    explain: Explain, rows: _core.Columns, gold: list[list[str]], guess: list[list[str]], label: int, encoding: str
) -> Answers:
    """Return the answers of a tagger whose rows have their word first, and the label in the column of this number."""
    from sapwood.metrics.chunks import bio_to_iobes

    known = [bio_to_iobes(labels) for labels in gold] if encoding == "iobes" else gold
    tag = next((c for c in range(1, rows.width) if c != label), None)
    tags = None if tag is None else rows.column(tag)
    words = rows.column(0 if label != 0 else 1)
    return Answers("labels", "sentence", words, gold, guess, row_reasons(explain, known), tags)


class TaggerRecords(Records):
    """Answers of a tagger about rows, or about words alone where it was trained on nothing else."""

    format = "columns"
    decided: Mapping[str, str] = {"label": ""}

    def __init__(self, model: Any) -> None:
        from sapwood.metrics import looks_like_chunks  # late, as whoever tags a file imports this one

        super().__init__(model)
        file = model.model_
        self.inputs = ("tokens", "columns") if len(file.columns) == 2 and file.label == 1 else ("columns",)
        self.chunks = "label" if looks_like_chunks(model.labels_) else None

    def _records(self, rows: _core.Columns, confidence: bool) -> Iterator[AnswerRecord]:
        if not rows.width:  # no text has no column
            return
        model, names = self._model, self._model.model_.columns
        gold = model.model_.label if rows.width == len(names) else None
        first, *others = (c for c in range(rows.width) if c != gold)
        columns = {_column_name(names, c): rows.column(c) for c in others}
        columns["label"] = model.tagger_.predict(rows, model.threads)
        sure = model.confidence.of(rows, model.threads) if confidence else None
        for s, words in enumerate(rows.column(first)):
            values = {name: column[s] for name, column in columns.items()}
            yield sentence_record(" ".join(words), words, values, "label", sure[s] if sure else ())


def _column_name(names: Sequence[str], column: int) -> str:
    name = names[column] if column < len(names) else str(column)
    return f"column {column + 1}" if name.isdigit() or name in ("_", "id", "text", "label", "confidence") else name


def read_label_rows(
    model: ModelFile, data: bytes, name: str, train: bool, line: int, before: _core.Columns | None
) -> _core.Columns:
    """Return the sentences of a column file, with gold labels if they are to train on. Raises DataError."""
    columns = parse_columns(data, name, line, before, names=model.columns)
    if train and columns.width != len(model.columns):
        raise DataError(f"{name}: {columns.width} columns, but the model was trained on {len(model.columns)}")
    return columns


def label_lists(tagger: _core.Tagger, model: ModelFile, data: _core.Columns, n: int) -> list[CandidateList]:
    """Return the list of each sentence. Raises OptionError if the search is not Viterbi."""
    has_gold = data.width == len(model.columns)
    columns = [data.column(c) for c in range(data.width) if not (has_gold and c == model.label)]
    gold = data.column(model.label) if has_gold else [None] * data.sentences
    return proposed_lists("labels", tagger.n_best(data, n), columns, gold, data.name)
