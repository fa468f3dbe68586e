"""Lines of a template that bring nothing: which they are, and a model that does without them.

A line is tried by scoring the trained model on held-out data as if the weights of the line's features were 0: the same
weights under a template without the line do that, and no training is needed. The lines are tried one by one, then
together: the line that costs the least score is left out first, and each further line is left out, too, if the score
without all of them has fallen by at most the given points. Then a model is trained without them. If it is not smaller,
or much worse than the estimate, all lines stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sapwood.errors import OptionError, SapwoodError
from sapwood.events import Callback
from sapwood.model.file.schema import ModelFile
from sapwood.model.small import Goal
from sapwood.options import Values

SLACK = 0.2  # points of the score that training without the lines may lose in addition to the given ones


def feature_lines(template: str, task: str) -> list[int]:
    """Return the numbers of the lines that make features: no comments, no names of sections, no tests of words.

    >>> feature_lines("# words\\nU00:%x[0,0]\\n\\nU01:%x[1,0]", "tag")
    [1, 3]
    """
    no_features = ("#", "[", "S") if task == "classify" else ("#", "[")
    lines = map(str.strip, template.split("\n"))
    return [k for k, line in enumerate(lines) if line and not line.startswith(no_features)]


def without_lines(template: str, dropped: Sequence[int]) -> str:
    """Return a template without the lines with these numbers."""
    return "\n".join(line for k, line in enumerate(template.split("\n")) if k not in dropped)


def under_template(model: ModelFile, template: str) -> ModelFile:
    """Return a model with another template, and with the word lists that this template names."""
    named = [(template.find(f'"{name}"'), name, words) for name, words in model.word_lists]
    used = [(name, words) for at, name, words in sorted(named, key=lambda each: each[0]) if at >= 0]
    return model.replaced(template=template, word_lists=used)


def useless_lines(lines: Sequence[int], score: Callable[[Sequence[int]], float], points: float) -> list[int]:
    """Return the lines that are left out, in ascending order.

    score : percent, of a model without some lines; -infinity if there is no such model
    points : of the score that may be lost, all lines together

    >>> useless_lines([1, 2, 3], lambda dropped: 90 - sum({1: 0, 2: 5, 3: 0.1}[line] for line in dropped), 0)
    [1]
    """
    least = score([]) - points
    alone = {line: score([line]) for line in lines}
    dropped: list[int] = []
    for line in sorted(lines, key=lambda each: -alone[each]):
        if len(dropped) + 1 < len(lines) and score([*dropped, line]) >= least:
            dropped.append(line)
    return sorted(dropped)


def fit_without_lines(
    model: Any,
    points: float,
    goal: Goal,
    data: object,
    /,
    *,
    dev: object = None,
    dev_fraction: float | None = None,
    on_event: Callback | None = None,
) -> Any:
    """Train a model that is to be made small without the lines of its template that bring nothing, and return it.

    model : a learner that is not fitted
    points : of the score on held-out data that may be lost by leaving out lines
    goal : how small the model shall be
    data, dev, dev_fraction : as its `fit` takes them

    Raises OptionError if it has no template, or no held-out data, and what `fit` raises.
    """
    template = model.get_params().get("template")
    if not isinstance(template, str):
        raise OptionError(f"a {model.noun} has no template, so it has no lines to leave out")
    if dev is None and dev_fraction is None:
        raise OptionError("drop_lines needs held-out data: give dev or dev_fraction")
    held_out = {"dev": dev, "dev_fraction": dev_fraction, "on_event": on_event}
    whole = _copied(model, {})
    dropped: list[int] = []
    before = 0.0

    def find(file: ModelFile, score_of: Callable[[ModelFile], float]) -> None:
        nonlocal template, before
        template = file.template

        def score(lines: Sequence[int]) -> float:
            try:
                return score_of(under_template(file, without_lines(file.template, lines)))
            except SapwoodError:
                return float("-inf")

        before = score([])
        dropped.extend(useless_lines(feature_lines(template, model.task), score, points))

    whole.fit(data, **held_out, on_trained=find)
    if not dropped:
        return model.fit(data, **held_out, small=goal)
    small = _copied(model, {"template": without_lines(template, dropped)}).fit(data, **held_out, small=goal)
    assert small.small_ is not None
    first = small.small_.curve[0]
    if first.score is None or first.score < before - points - SLACK or first.bytes > whole.model_.size():
        return model.fit(data, **held_out, small=goal)
    lines = template.split("\n")
    small.small_ = small.small_._replace(lines=tuple(lines[line] for line in dropped))
    return small


def _copied(model: Any, changed: Values) -> Any:
    """Return another object with the same options but for some."""
    return type(model)(**model.get_params() | changed)
