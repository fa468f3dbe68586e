"""``sapwood explain``: why a model decided as it did."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import paint, show, show_drawn, terminal_width
from sapwood.base.command.verb import Verb, whole_number
from sapwood.base.writing import write_blocks
from sapwood.cli.base.verb import add_model, add_threads
from sapwood.errors import OptionError
from sapwood.io.source import STANDARD_INPUT, read_bytes, shown
from sapwood.loading import load_model
from sapwood.model.capabilities import require_capability

EXPLAIN = """Show why a model decided as it did: the features that spoke for what it chose.

For each decision there is a table: what was chosen, what came second, how far it was behind (the margin), and the
features by which the two differ, each with what it contributes. Contributions add up to the margin. Features are
spelled from FILE and the model's template, so a model needs no --feature-names.

FILE is what the model works on: columns, CoNLL-U, examples, lists of candidates, or text; '-' or none is standard
input. With --json, all features of all decisions go to a file, a line of JSON for each decision.

Examples:
  sapwood explain chunker.sap test.txt --sentence 3 --token 2
  sapwood explain pos.sap test.txt --sentence 3 --against NN
  sapwood explain parser.sap test.conllu --json why.jsonl
"""


def _options(parser: ArgumentParser) -> None:
    add_model(parser)
    add = parser.add_argument
    file = "what the model works on; '-' or none: standard input"
    add("file", type=Input, metavar="FILE", nargs="?", default="-", help=file)
    number = whole_number(1)
    add("--sentence", type=number, metavar="N", help="explain this sentence, document or list only, counted from 1")
    add("--token", type=number, metavar="N", help="explain this token of each sentence only, counted from 1")
    add("--against", metavar="LABEL", help="compare with this label, not with the second best")
    add("--top", type=whole_number(0), default=10, metavar="N", help="features to show for each decision")
    json = "write all explanations to this file, a line for each, instead of tables"
    add("--json", type=OutputFile("JSON"), metavar="FILE", help=json)
    add_threads(parser)


def _explain(
    model: str,
    file: str,
    sentence: int | None,
    token: int | None,
    against: str | None,
    top: int,
    json: str | None,
    threads: int,
) -> None:
    from sapwood.model.explanation import question

    loaded = load_model(model).set_params(threads=threads)
    asked = question(sentence, token, against)
    name = STANDARD_INPUT if file == "-" else shown(file)
    lines = require_capability(loaded, "reasons").of_bytes(read_bytes(file), name, asked)
    count = _print(lines, top) if json is None else write_blocks(json, lines)
    if json is None and count and loaded.model_.hashing:
        show(f"\n{loaded.model_.hashing}")
    if count == 0:
        other = f"no decision there has another answer than {against}"
        nowhere = other if against else "there is nothing to explain there"
        raise OptionError(f"{name}: {nowhere}")


def _print(blocks: Iterable[bytes], top: int) -> int:
    """Print a table for each explanation, and return how many there are."""
    import json

    from sapwood.model.explanation_records import text_explanation

    width = terminal_width() or 80
    lines = (line for block in blocks for line in block.splitlines())
    count = 0
    for line in lines:
        table = text_explanation(json.loads(line), top, width, lambda text, style: paint(text, style, sys.stdout))
        show_drawn(table if count == 0 else "\n" + table)
        count += 1
    return count


VERBS = {"explain": Verb(EXPLAIN, _options, _explain)}
