"""``sapwood classify``: examples in, a label and its margin for each out."""

import sys

from sapwood.cli.app import Parser, whole_number
from sapwood.cli.streams import read_blocks

__all__ = ["parser", "run"]

_DESCRIPTION = """Classify examples: for each a line with its label, a tab, and the margin to the second-best label.

A margin is no probability; where the model was calibrated ('sapwood calibrate') the confidence stands instead, from 0
to 1. A file is checked as a whole before anything of it is written. Standard input ('-', or no FILE) is classified
line by line, as it comes. Labels in the input are not looked at.

Examples:
  sapwood classify reviews.sap new.txt > out.txt
  sapwood classify reviews.sap new.txt --top 3
  echo "great fun" | sapwood classify reviews.sap | cut -f1
"""


def parser() -> Parser:
    """Return the parser of ``sapwood classify``."""
    from sapwood.io.examples import FORMATS

    result = Parser("classify", _DESCRIPTION)
    result.add_argument("model", metavar="MODEL", help="a model file")
    result.add_argument("files", metavar="FILE", nargs="*", default=(), help="files of examples")
    result.add_argument("--format", choices=FORMATS, help="of the files; without, that of the training data")
    top = "write the N best labels instead, each with its score or confidence"
    result.add_argument("--top", type=whole_number(1, 1 << 32), metavar="N", help=top)
    threads = "work on so many cores; the output is the same"
    result.add_argument("--threads", type=whole_number(1, 1024), default=1, metavar="N", help=threads)
    return result


def run(model: str, files: list[str], format: str | None, top: int | None, threads: int) -> None:
    """Classify each file, or standard input."""
    from sapwood.models.load import load_classifier

    classifier = load_classifier(model).set_params(threads=threads)
    whole = (format or classifier.model_.options["format"]) in ("csv", "senseval")
    out = sys.stdout.buffer
    for name, blocks in read_blocks(files, ends="file" if whole else "line"):
        for block in classifier.annotate(blocks, name=name, format=format, top=top or 0):
            out.write(block)
            out.flush()
