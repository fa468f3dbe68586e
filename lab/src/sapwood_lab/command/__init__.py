"""The command line of the laboratory: ``sapwood-lab VERB ...``, also as ``python -m sapwood_lab``."""

import sys

from sapwood_lab import __version__
from sapwood_lab.base.command.terminal import show
from sapwood_lab.base.command.verb import Parser, Verb, nearest, perform, run_command
from sapwood_lab.command import averaging, lessons, steps
from sapwood_lab.errors import OptionError

VERBS: dict[str, Verb] = steps.VERBS | averaging.VERBS | lessons.VERBS


def main() -> None:
    """Run the command line and exit: 0 done, 1 data at fault, 2 usage, 128 + n stopped by signal n."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit status. Every error is one line on standard error."""
    return run_command("sapwood-lab", lambda: _dispatch(arguments), "give fewer sentences at a time")


def parser_of(name: str) -> Parser:
    """Return the parser of a verb's arguments."""
    parser = Parser(f"sapwood-lab {name}", VERBS[name].help, {})
    VERBS[name].add_options(parser)
    return parser


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        show(_overview(), sys.stderr)
        return 2
    name, *words = arguments
    if name in ("-h", "--help", "-V", "--version"):
        show(_overview() if name in ("-h", "--help") else f"sapwood-lab {__version__}")
        return 0
    if name not in VERBS:
        meant = nearest(name, {each: each for each in VERBS})
        raise OptionError(f"No such command {name!a}{meant or '.'} See 'sapwood-lab --help'.")
    return perform("sapwood-lab", parser_of(name), VERBS[name], words)


def _overview() -> str:
    lines = [
        "Usage: sapwood-lab VERB ...",
        "",
        "The laboratory of sapwood: perceptrons for language in plain Python.",
        "",
    ]
    lines += [f"  sapwood-lab {name:10} {verb.title}" for name, verb in VERBS.items()]
    return "\n".join([*lines, "", "'sapwood-lab VERB --help' shows the options and examples of a command."])
