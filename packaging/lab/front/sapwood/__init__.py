"""sapwood-lab: the laboratory of sapwood, in plain Python, without the fast models.

>>> from sapwood.lab import ViterbiTagger
>>> tagger = ViterbiTagger("U:%x[0,0]\\nB\\n").fit([[("the", "D"), ("dog", "N")]])
>>> tagger.predict([[("the",), ("dog",)]])
[['D', 'N']]
"""

from importlib.metadata import version

from sapwood.errors import (
    DataError,
    ModelError,
    OptionError,
    SapwoodError,
    SapwoodWarning,
    TemplateError,
    UnfamiliarWarning,
)

__all__ = [
    "DataError", "ModelError", "OptionError", "SapwoodError", "SapwoodWarning", "TemplateError", "UnfamiliarWarning",
]  # fmt: skip

__version__ = version("sapwood-lab")

ABSENT = (
    "the fast models need the package sapwood, which no index has: pip uninstall sapwood sapwood-lab, then, "
    "in the source tree of sapwood (Linux or macOS, with a C++ compiler), pip install ."
)


def __getattr__(name: str) -> object:
    """Say of the models, such as `SequenceTagger`, where they are."""
    if name[0].isupper() or name == "load":
        raise ImportError(f"sapwood-lab has no sapwood.{name}; {ABSENT}", name="sapwood")
    raise AttributeError(f"module 'sapwood' has no attribute {name!r}")
