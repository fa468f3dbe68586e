"""The options of verbs that write records, and what is wrong with them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from sapwood.errors import OptionError
from sapwood.io.record_writer import HELP, TO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapwood.cli.base.verb import Where


def add_records(parser: ArgumentParser) -> None:
    """Add the format of the records that come out."""
    parser.add_argument("--to", choices=TO, help=HELP)


def check_records(to: str | None, files: Sequence[str], where: Where, *, alone: bool = False) -> None:
    """Raise OptionError if the records of these files cannot be written in one output; `alone` not into a folder."""
    if alone and where["output"] is not None:
        raise OptionError("--to goes with standard output here, not with --output")
    if to == "parquet" and where["output"] is None and sys.stdout.isatty():
        raise OptionError("Parquet is nothing for a terminal; send it into a file: > out.parquet")
    if to in ("csv", "parquet") and where["output"] is None and len(files) > 1:
        raise OptionError(f"{to} on standard output is that of one FILE; with --output DIR each FILE becomes a file")
