"""A model's answers to a file that has gold ones, decision by decision, and the reasons of any of them.

`Answers` is what reports are made of, the same for every task. A unit is a sentence with a decision for each word, or
an item with a single decision, such as an example.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.io.conllu import has_values
from sapwood.io.examples import Examples
from sapwood.model.explanation import question

if TYPE_CHECKING:
    from sapwood.draw.explanation import Record

Place = tuple[int, int]  # unit and decision, from 0

Reasons = Callable[[Sequence[Place]], "list[Record | None]"]

Explain = Callable[[_core.Question], Iterator[bytes]]  # gives lines of JSON, as `explain_lines` does

Tree = tuple[list[int], list[str]]


class Property(NamedTuple):
    """Something that decisions may share."""

    title: str
    values: list[list[Sequence[str]]]  # [units][decisions] of each decision, or none
    of_errors: bool = False  # whether only errors have a value


class Sets(NamedTuple):
    """The labels of examples that have any number of them."""

    gold: list[list[str]]  # [examples]
    guess: list[list[str]]  # [examples]
    names: list[str]  # of the decisions about an example, in their order
    thresholds: dict[str, float]  # that a label's score must be above; of the labels that the model has


class Answers(NamedTuple):
    """What was decided about each unit, and what is right."""

    title: str  # what is decided, such as "labels"
    unit: str  # what a unit is, such as "sentence"
    words: list[list[str]]  # [units][words]
    gold: list[list[str]]  # [units][decisions]: one for each word; if `whole`, one
    guess: list[list[str]]  # [units][decisions]
    reasons: Reasons
    tags: list[list[str]] | None = None  # [units][words] gold tags, if they are something else than what is decided
    trees: list[tuple[Tree, Tree]] | None = None  # [units] gold and guess; labels are the relations then
    marked: list[range] | None = None  # [units] if `whole`, the words that it is about; empty: all of them
    confidences: list[list[float]] | None = None  # [units][decisions] how sure the model is, if it is calibrated
    whole: bool = False  # whether the decision is about the unit as a whole
    properties: list[Property] | None = None  # what decisions may share; if not `whole`, in place of their words'
    own_scores: bool = False  # whether the model's own scores say more than how many decisions are right
    sets: Sets | None = None  # if an example has any number of labels; there is a decision about each label then


def ask(explain: Explain, place: Place, against: str) -> list[Record]:
    """Return the explanations of a decision against this answer or, if the model lacks it, against the second best."""
    for other in (against, None) if against else (None,):
        try:
            lines = b"".join(explain(question(place[0] + 1, place[1] + 1, other, search_flips=False)))
        except OptionError:  # the model does not have this answer
            continue
        if lines:
            return [json.loads(line) for line in lines.splitlines()]
    return []


def row_reasons(explain: Explain, gold: Sequence[Sequence[str]] | None) -> Reasons:
    """Return the reasons of labels of rows; `gold` has the model's own labels, to be compared with, if that is known.

    Raises OptionError for a place that is not there.
    """

    def reasons(places: Sequence[Place]) -> list[Record | None]:
        found = []
        for s, t in places:
            found.append(ask(explain, (s, t), "" if gold is None else gold[s][t]))
        return [records[0] if records else None for records in found]

    return reasons


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


def example_answers(
    data: Examples,
    gold: Sequence[str],
    guess: Sequence[str],
    known: Collection[str],
    explain: Callable[[Sequence[int], Sequence[_core.Question]], Iterator[bytes | None]],
) -> Answers:
    """Return the answers of a classifier. Examples that are rows of features have no words.

    known : the labels that the classifier has
    explain : why examples of these numbers have their labels, by a question for each
    """

    def reasons(places: Sequence[Place]) -> list[Record | None]:
        against = [gold[k] if gold[k] != guess[k] and gold[k] in known else None for k, _ in places]
        lines = explain([k for k, _ in places], [question(against=label) for label in against])
        return [None if line is None else json.loads(line) for line in lines]

    labels, said = ([[label] for label in column] for column in (gold, guess))
    words, marked = _texts(data)
    return Answers("labels", "example", words, labels, said, reasons, marked=marked, whole=True)


def set_answers(
    data: Examples,
    gold: list[list[str]],
    guess: list[list[str]],
    thresholds: Mapping[str, float],
    explain: Callable[[Sequence[tuple[int, str]]], Iterator[bytes]],
) -> Answers:
    """Return the answers of a classifier of any number of labels: for each example a decision about each label.

    thresholds : of the labels that the classifier has
    explain : why examples of these numbers have these labels, or not
    """
    names = sorted({*thresholds, *(label for labels in gold for label in labels)})
    said = [(name, f"not {name}") for name in names]

    def decisions(sets: Iterable[Iterable[str]]) -> list[list[str]]:
        return [[has if has in labels else has_not for has, has_not in said] for labels in map(set, sets)]

    def reasons(places: Sequence[Place]) -> list[Record | None]:
        asked = [(k, names[t]) for k, t in places]
        lines = explain([(k, label) for k, label in asked if label in thresholds])
        return [json.loads(next(lines)) if label in thresholds else None for _, label in asked]

    sets = Sets(gold, guess, names, dict(thresholds))
    words, marked = _texts(data)
    both = decisions(gold), decisions(guess)
    return Answers("labels", "example", words, *both, reasons, marked=marked, whole=True, sets=sets)


def _texts(data: Examples) -> tuple[list[list[str]], list[range]]:
    """Return the words of examples, and which of them are marked."""
    documents = data.documents
    examples = range(len(data))
    words = [[] if documents is None else documents.words(k) for k in examples]
    at = [None if documents is None else documents.marked(k) for k in examples]
    return words, [range(0) if k is None else range(k, k + 1) for k in at]


def lemma_answers(data: _core.Conllu, guess: Sequence[Sequence[str]], explain: Explain) -> Answers:
    """Return the answers of a lemmatizer; reasons explain the edit script. Raises DataError without gold."""
    if not has_values(data, ["lemma"]):
        raise DataError(f"{data.name}: no word has a lemma to compare with (column 3 is _ everywhere)")
    gold = data.column("lemma")
    said = [_where_known(*pair) for pair in zip(gold, guess, strict=True)]
    reasons = row_reasons(explain, None)
    return Answers("lemmas", "sentence", data.column("form"), gold, said, reasons, data.column("upos"))


def tree_answers(
    words: list[list[str]],
    tags: list[list[str]],
    gold: Sequence[Tree],
    guess: Sequence[Tree],
    explain: Explain,
) -> Answers:
    """Return the answers of a parser. Reasons explain the arc where the head is wrong, else the relation."""

    def reasons(places: Sequence[Place]) -> list[Record | None]:
        found: list[Record | None] = []
        for s, t in places:
            wrong_head = gold[s][0][t] != guess[s][0][t]
            against = str(gold[s][0][t]) if wrong_head else gold[s][1][t]
            records = ask(explain, (s, t), against)
            relations = [record for record in records if record["decision"] == "relation"]
            chosen = records if wrong_head or not relations else relations
            found.append(chosen[0] if chosen else None)
        return found

    pairs = [((list(g[0]), list(g[1])), (list(h[0]), list(h[1]))) for g, h in zip(gold, guess, strict=True)]
    relations = [g[1] for g, _ in pairs], [h[1] for _, h in pairs]
    return Answers("trees", "sentence", words, *relations, reasons, tags, pairs)


def _where_known(gold: Sequence[str], guess: Sequence[str]) -> list[str]:
    """Return the guessed lemmas. Where the gold lemma is `_` (unknown), any guess is right, so `_` takes its place."""
    return [g if g == "_" else h for g, h in zip(gold, guess, strict=True)]
