"""What ``sapwood reproduce TABLE`` is for every experiment: options, measuring, printing."""

import sys
from typing import Any

from sapwood.cli.app import Parser, whole_number

__all__ = ["add_experiment", "add_measuring", "add_treebanks", "run_experiment"]


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


def add_experiment(parser: Parser, folders: str, *, figure: bool = False) -> None:
    """Add what experiments on classifiers and rerankers have; `folders` are those that the data may be in."""
    add = parser.add_argument
    add("--data", metavar="DIR", help=f"folder with {folders}; without, SAPWOOD_DATA, else generated examples serve")
    add("--json", metavar="FILE", help="also write the figures to this file")
    if figure:
        add("--figure", metavar="FILE", help="draw them, as a .png or .svg")


def run_experiment(name: str, needs: str | None = None, purpose: str = "this experiment", **choices: Any) -> None:
    """Run a module of ``sapwood.experiments`` that `needs` a library; print its tables, write its figures, draw it."""
    from importlib import import_module

    from sapwood.draw.figure import check_figure
    from sapwood.io.rows import write_rows
    from sapwood.optional import require

    json, figure, data = (choices.pop(name, None) for name in ("json", "figure", "data"))
    if needs is not None:
        require(needs, purpose)
    if figure is not None:
        check_figure(figure)
    experiment = import_module(f"sapwood.experiments.{name}")

    def show(corpus: str, name: str) -> None:
        print(f"{corpus}: {name} ...", file=sys.stderr)

    text, rows = experiment.run(data, show, **choices)
    print(text)
    if json is not None:
        write_rows(json, rows)
    if figure is not None:
        experiment.draw(rows, figure)
