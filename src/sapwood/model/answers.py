"""A model's answers and the gold ones of a file, decision by decision, with an explanation of any of them.

`Answers` is the material of reports, the same for every task. A unit is a sentence with a decision for each word, or
an item with a single decision, such as an example.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import sapwood._core as _core
from sapwood.errors import OptionError
from sapwood.model.explanation import question

if TYPE_CHECKING:
    from sapwood.model.explanation_records import ExplanationRecord

Place = tuple[int, int]  # unit and decision, from 0

Explained = Callable[[Sequence[Place]], "list[ExplanationRecord | None]"]  # the explanation of each of these decisions

Explain = Callable[[_core.Question], Iterator[bytes]]  # yields lines of JSON, as `Reasons` does

Tree = tuple[list[int], list[str]]


class Property(NamedTuple):
    """A property by which a report groups decisions."""

    title: str
    values: list[list[Sequence[str]]]  # [units][decisions] the values of each decision; it may have none
    of_errors: bool = False  # only errors have a value


class Sets(NamedTuple):
    """The labels of examples that have any number of them."""

    gold: list[list[str]]  # [examples]
    guess: list[list[str]]  # [examples]
    names: list[str]  # the labels; there is a decision about each, in this order
    thresholds: dict[str, float]  # label of the model -> the score above which it is given


class Answers(NamedTuple):
    """A model's decisions about each unit, and the right ones."""

    title: str  # the kind of decisions, such as "labels"
    unit: str  # the kind of units, such as "sentence"
    words: list[list[str]]  # [units][words]
    gold: list[list[str]]  # [units][decisions]: one for each word; if `whole`, one
    guess: list[list[str]]  # [units][decisions]
    reasons: Explained = lambda places: [None] * len(places)  # without, there are none
    tags: list[list[str]] | None = None  # [units][words] gold tags, if tags are not what is decided
    trees: list[tuple[Tree, Tree]] | None = None  # [units] gold and guess; labels are the relations then
    marked: list[range] | None = None  # [units] if `whole`, the words that the decision is about; empty: all
    confidences: list[list[float]] | None = None  # [units][decisions] if the model is calibrated
    whole: bool = False  # a decision is about the unit as a whole
    properties: list[Property] | None = None  # if not `whole`, they stand in place of properties of words
    own_scores: bool = False  # the report begins with the scores of `evaluate`, as they say more than its own
    sets: Sets | None = None  # if an example has any number of labels; then there is a decision about each label


def ask(explain: Explain, place: Place, against: str) -> list[ExplanationRecord]:
    """Return explanations of a decision against this answer; against the second best if the model never gives it."""
    for other in (against, None) if against else (None,):
        try:
            lines = b"".join(explain(question(place[0] + 1, place[1] + 1, other)))
        except OptionError:  # the model does not have this answer
            continue
        if lines:
            return [json.loads(line) for line in lines.splitlines()]
    return []


def row_reasons(explain: Explain, gold: Sequence[Sequence[str]] | None) -> Explained:
    """Return a function that explains labels of rows, against the gold ones if they are labels of the model.

    It raises OptionError for a place that is not there.
    """

    def explained(places: Sequence[Place]) -> list[ExplanationRecord | None]:
        found = (ask(explain, (s, t), "" if gold is None else gold[s][t]) for s, t in places)
        return [records[0] if records else None for records in found]

    return explained
