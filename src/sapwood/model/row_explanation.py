"""Why a classifier chose a label, and a reranker a candidate: reasons of decisions about whole rows of features.

What is explained is few rows, so that objects of Python do; taggers and parsers explain in the core.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sapwood import _core
from sapwood.errors import OptionError

Feature = dict[str, Any]  # text, label, value, weight, contribution


def feature(text: str, label: str, value: float, weight: float) -> Feature:
    """Return a feature of an explanation."""
    return {"text": text, "label": label, "value": value, "weight": weight, "contribution": value * weight}


def line_of(
    number: int,
    decision: str,
    chosen: str,
    against: str | None,
    margin: float,
    scale: float,
    features: Iterable[Feature],
    flip: tuple[str, list[str]] | None,
) -> bytes:
    """Return an explanation as the core writes them (core/model/explanation.hpp); `number` counts examples from 0."""
    record = {
        "sentence": number + 1,
        "token": 1,
        "word": "",
        "decision": decision,
        "chosen": chosen,
        "against": against,
        "margin": margin,
        "scale": scale,
        "features": sorted((f for f in features if f["contribution"]), key=lambda f: -abs(f["contribution"])),
        "flip": None if flip is None else {"to": flip[0], "features": flip[1]},
    }
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def fewest(contributions: Mapping[str, float], margin: float, wins_ties: bool) -> list[str] | None:
    """Return the fewest features that make up the margin, the largest first; None if all together do not."""
    found = []
    for text, contribution in sorted(contributions.items(), key=lambda pair: -pair[1]):
        if contribution <= 0:
            return None
        found.append(text)
        margin -= contribution
        if margin < 0 or (wins_ties and margin <= 0):
            return found
    return None


def sums_of(features: Iterable[Feature]) -> dict[str, float]:
    """Return what each text contributes."""
    sums: dict[str, float] = {}
    for each in features:
        sums[each["text"]] = sums.get(each["text"], 0.0) + each["contribution"]
    return sums


def chosen_rows(count: int, asked: _core.Question, unit: str) -> Iterable[int]:
    """Return which rows a question is about. Raises OptionError if there is no such row, or if it asks for a token."""
    if asked.token not in (None, 0):
        raise OptionError(f"there is one decision for each {unit}, so there is no token {asked.token + 1}")
    if asked.sentence is None:
        return range(count)
    if asked.sentence >= count:
        raise OptionError(f"there is no {unit} {asked.sentence + 1}; there are {count}")
    return [asked.sentence]


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

    def row(self, number: int) -> Iterator[tuple[int, str, float, Sequence[float]]]:
        """Yield key, text, value and weights [outputs] of the features of a row that have weights."""
        for k in range(self._starts[number], self._starts[number + 1]):
            key = self._keys[k]
            if any(self._weights[key]):
                yield key, self._names.get(key) or f"feature {key:016x}", self._values[k], self._weights[key]

    def difference(self, chosen: int, against: int, label: str) -> list[Feature]:
        """Return the features by which two rows differ, of a model whose one output is called `label`."""
        found: dict[int, Feature] = {}
        for row, side in ((chosen, 1.0), (against, -1.0)):
            for key, text, value, weights in self.row(row):
                before = found[key]["value"] if key in found else 0.0
                found[key] = feature(text, label, before + side * value, weights[0])
        return list(found.values())


def explain_label(
    number: int,
    row: Sequence[tuple[int, str, float, Sequence[float]]],
    scores: Sequence[float],
    labels: Sequence[str],
    scale: float,
    asked: _core.Question,
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
            return [feature(text, labels[1], side * value, w[0]) for _, text, value, w in row]
        both = [
            (feature(text, labels[chosen], value, w[chosen]), feature(text, labels[other], -value, w[other]))
            for _, text, value, w in row
        ]
        return [each for pair in both for each in pair]

    flip = None
    for other in [against] if asked.flip_to_against else order[1:]:
        found = fewest(sums_of(features(other)), scores[chosen] - scores[other], other < chosen)
        if found is not None and (flip is None or len(found) < len(flip[1])):
            flip = labels[other], found
    margin = scores[chosen] - scores[against]
    return line_of(number, "label", labels[chosen], labels[against], margin, scale, features(against), flip)


def explain_labels(
    number: int,
    row: Sequence[tuple[int, str, float, Sequence[float]]],
    scores: Sequence[float],
    labels: Sequence[str],
    thresholds: Sequence[float],
    scale: float,
    asked: _core.Question,
) -> Iterator[bytes]:
    """Explain for each label why an example has it or not, given the scores, counted from the thresholds.

    The decision about the label sport is called "label sport", and its answers are yes and no. Asked against a label,
    it alone is explained, if the example does not have it.
    """
    for y, label in enumerate(labels):
        if not asked.against or (asked.against == label and scores[y] <= 0):
            yield explain_label_of_set(number, row, y, scores[y], label, thresholds[y], scale)


def explain_label_of_set(
    number: int,
    row: Sequence[tuple[int, str, float, Sequence[float]]],
    output: int,
    score: float,
    label: str,
    threshold: float,
    scale: float,
) -> bytes:
    """Explain why an example has a label or not. output : the number of the label's weight in a row"""
    chosen, other = ("yes", "no") if score > 0 else ("no", "yes")
    side = 1 if score > 0 else -1
    features = [feature(text, label, side * value, w[output]) for _, text, value, w in row]
    found = fewest(sums_of(features), side * score, score > 0)
    features.append(feature("threshold", label, -side, threshold))
    flip = None if found is None else (other, found)
    return line_of(number, f"label {label}", chosen, other, side * score, scale, features, flip)


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


def explain_candidate(
    number: int,
    scores: Sequence[float],
    asked: _core.Question,
    scale: float,
    features: Any,  # features(chosen, against) gives those of the difference
) -> bytes | None:
    """Explain the choice of a candidate; None if it is the one that is asked against, or there is no such one."""
    order = sorted(range(len(scores)), key=lambda k: (-scores[k], k))
    other = against_candidate(asked)
    if other is None:
        other = order[1] if len(order) > 1 else None
    elif other >= len(scores) or other == order[0]:
        return None
    if other is None:
        return line_of(number, "candidate", f"candidate {order[0] + 1}", None, 0.0, scale, [], None)
    found = features(order[0], other)
    margin = scores[order[0]] - scores[other]
    flipped = fewest(sums_of(found), margin, other < order[0])
    name = f"candidate {other + 1}"
    flip = None if flipped is None else (name, flipped)
    return line_of(number, "candidate", f"candidate {order[0] + 1}", name, margin, scale, found, flip)
