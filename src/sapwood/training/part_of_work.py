"""Training that is a part of larger work: a tagger for a parser, a model in a pipeline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sapwood.events import EpochDone, Event, Preparing
from sapwood.model.file.schema import ModelFile
from sapwood.training.checkpoints import Run, Saving

if TYPE_CHECKING:
    from sapwood.model.small import Goal
    from sapwood.training.learner import Learner


def fit_part(
    learner: Learner[Any],
    *data: object,
    what: str,
    run: Run,
    dev: object = None,
    small: Goal | None = None,
    done: int = 0,
    parts: int = 1,
) -> None:
    """Train a model, and report how far it is, as part number `done` of so many `parts` of the work `what`.

    data : what the model's `fit` takes; dev : held-out data, or None; small : how small the model shall be

    A part that the checkpoint of a resumed training has is not trained again. Raises KeyboardInterrupt after Ctrl-C, as
    work without one of its parts cannot be kept; and what `fit` raises.
    """

    def progress(event: Event) -> None:
        if isinstance(event, EpochDone):
            run(Preparing(what, done, parts, event.epoch / event.epochs))

    run(Preparing(what, done, parts))
    fit: Callable[..., object] = learner.fit
    checkpoint, whole, saving = None, None, Saving(is_part=True, small=small)
    if run.checkpoint is not None:
        checkpoint = run.checkpoint.part()
        saving["checkpoint"] = checkpoint
        if (clusters := getattr(learner, "clusters", None)) is not None:  # which the whole work shares
            whole = ModelFile(
                task="", labels=[], template="", columns=[], label=0, options={}, bits=8, clusters=clusters
            )
        if (model := checkpoint.finished(learner.task, whole)) is not None:
            learner.install(model)
            return
    fit(*data, dev=dev, on_event=progress, **saving)
    if learner.model_.provenance["stopped_by"] == "interrupted":
        raise KeyboardInterrupt
    if checkpoint is not None:
        checkpoint.finish(learner.model_, whole)
