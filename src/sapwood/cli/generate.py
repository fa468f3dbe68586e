"""``sapwood generate``: corpora made by a seeded grammar."""

import click

__all__ = ["generate"]


@click.group()
def generate() -> None:
    """Generate a corpus."""


@generate.command("treebank")
@click.option("-o", "--output", required=True, metavar="DIR", help="The folder to write to.")
@click.option("--sentences", type=int, default=2000, help="Sentences in all; a tenth each for dev and test.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Another seed gives other sentences of the language.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def treebank(output: str, sentences: int, seed: int, quiet: bool) -> None:
    """Generate a treebank of an invented language.

    Writes train, dev and test, each as .txt (word, tag, chunk), .conllu (dependencies) and .mrg
    (phrase-structure trees).

    \b
    Example:
      sapwood generate treebank --sentences 5000 --seed 1 -o corpus
    """
    import sys

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
        click.echo(f"{output}/{split}.txt, .conllu, .mrg: {count['sentences']:,} sentences, {count['tokens']:,} tokens")
