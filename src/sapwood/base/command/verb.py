"""A command line from its words to its exit status: verbs, the parser of their arguments, and errors in one line each.

argparse, because whoever labels one sentence waits for what is imported.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from itertools import groupby
from math import nan
from textwrap import wrap
from typing import Any, NoReturn, TextIO

from ...errors import OptionError, SapwoodError
from ..writing import discard_output, escape_controls, finish_writes
from .files import OutputFile, check_files
from .terminal import paint, show, show_drawn

_MANY = 3  # names that a shortened one may mean


class Verb:
    """A command: its help, whose first line stands in the overview; what adds its options; what takes their values."""

    def __init__(self, help: str, declare: Callable[[Parser], None], run: Callable[..., None]) -> None:
        self.help = help
        self.declare = declare
        self.run = run

    def add_options(self, parser: Parser) -> None:
        """Add the verb's options, and --force if it writes files."""
        self.declare(parser)
        if any(isinstance(action.type, OutputFile) for action in parser._actions):
            force = "write over an existing file of another kind, such as a model over a text"
            parser.add_argument("--force", action="store_true", help=force)

    @property
    def title(self) -> str:
        return self.help.partition("\n")[0]


def nearest(wrong: str, known: Mapping[str, object]) -> str:
    """Return '; did you mean ...?' for a shortened or mistyped name, or nothing. `known`: short names -> full names."""
    longer = [name for name in known if len(wrong) > 1 and name.startswith(wrong)]
    found = longer[:_MANY] or get_close_matches(wrong, known, n=1)
    meant = " or ".join(f"'{known[name]}'" for name in found)
    return f"; did you mean {meant}?" if found else ""


class _Formatter(argparse.HelpFormatter):
    """Paragraphs are as wide as the terminal, indented lines stay; defaults that say something are shown."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines: list[str] = []
        for stays, group in groupby(text.splitlines(), key=lambda line: not line or line.startswith(" ")):
            block = list(group)
            lines += block if stays else wrap(" ".join(block), width)
        return "\n".join(lines)

    def _get_help_string(self, action: argparse.Action) -> str:
        match action.default:
            case None | argparse.SUPPRESS | bool() | []:
                return action.help or ""
            case [*several]:
                return f"{action.help} (default: {','.join(several)})"
            case default:
                return f"{action.help} (default: {default})"


class Parser(argparse.ArgumentParser):
    """A verb's parser: its errors are OptionErrors of one line.

    headings : names of groups of options, and the headings above them
    """

    def __init__(self, prog: str, description: str, headings: Mapping[str, str]) -> None:
        super().__init__(prog=prog, description=description, formatter_class=_Formatter, allow_abbrev=False)
        self.declared: dict[str, str] = {}  # options of the model that is trained, and flags of other names
        self._titles = headings
        self._headings: dict[str, argparse._ArgumentGroup] = {}

    def under(self, group: str) -> Callable[..., argparse.Action]:
        """Return the function that adds an argument under the heading of a group."""
        if not self._headings:
            self._headings = {name: self.add_argument_group(title) for name, title in self._titles.items()}
            self._action_groups.append(self._action_groups.pop(1))  # arguments under no heading come last
            self._optionals.title = "other options"
        return self._headings[group].add_argument

    def read(self, arguments: list[str]) -> dict[str, Any]:
        """Return the values of the arguments; options may stand before, between and behind the files."""
        self._check_names(arguments)
        self._check_repeated(arguments)
        files = any(action.nargs in ("*", "+") for action in self._actions)
        return vars(self.parse_intermixed_args(arguments) if files else self.parse_args(arguments))

    def reads_standard_input(self, values: dict[str, object]) -> bool:
        """Return true if these values name standard input as a file, by '-' or by naming none."""
        inputs = [action for action in self._actions if not action.option_strings or action.dest == "dev"]
        given = [values[action.dest] for action in inputs]
        return any(value in ("-", [], ()) or (isinstance(value, list) and "-" in value) for value in given)

    def error(self, message: str) -> NoReturn:
        line = " ".join(message.split()).removesuffix(".")
        end = "" if line.endswith("?") else "."
        raise OptionError(f"{line[:1].upper()}{line[1:]}{end} See '{self.prog} --help'.")

    def _check_names(self, arguments: list[str]) -> None:
        """Raise OptionError for an unknown option, before argparse complains about a missing one instead."""
        known = {name.lstrip("-"): name for name in self._option_string_actions}
        for argument in arguments:
            name = argument.partition("=")[0]
            if name == "--":
                return
            if name.startswith("--") and name not in known.values():
                option = name[2:].removeprefix("no-").replace("-", "_")
                if flag := self.declared.get(option):
                    self.error(f"{name} is called {flag} here")
                if option in self.declared:
                    self.error(f"{name} is set in Python alone: the option {option} of the model's class")
                self.error(f"no such option '{name}'{nearest(name[2:], known)}")

    def _check_repeated(self, arguments: list[str]) -> None:
        """Raise OptionError for an option that is given twice with different values; argparse takes the last."""
        given: dict[str, str] = {}
        words = iter(arguments)
        for word in words:
            if word == "--":
                return
            name, has_value, value = word.partition("=")
            if not word.startswith("--"):
                name, value = word[:2], word[2:]
            action = self._option_string_actions.get(name)
            if action is None or action.nargs == 0 or isinstance(action, argparse._AppendAction):
                continue
            if not value and not has_value:
                value = next(words, "")
            before = given.setdefault(action.dest, value)
            if before != value:
                self.error(f"{name} is given twice, as {before!a} and as {value!a}; give it once")


def whole_number(least: int, most: int = (1 << 32) - 1) -> Callable[[str], int]:
    """Return argparse's type for a whole number in a range. Messages name a largest number only where it matters."""
    wanted = f"from {least:,} to {most:,}" if most < (1 << 32) - 1 else f"{least} or more"

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!a} is not a whole number, {wanted}")
        if value > most:
            raise argparse.ArgumentTypeError(f"{text!a} is too large; the largest number here is {most:,}")
        return value

    return read


def number(allowed: str, has: Callable[[float], bool]) -> Callable[[str], float]:
    """Return argparse's type for a number; `allowed` says which in words, `has` tells them."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = nan
        if value != value or not has(value):
            raise argparse.ArgumentTypeError(f"{text!a} is not {allowed}")
        return value

    return read


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the file that the printed figures are also written to."""
    parser.add_argument("--json", type=OutputFile("JSON"), metavar="FILE", help="also write the figures to this file")


def run_command(program: str, do: Callable[[], int], out_of_memory: str) -> int:
    """Do what a command line says, and return the exit status. Errors and warnings begin with the program's name.

    out_of_memory : what to do where memory did not suffice
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the shell, as in `sapwood ... >&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
    finish_writes()

    def fail(message: str, status: int) -> int:
        show_drawn(f"{paint(f'{program}:', 'error', sys.stderr)} {escape_controls(message)}", sys.stderr)
        return status

    try:
        with warnings.catch_warnings():
            warnings.showwarning = partial(_warn, program)
            status = do()
        sys.stdout.flush()
        return status
    except SapwoodError as error:
        return fail(str(error), error.exit_code)
    except KeyboardInterrupt as interrupt:  # in training it has the signal's number
        return fail("interrupted", 128 + next(iter(interrupt.args), 2))
    except BrokenPipeError:  # the reader had enough, as in `sapwood tag ... | head`: not an error to speak of
        discard_output()
        return 141
    except MemoryError:
        return fail(f"out of memory; {out_of_memory}", 1)
    except OSError as error:  # a full disk behind standard output, say
        discard_output()
        where = f"{error.filename}: " if error.filename else ""
        return fail(f"{where}{error.strerror or error}", 1)


def perform(program: str, parser: Parser, verb: Verb, words: list[str]) -> int:
    """Read a verb's arguments, check its files, and run it, or show its help. Raises what the verb raises."""
    if "-h" in words or "--help" in words:
        show(parser.format_help(), end="")
        return 0
    values = parser.read(words)
    if sys.stdin.isatty() and parser.reads_standard_input(values):
        show(f"{program}: reading from the terminal; end with Ctrl-D on a line of its own", sys.stderr)
    check_files(values, values.pop("force", False))
    verb.run(**values)
    return 0


def _warn(
    program: str,
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning as errors are printed: on one line, without the place in the program."""
    show_drawn(f"{paint(f'{program}: warning:', 'yellow', sys.stderr)} {escape_controls(str(message))}", sys.stderr)
