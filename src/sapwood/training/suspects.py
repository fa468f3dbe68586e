"""Suspects: labels of training data with which models disagree that did not see them.

The data are cut into folds, and each is labelled by a model that was trained on the others with the same options. The
surer that model is of another label, the likelier is the given one a mistake: suspects are ranked by the confidence in
the proposed label minus that in the given one [the normalised margin of confident learning; Northcutt et al. 2021].
Their thresholds for each class left out half of the mistakes on development data, and put no others first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import sapwood._core as _core
from sapwood.errors import DataError, OptionError
from sapwood.events import Callback
from sapwood.model.confidence import DecisionStage, fit_curves
from sapwood.training.cross_validation import Selectable, numbers_of_inputs, splits, stratified_folds
from sapwood.training.learner import Learner, fit_part
from sapwood.training.run import Run

FOLDS = 5
WHAT = "labelling the data in folds"

L = TypeVar("L", bound=Learner[Any])


class Suspect(NamedTuple):
    """A label that is probably wrong."""

    number: int  # number of the example, or of the first word in all data, from 0
    place: str  # file and line
    given: str
    proposed: str
    confidence: float  # in the proposed label minus that in the given one, -1 to 1
    text: str
    record: Mapping[str, object] | None = None  # the example, if it came as one
    words: int = 1  # number of words of the text, if it is a part of a sentence


class SentenceAnswers(NamedTuple):
    """The answers of a model about some sentences that it did not see."""

    proposed: list[list[str]]  # [sentences][tokens]
    stages: Sequence[DecisionStage]


def suspects(
    learner: Learner[Any], data: Any, labels: Any = None, *, folds: int = FOLDS, on_event: Callback | None = None
) -> list[Suspect]:
    """Return the labels of training data that are probably wrong, the surest first.

    learner : a Classifier, SequenceTagger or DependencyParser, which stays as it is; the models have its options. A
        Pipeline has suspects among the spans of files.
    data, labels : as its `fit` takes them

    Raises OptionError for another kind of model, what `fit` raises, and DataError for fewer examples than folds.
    """
    if not hasattr(learner, "_suspects"):
        raise OptionError(f"a {learner._noun} has no suspects; classifiers, taggers and parsers have")
    found: list[Suspect] = learner._suspects(Run.of(learner, {"on_event": on_event}), folds, data, labels)
    return found


def folds_of(data: Selectable, what: str, strata: Sequence[int], folds: int, label: int = 0) -> list[int]:
    """Return the fold of each example; equal ones are in one. Raises DataError if there are fewer than folds."""
    inputs = numbers_of_inputs(data, label)
    if (different := len(set(inputs))) < folds:
        raise DataError(f"there are {different} different {what}, too few for {folds} folds")
    return stratified_folds(strata, folds, 1, inputs)


def surest(suspects: Sequence[Suspect]) -> list[Suspect]:
    """Return suspects, the surest first."""
    return sorted(suspects, key=lambda suspect: -suspect.confidence)


def sentence_suspects(
    learner: L,
    data: Any,
    given: Sequence[Sequence[str]],
    words: Sequence[Sequence[str]],
    answer: Callable[[L, Any, list[int]], SentenceAnswers],
    folds: int,
    run: Run,
    *,
    label: int = 0,
    whole_runs: bool = False,
) -> list[Suspect]:
    """Return the suspects among the labels of words, the surest first.

    data : the core's sentences; given : their labels, [sentences][tokens]; words : their words
    answer : takes a model, the sentences of a fold and their numbers
    label : number of the column of labels
    whole_runs : neighbours with wrong labels are one suspect, as those of a chunk are
    """
    n = len(given)
    proposed: list[Sequence[str]] = [()] * n
    margins: list[list[Sequence[float]]] = []
    right: list[list[Sequence[bool]]] = []
    for fold, (others, inside) in enumerate(splits(folds_of(data, "sentences", [0] * n, folds, label))):
        model: L = type(learner)(**learner.get_params())
        fit_part(model, data.select(others), what=WHAT, run=run, done=fold, parts=folds)
        found = answer(model, data.select(inside), inside)
        margins = margins or [[()] * n for _ in found.stages]
        right = right or [[()] * n for _ in found.stages]
        for k, sentence in enumerate(inside):
            proposed[sentence] = found.proposed[k]
            for number, stage in enumerate(found.stages):
                margins[number][sentence], right[number][sentence] = stage.margins[k], stage.right[k]
    stages = [DecisionStage(*stage) for stage in zip(margins, right, strict=True)]
    curves = list(map(_core.Curve, fit_curves(stages)))
    confidences = _core.Curve.confidences(curves, [stage.margins for stage in stages])
    first = 0
    suspects: list[tuple[float, Suspect]] = []
    for s, labels in enumerate(given):
        for begin, end in _differing(labels, proposed[s], whole=whole_runs):
            sure = max(confidences[s][begin:end])
            margin = max(map(min, zip(*(stage.margins[s][begin:end] for stage in stages), strict=True)))
            wrong, better, text = (" ".join(each[begin:end]) for each in (labels, proposed[s], words[s]))
            number = first + begin
            suspects.append(
                (margin, Suspect(number, data.where(number), wrong, better, 2 * sure - 1, text, words=end - begin))
            )
        first += len(labels)
    suspects.sort(key=lambda each: -each[0])  # curves have steps: equally sure ones go by their margins
    return surest([suspect for _, suspect in suspects])


def _differing(given: Sequence[str], proposed: Sequence[str], *, whole: bool) -> Iterator[tuple[int, int]]:
    """Yield the runs of tokens whose labels differ, or each such token by itself.

    >>> list(_differing("aabba", "abaaa", whole=True))
    [(1, 4)]
    >>> list(_differing("aabba", "abaaa", whole=False))
    [(1, 2), (2, 3), (3, 4)]
    """
    for differs, run in groupby(range(len(given)), key=lambda k: given[k] != proposed[k]):
        if differs:
            places = list(run)
            yield from [(places[0], places[-1] + 1)] if whole else ((k, k + 1) for k in places)
