"""What a checker says: a verdict, which is "right", "not yet" with what differs, or "not written yet"."""

import linecache
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from html import escape
from pathlib import Path
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
C = TypeVar("C")  # a case
Vector = Mapping[Any, float]

# The laboratory and Python's own library; what stands elsewhere in a traceback is the student's.
_OTHERS = (Path(__file__).parents[2], Path(linecache.__file__).parent)


class Differs(Exception):
    """A sentence for the student that says in what her function differs from what it should do."""


@dataclass(frozen=True)
class Verdict:
    """The result of a check, which a notebook shows below the cell."""

    passed: bool
    message: str

    def __repr__(self) -> str:
        return self.message

    def _repr_html_(self) -> str:
        colour = "#2e7d32" if self.passed else "#b3541e"
        style = f"border-left: 4px solid {colour}; padding: 0.3em 0.8em; white-space: pre-wrap"
        return f'<div style="{style}">{escape(self.message)}</div>'


def checker(check: Callable[..., str]) -> Callable[..., Verdict]:
    """Make a checker of a function that returns what it compared, and raises `Differs` for what differs.

    >>> @checker
    ... def two(mine):
    ...     if mine() != 2:
    ...         raise Differs(f"it is {mine()}, and not two")
    ...     return "it is two"
    >>> def hole():
    ...     raise NotImplementedError
    >>> two(lambda: 2), two(lambda: 3)
    (right: it is two, not yet: it is 3, and not two)
    >>> two(hole)
    not written yet (`raise NotImplementedError` is still in it)
    >>> two(lambda: int("two"))
    not yet: your code stopped with ValueError: invalid literal for int() with base 10: 'two'
    """

    @wraps(check)
    def checked(*answers: Any) -> Verdict:
        try:
            return Verdict(True, f"right: {check(*answers)}")
        except Differs as differs:
            return Verdict(False, f"not yet: {differs}")
        except NotImplementedError as hole:
            where = f"not written yet: {hole}" if str(hole) else "not written yet"
            return Verdict(False, f"{where} (`raise NotImplementedError` is still in it)")
        except Exception as error:
            return Verdict(False, f"not yet: {_stopped(error)}")

    return checked


def differs(message: str) -> NoReturn:
    """Say what differs."""
    raise Differs(message)


def instance(value: object, kind: type[T], what: str) -> T:
    """Return a value that a student's function gave, if it is of a kind; `what` is called so in the message."""
    if value is None:
        raise Differs(f"{what} is None: does the function end with `return`?")
    if kind is float and isinstance(value, int):
        value = float(value)
    if not isinstance(value, kind):
        raise Differs(f"{what} should be a {kind.__name__}, and is {shown(value)} ({type(value).__name__})")
    return value


def same_weights(mine: Vector, right: Vector) -> str | None:
    """Return a weight by which two vectors differ, in words, or None. Weights of 0 may be missing.

    >>> same_weights({"a": 1.0, "b": 0.0}, {"a": 1})
    >>> same_weights({"a": 2.0}, {"a": 1})
    "the weight of 'a' is 2, which is too large"
    """
    for k in [*right, *mine]:
        difference = mine.get(k, 0.0) - right.get(k, 0.0)
        if abs(difference) > 1e-9:
            size = "large" if difference > 0 else "small"
            there = f"is {mine[k]:g}" if k in mine else "is missing, so 0"
            return f"the weight of {k!r} {there}, which is too {size}"
    return None


def slip(mine: Callable[[C], Any], cases: Sequence[C], slips: Mapping[str, Callable[[C], Any]]) -> str:
    """Return the name of the typical mistake whose answers are those of `mine`, or an empty text.

    Cases at which `mine` stops with an error do not count.

    >>> slip(lambda x: x + x, [1, 2, 3], {"the square": lambda x: x * x, "the double": lambda x: 2 * x})
    'the double'
    """
    answers = []
    for case in cases:
        with suppress(Exception):
            answers.append((case, mine(case)))
    for name, mistaken in slips.items():
        with suppress(ArithmeticError):
            if answers and all(mistaken(case) == answer for case, answer in answers):
                return name
    return ""


def shown(value: object) -> str:
    """Return a value in at most 80 characters."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _stopped(error: Exception) -> str:
    """Say where a student's function stopped with an error: in which line, and in which one that was called there."""
    said = f"your code stopped with {type(error).__name__}: {error}"
    if isinstance(error, KeyError):
        said += ", which is not in the dict"
    frames = traceback.extract_tb(error.__traceback__)
    mine = [frame for frame in frames if not any(Path(frame.filename).is_relative_to(each) for each in _OTHERS)]
    if not mine:
        return f"the checker can't use your function, or what it returned: {type(error).__name__}: {error}"
    lines = [linecache.getline(each.filename, each.lineno or 0).strip() for each in mine if "<doc" not in each.filename]
    lines = [line for line in lines if line]
    if lines:
        said += f"\n    in the line  {lines[0]}"
    if lines and lines[-1] != lines[0]:
        said += f"\n    and there in  {lines[-1]}"
    return said
