"""`shrink`, a method of all models that can be made small: train again, then drop weights and train on, in rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self, TypeVar

from sapwood.errors import OptionError
from sapwood.events import Callback


class Shrinkable(Protocol):
    """A model that can be trained again, so that it becomes small."""

    def smaller(
        self, bytes: int | None, loss: float | None, how: dict[str, Any], drop_lines: float | None
    ) -> Callable[..., Self]:
        """Return the `fit` of an object that trains a model as this one was trained, and makes it so small.

        how : options of the learners that make them small
        """


Model = TypeVar("Model", bound=Shrinkable)


def shrink(
    self: Model,
    data: Any,
    /,
    *,
    dev: Any = None,
    dev_fraction: float | None = None,
    bytes: int | None = None,
    loss: float | None = None,
    by: str = "magnitude",
    levels: str = "uneven",
    retrain: bool = True,
    drop_lines: float | None = None,
    on_event: Callback | None = None,
) -> Model:
    """Return a smaller model: trained on data as this one was, then with ever fewer weights, which are trained on.

    dev, dev_fraction : held-out data, as `fit` takes them
    bytes : the model has so many bytes at most
    loss : the smallest model whose score on held-out data is at most so many points below that of the whole one
    by : what goes first, by "magnitude" or by "group-l1"; the option `drop_by` says more
    levels : of the weights, "uneven" or "even"; the option `levels` says more
    retrain : whether the remaining weights are trained on; the option `retrain` says more
    drop_lines : leave out lines of the template first, as long as the score on held-out data falls by at most so
    many points; with 0 they are lines that bring nothing. `loss` counts from there.

    In a pipeline bytes are shared out as the parts have them now, and with `loss` the score of each part may fall
    by so much. `shrunk()` of what is returned has the sizes and scores on the way.

    Raises OptionError, ModelError if the model has no weights that could be dropped, and what `fit` raises. Warns if
    the model cannot be made as small as that.
    """
    if (bytes is None) == (loss is None):
        raise OptionError("say how small the model is to be, by bytes or by loss")
    if loss is not None and dev is None and dev_fraction is None:
        raise OptionError("loss needs held-out data: give dev or dev_fraction")
    if drop_lines is not None and not 0 <= drop_lines <= 100:
        raise OptionError(f"drop_lines is a number of points from 0 to 100, not {drop_lines!r}")
    fit = self.smaller(bytes, loss, {"drop_by": by, "levels": levels, "retrain": retrain}, drop_lines)
    return fit(data, dev=dev, dev_fraction=dev_fraction, on_event=on_event)
