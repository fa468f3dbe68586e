"""A verb of the command line: its help, its options, what it does; and the parser that reads its arguments.

Flags follow from the options that models declare: names, types, ranges, defaults and texts.

argparse, because whoever labels one sentence waits for what is imported.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

from sapwood.cli.base.files import Input, InputFolder, OutputFile, OutputFolder
from sapwood.errors import OptionError
from sapwood.options import GROUPS, Option, Options, Threads, Values, options_of

if TYPE_CHECKING:
    from sapwood.model.base import AnyModel


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
        """The first line of the help."""
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
    """A verb's parser: its errors are OptionErrors of one line."""

    def __init__(self, verb: str, description: str) -> None:
        super().__init__(
            prog=f"sapwood {verb}", description=description, formatter_class=_Formatter, allow_abbrev=False
        )
        self.options: type[Options] | None = None  # options of the model that the verb trains
        self._headings: dict[str, argparse._ArgumentGroup] = {}

    def under(self, group: str) -> Callable[..., argparse.Action]:
        """Return the function that adds an argument under the heading of a group, one of sapwood.options.GROUPS."""
        if not self._headings:
            self._headings = {name: self.add_argument_group(title) for name, title in GROUPS.items()}
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
        """Raise an OptionError."""
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
                if self.options is not None and option in self.options.options():
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


AllVerbs = Callable[[], dict[str, Verb]]  # every verb by its name


def parser_of(name: str, verb: Verb) -> Parser:
    """Return the parser of a verb's arguments."""
    parser = Parser(name, verb.help)
    verb.add_options(parser)
    return parser


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


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the model file that most verbs begin with."""
    parser.add_argument("model", type=Input, metavar="MODEL", help="a model file")


def add_files(parser: argparse.ArgumentParser, kind: str) -> None:
    """Add files of a kind, or standard input."""
    help = f"{kind}; '-' or none: standard input"
    parser.add_argument("files", type=Input, metavar="FILE", nargs="*", default=(), help=help)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the file that the printed figures are also written to."""
    parser.add_argument("--json", type=OutputFile("JSON"), metavar="FILE", help="also write the figures to this file")


def add_seed(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the seed of random choices."""
    parser.add_argument("--seed", type=whole_number(0, (1 << 64) - 1), default=1, metavar="S", help=f"seed of {what}")


class Where(TypedDict):
    """The values of what `add_cluster` adds."""

    output: str | None
    workers: int | str | None
    parquet: bool


def add_flags(parser: Parser, options: type[Options]) -> None:
    """Add a flag for each option of a model that has one, under the option's heading."""
    parser.options = options
    for option in options.options().values():
        if not option.command:
            continue
        flag = option.flag or f"--{option.name.replace('_', '-')}"
        settings: Values = {"dest": option.name, "help": option.help.replace("%", "%%")}
        if option.kind == "switch":
            settings["action"] = "store_false" if option.default else "store_true"
            if option.default:
                assert option.off is not None, f"{option.name} is on, and has no flag that turns it off"
                flag = option.off
        elif option.kind == "choice":
            settings["choices"] = [*option.choices, *([option.off] if option.off else [])]
            settings["type"] = _choice(settings["choices"])
        else:
            settings["metavar"] = option.metavar
            settings["type"] = {"whole": _whole, "number": _number, "list": _list, "text": _text}[option.kind](option)
        add = parser.under("first" if option.name in options.first else option.group)
        add(flag, default=option.off if option.default is None else option.default, **settings)


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add the number of threads, as all models declare it."""
    [threads] = Threads.options().values()
    parser.add_argument("--threads", type=_whole(threads), default=threads.default, metavar="N", help=threads.help)


def add_workers(add: Callable[..., argparse.Action], what: str, needs: str) -> None:
    """Add who may do the work in place of this process."""
    workers = (
        f"{what} by Dask, for {needs}: in N processes of this machine, or on the cluster whose scheduler is at "
        "ADDRESS, tcp://host:8786 for example"
    )
    add("--workers", type=_workers, metavar="N|ADDRESS", help=workers)


def _workers(text: str) -> int | str:
    return text if "://" in text else whole_number(1, 1024)(text)


def add_held_out(add: Callable[..., argparse.Action], what: str) -> None:
    """Add held-out data: a file, or a part of the training data."""
    add("--dev", type=_held_out, metavar="FILE|N%", help=f"{what}; 10%%: a tenth of the training data")


def _held_out(text: str) -> Input | float:
    if not text.endswith("%"):
        return Input(text)
    try:
        part = float(text[:-1]) / 100
    except ValueError:
        part = 0.0
    if not 0 < part < 1:
        raise argparse.ArgumentTypeError(
            f"{text!a} is not a part of the training data, such as 10%; a file is ./{text}"
        )
    return part


def held_out(dev: str | float | None) -> Values:
    """Return the arguments of `fit` for held-out data that the command line gave."""
    if isinstance(dev, float):
        return {"dev": None, "dev_fraction": dev}
    return {"dev": None if dev is None else Path(dev), "dev_fraction": None}


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add a folder to write to, and where else the work may be done."""
    add = parser.add_argument
    output = "write a file for each FILE into this folder, --threads of them at a time; a run that was stopped goes on"
    folder = OutputFolder("JSON", ".sapwood-run.jsonl")  # other files there are seen to by sapwood.model.runs
    add("-o", "--output", type=folder, metavar="DIR", help=output)
    add_workers(add, "write the files", "--output")
    add("--parquet", action="store_true", help="write tables, a row for each word or example, for --output")


def elsewhere(where: Where) -> bool:
    """Return true if output goes to files in a folder. Raises OptionError for options that contradict each other."""
    if where["output"] is None and (where["workers"] or where["parquet"]):
        given = "--workers" if where["workers"] else "--parquet"
        raise OptionError(f"{given} needs --output: it is for files that are written into a folder")
    return where["output"] is not None


def option_values(model: type[Options] | type[AnyModel], values: Values) -> Values:
    """Take those values that are options of a model out of what the command line gave."""
    declared = options_of(model)
    found = {name: values.pop(name) for name in declared if name in values}
    return {name: None if value is not None and value == declared[name].off else value for name, value in found.items()}


def _choice(choices: list[object]) -> Callable[[str], object]:
    by_text = {str(choice): choice for choice in choices}

    def read(text: str) -> object:
        if text in by_text:
            return by_text[text]
        meant = nearest(text, {each: each for each in by_text})
        raise argparse.ArgumentTypeError(f"{text!a} is none of {', '.join(by_text)}{meant}")

    return read


def _whole(option: Option) -> Callable[[str], int]:
    assert option.least is not None and option.most is not None
    return whole_number(int(option.least), int(option.most))


def _number(option: Option) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!a} is not {option.allowed}") from None
        if value != value or not option.has(value):
            raise argparse.ArgumentTypeError(f"{text!a} is not {option.allowed}")
        return value

    return read


def _list(option: Option) -> Callable[[str], list[str]]:
    return lambda text: [*map(_text(option), text.split(","))]


def _text(option: Option) -> Callable[[str], str]:
    """Return the type of a text, which may be the name of a file or folder to read."""
    metavar = option.metavar or ""
    return Input if "FILE" in metavar else InputFolder if metavar == "DIR" else str
