"""The forms of a segmenter's answers: the material of a report, and records."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import sapwood._core as _core
from sapwood.model.answers import Answers, Explain, Place, Property, row_reasons
from sapwood.model.records import INPUT, AnswerRecord, Origin, Origins, Records

if TYPE_CHECKING:
    from sapwood.model.explanation_records import ExplanationRecord

_BEGINS = {".": "nothing", "T": "a token", "S": "a sentence"}


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


class SegmenterRecords(Records):
    """Answers of a segmenter about a text."""

    inputs = ("text",)
    decider = "segmenter"
    lists_labels = False  # tokens and sentences are no labels to people

    def _written(self, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
        characters = sentences = 0
        for doc in self._model.familiarity_.monitor(iter(self._model.documents(data, INPUT)), INPUT):
            yield doc.to_json_lines(characters) if format == "json" else doc.to_conllu(sentences + 1)
            characters, sentences = characters + doc.characters, sentences + doc.sentence_count

    def origins(self, data: bytes, kind: str) -> Origins | None:
        return places_in(self._model, data, "")


def places_in(segmenter: Any, data: bytes, part: str) -> Origins:
    """Return the decisions at those places of a text at which a segmenter had a choice.

    part : the name of the segmenter in a pipeline; there may be a splitter behind it
    """
    tokens_at: list[int] = []  # characters at which tokens begin
    begins: dict[int, tuple[int, int]] = {}  # character -> numbers of its paragraph and place
    characters = paragraphs = 0
    for doc in segmenter.documents(data, INPUT):
        tokens_at += [characters + begin for begin, _ in doc.tokens]
        for places in segmenter.segmenter_.places(doc.text.encode()):
            paragraphs += 1
            begins |= {characters + at: (paragraphs, place) for place, at in enumerate(places, start=1)}
        characters += doc.characters

    def of(number: int, words: Sequence[AnswerRecord]) -> list[Origin | None]:
        tokens = [bisect_right(tokens_at, word["start"]) - 1 for word in words]
        sizes = Counter(tokens)
        found: list[Origin | None] = []
        for token in tokens:
            if sizes[token] > 1:
                found.append(Origin("splitter", number, token - tokens[0] + 1))
            else:
                place = begins.get(tokens_at[token])
                found.append(None if place is None else Origin(part, *place))
        return found

    return of
