"""Lists of the best label sequences of sentences, for a reranker."""

from __future__ import annotations

from sapwood import _core
from sapwood.base.candidates import Candidate, CandidateList
from sapwood.errors import DataError
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.tagging.data import parse_columns


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
    label = model.label
    has_gold = data.width == len(model.columns)
    cells = [data.column(c) for c in range(data.width) if not (has_gold and c == label)]
    gold = data.column(label) if has_gold else [None] * data.sentences
    tokens = [[list(row) for row in zip(*sentence, strict=True)] for sentence in zip(*cells, strict=True)]
    return [
        CandidateList("labels", [Candidate(labels, score) for labels, score in found], rows, answer, data.name)
        for found, rows, answer in zip(tagger.n_best(data, n), tokens, gold, strict=True)
    ]
