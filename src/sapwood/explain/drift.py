"""Drift of a model's texts: what it finds in new ones beside old ones, or beside what its file keeps of training."""

import os
from collections import Counter
from statistics import fmean
from typing import Any

from sapwood.errors import DataError, ModelError
from sapwood.io.json_text import fits
from sapwood.io.source import shown
from sapwood.metrics.drift import DriftReport, Quantiles, Sample
from sapwood.metrics.significance import Changes
from sapwood.model.base import AnyModel, with_listener
from sapwood.model.parts import require_capability

_QUANTILES = 0.001, 0.01, 0.1, 0.5  # at which a file keeps familiarity, see core/model/familiarity.hpp


def drift(model: AnyModel, new: Any, old: Any = None) -> DriftReport:
    """Compare what a model finds in new texts with old ones; without, with what its file keeps of its training data.

    new, old : files, whose paths are pathlib.Paths, or data in memory as `predict` takes them; of a pipeline texts

    Raises DataError for no text, ModelError for a model that reads none.
    """
    return DriftReport(sample(model, new, "new"), of_training(model) if old is None else sample(model, old, "old"))


def changes(old: AnyModel, new: AnyModel, source: Any) -> Changes:
    """Return the changes when one model takes another's place on texts without gold answers; `drift` says which.

    Raises DataError if the two do not cut a text into the same words, ModelError for models of different tasks.
    """
    if old.task != new.task:
        raise ModelError(f"a {old._noun} and a {new._noun} do not answer the same questions")
    before, after = (require_capability(_silent(model), "_observed")(source) for model in (old, new))
    if old.task == "classify":  # an example may have any number of labels
        before, after = (
            each._replace(labels=[["|".join(sorted(row))] for row in each.labels]) for each in (before, after)
        )
    if [*map(len, before.labels)] != [*map(len, after.labels)]:
        raise DataError("the two models cut the text into other words; compare what they say about given ones")
    return Changes(before.labels, after.labels, before.text)


def _silent(model: AnyModel) -> AnyModel:
    """Return a model that warns of nothing, as all is counted here."""
    return with_listener(model, lambda message: None)


def sample(model: AnyModel, source: Any, name: str) -> Sample:
    """Return the findings of a model in texts. Raises DataError and ModelError."""
    name = shown(source) if isinstance(source, os.PathLike) else name
    found = require_capability(_silent(model), "_observed")(source)
    if not found.labels:
        raise DataError(f"{name}: there is no text in it")
    judge = model.familiarity_
    strange = sum(judge.warning(each.characters, *each.words) is not None for each in found.counts)
    shares = [known / words for words, known in (each.words for each in found.counts) if words]
    means = [fmean(row) for row in found.confidences if row]
    return Sample(name, len(found.labels), shares, strange, means, [*map(Counter, found.labels)])


def of_training(model: AnyModel) -> Quantiles:
    """Return the facts in a model's file on its training data: familiarity and, of a classifier, counts of labels."""
    file, counts = model.model_, model.model_.provenance.get("label_counts")
    labels = dict(zip(file.labels, counts, strict=False)) if fits(counts, list[int]) else {}
    judge = model.familiarity_
    values = judge.shares[0]["sentences"] if judge.core is not None else ()
    return Quantiles([*zip(_QUANTILES, values, strict=False)], Counter(labels))
