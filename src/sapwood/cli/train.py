"""``sapwood train TASK``: data in, model file out."""

import argparse
import sys
from typing import Any

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_DESCRIPTION = """Train a tagger or chunker on a column file.

TRAIN has a token a line and a blank line after each sentence; it may be compressed (.xz, .gz, .bz2)
or '-' for standard input. Ctrl-C finishes the epoch and keeps the model; twice stops at once.

Examples:
  sapwood train tag train.txt -o chunker.sap
  sapwood train tag train.txt -o chunker.sap --dev dev.txt --patience 3 --min-updates 10
  sapwood train tag words.txt -o pos.sap --template pos --columns word,label --names
"""


def parser() -> Parser:
    """Return the parser of ``sapwood train tag``."""
    result = Parser("train tag", _DESCRIPTION)
    add = result.add_argument
    add("source", metavar="TRAIN", help="the training data")
    add("-o", "--output", required=True, metavar="MODEL", help="the model file to write")
    add("--dev", metavar="FILE", help="held-out column file: each epoch is scored, the best one kept")
    add("--dev-fraction", type=float, metavar="F", help="hold out this part of the training sentences instead")
    template = "chunking, pos, ner, crfsuite-chunking, or a CRF++ or Wapiti file"
    add("--template", default="chunking", metavar="NAME|FILE", help=template)
    searches = ["viterbi", "greedy", "argmax"]
    add("--search", choices=searches, default="viterbi", help="the best sequence, left to right, or each token alone")
    add("--order", type=whole_number(1, 2), default=1, metavar="1|2", help="labels of history in Viterbi")
    updates = ["perceptron", "margin", "pa"]
    add("--update", choices=updates, default="margin", help="what happens at a mistake; pa is passive-aggressive")
    add("--gamma", type=float, default=20.0, metavar="G", help="cost of a wrong label, for margin and pa")
    average = "average the weights over all examples, or keep the last ones"
    add("--average", action=argparse.BooleanOptionalAction, default=True, help=average)
    sparse = "updates that a feature takes part in before it counts (the sparse averaged perceptron)"
    add("--min-updates", type=whole_number(1), default=5, metavar="K", help=sparse)
    add("--prune-below", type=whole_number(1), default=1, metavar="N", help="drop features seen less often in TRAIN")
    add("--epochs", type=whole_number(1), default=10, metavar="N", help="passes over the data, at most")
    add("--patience", type=whole_number(1), metavar="N", help="stop after so many epochs without a better score")
    add("--seed", type=whole_number(0), default=1, metavar="S", help="of the shuffling")
    add("--bits", choices=["8", "16", "32"], default="8", help="of a weight in the model")
    add("--names", action="store_true", help="keep the features' texts, for 'inspect'")
    columns = "names, one of them 'label', '_' to skip one; without, the last is the label"
    add("--columns", metavar="NAME,...", help=columns)
    add("--history", choices=["gold", "own"], default="gold", help="labels to the left in greedy training")
    add("--encoding", choices=["bio", "iobes"], default="bio", help="learn BIO chunks as they are, or as IOBES")
    add("--threads", type=whole_number(1, 1024), default=1, metavar="N", help="for scoring held-out data")
    add("-q", "--quiet", action="store_true", help="show no progress")
    return result


def run(
    source: str,
    output: str,
    dev: str | None,
    dev_fraction: float | None,
    columns: str | None,
    bits: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Train, showing progress, and write the model."""
    from sapwood.cli.progress import show_progress
    from sapwood.io.container import check_writable
    from sapwood.tag import SequenceTagger

    check_writable(output)
    tagger = SequenceTagger(bits=int(bits), columns=columns.split(",") if columns is not None else None, **options)
    with show_progress(quiet) as report:
        tagger.fit(source, dev=dev, dev_fraction=dev_fraction, on_event=report)
        size = tagger.save(output)
    if not quiet:
        features = sum(table.packed.features for table in tagger.model_.tables)
        print(f"{output}: {features:,} features, {size:,} bytes", file=sys.stderr)
