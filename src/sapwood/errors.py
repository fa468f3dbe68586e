"""The one exception tree.

::

    SapwoodError
    ├── OptionError (also a ValueError)   an option has a value that it cannot have
    ├── TemplateError                     a template file cannot be used; names its line
    ├── DataError (also a ValueError)     input text cannot be used; names file and line
    └── ModelError                        a model file is damaged, foreign or cannot be written
        ├── MissingError                  (also an AttributeError)  a model lacks what another training would give it
        └── NotFittedError                (also a ValueError, an AttributeError)  a model is not fitted yet

SapwoodWarning, a UserWarning, tells of something that will work, but hardly as it is wished; UnfamiliarWarning is one
of a text that a model was not made for.

Every message is one line that says what is wrong, where, and what to do. The command line
prints it and exits with ``exit_code``: 2 for usage, 1 for data and models.
"""

import sys
import warnings
from collections.abc import Callable
from functools import cache

Listener = Callable[[str], object]  # gets what is strange about a text
_LONGEST = 2000  # characters of a message


class SapwoodError(Exception):
    """Whatever sapwood raises on purpose."""

    exit_code = 1

    def __str__(self) -> str:
        """Return the message on one line of characters that can be printed, whatever text of a file is quoted in it."""
        text = super().__str__()
        if not text.isprintable():
            text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 300]} [...] {text[-290:]}"


class OptionError(SapwoodError, ValueError):
    """An option has a value that it cannot have, or options contradict each other."""

    exit_code = 2


class TemplateError(SapwoodError):
    """A feature template is malformed, or names a column or word list that is not there."""


class DataError(SapwoodError, ValueError):
    """Input text cannot be used: ragged rows, no sentence, invalid UTF-8, no label column."""


class ModelError(SapwoodError):
    """A model file is truncated, altered, foreign, or cannot be written."""


class MissingError(ModelError, AttributeError):
    """A fitted model lacks something, such as a calibration, so that `hasattr` is false."""


class NotFittedError(ModelError, ValueError, AttributeError):
    """A model is not fitted yet. `not_fitted` makes it."""

    def __reduce__(self) -> tuple[Callable[[str], "NotFittedError"], tuple[str]]:
        """Return the function that makes a copy, in a process that may not have scikit-learn."""
        return not_fitted, (str(self),)


def not_fitted(message: str) -> NotFittedError:
    """Return the error of a model that is not fitted, which scikit-learn's NotFittedError catches, too.

    Nobody can have that class to catch it who has not imported scikit-learn.
    """
    return _not_fitted_in(sys.modules.get("sklearn.exceptions"))(message)


@cache
def _not_fitted_in(exceptions: object) -> type[NotFittedError]:
    """Return the class of the error: a subclass of scikit-learn's, too, given its module of exceptions."""
    theirs = getattr(exceptions, "NotFittedError", None)
    return NotFittedError if theirs is None else type("NotFittedError", (NotFittedError, theirs), {})


class SapwoodWarning(UserWarning):
    """Something works, but hardly as it is wished: a sentence is too long for a slow search."""


class UnfamiliarWarning(SapwoodWarning):
    """A model answers what it was not made for, such as a text of another language."""


def warn(message: str, category: type[SapwoodWarning] = SapwoodWarning) -> None:
    """Warn of the line from which the package was called."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("sapwood."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def warn_unfamiliar(message: str) -> None:
    """Warn that a text is not what it is read as; the usual listener."""
    warn(message, UnfamiliarWarning)
