"""Libraries that only some work needs: asked for when that work begins, with an error that says what to install."""

from importlib.util import find_spec

from ..errors import OptionError

_EXTRAS = {  # extra -> the libraries in it that are asked for
    "sklearn": ("numpy", "sklearn"),
    "peers": ("pycrfsuite",),
    "figures": ("matplotlib",),
    "completion": ("shtab",),
    "spacy": ("spacy",),
    "dask": ("dask", "distributed", "pandas", "pyarrow"),
    "web": ("fastapi", "uvicorn", "jinja2", "prometheus_client"),
}
_PACKAGES = {  # by other names
    "sklearn": "scikit-learn",
    "pycrfsuite": "python-crfsuite",
    "cairosvg": "CairoSVG",
    "prometheus_client": "prometheus-client",
}


def missing(library: str, purpose: str) -> OptionError:
    """Return the error for a library that is not installed."""
    package = _PACKAGES.get(library, library)
    extras = (f"'sapwood[{extra}]'" for extra, libraries in _EXTRAS.items() if library in libraries)
    extra = next(extras) if __name__.startswith("sapwood.") else package
    return OptionError(f"{purpose} needs {package}: pip install {extra}")


def installed(library: str) -> bool:
    """Return true if a library can be imported; a folder of its name where the program runs is none."""
    try:
        found = find_spec(library)
        return found is not None and found.origin is not None
    except (ImportError, ValueError):  # somebody stands in the way of it
        return False


def require(library: str, purpose: str) -> None:
    """Raise OptionError if a library is not installed."""
    if not installed(library):
        raise missing(library, purpose)
