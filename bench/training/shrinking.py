"""Scores of a tagger, a classifier and a parser at ever smaller sizes, by several ways of dropping weights.

    python -m bench.training.shrinking --data DIR [--only tag|classify|parse] [--clusters FILE] [--json FILE]

DIR has the corpora (see measure.corpora): CoNLL-2000 for chunking, movie reviews for classifying, English Web
Treebank with gold tags for parsing. Every tenth sentence of the training data is held out and scored; test sets are not
looked at. Reviews are scored by ten folds, shuffled otherwise than in `python -m papers sentiment`.

"once" drops the smallest weights of the whole model and trains no more (--no-retraining), "magnitude" is
`sapwood shrink --levels even`, "group L1" the same by a penalty (papers.group_l1), "uneven levels" is
`sapwood shrink`, which with held-out data tries "coarse levels", too. Bytes are those of the model file. Scores are
F1 of chunks, accuracy of reviews and LAS of trees, in percent.
"""

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

from measure.corpora import chunking_corpus, tree_corpora
from measure.layout import print_rows, write_rows
from measure.report import Row, silent
from papers.classification import FOLDS, ours, ours_made_small, review_problem, run_folds
from papers.group_l1 import GroupL1
from sapwood import DependencyParser, SequenceTagger, _core
from sapwood.events import Event, Finished
from sapwood.io.conllu import read_treebank
from sapwood.io.source import read_bytes
from sapwood.model.small import GROUP, Goal
from sapwood.training.cross_validation import hold_out, stratified_folds

WAYS = {  # shown: how
    "magnitude": Goal(),
    "group L1": GroupL1(),
    "uneven levels": Goal(levels="uneven"),
}
DROPPED = (0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.09, 0.13)  # once: parts of the largest weight
SMALLEST = {"tag": 20_000, "parse": 150_000}  # bytes at which rounds end
SIZES = (80_000, 60_000, 40_000, 20_000, 10_000)  # bytes of classifiers
REVIEWS = {"min_updates": 5}  # options of classifiers
SHUFFLE = 11  # seed of their folds
COLUMNS = {"bytes": ("bytes", ",d"), "features": ("features", ",d"), "score": ("score", ".2f")}


def curves(task: str, new: Callable[..., Any], data: Any) -> list[Row]:
    """Return the sizes and scores of each way. `new` makes a model that is not fitted."""
    train, held_out = hold_out(data, 0.1, "sentences")
    once: list[_core.PackedModel] = []

    def keep(event: Event) -> None:
        if isinstance(event, Finished):
            once[:] = [event.freeze(8, least, GROUP) for least in DROPPED]

    rows: list[Row] = []

    def add(way: str, size: int, features: int, score: float | None) -> None:
        rows.append({"name": f"{task}, {way}", "bytes": size, "features": features, "score": score})

    for way, goal in WAYS.items():
        small = goal._replace(bytes=SMALLEST[task])
        model = new()._fit_to(small, train, dev=held_out, on_event=keep)
        for point in model.recipe.small.curve:
            if goal.levels == "even":
                add(way, point.bytes, point.features, point.score)
            elif point.levels != "even":
                add(f"{point.levels} levels", point.bytes, point.features, point.score)
    for weights in once:
        smaller = type(model)._of_file(model.model_.with_weights(weights))
        report = smaller.evaluate(held_out)
        score = report.las if task == "parse" else report.as_dict()["f1"]
        add("once", smaller.model_.size(), weights.tables[0].features, score)
    return rows


def classifier(folder: str) -> list[Row]:
    problem = review_problem(folder)
    systems = [
        ours_made_small(f"classify, {way}", goal._replace(bytes=size), **REVIEWS)
        for way, goal in WAYS.items()
        for size in SIZES
    ]
    systems += [ours("classify, once", **REVIEWS, drop_below=least) for least in (0.0, *DROPPED)]
    gold = problem.data.gold
    results = run_folds(problem, systems, [stratified_folds(gold, FOLDS, SHUFFLE)], silent)
    figures = [result.as_dict(gold) for result in results]
    return [{"score": row["accuracy"], **{key: row[key] for key in ("name", "bytes", "features")}} for row in figures]


def chunker(folder: str) -> list[Row]:
    with chunking_corpus(folder) as corpus:
        data = _core.Columns.read(read_bytes(corpus.train), "train")
        return curves("tag", partial(SequenceTagger, template="chunking"), data)


def parser(folder: str, clusters: str | None) -> list[Row]:
    given = {} if clusters is None else {"clusters": clusters, "clusters_limit": 60_000}
    with tree_corpora(folder, "ewt") as [corpus]:
        return curves("parse", partial(DependencyParser, **given), read_treebank(corpus.train))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", required=True, metavar="DIR")
    arguments.add_argument("--only", choices=("tag", "classify", "parse"))
    arguments.add_argument("--clusters", metavar="FILE", help="word clusters for the parser")
    arguments.add_argument("--json", metavar="FILE")
    args = arguments.parse_args()
    tasks = {
        "tag": partial(chunker, args.data),
        "classify": partial(classifier, args.data),
        "parse": partial(parser, args.data, args.clusters),
    }
    rows = [row for task, run in tasks.items() if args.only in (None, task) for row in run()]
    print_rows(rows, COLUMNS)
    if args.json:
        write_rows(args.json, rows)


if __name__ == "__main__":
    main()
