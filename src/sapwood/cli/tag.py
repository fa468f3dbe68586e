"""``sapwood tag``: columns in, the same columns with a label more out."""

import sys

from sapwood.cli.app import Parser, whole_number
from sapwood.cli.streams import read_blocks

__all__ = ["parser", "run"]

_DESCRIPTION = """Label column files, or one token a line; each line comes out with a label at its end.

A file is checked as a whole before anything of it is written. Standard input ('-', or no FILE) is
labelled as it comes, sentence by sentence.

Examples:
  sapwood tag chunker.sap test.txt > out.txt
  tokenise < text | sapwood tag pos.sap | cut -f2
"""


def parser() -> Parser:
    """Return the parser of ``sapwood tag``."""
    result = Parser("tag", _DESCRIPTION)
    result.add_argument("model", metavar="MODEL", help="a model file")
    result.add_argument("files", metavar="FILE", nargs="*", default=(), help="column files")
    threads = "work on so many cores; the output is the same"
    result.add_argument("--threads", type=whole_number(1, 1024), default=1, metavar="N", help=threads)
    return result


def run(model: str, files: list[str], threads: int) -> None:
    """Label each file, or standard input."""
    from sapwood.models.load import load_tagger

    tagger = load_tagger(model).set_params(threads=threads)
    out = sys.stdout.buffer
    for name, blocks in read_blocks(files):
        for block in tagger.annotate(blocks, name=name):
            out.write(block)
            out.flush()
