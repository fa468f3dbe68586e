"""Timing inside a process: tagging beside a raw gather of as many rows of the model's table.

    python -m measure.inside MODEL TEXT RUNS

Prints JSON; times are CPU seconds, medians.
"""

import json
import sys
from statistics import median

from measure.processes import timed_in_turn
from sapwood import _core
from sapwood.io.source import read_bytes
from sapwood.loading import load_as
from sapwood.tasks.tagging.model import SequenceTagger


def time_tag(model: str, text: str, runs: int) -> dict[str, float]:
    """Time reading alone, reading + tagging + writing out, and summing as many random rows; in turn."""
    tagger = load_as(SequenceTagger, model)
    data = read_bytes(text)
    tokens = _core.Columns.read(data, text).tokens
    lines = lookups(tagger.model_.template)
    rows = tokens * lines
    rounds = timed_in_turn(
        runs,
        lambda _: _core.Columns.read(data, text),
        lambda _: list(tagger.annotate([data])),
        lambda seed: tagger.tagger_.gather(rows, lines, seed),
    )
    return {
        "tokens": tokens,
        "lines": lines,
        "read_s": median(read for read, _, _ in rounds),
        "annotate_s": median(annotate for _, annotate, _ in rounds),
        "gather_s": median(gather for _, _, gather in rounds),
        "share": median(gather / annotate for _, annotate, gather in rounds),
        "share_without_reading": median(gather / (annotate - read) for read, annotate, gather in rounds),
        "reading_share": median(read / annotate for read, annotate, _ in rounds),
        "tokens_per_s": median(tokens / annotate for _, annotate, _ in rounds),
        "million_lines_per_s": median(rows / annotate / 1e6 for _, annotate, _ in rounds),
        "million_rows_gathered_per_s": median(rows / gather / 1e6 for _, _, gather in rounds),
    }


def lookups(template: str) -> int:
    """Return how many lines of a template are looked up for every token: all but a lone B."""
    lines = (line.strip() for line in template.splitlines())
    return sum(bool(line) and not line.startswith("#") and line != "B" for line in lines)


if __name__ == "__main__":
    model, text, runs = sys.argv[1:]
    print(json.dumps(time_tag(model, text, int(runs))))
