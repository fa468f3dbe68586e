"""The epochs of any task: step, score on held-out data, keep the best, report, stop in time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from sapwood.events import Callback, EpochDone, Finished, Step
from sapwood.model.support import Weights
from sapwood.signals import Interrupt
from sapwood.training.task import Best

if TYPE_CHECKING:
    from sapwood.training.options import LearnerOptions
    from sapwood.training.saving import Saver
    from sapwood.training.shards import Core, Shards
    from sapwood.training.task import Trainer

Score = Callable[[Weights], float]  # percent on held-out data


def run_epochs(
    core: Core | Shards,
    trainer: Trainer,
    options: LearnerOptions,
    score: Score | None,
    report: Callback,
    saver: Saver | None,
) -> Best:
    """Run the epochs, and return the weights of the best one.

    core : what is trained epoch by epoch: the trainer's own loop, or its shards

    With a `saver` the state of training goes into a checkpoint now and then, after the first Ctrl-C and at the end, and
    training may go on from one; that changes nothing of what is returned.

    With `score` the best epoch's weights are returned, and training ends after `patience` epochs without a better one;
    without, the last epoch's. The first Ctrl-C ends training with the epoch, the second raises KeyboardInterrupt.
    """
    units, epochs, step = trainer.started.tokens, trainer.started.epochs, trainer.step
    started = done = time.perf_counter()
    epoch, best = (0, None) if saver is None else saver.resumed(trainer, epochs)
    if saver is not None:
        step = saver.step(step, units)
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
                    dev_score = score(weights)
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
    guided = core.progress.repeated, core.progress.given_up
    report(Finished(epoch, best.best_epoch, reason, time.perf_counter() - started, core.freeze, *guided))
    return best._replace(epochs=epoch, reason=reason, guided=guided)


def _is_lost(patience: int | None, epoch: int, best: Best | None) -> bool:
    """Return true if patience ends: no epoch after the best one was better."""
    return patience is not None and best is not None and epoch - best.best_epoch >= patience
