"""The parts that only some models have, and the error of asking a model for one that it lacks.

Protocols here are of what is no part yet; `able` asks for them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from sapwood.errors import ModelError
from sapwood.events import Callback
from sapwood.model.small import Goal, Small


@runtime_checkable
class Shrinks(Protocol):
    """A model that can be made small: trained again, then with ever fewer weights, which are trained on in rounds."""

    def smaller(self, goal: Goal) -> Callable[..., Self]:
        """Return the `fit` of an object that trains a model as this one was trained, and makes it so small."""

    def shrunk(self) -> dict[str, Small]:
        """Return how the model, or each of its parts, was made small, by name; empty if it was not."""

    def set_params(self, **values: object) -> Self:
        """Set options by name and return self."""

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the model to one file, and return its bytes."""

    def shrink(
        self,
        data: Any,
        /,
        *,
        dev: Any = None,
        dev_fraction: float | None = None,
        bytes: int | None = None,
        loss: float | None = None,
        levels: str = "uneven",
        below: float | None = None,
        retrain: bool = True,
        on_event: Callback | None = None,
    ) -> Self:
        """Return a smaller model: trained on data as this one was, then with ever fewer weights, which are trained on.

        dev, dev_fraction : held-out data, as `fit` takes them
        bytes : the model has so many bytes at most
        loss : the smallest model whose score on held-out data is at most so many points below that of the whole one
        below : weights smaller than this part of the largest are dropped, in one step, in place of rounds
        levels : how weights are rounded: to any int8 number ("even"), or only to those numbers that take few bits in
        the file ("uneven"; entropy-constrained quantisation, Chou, Lookabaugh & Gray 1989)
        retrain : whether the remaining weights are trained on; without, weights are dropped after the last epoch, and
        that is all, which is better while half of the bytes or more stay

        In a pipeline bytes are shared out as the parts have them now, and with `loss` the score of each part may fall
        by so much. `shrunk()` of what is returned has the sizes and scores on the way.

        Raises OptionError, ModelError if the model has no weights that could be dropped, and what `fit` raises. Warns
        if the model cannot be made as small as that.
        """
        goal = Goal(bytes, loss, below, levels, retrain)
        goal.check(held_out=dev is not None or dev_fraction is not None)
        return self.smaller(goal)(data, dev=dev, dev_fraction=dev_fraction, on_event=on_event)


_LACKING = {  # what is said of a model without the part
    "reasons": "has no weights of features to explain; taggers, parsers, classifiers, rerankers and pipelines have",
    "lists": "has no n best lists; taggers, parsers and grammars have",
    "confidence": "has no confidences; taggers, parsers, classifiers and pipelines have",
    "writer": "annotates nothing; taggers, parsers, classifiers and pipelines do",
    "recipe": "has no weights that could be dropped; taggers, parsers and the like have",
}


def require_capability(model: Any, part: str) -> Any:
    """Return a part of a fitted model. Raises ModelError if the model lacks it, NotFittedError."""
    model.check_fitted()
    found = getattr(model, part)
    if found is None:
        raise ModelError(f"a {model.noun} {_LACKING[part]}")
    return found


Capability = TypeVar("Capability")
_PARTS: dict[type, str] = {
    Shrinks: "recipe",
}


class Named(Protocol):
    """A model, as far as messages are concerned."""

    @property
    def noun(self) -> str:
        """What messages call it."""


def able(model: Named, capability: type[Capability]) -> Capability:
    """Return the model, if it can do this. Raises ModelError if it cannot."""
    if not isinstance(model, capability):
        raise ModelError(f"a {model.noun} {_LACKING[_PARTS[capability]]}")
    return model
