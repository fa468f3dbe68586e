"""A training from top to bottom: `train` calls one function for each step, in their order.

A task says what is learned and how it begins (sapwood.training.task), its options say how, and the run where it is
reported and saved.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, NamedTuple, Self

from sapwood.base.signals import Interrupt
from sapwood.errors import OptionError
from sapwood.events import Callback, EpochDone, Finished, Step, ignore
from sapwood.model.base import Model
from sapwood.model.file.records import Familiar
from sapwood.model.file.schema import ModelFile
from sapwood.model.small import Goal, Small
from sapwood.model.support import Weights
from sapwood.training.checkpoints import Checkpoint, CheckpointFile, fingerprint
from sapwood.training.cross_validation import Data, hold_out
from sapwood.training.odd_data import is_same, warn_of_odd_held_out, warn_of_odd_labels, warn_of_odd_rounding
from sapwood.training.options import FitKeywords, LearnerOptions
from sapwood.training.saving import LOOKS, Saver, go_on
from sapwood.training.shards import AveragedOrders, Core, Shards, Workers, deal, in_threads
from sapwood.training.shrinking import INTERRUPTED, shrink
from sapwood.training.streams import scratch_folder
from sapwood.training.task import Best, Parts, Score, Task, Trainer, in_parts
from sapwood.version import __version__

_PROVENANCE = 1024  # bytes, at most, of what a model file says of its training, which is known last


@dataclass
class Run:
    """A training as such: what it reports to, saves its state in and begins with, and how far it goes."""

    report: Callback = ignore
    saver: Saver | None = None
    source: Checkpoint | None = None  # with whose weights training begins
    dev_fraction: float | None = None  # part of the data that is held out
    workers: Workers | None = None  # they train shards; by default this process does
    scratch: str | None = None  # folder of scratch files, if the data are to be read as a stream
    goal: Goal | None = None  # how small the model shall be
    one_pass: bool = False  # over the data, after which another may go on
    monitors_data: bool = True  # if not, larger work looks at the data, and at what is familiar
    notes: dict[str, object] = field(default_factory=dict)  # results of work before the training
    started: float = field(default_factory=time.perf_counter)

    @classmethod
    def of(cls, model: Model[Any], how: FitKeywords, **more: Any) -> Self:
        """Return the run that keyword arguments of `fit` ask for; more : fields of the run.

        Raises OptionError if they contradict options, or if those contradict each other, ModelError for a file that is
        no checkpoint.
        """
        check_keywords(model, how)
        model.params.check_training(how)
        resume, source, scratch = how.get("resume"), how.get("from_checkpoint"), how.get("scratch")
        if resume is not None and source is not None:
            raise OptionError("resume goes on with the same training, from_checkpoint begins another: give one of them")
        fields = {"dev_fraction": how.get("dev_fraction"), "workers": how.get("workers"), **more}
        path = resume if how.get("checkpoint") is None else how["checkpoint"]
        if path is not None:
            fields.setdefault("saver", Saver.to(path, resume, how.get("every")))
        fields.setdefault("source", None if source is None else CheckpointFile(source).checkpoint())
        if how.get("stream"):
            fields["scratch"] = scratch_folder(scratch)
        run = cls(how.get("on_event") or ignore, **fields)
        if run.known is not None and run.known.task != model.task:
            raise OptionError(f"the checkpoint is of a model for the task '{run.known.task}', not '{model.task}'")
        return run

    @cached_property
    def known(self) -> ModelFile | None:
        """The model, without weights, of the training from which this one goes on; if it was resumed, its own."""
        if self.source is not None:
            return self.source.model
        return None if self.saver is None else self.saver.known()

    def note(self, name: str, make: Callable[[], object]) -> object:
        """Return a result of work before the training, JSON; it is made once, also if the training is resumed."""
        if name not in self.notes:
            self.notes[name] = make() if self.saver is None else self.saver.note(name, make)
        return self.notes[name]


def check_keywords(model: Model[Any], how: FitKeywords) -> None:
    """Raise OptionError if the model's `fit` has no such argument, or checkpoints are asked for in no such way."""
    there = FitKeywords.__annotations__.keys() - (() if model._reads_streams else ("stream", "scratch"))
    if foreign := how.keys() - there:
        about = "options are given to the class, as in Classifier(epochs=5)"
        raise OptionError(f"fit has no argument {min(foreign)!r}; {about}")
    if (every := how.get("every")) is None:
        return
    if how.get("checkpoint") is None and how.get("resume") is None:
        raise OptionError("every is how often a checkpoint is saved; checkpoint names the file")
    if not 0 <= every <= 1e9:
        raise OptionError(f"every is a number of seconds from 0 up, not {every!r}")


class Fitted(NamedTuple, Generic[Data]):
    """A trained model, and the data that it was trained on."""

    model: ModelFile
    best: Best
    small: Small | None  # how it was made small, if it was
    learned: Checkpoint | None  # with which another pass begins
    data: Data
    held_out: Data | None


def train(task: Task[Data], run: Run) -> Fitted[Data]:
    """Train a model. Raises what `fit` raises."""
    data, held_out = hold_out_data(task, run)
    if run.monitors_data and task.look is not None:
        task.look(data.first)
    trainer = trainer_of(task, data, held_out, run)
    with loop_of(task, trainer, run) as loop:
        resume(task, trainer, run)
        if run.monitors_data:
            warn_of_odd_data(task, trainer, data.first, held_out, run)
        run.report(trainer.started)
        score = score_of(trainer)
        best = run_epochs(loop, trainer, task.options, score, run)
    if run.monitors_data and task.options.drop_below == 0:
        warn_of_odd_rounding(best.weights, trainer.values)
    if run.monitors_data and not run.one_pass:
        trainer.model.familiar = _familiar_words(trainer, run.goal)
    small = None if run.goal is None else make_small(task, trainer, best, score, run)
    if small is not None and small.reason == INTERRUPTED:
        best = best._replace(reason="interrupted")
    weights = best.weights if small is None else small.weights
    model = trainer.model.with_weights(weights)
    name_features(task.options, trainer, model, weights)
    model.options = model.options | task.options.of_training()
    model.provenance = provenance(task.options, trainer, best, small)
    learned = None
    if run.one_pass:
        all_labels = run.source is not None and run.source.all_labels
        learned = Checkpoint(trainer.core.state(), trainer.model, all_labels=all_labels)
    return Fitted(model, best, small, learned, data.first, held_out)


def hold_out_data(task: Task[Data], run: Run) -> tuple[Parts[Data], Data | None]:
    """Return the training data, and the held-out data, which may be a part of them."""
    if not task.data.scratch:
        describe(task, run)
    if run.dev_fraction is None:
        return task.data, task.held_out
    data, held_out = hold_out(task.data.first, run.dev_fraction, task.unit, task.label)
    return in_parts(data), held_out


def describe(task: Task[Data], run: Run) -> None:
    """Keep the fingerprint of the training in its checkpoint. Raises OptionError if that has another one."""
    if run.saver is not None:
        values = task.options.get_params()
        run.saver.begin(fingerprint(task.name, values, task.data, task.held_out, run.dev_fraction))


def trainer_of(task: Task[Data], data: Parts[Data], held_out: Data | None, run: Run) -> Trainer:
    """Return the trainer that has the data."""
    trainer = task.trainer(task.options, data, held_out, run)
    epochs = 1 if run.one_pass else trainer.started.epochs
    trainer.started = replace(trainer.started, epochs=epochs, seconds=time.perf_counter() - run.started)
    return trainer


@contextmanager
def loop_of(task: Task[Data], trainer: Trainer, run: Run) -> Iterator[Core | Shards]:
    """Yield the loop of epochs: the trainer's own, that of several runs of it, or of shards. Raises OptionError.

    What is saved and made small is `trainer.core`, which takes the weights of runs and shards.
    """
    options, mixing = task.options, task.options.chosen_mixing()
    if options.runs > 1:
        runs = trainer.shards([range(trainer.examples)] * options.runs, options.seed)
        trainer.core = AveragedOrders(trainer.weights, runs, options.threads)
    if options.shards == 1:
        yield trainer.core
        return
    shards = trainer.shards(deal(trainer.examples, options.shards, mixing.times, task.unit), options.seed)
    workers = run.workers or in_threads(options.threads)
    with workers(shards) as train_shards:
        yield Shards(trainer.weights, train_shards, len(shards), mixing.weights, mixing.times)


def resume(task: Task[Data], trainer: Trainer, run: Run) -> None:
    """Let the trainer go on from what another training had learned, if that is wanted."""
    if task.data.scratch:  # a stream is read by now, and its checksum known
        describe(task, run)
    if run.source is not None:
        go_on(trainer, run.source)
    if run.saver is not None:
        run.saver.goes_on = run.known is not None


def warn_of_odd_data(task: Task[Data], trainer: Trainer, data: Data, held_out: Data | None, run: Run) -> None:
    """Warn of odd labels, and of held-out data that were trained on."""
    if not run.one_pass and run.known is None:
        warn_of_odd_labels(trainer.model.labels, task.label_hint, trainer.started, trainer.where)
    if held_out is not None:
        same = run.dev_fraction is None and is_same(task.data, held_out)
        warn_of_odd_held_out(data, held_out, task.unit, trainer.model.label, same=same)


def score_of(trainer: Trainer) -> Score | None:
    """Return the function that scores weights on held-out data, if there are any."""
    score, model = trainer.score, trainer.model
    return None if score is None else lambda weights: score(model.with_weights(weights), weights)


def run_epochs(core: Core | Shards, trainer: Trainer, options: LearnerOptions, score: Score | None, run: Run) -> Best:
    """Run the epochs, and return the weights of the last one, or of a better one.

    core : what is trained epoch by epoch: the trainer's own loop, or its shards

    With a saver in `run` the state of training goes into a checkpoint now and then, after the first Ctrl-C and at the
    end, and training may go on from one; that changes nothing of what is returned.

    With `score` training ends after `patience` epochs without a better one, and an earlier epoch's weights are returned
    if they are better than the last ones beyond chance (sapwood.training.task). The first Ctrl-C ends training with the
    epoch, the second raises KeyboardInterrupt.
    """
    saver, report = run.saver, run.report
    units, epochs, step = trainer.started.tokens, trainer.started.epochs, trainer.step
    started = done = time.perf_counter()
    epoch, best = (0, None) if saver is None else saver.resumed(trainer, epochs)
    if saver is not None:
        step = max(1, min(step, units // LOOKS))
    reason = "epochs"
    with Interrupt() as interrupt:
        while epoch < epochs and not _is_lost(options.patience, epoch, best):
            epoch += 1
            epoch_started = time.perf_counter()
            epoch_done = False
            while not epoch_done:
                epoch_done = core.step(step)
                done, progress = time.perf_counter(), core.progress
                report(Step(epoch, epochs, progress.examples, units, progress.mistakes, done - started))
                if saver is not None and not epoch_done:
                    saver.save_if_due(epoch - 1, best, interrupt.requested)
            reason = "interrupted" if interrupt.requested and epoch < epochs else "epochs"
            dev_score = None
            is_best = True
            if score is not None or epoch == epochs or interrupt.requested:
                weights = core.freeze(options.bits, options.drop_below)
                if score is not None:
                    dev_score = score(weights).percent
                    is_best = best is None or best.dev_score is None or dev_score > best.dev_score
                so_far = () if best is None else best.dev_scores
                if is_best or best is None:
                    best = Best(weights, epoch, dev_score, epoch, reason)
                if dev_score is not None:
                    best = best._replace(dev_scores=(*so_far, dev_score))
            speed = units / max(done - epoch_started, 1e-9)
            counts = units, progress.mistakes, progress.features
            report(EpochDone(epoch, epochs, *counts, done - started, speed, dev_score, is_best))
            if saver is not None and epoch < epochs:
                saver.save_if_due(epoch, best, interrupt.requested)
            if reason != "epochs":
                break
    if epoch < epochs and _is_lost(options.patience, epoch, best):
        reason = "patience"
    if best is None:  # all epochs were over in the checkpoint
        best = Best(core.freeze(options.bits, options.drop_below), epoch, None, epoch, reason)
    if saver is not None:
        saver.save(epoch, best)
    if score is not None and best.best_epoch < epoch:
        best = best.or_last(core.freeze(options.bits, options.drop_below), epoch, score)
    guided = core.progress.repeated, core.progress.given_up
    report(Finished(epoch, best.best_epoch, reason, time.perf_counter() - started, core.freeze, *guided))
    return best._replace(epochs=epoch, reason=reason, guided=guided)


def _is_lost(patience: int | None, epoch: int, best: Best | None) -> bool:
    """Return true if patience ends: no epoch after the best one was better."""
    return patience is not None and best is not None and epoch - best.best_epoch >= patience


def _familiar_words(trainer: Trainer, goal: Goal | None) -> Familiar | None:
    """Return the frequent words of the data, unless they would take more than a tenth of a small model."""
    found = trainer.familiar()
    too_large = (
        found is not None and goal is not None and goal.bytes is not None and goal.bytes < 10 * len(found.frequent)
    )
    return None if too_large else found


def make_small(task: Task[Data], trainer: Trainer, best: Best, score: Score | None, run: Run) -> Small:
    """Return the weights of a model that is as small as the goal of the run says.

    What these data cannot teach again, or the user does not wait for, is not learned anew.
    """
    assert run.goal is not None
    can_learn = run.source is None and best.reason != "interrupted"
    return shrink(
        trainer.core,
        goal=run.goal._replace(retrain=run.goal.retrain and can_learn),
        epochs=best.epochs,
        tokens=trainer.started.tokens,
        step=trainer.step,
        bits=task.options.bits,
        size=lambda weights: trainer.model.with_weights(weights).size() + _PROVENANCE,
        score=None if score is None else lambda weights: score(weights).percent,
        report=run.report,
    )


def name_features(options: LearnerOptions, trainer: Trainer, model: ModelFile, weights: Weights) -> None:
    """Keep the texts of the features in the model, if that is wanted."""
    if options.names and trainer.names is not None:
        for table, texts in zip(model.tables, trainer.names(weights), strict=True):  # type: ignore[arg-type]
            table.names = texts


def provenance(options: LearnerOptions, trainer: Trainer, best: Best, small: Small | None) -> dict[str, object]:
    """Return the provenance in the model file."""
    facts = trainer.facts | best.provenance()
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
