"""How good are classifiers of several labels, beside scikit-learn's one against the rest?

    python -m bench.tasks.multilabel [--data DIR] [--json FILE] [--runs N]

Two corpora, words and pairs of neighbours, 10 passes; every tenth text is for testing, and of the others every tenth is
held out where something is chosen. Generated topics (`sapwood generate topics`): none to five of six labels a text. The
movie reviews (from --data or SAPWOOD_DATA): two labels each, pos or neg, and long or short (above the median
number of words of the training texts, or not).

sapwood: Classifier(multi_label=True), with thresholds of 0 and with those chosen on held-out texts, which it then does
not learn from; and with balanced labels. scikit-learn: OneVsRestClassifier(SGDClassifier(loss="perceptron",
average=True)) on CountVectorizer(binary=True) with a column of ones, as its own bias hardly moves in sparse matrices.
It learns from all texts but those for testing.

Each system is trained with the seeds from 1 to --runs, which order the texts: scores are medians, with the least and
the largest micro F1. CPU seconds are those of training and of classifying the test texts, from text in memory to
labels, all in this process on one thread; medians, too.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from measure.corpora import data_folder, review_corpus
from measure.layout import command_line, print_rows, write_rows
from measure.report import Row, over_seeds
from sapwood import Classifier
from sapwood.datasets.documents import generate_topics
from sapwood.metrics import label_set_scores
from sapwood.metrics.labels import LabelSetReport

Sets = Sequence[Sequence[str]]


class Corpus(NamedTuple):
    """Texts to learn from and to be tested on, with their labels."""

    name: str
    train: list[str]
    train_sets: list[list[str]]
    test: list[str]
    test_sets: list[list[str]]


def topics() -> Corpus:
    """Return generated texts."""
    texts, sets = zip(*generate_topics(2000, seed=1), strict=True)
    return _split("topics", list(texts), list(sets))


def reviews(data: str | None) -> Corpus:
    """Return the movie reviews; whether they are long is told by the median of those to learn from."""
    _, examples = review_corpus(data)
    answers, documents = examples.answers, examples.documents
    words = [documents.words(k) for k in range(len(examples))]
    middle = statistics.median(len(text) for k, text in enumerate(words) if k % 10)
    sets = [
        [answers.labels[y], "long" if len(text) > middle else "short"]
        for y, text in zip(answers.gold, words, strict=True)
    ]
    return _split("reviews", [" ".join(text) for text in words], sets)


def _split(name: str, texts: list[str], sets: list[list[str]]) -> Corpus:
    train = [k for k in range(len(texts)) if k % 10]
    return Corpus(name, [texts[k] for k in train], [sets[k] for k in train], texts[::10], sets[::10])


def sapwood(corpus: Corpus, seed: int, *, dev_fraction: float | None = None, **options: object) -> tuple[Sets, int]:
    """Return what is said about the test texts, and the bytes of the model."""
    classifier = Classifier(multi_label=True, seed=seed, **options)
    classifier.fit(corpus.train, corpus.train_sets, dev_fraction=dev_fraction)
    return list(classifier.predict(corpus.test)), classifier.model_.size()


def sklearn(corpus: Corpus, seed: int, class_weight: str | None) -> tuple[Sets, None]:
    """Return what the peer says about the test texts."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import SGDClassifier
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.preprocessing import MultiLabelBinarizer

    from measure.peers import with_bias

    vectors = CountVectorizer(ngram_range=(1, 2), binary=True, token_pattern=r"\S+")
    binarizer = MultiLabelBinarizer()
    learner = SGDClassifier(
        loss="perceptron", average=True, max_iter=10, tol=None, learning_rate="constant", eta0=1.0, alpha=0.0,
        class_weight=class_weight, random_state=seed, fit_intercept=False,
    )  # fmt: skip
    rest = OneVsRestClassifier(learner)
    rest.fit(with_bias(vectors.fit_transform(corpus.train)), binarizer.fit_transform(corpus.train_sets))
    return binarizer.inverse_transform(rest.predict(with_bias(vectors.transform(corpus.test)))), None


SYSTEMS: dict[str, Callable[[Corpus, int], tuple[Sets, int | None]]] = {
    "sapwood": partial(sapwood, min_updates=1),
    "sapwood, SAP5": sapwood,
    "sapwood, thresholds": partial(sapwood, dev_fraction=0.1),
    "sapwood, balanced": partial(sapwood, class_weight="balanced"),
    "scikit-learn": partial(sklearn, class_weight=None),
    "scikit-learn, balanced": partial(sklearn, class_weight="balanced"),
}
COLUMNS = {
    "micro F1": ("micro_f1", ".2f"), "from": ("micro_f1_least", ".2f"), "to": ("micro_f1_most", ".2f"),
    "macro F1": ("macro_f1", ".2f"), "exact sets": ("exact", ".2f"), "CPU s": ("cpu_s", ".2f"),
    "bytes": ("bytes", ",d"),
}  # fmt: skip


def measure(corpus: Corpus, seeds: int) -> list[Row]:
    """Return the scores and times of all systems, which take turns: medians over seeds, and micro F1's extremes."""
    times: dict[str, list[float]] = {name: [] for name in SYSTEMS}
    reports: dict[str, list[LabelSetReport]] = {name: [] for name in SYSTEMS}
    sizes: dict[str, int | None] = {}
    for seed in range(1, seeds + 1):
        for name, run in SYSTEMS.items():
            begin = time.process_time()
            guess, sizes[name] = run(corpus, seed)
            times[name].append(time.process_time() - begin)
            reports[name].append(label_set_scores(corpus.test_sets, guess))
    rows = []
    for name, found in reports.items():
        rows.append(
            Row(
                name=f"{corpus.name}: {name}", **over_seeds("micro_f1", [report.micro.f1 for report in found]),
                macro_f1=statistics.median(report.macro.f1 for report in found),
                exact=statistics.median(report.subset_accuracy for report in found),
                cpu_s=statistics.median(times[name]), bytes=sizes[name],
            )
        )  # fmt: skip
    return rows


def main(arguments: Sequence[str]) -> None:
    """Measure, print and write."""
    given = command_line(__doc__, runs=5).parse_args(arguments)
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    corpora = [topics()]
    if data_folder(given.data) is not None:
        corpora.append(reviews(given.data))
    rows = [row for corpus in corpora for row in measure(corpus, given.runs)]
    print_rows(rows, COLUMNS)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
