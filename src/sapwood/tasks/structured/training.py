"""Training of a user's own structures: the core's trainer asks the search for each example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import OptionError
from sapwood.events import Started
from sapwood.metrics.structures import structure_scores
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.structured.data import Examples, Scores
from sapwood.tasks.structured.options import StructuredOptions
from sapwood.tasks.structured.scorer import FrozenScorer
from sapwood.training.shards import Shard
from sapwood.training.task import Trainer

if TYPE_CHECKING:
    from sapwood.options import Values
    from sapwood.training.run import Run

LABELS = ["wrong", "right"]  # a structure has a score as the second of two classes


def begin(options: StructuredOptions, data: Examples, held_out: Examples | None, run: Run) -> Trainer:
    """Return the trainer of structures. Raises OptionError."""
    if options.update == "pa" and data.functions.loss is None:
        raise OptionError("passive-aggressive updates need a loss: sapwood.structured(features, search, loss)")

    def score(model: ModelFile, weights: object) -> float:
        assert held_out is not None
        scorer = FrozenScorer(model)
        guesses = [scorer.guess(data.functions, example.x)[1] for example in held_out]
        return structure_scores([example.gold for example in held_out], guesses).f1

    def shard(chosen: Sequence[int], seed: int) -> Shard:
        return Shard(core_trainer, data.select(chosen), {"options": options.for_core(seed=seed, threads=1)})

    core = core_trainer(data, options.for_core())
    model = ModelFile(
        task="structured",
        labels=LABELS,
        template="",
        columns=["structure"],
        label=0,
        options=options.kept(),
        bits=options.bits,
    )
    parts = sum(len(each.gold) for each in data)
    return Trainer(
        core,
        model,
        Started(len(data), parts, 0, options.epochs, 0, "parts"),
        facts={"structures": len(data), "parts": parts},
        score=None if held_out is None else score,
        names=core.names,
        examples=len(data),
        shard=shard,
    )


def core_trainer(data: Examples, options: Values) -> _core.StructuredTrainer:
    """Return the core's trainer, whose search is the user's."""
    functions, gamma, is_passive = data.functions, options["gamma"], options["update"] == "pa"

    def search(trainer: _core.StructuredTrainer, number: int) -> tuple[list[int], list[int], float] | None:
        example = data[number]
        scores = Scores(functions, example.x, trainer.score, example, gamma)
        _, guess = functions.guess(example.x, scores)
        if guess == example.gold:
            return None
        scores.add([part for part in dict.fromkeys((*example.gold, *guess)) if part not in scores])
        numbers = scores.numbers
        loss = sum(map(scores, guess)) - sum(map(scores, example.gold)) if is_passive else 0.0
        return [numbers[part] for part in example.gold], [numbers[part] for part in guess], loss

    return _core.StructuredTrainer(options, [len(each.gold) for each in data], search)
