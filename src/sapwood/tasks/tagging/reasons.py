"""Explanations of the labels of rows, and the answers that a report on a tagger is made of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sapwood import _core
from sapwood.model.answers import Answers, Explain, row_reasons
from sapwood.model.explanation import in_batches


def explain_rows(tagger: _core.Tagger, threads: int, rows: _core.Columns, asked: _core.Question) -> Iterator[bytes]:
    """Yield an explanation of each row's label. Raises OptionError and DataError."""
    return in_batches(partial(tagger.explain, rows, asked, threads=threads), rows.sentences, asked)


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
