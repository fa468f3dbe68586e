"""``sapwood generate treebank``: a corpus made by a seeded grammar."""

import sys
from argparse import ArgumentParser

from sapwood.cli.options import Verb, add_seed, whole_number

TREEBANK = """Generate a treebank of an invented language.

Writes train, dev and test, each as .txt (word, tag, chunk), .conllu (dependencies) and .mrg
(phrase-structure trees). Another seed gives other sentences of the same language.

Example:
  sapwood generate treebank --sentences 5000 --seed 1 -o corpus
"""


def _treebank_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("-o", "--output", required=True, metavar="DIR", help="the folder to write to")
    sentences = "sentences in all; a tenth each for dev and test"
    add("--sentences", type=whole_number(3), default=2000, metavar="N", help=sentences)
    add_seed(parser, "the sentences")
    add("-q", "--quiet", action="store_true", help="show no progress")


def _treebank(output: str, sentences: int, seed: int, quiet: bool) -> None:
    from sapwood.datasets import write_treebank

    def show(done: int, total: int) -> None:
        end = "" if done < total else "\n"
        print(f"\r{done:,} of {total:,} sentences", end=end, file=sys.stderr, flush=True)

    counts = write_treebank(output, sentences, seed, progress=show if sys.stderr.isatty() and not quiet else None)
    for split, count in counts.items():
        print(f"{output}/{split}.txt, .conllu, .mrg: {count['sentences']:,} sentences, {count['tokens']:,} tokens")


VERBS = {"generate treebank": Verb(TREEBANK, _treebank_options, _treebank)}
