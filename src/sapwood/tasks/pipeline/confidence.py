"""How sure a pipeline is of tags, features, arcs and names. A part is calibrated on what the parts before it gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from sapwood import _core
from sapwood.errors import DataError, ModelError
from sapwood.io.conllu import has_values, rows_of
from sapwood.io.entities import read_entities
from sapwood.model.confidence import NOT_CALIBRATED
from sapwood.model.file.parts import PARTS

Models = Mapping[str, Any]  # by the names of the parts; each has the methods of its class
_CALIBRATED = {part.name: part.decision for part in PARTS if part.decision}
_NONE = float("nan")


def joint_labels(data: _core.Conllu) -> list[list[str]]:
    """Return UPOS and XPOS of each word as the tagger has them: one label."""
    return [[" ".join(pair) for pair in sentence] for sentence in rows_of(data, ("upos", "xpos"))]


def calibrate_parts(models: Models, gold: _core.Conllu, filled: _core.Conllu, names: Sequence[str]) -> dict[str, float]:
    """Calibrate the parts for which a treebank has gold answers. Return the calibration error of each.

    filled : the treebank's words with what the pipeline says about them

    Raises DataError if it is the case for no part, or if there are too few words.
    """
    gold_data: dict[str, tuple[object, ...]] = {}
    if has_values(gold, ["upos"]):
        gold_data["tagger"] = rows_of(filled, ("form",)), joint_labels(gold)
    if has_values(gold, ["feats"]):
        gold_data["morphology"] = rows_of(filled, ("form", "upos", "xpos")), gold.column("feats")
    if has_values(gold, ["head"]):
        tags = {field: filled.column(field) for field in ("upos", "xpos", "feats")}
        gold_data["parser"] = (_core.Conllu.read(gold.replace(tags), gold.name),)
    found = read_entities(gold, list(map(Path, names)))
    if found is not None:
        seen = zip(rows_of(filled, ("form", "upos", "xpos", "feats")), found.of_treebank, strict=True)
        known = [pair for pair in seen if pair[1] is not None]
        gold_data["entities"] = tuple(map(list, zip(*known, strict=True)))
    errors = {}
    for part, data in gold_data.items():
        if part in models:
            errors[part] = models[part].calibrate(*data).calibration_error_
    if not errors:
        raise DataError(f"{gold.name}: it has gold answers for no part of the pipeline that has confidences")
    return errors


def calibrated_parts(models: Models) -> list[str]:
    """Return which parts are calibrated. Raises ModelError if none is."""
    parts = [part for part in _CALIBRATED if part in models]
    if not parts:
        raise ModelError(f"there are no confidences of {', '.join(models)}; there are of tags, trees and names")
    calibrated = [part for part in parts if models[part].model_.calibration is not None]
    if not calibrated:
        raise ModelError(NOT_CALIBRATED)
    return calibrated


def add_confidences(models: Models, doc: _core.Doc) -> None:
    """Keep with a document how sure each calibrated part is about its words; names have one on all of their words.

    Raises ModelError if no part is calibrated.
    """
    for part in calibrated_parts(models):
        if part == "parser":
            found = models[part].confidences(_core.Conllu.read(doc.to_conllu(1), "document"))
        elif part == "entities":
            found = _of_names(models[part], doc)
        else:
            found = models[part].confidences(doc.rows)
        doc.add_confidences(_CALIBRATED[part], [p for sentence in found for p in sentence])


def _of_names(tagger: Any, doc: _core.Doc) -> list[list[float]]:
    sizes = [last - first for (_, first, _), (_, last, _) in pairwise(doc.sentences)]
    found = [[_NONE] * size for size in sizes]
    for sure, chunks in zip(found, tagger.chunk_confidences(doc.rows), strict=True):
        for _, begin, end, confidence in chunks:
            sure[begin:end] = [confidence] * (end - begin)
    return found
