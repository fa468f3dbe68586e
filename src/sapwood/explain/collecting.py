"""Reports: a model's scores and errors on gold data, put into groups, beside another model's.

"Look at the predictions that a classifier is making. Can you identify a pattern in the errors? Then you can probably
engineer a feature to fix the problem!" (Structured Perceptron, lecture of October 2015). `sapwood.explain.page` makes
a page of it.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from sapwood.base.optional import require
from sapwood.errors import DataError, OptionError
from sapwood.explain import scores
from sapwood.explain.aspects import aspects
from sapwood.io.json_text import fits, is_number
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.metrics.significance import sign_test
from sapwood.model.answers import Answers, Place, Property
from sapwood.model.base import AnyModel
from sapwood.model.parts import require_capability

_GROUPS = 6  # groups of an aspect
_PATTERNS = 10  # groups of all aspects that stand in front
_EXAMPLES = 3  # examples of a group
_CHANGED = 8  # examples of decisions that were fixed, and of broken ones
_READABLE = 12  # words; sentences about as long as this are shown first
_LONGEST_TREE = 25  # words


def report(
    model: AnyModel,
    gold: os.PathLike[str],
    other: AnyModel | None = None,
    *,
    train: os.PathLike[str] | None = None,
    names: tuple[str, str] = ("the model", "the other model"),
) -> scores.Page:
    """Return the errors of a model in data with gold answers, beside those of another model if there is one.

    gold : a file or data in memory, as `evaluate` of the model takes them
    train : the training data; errors at words that are not in them make a group
    names : names of the two models, for the page

    Raises what `evaluate` of the models raises, and OptionError if the two do not decide the same things.
    """
    if other is not None:
        require("numpy", "comparing models")
    found = answers_to(gold, model)
    before = {each.title: each for each in answers_to(gold, other)} if other is not None else {}
    if other is not None and not before.keys() & {each.title for each in found}:
        raise OptionError(f"{names[1]}: a {other._noun} cannot be compared with a {model._noun}")
    if train is not None and found[0].whole:
        raise OptionError("words of training data are a group of errors for models of sentences, not of examples")
    known = None if train is None else _words(train)
    sections = [section_of(each, before.get(each.title), known) for each in found]
    facts = [("model", _described(names[0], model))]
    if other is not None:
        facts.append(("compared with", _described(names[1], other)))
    units = len(found[0].gold)
    where = f"{shown(gold)}: " if isinstance(gold, os.PathLike) else ""
    facts.append(("gold", f"{where}{units:,} {found[0].unit}s"))
    if train is not None:
        facts.append(("training data", shown(train)))
    facts += _training(model)
    overview = model.evaluate(gold).format() if len(sections) > 1 or found[0].own_scores else ""
    return scores.Page(f"Errors of {names[0]}", facts, overview, sections, _curves(model))


def answers_to(gold: Any, model: AnyModel) -> list[Answers]:
    """Return gold answers and a model's, with explanations of any of them. Raises DataError if there is no gold.

    gold : a file or data in memory, as `evaluate` of the model takes them
    """
    answers: list[Answers] = require_capability(model, "_answers")(gold)
    return answers


def _described(name: str, model: AnyModel) -> str:
    return f"{name}: a {model._noun}, {model.contents.learned}, {model.contents.storage}"


def _training(model: AnyModel) -> list[tuple[str, str]]:
    stored = model.model_.provenance
    units = ("sentences", "tokens", "words", "examples")
    data = [
        f"{stored[unit]:,} {unit}" for unit in units if isinstance(stored.get(unit), int) and is_number(stored[unit])
    ]
    facts = [("learned from", ", ".join(data))] if data else []
    if "best_epoch" in stored and "epochs" in stored:
        score = f", {stored['dev_score']:.2f} on held-out data" if is_number(stored.get("dev_score")) else ""
        facts.append(("passes", f"{stored['epochs']}, the weights are those after {stored['best_epoch']}{score}"))
    return facts


def _curves(model: AnyModel) -> list[tuple[str, list[float], int]]:
    """Return the scores on held-out data after each epoch, and the epoch that is kept: of the model and its parts."""
    file = model.model_
    trained = [("the model", file), *file.parts.items()]
    found = [(name, each.provenance.get("dev_scores"), each.provenance.get("best_epoch")) for name, each in trained]
    return [(name, s, k) for name, s, k in found if fits(s, list[float]) and fits(k, int) and 1 <= k <= len(s)]


def section_of(answers: Answers, other: Answers | None = None, known: frozenset[str] | None = None) -> scores.Section:
    """Return the section of a report about one kind of decision.

    other : another model's answers to the same questions
    known : words of the training data, lower-cased

    Raises OptionError if the gold answers of the two models differ.
    """
    if other is not None and (other.unit, other.gold) != (answers.unit, answers.gold):
        raise OptionError("the two models cannot be compared: they do not decide the same things in the gold data")
    wrong, wrong_other = _wrong(answers), None if other is None else _wrong(other)
    errors, decisions = sum(map(sum, wrong)), sum(map(len, wrong))
    rate = Fraction(errors, max(decisions, 1))
    properties = aspects(answers, known)
    of_other = aspects(other, known) if other is not None else [None] * len(properties)
    grouped = [_grouped(*pair, wrong, rate, wrong_other) for pair in zip(properties, of_other, strict=True)]
    shown_examples = _Examples(answers, other, wrong)
    fixed, broken = ([], []) if wrong_other is None else _changed(wrong, wrong_other)
    chosen = [list(map(shown_examples.choose, places)) for _, places in grouped]
    chosen_fixed, chosen_broken = (shown_examples.choose(places, _CHANGED) for places in (fixed, broken))
    shown_examples.explain([*chosen_broken, *(places[0] for of_aspect in chosen for places in of_aspect)])
    made = []
    for (aspect, _), of_aspect in zip(grouped, chosen, strict=True):
        groups = zip(aspect.groups, map(shown_examples.at, of_aspect), strict=True)
        made.append(aspect._replace(groups=[group._replace(examples=examples) for group, examples in groups]))
    of_all = (aspect for each, (aspect, _) in zip(properties, grouped, strict=True) if not each.of_errors)
    patterns = [(aspect.title, group) for aspect in of_all for group in aspect.groups]
    patterns.sort(key=lambda pair: -_excess(pair[1].errors, pair[1].total, rate))
    changes = None
    if other is not None:
        changes = scores.ModelChanges(
            len(fixed),
            len(broken),
            sign_test(len(fixed), len(broken)),
            scores.compared(other, answers),
            shown_examples.at(chosen_fixed, trees=False),
            shown_examples.at(chosen_broken, trees=False),
        )
    return scores.Section(
        answers.title,
        decisions,
        errors,
        scores.tables_of(answers),
        scores.confusion_of(answers),
        patterns[:_PATTERNS],
        [aspect for aspect in made if aspect.groups],
        changes,
        scores.coverage_of(answers),
    )


def _wrong(answers: Answers) -> list[list[bool]]:
    """Return [units][decisions], true for errors."""
    wrong = [[g != h for g, h in zip(*pair, strict=True)] for pair in zip(answers.gold, answers.guess, strict=True)]
    for s, (gold, guess) in enumerate(answers.trees or ()):
        wrong[s] = [w or g != h for w, g, h in zip(wrong[s], gold[0], guess[0], strict=True)]
    return wrong


def _changed(wrong: Iterable[Sequence[bool]], other: Iterable[Sequence[bool]]) -> tuple[list[Place], list[Place]]:
    """Return the decisions that only the model has right, and those that only the other model has right."""
    units = enumerate(zip(wrong, other, strict=True))
    places = [(a, (s, t)) for s, unit in units for t, (a, b) in enumerate(zip(*unit, strict=True)) if a != b]
    return [place for is_wrong, place in places if not is_wrong], [place for is_wrong, place in places if is_wrong]


def _excess(errors: int, total: int | None, rate: Fraction) -> Fraction:
    """Return the number of errors above that of `total` decisions at the average rate."""
    return errors - rate * (total or 0)


def _grouped(
    grouping: Property,
    other: Property | None,
    wrong: list[list[bool]],
    rate: Fraction,
    wrong_other: list[list[bool]] | None,
) -> tuple[scores.Aspect, list[list[Place]]]:
    """Return an aspect with its largest groups, still without examples, and the places of the errors of each group.

    A group is a value with many errors; if right decisions have values too, with more than the average rate of errors.
    """
    places: dict[str, list[Place]] = {}
    for value, place in _wrong_values(grouping, wrong):
        places.setdefault(value, []).append(place)
    totals = Counter(value for unit in grouping.values for values in unit for value in values)
    before = Counter(v for v, _ in _wrong_values(other, wrong_other)) if other and wrong_other is not None else None
    if grouping.of_errors:
        kept = sorted(places, key=lambda value: (-len(places[value]), value))
    else:
        excess = {value: _excess(len(found), totals[value], rate) for value, found in places.items()}
        kept = sorted((v for v in places if excess[v] > 0 and len(places[v]) > 1), key=lambda v: (-excess[v], v))
    groups = [
        scores.Group(
            v, len(places[v]), None if grouping.of_errors else totals[v], None if before is None else before[v], []
        )
        for v in kept[:_GROUPS]
    ]
    aspect = scores.Aspect(grouping.title, groups, len(kept) - len(groups))
    return aspect, [places[group.value] for group in groups]


def _wrong_values(grouping: Property, wrong: list[list[bool]]) -> Iterator[tuple[str, Place]]:
    for s, (unit, flags) in enumerate(zip(grouping.values, wrong, strict=True)):
        for t, (values, is_wrong) in enumerate(zip(unit, flags, strict=True)):
            if is_wrong:
                yield from ((value, (s, t)) for value in values)


class _Examples:
    """A maker of examples of errors. It prefers sentences that were not shown yet, and those of middle length."""

    def __init__(self, answers: Answers, other: Answers | None, wrong: list[list[bool]]) -> None:
        self._answers, self._other, self._wrong = answers, other, wrong
        self._reasons: dict[Place, object] = {}
        self._shown: set[int] = set()
        self._distance = [abs(len(words) - _READABLE) for words in answers.words]

    def choose(self, places: Sequence[Place], most: int = _EXAMPLES) -> list[Place]:
        """Return the places to show, each in another sentence."""
        first: dict[int, Place] = {}
        for place in places:
            first.setdefault(place[0], place)
        order = sorted(first.values(), key=lambda at: (at[0] in self._shown, self._distance[at[0]], at))[:most]
        self._shown.update(s for s, _ in order)
        return order

    def explain(self, places: Iterable[Place]) -> None:
        wanted = sorted(set(places) - self._reasons.keys())
        self._reasons |= dict(zip(wanted, self._answers.reasons(wanted), strict=True))

    def at(self, places: Sequence[Place], *, trees: bool = True) -> list[scores.ShownExample]:
        """Return the examples at these places; the first one with trees, if it has any that are not too wide."""
        found = [self._example(place) for place in places]
        return [e._replace(trees=None) if k or not trees else e for k, e in enumerate(found)]

    def _example(self, place: Place) -> scores.ShownExample:
        s, t = place
        answers, words = self._answers, self._answers.words[s]
        whole = answers.whole
        others = () if whole else (k for k, is_wrong in enumerate(self._wrong[s]) if is_wrong and k != t)
        trees = None
        if answers.trees is not None and len(words) <= _LONGEST_TREE:
            trees = scores.Trees(*answers.trees[s], answers.tags[s] if answers.tags else [""] * len(words))
        return scores.ShownExample(
            f"{answers.unit} {s + 1}",
            words,
            (answers.marked[s] if answers.marked else range(0)) if whole else range(t, t + 1),
            frozenset(others),
            _answer(answers, place, 0),
            _answer(answers, place, 1),
            None if self._other is None else _answer(self._other, place, 1),
            trees,
            self._reasons.get(place),  # type: ignore[arg-type]
        )


def _answer(answers: Answers, place: Place, side: int) -> str:
    """Return the gold answer (side 0) or the guess (1): a label, all labels of a set, or a relation and the head."""
    s, t = place
    if answers.sets is not None:
        return ", ".join((answers.sets.guess if side else answers.sets.gold)[s]) or "no label"
    label = (answers.guess if side else answers.gold)[s][t]
    if answers.trees is None:
        return label
    head = answers.trees[s][side][0][t]
    return f"{label} of {answers.words[s][head - 1]}" if head else f"{label} (no head)"


def _words(path: os.PathLike[str]) -> frozenset[str]:
    """Return the words of a column file or a CoNLL-U file, lower-cased. Raises DataError."""
    words = set()
    for line in plain_text(read_bytes(path), shown(path)).splitlines():
        cells = line.split("\t") if "\t" in line else line.split()
        if cells and not line.startswith("# "):
            words.add(cells[1 if len(cells) == 10 else 0].lower())
    if not words:
        raise DataError(f"{shown(path)}: there is no word in it")
    return frozenset(words)
