"""Suspects among the spans of texts: those with which models disagree that did not see their sentences."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from sapwood.io.entities import NAMES, items_of
from sapwood.parts import PART_NAMED, TAGS
from sapwood.tasks.pipeline.data import tag_rows, tagged
from sapwood.tasks.pipeline.names import clusters_of, label_tagger
from sapwood.tasks.pipeline.options import BASE, OF_NAMES, PipelineOptions
from sapwood.tasks.pipeline.spans import SpanTreebank, base_for, read_taught

if TYPE_CHECKING:
    from sapwood.model.base import AnyModel
    from sapwood.training.run import Run
    from sapwood.training.suspects import Suspect


def suspects_in(source: Any, options: PipelineOptions, cls: type[AnyModel], folds: int, run: Run) -> list[Suspect]:
    """Return the suspects among the spans of files, with their record, in which `start` and `end` are their place.

    Tokens and tags are those that training would have (see sapwood.tasks.pipeline.spans). Raises DataError.
    """
    texts = read_taught(source)
    base = base_for(options, (each.text for each in texts), OF_NAMES, BASE, cls)
    made = base.of_spans(texts)
    forms, labels = made.treebank.column("form"), items_of(made.treebank, NAMES)
    tagger, models = base.models.get("tagger"), base.models
    tags = [[("_",) * len(TAGS)] * len(sentence) for sentence in forms]
    if tagger is not None:
        tags = tagged(forms, tagger, models.get("morphology"))  # type: ignore[arg-type]
    learner = label_tagger(PART_NAMED["entities"], models, clusters_of(options, models), has_tags=tagger is not None)
    learner.set_params(seed=options.seed, threads=options.threads)
    found = learner._suspects(run, folds, tag_rows(forms, tags), labels)
    return [_with_place(each, made) for each in found]


def _with_place(suspect: Suspect, made: SpanTreebank) -> Suspect:
    record, text, _ = made.texts[bisect_right(made.first_words, suspect.number) - 1]
    start, _ = made.places[suspect.number]
    _, end = made.places[suspect.number + suspect.words - 1]
    values = {**record.values, "start": start, "end": end}
    return suspect._replace(place=record.where, text=text[start:end], record=values)
