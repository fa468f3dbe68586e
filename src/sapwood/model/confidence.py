"""How sure a model is of its decisions: margins, and the share of decisions with such a margin that are right.

A margin is how far a decision is ahead of the best other one, which `explain` compares with, too. A curve that never
falls says which share of the decisions with a margin is right; sapwood.training.calibrating.curves fits it.

A decision may have stages, such as a word's head and then its relation, each with its curve. The product of all is the
confidence in the whole decision.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain
from math import prod

from sapwood._core import Columns, Conllu
from sapwood.errors import MissingError
from sapwood.io.conllu import with_items
from sapwood.model.file.records import Calibration

Numbers = Sequence[Sequence[float]]  # [sentences][decisions]


_SURE_WORDS = 5  # chosen on development data: docs/confidence.md
NOT_CALIBRATED = "the model is not calibrated, and scores are no probabilities; see 'sapwood calibrate'"


def doubt(confidence: float, words: int) -> float:
    """Return the doubt about a sentence, from 0 to 1, whose words have this mean confidence.

    It is the mean over the sentence's words and five more that the model is sure of, so that a sentence of few words,
    whose mean says little, does not go before longer ones.
    """
    return (1 - confidence) * words / (words + _SURE_WORDS)


def curves_of(calibration: Calibration | None) -> list[list[float]]:
    """Return the curves of a calibration. Raises MissingError if there is none."""
    if calibration is None:
        raise MissingError(NOT_CALIBRATED)
    return calibration["curves"]


def shares(curves: Sequence[Sequence[float]], margins: Sequence[Numbers]) -> list[list[float]]:
    """Return the confidences in decisions, given a curve and the margins for each stage."""
    stages = [
        [interpolated(curve, sentence) for sentence in stage] for curve, stage in zip(curves, margins, strict=True)
    ]
    return [[prod(each) for each in zip(*sentence, strict=True)] for sentence in zip(*stages, strict=True)]


def interpolated(curve: Sequence[float], margins: Sequence[float]) -> list[float]:
    """Return the curve at these margins; before its first and behind its last point it is level.

    >>> interpolated([0.0, 0.5, 2.0, 1.0], [-1.0, 1.0, float("inf")])
    [0.5, 0.75, 1.0]
    """
    x, p = curve[0::2], curve[1::2]

    def share(margin: float) -> float:
        k = bisect_left(x, margin)
        if k in (0, len(x)):
            return p[min(k, len(x) - 1)]
        return p[k - 1] + (p[k] - p[k - 1]) * (margin - x[k - 1]) / (x[k] - x[k - 1])

    return [share(margin) for margin in margins]


def chunk_margins(labels: Sequence[Sequence[str]], margins: Numbers) -> list[list[float]]:
    """Return the margin of each chunk of sentences, in their order: the least one of its tokens."""
    from sapwood.metrics.chunks import extract_chunks

    return [
        [min(known[begin:end]) for _, begin, end in extract_chunks(sentence)]
        for sentence, known in zip(labels, margins, strict=True)
    ]


def right_chunks(gold: Sequence[Sequence[str]], guess: Sequence[Sequence[str]]) -> list[list[bool]]:
    """Return for each chunk of guessed labels whether the gold labels have it."""
    from sapwood.metrics.chunks import extract_chunks

    chunks = ((set(extract_chunks(g)), extract_chunks(p)) for g, p in zip(gold, guess, strict=True))
    return [[chunk in known for chunk in found] for known, found in chunks]


def with_confidences(rows: Columns, labelled: bytes, confidences: Numbers) -> bytes:
    """Return a column file with labels, made of these rows, with a confidence at the end of each, too."""
    lines = labelled.splitlines(keepends=True)
    for at, number in zip(rows.lines, chain(*confidences), strict=True):
        row = lines[at].rstrip(b"\r\n")
        gap = b"\t" if b"\t" in row else b" "
        lines[at] = row + gap + b"%.4f" % number + lines[at][len(row) :]
    return b"".join(lines)


def with_arc_confidences(parsed: bytes, confidences: Numbers) -> bytes:
    """Return CoNLL-U with a confidence in the arc of every word, as ArcConfidence= in MISC."""
    data = Conllu.read(parsed, "parsed")
    misc = [
        [with_items(cell, {"ArcConfidence": f"{number:.4f}"}) for cell, number in zip(*sentence, strict=True)]
        for sentence in zip(data.column("misc"), confidences, strict=True)
    ]
    return data.replace({"misc": misc})
