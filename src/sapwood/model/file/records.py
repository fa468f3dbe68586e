"""Records of JSON in the header of a model file."""

from collections.abc import Sequence
from typing import NamedTuple, NotRequired, TypedDict

_BREAKS = frozenset("\t\n\r\0")  # a label with one of these would break the lines of a column file


class TableRecord(TypedDict):
    """A table of weights."""

    features: int
    weights: int
    width: int
    key_bits: int
    lengths: list[int]  # bytes of each section


class Abstention(TypedDict):
    """The least confidences with which a model answers, and what they gave on development data, as shares from 0 to 1.

    See sapwood.model.abstention.
    """

    target: str  # "precision" or "coverage"
    value: float
    thresholds: list[float]  # one for all answers, or one for each of the model's labels; over 1: none is given
    coverage: float  # answers that are given
    precision: float  # given answers that are right
    interval: list[float]  # 95 % interval of the precision
    noise: float  # labels of the development data that were taken to be wrong


class Calibration(TypedDict):
    """The curves from scores or margins to confidences, and perhaps the least confidence of an answer."""

    method: str
    curves: list[list[float]]
    abstention: NotRequired[Abstention]


class FrequentShares(TypedDict):
    """The shares of frequent words, or values, in a column of training data."""

    share: float  # in the whole column
    sentences: list[float]  # quantiles over its sentences
    windows: list[float]  # quantiles over its windows
    name: NotRequired[str]
    empty: NotRequired[list[float]]  # share of empty cells in the whole column, and in 99 % of its windows at most


class Familiar(NamedTuple):
    """The keys of the frequent words of training data, 32-bit numbers that ascend, and the shares of each column.

    seen : hashes of some of its sentences, see core/model/seen_sentences.hpp
    """

    frequent: bytes
    columns: list[FrequentShares]
    seen: bytes


def flaw_of_labels(labels: Sequence[object]) -> str | None:
    """Return the flaw of labels that a model file cannot have; None if they have none."""
    texts = {label for label in labels if isinstance(label, str)}
    if len(texts) != len(labels):
        return "labels are not distinct strings"
    together = "".join(texts)
    if "" in texts or _BREAKS.intersection(together):
        return "a label is empty or has a tab or a line end in it"
    try:
        together.encode()
    except UnicodeEncodeError:
        return "a label is not Unicode"
    return None
