"""The parsers of sapwood's verbs, the arguments that several of them have, and the files that these name.

Flags follow from the options that models declare: names, types, ranges, defaults and texts.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar

from sapwood.base.command.files import Input, InputFolder, OutputFolder
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Parser, Verb, nearest, number, whole_number
from sapwood.base.writing import explained, shown
from sapwood.errors import DataError, OptionError
from sapwood.options import GROUPS, THREADS, Option, Options, Values, options_of

if TYPE_CHECKING:
    from sapwood.model.base import AnyModel

M = TypeVar("M", bound="AnyModel")
_HELP = Path(__file__).parents[1] / "help.txt"


def parser_of(name: str, verb: Verb) -> Parser:
    """Return the parser of a verb's arguments."""
    parser = Parser(f"sapwood {name}", verb.help, GROUPS)
    verb.add_options(parser)
    return parser


def help_of(name: str) -> str:
    """Return the help of a verb; its first line stands in the overview."""
    return texts_of_help()[name]


@cache
def texts_of_help() -> dict[str, str]:
    """Return the help of all verbs, by name. In their file each begins below a line such as ``== train tag``."""
    _, *texts = f"\n{_HELP.read_text(encoding='utf-8')}".removesuffix("\n").split("\n== ")
    return {name: f"{text}\n" for name, _, text in (each.partition("\n") for each in texts)}


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the model file that most verbs begin with."""
    parser.add_argument("model", type=ModelInput, metavar="MODEL", help="a model file")


def add_files(parser: argparse.ArgumentParser, kind: str) -> None:
    """Add files of a kind, or standard input."""
    help = f"{kind}; '-' or none: standard input"
    parser.add_argument("files", type=Input, metavar="FILE", nargs="*", default=(), help=help)


def add_seed(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the seed of random choices."""
    parser.add_argument("--seed", type=whole_number(0, (1 << 64) - 1), default=1, metavar="S", help=f"seed of {what}")


class Where(TypedDict):
    """The values of what `add_cluster` adds."""

    strict: bool
    threads: int
    output: str | None
    workers: int | str | None
    parquet: bool


def add_flags(parser: Parser, options: type[Options]) -> None:
    """Add a flag for each option of a model that has one, under the option's heading."""
    parser.declared = {name: (option.command and option.flag) or "" for name, option in options.options().items()}
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
            settings["type"] = _type_of(option)
        add = parser.under("first" if option.name in options.first else option.group)
        add(flag, default=option.off if option.default is None else option.default, **settings)


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add the number of threads, as all models declare it."""
    parser.add_argument("--threads", type=whole_number(1), default=THREADS.default, metavar="N", help=THREADS.help)


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
    """Add --strict, the number of threads, a folder to write to, and where else the work may be done."""
    add = parser.add_argument
    what = "refuse a text that the model was not made for, such as one of another language, instead of warning of it"
    add("--strict", action="store_true", help=what)
    add_threads(parser)
    output = (
        "write a file for each FILE into this folder, --threads of them at a time; one that is there, and newer than "
        "FILE and MODEL, is kept"
    )
    folder = OutputFolder("text")  # sapwood.batch.runs sees to the files in it
    add("-o", "--output", type=folder, metavar="DIR", help=output)
    add_workers(add, "write the files", "--output")
    add("--parquet", action="store_true", help="write tables, a row for each word or example, for --output")


def elsewhere(where: Where) -> bool:
    """Return true if output goes to files in a folder. Raises OptionError for options that contradict each other."""
    if where["output"] is None and (where["workers"] or where["parquet"]):
        given = "--workers" if where["workers"] else "--parquet"
        raise OptionError(f"{given} needs --output: it is for files that are written into a folder")
    return where["output"] is not None


def opened(cls: type[M], model: str, files: Iterable[str], where: Where) -> tuple[M, list[str]]:
    """Return the model of a file, as `where` wants it, and the files that it is for. Raises SapwoodError."""
    from sapwood.loading import load_as

    return with_strictness(load_as(cls, model), where), in_folders(files, where["output"])


def with_strictness(model: M, where: Where) -> M:
    """Return the model with its threads, or one that refuses what it was not made for.

    Raises OptionError if it cannot know what that is.
    """
    model.set_params(threads=where["threads"])
    if not where["strict"]:
        return model
    result = strictly(model, where)
    if model.familiarity_.core is None:
        raise OptionError(
            "--strict: the model does not say what it was made for; it learned from few words, or is an earlier one"
        )
    return result


def strictly(model: M, where: Where) -> M:
    """Return a model that refuses what it would warn of. Raises OptionError where the output goes into a folder."""
    from sapwood.model.base import with_listener

    if elsewhere(where):
        raise OptionError("--strict ends at the first strange text, which --output does not do; leave out one of both")
    return with_listener(model, _refuse, strict=True)


def _refuse(message: str) -> None:
    raise DataError(message)


def add_records(parser: argparse.ArgumentParser) -> None:
    """Add the option --to, the format of the records that are written."""
    from sapwood.io.record_writer import HELP, TO

    parser.add_argument("--to", choices=TO, help=HELP)


def check_records(to: str | None, files: Sequence[str], output: str | None = None, *, alone: bool = False) -> None:
    """Raise OptionError if the records of these files cannot be written in one output; `alone` not into a folder."""
    if alone and output is not None:
        raise OptionError("--to goes with standard output here, not with --output")
    if to == "parquet" and output is None and sys.stdout.isatty():
        raise OptionError("Parquet is nothing for a terminal; send it into a file: > out.parquet")
    if to in ("csv", "parquet") and output is None and len(files) > 1:
        raise OptionError(f"{to} on standard output is that of one FILE; with --output DIR each FILE becomes a file")


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


def _type_of(option: Option) -> Callable[[str], object]:
    """Return argparse's type for the values of an option; a text may be the name of a file or folder to read."""
    metavar = option.metavar or ""
    text: Callable[[str], str] = Input if "FILE" in metavar else InputFolder if metavar == "DIR" else str
    match option.kind:
        case "whole":
            assert option.least is not None and option.most is not None
            return whole_number(int(option.least), int(option.most))
        case "number":
            return number(option.allowed, option.has)
        case "list":
            return lambda given: [*map(text, given.split(","))]
    return text


class ModelInput(Input):
    """The name of a model's file, or of a bundled model."""

    def files(self) -> Iterator[Path]:
        from sapwood.model.file.bundled import model_path

        return Input(model_path(str(self))).files()


def in_folders(names: Iterable[str], output: str | None) -> list[str]:
    """Return names of files with the files of a folder in its place, by name; say what of a folder is left out.

    That is what is in folders of it, what begins with a dot, and what is no file. Raises OptionError if `output` is one
    of the folders, and DataError if there is no file in one.
    """
    found = []
    for name in names:
        if name == "-" or not os.path.isdir(name):  # noqa: PTH112
            found.append(name)
            continue
        if output is not None and os.path.exists(output) and os.path.samefile(name, output):  # noqa: PTH110, PTH121
            raise OptionError(f"{shown(name)}: output would lie among the files that are read; name another folder")
        with explained(name, "read"):
            entries = sorted(os.scandir(name), key=lambda entry: entry.name)
        files = [entry.path for entry in entries if entry.is_file() and not entry.name.startswith(".")]
        folders = sum(entry.is_dir() for entry in entries)
        counts = {"folder": folders, "other file": len(entries) - len(files) - folders}
        left = " and ".join(f"{many:,} {what}{'s' * (many > 1)}" for what, many in counts.items() if many)
        if not files:
            raise DataError(f"{shown(name)}: there is no file in it{f'; {left} in it are not read' if left else ''}")
        if left:
            show(f"sapwood: {shown(name)}: its files are read, but not {left} in it", sys.stderr)
        found += files
    return found


def input_list(text: str) -> list[Input]:
    """Return the files of an argument in which commas divide them: the type of such arguments."""
    return [*map(Input, text.split(","))]
