"""``sapwood reproduce``: the papers' tables, measured here."""

import sys

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_DESCRIPTION = """Table 1 of "Learning Sparser Perceptron Models": text chunking, accuracy against size.

Examples:
  sapwood reproduce table1 --data corpora --json table1.json
  sapwood reproduce table1 --only "Avg. Percep" --only SAP10
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce table1``."""
    result = Parser("reproduce table1", _DESCRIPTION)
    data = "folder with conll2000/; without, SAPWOOD_DATA, else a generated corpus serves"
    result.add_argument("--data", metavar="DIR", help=data)
    result.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    only = "a row to measure (repeat for more); without, all"
    result.add_argument("--only", action="append", default=[], metavar="ROW", help=only)
    result.add_argument("--epochs", type=whole_number(1), default=10, metavar="N", help="passes over the data")
    result.add_argument("--seed", type=whole_number(0), default=1, metavar="S", help="of the shuffling")
    return result


def run(data: str | None, json: str | None, only: list[str], epochs: int, seed: int) -> None:
    """Measure the rows and print the table."""
    from sapwood.errors import OptionError
    from sapwood.experiments import table1 as experiment
    from sapwood.io.rows import write_rows

    known = [row.name for row in experiment.experiments()]
    if unknown := [name for name in only if name not in known]:
        raise OptionError(f"there is no row '{unknown[0]}' in the table; it has {', '.join(known)}")

    corpora = set()

    def show(corpus: str, name: str) -> None:
        corpora.add(corpus)
        print(f"{corpus}: {name} ...", file=sys.stderr)

    rows = list(experiment.run(data, names=only or None, epochs=epochs, seed=seed, on_start=show))
    print(
        f"{', '.join(corpora)}, {epochs} passes, seed {seed}; file and accuracy at int8, 'float32' before quantisation"
    )
    print(experiment.format_rows(rows))
    if json is not None:
        write_rows(json, [row.as_dict() for row in rows])
