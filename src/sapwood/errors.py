"""The one exception tree.

::

    SapwoodError
    ├── OptionError (also a ValueError)   an option has a value that it cannot have
    ├── TemplateError                     a template file cannot be used; names its line
    ├── DataError                         input text cannot be used; names file and line
    └── ModelError                        a model file is damaged, foreign or cannot be written

SapwoodWarning, a UserWarning, tells of something that will work, but hardly as it is wished.

Every message is one line that says what is wrong, where, and what to do. The command line
prints it and exits with ``exit_code``: 2 for usage, 1 for data and models.
"""

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


class DataError(SapwoodError):
    """Input text cannot be used: ragged rows, no sentence, invalid UTF-8, no label column."""


class ModelError(SapwoodError):
    """A model file is truncated, altered, foreign, or cannot be written."""


class SapwoodWarning(UserWarning):
    """Something works, but hardly as it is wished: a sentence is too long for a slow search."""
