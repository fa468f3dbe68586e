"""Reranking: the best of the structures that another model proposes, by features of the whole; training, and reasons.

One task is one list of candidates x one search (the highest score) x one learner. The work is done in the core.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import sapwood._core as _core
from sapwood.base.candidates import KINDS, CandidateList
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.events import Callback, Started
from sapwood.io.lists import parse_lists
from sapwood.model.answers import Answers, Place, Property
from sapwood.model.explanation import Feature, chosen_rows, question
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, Output
from sapwood.model.support import Support, SupportTrainer, Weights
from sapwood.options import Values
from sapwood.tasks.ranking.data import (
    Examples,
    Lists,
    ListStream,
    Prepared,
    Source,
    candidate_lists,
    examples_of,
    losses_of,
    read_some,
)
from sapwood.tasks.ranking.options import RerankerOptions
from sapwood.tasks.ranking.scorers import dual_trainer, prepared, scorer_of
from sapwood.training.learner import Learner
from sapwood.training.shards import Shard
from sapwood.training.task import HeldOutScore, Trainer

if TYPE_CHECKING:
    from sapwood.metrics.ranking import RankingReport
    from sapwood.model.explanation_records import ExplanationRecord
    from sapwood.training.run import Run

LABELS = ["worse", "better"]
_STEP = 8  # lists between two events, in dual form


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


def ranker_trainer(options: RerankerOptions, data: Lists | ListStream, held_out: Lists | None, run: Run) -> Trainer:
    """Return the trainer of a reranker. Raises DataError and OptionError."""
    train = data.first  # then all of a stream is known but the features
    kinds = data.kinds | {each.kind for each in held_out or ()}
    if len(kinds) > 1:
        raise DataError(f"the lists are of several kinds: {', '.join(sorted(kinds))}; a reranker learns one")
    scale = data.distance() if run.known is None else run.known.options["score_scale"]
    compared = prepared(options, held_out or [], scale)
    dev_losses = [losses_of(each) for each in held_out or ()]

    def score(model: ModelFile, weights: Weights) -> HeldOutScore:
        scores = scorer_of(options, model, weights).scores(compared, options.threads)
        lost = [losses[s.index(max(s))] for s, losses in zip(scores, dev_losses, strict=True)]
        all_losses = max(sum(sum(losses) / len(losses) for losses in dev_losses), 1e-9)
        return HeldOutScore(100 - 100 * sum(lost) / all_losses, [-loss for loss in lost])

    is_dual = options.is_dual()
    dropped = ("min_updates", "drop_below") if is_dual else ("kernel", "decay", "length", "degree", "voted")
    kept = {name: options.value(name) for name in options.kept() if name not in dropped}
    n, learned = len(data), "support candidates" if is_dual else "features"

    def shard(chosen: Sequence[int], seed: int) -> Shard:
        settings = {"base_weight": base_weight, "options": options.for_core(seed=seed, threads=1)}
        return Shard(_trainer_of, [examples_of(train.select(chosen), scale)], settings)

    base_weight = options.value("base_weight")
    core: _core.RankerTrainer | SupportTrainer
    if is_dual:
        core = dual_trainer(options, prepared(options, train, scale), run.report)
    else:
        examples = (examples_of(part, scale) for part in data.parts())
        core = _trainer_of(examples, base_weight, options.for_core(), data.scratch)
    return Trainer(
        core,
        ModelFile(
            task="rank",
            labels=LABELS,
            columns=["candidate"],
            options={"kind": kinds.pop(), "score_scale": scale} | kept,
            bits=options.bits,
        ),
        Started(n, n, 0, options.epochs, 0, "lists", learned),
        facts={"lists": n, "candidates": data.candidates},
        score=None if held_out is None else score,
        step=_STEP if is_dual else n,
        examples=len(train),
        shard=shard,
    )


def _trainer_of(
    examples: Iterable[Examples], base_weight: float, options: Values, scratch: str = ""
) -> _core.RankerTrainer:
    """Return the trainer of lists of candidates; the base model's score has a weight from the beginning."""
    trainer = _core.RankerTrainer(options, scratch)
    for each in examples:
        trainer.add(*each)
    trainer.prime(_core.key_of("score"), base_weight)
    return trainer


def explain_candidate(
    number: int,
    scores: Sequence[float],
    asked: _core.Question,
    scale: float,
    features: Callable[[int, int], list[Feature]],
) -> bytes | None:
    """Explain the choice of a candidate. Return None if the question is against the chosen one, or one not in the list.

    features : gives the features by which two candidates differ, by their numbers in the list
    """
    chosen, *others = sorted(range(len(scores)), key=lambda k: (-scores[k], k))
    against = against_candidate(asked)
    if against is None and others:
        against = others[0]
    elif against is not None and against not in others:
        return None
    name = f"candidate {chosen + 1}"
    if against is None:
        return _core.explanation_line(number, "candidate", name, None, 0.0, scale, [])
    other, margin, found = f"candidate {against + 1}", scores[chosen] - scores[against], features(chosen, against)
    return _core.explanation_line(number, "candidate", name, other, margin, scale, found)


def against_candidate(asked: _core.Question) -> int | None:
    """Return the number of the candidate that the question is against, from 0. Raises OptionError if it is none."""
    if not asked.against:
        return None
    if not asked.against.isascii() or not asked.against.isdigit() or int(asked.against) < 1:
        raise OptionError(f"a candidate is given by its number in the list, from 1, not '{asked.against}'")
    return int(asked.against) - 1


def choice_answers(
    lists: Sequence[CandidateList],
    losses: Sequence[Sequence[float]],
    choices: Sequence[int],
    explain: Callable[[list[CandidateList], _core.Question], Iterator[bytes]] | None,
) -> Answers:
    """Return the candidates that a reranker chose, by their ranks by the base model's score.

    losses : [lists][candidates]
    choices : [lists] the number of the candidate that was chosen

    Right is a candidate with the least loss of its list. Gold is the first of these. `explain` explains the choices;
    None for a model without reasons.
    """
    gold, guess, right, reranked, events = [], [], [], [], []
    sizes: list[list[Sequence[str]]] = []
    for each, loss, choice in zip(lists, losses, choices, strict=True):
        order = sorted(range(len(loss)), key=lambda k: (-each.candidates[k].score, k))
        best = min(order, key=lambda k: loss[k])
        chosen = choice if loss[choice] > loss[best] else best
        gold.append(best)
        guess.append(chosen)
        right.append([f"rank {order.index(best) + 1}"])
        reranked.append([f"rank {order.index(chosen) + 1}"])
        events.append([_event(order[0], best, chosen)])
        sizes.append([(f"{len(loss)} candidates",)])

    def reasons(places: Sequence[Place]) -> list[ExplanationRecord | None]:
        found: list[ExplanationRecord | None] = []
        for s, _ in places:
            against = str(gold[s] + 1) if gold[s] != guess[s] else None
            lines = b"".join(explain([lists[s]], question(against=against)) if explain is not None else ())
            found.append(json.loads(lines) | {"sentence": s + 1} if lines else None)
        return found

    properties = [Property("what happened", events, of_errors=True), Property("size of the list", sizes)]
    words = [_words_of(each) for each in lists]
    return Answers(
        "choices", "list", words, right, reranked, reasons, whole=True, properties=properties, own_scores=True
    )


def _event(first: int, best: int, chosen: int) -> Sequence[str]:
    if chosen == best:
        return ()
    if chosen == first:
        return ("the base model's first was kept, and another is better",)
    if best == first:
        return ("the base model's first was the best, and was left",)
    return ("the base model's first was left for one that is not the best",)


def _words_of(each: CandidateList) -> list[str]:
    if each.tokens:
        return [row[0] for row in each.tokens]
    if each.kind == "tree":
        return [word for _, word in _core.read_tree(each.candidates[0].structure, each.where)[1]]
    return []
