"""The events of a training, as objects given to a callback. The library itself never prints.

>>> from sapwood.events import EpochDone
>>> def report(event):
...     if isinstance(event, EpochDone):
...         print(event.epoch, event.mistakes)
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events."""


@dataclass(frozen=True, slots=True)
class Preparing(Event):
    """A part of some work: of what comes before training, of several trainings, or of learning a small model anew."""

    what: str
    done: int  # parts of it
    parts: int
    share: float = 0.0  # share of the present part that is done


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The training set is read and encoded."""

    sentences: int
    tokens: int
    labels: int  # 0 where there are none to choose from
    epochs: int
    seconds: float  # seconds of reading and encoding
    unit: str = "tokens"  # the unit that is counted; examples where each is a unit of its own
    learned: str = "features"  # the unit of EpochDone.features


@dataclass(frozen=True, slots=True)
class MemoryNeeded(Event):
    """The memory that training takes at most, before it begins."""

    used: int  # bytes, by what has been read
    learner: int  # bytes, by what is learned and the cache of kernels


@dataclass(frozen=True, slots=True)
class Step(Event):
    """Some more sentences of an epoch are done."""

    epoch: int  # counted from 1
    epochs: int
    examples: int  # tokens of this epoch done
    tokens: int  # tokens of an epoch
    mistakes: int  # tokens of this epoch whose label the training search got wrong
    seconds: float  # since training started


@dataclass(frozen=True, slots=True)
class EpochDone(Event):
    """An epoch is over and, where there is held-out data, scored."""

    epoch: int
    epochs: int
    tokens: int
    mistakes: int
    features: int  # features that score, i.e. took part in min_updates updates
    seconds: float  # since training started
    tokens_per_second: float  # in this epoch
    dev_score: float | None  # percent: F1 of chunks, or accuracy of labels
    best: bool  # the best epoch so far (always, without held-out data)


@dataclass(frozen=True, slots=True)
class Shrunk(Event):
    """A model has been made smaller; the first is the whole one."""

    bytes: int  # size of the model
    features: int
    score: float | None  # percent, on held-out data
    levels: str = "even"  # levels of the weights: "even", "uneven" or "coarse", which are uneven and fewer
    value_bits: float = 0.0  # bits of the value of a weight in the file, on average


@dataclass(frozen=True, slots=True)
class Finished(Event):
    """Training is over: all epochs, or patience was lost, or the user interrupted it."""

    epochs: int  # done
    best_epoch: int  # the epoch whose model is kept
    reason: str  # "epochs", "patience" or "interrupted"
    seconds: float
    freeze: "Callable[[int, float], Any]" = field(repr=False, compare=False)  # last weights: bits, shrink
    repeated: int = 0  # presentations of decisions that guided learning had presented before
    given_up: int = 0  # decisions that were presented again, and stayed wrong


Callback = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Take a report and do nothing."""
