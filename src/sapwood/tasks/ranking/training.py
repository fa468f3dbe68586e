"""Training of a reranker: the trainer of feature weights or, in dual form, of alphas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import DataError
from sapwood.events import Started
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import SupportTrainer, Weights
from sapwood.options import Values
from sapwood.tasks.ranking.data import Examples, Lists, ListStream, examples_of, losses_of
from sapwood.tasks.ranking.options import RerankerOptions
from sapwood.tasks.ranking.scorers import dual_trainer, prepared, scorer_of
from sapwood.training.shards import Shard
from sapwood.training.task import HeldOutScore, Trainer

if TYPE_CHECKING:
    from sapwood.training.run import Run

LABELS = ["worse", "better"]
_STEP = 8  # lists between two events, in dual form


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
