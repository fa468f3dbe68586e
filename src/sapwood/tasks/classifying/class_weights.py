"""Weights of classes and of examples: factors of the steps that training takes."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import compress
from math import isfinite
from numbers import Real
from typing import Any, SupportsFloat

from sapwood.errors import DataError, OptionError, warn
from sapwood.io.examples import Examples
from sapwood.tasks.classifying.given_labels import one_column

_MOST = 1e6
_HEAVY, _FEW = 10, 20  # weights from 10 up are warned of, where fewer than 20 examples have them

ClassWeight = Mapping[Hashable, float] | str | None  # "balanced", or a weight for each label, also as text: a=2,b=0.5


def class_weights(given: ClassWeight) -> dict[str, float] | str | None:
    """Return None, "balanced", or the weight of each label that has one. Raises OptionError for anything else.

    >>> class_weights("spam=2,ham=0.5")
    {'spam': 2.0, 'ham': 0.5}
    """
    pairs: list[tuple[object, object]] = []
    match given:
        case None | "balanced":
            return given
        case Mapping():
            pairs = list(given.items())
        case str():
            parts = (part.rpartition("=") for part in given.split(","))
            pairs = [(label, _number(number)) for label, _, number in parts]
    found = {str(label): weight for label, weight in pairs}
    if not found or "" in found or len(found) != len(pairs) or not all(map(_is_weight, found.values())):
        raise OptionError(
            f"class_weight is balanced, or LABEL=WEIGHT,... with weights above 0 and up to 1,000,000, not {given!r:.80}"
        )
    return {label: float(weight) for label, weight in found.items()}  # type: ignore[arg-type]


def weights_by_label(given: ClassWeight, counts: Mapping[int, int], labels: Sequence[str]) -> list[float]:
    """Return the weight of the examples of each label, or an empty list if nothing changes.

    counts : how many examples have each label

    "balanced" lets all labels weigh the same: n / (labels * examples of the label). Raises DataError if a weight is
    given for a label that the data do not have.
    """
    weights = class_weights(given)
    if weights is None:
        return []
    if isinstance(weights, str):
        n = sum(counts.values())
        return [n / (len(counts) * counts[y]) if y in counts else 1.0 for y in range(len(labels))]
    if unknown := [label for label in weights if label not in labels]:
        known = ", ".join(labels)
        raise DataError(f"class_weight has the label {unknown[0]!a}, and the training data do not; they have {known}")
    return [weights.get(label, 1.0) for label in labels]


def label_weights(
    given: ClassWeight, counts: Mapping[int, int], labels: Sequence[str], n: int
) -> list[tuple[float, float]]:
    """Return for each label of a multi-label model the factors of steps for it and against it, or an empty list.

    A label's weight is that of the steps for it. Balanced, both sides weigh the same: n / (2 * n of the side). Raises
    what `weights_by_label` does.
    """
    if given != "balanced":
        return [(weight, 1.0) for weight in weights_by_label(given, counts, labels)]
    have = [counts.get(y, 0) for y in range(len(labels))]
    return [(n / (2 * k) if k else 1.0, n / (2 * (n - k)) if n > k else 1.0) for k in have]


def warn_of_heavy(given: ClassWeight, counts: Mapping[int, int], labels: Sequence[str], n: int, sides: int) -> None:
    """Warn if balanced weights let a few examples of a label count much more than others.

    The classifier then learns for the label what these few happen to have. counts : how many of the `n` examples have
    each label; sides : how many groups weigh the same: all labels, or 2 for a label and all others
    """
    weights = {y: n / (sides * count) for y, count in counts.items() if count < _FEW} if given == "balanced" else {}
    if heavy := [y for y, weight in weights.items() if weight >= _HEAVY]:
        y = min(heavy, key=counts.__getitem__)
        what = f"gives the {counts[y]} examples of {labels[y]!a} a weight of {weights[y]:.0f} each"
        more = f" (and so with {len(heavy) - 1} more labels)" if len(heavy) > 1 else ""
        how = f"other labels may be recognised less well; class_weight {labels[y]}={_HEAVY},... sets weights by hand"
        warn(f"class_weight balanced {what}{more}: {how}")


def example_weights(given: Iterable[float], examples: int) -> list[float]:
    """Return the weights of examples. Raises DataError if they are not finite numbers from 0 up, one for each."""
    weights = one_column(given, "sample_weight")
    if len(weights) != examples:
        raise DataError(f"sample_weight: {examples} examples and {len(weights)} weights")
    for number, weight in enumerate(weights, 1):
        if not isinstance(weight, SupportsFloat) or not isfinite(weight) or weight < 0:  # type: ignore[operator]
            raise DataError(f"sample_weight: example {number}: a weight is a finite number from 0 up, not {weight}")
    return list(map(float, weights))


def member_weights(data: Examples, name: str) -> list[float]:
    """Return the weights that examples have as a member of their records. Raises DataError for one that is none."""
    if len(data.records) != len(data):
        raise OptionError("weight names a member of records: csv, jsonl or parquet")
    found = []
    for record in data.records:
        value = record.value(name)
        number = _number(str(value)) if isinstance(value, (str, int, float)) else None
        if number is None or not _is_weight(number):
            what = f"there is no weight in '{name}'" if value is None else f"'{name}' is {value!a:.40}"
            raise DataError(f"{record.where}: {what}; a weight is a number over 0")
        found.append(number)
    return found


def with_weights(
    examples: list[Any], labels: list[Any] | None, given: Iterable[float]
) -> tuple[list[Any], list[Any] | None, list[float]]:
    """Return examples, their labels and their weights without those of weight 0. Raises DataError."""
    weights = example_weights(given, len(examples))
    if labels is not None and len(labels) == len(examples):  # else the reader of the examples raises an error
        labels = list(compress(labels, weights))
    return list(compress(examples, weights)), labels, list(compress(weights, weights))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_weight(weight: object) -> bool:
    match weight:
        case bool():
            return False
        case Real():
            return 0 < float(weight) <= _MOST
    return False
