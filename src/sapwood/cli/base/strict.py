"""``--strict``: input that a model was not made for is refused, and not only warned of."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TypeVar

from sapwood.cli.base.verb import Where, elsewhere
from sapwood.errors import DataError, OptionError
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
