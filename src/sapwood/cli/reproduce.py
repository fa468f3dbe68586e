"""What ``sapwood reproduce TABLE`` is for every table: choose rows, measure them, print them."""

import sys
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

from sapwood.cli.app import Parser, whole_number

if TYPE_CHECKING:
    from sapwood.experiments.table import Experiment, Row

__all__ = ["add_experiment", "add_measuring", "add_treebanks", "measure", "run_experiment"]


class Table(Protocol):
    """A module of ``sapwood.experiments``."""

    NOTE: str

    def experiments(self) -> "list[Experiment]":
        """Return the rows' names and options."""

    def run(self, *args: Any, **choices: Any) -> "Iterator[Row]":
        """Measure the rows, one by one."""


def add_measuring(parser: Parser, folders: str) -> None:
    """Add what all tables have; `folders` are those that the data may be in."""
    add = parser.add_argument
    data = f"folder with {folders}; without, SAPWOOD_DATA, else a generated corpus serves"
    add("--data", metavar="DIR", help=data)
    add("--json", metavar="FILE", help="also write the figures to this file")
    only = "a row to measure (repeat for more); without, all"
    add("--only", action="append", default=[], metavar="ROW", help=only)
    add("--epochs", type=whole_number(1), default=10, metavar="N", help="passes over the data")
    add("--seed", type=whole_number(0), default=1, metavar="S", help="of the shuffling")


def add_treebanks(parser: Parser) -> None:
    """Add what the tables of parsers have besides."""
    add = parser.add_argument
    corpus = "UD English EWT, or the sample of the Penn Treebank; without, those that the folder has"
    add("--corpus", choices=["ewt", "wsj"], help=corpus)
    tags = "those of the data, those of a tagger, or of taggers trained in ten folds"
    add("--tags", choices=["gold", "predicted", "jackknife"], default="gold", help=tags)


def measure(
    table: Table, data: str | None, json: str | None, only: list[str], epochs: int, seed: int, **choices: Any
) -> None:
    """Measure the rows and print the table, corpus by corpus."""
    from sapwood.errors import OptionError
    from sapwood.experiments.table import format_rows
    from sapwood.io.rows import write_rows

    known = [row.name for row in table.experiments()]
    if unknown := [name for name in only if name not in known]:
        raise OptionError(f"there is no row '{unknown[0]}' in the table; it has {', '.join(known)}")

    def show(corpus: str, name: str) -> None:
        print(f"{corpus}: {name} ...", file=sys.stderr)

    rows = list(table.run(data, names=only or None, epochs=epochs, seed=seed, on_start=show, **choices))
    for corpus, of_corpus in groupby(rows, key=lambda row: row.corpus):
        print(f"{corpus}, {epochs} passes, seed {seed}; file and scores at int8, 'float32' before quantisation")
        print(format_rows(list(of_corpus)))
    if table.NOTE:
        print(table.NOTE)
    if json is not None:
        write_rows(json, [row.as_dict() for row in rows])


def add_experiment(parser: Parser, folders: str, *, figure: bool = False) -> None:
    """Add what experiments on classifiers and rerankers have; `folders` are those that the data may be in."""
    add = parser.add_argument
    add("--data", metavar="DIR", help=f"folder with {folders}; without, SAPWOOD_DATA, else generated examples serve")
    add("--json", metavar="FILE", help="also write the figures to this file")
    if figure:
        add("--figure", metavar="FILE", help="draw them, as a .png or .svg")


def run_experiment(name: str, needs: str, data: str | None, json: str | None, figure: str | None = None) -> None:
    """Run a module of ``sapwood.experiments`` that `needs` a library; print its tables, write its figures, draw it."""
    from importlib import import_module

    from sapwood.draw.figure import check_figure
    from sapwood.io.rows import write_rows
    from sapwood.optional import require

    require(needs, "this experiment")
    experiment = import_module(f"sapwood.experiments.{name}")
    if figure is not None:
        check_figure(figure)

    def show(corpus: str, name: str) -> None:
        print(f"{corpus}: {name} ...", file=sys.stderr)

    text, rows = experiment.run(data, show)
    print(text)
    if json is not None:
        write_rows(json, rows)
    if figure is not None:
        experiment.draw(rows, figure)
