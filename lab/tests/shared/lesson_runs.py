"""Lessons that run as a notebook does: cell after cell, in one namespace."""

import ast
import linecache
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from sapwood_lab.lessons.check.verdict import Verdict
from sapwood_lab.lessons.notebook import cells, lessons, solutions_of, solved


class Ran(NamedTuple):
    """A cell of code that ran: its value, which a notebook shows, and the error that stopped it."""

    exercise: str | None  # that stands last, in this cell or before it
    value: object
    error: Exception | None


def lesson(number):
    """The file of a lesson."""
    return next(path for path in lessons() if path.name.startswith(f"lesson_{number}_"))


def solutions(number):
    """The solutions of a lesson, by their exercises."""
    text = solutions_of(lesson(number)).read_text("utf-8")
    return {cell.exercise: cell.source for cell in cells(text)}


def run(text, only=None, namespace=None):
    """Run the cells of a lesson as someone does who goes on after an error.

    only : an exercise up to whose verdict they run; of the cells before it only what defines something, which is quick
    """
    namespace, ran, exercise = {"__name__": "__main__"} if namespace is None else namespace, [], None
    for number, cell in enumerate(cells(text)):
        if cell.exercise and exercise == only is not None:
            break
        exercise = cell.exercise or exercise
        if not cell.prose:
            value, error = None, None
            try:
                value = evaluate(cell.source, namespace, f"<cell {number}>", only not in (None, exercise))
            except Exception as caught:
                error = caught
            ran.append(Ran(exercise, value, error))
            if exercise == only is not None and isinstance(value, Verdict) and not value.passed:
                break
    return ran


def evaluate(source, namespace, name, quick=False):
    """Run a cell, or without its expressions and loops; return the value of its last line if that is an expression."""
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    body = [part for part in ast.parse(source).body if not (quick and isinstance(part, ast.Expr | ast.For))]
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), name, "exec"), namespace)
    return last and eval(compile(last, name, "eval"), namespace)


def verdicts(ran):
    """The verdict on each exercise: the first that does not pass, or the last."""
    found = {}
    for cell in ran:
        if isinstance(cell.value, Verdict) and (cell.exercise not in found or found[cell.exercise].passed):
            found[cell.exercise] = cell.value
    return found


def with_answers(number, answers):
    """The text of a lesson in which some exercises are answered, and the others are holes."""
    text = lesson(number).read_text("utf-8")
    for cell in cells(text):
        if cell.exercise in answers:
            text = text.replace(cell.source, answers[cell.exercise])
    return text


def wrong(number, exercise, old, new):
    """The verdict on a solution with a typical mistake: `new` in the place of `old`."""
    answers = solutions(number)
    assert old in answers[exercise], f"{old!r} is not in the solution of {exercise}"
    answers[exercise] = answers[exercise].replace(old, new)
    return verdicts(run(with_answers(number, answers), only=exercise))[exercise]


@cache
def finished(number):
    """The names of a lesson after it has run with its solutions, once for all tests that want them."""
    namespace = {"__name__": "__main__"}
    assert not [cell.error for cell in run(solved(lesson(number)), namespace=namespace) if cell.error]
    return namespace


def wrong_at_last(number, exercise, old, new):
    """As `wrong`, but in the lesson as it is when all of it has run: for mistakes that come after long cells."""
    answer = solutions(number)[exercise]
    assert old in answer, f"{old!r} is not in the solution of {exercise}"
    namespace, code = (
        dict(finished(number)),
        [cell for cell in cells(lesson(number).read_text("utf-8")) if not cell.prose],
    )
    [check] = [after.source for cell, after in pairwise(code) if cell.exercise == exercise]
    evaluate(answer.replace(old, new), namespace, f"<{exercise}>")
    return evaluate(check, namespace, f"<check of {exercise}>")
