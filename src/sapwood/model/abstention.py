"""Abstaining: a calibrated model gives an answer only if it is sure enough.

The least confidence is fitted on development data: the lowest one with which the answers that are given reach a
precision, or the one with which a share of all answers is given (coverage). The 95 % interval of the precision is
Wilson's; it says what so much development data can tell.

Labels of development data are wrong, too, and the share of them, the noise, bounds the precision that can be seen: of
answers that are all right, as many seem wrong. If there surely is noise (`estimated_noise`), a warning says so,
and precisions are corrected: with the noise e, spread evenly over k labels, answers of precision p seem right in the
share

    q = p (1 - e) + (1 - p) e / (k - 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, floor, log, sqrt
from typing import NamedTuple, TypedDict, Unpack

import sapwood._core as _core
from sapwood.errors import DataError, OptionError, warn
from sapwood.model.file.records import Abstention

NO_ABSTENTION = "the model does not abstain; calibrate it with a precision or a coverage"
NEVER = 2.0  # the least confidence of an answer that is never given
_FEWEST = 50  # answers; labels with fewer share the threshold of all
_LEAST = 0.01
_RATIO = 2.706  # twice the logarithm of the likelihood ratio, 5 % of one side of chi-squared with one degree of freedom
_MOST = 5000  # answers that are looked at
_ROUNDS = 150  # at most
_STILL = 1e-9  # a round that changes no number by more is the last
_LOGIT = 12.0  # logits lie between minus this and this


def wilson_interval(right: float, of: float) -> tuple[float, float]:
    """Return the 95 % interval of a share, 0 to 1 (Wilson 1927; Brown, Cai & DasGupta 2001).

    >>> [round(end, 4) for end in wilson_interval(95, 100)]
    [0.8882, 0.9785]
    """
    if not of:
        return 0.0, 1.0
    z, share = 1.959964, right / of
    middle = share + z * z / (2 * of)
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return max((middle - half) / (1 + z * z / of), 0.0), min((middle + half) / (1 + z * z / of), 1.0)


class Target(NamedTuple):
    """The precision or coverage that is wanted."""

    precision: float | None = None
    coverage: float | None = None
    by_label: bool = False
    noise: float | None = None  # the share of wrong labels in the development data, if it is known

    def check(self) -> None:
        """Raise OptionError if it is no share, or both."""
        wanted = [value for value in (self.precision, self.coverage) if value is not None]
        if len(wanted) != 1 or not 0 < wanted[0] <= 1:
            raise OptionError("to abstain, give either a precision or a coverage, a share over 0 and up to 1")
        if self.noise is not None and not 0 <= self.noise < 0.5:
            raise OptionError(f"noise is a share from 0 up to 0.5, not {self.noise}")


class Abstain(TypedDict, total=False):
    """Keyword arguments of `calibrate`: the fields of Target."""

    precision: float | None
    coverage: float | None
    by_label: bool
    noise: float | None


def target_of(**abstain: Unpack[Abstain]) -> Target | None:
    """Return the target of arguments of `calibrate`, None if there is none. Raises OptionError."""
    target = Target(**abstain)
    if target.precision is None is target.coverage:
        if target.by_label or target.noise is not None:
            raise OptionError("by_label and noise go with a precision or a coverage")
        return None
    target.check()
    return target


class Answered(NamedTuple):
    """The answers of a model to development data."""

    confidences: Sequence[float]
    right: Sequence[bool]
    labels: Sequence[int]  # number of each answer's label
    kinds: int  # number of the labels that there are

    def of_label(self, label: int) -> Answered:
        chosen = [k for k, y in enumerate(self.labels) if y == label]
        return Answered([self.confidences[k] for k in chosen], [self.right[k] for k in chosen], [], self.kinds)

    def precision(self, right: float, given: int, noise: float) -> float:
        """Return the precision of so many answers, corrected for noise (the formula above)."""
        seen, chance = right / given, noise / max(self.kinds - 1, 1)
        return min(max((seen - chance) / (1 - noise - chance), 0.0), 1.0)

    def threshold(self, target: Target, noise: float) -> float:
        """Return the least confidence of the answers that are given, NEVER if none of them reach the precision."""
        order = sorted(range(len(self.right)), key=lambda k: -self.confidences[k])
        found, right = NEVER, 0
        for given, k in enumerate(order, 1):
            right += self.right[k]
            if given < len(order) and self.confidences[order[given]] == self.confidences[k]:
                continue  # equally sure answers are given together
            if target.precision is None:
                assert target.coverage is not None
                found = self.confidences[k]
                if given >= target.coverage * len(order):
                    break
            elif self.precision(right, given, noise) >= target.precision:
                found = self.confidences[k]
        return found if found == NEVER else floor(found * 1e4) / 1e4  # as they are written, confidences are rounded


def fit_abstention(answered: Answered, target: Target, name: str) -> Abstention:
    """Fit the least confidences to development data, which are called `name`. Warn if their labels are noisy.

    Raises OptionError for a target that is none, DataError if no answers reach the precision.
    """
    noise = target.noise
    if noise is None and (noise := estimated_noise(answered.confidences, answered.right, answered.kinds)):
        message = f"about {100 * noise:.1f} % of the labels are wrong, as even sure answers disagree with so many"
        warn(f"{name}: {message}; precisions are corrected by that share ('sapwood suspects' finds such labels)")
    noise = noise or 0.0
    common = answered.threshold(target, noise)
    thresholds = [common]
    if target.by_label:
        groups = map(answered.of_label, range(answered.kinds))
        thresholds = [each.threshold(target, noise) if len(each.right) >= _FEWEST else common for each in groups]
    given = [
        k for k, p in enumerate(answered.confidences) if p >= thresholds[answered.labels[k] if target.by_label else 0]
    ]
    if not given:
        raise DataError(f"{name}: no answers reach this precision; ask for less, or give more data")
    right = sum(answered.right[k] for k in given)
    interval = [answered.precision(end, 1, noise) for end in wilson_interval(right, len(given))]
    return Abstention(
        target="coverage" if target.precision is None else "precision",
        value=target.coverage if target.precision is None else target.precision,  # type: ignore[typeddict-item]
        thresholds=thresholds,
        coverage=len(given) / len(answered.right),
        precision=answered.precision(right, len(given), noise),
        interval=interval,
        noise=noise,
    )


def checked_thresholds(abstention: Abstention | None, labels: int) -> list[float] | None:
    """Return the least confidence for each of so many labels; None without. Raises ModelError if they are not those."""
    return None if abstention is None else _core.checked_thresholds(abstention["thresholds"], labels)


def abstention_report(found: Abstention) -> str:
    """Return the coverage and the precision in words."""
    low, high = (100 * end for end in found["interval"])
    sure = found["thresholds"]
    least = f"{min(sure):.2f} on" if len(sure) == 1 else f"{min(sure):.2f} to {min(max(sure), 1):.2f} on, by label"
    return (
        f"answers from confidence {least}: {100 * found['coverage']:.1f} % of all, of which "
        f"{100 * found['precision']:.1f} % are right (95 % interval {low:.1f} to {high:.1f})"
    )


def estimated_noise(confidences: Sequence[float], right: Sequence[bool], labels: int) -> float:
    """Return the share of wrong labels, 0 if it may be chance.

    Answers become right the more often the surer the model is, s(x) = 1 / (1 + exp(-a x - b)) of the logit x of the
    confidence, and wrong labels, the share e spread evenly over k labels, bound what can be seen of that:

        P(answer and label agree) = (1 - e) s(x) + e / (k - 1) (1 - s(x))

    The three numbers are those of the greatest likelihood, found by expectation maximisation (Dempster, Laird & Rubin
    1977) over whether an answer is right. e counts if it is over a hundredth and the likelihood without it is less than
    chance allows (a one-sided likelihood ratio test at 5 %).

    confidences : of answers; right : whether they agree with their labels, of which there are so many
    """
    step = 1 + len(right) // _MOST
    xs = [_logit(p) for p in confidences[::step]]
    agree = right[::step]
    noise, likelihood = _fitted(xs, agree, labels, 0.02)
    _, without = _fitted(xs, agree, labels, 0.0)
    return noise if noise > _LEAST and 2 * (likelihood - without) > _RATIO else 0.0


def _fitted(xs: Sequence[float], agree: Sequence[bool], labels: int, e: float) -> tuple[float, float]:
    """Return the noise and the log-likelihood, beginning with the noise e; 0 stays."""
    a, b, chance = 1.0, 0.5, 1 / max(labels - 1, 1)
    likelihood = 0.0
    for _ in range(_ROUNDS):
        likelihood, wrong_labels = 0.0, 0.0
        is_right = []  # probabilities
        for x, agrees in zip(xs, agree, strict=True):
            s = _sigmoid(a * x + b)
            if agrees:
                both, neither = (1 - e) * s, e * chance * (1 - s)
            else:
                both, neither = e * s, (1 - e * chance) * (1 - s)
            total = max(both + neither, 1e-300)
            likelihood += log(total)
            w = both / total
            is_right.append(w)
            wrong_labels += 1 - w if agrees else w + (1 - w) * e * (1 - chance) / (1 - e * chance)
        before = a, b, e
        if e:
            e = min(max(wrong_labels / len(xs), 1e-6), 0.4)
        a, b = _newton(xs, is_right, a, b)
        if all(abs(new - old) < _STILL for new, old in zip((a, b, e), before, strict=True)):
            break
    return e, likelihood


def _newton(xs: Sequence[float], targets: Sequence[float], a: float, b: float) -> tuple[float, float]:
    """Return the numbers of the logistic curve after one step of Newton's method."""
    gb = ga = hbb = hba = haa = 0.0
    for x, target in zip(xs, targets, strict=True):
        s = _sigmoid(a * x + b)
        d, v = target - s, max(s * (1 - s), 1e-9)
        gb, ga = gb + d, ga + d * x
        hbb, hba, haa = hbb + v, hba + v * x, haa + v * x * x
    determinant = hbb * haa - hba * hba + 1e-9
    step = (
        max(-2.0, min(2.0, (hbb * ga - hba * gb) / determinant)),
        max(-2.0, min(2.0, (haa * gb - hba * ga) / determinant)),
    )
    return a + step[0], b + step[1]


def _sigmoid(value: float) -> float:
    return 1 / (1 + exp(-value)) if value >= 0 else exp(value) / (1 + exp(value))


def _logit(p: float) -> float:
    if p <= 0 or p >= 1:
        return -_LOGIT if p <= 0 else _LOGIT
    return min(max(log(p / (1 - p)), -_LOGIT), _LOGIT)
