"""The confidence of a parser in arcs: in heads and, in a second stage or jointly, in relations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sapwood import _core
from sapwood.io.conllu import with_items
from sapwood.model.calibration import DecisionStage
from sapwood.model.confidence import Confidence, Numbers, curves_in
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.parsing.data import Trees


def parser_confidence(parser: _core.Parser, model: ModelFile, noun: str) -> Confidence[_core.Conllu, Sequence[Numbers]]:
    """Return the confidence of a fitted parser. Raises ModelError if the file has the curves of another model."""
    curves = curves_in(model, noun, (2 if model.options.get("labelling") == "second-stage" else 1,))
    return Confidence(parser.margins, partial(_core.Curve.confidences, curves) if curves else None)


def arc_decisions(gold: Trees, guess: Trees, margins: Sequence[Numbers], labelling: object) -> list[DecisionStage]:
    """Return the stages of the decisions: heads, then relations; with joint labels one stage of both."""
    pairs = list(zip(gold, guess, strict=True))
    right = [[[a == b for a, b in zip(g[part], p[part], strict=True)] for g, p in pairs] for part in (0, 1)]
    if labelling == "joint":
        right = [[[a and b for a, b in zip(*each, strict=True)] for each in zip(*right, strict=True)]]
    return [DecisionStage(*stage) for stage in zip(margins, right, strict=False)]


def with_arc_confidences(data: _core.Conllu, trees: Trees, confidences: Numbers) -> _core.Conllu:
    """Return a treebank with trees and a confidence in the arc of every word, as ArcConfidence= in MISC."""
    misc = [
        [with_items(cell, {"ArcConfidence": f"{number:.4f}"}) for cell, number in zip(*sentence, strict=True)]
        for sentence in zip(data.column("misc"), confidences, strict=True)
    ]
    heads = [list(map(str, heads)) for heads, _ in trees]
    return data.with_columns({"head": heads, "deprel": [list(deprels) for _, deprels in trees], "misc": misc})
