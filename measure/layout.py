"""The command line and the tables that all benchmarks have."""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence

from measure.records import measuring_command, write_measurements
from measure.report import Row
from sapwood.metrics.labels import table

__all__ = ["command_line", "print_rows", "write_rows"]


def command_line(description: str | None, runs: int | None = None) -> argparse.ArgumentParser:
    """Return a parser with the options --data, --json and, if there is a number of runs, --runs."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", metavar="DIR", help="folder of the corpora; without, SAPWOOD_DATA, or generated ones")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    if runs is not None:
        parser.add_argument("--runs", type=int, default=runs, metavar="N", help="rounds, of which the median counts")
    return parser


def print_rows(rows: Sequence[Row], columns: Mapping[str, tuple[str, str]]) -> None:
    """Print a table: `columns` gives for each heading the name of the figure and its format.

    The first column has the rows' names. A figure that a row does not have, or that is None, is left out.
    """
    cells = [
        ["" if row.get(name) is None else format(row[name], form) for name, form in columns.values()] for row in rows
    ]
    lines = table([["", *columns], *([row["name"], *figures] for row, figures in zip(rows, cells, strict=True))])
    print("\n".join(line.rstrip() for line in lines))


def write_rows(path: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Write the figures behind the command that is running, the version and the date."""
    benchmark = sys.modules["__main__"].__spec__.name
    write_measurements(path, rows, measuring_command(["python", "-m", benchmark, *sys.argv[1:]]))
