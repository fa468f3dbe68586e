"""Updates of the laboratory as text: the decision, its mistakes, and the weights before and after.

>>> from sapwood_lab.greedy import GreedyTagger
>>> step = next(GreedyTagger("U:%x[0,0]\\nB\\n").steps([[("the", "D"), ("dog", "N")]]))
>>> print(text_step(step))
update 1: pass 1, after 1 decision
token 2, dog
gold   N
guess  D
feature                           weight of               before  after  updates
U:dog                             N                            0      1        1
B y[-1]=D                         N                            0      1        1
U:dog                             D                            0     -1        1
B y[-1]=D                         D                            0     -1        1
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

from sapwood_lab.base.drawing.sentence import Paint, cells, fitted, printable, unpainted
from sapwood_lab.base.drawing.terminal import text_tree

Step = Any  # an update, of the laboratory or of any learner whose updates have the attributes of `sapwood_lab.Step`
_NUMBERS = 24  # terminal columns of a weight before and after the update, and of the number of updates
CANDIDATES = 10  # at most so many of a list are shown
_OUTPUT = 22  # terminal columns of the output that a weight is for


class WeightRow(NamedTuple):
    """A weight that an update changed."""

    feature: str
    output: str
    before: float
    after: float
    updates: int  # U, of the feature


def text_step(step: Step, top: int = 8, width: int = 80, paint: Paint = unpainted) -> str:
    """Return an update as text of at most `width` terminal columns, with the `top` weights that changed most.

    paint : gives a text the style "bold", "red" or "green"
    """
    lines = [paint(heading(step), "bold"), *_decision_lines(step, width, paint)]
    rows = weight_rows(step)
    room = width - _NUMBERS - _OUTPUT - 2
    lines.append(f"{fitted('feature', room)}  {fitted('weight of', _OUTPUT)}{'before':>8}{'after':>7}{'updates':>9}")
    for row in rows[:top]:
        names = f"{fitted(printable(row.feature), room)}  {fitted(printable(row.output), _OUTPUT)}"
        after = paint(f"{number(row.after):>7}", "green" if row.after > row.before else "red")
        lines.append(f"{names}{number(row.before):>8}{after}{row.updates:9}")
    if len(rows) > top:
        lines.append(f"and {len(rows) - top} other weights")
    return "\n".join(line.rstrip() for line in lines)


def heading(step: Step) -> str:
    """Return the number of an update, and its time."""
    return f"update {step.number}: pass {step.epoch}, after {step.clock} decision{'s' * (step.clock != 1)}"


def weight_rows(step: Step) -> list[WeightRow]:
    """Return the weights that an update changed, those that changed most first, then those that grew."""
    rows = [
        WeightRow(key[0], output_name(key[1]), step.before[key], step.after[key], step.counts[key])
        for key in step.violation
    ]
    return sorted(rows, key=lambda row: (-abs(row.after - row.before), row.before - row.after))


def number(value: float) -> str:
    """Return a weight or score in four digits; what is 0 but for rounding is 0."""
    return f"{round(value, 5) + 0.0:.4g}"


def output_name(output: object) -> str:
    """Return the name of a weight's output: a label, labels side by side, a move."""
    return " ".join(map(str, output)) if isinstance(output, tuple) else str(output)


def step_words(step: Step) -> list[str]:
    """Return the words of an update's sentence, if it is about one."""
    match step.input:
        case [tuple(), *_] as rows:
            return [str(row[0]) for row in rows]
    return []


def _decision_lines(step: Step, width: int = 80, paint: Paint = unpainted) -> list[str]:
    """Return gold and guess of an update, and the words they are about, as lines of at most `width` columns."""
    words = step_words(step)
    if hasattr(step.gold, "heads"):
        drawn = [text_tree(words, y.heads, y.deprels, width=width - 8).split("\n") for y in (step.gold, step.guess)]
        wrong = [a != b for a, b in zip(step.gold.heads, step.guess.heads, strict=True)]
        return ["gold", *drawn[0], "guess", *_marked(drawn[1], wrong, paint)]
    match step.gold, step.guess:
        case tuple() as gold, tuple() as guess:
            columns = [("word", *words), ("gold", *gold), ("guess", *guess)]
            widths = [min(max(cells(printable(text)) for text in column), width // 4) for column in columns]
            rows = [
                "  ".join(fitted(printable(text), w) for text, w in zip(row, widths, strict=True))
                for row in zip(*columns, strict=True)
            ]
            return _marked(rows, [False, *(a != b for a, b in zip(gold, guess, strict=True))], paint)
    lines = wrap(printable(" ".join(words) or step_place(step.input)), width)
    for name, text in answers(step):
        lines += wrap(f"{name:7}{printable(text)}", width, subsequent_indent=" " * 7, break_on_hyphens=False)
    return lines


def answers(step: Step) -> list[tuple[str, str]]:
    """Return gold and guess of a decision as text: a label, or one of several candidates, all with their scores."""
    pair = [("gold", step.gold), ("guess", step.guess)]
    if not (letter := getattr(step.search, "letter", "")):
        return [(name, str(answer)) for name, answer in pair]
    pair += [("other", j) for j in range(len(step.input)) if j not in (step.gold, step.guess)]
    letter, cost = (f"{letter} + cost", " + {1}") if step.margin else (letter, "")
    form = f"{letter} = {{0}}{cost}  "
    scored = [*zip(map(number, step.search.scores), map(number, step.search.costs), strict=True)]
    return [(name, form.format(*scored[j]) + str(step.input[j])) for name, j in pair[:CANDIDATES]]


def _marked(lines: Sequence[str], wrong: Sequence[bool], paint: Paint) -> list[str]:
    return [f"{line}  {paint('wrong', 'red')}" if w else line for line, w in zip(lines, wrong, strict=True)]


def step_place(x: object) -> str:
    """Return the subject of a decision that is not about a whole sentence: a token and its number, say."""
    match x:
        case tuple():
            return f"token {x[0] + 1}, {x[1]}"
        case list():
            return f"{len(x)} candidates"
    return str(x)
