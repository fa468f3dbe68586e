"""The confidence of a pipeline in tags, features, arcs and names. Parts are calibrated on answers of parts before."""

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
from sapwood.parts import PARTS

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
        gold_data["parser"] = (gold.with_columns(tags),)
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


class PipelineConfidence:
    """The confidence of a pipeline's parts in tags, features, arcs and names."""

    report = ""  # how far confidences are from the truth, in words, after `calibrate`

    def __init__(self, models: Models) -> None:
        self._models = models

    def _calibrated_parts(self) -> list[str]:
        return [part for part in _CALIBRATED if part in self._models and self._models[part].confidence.calibrated]

    @property
    def calibrated(self) -> bool:
        """True if a part has confidences."""
        return bool(self._calibrated_parts())

    def check(self) -> None:
        """Raise ModelError if no part is calibrated."""
        if not _CALIBRATED.keys() & self._models.keys():
            parts = ", ".join(self._models)
            raise ModelError(f"there are no confidences of {parts}; there are of tags, trees and names")
        if not self.calibrated:
            raise ModelError(NOT_CALIBRATED)

    def add_to(self, doc: _core.Doc) -> None:
        """Keep with a document the confidence of each calibrated part about its words; a name's is on all of its words.

        Raises ModelError if no part is calibrated.
        """
        self.check()
        for part in self._calibrated_parts():
            if part == "parser":
                found = self._models[part].confidences(doc.treebank())
            elif part == "entities":
                found = _of_names(self._models[part], doc)
            else:
                found = self._models[part].confidences(doc.rows)
            doc.add_confidences(_CALIBRATED[part], [p for sentence in found for p in sentence])


def errors_report(errors: Mapping[str, float]) -> str:
    """Return the calibration error of each part in words."""
    return "calibration error " + ", ".join(f"{part} {100 * error:.2f} %" for part, error in errors.items())


def _of_names(tagger: Any, doc: _core.Doc) -> list[list[float]]:
    sizes = [last - first for (_, first, _), (_, last, _) in pairwise(doc.sentences)]
    found = [[_NONE] * size for size in sizes]
    for sure, chunks in zip(found, tagger.chunk_confidences(doc.rows), strict=True):
        for _, begin, end, confidence in chunks:
            sure[begin:end] = [confidence] * (end - begin)
    return found
