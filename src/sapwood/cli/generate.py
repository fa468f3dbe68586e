"""``sapwood generate``: corpora made by a seeded grammar."""

import sys

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_DESCRIPTION = """Generate a treebank of an invented language.

Writes train, dev and test, each as .txt (word, tag, chunk), .conllu (dependencies) and .mrg
(phrase-structure trees).

Example:
  sapwood generate treebank --sentences 5000 --seed 1 -o corpus
"""


def parser() -> Parser:
    """Return the parser of ``sapwood generate treebank``."""
    result = Parser("generate treebank", _DESCRIPTION)
    result.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder to write to")
    sentences = "sentences in all; a tenth each for dev and test"
    result.add_argument("--sentences", type=whole_number(3), default=2000, metavar="N", help=sentences)
    seed = "another seed gives other sentences of the language"
    result.add_argument("--seed", type=whole_number(0), default=1, metavar="S", help=seed)
    result.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    return result


def run(output: str, sentences: int, seed: int, quiet: bool) -> None:
    """Write the treebank."""
    from sapwood.datasets import write_treebank

    def show(done: int, total: int) -> None:
        print(
            f"\r{done:,} of {total:,} sentences",
            end="" if done < total else "\n",
            file=sys.stderr,
            flush=True,
        )

    counts = write_treebank(output, sentences, seed, progress=show if sys.stderr.isatty() and not quiet else None)
    for split, count in counts.items():
        print(f"{output}/{split}.txt, .conllu, .mrg: {count['sentences']:,} sentences, {count['tokens']:,} tokens")
