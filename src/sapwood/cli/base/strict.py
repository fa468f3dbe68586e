"""Flags of verbs that use a model: ``--strict`` refuses input that it was not made for, ``--to`` writes records."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import TypeVar

from sapwood.cli.base.verb import Where, elsewhere
from sapwood.errors import DataError, OptionError
from sapwood.io.record_writer import HELP, TO
from sapwood.model.base import AnyModel, with_listener

M = TypeVar("M", bound="AnyModel")


def add_strict(parser: ArgumentParser) -> None:
    """Add the flag."""
    what = "refuse a text that the model was not made for, such as one of another language, instead of warning of it"
    parser.add_argument("--strict", action="store_true", help=what)


def with_strictness(model: M, strict: bool, where: Where) -> M:
    """Return the model, or one that refuses what it was not made for. Raises OptionError if it cannot know that."""
    if not strict:
        return model
    result = strictly(model, where)
    if model.familiarity_.core is None:
        raise OptionError(
            "--strict: the model does not say what it was made for; it learned from few words, or is an earlier one"
        )
    return result


def strictly(model: M, where: Where) -> M:
    """Return a model that refuses what it would warn of. Raises OptionError where the output goes into a folder."""
    if elsewhere(where):
        raise OptionError("--strict ends at the first strange text, which --output does not do; leave out one of both")
    return with_listener(model, _refuse, strict=True)


def _refuse(message: str) -> None:
    raise DataError(message)


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
