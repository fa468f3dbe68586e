"""``sapwood reproduce``: the papers' tables, measured here."""

import click

__all__ = ["reproduce"]


@click.group()
def reproduce() -> None:
    """Reproduce a paper's table."""


@reproduce.command("table1")
@click.option(
    "--data", metavar="DIR", help="Folder with conll2000/; by default SAPWOOD_DATA, else a generated corpus serves."
)
@click.option("--json", metavar="FILE", help="Also write the figures to this file.")
@click.option("--only", metavar="ROW", multiple=True, help="A row to measure (repeat for more); all by default.")
@click.option("--epochs", type=click.IntRange(1), default=10, help="Passes over the data.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Of the shuffling.")
def table1(data: str | None, json: str | None, only: tuple[str, ...], epochs: int, seed: int) -> None:
    """Table 1 of "Learning Sparser Perceptron Models": text chunking, accuracy against size.

    \b
    Examples:
      sapwood reproduce table1 --data corpora --json table1.json
      sapwood reproduce table1 --only "Avg. Percep" --only SAP10
    """
    from sapwood.errors import OptionError
    from sapwood.experiments import table1 as experiment
    from sapwood.io.rows import write_rows

    known = [row.name for row in experiment.experiments()]
    if unknown := [name for name in only if name not in known]:
        raise OptionError(f"there is no row '{unknown[0]}' in the table; it has {', '.join(known)}")

    corpora = set()

    def show(corpus: str, name: str) -> None:
        corpora.add(corpus)
        click.echo(f"{corpus}: {name} ...", err=True)

    rows = list(experiment.run(data, names=list(only) or None, epochs=epochs, seed=seed, on_start=show))
    click.echo(
        f"{', '.join(corpora)}, {epochs} passes, seed {seed}; file and accuracy at int8, 'float32' before quantisation"
    )
    click.echo(experiment.format_rows(rows))
    if json is not None:
        write_rows(json, [row.as_dict() for row in rows])
