"""Reranking: of the structures that another model proposes, choose the best by features of the whole.

One task is one list of candidates x one search (the highest score) x one learner. The work is done in the core; this
file turns candidates into rows of features, and runs the epochs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import partial
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Self, Unpack

from sapwood import _core
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.events import Started
from sapwood.io.lists import KINDS, CandidateList, parse_lists, read_lists
from sapwood.io.memory import COUNTED, called
from sapwood.io.source import shown
from sapwood.model.base import is_file
from sapwood.model.contents import Contents, Output
from sapwood.model.explanation import Reasons
from sapwood.model.file.schema import ModelFile
from sapwood.model.row_explanation import LinearRows, chosen_rows
from sapwood.model.support import Support, Weights
from sapwood.tasks.ranking.data import Examples, Lists, Prepared, distance_of, examples_of, losses_of, names_of
from sapwood.tasks.ranking.dual import SupportScorer, dual_trainer, prepared
from sapwood.tasks.ranking.list_stream import ListStream
from sapwood.tasks.ranking.options import RerankerOptions
from sapwood.tasks.ranking.reasons import choice_answers, explain_candidate
from sapwood.training.learner import Learner
from sapwood.training.shards import Shard
from sapwood.training.streams import stream_of
from sapwood.training.task import Task, Trainer

if TYPE_CHECKING:
    from sapwood.events import Callback
    from sapwood.metrics.ranking import RankingReport
    from sapwood.model.answers import Answers
    from sapwood.model.row_explanation import Feature
    from sapwood.model.support import SupportTrainer
    from sapwood.options import Values
    from sapwood.training.checkpoints import Saving
    from sapwood.training.run import Run


_STEP = 8  # lists between two events, in dual form
_LABELS = ["worse", "better"]

Source = os.PathLike[str] | Sequence[CandidateList]


class Ranked(NamedTuple):
    """A list's candidates by rank, best first."""

    order: list[int]  # numbers of the candidates
    scores: list[float]  # of the candidates in their own order


class WeightScorer:
    """The scores that weights of features give: a classifier of two classes, the second of which is "better"."""

    def __init__(self, model: ModelFile) -> None:
        tables = [table.packed for table in model.tables]
        self._classifier = _core.Classifier(model.labels, tables, model.bits, model.scale)

    def scores(self, candidates: Prepared, threads: int = 1) -> list[list[float]]:
        """Return the score of each candidate."""
        scores = self._classifier.scores_of(candidates.rows, threads)
        return [scores[begin:end] for begin, end in pairwise(candidates.starts)]

    def differences(self, candidates: Prepared) -> Callable[[int, int], list[Feature]]:
        """Return what gives the features by which two candidates differ."""
        rows = LinearRows(candidates.rows, self._classifier, names_of(candidates.lists, candidates.scale))
        return partial(rows.difference, label="better")

    def weights(self) -> Iterator[tuple[float, str]]:
        """Yield the weight of each feature, and what it is called."""
        for row, _, weight in self._classifier.weights():
            yield weight, f"feature {row}"


class Reranker(Learner[RerankerOptions]):
    """A reranking perceptron (Collins & Duffy 2002), trained by the perceptron family.

    Without a kernel it has weights of features, kept small by `min_updates`; with one, or voted, it is in dual form: it
    keeps the candidates that took part in updates, the support, and how much each counts, alpha.

    Options follow scikit-learn's conventions; nothing is checked before `fit`.

    A model in dual form has neither `min_updates`, `bits` nor `drop_below`. The averaging clock ticks once a list.
    """

    params_type = RerankerOptions
    task = "rank"
    noun = "reranker"

    def fit(
        self,
        lists: Source,
        *,
        dev: Source | None = None,
        dev_fraction: float | None = None,
        on_event: Callback | None = None,
        stream: bool = False,
        scratch: str | os.PathLike[str] | None = None,
        **saving: Unpack[Saving],
    ) -> Self:
        """Train on a file of lists, or on lists in memory, whose candidates have losses or whose gold is known.

        The path of a file is a pathlib.Path. `dev`, or every k-th list (`dev_fraction`), is held out to score each
        epoch by the loss that is left; the best epoch's model is kept. Ctrl-C finishes the epoch and keeps the best
        model so far.

        stream : read the file part by part, and keep the lists in scratch files, which are mapped into memory; the
        model is the same. Not with a kernel, nor voted
        scratch : folder of the scratch files; if it is not given, $TMPDIR or /var/tmp

        Raises OptionError or DataError, each naming the place.
        """
        options = self.params
        run = self._run(dev, dev_fraction, on_event, saving)
        data = stream_of(ListStream, lists, None, options, dev_fraction, scratch, stream=stream)
        if isinstance(data, ListStream) and options.is_dual():
            raise OptionError("a reranker with a kernel, or voted, keeps its candidates in memory; leave out stream")
        return self._learn(run, data, dev=dev)

    def _learn(self, run: Run, lists: Any, *, dev: Source | None = None) -> Self:
        data = lists if isinstance(lists, ListStream) else Lists(_read_some(lists, "train on"))
        held_out = None if dev is None else Lists(_read_some(dev, "score"))
        self._train(Task(self.task, self.params, begin, data, held_out, unit="lists", look=None), run)
        return self

    def partial_fit(self, lists: Source, *, on_event: Callback | None = None) -> Self:
        """Make one pass over lists, as `fit` takes them, and go on from the calls before.

        Copies and pickles go on, too. The unit of the base scores is that of the first call.
        Raises ModelError for a reranker that was trained by `fit`, OptionError if options have changed, and what `fit`
        raises.
        """
        return self._pass(lists, on_event=on_event)

    def rank(self, lists: Source) -> list[Ranked]:
        """Return the candidates of each list by rank."""
        self.check_fitted()
        scores = self.ranker_.scores(self._prepared(_read(lists)), self.params.threads)
        return [Ranked(sorted(range(len(s)), key=lambda k: (-s[k], k)), s) for s in scores]

    def _prepared(self, lists: Sequence[CandidateList]) -> Prepared:
        kind = self.model_.options["kind"]
        for each in lists:
            if each.kind != kind:
                raise DataError(f"{each.where}: the candidates are of the kind {each.kind}, the model's were {kind}")
        return prepared(self.trained_with_, lists, self.model_.options["score_scale"])

    @property
    def reasons(self) -> Reasons[list[CandidateList]]:
        """The explanations of choices; the number of a list is that of a sentence.

        They are of features or, in dual form, of support candidates: `value` is how much more the chosen candidate is
        like one, by the kernel, and `weight` its alpha.
        """
        self.check_fitted()
        return Reasons(_read, lambda data, name: list(parse_lists(data, name)), self._explain)

    def _explain(self, lists: list[CandidateList], asked: _core.Question) -> Iterator[bytes]:
        if self.params.voted:
            raise ModelError("a voted model counts votes and has no sum to explain")
        unit = 1.0 if self.params.is_dual() else self.model_.scale
        for number in chosen_rows(len(lists), asked, "list"):
            candidates = self._prepared([lists[number]])
            [scores] = self.ranker_.scores(candidates)
            line = explain_candidate(number, scores, asked, unit, self.ranker_.differences(candidates))
            if line is not None:
                yield line

    def predict(self, lists: Source) -> list[int]:
        """Return the number of each list's best candidate."""
        return [ranked.order[0] for ranked in self.rank(lists)]

    def evaluate(self, lists: Source) -> RankingReport:
        """Score the choices in lists whose candidates have losses or whose gold is known. Raises DataError."""
        from sapwood.metrics.ranking import ranking_scores

        read = _read_some(lists, "score")
        return ranking_scores([losses_of(each) for each in read], self.predict(read))

    def answers(self, lists: Source) -> list[Answers]:
        """Return which candidates are best by their losses, and those that the reranker chose. Raises DataError."""
        read = _read_some(lists, "score")
        explain = self._explain if not self.params.voted else None
        return [choice_answers(read, list(map(losses_of, read)), self.predict(read), explain)]

    @property
    def contents(self) -> Contents:
        """The weights of the only output, ``better``, or the alphas of support candidates, which speak for it, too."""
        self.check_fitted()
        better = Output("better", "better")
        return Contents(
            self.model_,
            support=self.support_,
            tables=["candidate"],
            outputs=[[better]],
            weights=lambda: ((better, weight, name) for weight, name in self.ranker_.weights()),
            arrays={"extra": "support candidates"},
        )

    def install(self, model: ModelFile) -> None:
        """Take what a model file holds. Raises SapwoodError if it does not hold it."""
        super().install(model)
        self.support_ = Support.of_model(model, "candidate", "lists")
        if (self.support_ is not None) != self.params.is_dual():
            raise ModelError("its support candidates do not fit its kernel")
        self.trained_with_: RerankerOptions = copy(self.params)  # options may change after fitting
        self.ranker_: WeightScorer | SupportScorer = scorer_of(self.params, model, self.support_)

    @classmethod
    def _with_options_of(cls, model: ModelFile) -> Self:
        scale = model.options.get("score_scale")
        if model.options.get("kind") not in KINDS or not isinstance(scale, float) or not 0 < scale < inf:
            raise ModelError("its options lack kind or score_scale")
        if model.labels != _LABELS:
            raise ModelError(f"its labels are not {' and '.join(_LABELS)}")
        return super()._with_options_of(model)


def begin(options: RerankerOptions, data: Lists | ListStream, held_out: Lists | None, run: Run) -> Trainer:
    """Return the trainer of a reranker. Raises DataError and OptionError."""
    stream = data if isinstance(data, ListStream) else None
    train = data.first if isinstance(data, ListStream) else data
    kinds = {each.kind for each in (*train, *(held_out or ()))} | (set() if stream is None else stream.kinds)
    if len(kinds) > 1:
        raise DataError(f"the lists are of several kinds: {', '.join(sorted(kinds))}; a reranker learns one")
    if run.known is not None:
        scale = run.known.options["score_scale"]
    else:
        scale = distance_of(train) if stream is None else stream.distance()
    compared = prepared(options, held_out or [], scale)
    dev_losses = [losses_of(each) for each in held_out or ()]

    def score(model: ModelFile, weights: Weights) -> float:
        scores = scorer_of(options, model, weights).scores(compared, options.threads)
        left = sum(losses[s.index(max(s))] for s, losses in zip(scores, dev_losses, strict=True))
        return 100 - 100 * left / max(sum(sum(losses) / len(losses) for losses in dev_losses), 1e-9)

    is_dual = options.is_dual()
    dropped = ("min_updates", "drop_below") if is_dual else ("kernel", "decay", "length", "degree", "voted")
    kept = {name: options.value(name) for name in options.kept() if name not in dropped}
    n = len(train) if stream is None else stream.lists
    candidates = sum(len(each.candidates) for each in train) if stream is None else stream.candidates
    learned = "support candidates" if is_dual else "features"

    def shard(chosen: Sequence[int], seed: int) -> Shard:
        examples, base_weight = examples_of(train.select(chosen), scale), options.value("base_weight")
        in_core = options.for_core(seed=seed, threads=1)
        return Shard(_trainer_on, examples, {"base_weight": base_weight, "options": in_core})

    return Trainer(
        _core_trainer(options, data, scale, run),
        ModelFile(
            task="rank",
            labels=_LABELS,
            template="",
            columns=["candidate"],
            label=0,
            options={"kind": kinds.pop(), "score_scale": scale} | kept,
            bits=options.bits,
        ),
        Started(n, n, 0, options.epochs, 0, "lists", learned),
        facts={"lists": n, "candidates": candidates},
        score=None if held_out is None else score,
        step=_STEP if is_dual else n,
        examples=len(train),
        shard=shard,
    )


def _core_trainer(
    options: RerankerOptions, data: Lists | ListStream, scale: float, run: Run
) -> _core.RankerTrainer | SupportTrainer:
    base_weight, in_core = options.value("base_weight"), options.for_core()
    if isinstance(data, ListStream):
        trainer = _core.RankerTrainer(in_core, data.scratch)
        data.feed(trainer, scale)
        trainer.prime(_core.key_of("score"), base_weight)
        return trainer
    if options.is_dual():
        return dual_trainer(options, prepared(options, data, scale), run.report)
    return _trainer_on(examples_of(data, scale), base_weight, in_core)


def _trainer_on(examples: Examples, base_weight: float, options: Values) -> _core.RankerTrainer:
    """Return what trains on lists of candidates; the base model's score has a weight from the beginning."""
    trainer = _core.RankerTrainer(options)
    trainer.add(*examples)
    trainer.prime(_core.key_of("score"), base_weight)
    return trainer


def scorer_of(options: RerankerOptions, model: ModelFile, weights: Weights | None) -> WeightScorer | SupportScorer:
    """Return what scores candidates by a model, or by its support."""
    return SupportScorer(copy(options), weights) if isinstance(weights, Support) else WeightScorer(model)


def _read(source: Source) -> list[CandidateList]:
    if is_file(source, "lists of candidates"):
        return read_lists(source)  # type: ignore[arg-type]
    for number, each in enumerate(given := list(source), 1):  # type: ignore[arg-type]
        if not isinstance(each, CandidateList):
            raise DataError(f"input: list {number} {COUNTED} is {called(each)}, and no sapwood.io.lists.CandidateList")
    return given


def _read_some(source: Source, purpose: str) -> list[CandidateList]:
    """Return lists to train on or to score. Raises DataError if there is none."""
    lists = _read(source)
    if not lists:
        name = shown(source) if isinstance(source, os.PathLike) else "input"
        raise DataError(f"{name}: there is no list of candidates to {purpose}")
    return lists
