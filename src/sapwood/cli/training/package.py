"""``sapwood package``: a model as a package that pip installs."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from sapwood.base.command.files import OutputFolder
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Verb
from sapwood.base.writing import make_folder, shown, write_bytes
from sapwood.cli.base.verb import add_model
from sapwood.errors import OptionError, warn
from sapwood.loading import load_model
from sapwood.model.file.bundled import BUNDLED

PACKAGE = """Write a model as a package that pip installs.

The wheel has the model, its card as the description, and nothing that runs. Where it is installed,
sapwood.load("NAME"), 'sapwood annotate NAME FILE' and spaCy's component find the model by its name, 'sapwood inspect'
lists it, and 'pip uninstall NAME' removes it. The licence is what the card says of it ('Licence: CC BY-SA 4.0'), or
--license. The same model gives the same bytes.

Examples:
  sapwood package nynorsk.sap -o dist
  sapwood package my.sap -o dist --name nynorsk --version 1.1 --license CC-BY-SA-4.0
  pip install dist/nynorsk-1.1-py3-none-any.whl
"""


def _options(parser: ArgumentParser) -> None:
    add_model(parser)
    add = parser.add_argument
    folder = "the folder to write the wheel to"
    add("-o", "--output", type=OutputFolder("other"), required=True, metavar="DIR", help=folder)
    add("--name", metavar="NAME", help="name of the package, by which the model is loaded; without, that of the file")
    add("--version", default="1.0", metavar="V", help="version of the package (1.0)")
    add("--license", metavar="NAME", help="licence of the model, where its card names none, or another")


def _package(model: str, output: str, name: str | None, version: str, license: str | None) -> None:
    from sapwood.model.file.wheel import checked_name, checked_version, licence_in, wheel

    name, version = checked_name(Path(model).stem if name is None else name), checked_version(version)
    file = load_model(model, contents_only=True).model_
    licence = license or licence_in(file.card)
    file_name, data = wheel(file, name, version, licence)
    path = make_folder(output) / file_name
    if path.exists() and not (path.is_file() and path.read_bytes() == data):
        raise OptionError(f"{shown(path)}: there is another package of this version; give --version, or remove it")
    if name in BUNDLED:
        warn(f"{name}: the model of this name that comes with sapwood is loaded, not this one; give another --name")
    if licence is None:
        warn("the model has no licence, so that nobody knows what is allowed; name one by --license, or in its card")
    write_bytes(path, data)
    show(f"{shown(path)}: {name} {version}, {licence or 'no licence'}, {len(data):,} bytes", sys.stderr)


VERBS = {"package": Verb(PACKAGE, _options, _package)}
