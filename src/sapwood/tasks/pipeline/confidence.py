"""The confidence of a pipeline in tags, features, arcs and names. Parts are calibrated on answers of parts before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from sapwood import _core
from sapwood.documents.words import ABSTAINED
from sapwood.errors import DataError, ModelError
from sapwood.io.conllu import has_values, rows_of
from sapwood.io.entities import read_entities
from sapwood.io.source import shown
from sapwood.model.abstention import Abstain, target_of
from sapwood.model.confidence import NOT_CALIBRATED
from sapwood.parts import PART_NAMED, PARTS, TAGS, Part
from sapwood.tasks.tagging.confidence import TaggerConfidence
from sapwood.tasks.tagging.data import joint_tags

Models = Mapping[str, Any]  # by the names of the parts; each has the methods of its class
_CALIBRATED = {part.name: part.decision for part in PARTS if part.decision}
_NONE = float("nan")


def calibrate_parts(
    models: Models, gold: _core.Conllu, filled: _core.Conllu, names: Sequence[str], abstain: Abstain
) -> dict[str, float]:
    """Calibrate the parts for which a treebank has gold answers. Return the calibration error of each.

    filled : the treebank's words with the pipeline's answers
    abstain : arguments for names, as taggers take them

    Raises DataError if there are gold answers for no part, or none for names and the pipeline is to abstain from them,
    or if there are too few words.
    """
    errors, wanted = {}, target_of(**abstain) is not None
    for part in PARTS:
        data = _answers_for(part, gold, filled, list(map(Path, names))) if part.name in models else None
        if data is not None:
            of_names = abstain if any(column.has_chunks for column in part.columns) else {}
            errors[part.name] = models[part.name].calibrate(*data, **of_names).calibration_error_
    if wanted and not any(column.has_chunks for part in errors for column in PART_NAMED[part].columns):
        raise DataError(f"{gold.name}: a pipeline abstains from names, of which it has no gold ones or finds none")
    if not errors:
        raise DataError(f"{gold.name}: it has gold answers for no part of the pipeline that has confidences")
    return errors


def _answers_for(
    part: Part, gold: _core.Conllu, filled: _core.Conllu, names: Sequence[Path]
) -> tuple[object, ...] | None:
    """Return the rows of a part and its gold answers; None if it has no confidences or the treebank no answers."""
    columns = [column.name for column in part.columns]
    rows = rows_of(filled, part.reads)
    if not part.decision:
        return None
    if part.is_plain:
        found = read_entities(gold, names if part.columns[0].has_chunks else [], part.columns[0])
        if found is None:
            return None
        known = [pair for pair in zip(rows, found.of_treebank, strict=True) if pair[1] is not None]
        if not known:
            where = f"{', '.join(map(shown, names))}: its sentences are" if names else f"{gold.name}: its names are"
            raise DataError(f"{where} none of {gold.name}; names are calibrated on the words of the same sentences")
        return tuple(map(list, zip(*known, strict=True)))
    if not has_values(gold, columns[:1]):
        return None
    if part.task == "parse":
        return (gold.with_columns({tag: filled.column(tag) for tag in TAGS}),)
    return rows, joint_tags(gold, columns)


class PipelineConfidence:
    """The confidence of a pipeline's parts in tags, features, arcs and names."""

    report = ""  # how far confidences are from the truth, in words, after `calibrate`

    def __init__(self, models: Models) -> None:
        self._models = models

    def _of_parts(self) -> dict[str, Any]:
        found = {part: self._models[part].confidence for part in _CALIBRATED if part in self._models}
        return {part: confidence for part, confidence in found.items() if confidence.calibrated}

    def _required(self) -> dict[str, Any]:
        """Return the confidence of each part that is calibrated. Raises ModelError if none is."""
        if not _CALIBRATED.keys() & self._models.keys():
            parts = ", ".join(self._models)
            raise ModelError(f"there are no confidences of {parts}; there are of tags, trees and names")
        if not (found := self._of_parts()):
            raise ModelError(NOT_CALIBRATED)
        return found

    @property
    def calibrated(self) -> bool:
        """True if a part has confidences."""
        return bool(self._of_parts())

    def check(self) -> None:
        """Raise ModelError if no part is calibrated."""
        self._required()

    def answered(self, doc: _core.Doc) -> _core.Doc:
        """Return a document without the names of which a pipeline that abstains is not sure enough.

        They are in a column of their own.
        """
        for part, model in self._models.items():
            if not any(column.has_chunks for column in PART_NAMED[part].columns) or not model.confidence.least:
                continue
            [column] = PART_NAMED[part].columns
            names = doc.column(column.name) or []
            unsure = [column.nothing] * len(names)
            found = zip(doc.sentences, model.confidence.unsure(doc.rows, model.threads), strict=False)
            for (_, first, _), chunks in found:
                for _, begin, end in chunks:
                    words = slice(first + begin, first + end)
                    unsure[words], names[words] = names[words], unsure[words]
            doc = doc.with_column(column.name, names, column.item, column.nothing)
            doc = doc.with_column(ABSTAINED, unsure, ABSTAINED.capitalize(), column.nothing)
        return doc

    def add_to(self, doc: _core.Doc) -> None:
        """Keep with a document the confidence of each calibrated part about its words; a name's is on all of its words.

        Raises ModelError if no part is calibrated.
        """
        for part, confidence in self._required().items():
            threads = self._models[part].threads
            if part == "parser":
                found = confidence.of(doc.treebank(), threads)
            elif any(column.has_chunks for column in PART_NAMED[part].columns):
                found = _of_names(confidence, doc, threads)
            else:
                found = confidence.of(doc.rows, threads)
            doc.add_confidences(_CALIBRATED[part], [p for sentence in found for p in sentence])


def _of_names(confidence: TaggerConfidence, doc: _core.Doc, threads: int) -> list[list[float]]:
    sizes = [last - first for (_, first, _), (_, last, _) in pairwise(doc.sentences)]
    found = [[_NONE] * size for size in sizes]
    for of_words, chunks in zip(found, confidence.chunks(doc.rows, threads), strict=True):
        for _, begin, end, certainty in chunks:
            of_words[begin:end] = [certainty] * (end - begin)
    return found
