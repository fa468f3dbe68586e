"""What the experiments on classifiers share: a problem, systems of ours and of scikit-learn on the same rows, folds."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from sapwood.errors import DataError
from sapwood.io.examples import Examples
from sapwood.learning.cross_validation import splits
from sapwood.learning.events import ignore
from sapwood.metrics.labels import table
from sapwood.modelfile.schema import ModelFile
from sapwood.models.classifier import Classifier
from sapwood.models.classifier_training import begin, run, trainer_of
from sapwood.models.labelled_rows import Labelled, frozen, labelled
from sapwood.models.support import with_weights
from sapwood.optional import require

__all__ = ["Fold", "Problem", "Result", "System", "baselines", "format_results", "ours", "problem_of", "run_folds"]


@dataclass
class Problem:
    """A corpus as rows of features with their labels, and the model that a classifier of it will be."""

    name: str
    data: Labelled
    model: ModelFile

    @cached_property
    def matrix(self) -> Any:
        """The same rows for scikit-learn, [examples, features]."""
        require("sklearn", "comparing with scikit-learn")
        from scipy.sparse import csr_matrix

        starts, columns, values, width = self.data.rows.to_csr()
        return csr_matrix((values, columns, starts), shape=(len(starts) - 1, width))


class Fold(NamedTuple):
    """What a system said about the examples of a fold, and what it took."""

    guess: list[int]
    features: int  # with a weight that is not 0
    bytes: int
    cpu_s: float  # of training, from rows of features


class System(NamedTuple):
    """Something that learns from some examples of a problem and says the labels of others."""

    name: str
    run: Callable[[Problem, list[int], list[int]], Fold]


@dataclass
class Result:
    """A system's answers to all examples, each by a model that did not see it; over several shuffles."""

    name: str
    guesses: list[list[int]] = field(default_factory=list)  # [shuffles][examples]
    folds: list[Fold] = field(default_factory=list)

    def accuracies(self, gold: Sequence[int]) -> list[float]:
        """Percent correct in each shuffle."""
        return [100 * float(np.mean(np.equal(guess, gold))) for guess in self.guesses]

    def as_dict(self, gold: Sequence[int]) -> dict[str, Any]:
        """Return the figures for ``--json``."""
        accuracies = self.accuracies(gold)
        return {
            "name": self.name,
            "accuracy": float(np.mean(accuracies)),
            "accuracies": accuracies,
            "features": round(float(np.mean([fold.features for fold in self.folds]))),
            "bytes": round(float(np.mean([fold.bytes for fold in self.folds]))),
            "train_cpu_s": float(np.mean([fold.cpu_s for fold in self.folds])),
        }


def problem_of(name: str, examples: Examples, **options: Any) -> Problem:
    """Return the rows that a classifier with these options learns from."""
    classifier = Classifier(**options)
    model = begin(classifier, examples)
    return Problem(name, labelled(examples, model), model)


def ours(name: str, **options: Any) -> System:
    """Return one of our classifiers; its bytes are those of the int8 model file."""
    return System(name, lambda problem, train, test: _run_ours(Classifier(**options), problem, train, test))


def _run_ours(classifier: Classifier, problem: Problem, train: list[int], test: list[int]) -> Fold:
    started = time.process_time()
    learned = problem.data.select(train)
    trained = run(classifier, trainer_of(classifier, learned), learned, None, classifier.epochs, on_event=ignore)
    seconds = time.process_time() - started
    guess = frozen(problem.model.labels, trained.weights).predict(problem.data.rows.select(test), 1)
    model = with_weights(problem.model, trained.weights)
    with TemporaryDirectory(prefix="sapwood-") as scratch:
        size = model.save(Path(scratch, "model.sap"))
    features = trained.weights.features if classifier.voted else model.tables[0].packed.features
    return Fold(guess, features, size, seconds)


def baselines(*, smoothing: float, maxent: float, svm: float) -> list[System]:
    """Return scikit-learn's learners on the same features: with so much smoothing, and C of MaxEnt and of the SVM.

    Bytes are those of their weights that are not 0 as 4-byte numbers, without names: less than any file of theirs.
    """
    require("sklearn", "comparing with scikit-learn")
    from sklearn.linear_model import LogisticRegression, Perceptron
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC

    made: list[tuple[str, Callable[[], Any]]] = [
        (f"naive Bayes, smoothing {smoothing}", lambda: MultinomialNB(alpha=smoothing)),
        (f"MaxEnt, C {maxent}", lambda: LogisticRegression(C=maxent, max_iter=1000)),
        (f"linear SVM, C {svm}", lambda: LinearSVC(C=svm, random_state=1, max_iter=10_000)),
        ("Perceptron of scikit-learn", lambda: Perceptron(max_iter=10, tol=None, random_state=1)),
    ]
    return [System(name, _sklearn(make)) for name, make in made]


def _sklearn(make: Callable[[], Any]) -> Callable[[Problem, list[int], list[int]], Fold]:
    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    def run_fold(problem: Problem, train: list[int], test: list[int]) -> Fold:
        gold = np.asarray(problem.data.gold)
        with threadpool_limits(1):  # threads that wait for each other would count as training
            started = time.process_time()
            estimator = make().fit(problem.matrix[train], gold[train])
            seconds = time.process_time() - started
        weights = getattr(estimator, "coef_", None)
        if weights is None:  # naive Bayes has a weight for everything
            weights = estimator.feature_log_prob_
        used = int(np.count_nonzero(np.any(weights != 0, axis=0)))
        return Fold(estimator.predict(problem.matrix[test]).tolist(), used, 4 * int(np.count_nonzero(weights)), seconds)

    return run_fold


def run_folds(
    problem: Problem,
    systems: Sequence[System],
    shuffles: Sequence[Sequence[int]],
    on_start: Callable[[str, str], None],
) -> list[Result]:
    """Run each system over the folds of each shuffle: `shuffles` are the fold numbers of the examples.

    Raises DataError if a fold has no example, or the others have one class only.
    """
    gold = problem.data.gold
    for train, test in (split for fold_of in shuffles for split in splits(fold_of)):
        if not test or len({gold[example] for example in train}) < 2:
            raise DataError(f"{problem.name}: {len(gold)} examples, or those of a class, are too few for the folds")
    results = []
    for system in systems:
        on_start(problem.name, system.name)
        result = Result(system.name)
        for fold_of in shuffles:
            guess = [-1] * len(gold)
            for train, test in splits(fold_of):
                fold = system.run(problem, train, test)
                result.folds.append(fold)
                for example, label in zip(test, fold.guess, strict=True):
                    guess[example] = label
            result.guesses.append(guess)
        results.append(result)
    return results


def format_results(results: Sequence[Result], gold: Sequence[int], best: Result | None = None) -> str:
    """Return the results as an aligned table; with p-values of `best` against each, on the first shuffle."""
    from sapwood.metrics import sign_test

    rows: list[list[object]] = [["", "accuracy", "features", "bytes", "train s", *(["p"] if best else [])]]
    for result in results:
        figures = result.as_dict(gold)
        counts = [f"{figures[name]:,}" for name in ("features", "bytes")]
        row: list[object] = [result.name, figures["accuracy"], *counts, figures["train_cpu_s"]]
        if best is not None:
            right = [np.equal(each.guesses[0], gold) for each in (best, result)]
            wins, losses = int(np.sum(right[0] & ~right[1])), int(np.sum(right[1] & ~right[0]))
            p = sign_test(wins, losses)
            row.append("" if result is best else f"{p:.4f}" if p >= 0.0001 else "< 0.0001")
        rows.append(row)
    return "\n".join(table(rows))
