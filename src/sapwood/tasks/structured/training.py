"""Training of a user's own structures: the core's trainer asks the search for each example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import OptionError
from sapwood.events import Started
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.structured.data import Examples, FrozenScorer, Scores, parts_of
from sapwood.tasks.structured.options import StructuredOptions
from sapwood.training.shards import Shard
from sapwood.training.task import Trainer

if TYPE_CHECKING:
    from sapwood.options import Values
    from sapwood.training.parts import Parts
    from sapwood.training.run import Run


def structure_trainer(
    options: StructuredOptions, parts: Parts[Examples], held_out: Examples | None, run: Run
) -> Trainer:
    """Return the trainer of structures. Raises OptionError."""
    data = parts.first
    if options.update == "pa" and data.functions.loss is None:
        raise OptionError("passive-aggressive updates need a loss: sapwood.structured(features, search, loss)")
    core, count = core_trainer(data, options.for_core()), sum(len(each.gold) for each in data)
    file: Values = {"task": "structured", "labels": ["wrong", "right"], "columns": ["structure"], "label": 0}
    return Trainer(
        core,
        ModelFile(**file, template="", options=options.kept(), bits=options.bits),
        Started(len(data), count, 0, options.epochs, 0, "parts"),
        facts={"structures": len(data), "parts": count},
        score=None if held_out is None else lambda model, weights: FrozenScorer(model).scored(held_out),
        names=core.names,
        examples=len(data),
        shard=lambda chosen, seed: Shard(
            core_trainer, data.select(chosen), {"options": options.for_core(seed=seed, threads=1)}
        ),
    )


def core_trainer(data: Examples, options: Values) -> _core.StructuredTrainer:
    """Return the core's trainer, whose search is the user's."""
    functions, gamma, is_passive = data.functions, options["gamma"], options["update"] == "pa"

    def search(trainer: _core.StructuredTrainer, number: int) -> tuple[list[int], list[int], float] | None:
        example = data[number]
        scores = Scores(functions, example.x, trainer.score, example, gamma)
        gold, guess = example.gold, parts_of(functions.search(example.x, scores))
        if guess == gold:
            return None
        scores.add((*gold, *guess))
        loss = sum(map(scores, guess)) - sum(map(scores, gold)) if is_passive else 0.0
        return [scores.numbers[part] for part in gold], [scores.numbers[part] for part in guess], loss

    return _core.StructuredTrainer(options, [len(each.gold) for each in data], search)
