"""Suspects among labelled examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.events import Preparing
from sapwood.tasks.classifying.labelled import with_class_weights
from sapwood.tasks.classifying.scorer import frozen_file
from sapwood.tasks.classifying.training import train_rows
from sapwood.training.cross_validation import splits
from sapwood.training.run import Run
from sapwood.training.suspects import WHAT, Suspect, folds_of, surest

if TYPE_CHECKING:
    from sapwood.model.confidence import Numbers
    from sapwood.tasks.classifying.options import ClassifierOptions
    from sapwood.tasks.classifying.training_data import TrainingData


def suspects_in(options: ClassifierOptions, data: TrainingData, folds: int, run: Run) -> list[Suspect]:
    """Return the examples whose label, or whose set of labels, models disagree with that did not see them.

    Of several labels the least likely decision counts.
    """
    labelled, several = data.labelled, options.multi_label
    names, gold = labelled.labels, labelled.gold if several else [[y] for y in labelled.gold]
    scores: Numbers = [[]] * len(gold)
    for fold, (others, inside) in enumerate(splits(folds_of(data, "examples", labelled.strata(), folds))):
        run.report(Preparing(WHAT, fold, folds))
        examples = with_class_weights(options, labelled.select(others))
        fitted = train_rows(options, examples, None, Run(monitors_data=False), model=data.model)
        found = frozen_file(fitted.model).scores(labelled.rows.select(inside), options.threads).tolist()
        for k, row in zip(inside, found, strict=True):
            scores[k] = row
    temperature = _core.Calibration.best_temperature(scores, gold, several)
    calibration = _core.Calibration("temperature", [[temperature]], len(names), several)
    suspects = []
    for k, row in enumerate(calibration.apply(scores)):
        proposed = [y for y, p in enumerate(row) if p > 0.5] if several else [max(range(len(row)), key=row.__getitem__)]
        if proposed == gold[k]:
            continue
        wrong = set(proposed).symmetric_difference(gold[k])
        sure = max(abs(2 * row[y] - 1) for y in wrong) if several else row[proposed[0]] - row[gold[k][0]]
        given, better = ("|".join(names[y] for y in each) for each in (gold[k], proposed))
        place, text, record = data.examples.answers.where(k), _text_of(data, k), _record_of(data, k)
        suspects.append(Suspect(k, place, given, better, sure, text, record))
    return surest(suspects)


def _text_of(data: TrainingData, k: int) -> str:
    documents = data.examples.documents
    words: Sequence[str] = () if documents is None else documents.words(k)
    return " ".join(words)


def _record_of(data: TrainingData, k: int) -> dict[str, object] | None:
    return data.examples.records[k].values if data.examples.records else None
