"""The share of development data whose labels are wrong, as a calibrated model's answers show it.

Answers become right the more often the surer the model is, s(x) = 1 / (1 + exp(-a x - b)) of the logit x of the
confidence, and wrong labels, the share e spread evenly over k labels, bound what can be seen of that:

    P(answer and label agree) = (1 - e) s(x) + e / (k - 1) (1 - s(x))

The three numbers are those of the greatest likelihood, found by expectation maximisation (Dempster, Laird & Rubin 1977)
over whether an answer is right. e counts if it is over a hundredth and the likelihood without it is less than chance
allows (a one-sided likelihood ratio test at 5 %).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

_LEAST = 0.01
_RATIO = 2.706  # twice the logarithm of the likelihood ratio, 5 % of one side of chi-squared with one degree of freedom
_MOST = 5000  # answers that are looked at
_ROUNDS = 150
_LOGIT = 12.0  # logits lie between minus this and this


def estimated_noise(confidences: Sequence[float], right: Sequence[bool], labels: int) -> float:
    """Return the share of wrong labels, 0 if it may be chance.

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
        if e:
            e = min(max(wrong_labels / len(xs), 1e-6), 0.4)
        a, b = _newton(xs, is_right, a, b)
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
