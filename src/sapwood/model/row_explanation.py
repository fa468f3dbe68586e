"""Why a classifier chose a label, and a reranker a candidate: the features of decisions about whole rows.

The core writes the explanations, and finds the fewest features that flip a decision (core/model/explanation.hpp).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sapwood import _core
from sapwood.errors import OptionError

Feature = tuple[str, str, float, float]  # text, the label that its weight speaks for, value, weight
Row = Sequence[tuple[str, float, Sequence[float]]]  # text, value and weights [outputs] of each feature


def chosen_rows(count: int, asked: _core.Question, unit: str) -> Iterable[int]:
    """Return which rows a question is about. Raises OptionError if there is no such row, or if it asks for a token."""
    if asked.token not in (None, 0):
        raise OptionError(f"there is one decision for each {unit}, so there is no token {asked.token + 1}")
    if asked.sentence is None:
        return range(count)
    if asked.sentence >= count:
        raise OptionError(f"there is no {unit} {asked.sentence + 1}; there are {count}")
    return [asked.sentence]


def against_label(asked: _core.Question, labels: Sequence[str]) -> None:
    """Raise OptionError if the question is against a label that the model does not have."""
    if asked.against and asked.against not in labels:
        raise OptionError(f"the model has no label '{asked.against}'")


def against_candidate(asked: _core.Question) -> int | None:
    """Return the number of the candidate that the question is against, from 0. Raises OptionError if it is none."""
    if not asked.against:
        return None
    if not asked.against.isascii() or not asked.against.isdigit() or int(asked.against) < 1:
        raise OptionError(f"a candidate is given by its number in the list, from 1, not '{asked.against}'")
    return int(asked.against) - 1


class LinearRows:
    """Rows of features with their values, and the weights that a model has for them."""

    def __init__(self, rows: _core.FeatureRows, classifier: _core.Classifier, names: Mapping[int, str]) -> None:
        sizes, keys, values = (memoryview(part) for part in _core.pack_rows(rows))
        self._starts = [0]
        for size in sizes.cast("I"):
            self._starts.append(self._starts[-1] + size)
        self._keys: list[int] = keys.cast("Q").tolist()
        self._values: list[float] = [*values.cast("f")] if len(values) else [1.0] * len(self._keys)
        self._names = names
        known = sorted(set(self._keys))
        weights = classifier.weights_of(known)
        outputs = len(weights) // max(1, len(known))
        self._weights = {key: weights[k * outputs : (k + 1) * outputs] for k, key in enumerate(known)}

    def row(self, number: int) -> Row:
        """Return the features of a row that have weights."""
        return [(self._text(key), value, self._weights[key]) for key, value in self._pairs(number)]

    def difference(self, chosen: int, against: int, label: str) -> list[Feature]:
        """Return the features by which two rows differ, of a model whose one output is called `label`."""
        values: dict[int, float] = {}
        for row, side in ((chosen, 1.0), (against, -1.0)):
            for key, value in self._pairs(row):
                values[key] = values.get(key, 0.0) + side * value
        return [(self._text(key), label, value, self._weights[key][0]) for key, value in values.items()]

    def _pairs(self, number: int) -> Iterator[tuple[int, float]]:
        """Yield key and value of the features of a row that have weights."""
        for k in range(self._starts[number], self._starts[number + 1]):
            if any(self._weights[self._keys[k]]):
                yield self._keys[k], self._values[k]

    def _text(self, key: int) -> str:
        return self._names.get(key) or f"feature {key:016x}"


def explain_label(
    number: int, row: Row, scores: Sequence[float], labels: Sequence[str], scale: float, asked: _core.Question
) -> bytes | None:
    """Explain the label of an example, given the scores of all; None if it has the label that is asked against."""
    order = sorted(range(len(labels)), key=lambda y: (-scores[y], y))
    chosen, against = order[0], order[1]
    if asked.against:
        against = labels.index(asked.against)
        if against == chosen:
            return None

    def features(other: int) -> list[Feature]:
        if len(labels) == 2:  # one weight speaks for the second and against the first
            side = 1 if chosen == 1 else -1
            return [(text, labels[1], side * value, w[0]) for text, value, w in row]
        return [
            each
            for text, value, w in row
            for each in ((text, labels[chosen], value, w[chosen]), (text, labels[other], -value, w[other]))
        ]

    others = [against] if asked.flip_to_against else order[1:]
    flips = [(labels[y], scores[chosen] - scores[y], y < chosen, features(y)) for y in others]
    margin = scores[chosen] - scores[against]
    reasons = features(against)
    return _core.explanation_line(number, "label", labels[chosen], labels[against], margin, scale, reasons, flips)


def explain_labels(
    number: int,
    row: Row,
    scores: Sequence[float],
    labels: Sequence[str],
    thresholds: Sequence[float],
    scale: float,
    asked: _core.Question,
) -> Iterator[bytes]:
    """Explain for each label why an example has it or not, given the scores, counted from the thresholds.

    The decision about the label sport is called "label sport", and its answers are yes and no. If the question is
    against a label, only the decision about this label is explained, and only if the example does not have it.
    """
    for y, label in enumerate(labels):
        if not asked.against or (asked.against == label and scores[y] <= 0):
            yield explain_label_of_set(number, row, y, scores[y], label, thresholds[y], scale)


def explain_label_of_set(
    number: int, row: Row, output: int, score: float, label: str, threshold: float, scale: float
) -> bytes:
    """Explain why an example has a label or not. output : the number of the label's weight in a row"""
    chosen, other = ("yes", "no") if score > 0 else ("no", "yes")
    side = 1 if score > 0 else -1
    features: list[Feature] = [(text, label, side * value, w[output]) for text, value, w in row]
    flips = [(other, side * score, score > 0, features)]
    reasons = [*features, ("threshold", label, -side, threshold)]
    return _core.explanation_line(number, f"label {label}", chosen, other, side * score, scale, reasons, flips)


def explain_candidate(
    number: int,
    scores: Sequence[float],
    asked: _core.Question,
    scale: float,
    features: Callable[[int, int], list[Feature]],
) -> bytes | None:
    """Explain the choice of a candidate. Return None if the question is against the chosen one, or one not in the list.

    features : gives the features by which two candidates differ, by their numbers in the list
    """
    chosen, *others = sorted(range(len(scores)), key=lambda k: (-scores[k], k))
    against = against_candidate(asked)
    if against is None and others:
        against = others[0]
    elif against is not None and against not in others:
        return None
    name = f"candidate {chosen + 1}"
    if against is None:
        return _core.explanation_line(number, "candidate", name, None, 0.0, scale, [], [])
    other, margin, found = f"candidate {against + 1}", scores[chosen] - scores[against], features(chosen, against)
    flips = [(other, margin, against < chosen, found)]
    return _core.explanation_line(number, "candidate", name, other, margin, scale, found, flips)
