"""Records of JSON in the header of a model file."""

from typing import NamedTuple, NotRequired, TypedDict

from sapwood import _core
from sapwood.errors import ModelError
from sapwood.parts import CONLLU

_QUANTILES = 4  # shares are kept at the quantiles 0.001, 0.01, 0.1 and 0.5


class ColumnNames(TypedDict):
    """The columns of training data, and the index of the column of labels."""

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


class Header(TypedDict):
    """The metadata of a model file that are JSON; sapwood.model.file.schema says what each is."""

    weights: Weights
    columns: ColumnNames
    labels: list[str]
    options: dict[str, object]
    tables: list[TableRecord]
    word_lists: list[WordListSize]
    provenance: dict[str, object]
    clusters: NotRequired[ClustersSize | str]
    calibration: NotRequired[Calibration]
    familiarity: NotRequired[list[FrequentShares]]
    card: NotRequired[str]
    extra: NotRequired[list[str]]
    parts: NotRequired[dict[str, dict[str, str]]]  # the metadata of models inside this one


class Familiar(NamedTuple):
    """The keys of the frequent words of training data, 32-bit numbers that ascend, and the shares of each column.

    seen : hashes of some of its sentences, see core/model/seen_sentences.hpp
    """

    frequent: bytes
    columns: list[FrequentShares]
    seen: bytes


def checked_familiar(frequent: bytes, columns: list[FrequentShares], seen: bytes, names: list[str]) -> Familiar:
    """Return the frequent words of a file that has columns of these names. Raises ModelError for wrong shares."""
    if len(columns) > len(names) or not {column.get("name", names[0]) for column in columns} <= {*names}:
        raise ModelError("'familiarity' in its header has other columns than the training data")
    for column in columns:
        empty = column.get("empty", [])
        shares = [column["share"], *column["sentences"], *column["windows"], *empty]
        sizes = {len(column["sentences"]), len(column["windows"])}
        if not sizes <= {0, _QUANTILES} or len(empty) not in (0, 2) or not all(0 <= share <= 1 for share in shares):
            raise ModelError(f"'familiarity' in its header does not have {_QUANTILES} shares between 0 and 1")
    _core.Familiarity(frequent, [0] * len(columns))
    _core.share_seen(seen, 1, _core.Columns.build([], None, ""))
    return Familiar(frequent, columns, seen)


def column_names(task: str, columns: list[str]) -> list[str]:
    """Return the names of the columns that a model of a task reads, which are CoNLL-U's for a parser."""
    return [*CONLLU] if task == "parse" else columns
