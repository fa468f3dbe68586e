"""The parts of a page of errors: scores, groups of errors that share something, examples. Only data, no HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sapwood.metrics.confusion import Confusion
from sapwood.metrics.reliability import Coverage
from sapwood.metrics.significance import ScoreDifference
from sapwood.model.explanation_records import ExplanationRecord

Tree = tuple[Sequence[int], Sequence[str]]  # heads, counted from 1, 0 for the root; relations


class Table(NamedTuple):
    """Figures with a heading; the first row names the columns."""

    caption: str
    rows: list[list[object]]


class Trees(NamedTuple):
    """The gold tree of a sentence and the model's."""

    gold: Tree
    guess: Tree
    tags: Sequence[str]


class Example(NamedTuple):
    """A decision of the model, with the words around it."""

    place: str  # such as "sentence 12"
    words: Sequence[str]
    marked: range  # the words that it is about, from 0; empty if it is about all of them
    also_wrong: frozenset[int]  # other words with errors
    gold: str
    guess: str
    other: str | None = None  # the other model's answer
    trees: Trees | None = None
    reason: ExplanationRecord | None = None  # the explanation, as the core writes it


class Group(NamedTuple):
    """Errors that share something."""

    value: str  # the value that they share
    errors: int
    total: int | None  # decisions with this value, right or wrong; None where only errors have one
    other: int | None  # errors of the other model; None without one
    examples: list[Example]


class Aspect(NamedTuple):
    """One way to group errors."""

    title: str
    groups: list[Group]
    left_out: int  # smaller groups


class Changes(NamedTuple):
    """The differences from the other model."""

    fixed: int  # decisions that only the model has right
    broken: int  # decisions that only the other one has right
    sign_p: float
    scores: list[ScoreDifference]  # a is the other model, b the model
    examples_fixed: list[Example]
    examples_broken: list[Example]


class Section(NamedTuple):
    """All about one kind of decision."""

    title: str
    decisions: int
    errors: int
    tables: list[Table]
    confusion: Confusion | None
    patterns: list[tuple[str, Group]]  # the groups with the most errors above the average, with their aspects
    aspects: list[Aspect]
    changes: Changes | None
    coverage: Sequence[Coverage] = ()  # shares of examples, if the model is calibrated


class Page(NamedTuple):
    """A report."""

    title: str
    facts: list[tuple[str, str]]
    overview: str  # scores of the whole, as text
    sections: list[Section]
    # For each model: its name, its scores on held-out data after each epoch, in percent, and the epoch that is kept.
    curves: Sequence[tuple[str, list[float], int]] = ()
