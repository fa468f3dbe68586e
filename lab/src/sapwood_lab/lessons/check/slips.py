"""Answers to small cases beside the right ones, and the typical mistakes that explain them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sapwood_lab.lessons.check.verdict import differs, same_weights, shown


class Tried(NamedTuple):
    """What a student's function gave in a case, what is right, and what each typical mistake would have given."""

    case: str
    got: Any  # a number, a dict of numbers, or what can be compared
    right: Any
    slips: Mapping[str, Any]  # from what is said of a mistake to what it gives


def compare(what: str, tried: Sequence[Tried]) -> None:
    """Raise Differs if an answer is wrong. A mistake is named if it explains all answers, the right ones, too.

    >>> compare("the sum", [Tried("for 1 and 2", 3, 3, {}), Tried("for 2 and 2", 4, 4, {})])
    >>> compare("the sum", [Tried("for 1 and 2", 2, 3, {"they are multiplied": 2}), Tried("for 2 and 2", 5, 4, {})])
    Traceback (most recent call last):
    sapwood_lab.lessons.check.verdict.Differs: the sum is 2, which is too small for 1 and 2
    """
    wrong = [each for each in tried if not _same(each.got, each.right)]
    if not wrong:
        return
    case, got, right, _ = wrong[0]
    if said := explanation(tried):
        differs(f"{said} ({case})")
    if isinstance(right, dict):
        differs(f"{what}: {same_weights(got, right)} {case}")
    if isinstance(right, int | float) and not isinstance(right, bool):
        differs(f"{what} is {got:g}, which is too {'large' if got > right else 'small'} {case}")
    differs(f"{what} should not be {shown(got)} {case}")


def explanation(tried: Sequence[Tried]) -> str:
    """Return the mistake that explains all answers, or an empty text."""
    names = [said for said in tried[0].slips if all(said in each.slips for each in tried)]
    return next((said for said in names if all(_same(each.got, each.slips[said]) for each in tried)), "")


def _same(a: Any, b: Any) -> bool:
    """Return whether two answers are the same, but for rounding."""
    if isinstance(a, dict) and isinstance(b, dict):
        return same_weights(a, b) is None
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) <= 1e-9 * max(1.0, abs(b))
    return bool(a == b)
