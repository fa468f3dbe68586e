"""The records of a segmenter: sentences with their tokens, and the decisions that made them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sapwood.model.records import INPUT, Origin, Origins, Record, Records


class SegmenterRecords(Records):
    """Answers of a segmenter about a text."""

    inputs = ("text",)
    decider = "segmenter"

    def labels(self, part: str) -> Sequence[str]:
        """Return nothing: tokens and sentences are no labels to people."""
        return ()

    def _written(self, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
        characters = sentences = 0
        for doc in self._model.familiarity_.monitor(iter(self._model.documents(data, INPUT)), INPUT):
            yield doc.to_json_lines(characters) if format == "json" else doc.to_conllu(sentences + 1)
            characters, sentences = characters + doc.characters, sentences + doc.sentence_count

    def origins(self, data: bytes, kind: str) -> Origins | None:
        """Return the decisions that made the tokens of a text."""
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

    def of(number: int, words: Sequence[Record]) -> list[Origin | None]:
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
