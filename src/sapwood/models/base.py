"""What all models have in common: their options, and copies of what is fitted."""

from __future__ import annotations

from sapwood.errors import ModelError, OptionError
from sapwood.learning.options import Options, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, Literal, Self

    from sapwood.modelfile.schema import ModelFile

__all__ = ["Learner", "Model", "TemplateLearner"]


class Model(Options):
    """A model of any task."""

    threads: int = option(default=1, least=1, metavar="N", help="work on so many cores; the results are the same")

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles have: the options and the model, as if it were saved and loaded."""
        fitted = {"model_": self.model_} if hasattr(self, "model_") else {}
        return self.get_params() | fitted

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take back what __getstate__ gave."""
        if "model_" in state:
            vars(self).update(vars(self._of_model(state["model_"])))
        vars(self).update(state)

    @classmethod
    def kept_options(cls) -> list[str]:
        """Return the names of the options that the model file keeps."""
        return [name for name, declared in cls.options().items() if declared.kept]

    @classmethod
    def _of_model(cls, model: ModelFile) -> Model:
        """Return what a model file holds. Raises SapwoodError if it does not hold it."""
        raise NotImplementedError

    @classmethod
    def _with_options_of(cls, model: ModelFile, leave_out: tuple[str, ...] = ()) -> Self:
        """Return an object that is not fitted, with the options that a model file has. Raises SapwoodError."""
        declared = cls.options()
        found = {name: value for name, value in model.options.items() if name in declared and name not in leave_out}
        if foreign := [name for name in found if not declared[name].kept]:
            raise ModelError(f"its options have {foreign[0]}, which a model file does not keep")
        if "bits" in declared:
            found |= {"bits": model.bits}
        if "template" in declared and model.template:
            found |= {"template": model.template}
        result = cls().set_params(**found)
        result.check_options()
        return result


class Learner(Model):
    """A model that the perceptron family trains, epoch by epoch."""

    update: Literal["perceptron", "margin", "pa"] = option(
        default="margin",
        kept=True,
        help="what happens at a mistake: a step (perceptron, Collins 2002), one that has to win by gamma (margin), or "
        "the smallest that does (pa: passive-aggressive, Crammer et al. 2006, with C = 1)",
    )
    gamma: float = option(
        default=1.0, least=0, most=1e6, metavar="G", kept=True, help="cost of a mistake, for margin and pa"
    )
    average: bool = option(
        default=True, kept=True, help="average the weights over all examples (Freund & Schapire 1999)"
    )
    min_updates: int = option(
        default=5,
        least=1,
        metavar="K",
        kept=True,
        help="updates in which a feature must have taken part to count (the sparse averaged perceptron, Goldberg & "
        "Elhadad 2011)",
    )
    epochs: int = option(default=10, least=1, metavar="N", help="passes over the data, at most")
    patience: int | None = option(
        default=None, least=1, metavar="N", help="stop after so many epochs without a better score on held-out data"
    )
    seed: int = option(default=1, least=0, most=(1 << 64) - 1, metavar="S", help="seed of the shuffling")
    bits: Literal[8, 16, 32] = option(default=8, help="bits of a weight in the model; 32 is float")
    shrink: float = option(
        default=0.0,
        least=0,
        below=1,
        metavar="F",
        kept=True,
        help="drop the weights that are smaller than this part of the largest",
    )
    names: bool = option(default=False, help="keep the features' texts in the model, for 'inspect'")

    def check_options(self) -> None:
        """Raise OptionError if an option has a value that it cannot have, or if options contradict each other."""
        super().check_options()
        if self.update == "pa" and self.gamma == 0:
            raise OptionError("passive-aggressive updates need a gamma above 0")

    def _check_training(self, dev: object, dev_fraction: float | None) -> None:
        """Raise OptionError as check_options does, or if the held-out data are not what training needs."""
        self.check_options()
        if dev is not None and dev_fraction is not None:
            raise OptionError("dev and dev_fraction exclude each other")
        if dev_fraction is not None and not 0 < dev_fraction < 1:
            raise OptionError(f"dev_fraction lies between 0 and 1, not {dev_fraction!r}")
        if self.patience is not None and dev is None and dev_fraction is None:
            raise OptionError("patience needs held-out data: give dev or dev_fraction")


class TemplateLearner(Learner):
    """A learner whose template may name word lists."""

    word_lists: str | os.PathLike[str] | None = option(
        default=None,
        metavar="DIR",
        help="folder that the template's word lists are in, if not the template's own; nothing outside of it is read",
    )
