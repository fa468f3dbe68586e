"""``sapwood train parse``: a treebank in, a dependency parser out."""

import sys
from typing import Any

from sapwood.cli.app import Parser, whole_number
from sapwood.cli.training import add_data, add_learning, train

__all__ = ["parser", "run"]

_DESCRIPTION = """Train a dependency parser on a treebank in CoNLL-U or CoNLL-X.

TRAIN may be compressed (.xz, .gz, .bz2) or '-' for standard input. The parser reads words and, with --tags gold,
the tags of the data that it is given; with predicted or jackknife it has a tagger of its own.
Ctrl-C finishes the epoch and keeps the model; twice stops at once.

Examples:
  sapwood train parse train.conllu -o parser.sap
  sapwood train parse train.conllu -o fast.sap --beam 1 --dev dev.conllu
  sapwood train parse train.conllu -o raw.sap --tags jackknife --tag-columns xpos,upos
  sapwood train parse train.conllu -o graph.sap --search eisner --order 2
"""


def parser() -> Parser:
    """Return the parser of ``sapwood train parse``."""
    result = Parser("train parse", _DESCRIPTION)
    add = result.add_argument
    add_data(result, "treebank")
    searches = "transitions with a beam, the surest attachment first, or the best of all trees"
    add("--search", choices=["beam", "easy-first", "eisner"], default="beam", help=searches)
    add("--order", type=whole_number(1, 2), default=1, metavar="1|2", help="2 scores neighbouring children (eisner)")
    beam = "configurations kept; 1 is greedy, fast, and learns from its own mistakes"
    add("--beam", type=whole_number(1, 4096), default=8, metavar="N", help=beam)
    labels = "given by the search, or behind it; without, joint in beam search and second-stage in the others"
    add("--labelling", choices=["joint", "second-stage", "none"], help=labels)
    tags = "those of the data, or those of a tagger that comes with the parser"
    add("--tags", choices=["gold", "predicted", "jackknife"], default="gold", help=tags)
    columns = "the columns of tags that are read, the most important first"
    add("--tag-columns", default="xpos,upos,feats", metavar="COLUMN,...", help=columns)
    add("--template", metavar="NAME|FILE", help="features; without, those shipped for the search")
    mira = "trees of a sentence to learn from at once, for pa in eisner of order 1 (k-best MIRA)"
    add("--k-best", type=whole_number(1), default=1, metavar="K", help=mira)
    violation = "where a beam is updated: at its max violation, or early, when it loses the gold tree"
    add("--update-strategy", choices=["max", "early"], default="max", help=violation)
    crossing = "lift crossing arcs for training and put them back in parsing, or skip their sentences"
    add("--non-projective", choices=["lift", "skip"], default="lift", help=crossing)
    roots = "allow the root several children, as treebanks other than UD may"
    add("--multiple-roots", dest="single_root", action="store_false", help=roots)
    add_learning(result, "arc", gamma=10.0, min_updates=10, shrink=0.012)
    return result


def run(
    source: str,
    output: str,
    dev: str | None,
    dev_fraction: float | None,
    tag_columns: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Train, showing progress, and write the model."""
    from sapwood.models.parser import DependencyParser

    parser = DependencyParser(tag_columns=tag_columns.split(","), **options)
    train(parser, source, output, dev, dev_fraction, quiet)
    facts = parser.model_.provenance
    if (crossing := facts["non_projective_sentences"]) and not quiet:
        done = "left out" if parser.non_projective == "skip" else f"{facts['lifted_arcs']:,} arcs lifted"
        print(f"{crossing:,} sentences had arcs that cross others: {done}", file=sys.stderr)
