"""``sapwood drift``: whether new texts are still of the kind that a model was made for."""

from argparse import ArgumentParser
from pathlib import Path

from sapwood.base.command.files import Input
from sapwood.base.command.terminal import show_report
from sapwood.base.command.verb import Verb, add_json
from sapwood.base.rows import write_rows
from sapwood.cli.base.verb import add_model, add_threads
from sapwood.io.source import shown
from sapwood.loading import load_model

DRIFT = """Say whether new texts are like old ones, or like the training data, without gold answers.

NEW and OLD are files as MODEL reads them: examples, a column file, CoNLL-U; of a pipeline a text, CoNLL-U, or JSON
lines with "text". Three things are compared: familiarity, which is the share of a text's words that are frequent in the
model's training data; confidence, if the model is calibrated; and the shares of the labels that the model gives. Each
has a size and a p-value, and a line that says what has changed: no more than chance, a small change, a change, or a
large one. Without OLD familiarity is compared with what the model's file keeps of its training data, and so are the
labels of a classifier; labels that a model often takes for others are a change then, too, so OLD says more.

Examples:
  sapwood drift reviews.sap this-week.jsonl
  sapwood drift reviews.sap this-week.jsonl last-week.jsonl --json drift.json
  sapwood drift en new.txt old.txt
"""


def _options(parser: ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("new", type=Input, metavar="NEW", help="new texts")
    parser.add_argument("old", type=Input, metavar="OLD", nargs="?", help="old texts; without, the training data")
    add_json(parser)
    add_threads(parser)


def _drift(model: str, new: str, old: str | None, json: str | None, threads: int) -> None:
    from sapwood.explain.drift import drift

    loaded = load_model(model).set_params(threads=threads)
    report = drift(loaded, Path(new), None if old is None else Path(old))
    show_report(report.format())
    if json is not None:
        write_rows(json, [{"name": shown(model), **report.as_dict()}])


VERBS = {"drift": Verb(DRIFT, _options, _drift)}
