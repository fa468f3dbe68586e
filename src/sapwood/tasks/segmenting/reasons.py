"""Explanations of the places of a text at which tokens begin, and the answers that a report on them is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.model.answers import Answers, Explain, Place, Property, row_reasons
from sapwood.model.explanation import in_batches

if TYPE_CHECKING:
    from sapwood.model.explanation_records import ExplanationRecord

_BEGINS = {".": "nothing", "T": "a token", "S": "a sentence"}


def explain_places(tagger: _core.Tagger, rows: _core.Columns, asked: _core.Question) -> Iterator[bytes]:
    """Yield an explanation of what begins at each place; `word` shows the place."""
    return in_batches(partial(_core.explain_places, tagger, rows, asked), rows.sentences, asked)


def place_answers(explain: Explain, rows: _core.Columns, guess: list[list[str]]) -> Answers:
    """Return the answers of a segmenter: the beginnings at the places of a text where it has a choice.

    rows : the places with their gold labels (core/segmenting/segment_rows.hpp)
    """
    kinds, _, heads, tails, *_, gold = (rows.column(c) for c in range(rows.width))
    why = row_reasons(explain, gold)

    def reasons(places: Sequence[Place]) -> list[ExplanationRecord | None]:
        found = why(places)
        for record in found:
            if record is not None:
                record["chosen"] = _BEGINS.get(record["chosen"], record["chosen"])
                record["against"] = _BEGINS.get(record["against"] or "", record["against"])
        return found

    def named(labels: list[list[str]]) -> list[list[str]]:
        return [[_BEGINS[label] for label in each] for each in labels]

    shared = {"text before the place": heads, "text after the place": tails, "characters around the place": kinds}
    properties = [
        Property(title, [[(cell.lower(),) for cell in paragraph] for paragraph in column])
        for title, column in shared.items()
    ]
    shown, right, said = _core.shown_places(rows), named(gold), named(guess)
    return Answers("places", "paragraph", shown, right, said, reasons, properties=properties, own_scores=True)
