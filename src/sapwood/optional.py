"""Libraries that only some work needs: asked for when that work begins, with an error that says what to install."""

from importlib.util import find_spec

from sapwood.errors import OptionError

__all__ = ["require"]

_EXTRAS = {"numpy": "sklearn", "sklearn": "sklearn", "matplotlib": "figures"}


def require(library: str, purpose: str) -> None:
    """Raise OptionError if a library is not installed."""
    if find_spec(library) is None:
        raise OptionError(f"{purpose} needs {library}: pip install 'sapwood[{_EXTRAS[library]}]'")
