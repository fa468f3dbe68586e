"""The confidence of a pipeline in tags, features, arcs and names. Parts are calibrated on answers of parts before."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import sapwood._core as _core
from sapwood.errors import DataError
from sapwood.io.conllu import has_values, rows_of
from sapwood.io.entities import read_entities
from sapwood.io.source import shown
from sapwood.model.abstention import Abstain, target_of
from sapwood.parts import PART_NAMED, PARTS, TAGS, Part
from sapwood.tasks.pipeline.data import reads_and_fills, tagsets, without
from sapwood.tasks.tagging.data import joint_tags

Models = Mapping[str, Any]  # by the names of the parts; each has the methods of its class


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
    unknown = [name for name, tags in tagsets(models).items() if tags == {"_"}]  # columns that no part has learned
    gold, filled = without(gold, unknown), without(filled, unknown)
    for part in PARTS:
        data = None
        if part.name in models:
            data = _answers_for(part, models[part.name], gold, filled, list(map(Path, names)))
        if data is not None:
            of_names = abstain if any(column.has_chunks for column in part.columns) else {}
            errors[part.name] = models[part.name].calibrate(*data, **of_names).calibration_error_
    if wanted and not any(column.has_chunks for part in errors for column in PART_NAMED[part].columns):
        raise DataError(f"{gold.name}: a pipeline abstains from names, of which it has no gold ones or finds none")
    if not errors:
        raise DataError(f"{gold.name}: it has gold answers for no part of the pipeline that has confidences")
    return errors


def _answers_for(
    part: Part, model: Any, gold: _core.Conllu, filled: _core.Conllu, names: Sequence[Path]
) -> tuple[object, ...] | None:
    """Return the rows of a part and its gold answers; None if it has no confidences or the treebank no answers."""
    reads, columns = reads_and_fills(part, model)
    rows = rows_of(filled, reads)
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
    needed = [name for name, tags in tagsets({part.name: model}).items() if tags != {"_"}] or columns[:1]
    if not all(has_values(gold, [name]) for name in needed):  # a label of several tags needs each of them
        return None
    if part.task == "parse":
        return (gold.with_columns({tag: filled.column(tag) for tag in TAGS}),)
    return rows, joint_tags(gold, columns)


def deciding_parts(models: Models) -> _core.DecidingParts:
    """Return the parts as the core explains their decisions and says how sure they are."""
    given: list[Any] = []
    for name, model in models.items():
        part, calibration = PART_NAMED[name], model.model_.calibration or {}
        curves = calibration["curves"] if calibration and part.decision else []
        least = calibration["abstention"]["thresholds"] if "abstention" in calibration and part.decision else []
        chunks = next((column.name for column in part.columns if column.has_chunks), "")
        tagger = None if part.task == "parse" else model.tagger_
        given.append((name, tagger, part.decision, chunks, curves, least))
    core = {name: getattr(models.get(name), f"{name}_", None) for name in ("segmenter", "splitter", "parser")}
    return _core.DecidingParts(tuple(given), **core)


class PipelineConfidence:
    """The confidence of a pipeline's parts in tags, features, arcs and names."""

    report = ""  # how far confidences are from the truth, in words, after `calibrate`

    def __init__(self, parts: _core.DecidingParts) -> None:
        self.parts = parts

    @property
    def calibrated(self) -> bool:
        return self.parts.calibrated

    def check(self) -> None:
        """Raise ModelError if no part is calibrated."""
        self.parts.check()

    def add_to(self, docs: Iterable[_core.Doc], threads: int, *, confidence: bool) -> Iterator[_core.Doc]:
        """Yield documents whose names that are not sure enough are in a column of their own, if the pipeline abstains.

        confidence : with the confidence of each calibrated part, too; a name's is on all of its words

        Raises ModelError if there are none.
        """
        for doc in docs:
            self.parts.abstain(doc, threads)
            if confidence:
                self.parts.add_confidences(doc, threads)
            yield doc
