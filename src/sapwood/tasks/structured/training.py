"""Training of models of a user's own structures: their options, and the trainer that has the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sapwood import _core
from sapwood._core import StructuredTrainer
from sapwood.errors import OptionError
from sapwood.events import Started
from sapwood.model.file.schema import ModelFile
from sapwood.options import Values, option
from sapwood.tasks.structured.data import FrozenScorer, Scores, StructuredExamples, parts_of
from sapwood.training.options import HASH_BITS, LearnerOptions
from sapwood.training.shards import Shard
from sapwood.training.task import Parts, Trainer

if TYPE_CHECKING:
    from sapwood.training.run import Run


class StructuredOptions(LearnerOptions):
    """The options of models of a user's own structures."""

    trainer: ClassVar[Any] = StructuredTrainer

    update: Literal["perceptron", "pa"] = option(default="perceptron").described(
        "what happens at a mistake: a step (perceptron, Collins 2002), or the smallest one after which gold wins "
        "by the loss (pa: passive-aggressive, PA-I of Crammer et al. 2006); with a loss, gold has to win by it in both"
    )
    gamma: float = option(default=1.0, help="what a loss of 1 costs, in units of the score")
    hash_bits: int | None = HASH_BITS
    min_updates: int = 1
    bits: Literal[8, 16, 32] = 16

    def needs_each_update(self) -> str | None:
        return "a search in Python finds one structure after the other"


def structure_trainer(
    options: StructuredOptions, parts: Parts[StructuredExamples], held_out: StructuredExamples | None, run: Run
) -> Trainer:
    """Return the trainer of structures. Raises OptionError."""
    data = parts.first
    if options.update == "pa" and data.functions.loss is None:
        raise OptionError("passive-aggressive updates need a loss: sapwood.structured(features, search, loss)")
    core, count = structured_core_trainer(data, options.for_core()), sum(len(each.gold) for each in data)
    file: Values = {"task": "structured", "labels": ["wrong", "right"], "columns": ["structure"]}
    return Trainer(
        core,
        ModelFile(**file, options=options.kept(), bits=options.bits),
        Started(len(data), count, 0, options.epochs, 0, "parts"),
        facts={"structures": len(data), "parts": count},
        score=None if held_out is None else lambda model, weights: FrozenScorer(model).scored(held_out),
        names=core.names,
        examples=len(data),
        shard=lambda chosen, seed: Shard(
            structured_core_trainer, data.select(chosen), {"options": options.for_core(seed=seed, threads=1)}
        ),
    )


def structured_core_trainer(data: StructuredExamples, options: Values) -> _core.StructuredTrainer:
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
