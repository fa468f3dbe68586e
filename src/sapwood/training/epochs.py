"""The epochs of any task: step, score on held-out data, keep the best, report, stop in time."""

import time
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, Protocol, TypeVar

from sapwood._core import PackedModel
from sapwood.events import Callback, EpochDone, Finished, Step
from sapwood.signals import Interrupt

STEP = 1 << 16  # tokens between two events

Weights = TypeVar("Weights")
Frozen = TypeVar("Frozen", covariant=True)


class Counts(Protocol):
    """Counts of an epoch, as the core has them."""

    @property
    def epoch(self) -> int:
        """Epochs that are over."""

    @property
    def examples(self) -> int:
        """Units seen in this epoch."""

    @property
    def mistakes(self) -> int:
        """Wrong parts of what the search returned in this epoch."""

    @property
    def features(self) -> int:
        """Features that score by now, or support examples."""

    @property
    def updates(self) -> int:
        """Updates since the start."""

    @property
    def repeated(self) -> int:
        """Presentations of decisions that guided learning had presented before, since the start."""

    @property
    def given_up(self) -> int:
        """Decisions that were presented again, and stayed wrong, since the start."""


class Trainer(Protocol[Frozen]):
    """A training loop of the core."""

    def step(self, tokens: int) -> bool:
        """Train on about so many tokens; true at the end of an epoch."""

    @property
    def progress(self) -> Counts:
        """Counts of the current epoch."""

    def freeze(self, bits: int, shrink: float) -> Frozen:
        """Return the averaged weights so far, without those smaller than `shrink` times the largest."""

    def state(self) -> dict[str, tuple[str, bytes]]:
        """Return all that training has changed, by name: the type of the numbers, and their bytes."""

    def resume(self, state: Mapping[str, tuple[str, bytes | memoryview]]) -> None:
        """Go on as the trainer whose state this is. Raises ModelError."""

    def go_on_from(self, state: Mapping[str, tuple[str, bytes | memoryview]]) -> None:
        """Begin with what a trainer of other data had learned. Raises ModelError, OptionError."""


class Trained(NamedTuple, Generic[Weights]):
    """The best epoch's weights, and how training ended."""

    weights: Weights
    best_epoch: int
    dev_score: float | None  # of the best epoch, in percent
    epochs: int  # done
    reason: str  # "epochs", "patience" or "interrupted"
    dev_scores: tuple[float, ...] = ()  # [epochs] in percent, of each epoch, if there are held-out data
    guided: tuple[int, int] = (0, 0)  # repeated presentations, and decisions that stayed wrong

    def provenance(self) -> dict[str, object]:
        """Return what a model file keeps of this."""
        facts: dict[str, object] = {"epochs": self.epochs, "best_epoch": self.best_epoch, "stopped_by": self.reason}
        if isinstance(self.weights, PackedModel):
            facts["features_before_quantisation"] = self.weights.features
            facts["weights_before_quantisation"] = self.weights.weights
        if any(self.guided):
            facts["repeated"], facts["given_up"] = self.guided
        if self.dev_score is not None:
            facts |= {"dev_score": round(self.dev_score, 4), "dev_scores": [round(s, 4) for s in self.dev_scores]}
        return facts


class Saved(Protocol[Weights]):
    """Where run_epochs saves the state of training."""

    def resumed(self, epochs: int) -> tuple[int, Trained[Weights] | None]:
        """Let the trainer go on from a checkpoint, if there is one; return the epochs that are over and the best."""

    def step(self, step: int, tokens: int) -> int:
        """Return how many tokens to train on before it is time to save the state, perhaps."""

    def save(self, epochs: int, best: Trained[Weights] | None, at_once: bool) -> None:
        """Save the state, with so many epochs over, if it is time for that; `at_once`: now, unless that was done."""

    def end(self, epochs: int, best: Trained[Weights]) -> None:
        """Save the state at the end of training."""


def run_epochs(
    trainer: Trainer[Weights],
    *,
    tokens: int,
    epochs: int,
    patience: int | None,
    bits: int,
    shrink: float,
    score: Callable[[Weights], float] | None,
    report: Callback,
    step: int = STEP,
    saved: Saved[Weights] | None = None,
) -> Trained[Weights]:
    """Train for at most `epochs` epochs of `tokens` tokens each, `step` of them between two events.

    With `saved` the state of training goes into a checkpoint now and then, after the first Ctrl-C and at the end, and
    training may go on from one; that changes nothing of what is returned.

    With `score` (percent on held-out data, of quantised weights) the best epoch's weights are returned, and
    training ends after `patience` epochs without a better one; without, the last epoch's. The first Ctrl-C
    ends training with the epoch, the second raises KeyboardInterrupt.
    """
    started = done = time.perf_counter()
    epoch, best = (0, None) if saved is None else saved.resumed(epochs)
    if saved is not None:
        step = saved.step(step, tokens)
    reason = "epochs"
    with Interrupt() as interrupt:
        while epoch < epochs and not _is_lost(patience, epoch, best):
            epoch += 1
            epoch_started = time.perf_counter()
            epoch_done = False
            while not epoch_done:
                epoch_done = trainer.step(step)
                done, progress = time.perf_counter(), trainer.progress
                report(Step(epoch, epochs, progress.examples, tokens, progress.mistakes, done - started))
                if saved is not None and not epoch_done:
                    saved.save(epoch - 1, best, interrupt.requested)
            reason = "interrupted" if interrupt.requested and epoch < epochs else "epochs"
            dev_score = None
            is_best = True
            if score is not None or epoch == epochs or interrupt.requested:
                weights = trainer.freeze(bits, shrink)
                if score is not None:
                    dev_score = score(weights)
                    is_best = best is None or best.dev_score is None or dev_score > best.dev_score
                so_far = () if best is None else best.dev_scores
                if is_best or best is None:
                    best = Trained(weights, epoch, dev_score, epoch, reason)
                if dev_score is not None:
                    best = best._replace(dev_scores=(*so_far, dev_score))
            speed = tokens / max(done - epoch_started, 1e-9)
            counts = tokens, progress.mistakes, progress.features
            report(EpochDone(epoch, epochs, *counts, done - started, speed, dev_score, is_best))
            if saved is not None and epoch < epochs:
                saved.save(epoch, best, interrupt.requested)
            if reason != "epochs":
                break
    if epoch < epochs and _is_lost(patience, epoch, best):
        reason = "patience"
    if best is None:  # all epochs were over in the checkpoint
        best = Trained(trainer.freeze(bits, shrink), epoch, None, epoch, reason)
    if saved is not None:
        saved.end(epoch, best)
    guided = trainer.progress.repeated, trainer.progress.given_up
    report(Finished(epoch, best.best_epoch, reason, time.perf_counter() - started, trainer.freeze, *guided))
    return best._replace(epochs=epoch, reason=reason, guided=guided)


def _is_lost(patience: int | None, epoch: int, best: Trained[Weights] | None) -> bool:
    """Whether so many epochs after the best one were no better that there is no patience with more of them."""
    return patience is not None and best is not None and epoch - best.best_epoch >= patience
