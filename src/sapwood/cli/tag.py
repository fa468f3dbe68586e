"""``sapwood tag``: columns in, the same columns with a label more out."""

import os
import sys
from collections.abc import Iterator

import click

__all__ = ["tag"]

_BLOCK = 1 << 22  # bytes read from a pipe at once, at most


@click.command()
@click.argument("model")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option(
    "--threads", type=click.IntRange(1, 1024), default=1, help="Work on so many cores; the output is the same."
)
def tag(model: str, files: tuple[str, ...], threads: int) -> None:
    """Label column files, or one token a line; each line comes out with a label at its end.

    A file is checked as a whole before anything of it is written. Standard input ('-', or no FILE) is
    labelled as it comes, sentence by sentence.

    \b
    Examples:
      sapwood tag chunker.sap test.txt > out.txt
      tokenise < text | sapwood tag pos.sap | cut -f2
    """
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
