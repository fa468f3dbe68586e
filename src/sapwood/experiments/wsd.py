"""Word senses: Senseval's "interest" by ten-fold cross-validation, beside other learners on the same features.

The shipped template ``wsd`` and the options of "sapwood" were chosen by the accuracy on six other shuffles (seeds 11 to
16) of the same examples, as the strengths of the baselines were: a corpus of 2,368 examples leaves nothing aside.
"""

from collections.abc import Callable
from typing import Any

from sapwood.datasets.corpora import sense_corpus
from sapwood.experiments.classification import (
    Problem,
    Result,
    System,
    baselines,
    format_results,
    ours,
    problem_of,
    run_folds,
)
from sapwood.learning.cross_validation import stratified_folds

__all__ = ["STRENGTHS", "run", "systems"]

STRENGTHS = {"smoothing": 0.5, "maxent": 5.0, "svm": 0.05}  # of the baselines

_FOLDS = 10
_SHUFFLES = (1, 2, 3)
_BEST: dict[str, Any] = {"update": "margin", "gamma": 1.0, "min_updates": 5, "epochs": 10}


def systems() -> list[System]:
    """Return ours, the best one first, and the baselines."""
    plain = {"update": "perceptron", "min_updates": 1}
    return [
        ours("sapwood: margin, SAP5", **_BEST),
        ours("margin", **{**_BEST, "min_updates": 1}),
        ours("averaged perceptron", **plain),
        ours("voted perceptron", **plain, voted=True),
        ours("perceptron", **plain, average=False),
        *baselines(**STRENGTHS),
    ]


def run(data: str | None, on_start: Callable[[str, str], None]) -> tuple[str, list[dict[str, Any]]]:
    """Return the tables as text, and their rows for ``--json``. Raises DataError if the corpus is not there."""
    name, examples = sense_corpus(data)
    problem = problem_of(name, examples, template="wsd")
    gold = problem.data.gold
    shuffles = [stratified_folds(gold, _FOLDS, seed) for seed in _SHUFFLES]
    results = run_folds(problem, systems(), shuffles, on_start)
    lines = [
        f"{name}: {len(gold):,} examples, {len(problem.data.labels)} senses; template wsd, {_FOLDS} folds, "
        f"mean of {len(_SHUFFLES)} shuffles; p: sign test of the first row against each, first shuffle",
        format_results(results, gold, best=results[0]),
    ]
    lecture = problem_of(name, examples, template="lecture")
    on_start(name, "the lecture's features")
    by_lecture = run_folds(lecture, [ours("the lecture's features, SAP5", **_BEST)], shuffles, lambda *_: None)
    joint = problem_of(name, sense_corpus(data, tag_in_label=True)[1], template="wsd")
    on_start(name, "tag and sense as one label")
    shuffles = [stratified_folds(joint.data.gold, _FOLDS, seed) for seed in _SHUFFLES]
    by_both = run_folds(joint, [ours("tag and sense as one label, SAP5", **_BEST)], shuffles, lambda *_: None)
    alone = _accuracy_of_senses(joint, by_both[0])
    lines += [
        "",
        format_results(by_lecture, gold),
        "",
        format_results(by_both, joint.data.gold),
        f"of its senses {alone:.2f} are right, whatever the tag",
    ]
    rows = [{"corpus": name, **result.as_dict(gold)} for result in (*results, *by_lecture)]
    rows.append({"corpus": name, **by_both[0].as_dict(joint.data.gold), "accuracy_of_senses": alone})
    return "\n".join(lines), rows


def _accuracy_of_senses(problem: Problem, result: Result) -> float:
    """Return the percentage of labels whose part behind the tag is right."""
    senses = [label.partition(":")[2] for label in problem.data.labels]
    gold = problem.data.gold
    right = sum(senses[g] == senses[h] for guess in result.guesses for g, h in zip(gold, guess, strict=True))
    return 100 * right / (len(gold) * len(result.guesses))
