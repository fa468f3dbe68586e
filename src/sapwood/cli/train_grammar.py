"""``sapwood train grammar``: a treebank in, a grammar with its parser out."""

import sys

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_DESCRIPTION = """Read a grammar off a treebank of phrase-structure trees: a parser whose n best trees can be reranked.

TRAIN has trees in brackets, as the Penn Treebank does; functional tags and traces are taken out. Words whose look was
seen in rare words only are parsed too. 'sapwood nbest' parses text, a sentence a line, or the words of trees, and
'sapwood eval' scores the brackets as evalb does.

Examples:
  sapwood train grammar train.mrg -o grammar.sap
  echo "The dog barks ." | sapwood nbest grammar.sap - -n 5
  sapwood nbest grammar.sap train.mrg -n 100 --folds 20 > train.jsonl
  sapwood train rank train.jsonl -o reranker.sap
"""


def parser() -> Parser:
    """Return the parser of ``sapwood train grammar``."""
    result = Parser("train grammar", _DESCRIPTION)
    add = result.add_argument
    add("source", metavar="TRAIN", help="trees in brackets")
    add("-o", "--output", required=True, metavar="MODEL", help="the model file to write")
    above = "labels that a category knows from itself upwards, 2: itself and its parent"
    add("--vertical", type=whole_number(1), default=2, metavar="V", help=above)
    beside = "children to the left that the next child of a category knows"
    add("--horizontal", type=whole_number(0), default=2, metavar="H", help=beside)
    add("-q", "--quiet", action="store_true", help="do not say what was written")
    return result


def run(source: str, output: str, vertical: int, horizontal: int, quiet: bool) -> None:
    """Count, and write the model."""
    from sapwood.modelfile.container import check_writable
    from sapwood.models.grammar import PhraseParser

    check_writable(output)
    fitted = PhraseParser(vertical=vertical, horizontal=horizontal).fit(source)
    size = fitted.save(output)
    if not quiet:
        found = f"{fitted.parser_.rules:,} rules, {fitted.parser_.states:,} states"
        print(f"{output}: {found}, {size:,} bytes", file=sys.stderr)
