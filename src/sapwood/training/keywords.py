"""The keyword arguments of training, which all models take."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from sapwood.events import Callback


class FitKeywords(TypedDict, total=False):
    """Keyword arguments of `fit`, which `Learner.fit` describes."""

    dev: Any
    dev_fraction: float | None
    on_event: Callback | None
    checkpoint: str | os.PathLike[str] | None
    every: float
    resume: str | os.PathLike[str] | None
    from_checkpoint: str | os.PathLike[str] | None
    workers: Any  # sapwood.training.shards.Workers or None
    stream: bool
    scratch: str | os.PathLike[str] | None
