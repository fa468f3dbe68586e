"""Reranking: the choice of the best of the structures that another model proposes, by features of the whole.

One task is one list of candidates x one search (the highest score) x one learner. The work is done in the core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from sapwood import _core
from sapwood.base.candidates import KINDS, CandidateList
from sapwood.errors import DataError, ModelError
from sapwood.events import Callback
from sapwood.io.lists import parse_lists
from sapwood.model.answers import Answers
from sapwood.model.explanation import chosen_rows
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, Output
from sapwood.model.support import Support
from sapwood.tasks.ranking.data import ListStream, Prepared, Source, candidate_lists, losses_of, read_some
from sapwood.tasks.ranking.options import RerankerOptions
from sapwood.tasks.ranking.reasons import choice_answers, explain_candidate
from sapwood.tasks.ranking.scorers import prepared, scorer_of
from sapwood.tasks.ranking.training import LABELS, ranker_trainer
from sapwood.training.learner import Learner

if TYPE_CHECKING:
    from sapwood.metrics.ranking import RankingReport
    from sapwood.training.run import Run


class Ranked(NamedTuple):
    """A list's candidates by rank, best first."""

    order: list[int]  # numbers of the candidates
    scores: list[float]  # one a candidate, by their numbers


class Reranker(Learner[RerankerOptions]):
    """A reranking perceptron (Collins & Duffy 2002), trained by the perceptron family.

    Without a kernel it has weights of features, kept small by `min_updates`; with one, or voted, it is in dual form: it
    keeps the candidates that took part in updates, the support, and how much each counts, alpha.

    `fit` takes a file of lists, or lists in memory, whose candidates have losses or whose gold is known. Epochs are
    scored by the loss that is left.

    Options follow scikit-learn's conventions; nothing is checked before `fit`.

    A model in dual form has neither `min_updates`, `bits` nor `drop_below`. The averaging clock ticks once a list.
    """

    _params_type = RerankerOptions
    task = "rank"
    _noun = "reranker"
    _reads_streams = True

    def _learn(self, run: Run, lists: Any, *, dev: Source | None = None) -> Self:
        data = read_some(lists, "train on") if run.scratch is None else ListStream(lists, run.scratch)
        held_out = None if dev is None else read_some(dev, "score")
        self._train(run, ranker_trainer, data, held_out, unit="lists", look=None)
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
        scores = self._scorer.scores(self._prepared(candidate_lists(lists)), self.threads)
        return [Ranked(sorted(range(len(s)), key=lambda k: (-s[k], k)), s) for s in scores]

    def _prepared(self, lists: Sequence[CandidateList]) -> Prepared:
        kind = self.model_.options["kind"]
        for each in lists:
            if each.kind != kind:
                raise DataError(f"{each.where}: the candidates are of the kind {each.kind}, the model's were {kind}")
        return prepared(self._options, lists, self.model_.options["score_scale"])

    def _encode_input(self, lists: Source) -> list[CandidateList]:
        return candidate_lists(lists)

    def _parsed(self, data: bytes, name: str) -> list[CandidateList]:
        return list(parse_lists(data, name))

    def _explain(self, lists: list[CandidateList], asked: _core.Question) -> Iterator[bytes]:
        if self.params.voted:
            raise ModelError("a voted model counts votes and has no sum to explain")
        unit = 1.0 if self.params.is_dual() else self.model_.scale
        for number in chosen_rows(len(lists), asked, "list"):
            candidates = self._prepared([lists[number]])
            [scores] = self._scorer.scores(candidates)
            line = explain_candidate(number, scores, asked, unit, self._scorer.differences(candidates))
            if line is not None:
                yield line

    def predict(self, lists: Source) -> list[int]:
        """Return the number of each list's best candidate."""
        return [ranked.order[0] for ranked in self.rank(lists)]

    def evaluate(self, lists: Source) -> RankingReport:
        """Score the choices in lists whose candidates have losses or whose gold is known. Raises DataError."""
        from sapwood.metrics.ranking import ranking_scores

        read = read_some(lists, "score")
        return ranking_scores([losses_of(each) for each in read], self.predict(read))

    def _answers(self, lists: Source) -> list[Answers]:
        read = read_some(lists, "score")
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
            weights=lambda: ((better, weight, name) for weight, name in self._scorer.weights()),
            arrays={"extra": "support candidates"},
        )

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self.support_ = Support.of_model(model, "candidate", "lists")
        if (self.support_ is not None) != self.params.is_dual():
            raise ModelError("its support candidates do not fit its kernel")
        self._options = self.params  # the options of training; the object may get others
        self._scorer = scorer_of(self._options, model, self.support_)

    @classmethod
    def _with_options_of(cls, model: ModelFile, **others: object) -> Self:
        scale = model.options.get("score_scale")
        if model.options.get("kind") not in KINDS or not isinstance(scale, float) or not 0 < scale < inf:
            raise ModelError("its options lack kind or score_scale")
        if model.labels != LABELS:
            raise ModelError(f"its labels are not {' and '.join(LABELS)}")
        return super()._with_options_of(model, **others)
