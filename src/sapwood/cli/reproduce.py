"""``sapwood reproduce``: the papers' tables, measured here."""

from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(help="Reproduce a paper's table.", no_args_is_help=True)


@app.callback()
def _tables() -> None:
    """Reproduce a paper's table."""


@app.command("table1")
def table1(
    data: Annotated[str | None, typer.Option(help="Folder with conll2000/; by default SAPWOOD_DATA, else a generated corpus.")] = None,
    json: Annotated[str | None, typer.Option(help="Also write the figures to this file.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="A row to measure (repeat for more); all by default.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the data.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Of the shuffling.")] = 1,
) -> None:
    """Table 1 of "Learning Sparser Perceptron Models": text chunking, accuracy against size.

    Examples:

      sapwood reproduce table1 --data corpora --json table1.json

      sapwood reproduce table1 --only "Avg. Percep" --only SAP10
    """
    from sapwood.errors import OptionError
    from sapwood.experiments import table1 as experiment
    from sapwood.io.rows import write_rows

    known = [row.name for row in experiment.experiments()]
    if unknown := [name for name in only or [] if name not in known]:
        raise OptionError(f"there is no row '{unknown[0]}' in the table; it has {', '.join(known)}")

    corpora = set()

    def show(corpus: str, name: str) -> None:
        corpora.add(corpus)
        typer.echo(f"{corpus}: {name} ...", err=True)

    rows = list(experiment.run(data, names=only, epochs=epochs, seed=seed, on_start=show))
    typer.echo(f"{', '.join(corpora)}, {epochs} passes, seed {seed}; file and accuracy at int8, 'float32' before quantisation")
    typer.echo(experiment.format_rows(rows))
    if json is not None:
        write_rows(json, [row.as_dict() for row in rows])
