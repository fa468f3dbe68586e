"""The command line of an experiment: its help and options, the file of ``--json``, and its figures."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from measure.records import measuring_command, write_measurements
from sapwood.base.command import verb as command_line
from sapwood.base.command.files import InputFolder, OutputFile, OutputFolder
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Parser, Verb, add_json, run_command
from sapwood.base.optional import require
from sapwood.base.writing import make_folder
from sapwood.errors import OptionError

OF_FILE = ("format", "label", "text")  # options of a classifier that say how a FILE is read


class Experiment(NamedTuple):
    """A module that measures, and the options of its command line."""

    module: str  # has a function run(data, on_start, **options); with a figure also draw(rows, path)
    help: str  # one line
    about: str
    examples: tuple[str, ...]  # options
    needs: tuple[str, str] | None = None  # a library, and what needs it
    folders: str = ""  # the folders that --data may have; none: the experiment reads no data
    figure: str = ""  # subject of --figure; empty: there is no figure
    panels: str = ""  # patterns of the files of --pictures; empty: there is none
    declare: Callable[[Parser], None] = lambda parser: None  # adds further options

    def verb(self, command: str) -> Verb:
        """Return its verb. `command` is how it is called, such as ``python -m papers table1``."""
        examples = "".join(f"  {command} {options}".rstrip() + "\n" for options in self.examples)
        text = f"{self.help}\n\n{self.about}\n\nExamples:\n{examples}"
        return Verb(text, partial(_add_options, self), partial(_run, self, command))


def parser_of(command: str, verb: Verb) -> Parser:
    """Return the parser of the arguments of a command, such as ``python -m papers table1``."""
    parser = Parser(command, verb.help, {})
    verb.add_options(parser)
    return parser


def run(dispatch: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Run a command line and return the exit status. Every error is one line on standard error."""
    return run_command("sapwood", partial(dispatch, arguments), "use less data or fewer rows")


def run_alone(command: str, verb: Verb, arguments: list[str]) -> int:
    """Run the one verb of a program such as ``python -m recipes.en``, as `run` does, and return the exit status."""
    return run(partial(perform, command, verb), arguments)


def perform(command: str, verb: Verb, arguments: list[str]) -> int:
    """Run a command with its arguments, or show its help, and return the exit status. Raises SapwoodError."""
    return command_line.perform("sapwood", parser_of(command, verb), verb, arguments)


def _add_options(experiment: Experiment, parser: Parser) -> None:
    if experiment.folders:
        data = f"folder with {experiment.folders}; without, SAPWOOD_DATA, else generated data serve"
        parser.add_argument("--data", type=InputFolder, metavar="DIR", help=data)
    add_json(parser)
    if experiment.figure:
        figure = f"draw {experiment.figure}, as a .png, .svg or .pdf"
        parser.add_argument("--figure", type=OutputFile("picture"), metavar="FILE", help=figure)
    if experiment.panels:
        panels = "draw each panel of the figure by itself, as DIR/mistakes.svg and so on; the folder is made"
        parser.add_argument("--pictures", type=OutputFolder("picture", experiment.panels), metavar="DIR", help=panels)
    experiment.declare(parser)


def _run(
    experiment: Experiment,
    command: str,
    json: str | None,
    data: str | None = None,
    figure: str | None = None,
    pictures: str | None = None,
    **choices: Any,
) -> None:
    from sapwood.base.drawing.figure import check_figure, save_figure

    parser = Parser(command, "", {})
    _add_options(experiment, parser)
    _check_file(parser, data, choices)
    if experiment.needs is not None:
        require(*experiment.needs)
    if figure is not None:
        check_figure(figure)
    if pictures is not None:
        require("matplotlib", "drawing figures")
        folder = make_folder(pictures)
    module = import_module(experiment.module)

    def tell(corpus: str, name: str) -> None:
        show(f"{corpus}: {name} ...", sys.stderr)

    text, rows = module.run(data, tell, **choices)
    show(text)
    if json is not None:
        write_measurements(json, rows, _command(command, parser, data, choices))
    if figure is not None:
        module.draw(rows, figure)
    if pictures is not None:
        for panel, drawn in module.panels_of(rows).items():
            with save_figure(folder / f"{panel}.svg", (4.5, 3.4)) as [axes]:
                drawn(axes)


def _check_file(parser: ArgumentParser, data: str | None, choices: dict[str, Any]) -> None:
    """Raise OptionError for options of FILE without it, and for --data beside it."""
    if choices.get("file") is not None:
        if data is not None:
            raise OptionError("FILE stands in place of the corpora in --data; give one of them")
        return
    if given := [each for each in OF_FILE if each in choices and choices[each] != parser.get_default(each)]:
        raise OptionError(f"--{given[0]} is about FILE, which is not given")


def _command(command: str, parser: ArgumentParser, data: str | None, choices: dict[str, Any]) -> str:
    """Return the command that measures this, with the options that are not the defaults."""
    from measure.corpora import data_folder

    words = command.split()
    reads_data = any(action.dest == "data" for action in parser._actions)
    if file := choices.get("file"):
        words.append(str(file))
    elif reads_data and (folder := data_folder(data)):
        words += ["--data", str(folder)]
    for action in parser._actions:
        value = choices.get(action.dest, action.default)
        if action.option_strings and value != action.default:
            given = value if isinstance(value, list) else [value]
            words += [word for each in given for word in (action.option_strings[-1], str(each))]
    return measuring_command(words)
