"""The members that a classifier adds to records: the label, how sure it is, and perhaps its strongest reasons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sapwood.io.examples import Examples
from sapwood.model.explanation import question
from sapwood.tasks.classifying.data import example_rows
from sapwood.tasks.classifying.reasons import LabelReasons
from sapwood.tasks.classifying.scorer import Scorer

STRONGEST = 3  # reasons of a record


def answers_about(
    data: Examples, lines: bytes, scorer: Scorer, threads: int, reasons: LabelReasons | None
) -> list[dict[str, Any]]:
    """Return the members for each example: `label`, `margin`, of a calibrated model `confidence`, perhaps `reasons`.

    lines : the line of each example, as `LabelWriter` writes it without `top`

    All are None where there is no label. A model that abstains has `abstained`, true or false, and no label where it is
    true. A multi-label model has a list of labels, which may be empty, and the numbers
    of its least sure decision. The reasons are the features that spoke most for the label, or for one of several.
    """
    found: list[dict[str, Any]] = []
    calibrated, several = scorer.calibration is not None, scorer.several
    margins = _margins(data, scorer, threads) if calibrated else []
    answer: dict[str, Any]
    for k, line in enumerate(lines.decode().split("\n")[:-1]):
        label, _, number = line.rpartition("\t")
        unanswered = label == "_" and "_" not in scorer.file.labels
        if k in data.null or (unanswered and float(number) == 0):
            answer = dict.fromkeys(["label", "confidence", "margin"] if calibrated else ["label", "margin"])
            found.append(answer | ({} if scorer.least is None else {"abstained": True}))
            continue
        answer = {"label": None if unanswered else [*filter(None, label.split("|"))] if several else label}
        if calibrated:
            answer["confidence"] = float(number)
        answer["margin"] = margins[k] if calibrated else float(number)
        found.append(answer if scorer.least is None else answer | {"abstained": unanswered})
    if reasons is not None:
        _add_reasons(found, data, reasons, scorer)
    return found


def _margins(data: Examples, scorer: Scorer, threads: int) -> list[float]:
    """Return the margin to the second best label, or of several labels the distance of the nearest to its threshold."""
    scores = scorer.scores(example_rows(data, scorer.file), threads)
    found = []
    for row in scores:
        if scorer.several:
            margin = min(map(abs, row))
        else:
            second, best = sorted(row)[-2:]
            margin = best - second
        found.append(float(f"{margin:.6g}"))
    return found


def _add_reasons(found: list[dict[str, Any]], data: Examples, reasons: LabelReasons, scorer: Scorer) -> None:
    numbers = [k for k, answer in enumerate(found) if answer["label"]]
    if scorer.several:
        decisions = [(k, label) for k in numbers for label in found[k]["label"]]
        lines: Iterator[bytes | None] = reasons.of_decisions(data, decisions)
        numbers = [k for k, _ in decisions]
    else:
        lines = reasons.of_each(data, numbers, [question()] * len(numbers))
    spoke: list[list[dict[str, Any]]] = [[] for _ in found]
    for k, line in zip(numbers, lines, strict=True):
        features = [] if line is None else json.loads(line)["features"]
        spoke[k] += [feature for feature in features if feature["contribution"] > 0]
    for answer, features in zip(found, spoke, strict=True):
        features.sort(key=lambda feature: -feature["contribution"])
        answer["reasons"] = [_reason(feature, several=scorer.several) for feature in features[:STRONGEST]]


def _reason(feature: dict[str, Any], *, several: bool) -> dict[str, Any]:
    about = {"label": feature["label"]} if several else {}
    return {"feature": feature["text"], **about, "contribution": round(feature["contribution"], 4)}
