"""``sapwood serve``, a page in the browser and a JSON API; ``sapwood page``, an analyser of texts in a file of HTML."""

import os
import re
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

from sapwood.base.command.files import OutputFile
from sapwood.base.command.verb import Verb, whole_number
from sapwood.base.optional import require
from sapwood.cli.base.verb import ModelInput, help_of
from sapwood.errors import OptionError
from sapwood.loading import read_model
from sapwood.model.base import AnyModel
from sapwood.model.facts import file_facts, now
from sapwood.model.file.bundled import AUTO, PIPELINES
from sapwood.options import Values

_NAME = re.compile(r"[\w.-]+|\[[\da-fA-F:.]+\]", re.ASCII)
_ORIGIN = re.compile(r"\*|[a-z][a-z\d+.-]*://([\w.-]+|\[[\da-f:.]+\])(:\d+)?", re.ASCII)


def _serve_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    models = "models; without, the English pipeline 'en'; auto: all that come with sapwood, by the language of a text"
    add("models", type=ModelInput, metavar="MODEL", nargs="*", default=(), help=models)
    add("--host", default="127.0.0.1", metavar="HOST", help="address to listen at; 0.0.0.0: all of this machine's")
    allowed = "also answer requests for this host name, such as the name of a proxy; may be given several times"
    add("--allow-host", action="append", default=[], metavar="NAME", help=allowed)
    origin = (
        "also answer pages of this origin, such as http://localhost:3000, or of all (*); may be given several times"
    )
    add("--allow-origin", action="append", default=[], metavar="ORIGIN", help=origin)
    add("--port", type=whole_number(0, 65_535), default=8000, metavar="PORT", help="0: any that is free")
    add("--workers", type=whole_number(1, 1024), metavar="N", help="requests worked on at once; without, one a core")
    add("--max-bytes", type=whole_number(1), default=1 << 20, metavar="N", help="largest request")
    add("--max-seconds", type=whole_number(1, 86_400), default=30, metavar="N", help="longest work for a request")
    wait = "seconds in which a request, or a line of a stream, has to arrive, and some of an answer to be taken"
    add("--max-wait", type=whole_number(1, 86_400), default=10, metavar="N", help=wait)


def _serve(
    models: list[str],
    host: str,
    allow_host: list[str],
    allow_origin: list[str],
    port: int,
    workers: int | None,
    max_bytes: int,
    max_seconds: int,
    max_wait: int,
) -> None:
    for library in ("fastapi", "uvicorn", "jinja2", "prometheus_client"):
        require(library, "serving")
    from sapwood.web.limits import Limits
    from sapwood.web.models import with_choice
    from sapwood.web.server import serve

    wanted = [each for model in models or ["en"] for each in (PIPELINES if model == AUTO else [model])]
    paths = _named(wanted)
    if wrong := [name for name in allow_host if not _NAME.fullmatch(name)]:
        raise OptionError(
            f"--allow-host takes a name such as language.example, without port or https://, not {wrong[0]!a}"
        )
    if wrong := [origin for origin in allow_origin if not _ORIGIN.fullmatch(origin)]:
        raise OptionError(
            f"--allow-origin takes an origin such as http://localhost:3000, without a path, or *, not {wrong[0]!a}"
        )
    threads = workers or os.cpu_count() or 1
    limits = Limits(bytes=max_bytes, seconds=max_seconds, patience=max_wait, workers=threads)

    def read() -> Callable[[], dict[str, AnyModel]]:
        files = {name: _read(path) for name, path in paths.items()}

        def made(make: Callable[[], AnyModel], facts: Values) -> AnyModel:
            model = make()
            model._file_facts = facts
            return model

        return lambda: with_choice({name: made(*file) for name, file in files.items()}, first=AUTO in models)

    serve(read, host, port, limits, allow_host, allow_origin)


def _named(paths: list[str]) -> dict[str, str]:
    found = {Path(path).stem: path for path in paths}
    if len(found) < len(paths):
        raise OptionError("models are called by their files' names without the ending, and two have the same name")
    return found


def _read(path: str) -> tuple[Callable[[], AnyModel], Values]:
    """Return a maker of a file's model and the file's facts, of the same bytes if it is replaced meanwhile."""
    while True:
        facts, make = file_facts(path), read_model(path)
        if facts == file_facts(path):
            return make, {**facts, "loaded": now()}


def _page_options(parser: ArgumentParser) -> None:
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

    files = {}
    for name, path in _named(models or ["en"]).items():
        load_as(Pipeline, path)  # the page has no model that cannot be used
        files[name] = Path(path_to_load(path)).read_bytes()
    write_bytes(output, offline_page(files))


VERBS = {"serve": Verb(help_of("serve"), _serve_options, _serve), "page": Verb(help_of("page"), _page_options, _page)}
