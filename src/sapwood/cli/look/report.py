"""``sapwood report``: what a model gets wrong, as a page."""

from argparse import ArgumentParser
from pathlib import Path

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.verb import Verb
from sapwood.base.writing import write_blocks
from sapwood.cli.base.inputs import ModelInput
from sapwood.cli.base.verb import add_model, add_threads
from sapwood.io.source import shown
from sapwood.loading import load_model

REPORT = """Show what a model gets wrong on a GOLD file, as a page of HTML.

The page has scores, which label was taken for which, and the errors in groups that share something: the labels, the
word, its tag, shape and ending, the distance to its head, the length of its sentence. Each group has its size and
examples, with the features that made the decision. The page is one file without scripts; it loads nothing.

GOLD is what the model is scored on: a column file with labels, CoNLL-U, examples, lists of candidates or trees. A
pipeline is given the words of CoNLL-U. With --against, another model for the same task is compared: what this one fixed
and broke, and the significance of the difference.

Examples:
  sapwood report chunker.sap test.txt -o report.html
  sapwood report parser.sap test.conllu -o report.html --against old-parser.sap
  sapwood report pos.sap test.txt -o report.html --train train.txt
"""


def _options(parser: ArgumentParser) -> None:
    add_model(parser)
    add = parser.add_argument
    add("gold", type=Input, metavar="GOLD", help="a file with gold answers")
    add("-o", "--output", type=OutputFile("HTML"), metavar="FILE", required=True, help="write the page there")
    add("--against", type=ModelInput, metavar="MODEL", help="compare with this model")
    train = "the training data: errors at words that are not in it make a group"
    add("--train", type=Input, metavar="FILE", help=train)
    add_threads(parser)


def _report(model: str, gold: str, output: str, against: str | None, train: str | None, threads: int) -> None:
    from sapwood.explain import report
    from sapwood.explain.page import html_report

    loaded = load_model(model).set_params(threads=threads)
    other = None if against is None else load_model(against).set_params(threads=threads)
    names = shown(model), "" if against is None else shown(against)
    page = report(loaded, Path(gold), other, train=None if train is None else Path(train), names=names)
    write_blocks(output, (part.encode() for part in html_report(page)))


VERBS = {"report": Verb(REPORT, _options, _report)}
