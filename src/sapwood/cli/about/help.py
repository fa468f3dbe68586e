"""``sapwood help`` and ``sapwood version``."""

from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial

from sapwood import __version__
from sapwood.cli.base.verb import Verb

HELP = """Show what a command does, its options and examples; without a command, all commands.

Examples:
  sapwood help
  sapwood help train tag
"""


def _options(parser: ArgumentParser) -> None:
    parser.add_argument("words", metavar="VERB", nargs="*", help="a command, such as tag or train tag")


def _help(helped: Callable[[list[str]], str], words: list[str]) -> None:
    print(helped(words))


def _version() -> None:
    print(f"sapwood {__version__}")


def verbs(helped: Callable[[list[str]], str]) -> dict[str, Verb]:
    """Return both verbs; `helped` gives the help of a verb by its words."""
    return {
        "help": Verb(HELP, _options, partial(_help, helped)),
        "version": Verb("Print the version.\n\nExample:\n  sapwood version\n", lambda parser: None, _version),
    }
