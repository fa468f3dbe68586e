"""Reranking: of the structures that another model proposes, choose the best by features of the whole.

One task is one list of candidates x one search (the highest score) x one learner. The work is done in the core; this
file turns candidates into rows of features, and runs the epochs.
"""

import os
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from sapwood import __version__, _core
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.io.lists import KINDS, CandidateList, read_lists
from sapwood.model import ModelFile
from sapwood.options import check_choices, check_held_out, check_shrink, check_step_size, check_whole_numbers
from sapwood.parameters import Parameters

if TYPE_CHECKING:
    from sapwood.events import Callback

__all__ = ["Ranked", "Reranker", "losses_of"]

Source = str | os.PathLike[str] | Sequence[CandidateList]


class Ranked(NamedTuple):
    """A list's candidates by rank, best first."""

    order: list[int]  # numbers of the candidates
    scores: list[float]  # of the candidates in their own order


class Reranker(Parameters):
    """A reranking perceptron (Collins & Duffy 2002), trained by the perceptron family, kept small by `min_updates`.

    Parameters follow scikit-learn's conventions; nothing is checked before `fit`.

    update : "perceptron", "margin" (a candidate gets `gamma` times its loss in training) or "pa" (passive-aggressive)
    gamma : cost of a unit of loss, for margin and pa
    base_weight : what the base model's score weighs before training; it is learned on from there. The score is that
        above the list's best, in units of its mean distance from it over the training data
    average : average the weights over all lists (Freund & Schapire 1999)
    min_updates : updates in which a feature must have taken part to count (Goldberg & Elhadad 2011)
    epochs : passes over the data, at most
    patience : stop after so many epochs without a better score on held-out lists
    seed : of the shuffling
    bits : of a weight in the model: 8, 16 or 32 (float)
    shrink : drop the weights that are smaller than this part of the largest

    The averaging clock ticks once a list.
    """

    def __init__(
        self,
        *,
        update: Literal["perceptron", "margin", "pa"] = "margin",
        gamma: float = 10.0,
        base_weight: float = 30.0,
        average: bool = True,
        min_updates: int = 1,
        epochs: int = 10,
        patience: int | None = None,
        seed: int = 1,
        bits: int = 16,
        shrink: float = 0.0,
    ) -> None:
        self.update = update
        self.gamma = gamma
        self.base_weight = base_weight
        self.average = average
        self.min_updates = min_updates
        self.epochs = epochs
        self.patience = patience
        self.seed = seed
        self.bits = bits
        self.shrink = shrink

    def fit(
        self,
        lists: Source,
        *,
        dev: Source | None = None,
        dev_fraction: float | None = None,
        on_event: "Callback | None" = None,
    ) -> Self:
        """Train on a file of lists, or on lists in memory, whose candidates have losses or whose gold is known.

        `dev`, or every k-th list (`dev_fraction`), is held out to score each epoch by the loss that is left; the best
        epoch's model is kept. Ctrl-C finishes the epoch and keeps the best model so far.

        Raises OptionError or DataError, each naming the place.
        """
        from sapwood.events import Started, ignore
        from sapwood.training import run_epochs

        self._check_options(dev, dev_fraction)
        report = on_event or ignore
        started = time.perf_counter()
        train = _read(lists)
        held_out = _read(dev) if dev is not None else []
        if dev_fraction is not None:
            parts: tuple[list[CandidateList], list[CandidateList]] = ([], [])
            for k, each in enumerate(train):
                parts[int((k + 1) * dev_fraction) > int(k * dev_fraction)].append(each)
            train, held_out = parts
        if not train:
            raise DataError("there is no list of candidates to train on")
        kinds = {each.kind for each in (*train, *held_out)}
        if len(kinds) > 1:
            raise DataError(f"the lists are of several kinds: {', '.join(sorted(kinds))}; a reranker learns one")
        distances = [max(c.score for c in each.candidates) - c.score for each in train for c in each.candidates]
        scale = sum(distances) / len(distances) or 1.0
        trainer = _core.RankerTrainer(
            update=self.update,
            gamma=self.gamma,
            min_updates=self.min_updates,
            average=self.average,
            seed=self.seed,
            shuffled=True,
        )
        losses = [losses_of(each) for each in train]
        trainer.add(rows_of(train, scale), _starts(train), [loss for each in losses for loss in each])
        trainer.prime(_core.key_of("score"), self.base_weight)
        model = ModelFile(
            task="rank",
            labels=["worse", "better"],
            template="",
            columns=["candidate"],
            label=0,
            options={
                "kind": kinds.pop(),
                "score_scale": scale,
                **{
                    name: getattr(self, name)
                    for name in self._defaults()
                    if name not in ("epochs", "patience", "bits", "seed")
                },
            },
            bits=self.bits,
            scale=1.0,
            tables=[],
        )
        dev_losses = [losses_of(each) for each in held_out]
        dev_rows = rows_of(held_out, scale)

        def dev_score(weights: _core.PackedModel) -> float:
            scores = _scores(_build(model.with_weights(weights)), held_out, dev_rows)
            left = sum(losses[_best(s)] for s, losses in zip(scores, dev_losses, strict=True))
            return 100 - 100 * left / max(sum(sum(losses) / len(losses) for losses in dev_losses), 1e-9)

        report(Started(len(train), len(train), 1, self.epochs, time.perf_counter() - started, "lists"))
        trained = run_epochs(
            trainer,
            tokens=len(train),
            epochs=self.epochs,
            patience=self.patience,
            bits=self.bits,
            shrink=self.shrink,
            score=dev_score if held_out else None,
            report=report,
        )
        model = model.with_weights(trained.weights)
        model.provenance = {
            "sapwood": __version__,
            "seed": self.seed,
            "lists": len(train),
            "candidates": len(distances),
            **trained.provenance(),
        }
        self._install(model)
        return self

    def rank(self, lists: Source) -> list[Ranked]:
        """Return the candidates of each list by rank."""
        model = self._ranker()
        read = _read(lists)
        kind = self.model_.options["kind"]
        for each in read:
            if each.kind != kind:
                raise DataError(f"{each.where}: the candidates are of the kind {each.kind}, the model's were {kind}")
        scores = _scores(model, read, rows_of(read, self.model_.options["score_scale"]))
        return [Ranked(sorted(range(len(s)), key=lambda k: (-s[k], k)), s) for s in scores]

    def predict(self, lists: Source) -> list[int]:
        """Return the number of each list's best candidate."""
        return [ranked.order[0] for ranked in self.rank(lists)]

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the model to one file, whole or not at all; return its bytes. Raises ModelError."""
        self._ranker()
        return self.model_.save(path)

    def _ranker(self) -> _core.Classifier:
        if not hasattr(self, "ranker_"):
            raise ModelError("this reranker is not fitted yet; call fit, or load a model")
        return self.ranker_

    def _install(self, model: ModelFile) -> None:
        self.model_ = model
        self.ranker_ = _build(model)

    @classmethod
    def _of_model(cls, model: ModelFile) -> Self:
        """Return the reranker that a model file holds. Raises SapwoodError if it holds none."""
        scale = model.options.get("score_scale")
        if model.options.get("kind") not in KINDS or not isinstance(scale, float) or not scale > 0:
            raise ModelError("its options lack kind or score_scale")
        ranker = cls(**{name: value for name, value in model.options.items() if name in cls._defaults()})
        ranker.set_params(bits=model.bits)
        ranker._check_options(None, None)
        ranker._install(model)
        return ranker

    def _check_options(self, dev: Source | None, dev_fraction: float | None) -> None:
        check_choices(self, {"update": ("perceptron", "margin", "pa"), "bits": (8, 16, 32), "average": (True, False)})
        counts = {"min_updates": 1, "epochs": 1, "seed": 0}
        check_whole_numbers(self, counts if self.patience is None else {**counts, "patience": 1})
        check_step_size(self.update, self.gamma)
        check_shrink(self.shrink)
        check_held_out(dev, dev_fraction, self.patience)
        if not isinstance(self.base_weight, (int, float)) or not 0 <= self.base_weight <= 1e6:
            raise OptionError(f"base_weight is a number from 0 to 1,000,000, not {self.base_weight!r}")


def losses_of(each: CandidateList) -> list[float]:
    """Return the loss of each candidate: its own, or the number of its errors beside gold.

    Errors are constituents (trees), chunks or labels, and heads, that are wrong or missing. Raises DataError if neither
    losses nor gold are known.
    """
    losses = [candidate.loss for candidate in each.candidates]
    known = [loss for loss in losses if loss is not None]
    if len(known) == len(losses):
        return known
    if each.gold is None or each.kind == "features":
        raise DataError(
            f"{each.where}: candidates without 'loss', in a list without 'gold'; training needs one of them"
        )
    structures = [candidate.structure for candidate in each.candidates]
    if each.kind == "tree":
        from sapwood.metrics.brackets import bracket_counts

        return [float(both - common) for both, common in bracket_counts(each.gold, structures)]
    return [_errors(each.kind, each.gold, structure) for structure in structures]


def _errors(kind: str, gold: Any, guess: Any) -> float:
    if kind == "heads":
        return float(sum(g != h for g, h in zip(zip(*gold, strict=True), zip(*guess, strict=True), strict=True)))
    from sapwood.metrics.chunks import extract_chunks, looks_like_chunks

    if not looks_like_chunks(gold):
        return float(sum(g != h for g, h in zip(gold, guess, strict=True)))
    return float(len(set(extract_chunks(gold)) ^ set(extract_chunks(guess))))


def rows_of(lists: Sequence[CandidateList], scale: float) -> _core.FeatureRows:
    """Return a row of features for each candidate, the base model's score among them."""
    scores = []
    for each in lists:
        best = max(candidate.score for candidate in each.candidates)
        scores += [(candidate.score - best) / scale for candidate in each.candidates]
    kind = lists[0].kind if lists else "features"
    structures = [[candidate.structure for candidate in each.candidates] for each in lists]
    flat = [structure for candidates in structures for structure in candidates]
    if kind == "tree":
        return _core.tree_rows(flat, scores, "candidates")
    if kind == "features":
        rows = [{**features, "score": score} for features, score in zip(flat, scores, strict=True)]
        return _core.FeatureRows.from_dicts(rows, "candidates", False)
    tokens = [each.tokens for each in lists]
    if kind == "heads":
        return _core.arc_rows(tokens, structures, scores, "candidates")
    return _core.label_rows(tokens, structures, scores, "candidates")


def _read(source: Source) -> list[CandidateList]:
    return read_lists(source) if isinstance(source, (str, os.PathLike)) else list(source)


def _starts(lists: Sequence[CandidateList]) -> list[int]:
    starts = [0]
    for each in lists:
        starts.append(starts[-1] + len(each.candidates))
    return starts


def _scores(model: _core.Classifier, lists: Sequence[CandidateList], rows: _core.FeatureRows) -> list[list[float]]:
    scores = model.scores_of(rows, 1)
    starts = _starts(lists)
    return [scores[begin:end] for begin, end in pairwise(starts)]


def _best(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=lambda k: (scores[k], -k))


def _build(model: ModelFile) -> _core.Classifier:
    """Return the scorer: a classifier of two classes, the second of which is "better"."""
    return _core.Classifier(model.labels, [table.packed for table in model.tables], model.bits, model.scale)
