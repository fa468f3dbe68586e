"""The options that all learners of the laboratory have, and the parts that they are: loss, rule, average, counts."""

from collections.abc import Callable, Collection
from inspect import signature
from reprlib import repr as shortened
from typing import Any, ClassVar

from sapwood_lab.average import Averaging
from sapwood_lab.errors import OptionError
from sapwood_lab.lazy_average import LazyAverage
from sapwood_lab.losses import Loss, is_of_structures, no_loss
from sapwood_lab.sparsity import UpdateCounts
from sapwood_lab.step import Vector

Rule = Callable[[float, float, float], float]  # the step tau of an update, given loss, |violation|^2 and importance


def perceptron(loss: float, square: float, importance: float) -> float:
    """Return the step of the perceptron: 1 for each example that counts once."""
    return importance


class Options:
    """The options of a learner. Raises OptionError for a value that one cannot have, or that the search does not have.

    rule : how far an update goes
    loss : what a wrong part costs while training, given the gold part and the wrong one; None for no margin
    min_updates : updates that a feature, or a weight, must have taken part in to be scored
    count_updates : which of both: "feature" or, where whole structures are searched, "weight"
    average : True for the mean of the weights after each decision, False for the last ones, or a class of averages
    seed : of the order in which examples are presented, a new one for each pass; None for the order of the data
    ignored : features that are removed before training
    """

    structured: ClassVar[bool] = True  # whether a decision is a whole structure, and not one of several classes
    has_constant_loss: ClassVar[bool] = True  # whether the search can hold gold against all other structures

    def __init__(
        self,
        *,
        rule: Rule = perceptron,
        loss: Loss | None = None,
        min_updates: int = 1,
        count_updates: str = "feature",
        average: bool | Callable[[], Averaging] = True,
        epochs: int = 5,
        seed: int | None = 1,
        ignored: Collection[str] = (),
    ) -> None:
        if min_updates < 0 or epochs < 1:
            raise OptionError("min_updates is a number from 0, and epochs is at least 1")
        if count_updates not in (("feature", "weight") if self.structured else ("feature",)):
            raise OptionError("count_updates is feature or, for structures (Viterbi, Eisner, beam), weight")
        if not (loss is None or callable(loss)):
            raise OptionError(f"loss is a function of a gold and a guessed part, such as hamming(1.0); not {loss!r}")
        if loss and is_of_structures(loss) and not self.has_constant_loss:
            name = type(self).__name__
            raise OptionError(f"{name} adds up costs of parts, so its loss cannot be constant; hamming is one of parts")
        self.rule, self.loss, self.ignored = rule, loss or no_loss, frozenset(ignored)
        self.min_updates, self.count_updates, self.epochs, self.seed = min_updates, count_updates, epochs, seed
        self.average = average
        self.forget()

    def forget(self) -> None:
        """Set w, U and all counts to 0."""
        self.w: Vector = {}
        self.U = UpdateCounts(self.min_updates, self.count_updates == "weight")
        kinds: dict[Any, Callable[[], Averaging]] = {True: LazyAverage, False: Averaging}
        self.averaging = kinds.get(self.average, self.average)()  # type: ignore[operator]
        self.c = self.updates = self.epoch = 0  # decisions presented, updates made, passes begun
        self.search: Any = None  # the record of the last search, for a picture of it

    @property
    def margin(self) -> str:
        """Say which costs the scores of a search have in them while training. Empty without a loss."""
        name = getattr(self.loss, "__name__", "the loss")
        return "" if self.loss is no_loss else f"the cost of what is wrong, {name}, is in the scores"

    def __repr__(self) -> str:
        classes = [cls for cls in type(self).__mro__ if "__init__" in vars(cls)]
        names = dict.fromkeys(name for cls in classes for name in signature(vars(cls)["__init__"]).parameters)
        options = {name: vars(self)[name] for name in names if name in vars(self)}
        shown = [f"{name}={getattr(value, '__name__', shortened(value))}" for name, value in options.items()]
        return f"{type(self).__name__}({', '.join(shown)})"
