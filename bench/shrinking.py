"""Scores of a tagger and a parser at ever smaller sizes: weights dropped once, or in rounds with training between.

    python bench/shrinking.py --data DIR [--only tag|parse] [--clusters FILE] [--json FILE]

DIR has the corpora (see sapwood.datasets.corpora): CoNLL-2000 for chunking, English Web Treebank with gold tags for
parsing. Every tenth sentence of the training data is held out and scored; test sets are not looked at.

"once" drops the smallest weights of the whole model and trains no more (--shrink), "rounds" is `sapwood shrink`. Bytes
are those of the model file. Scores are F1 of chunks and LAS of trees, in percent.
"""

import argparse
from functools import partial
from typing import Any

from layout import print_rows, write_rows

from sapwood import DependencyParser, SequenceTagger, _core
from sapwood.datasets.corpora import chunking_corpus, tree_corpora
from sapwood.experiments import Row
from sapwood.io.conllu import read_treebank
from sapwood.io.text import read_bytes
from sapwood.learning.cross_validation import hold_out
from sapwood.learning.events import Event, Finished

DROPPED = (0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.09, 0.13)  # once: parts of the largest weight
SMALLEST = {"tag": 20_000, "parse": 150_000}  # bytes at which rounds end
COLUMNS = {"bytes": ("bytes", ",d"), "features": ("features", ",d"), "score": ("score", ".2f")}


def curves(task: str, model: Any, data: Any) -> list[Row]:
    """Return the sizes and scores of both ways."""
    train, held_out = hold_out(data, 0.1, "sentences")
    once: list[_core.PackedModel] = []

    def keep(event: Event) -> None:
        if isinstance(event, Finished):
            once.extend(event.freeze(8, least) for least in DROPPED)

    model.set_params(max_bytes=SMALLEST[task]).fit(train, dev=held_out, on_event=keep)
    points = [("rounds", point.bytes, point.features, point.score) for point in model.small_.curve]
    for weights in once:
        smaller = type(model).of_model(model.model_.with_weights(weights))
        report = smaller.evaluate(held_out)
        score = report.las if task == "parse" else report.as_dict()["f1"]
        points.append(("once", smaller.model_.size(), weights.tables[0].features, score))
    return [{"name": f"{task}, {way}", "bytes": size, "features": n, "score": score} for way, size, n, score in points]


def chunker(folder: str) -> list[Row]:
    with chunking_corpus(folder) as corpus:
        return curves("tag", SequenceTagger(template="chunking"), _core.Columns.read(read_bytes(corpus.train), "train"))


def parser(folder: str, clusters: str | None) -> list[Row]:
    given = {} if clusters is None else {"clusters": clusters, "clusters_limit": 60_000}
    with tree_corpora(folder, "ewt") as [corpus]:
        return curves("parse", DependencyParser(**given), read_treebank(corpus.train))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", required=True, metavar="DIR")
    arguments.add_argument("--only", choices=sorted(SMALLEST))
    arguments.add_argument("--clusters", metavar="FILE", help="word clusters for the parser")
    arguments.add_argument("--json", metavar="FILE")
    args = arguments.parse_args()
    ways = {"tag": partial(chunker, args.data), "parse": partial(parser, args.data, args.clusters)}
    rows = [row for task, run in ways.items() if args.only in (None, task) for row in run()]
    print_rows(rows, COLUMNS)
    if args.json:
        write_rows(args.json, rows)


if __name__ == "__main__":
    main()
