"""Structures of a user's own: functions in Python give features and search, the core's learner gives all else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, Unpack

import sapwood._core as _core
from sapwood.errors import OptionError
from sapwood.events import Callback, Started
from sapwood.io.memory import called
from sapwood.metrics.labels import LabelScore
from sapwood.model.explanation import Explanation, Explanations
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, Output, feature_name
from sapwood.options import Values, option
from sapwood.tasks.structured.data import (
    NO_FUNCTIONS,
    FrozenScorer,
    Functions,
    Part,
    Parts,
    Scores,
    StructuredExamples,
    parts_of,
)
from sapwood.training.learner import Learner
from sapwood.training.options import HASH_BITS, FitKeywords, LearnerOptions
from sapwood.training.shards import Shard
from sapwood.training.task import Parts as TrainingParts
from sapwood.training.task import Trainer

if TYPE_CHECKING:
    from sapwood.training.run import Run


class StructuredOptions(LearnerOptions):
    """The options of models of a user's own structures."""

    trainer: ClassVar[Any] = _core.StructuredTrainer

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


class StructuredModel(Learner[StructuredOptions]):
    """A model of structures of the user's own, trained by the perceptron family; `sapwood.structured` makes one."""

    _params_type = StructuredOptions
    task = "structured"
    _noun = "structured model"

    functions = NO_FUNCTIONS  # a loaded model has none

    def __init__(self, functions: Functions = NO_FUNCTIONS, **values: Any) -> None:
        super().__init__(**values)
        self.functions = functions

    def fit(self, X: Any, Y: Any = None, /, **how: Unpack[FitKeywords]) -> Self:
        """Train on inputs and their gold structures, or on a list of pairs; `Learner.fit` describes the keywords.

        `dev` is (X, Y) or a list of pairs, as the data are; epochs are scored by the F1 of parts. Raises OptionError or
        DataError, and what the functions raise.
        """
        return self._fit_to(None, X, Y, **how)

    def partial_fit(self, X: Any, Y: Any = None, *, on_event: Callback | None = None) -> Self:
        """Make one pass over examples, as `fit` takes them, and go on from the calls before."""
        return self._pass(X, Y, on_event=on_event)

    def _learn(self, run: Run, X: Any, Y: Any = None, *, dev: Any = None) -> Self:
        dev_x, dev_y = dev if dev is not None and Y is not None else (dev, None)
        held_out = None if dev is None else StructuredExamples.of(dev_x, dev_y, self.functions)
        data = StructuredExamples.of(X, Y, self.functions)
        self._train(run, structure_trainer, data, held_out, unit="structures", look=None)
        return self

    def predict(self, X: Iterable[Any]) -> list[Any]:
        """Return the structure that the search finds for each input."""
        self.check_fitted()
        return [self._scorer.guess(self.functions, x) for x in X]

    def evaluate(self, X: Any, Y: Any = None) -> LabelScore:  # type: ignore[override]
        """Return precision, recall and F1 of the parts that the search finds, given the gold structures."""
        self.check_fitted()
        return self._scorer.evaluate(StructuredExamples.of(X, Y, self.functions))

    def explain(self, x: Any, /, *, against: Sequence[Part] | None = None) -> Explanations:  # type: ignore[override]
        """Explain the structure of an input: for each part the features whose contributions add up to its score.

        against : a structure; then there is one explanation, of the features by which the two differ
        """
        self.check_fitted()
        chosen = parts_of(self._scorer.guess(self.functions, x))
        if against is not None:
            return Explanations([self._explained("structure", x, chosen, parts_of(against, "against is"), 0)])
        return Explanations(self._explained("part", x, (part,), (), place) for place, part in enumerate(chosen))

    def _explained(self, decision: str, x: Any, chosen: Parts, other: Parts, place: int) -> Explanation:
        found = self._scorer.difference(*([self.functions.features(x, p) for p in parts] for parts in (chosen, other)))
        margin = fsum(value * weight for _, _, value, weight in found)
        name, against = (
            " ".join(map(str, parts)) for parts in (chosen, other if decision == "structure" else ["left out"])
        )
        line = _core.explanation_line(0, decision, name, against, margin, self.model_.scale, found)
        return Explanation(json.loads(line) | {"token": place + 1})

    def weights(self) -> dict[str, float]:
        """Return the weight of each feature, by its text if the model was trained with names=True, else by a number."""
        return {name: weight for _, weight, name in self.contents.weights()}

    @property
    def contents(self) -> Contents:
        """The weights of the only output, ``right``."""
        self.check_fitted()
        right = Output("right", "right")
        rows = self._scorer.classifier.weights()
        named = [(right, weight, feature_name(self.model_, 0, row)) for row, _, weight in rows]
        return Contents(self.model_, tables=["part"], outputs=[[right]], weights=lambda: iter(named))

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self._scorer = FrozenScorer(model)

    def load(self, path: str | os.PathLike[str]) -> Self:  # type: ignore[override]
        """Return the model of a file with this one's functions. Raises ModelError."""
        loaded = super().load(path)
        loaded.functions = self.functions
        return loaded

    def _data_options(self) -> Values:
        return {"functions": self.functions}

    def __getstate__(self) -> Values:
        """Return the state of copies and pickles, with the functions, which pickle finds by their names."""
        return super().__getstate__() | {"functions": self.functions}


def structure_trainer(
    options: StructuredOptions, parts: TrainingParts[StructuredExamples], held_out: StructuredExamples | None, run: Run
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


def structured(
    features: Callable[[Any, Any], Any],
    search: Callable[[Any, Scores], Sequence[Part]],
    loss: Callable[[Any, Any], float] | None = None,
    **options: Any,
) -> StructuredModel:
    """Return a model of structures, to be trained by `fit` or loaded by `load`.

    A structure is a list of parts, each a text, a number, a tuple or the like; its features are those of its parts.

    features : features(x, part) returns those of a part: a list of texts, or an array or list of integers from 0
    search : search(x, score) returns the best structure of an input; score(part) is the score of a part, and
        score.all(parts) an array of those of many
    loss : loss(part, gold) is what a part that is not in the gold structure costs in training, a number from 0; None
        for the perceptron without a margin
    options : those of `StructuredModel`, such as epochs, min_updates, update, average, seed and names
    """
    functions = Functions(features, search, loss)
    if wrong := [name for name, each in functions._asdict().items() if each is not None and not callable(each)]:
        raise OptionError(f"{wrong[0]} is a function, not {called(getattr(functions, wrong[0]))}")
    return StructuredModel(functions, **options)
