"""``sapwood parse``: CoNLL-U in, the same CoNLL-U with heads and relations out."""

import sys
from collections.abc import Iterator

from sapwood.cli.app import Parser, whole_number
from sapwood.cli.streams import read_blocks

__all__ = ["parser", "run"]

_DESCRIPTION = """Parse CoNLL-U or CoNLL-X files; HEAD and DEPREL are written, everything else stays as it is.

A file is checked as a whole before anything of it is written. Standard input ('-', or no FILE) is parsed as it
comes, sentence by sentence. The parser reads the tags it was trained on from the input; one trained with --tags
predicted or jackknife has a tagger and writes the tags, too.

Examples:
  sapwood parse parser.sap < in.conllu > out.conllu
  sapwood parse parser.sap test.conllu --draw | less -R
  sapwood parse parser.sap test.conllu --svg trees.svg > out.conllu
"""


def parser() -> Parser:
    """Return the parser of ``sapwood parse``."""
    result = Parser("parse", _DESCRIPTION)
    result.add_argument("model", metavar="MODEL", help="a model file")
    result.add_argument("files", metavar="FILE", nargs="*", default=(), help="CoNLL-U files")
    result.add_argument("--draw", action="store_true", help="print the trees as pictures instead of CoNLL-U")
    result.add_argument("--svg", metavar="FILE", help="also write the trees as a picture")
    threads = "work on so many cores; the output is the same"
    result.add_argument("--threads", type=whole_number(1, 1024), default=1, metavar="N", help=threads)
    return result


def run(model: str, files: list[str], draw: bool, svg: str | None, threads: int) -> None:
    """Parse each file, or standard input."""
    from sapwood.models.load import load_parser

    parser = load_parser(model).set_params(threads=threads)
    out = sys.stdout.buffer
    pictures = []
    for name, blocks in read_blocks(files):
        for block in parser.annotate(blocks, name=name):
            if not draw:
                out.write(block)
                out.flush()
            for sentence in _sentences(block) if draw or svg is not None else ():
                if draw:
                    _print_tree(sentence)
                if svg is not None:
                    pictures.append(sentence)
    if svg is not None:
        _write_svg(svg, pictures)


_Sentence = tuple[list[str], list[int], list[str], list[str]]  # forms, heads, relations, tags


def _sentences(block: bytes) -> Iterator[_Sentence]:
    from sapwood import _core

    data = _core.Conllu.read(block, "output")
    tags = data.column("upos")
    if all(tag == "_" for sentence in tags for tag in sentence):
        tags = data.column("xpos")
    for forms, (heads, deprels), tag in zip(data.column("form"), data.trees(False), tags, strict=True):
        yield forms, heads, deprels, tag


def _print_tree(sentence: _Sentence) -> None:
    import shutil

    from sapwood.draw import text_tree

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    print(text_tree(*sentence, width=width), end="\n\n")


def _write_svg(path: str, sentences: list[_Sentence]) -> None:
    from pathlib import Path

    from sapwood.draw import svg_page
    from sapwood.errors import DataError, shown

    try:
        Path(path).write_text(svg_page(sentences), encoding="utf-8")
    except OSError as error:
        raise DataError(f"{shown(path)}: cannot write it: {error.strerror or error}") from None
