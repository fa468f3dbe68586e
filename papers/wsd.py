"""Word senses: Senseval's "interest" by ten-fold cross-validation, beside other learners on the same features.

The shipped template ``wsd``, the options of the row "sapwood" and the strengths of the baselines were chosen by the
accuracy on six other shuffles (seeds 11 to 16) of the same examples. A corpus of 2,368 examples is too small to set
some aside for that.
"""

from typing import Any

from measure.report import SEEDS, Data, OnStart, Options, Report, silent
from papers.classification import (
    FOLDS,
    Problem,
    Result,
    System,
    baselines,
    file_problem,
    format_results,
    ours,
    run_folds,
    sense_problem,
    without_counts,
)
from sapwood.training.cross_validation import stratified_folds

STRENGTHS = {"smoothing": 0.5, "maxent": 5.0, "svm": 0.05}  # of the baselines

_BEST: Options = {"update": "margin", "gamma": 1.0, "min_updates": 5, "epochs": 10}
_SMALL: Options = {**_BEST, "false_matches": 0.02, "drop_below": 0.04}  # the best within 20,000 bytes on those shuffles


def systems() -> list[System]:
    """Return our classifiers, the best one first, and the baselines."""
    plain = {"update": "perceptron", "min_updates": 1}
    return [
        ours("sapwood: margin, SAP5", **_BEST),
        ours("margin, SAP5, short keys, small weights dropped", **_SMALL),
        ours("margin", **{**_BEST, "min_updates": 1}),
        ours("averaged perceptron", **plain),
        ours("voted perceptron", **plain, voted=True),
        ours("perceptron", **plain, average=False),
        *baselines(**STRENGTHS),
    ]


def run(data: Data, on_start: OnStart, *, file: str | None = None, **layout: Any) -> Report:
    """Return the tables as text, and their rows. Raises DataError if the corpus is not there, or for a file.

    file : examples in place of the corpus; `layout` is what `file_problem` takes
    """
    if file is not None:
        problem, features = file_problem(file, "wsd", **layout)
        results = _cross_validated(problem, without_counts(problem, systems()), on_start)
        return _report(problem, f"{len(problem.data.labels)} labels; {features}", results)
    problem = sense_problem(data)
    name, gold = problem.name, problem.data.gold
    results = _cross_validated(problem, systems(), on_start)
    on_start(name, "the lecture's features")
    by_lecture = _cross_validated(sense_problem(data, "lecture"), [ours("the lecture's features, SAP5", **_BEST)])
    on_start(name, "tag and sense as one label")
    joint = sense_problem(data, tag_in_label=True)
    by_both = _cross_validated(joint, [ours("tag and sense as one label, SAP5", **_BEST)])
    alone = _accuracy_of_senses(joint, by_both[0])
    first = _report(problem, f"{len(problem.data.labels)} senses; template wsd", results)
    lines = [
        first.text,
        "",
        format_results(by_lecture, gold),
        "",
        format_results(by_both, joint.data.gold),
        f"of its senses {alone:.2f} are right, whatever the tag",
    ]
    rows = first.rows + [{"corpus": name, **result.as_dict(gold)} for result in by_lecture]
    rows.append({"corpus": name, **by_both[0].as_dict(joint.data.gold), "accuracy_of_senses": alone})
    return Report("\n".join(lines), rows)


def _report(problem: Problem, about: str, results: list[Result]) -> Report:
    name, gold = problem.name, problem.data.gold
    heading = (
        f"{name}: {len(gold):,} examples, {about}, {FOLDS} folds, "
        f"median of {len(SEEDS)} seeds, which shuffle; p: sign test of the first row against each, first seed"
    )
    rows = [{"corpus": name, **result.as_dict(gold, results[0])} for result in results]
    return Report(f"{heading}\n{format_results(results, gold, best=results[0])}", rows)


def _cross_validated(problem: Problem, systems: list[System], on_start: OnStart = silent) -> list[Result]:
    shuffles = [stratified_folds(problem.data.gold, FOLDS, seed) for seed in SEEDS]
    return run_folds(problem, systems, shuffles, on_start)


def _accuracy_of_senses(problem: Problem, result: Result) -> float:
    """Return the percentage of labels whose sense, the part behind the tag, is right."""
    senses = [label.partition(":")[2] for label in problem.data.labels]
    gold: list[int] = problem.data.gold
    right = sum(senses[g] == senses[h] for guess in result.guesses for g, h in zip(gold, guess, strict=True))
    return 100 * right / (len(gold) * len(result.guesses))
