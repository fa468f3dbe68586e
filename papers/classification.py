"""The common parts of the experiments on classifiers: problems, systems of ours and of scikit-learn, folds, tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from measure.corpora import review_corpus, sense_corpus
from measure.processes import Clock
from measure.report import Data, OnStart, Row, over_seeds
from sapwood.base.optional import require
from sapwood.errors import DataError
from sapwood.io.example_files import read_examples
from sapwood.io.examples import Examples, Layout
from sapwood.io.source import shown
from sapwood.metrics.labels import table
from sapwood.metrics.significance import shown_p, sign_test
from sapwood.model.file.schema import ModelFile
from sapwood.model.small import Goal
from sapwood.tasks.classifying.data import labelled, require_several
from sapwood.tasks.classifying.labelled import Labelled, with_class_weights
from sapwood.tasks.classifying.model import Classifier
from sapwood.tasks.classifying.scorer import frozen
from sapwood.tasks.classifying.training import train_rows
from sapwood.tasks.classifying.training_data import model_of
from sapwood.training.cross_validation import splits
from sapwood.training.run import Run

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from sklearn.base import BaseEstimator


FOLDS = 10  # of each cross-validation
NAIVE_BAYES = "naive Bayes"


@dataclass
class Problem:
    """A corpus as rows of features with their labels, and a classifier's model file without weights."""

    name: str
    data: Labelled
    model: ModelFile

    @cached_property
    def matrix(self) -> "csr_matrix":
        """The same rows for scikit-learn, [examples, features]."""
        require("sklearn", "comparing with scikit-learn")
        from scipy.sparse import csr_matrix

        starts, columns, values, width = self.data.rows.to_csr()
        return csr_matrix((values, columns, starts), shape=(len(starts) - 1, width))


class Fold(NamedTuple):
    """The labels that a system gave to the examples of a fold, its size, and the time of training."""

    guess: list[int]  # label numbers
    features: int  # with a weight that is not 0
    bytes: int
    cpu_s: float  # of training, from rows of features


class System(NamedTuple):
    """A learner: `run` trains on some examples of a problem (their numbers) and labels others, with a seed."""

    name: str
    run: Callable[[Problem, list[int], list[int], int], Fold]


@dataclass
class Result:
    """A system's answers to all examples, each by a model that did not see the example, with one or more seeds."""

    name: str
    guesses: list[list[int]] = field(default_factory=list)  # [seeds][examples]
    folds: list[Fold] = field(default_factory=list)

    def accuracies(self, gold: Sequence[int]) -> list[float]:
        """Percent correct with each seed."""
        return [100 * float(np.mean(np.equal(guess, gold))) for guess in self.guesses]

    def as_dict(self, gold: Sequence[int], best: "Result | None" = None) -> Row:
        """Return the figures for ``--json``: the median accuracy over the seeds; features, bytes and seconds are means.

        p is the p-value of the sign test of `best` against this system, with the first seed.
        """
        accuracies = self.accuracies(gold)
        p = None
        if best is not None and best is not self:
            right = [np.equal(each.guesses[0], gold) for each in (best, self)]
            p = sign_test(int(np.sum(right[0] & ~right[1])), int(np.sum(right[1] & ~right[0])))
        return {
            "name": self.name,
            **over_seeds("accuracy", accuracies),
            "accuracies": accuracies,
            "features": round(float(np.mean([fold.features for fold in self.folds]))),
            "bytes": round(float(np.mean([fold.bytes for fold in self.folds]))),
            "train_cpu_s": float(np.mean([fold.cpu_s for fold in self.folds])),
            "p": p,
        }


def problem_of(name: str, examples: Examples, **options: Any) -> Problem:
    """Return the rows that a classifier with these options learns from."""
    classifier = Classifier(**options)
    model = model_of(classifier.params, examples)
    found = labelled(examples, model, "train on")
    if not found.several:
        require_several(found.labels, examples.answers.name)
    return Problem(name, found, model)


def file_problem(
    file: str, template: str, *, format: str | None = None, label: str = "label", text: str = "text"
) -> tuple[Problem, str]:
    """Return the examples of a file in any format that `train classify` reads, and what their features are, in words.

    template : ``text``, or ``wsd``, which is for tagged tokens; tokens without tags of which one is marked have
    ``lecture`` in its place, texts ``text``

    Raises DataError.
    """
    examples = read_examples(file, Layout(format or "", [], [], label, text))
    documents = examples.documents
    if template == "wsd" and documents is not None and len(examples.layout.columns) < 2:
        template = "lecture" if len(documents) and documents.marked(0) is not None else "text"
    problem = problem_of(shown(file), examples, template=template)
    return problem, "features as they are" if documents is None else f"template {template}"


def without_counts(problem: Problem, systems: list[System]) -> list[System]:
    """Return the systems that can learn from the problem: naive Bayes counts, and values below 0 are no counts."""
    if problem.matrix.min() >= 0:
        return systems
    return [system for system in systems if not system.name.startswith(NAIVE_BAYES)]


def sense_problem(data: Data, template: str = "wsd", *, tag_in_label: bool = False) -> Problem:
    """Return the senses of "interest". Raises DataError if the corpus is not there."""
    return problem_of(*sense_corpus(data, tag_in_label=tag_in_label), template=template)


def review_problem(data: Data) -> Problem:
    """Return the movie reviews. Raises DataError if the corpus is not there."""
    return problem_of(*review_corpus(data), template="text")


def numbered_folds(gold: list[int], folds: int) -> list[int]:
    """Return the fold of each example. Each class is cut into that many equal parts, in order of the examples.

    The review with number n of its class is in fold n // 100, as in Pang & Lee (2004).
    """
    sizes = {label: gold.count(label) for label in set(gold)}
    seen = dict.fromkeys(sizes, 0)
    fold_of = []
    for label in gold:
        fold_of.append(seen[label] * folds // sizes[label])
        seen[label] += 1
    return fold_of


def ours(name: str, **options: Any) -> System:
    """Return a classifier of ours with these options. Its bytes are those of the int8 model file."""
    return ours_made_small(name, None, **options)


def ours_made_small(name: str, small: Goal | None, **options: Any) -> System:
    """Return a classifier of ours with these options that is made so small after its passes."""

    def run_fold(problem: Problem, train: list[int], test: list[int], seed: int) -> Fold:
        return _run_ours(Classifier(seed=seed, **options), small, problem, train, test)

    return System(name, run_fold)


def _run_ours(classifier: Classifier, small: Goal | None, problem: Problem, train: list[int], test: list[int]) -> Fold:
    with Clock() as clock:
        options, run = classifier.params, Run(goal=small, monitors_data=False)
        examples = with_class_weights(options, problem.data.select(train))
        fitted = train_rows(options, examples, None, run, model=problem.model)
        weights = fitted.best.weights if fitted.small is None else fitted.small.weights
    guess = frozen(problem.model.labels, weights).predict(problem.data.rows.select(test), 1)
    model = problem.model.with_weights(weights)
    with TemporaryDirectory(prefix="sapwood-") as scratch:
        size = model.save(Path(scratch, "model.sap"))
    features = weights.features if classifier.params.voted else model.tables[0].packed.features
    return Fold(guess, features, size, clock.seconds)


def baselines(*, smoothing: float, maxent: float, svm: float) -> list[System]:
    """Return scikit-learn's learners on the same features: with that smoothing, and that C of MaxEnt and of the SVM.

    The perceptrons' bias is a feature of each example, which the templates have (`U:bias`): scikit-learn's own moves by
    a hundredth of a step in sparse matrices. The averaged one is `SGDClassifier` with the options that make it one.

    Their bytes are those of the weights that are not 0, as 4-byte numbers without names. A file would be larger.
    """
    require("sklearn", "comparing with scikit-learn")
    from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC

    passes = {"max_iter": 10, "tol": None, "fit_intercept": False}
    averaged = {"loss": "perceptron", "average": True, "learning_rate": "constant", "eta0": 1.0, "alpha": 0.0, **passes}
    made: list[tuple[str, Callable[[int], BaseEstimator]]] = [
        (f"{NAIVE_BAYES}, smoothing {smoothing}", lambda _: MultinomialNB(alpha=smoothing)),
        (f"MaxEnt, C {maxent}", lambda _: LogisticRegression(C=maxent, max_iter=1000)),
        (f"linear SVM, C {svm}", lambda seed: LinearSVC(C=svm, random_state=seed, max_iter=10_000)),
        ("Perceptron of scikit-learn", lambda seed: Perceptron(random_state=seed, **passes)),
        ("averaged perceptron of scikit-learn", lambda seed: SGDClassifier(random_state=seed, **averaged)),
    ]
    return [System(name, _sklearn(make)) for name, make in made]


def _sklearn(make: "Callable[[int], BaseEstimator]") -> Callable[[Problem, list[int], list[int], int], Fold]:
    from threadpoolctl import threadpool_limits  # installed together with scikit-learn

    def run_fold(problem: Problem, train: list[int], test: list[int], seed: int) -> Fold:
        gold = np.asarray(problem.data.gold)
        with threadpool_limits(1), Clock() as clock:  # threads that wait for each other would count as training
            estimator = make(seed).fit(problem.matrix[train], gold[train])
        weights = getattr(estimator, "coef_", None)
        if weights is None:  # naive Bayes has a weight for every feature
            weights = estimator.feature_log_prob_
        used = int(np.count_nonzero(np.any(weights != 0, axis=0)))
        guess, size = estimator.predict(problem.matrix[test]).tolist(), 4 * int(np.count_nonzero(weights))
        return Fold(guess, used, size, clock.seconds)

    return run_fold


def run_folds(
    problem: Problem, systems: Sequence[System], shuffles: Sequence[Sequence[int]], on_start: OnStart
) -> list[Result]:
    """Run each system over the folds of each shuffle, with the shuffle's number as its seed, from 1.

    shuffles : of each, the fold number of each example

    Raises DataError if a fold has no example, or if the examples outside of it have one class only.
    """
    gold = problem.data.gold
    for train, test in (split for fold_of in shuffles for split in splits(fold_of)):
        if not test or len({gold[example] for example in train}) < 2:
            few = f"{len(gold)} examples are too few"
            raise DataError(f"{problem.name}: {few}: each fold needs one, and two classes outside of it")
    results = []
    for system in systems:
        on_start(problem.name, system.name)
        result = Result(system.name)
        for seed, fold_of in enumerate(shuffles, 1):
            guess = [-1] * len(gold)
            for train, test in splits(fold_of):
                fold = system.run(problem, train, test, seed)
                result.folds.append(fold)
                for example, label in zip(test, fold.guess, strict=True):
                    guess[example] = label
            result.guesses.append(guess)
        results.append(result)
    return results


def format_results(results: Sequence[Result], gold: Sequence[int], best: Result | None = None) -> str:
    """Return the results as an aligned table, with p-values of the sign test of `best` against each if it is given."""
    heading = ["", "accuracy", "least", "most", "features", "bytes", "train s"]
    rows: list[list[object]] = [[*heading, *(["p"] if best else [])]]
    for result in results:
        figures = result.as_dict(gold, best)
        counts = [f"{figures[name]:,}" for name in ("features", "bytes")]
        accuracy = [figures[f"accuracy{which}"] for which in ("", "_least", "_most")]
        row: list[object] = [result.name, *accuracy, *counts, figures["train_cpu_s"]]
        if best is not None:
            row.append("" if figures["p"] is None else shown_p(figures["p"]))
        rows.append(row)
    return "\n".join(table(rows))
