"""scikit-learn's conventions for parameters and copies, without scikit-learn.

A class that derives from Parameters has an ``__init__`` of keyword arguments only, which stores each
under its own name and checks nothing; ``get_params``, ``set_params``, ``repr`` and scikit-learn's
``clone`` follow from that.
"""

from typing import Any, Self

from sapwood.errors import OptionError

__all__ = ["Parameters"]


class Parameters:
    """get_params, set_params and repr over the keyword arguments of ``__init__``; copies of what is fitted."""

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        return dict(cls.__init__.__kwdefaults__ or {})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name. `deep` is there for scikit-learn and changes nothing."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name and return self. Raises OptionError for an unknown name."""
        for name, value in params.items():
            if name not in self._defaults():
                known = ", ".join(self._defaults())
                raise OptionError(f"{type(self).__name__} has no parameter '{name}'; it has {known}")
            setattr(self, name, value)
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles have: the parameters and the model, as if it were saved and loaded."""
        fitted = {"model_": self.model_} if hasattr(self, "model_") else {}
        return self.get_params() | fitted

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take back what __getstate__ gave."""
        if "model_" in state:
            from sapwood.models.load import of_model

            vars(self).update(vars(of_model(state["model_"])))
        vars(self).update(state)

    def __repr__(self) -> str:
        """Show the parameters that differ from their defaults."""
        changed = (
            f"{name}={getattr(self, name)!r}"
            for name, default in self._defaults().items()
            if getattr(self, name) != default
        )
        return f"{type(self).__name__}({', '.join(changed)})"
