"""Records of JSON in the header of a model file."""

from typing import NamedTuple, TypedDict

from sapwood import _core
from sapwood.errors import ModelError

_QUANTILES = 4  # at which shares are kept: 0.001, 0.01, 0.1 and 0.5


class ColumnNames(TypedDict):
    """The columns of training data, and the number of that with the labels."""

    names: list[str]
    label: int


class Weights(TypedDict):
    """The format of the weights: weight = integer * scale; with 32 bits they are floats."""

    bits: int
    scale: float


class WordListSize(TypedDict):
    """The name of a word list, and the number of tokens of its longest entry."""

    name: str
    longest: int


class ClustersSize(TypedDict):
    """The sizes of word clusters."""

    words: int
    key_bits: int


class Calibration(TypedDict):
    """The curves from scores or margins to confidences."""

    method: str
    curves: list[list[float]]


class Kind(TypedDict):
    """The share of the words of a column that are frequent ones: of all, and of sentences and windows at quantiles."""

    share: float
    sentences: list[float]
    windows: list[float]


class Familiar(NamedTuple):
    """The keys of the frequent words of training data, 32-bit numbers that ascend, and the shares of each column."""

    frequent: bytes
    columns: list[Kind]


def familiar(frequent: bytes, columns: list[Kind], most: int) -> Familiar:
    """Return the familiar words of a file. Raises ModelError for impossible ones, as in more than `most` columns."""
    if len(columns) > most:
        raise ModelError("'familiarity' in its header has more columns than the training data")
    for kind in columns:
        shares = [kind["share"], *kind["sentences"], *kind["windows"]]
        sizes = {len(kind["sentences"]), len(kind["windows"])}
        if not sizes <= {0, _QUANTILES} or not all(0 <= share <= 1 for share in shares):
            raise ModelError(f"'familiarity' in its header does not have {_QUANTILES} shares between 0 and 1")
    _core.Familiarity(frequent, len(columns))
    return Familiar(frequent, columns)
