"""A training from top to bottom: `train` calls one function for each step, in their order.

A task says how its data are read, and what is trained on them (`Work`); the options say how.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol

from sapwood import __version__
from sapwood.errors import OptionError
from sapwood.events import Callback, ignore
from sapwood.model.file.records import Familiar
from sapwood.model.file.schema import ModelFile
from sapwood.model.small import Goal, Small
from sapwood.model.support import Weights
from sapwood.training.checkpoints import Learned, Run, Saving
from sapwood.training.cross_validation import Data, hold_out
from sapwood.training.epochs import Trained, Trainer, run_epochs
from sapwood.training.looking import is_same, look_at_held_out, look_at_labels, look_at_rounding, look_at_sentences
from sapwood.training.runs import averaged
from sapwood.training.saved_training import Described, SavedTraining, described, go_on
from sapwood.training.shards.mixing import Shard, ShardTrainer, Threads, mixing_trainer, seed_of, shards_of
from sapwood.training.small.shrinking import shrink

if TYPE_CHECKING:
    from sapwood.training.options import LearnerOptions
    from sapwood.training.shards.streams import Stream
    from sapwood.training.task import Training

_PROVENANCE = 1024  # bytes, at most, of what a model file says of its training, which is known last
Score = Callable[[Weights], float]  # percent on held-out data


class Trainable(Described, Protocol):
    """A model that can be trained."""

    @property
    def params(self) -> LearnerOptions:
        """Its options."""

    @property
    def label_hint(self) -> str | None:
        """What to look at if there are oddly many labels; empty: there may be any number; None: they have no names."""

    def is_slow(self, data: Any, /) -> bool:
        """Whether it warns of a long sentence by itself."""

    def check_known(self, known: ModelFile) -> None:
        """Raise OptionError if training cannot go on from one of this model."""


@dataclass
class Work(Generic[Data]):
    """What a task says of a training."""

    model: Trainable
    read: Callable[[Data | None], Data]  # gives the training data and, given these, the held-out data of `dev`
    begin: Callable[[Data, Data | None, Run], Training]  # gives what is trained on both
    dev: object  # held-out data, or None
    dev_fraction: float | None  # part of the training data that is held out
    unit: str  # what the data consist of
    stream: Stream | None  # the whole of the training data, which `begin` reads; `read` gives their first part

    @property
    def options(self) -> LearnerOptions:
        """How it is trained."""
        return self.model.params


class Fitted(NamedTuple):
    """What training gives."""

    model: ModelFile
    small: Small | None  # how it was made small, if it was
    learned: Learned | None  # what partial_fit goes on from


def train(work: Work[Data], on_event: Callback | None, saving: Saving) -> Fitted:
    """Train a model. Raises what `fit` raises."""
    check(work, saving)
    run = Run.of(on_event or ignore, saving)
    started = time.perf_counter()
    data, held_out = read(work, run)
    is_part = saving.get("is_part", False)  # the whole looks at its data
    if not is_part and work.unit == "sentences" and not work.model.is_slow(data):
        look_at_sentences(data)
    training = begin(work, data, held_out, run)
    resume(work, training, data, held_out, run)
    beginning = training.started(time.perf_counter() - started)
    if not is_part and not run.one_pass and run.known is None:
        look_at_labels(training.model.labels, work.model.label_hint, beginning, training.where)
    if not is_part and held_out is not None:
        same = work.dev is not None and is_same(work.stream or data, held_out)
        look_at_held_out(data, held_out, work.unit, training.model.label, same=same)
    run.report(beginning)
    score = score_of(training) if held_out is not None else None
    with in_shards(work, training, examples_of(training, data), saving) as trainer:
        best = epochs(work, training, trainer, score, run)
    if work.options.drop_below == 0:
        look_at_rounding(best.weights, training.values)
    small, goal = None, saving.get("small") or goal_of(work.options)
    if not saving.get("is_part") and not run.one_pass:
        training.model.familiar = familiar(training, goal)
    if goal is not None:
        small = make_small(goal, work.options, training, score, run.report)
    weights = best.weights if small is None else small.weights
    model = training.model.with_weights(weights)
    name_features(work.options, training, model, weights)
    model.provenance = provenance(work.options, training, best, small)
    return Fitted(model, small, Learned(training.trainer.state(), training.model) if run.one_pass else None)


def check(work: Work[Any], saving: Saving) -> None:
    """Raise OptionError if options contradict each other, or do not go with these data."""
    work.options.check_training(work.dev, work.dev_fraction)
    if saving.get("workers") is not None:
        work.options.check_shards()
    if (goal := saving.get("small") or goal_of(work.options)) is not None:
        goal.check(held_out=work.dev is not None or work.dev_fraction is not None)
        if work.options.names:
            raise OptionError("a model that is made small does not keep the names of its features; leave out names")
    if work.options.shards > 1 and work.stream is not None:
        raise OptionError("shards are parts of data in memory, and a stream is not; leave out one of both")
    if work.options.runs > 1 and work.stream is not None:
        raise OptionError("runs need all examples in memory, and a stream keeps them on disk; leave out one of both")


def read(work: Work[Data], run: Run) -> tuple[Data, Data | None]:
    """Return the training data and the held-out data, which are a part of them or a file of their own."""
    if run.known is not None:
        work.model.check_known(run.known)
    data = work.read(None)
    held_out = None if work.dev is None else work.read(data)
    if work.stream is None:
        describe(work, data, held_out, run)
    if work.dev_fraction is not None:
        data, held_out = hold_out(data, work.dev_fraction, work.unit)
    return data, held_out


def describe(work: Work[Data], data: Data, held_out: Data | None, run: Run) -> None:
    """Tell the checkpoint what is trained. Raises OptionError if it has another training."""
    if run.checkpoint is not None:
        run.checkpoint.begin(described(work.model, work.stream or data, held_out, work.dev_fraction))


def begin(work: Work[Data], data: Data, held_out: Data | None, run: Run) -> Training:
    """Return what is trained; where several runs are wanted, their average."""
    training = work.begin(data, held_out, run)
    options = work.options
    if options.runs > 1:
        trainer, shard = shardable(training)
        every = range(examples_of(training, data))
        several = {"runs": options.runs, "seed": options.seed, "threads": options.threads}
        training.trainer = averaged(trainer, lambda seed: shard(every, seed), **several)
    return training


def shardable(training: Training) -> tuple[ShardTrainer, Callable[[Sequence[int], int], Shard]]:
    """Return the trainer of a training in shards or runs, and what gives these."""
    trainer, shard = training.trainer, training.shard
    assert shard is not None
    assert isinstance(trainer, ShardTrainer)
    return trainer, shard


def examples_of(training: Training, data: Data) -> int:
    """Return the number of examples that the task trains on; it may have left out some."""
    return len(data) if training.examples is None else training.examples


def resume(work: Work[Data], training: Training, data: Data, held_out: Data | None, run: Run) -> None:
    """Let the trainer go on from what another training had learned, if that is wanted."""
    if work.stream is not None:  # it is read by now, and its checksum known
        describe(work, data, held_out, run)
    if run.source is not None and run.known is not None:
        go_on(training, run.source, run.known)
    if run.checkpoint is not None:
        run.checkpoint.goes_on = run.known is not None


def score_of(training: Training) -> Score | None:
    """Return what scores weights on held-out data, if the task can."""
    score, model = training.score, training.model
    return None if score is None else lambda weights: score(model.with_weights(weights), weights)


def in_shards(
    work: Work[Any], training: Training, examples: int, saving: Saving
) -> AbstractContextManager[Trainer[Any]]:
    """Return what is trained epoch by epoch, in shards if there are some. Raises OptionError."""
    options = work.options
    if options.shards == 1:
        return nullcontext(training.trainer)
    trainer, shard = shardable(training)
    mixing = options.chosen_mixing()
    chosen = shards_of(examples, options.shards, mixing.times, work.unit)
    shards = [shard(some, seed_of(options.seed, k)) for k, some in enumerate(chosen)]
    team = saving.get("workers") or Threads(options.threads)
    return mixing_trainer(trainer, shards, team, mixing.weights, mixing.times)


def epochs(
    work: Work[Any], training: Training, trainer: Trainer[Weights], score: Score | None, run: Run
) -> Trained[Weights]:
    """Run the epochs, and return the weights of the best one."""
    options = work.options
    return run_epochs(
        trainer,
        tokens=training.units,
        epochs=1 if run.one_pass else training.epochs or options.epochs,
        patience=options.patience,
        bits=options.bits,
        shrink=options.drop_below,
        score=score,
        report=run.report,
        saved=None if run.checkpoint is None else SavedTraining(run.checkpoint, training),
        step=training.step,
    )


def familiar(training: Training, goal: Goal | None) -> Familiar | None:
    """Return what the model is made for, but not where it would take more than a tenth of a small model's bytes."""
    found = training.familiar()
    too_large = (
        found is not None and goal is not None and goal.bytes is not None and goal.bytes < 10 * len(found.frequent)
    )
    return None if too_large else found


def goal_of(options: LearnerOptions) -> Goal | None:
    """Return how small the options say that the model shall be."""
    return None if options.max_bytes is None else Goal(options.max_bytes)


def make_small(goal: Goal, options: LearnerOptions, training: Training, score: Score | None, report: Callback) -> Small:
    """Return the weights of a model that is as small as the goal says."""
    return shrink(
        training.trainer,
        goal=goal,
        tokens=training.units,
        bits=options.bits,
        size=lambda weights: training.model.with_weights(weights).size() + _PROVENANCE,
        score=score,
        report=report,
    )


def name_features(options: LearnerOptions, training: Training, model: ModelFile, weights: Weights) -> None:
    """Keep the texts of the features in the model, if that is wanted."""
    if options.names and model.tables:
        for table, texts in zip(model.tables, training.names(weights), strict=True):  # type: ignore[arg-type]
            table.names = texts


def provenance(
    options: LearnerOptions, training: Training, best: Trained[Weights], small: Small | None
) -> dict[str, object]:
    """Return what the model file says of its training."""
    facts = training.facts | best.provenance()
    if small is not None:
        facts |= small.provenance()
    if options.batch > 1:
        facts["batch"] = options.batch
    if options.runs > 1:
        facts["runs"] = options.runs
    if options.shards > 1:
        mixing = options.chosen_mixing()
        facts |= {"shards": options.shards, "mixing": mixing.weights, "mixings": mixing.times}
    return {"sapwood": __version__, "seed": options.seed, **facts}
