"""``--strict``: input that a model was not made for is refused, and not only warned of."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from sapwood.cli.base.verb import Where, elsewhere
from sapwood.errors import OptionError, refuse

if TYPE_CHECKING:
    from sapwood.model.base import AnyModel


def add_strict(parser: ArgumentParser) -> None:
    """Add the flag."""
    what = "refuse a text that the model was not made for, such as one of another language, instead of warning of it"
    parser.add_argument("--strict", action="store_true", help=what)


def make_strict(model: AnyModel, strict: bool, where: Where) -> None:
    """Let a model refuse what it was not made for, if that is wished. Raises OptionError if it cannot."""
    if not strict:
        return
    if elsewhere(where):
        raise OptionError("--strict ends at the first strange text, which --output does not do; leave out one of both")
    if model.familiarity.core is None:
        raise OptionError(
            "--strict: the model does not say what it was made for; it learned from few words, or is an earlier one"
        )
    refuse()
