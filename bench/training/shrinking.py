"""Scores of a tagger, a classifier and a parser at ever smaller sizes, by several ways of dropping weights.

    python -m bench.training.shrinking --data DIR [--only tag|classify|parse] [--clusters FILE] [--json FILE]

DIR has the corpora (see measure.corpora): CoNLL-2000 for chunking, movie reviews for classifying, English Web
Treebank with gold tags for parsing. Every tenth sentence of the training data is held out and scored; test sets are not
looked at. Reviews are scored by ten folds, shuffled otherwise than in `python -m papers sentiment`.

"once" drops the smallest weights and learns nothing anew (--no-retraining), "magnitude" is `sapwood shrink --levels
even`, "group L1" the same by a penalty (papers.group_l1), "uneven levels" is `sapwood shrink`, and "uneven levels,
once" the same without learning anew. Bytes are those of the model file. Scores are F1 of chunks, accuracy of reviews
and LAS of trees, in percent.
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
from sapwood.events import Shrunk
from sapwood.io.conllu import read_treebank
from sapwood.io.source import read_bytes
from sapwood.model.small import Goal
from sapwood.training.cross_validation import hold_out, stratified_folds

WAYS = {  # shown: how
    "once": Goal(retrain=False),
    "magnitude": Goal(),
    "group L1": GroupL1(),
    "uneven levels, once": Goal(levels="uneven", retrain=False),
    "uneven levels": Goal(levels="uneven"),
}
SIZES = {  # bytes
    "tag": (160_000, 80_000, 40_000, 20_000, 10_000),
    "parse": (1_200_000, 600_000, 300_000, 150_000),
    "classify": (80_000, 60_000, 40_000, 20_000, 10_000),
}
REVIEWS = {"min_updates": 5}  # options of classifiers
SHUFFLE = 11  # seed of their folds
COLUMNS = {"bytes": ("bytes", ",d"), "features": ("features", ",d"), "score": ("score", ".2f")}


def curves(task: str, new: Callable[..., Any], data: Any) -> list[Row]:
    """Return the sizes and scores of each way. `new` makes a model that is not fitted."""
    train, held_out = hold_out(data, 0.1, "sentences")
    rows: list[Row] = []

    def add(way: str, point: Shrunk) -> None:
        rows.append({"name": f"{task}, {way}", "bytes": point.bytes, "features": point.features, "score": point.score})

    for way, goal in WAYS.items():
        for size in SIZES[task]:
            small = new()._fit_to(goal._replace(bytes=size), train, dev=held_out).recipe.small
            whole, *others = small.curve
            if not rows:
                add("whole", whole)
            for point in others:
                if point.levels == goal.levels:
                    add(way, point)
    return rows


def classifier(folder: str) -> list[Row]:
    problem = review_problem(folder)
    systems = [
        ours_made_small(f"classify, {way}", goal._replace(bytes=size), **REVIEWS)
        for way, goal in WAYS.items()
        for size in SIZES["classify"]
    ]
    systems.append(ours("classify, whole", **REVIEWS, drop_below=0.0))
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
