"""``sapwood explain`` and ``report``: why a model decided as it did, and what it gets wrong, as a page."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import paint, show, show_drawn, terminal_width
from sapwood.base.command.verb import Verb, whole_number
from sapwood.base.writing import write_blocks
from sapwood.cli.base.verb import ModelInput, add_model, add_threads, help_of
from sapwood.errors import OptionError
from sapwood.io.source import STANDARD_INPUT, read_bytes, shown
from sapwood.loading import load_model


def _options(parser: ArgumentParser) -> None:
    add_model(parser)
    add = parser.add_argument
    file = "what the model works on; '-' or none: standard input"
    add("file", type=Input, metavar="FILE", nargs="?", default="-", help=file)
    number = whole_number(1)
    sentence = "explain these sentences, documents or lists only: numbers, counted from 1, or ids"
    add("--sentence", metavar="ID,...", help=sentence)
    add("--token", type=number, metavar="N", help="explain this token of each sentence only, counted from 1")
    add("--against", metavar="LABEL", help="compare with this label, not with the second best")
    add("--top", type=whole_number(0), default=10, metavar="N", help="features to show for each decision")
    json = "write all explanations to this file, a line for each, instead of tables"
    add("--json", type=OutputFile("JSON"), metavar="FILE", help=json)
    page = "write a page of the explanations in words to this file, instead of tables"
    add("-o", "--output", type=OutputFile("HTML"), metavar="FILE", help=page)
    add_threads(parser)


def _explain(
    model: str,
    file: str,
    sentence: str | None,
    token: int | None,
    against: str | None,
    top: int,
    json: str | None,
    output: str | None,
    threads: int,
) -> None:
    from sapwood.explain.cases import Cases, html_cases

    if output is not None and json is not None:
        raise OptionError("-o writes a page, and --json records: give one of them")
    loaded = load_model(model).set_params(threads=threads)
    name = STANDARD_INPUT if file == "-" else shown(file)
    found = Cases(loaded, read_bytes(file), name)
    asked = [None] if sentence is None else found.numbers(sentence.split(","))
    lines = filter(None, found.lines(asked, token, against))
    if (first := next(lines, None)) is None:
        other = f"no decision there has another answer than {against}"
        nowhere = other if against else "there is nothing to explain there"
        raise OptionError(f"{name}: {nowhere}")
    explained = chain([first], lines)
    if output is not None:
        facts = [("model", f"{shown(model)}: a {loaded._noun}, {loaded.contents.learned}"), ("data", name)]
        page = html_cases(found.cases(explained), facts, top)
        write_blocks(output, (part.encode() for part in page))
        return
    if json is not None:
        write_blocks(json, explained)
        return
    _print(explained, top)
    if loaded.model_.hashing:
        show(f"\n{loaded.model_.hashing}")


def _print(blocks: Iterable[bytes], top: int) -> None:
    import json

    from sapwood.model.explanation_records import text_explanation

    width = terminal_width() or 80
    lines = (line for block in blocks for line in block.splitlines())
    for number, line in enumerate(lines):
        table = text_explanation(json.loads(line), top, width, lambda text, style: paint(text, style, sys.stdout))
        show_drawn(table if number == 0 else "\n" + table)


def _report_options(parser: ArgumentParser) -> None:
    add_model(parser)
    add = parser.add_argument
    add("gold", type=Input, metavar="GOLD", help="a file with gold answers")
    add("-o", "--output", type=OutputFile("HTML"), metavar="FILE", required=True, help="write the page there")
    add("--against", type=ModelInput, metavar="MODEL", help="compare with this model")
    train = "the training data: errors at words that are not in it make a group"
    add("--train", type=Input, metavar="FILE", help=train)
    add_threads(parser)


def _report(model: str, gold: str, output: str, against: str | None, train: str | None, threads: int) -> None:
    from sapwood.explain import report
    from sapwood.explain.page import html_report

    loaded = load_model(model).set_params(threads=threads)
    other = None if against is None else load_model(against).set_params(threads=threads)
    names = shown(model), "" if against is None else shown(against)
    page = report(loaded, Path(gold), other, train=None if train is None else Path(train), names=names)
    write_blocks(output, (part.encode() for part in html_report(page)))


VERBS = {
    "explain": Verb(help_of("explain"), _options, _explain),
    "report": Verb(help_of("report"), _report_options, _report),
}
