"""``sapwood tag``: columns in, the same columns with a label more out."""

import os
import sys
from collections.abc import Iterator

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_BLOCK = 1 << 22  # bytes read from a pipe at once, at most

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
    from sapwood.io.text import read_bytes
    from sapwood.tag import load

    tagger = load(model).set_params(threads=threads)
    out = sys.stdout.buffer
    for name in files or ("-",):
        if name == "-":
            blocks, where = _sentences(sys.stdin.fileno()), "standard input"
        else:
            blocks, where = iter([read_bytes(name)]), name
        for block in tagger.annotate(blocks, name=where):
            out.write(block)
            out.flush()


def _sentences(descriptor: int) -> Iterator[bytes]:
    """Yield what can be read, cut after blank lines, as soon as it is there."""
    rest = b""
    while block := os.read(descriptor, _BLOCK):
        start = max(len(rest) - 3, 0)  # an end of a sentence may straddle two blocks
        rest += block
        cut = max(rest.rfind(b"\n\n", start) + 2, rest.rfind(b"\n\r\n", start) + 3)
        if cut > 2:
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest
