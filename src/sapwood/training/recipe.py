"""The recipe of a model: its training, which can be done again with other data, or to a smaller model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sapwood.errors import OptionError

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.small import Goal, Small
    from sapwood.options import Values

M = TypeVar("M")


class Recipe(Generic[M]):
    """The training of a fitted learner, as far as its file knows it.

    options : further options for training, which the file keeps under other names
    """

    def __init__(self, learner: M, options: Values) -> None:
        self._learner: Any = learner
        self._options = options

    @property
    def small(self) -> Small | None:
        """The sizes and scores on the way to a small model, if this object was made small."""
        found: Small | None = self._learner._small
        return found

    def shrunk(self) -> dict[str, Small]:
        """Return `small` by the noun of the model, as a pipeline has it by the names of its models."""
        return {} if self.small is None else {self._learner._noun: self.small}

    def untrained(self) -> M:
        """Return a learner that is not fitted, with the options of this one's training, as far as they are known.

        Raises OptionError if the template has word lists, and `word_lists` does not name their folder.
        """
        options, file = self._learner.get_params(), self._learner.model_
        if file.word_lists and options.get("word_lists") is None:
            raise OptionError("the template has word lists, which a model does not keep; word_lists names their folder")
        options |= dict.fromkeys(options.keys() & {"patience", "cv"})  # they chose the epochs
        options |= known_training(file)
        if file.clusters is not None:
            options |= {"clusters": file.clusters, "clusters_limit": None}
        result: M = type(self._learner)(**options | self._options)
        return result

    def smaller(self, goal: Goal) -> Callable[..., M]:
        """Return the `fit` of an unfitted learner with the same options, which makes the model so small."""
        learner: Any = self.untrained()
        check_silver_named(learner.get_params(), self._learner.model_)
        learner.set_params(max_bytes=None, names=False)
        if goal.below is None:
            return partial(learner._fit_to, goal)
        fit: Callable[..., M] = learner.set_params(drop_below=goal.below).fit
        return fit


def check_silver_named(options: Values, file: ModelFile) -> None:
    """Raise OptionError if a model was trained with silver data, and the options to train it again name none."""
    if "silver_sentences" in file.provenance and not len(options["silver"]):
        raise OptionError("the model was trained with silver data, which it does not keep; silver names their files")


def known_training(file: ModelFile) -> Values:
    """Return the options of training that a model file has in its provenance: epochs, seed and runs."""
    return {name: file.provenance[name] for name in ("epochs", "seed", "runs") if name in file.provenance}


def untrained_like(cls: type[M], file: ModelFile, given: Values) -> M:
    """Return a learner that is not fitted, with the options of a file but for those that are given.

    file : a model with or without weights. Raises OptionError if it has word lists, whose folder is not given.
    """
    learner: Any = cls
    then = learner._with_options_of(file).set_params(**given)
    then.model_ = file
    result: M = then.recipe.untrained().set_params(**given)
    return result
