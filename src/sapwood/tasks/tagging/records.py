"""The records of a tagger: rows of columns with a label each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sapwood import _core
from sapwood.model.records import Record, Records, sentence_record


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

    def _records(self, rows: _core.Columns, confidence: bool) -> Iterator[Record]:
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
