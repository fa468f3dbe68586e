"""``sapwood train tag``: a column file in, a tagger out."""

from typing import Any

from sapwood.cli.app import Parser, whole_number
from sapwood.cli.training import add_data, add_learning, train

__all__ = ["parser", "run"]

_DESCRIPTION = """Train a tagger or chunker on a column file.

TRAIN has a token a line and a blank line after each sentence; it may be compressed (.xz, .gz, .bz2)
or '-' for standard input. Ctrl-C finishes the epoch and keeps the model; twice stops at once.

Examples:
  sapwood train tag train.txt -o chunker.sap
  sapwood train tag train.txt -o chunker.sap --dev dev.txt --patience 3 --min-updates 10
  sapwood train tag words.txt -o pos.sap --template pos --columns word,label --names
  sapwood train tag words.txt -o pos.sap --template pos --columns word,label --search easiest-first
"""


def parser() -> Parser:
    """Return the parser of ``sapwood train tag``."""
    result = Parser("train tag", _DESCRIPTION)
    add = result.add_argument
    add_data(result, "column file")
    template = "chunking, pos, ner, crfsuite-chunking, or a CRF++ or Wapiti file"
    add("--template", default="chunking", metavar="NAME|FILE", help=template)
    searches = ["viterbi", "easiest-first", "greedy", "argmax"]
    order = "the best sequence, the surest token first, left to right, or each token alone"
    add("--search", choices=searches, default="viterbi", help=order)
    add("--order", type=whole_number(1, 2), default=1, metavar="1|2", help="labels of history in Viterbi")
    add("--prune-below", type=whole_number(1), default=1, metavar="N", help="drop features seen less often in TRAIN")
    columns = "names, one of them 'label', '_' to skip one; without, the last is the label"
    add("--columns", metavar="NAME,...", help=columns)
    add("--history", choices=["gold", "own"], default="gold", help="labels to the left in greedy training")
    add("--encoding", choices=["bio", "iobes"], default="bio", help="learn BIO chunks as they are, or as IOBES")
    add_learning(result, "label", gamma=20.0, min_updates=5, shrink=0.0)
    return result


def run(
    source: str,
    output: str,
    dev: str | None,
    dev_fraction: float | None,
    columns: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Train, showing progress, and write the model."""
    from sapwood.models.tagger import SequenceTagger

    tagger = SequenceTagger(columns=columns.split(",") if columns is not None else None, **options)
    train(tagger, source, output, dev, dev_fraction, quiet)
