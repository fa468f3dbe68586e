"""Explanations of decisions: the features by which the chosen structure and the second-best one differ.

The core writes an explanation as a line of JSON (core/model/explanation.hpp); here it is an object. `Reasons` is the
part of a model that makes such lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar

import sapwood._core as _core
from sapwood.errors import OptionError

if TYPE_CHECKING:
    from sapwood.model.explanation_records import ExplanationRecord, FeatureRecord

_AT_ONCE = 64  # sentences that are explained together

Encoded = TypeVar("Encoded")
Feature = tuple[str, str, float, float]  # text, the label that its weight speaks for, value, weight


class Explanation:
    """An explanation of one decision.

    Attributes
    ----------
    sentence, token : int
        the place of the decision, counted from 1
    word : str
        the word, or the text, that it is about
    decision : str
        its kind, such as "label"
    chosen : str
        the model's answer
    against : str or None
        the answer that it is compared with, the second best or the one asked for; None if there was no choice
    outvoted : str or None
        the answer that a committee of parsers gives in the place of the chosen one; None if it gives the chosen one
    margin : float
        score(chosen) - score(against)
    scale : float
        the unit of quantised weights; they are multiples of it, and so are margins if values are whole numbers
    features : list of dict
        text, label (the one that the weight speaks for), value (its count in the chosen structure less that in the
        other), weight, and contribution = value * weight. The contributions add up to the margin. The largest come
        first.
    part : str
        the part of a pipeline that decided; empty for other models
    """

    def __init__(self, record: ExplanationRecord) -> None:
        self._record = record
        self.sentence: int = record["sentence"]
        self.token: int = record["token"]
        self.word: str = record["word"]
        self.decision: str = record["decision"]
        self.chosen: str = record["chosen"]
        self.against: str | None = record["against"]
        self.outvoted: str | None = record.get("outvoted")
        self.margin: float = record["margin"]
        self.scale: float = record["scale"]
        self.features: list[FeatureRecord] = record["features"]
        self.part: str = record.get("part", "")

    def to_dict(self) -> ExplanationRecord:
        """Return the explanation as JSON has it."""
        return self._record

    def rows(self) -> list[dict[str, object]]:
        """Return a dict for each feature, with the decision that it is about: rows for a pandas DataFrame."""
        decision = {name: value for name, value in self._record.items() if name not in ("features", "scale")}
        return [decision | feature for feature in self.features]

    def contributions(self) -> dict[str, float]:
        """Return the contribution of each feature, over all labels, by its text; the largest come first."""
        sums: dict[str, float] = {}
        for feature in self.features:
            sums[feature["text"]] = sums.get(feature["text"], 0.0) + feature["contribution"]
        return dict(sorted(sums.items(), key=lambda pair: -abs(pair[1])))

    def text(self, top: int = 10, width: int = 80) -> str:
        """Return a table of the features that count most, for a terminal."""
        from sapwood.model.explanation_records import text_explanation

        return text_explanation(self._record, top, width)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        against = "" if self.against is None else f", not {self.against!r} by {self.margin:.3f}"
        return f"<Explanation of {self.word!r}: {self.chosen!r}{against}>"

    def _repr_html_(self) -> str:
        from sapwood.model.explanation_records import html_explanation

        return html_explanation(self._record)


class Explanations(list[Explanation]):
    """Explanations of all decisions that were asked about, in the order of the text."""

    @classmethod
    def read(cls, lines: Iterable[bytes]) -> Self:
        """Make objects of lines of JSON."""
        return cls(Explanation(json.loads(line)) for block in lines for line in block.splitlines())

    def rows(self) -> list[dict[str, object]]:
        """Return a dict for each feature of each explanation: rows for a pandas DataFrame."""
        return [row for explanation in self for row in explanation.rows()]

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return "\n".join(explanation._repr_html_() for explanation in self)


class Unit(NamedTuple):
    """An example about which there is a decision as a whole."""

    id: str  # the value of its member or column `id`; without one, empty
    words: list[str]
    marked: int | None  # number of the word that the decision is about


class Reasons(NamedTuple, Generic[Encoded]):
    """The part of a model that explains its decisions, as lines of JSON."""

    encode: Callable[[Any], Encoded]  # converts the data that `predict` takes to the core's
    read: Callable[[bytes, str], Encoded]  # converts a file's bytes, with its name for errors, to the core's data
    of_encoded: Callable[[Encoded, _core.Question], Iterator[bytes]]  # yields explanations about the core's data
    units: Callable[[Encoded], list[Unit]] | None  # returns the examples in the core's data; None for sentences

    def of(self, data: Any, asked: _core.Question) -> Iterator[bytes]:
        """Yield explanations of decisions about data that `predict` takes.

        Raises ModelError if the model's decisions are no sums of features, OptionError for a label, sentence or token
        that is not there, and what `predict` raises.
        """
        return self.of_encoded(self.encode(data), asked)

    def of_bytes(self, data: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
        """Yield explanations of decisions about the content of a file. Raises what `of` does."""
        return self.of_encoded(self.read(data, name), asked)


def question(sentence: int | None = None, token: int | None = None, against: str | None = None) -> _core.Question:
    """Return a question about decisions; sentences and tokens are counted from 1. Raises OptionError."""
    for name, number in (("sentence", sentence), ("token", token)):
        if number is not None and (isinstance(number, bool) or number < 1):
            raise OptionError(f"a {name} is counted from 1, not {number!r}")
    if against == "":
        raise OptionError("what a decision is compared with is not empty")
    return _core.Question(
        sentence=None if sentence is None else sentence - 1,
        token=None if token is None else token - 1,
        against=against or "",
    )


def in_batches(explain: Callable[[int, int], bytes], sentences: int, asked: _core.Question) -> Iterator[bytes]:
    """Yield the lines of explain(begin, end) for batches of sentences; of one sentence, if one is asked about.

    Raises OptionError if there is no such sentence.
    """
    if asked.sentence is not None:
        asked.check(sentences)
        yield explain(asked.sentence, asked.sentence + 1)
        return
    for begin in range(0, sentences, _AT_ONCE):
        yield explain(begin, min(begin + _AT_ONCE, sentences))


def chosen_rows(count: int, asked: _core.Question, unit: str) -> Iterable[int]:
    """Return the rows that a question is about. Raises OptionError for a row that is not there, or a token."""
    if asked.token not in (None, 0):
        raise OptionError(f"there is one decision for each {unit}, so there is no token {asked.token + 1}")
    asked.check(count, unit)
    return range(count) if asked.sentence is None else [asked.sentence]


class LinearRows:
    """Rows of features, with their values and the weights of a model."""

    def __init__(self, rows: _core.FeatureRows, classifier: _core.Classifier, names: Mapping[int, str]) -> None:
        sizes, keys, values = (memoryview(part) for part in _core.pack_rows(rows))
        self._starts = [0]
        for size in sizes.cast("I"):
            self._starts.append(self._starts[-1] + size)
        self._keys: list[int] = keys.cast("Q").tolist()
        self._values: list[float] = [*values.cast("f")] if len(values) else [1.0] * len(self._keys)
        self._names = names
        distinct = sorted(set(self._keys))
        weights = classifier.weights_of(distinct)
        outputs = len(weights) // max(1, len(distinct))
        self._weights = {key: weights[k * outputs : (k + 1) * outputs] for k, key in enumerate(distinct)}

    def difference(self, chosen: int, against: int, label: str) -> list[Feature]:
        """Return the features of row `chosen` less those of row `against`; `label` names the model's one output."""
        values: dict[int, float] = {}
        for row, side in ((chosen, 1.0), (against, -1.0)):
            for key, value in self._pairs(row):
                values[key] = values.get(key, 0.0) + side * value
        return [(self._text(key), label, value, self._weights[key][0]) for key, value in values.items()]

    def _pairs(self, number: int) -> Iterator[tuple[int, float]]:
        """Yield key and value of the features of a row that have weights."""
        for k in range(self._starts[number], self._starts[number + 1]):
            if any(self._weights[self._keys[k]]):
                yield self._keys[k], self._values[k]

    def _text(self, key: int) -> str:
        return self._names.get(key) or f"feature {key:016x}"
