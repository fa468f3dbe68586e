"""``sapwood page``: an analyser of texts in one file of HTML."""

from argparse import ArgumentParser
from pathlib import Path

from sapwood.base.command.files import OutputFile
from sapwood.base.command.verb import Verb
from sapwood.cli.base.verb import ModelInput
from sapwood.errors import OptionError

PAGE = """Write one file of HTML that analyses texts by itself: in a browser, offline, without a server.

The file has the core and the models in it. It works from a double click on: type a text, and see its sentences with
names, trees, tags and lemmas, and its CoNLL-U. No text leaves the page, as its policy forbids any connection. An
address that ends in #text=Ada%20wrote%20it. analyses this text at once.

Models are pipelines; the page switches between several. Without MODEL it is 'en', the English pipeline.

Examples:
  sapwood page -o page.html
  sapwood page en de -o page.html
"""


def _options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    models = "pipelines; without, the English one 'en'"
    add("models", type=ModelInput, metavar="MODEL", nargs="*", default=(), help=models)
    add("-o", "--output", type=OutputFile("HTML"), metavar="FILE", required=True, help="write the page there")


def _page(models: list[str], output: str) -> None:
    from sapwood.base.writing import write_bytes
    from sapwood.loading import load_as
    from sapwood.model.file.bundled import path_to_load
    from sapwood.tasks.pipeline.model import Pipeline
    from sapwood.web.offline import offline_page

    paths = {Path(path).stem: path for path in models or ["en"]}
    if len(paths) < len(models):
        raise OptionError("models are called by their files' names without the ending, and two have the same name")
    files = {}
    for name, path in paths.items():
        load_as(Pipeline, path)  # the page has no model that cannot be used
        files[name] = Path(path_to_load(path)).read_bytes()
    write_bytes(output, offline_page(files))


VERBS = {"page": Verb(PAGE, _options, _page)}
