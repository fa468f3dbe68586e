"""Flags of the command line from the options that models declare: names, types, ranges, defaults and texts."""

from __future__ import annotations

import argparse

from sapwood.cli.options import nearest, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sapwood.learning.options import Option, Options, Values


def add_flags(parser: argparse.ArgumentParser, declared: Mapping[str, Option], task: str) -> None:
    """Add a flag for each option that has one; `task` is that of the model whose options they are."""
    for option in declared.values():
        if not option.command:
            continue
        flag = option.flag or f"--{option.name.replace('_', '-')}"
        settings: Values = {"dest": option.name, "help": option.help.replace("%", "%%")}
        if option.kind == "switch":
            if option.default and option.off is not None:
                flag, settings["action"] = option.off, "store_false"
            else:
                settings["action"] = argparse.BooleanOptionalAction if option.default else "store_true"
        elif option.kind == "choice":
            settings["choices"] = [*option.choices, *([option.off] if option.off else [])]
            settings["type"] = _choice(option, settings["choices"], task)
        else:
            settings["metavar"] = option.metavar
            settings["type"] = {"whole": _whole, "number": _number, "list": _list, "text": _text}[option.kind](option)
        parser.add_argument(flag, default=option.off if option.default is None else option.default, **settings)


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add the number of threads, as all models declare it."""
    from sapwood.models.base import Model

    add_flags(parser, Model.options(), "")


def option_values(model: type[Options], values: Values) -> Values:
    """Take those values that are options of a model out of what the command line gave."""
    declared = model.options()
    found = {name: values.pop(name) for name in declared if name in values}
    return {name: None if value is not None and value == declared[name].off else value for name, value in found.items()}


def _choice(option: Option, choices: list[object], task: str) -> Callable[[str], object]:
    by_text = {str(choice): choice for choice in choices}

    def read(text: str) -> object:
        if text in by_text:
            return by_text[text]
        from sapwood.modelfile.format1 import renamed_options

        new = renamed_options(task, {option.name: text}).get(option.name, text)
        if new != text:
            raise argparse.ArgumentTypeError(f"{text!a} is now called '{new}'")
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
    return lambda text: text.split(",")


def _text(option: Option) -> Callable[[str], str]:
    return str
