"""``sapwood suspects``: labels of training data that are probably wrong."""

import sys
from argparse import ArgumentParser
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sapwood.base.command.files import Input
from sapwood.base.command.terminal import show, write_out
from sapwood.base.command.verb import Verb, whole_number
from sapwood.cli.base.progress import show_progress
from sapwood.cli.base.verb import ModelInput, add_records, add_threads, check_records, help_of
from sapwood.errors import OptionError
from sapwood.io.conllu import is_conllu
from sapwood.io.example_files import format_by_name
from sapwood.io.record_writer import RecordWriter
from sapwood.io.records import Record
from sapwood.io.source import chunks, shown
from sapwood.io.spans import has_spans
from sapwood.loading import load, model_class

if TYPE_CHECKING:
    from sapwood.training.suspects import Suspect

_TASKS = ("classify", "tag", "parse", "pipeline")
_LOOKED_AT = 1 << 16  # bytes of DATA by which its kind is told


def _options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("data", type=Input, metavar="DATA", help="labelled data, as 'sapwood train' takes them")
    like = "take the options of this classifier, tagger, parser or pipeline"
    add("--like", type=ModelInput, metavar="MODEL", help=like)
    add("--label", metavar="NAME", help="what csv, jsonl and parquet call the label; without, 'label'")
    add("--text", metavar="NAME", help="what csv, jsonl and parquet call the text; without, 'text'")
    add("--top", type=whole_number(1), metavar="N", help="write the N surest suspects")
    add("--folds", type=whole_number(2, 100), default=5, metavar="K", help="folds, and so models that are trained")
    add_records(parser)
    add_threads(parser)
    add("-q", "--quiet", action="store_true", help="show no progress")


def _suspects(
    data: str,
    like: str | None,
    label: str | None,
    text: str | None,
    top: int | None,
    folds: int,
    to: str | None,
    threads: int,
    quiet: bool,
) -> None:
    from sapwood.training.suspects import suspects

    check_records(to, [data])
    given = {name: value for name, value in (("label", label), ("text", text)) if value is not None}
    learner = _untrained(data, like)
    if given and learner.task != "classify":
        raise OptionError("--label and --text name members of records; this is no data of examples")
    learner.set_params(threads=threads, **given)
    with show_progress(quiet) as report:
        found = suspects(learner, Path(data), folds=folds, on_event=report)
    if to is None:
        for suspect in islice(found, top):
            write_out(_line(suspect).encode())
    else:
        write_out(_records(found[:top], to, data))
    if not quiet:
        show(f"{shown(data)}: {len(found):,} suspects", sys.stderr)


def _untrained(data: str, like: str | None) -> Any:
    """Return a learner of the kind of the data, or like a model. Raises OptionError if there is none."""
    if like is not None:
        model: Any = load(like)
        if model.task not in _TASKS:
            raise OptionError(
                f"--like names a classifier, tagger, parser or pipeline, and {shown(like)} is a {model._noun}"
            )
        return model.recipe.untrained()
    if has_spans(Path(data)):
        return model_class("pipeline")()
    if data == "-":
        raise OptionError("what standard input is, --like MODEL tells; or name a file")
    start = next(chunks(data, shown(data), at_once=_LOOKED_AT, tables=True), b"")[:_LOOKED_AT]
    if format_by_name(data, "") or b"__label__" in start:
        return model_class("classify")()
    return model_class("parse" if is_conllu(start) else "tag")()


def _line(suspect: "Suspect") -> str:
    cells = suspect.place, suspect.given, suspect.proposed, f"{suspect.confidence:.4f}", suspect.text
    return "\t".join(" ".join(cell.split()) for cell in cells) + "\n"


def _records(suspects: "list[Suspect]", to: str, name: str) -> bytes:
    records = [Record(0, "", {"text": each.text} if each.record is None else dict(each.record)) for each in suspects]
    answers = [
        {"place": each.place, "given": each.given, "proposed": each.proposed, "confidence": round(each.confidence, 4)}
        for each in suspects
    ]
    return RecordWriter(to, shown(name)).written(records, answers)


VERBS = {"suspects": Verb(help_of("suspects"), _options, _suspects)}
