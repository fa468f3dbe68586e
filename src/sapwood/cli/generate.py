"""``sapwood generate``: corpora made by a seeded grammar."""

from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(help="Generate a corpus.", no_args_is_help=True)


@app.callback()
def _kinds() -> None:
    """Generate a corpus."""


@app.command("treebank")
def treebank(
    output: Annotated[str, typer.Option("-o", "--output", help="The folder to write to.")],
    sentences: Annotated[int, typer.Option(help="Sentences in all; a tenth each for dev and test.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Another seed gives other sentences of the same language.")] = 1,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Show no progress.")] = False,
) -> None:
    """Generate a treebank of an invented language: words, tags, chunks, phrase-structure and dependency trees.

    Writes train, dev and test as .txt (word, tag, chunk), .conllu and .mrg.

    Example:

      sapwood generate treebank --sentences 5000 --seed 1 -o corpus
    """
    import sys

    from sapwood.datasets import write_treebank

    def show(done: int, total: int) -> None:
        print(f"\r{done:,} of {total:,} sentences", end="" if done < total else "\n", file=sys.stderr, flush=True)

    counts = write_treebank(output, sentences, seed, progress=show if sys.stderr.isatty() and not quiet else None)
    for split, count in counts.items():
        typer.echo(f"{output}/{split}.txt, .conllu, .mrg: {count['sentences']:,} sentences, {count['tokens']:,} tokens")
