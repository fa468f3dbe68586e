"""Training that is a part of larger work: a tagger for a parser, a model in a pipeline."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sapwood.learning.events import Callback, Event
    from sapwood.models.learner import Learner


def fit_part(
    learner: Learner, *data: Any, what: str, report: Callback, dev: Any = None, done: int = 0, parts: int = 1
) -> None:
    """Train a model, and report how far it is, as part number `done` of so many `parts` of the work `what`.

    data : what the model's `fit` takes; dev : held-out data, or None

    Raises KeyboardInterrupt after Ctrl-C, as work without one of its parts cannot be kept; and what `fit` raises.
    """
    from sapwood.learning.events import EpochDone, Preparing

    def progress(event: Event) -> None:
        if isinstance(event, EpochDone):
            report(Preparing(what, done, parts, event.epoch / event.epochs))

    report(Preparing(what, done, parts))
    fit: Callable[..., Any] = learner.fit
    fit(*data, dev=dev, on_event=progress)
    if learner.model_.provenance["stopped_by"] == "interrupted":
        raise KeyboardInterrupt
