"""``sapwood generate treebank``, ``reviews`` and ``topics``: corpora for trying things, made by seeded generators."""

import sys
from argparse import ArgumentParser
from functools import partial

from sapwood.base.command.files import OutputFolder
from sapwood.base.command.terminal import show, show_drawn
from sapwood.base.command.verb import Verb, whole_number
from sapwood.cli.base.verb import add_seed, help_of


def _add_output(parser: ArgumentParser, *endings: str) -> None:
    names = (f"{split}.{ending}" for split in ("train", "dev", "test") for ending in endings)
    folder = OutputFolder("text", *names)
    parser.add_argument("-o", "--output", type=folder, required=True, metavar="DIR", help="the folder to write to")


def _treebank_options(parser: ArgumentParser) -> None:
    from sapwood.datasets.writing import WRITINGS

    add = parser.add_argument
    _add_output(parser, "txt", "conllu", "mrg")
    sentences = "sentences in all; a tenth each for dev and test"
    add("--sentences", type=whole_number(3), default=2000, metavar="N", help=sentences)
    add_seed(parser, "the sentences")
    add("--writing", choices=WRITINGS, default="plain", help="spaces and tokens of the raw text of .conllu")


def _treebank(output: str, sentences: int, seed: int, writing: str) -> None:
    from sapwood.datasets import write_treebank

    def count(done: int, total: int) -> None:
        end = "" if done < total else "\n"
        show_drawn(f"\r{done:,} of {total:,} sentences", sys.stderr, end=end)

    progress = count if sys.stderr.isatty() else None
    counts = write_treebank(output, sentences, seed, progress, writing=writing)
    for split, made in counts.items():
        show(f"{output}/{split}.txt, .conllu, .mrg: {made['sentences']:,} sentences, {made['tokens']:,} tokens")


def _text_options(number: str, counted: str, parser: ArgumentParser) -> None:
    _add_output(parser, "txt")
    add = parser.add_argument
    add(f"--{number}", dest="count", type=whole_number(3), default=1000, metavar="N", help=counted)
    add_seed(parser, f"the {number}")


def _texts(kind: str, number: str, output: str, count: int, seed: int) -> None:
    from sapwood.datasets.documents import write_texts

    for split, size in write_texts(kind, output, count, seed).items():
        show(f"{output}/{split}.txt: {size:,} {number}")


def _texts_verb(kind: str, number: str, counted: str) -> Verb:
    return Verb(help_of(f"generate {kind}"), partial(_text_options, number, counted), partial(_texts, kind, number))


_REVIEWS = "reviews in all, half of each class; a tenth each for dev and test"
_TOPICS = "texts in all; a tenth each for dev and test"
VERBS = {
    "generate treebank": Verb(help_of("generate treebank"), _treebank_options, _treebank),
    "generate reviews": _texts_verb("reviews", "reviews", _REVIEWS),
    "generate topics": _texts_verb("topics", "texts", _TOPICS),
}
