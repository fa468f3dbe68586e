"""The familiarity of a model with a text: the share of its words that are frequent ones of the training data.

A model keeps the most frequent words of its training data, and their share of all words (core/model/familiarity.hpp).
Any text of its kind has about as many. A text with far fewer is of another language, or no plain text, which is said
once.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self, TypeVar

from sapwood import _core
from sapwood.errors import Listener, warn_unfamiliar
from sapwood.model.file.records import Familiar, Kind

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile

Words = _core.Columns | _core.Conllu | _core.Documents | _core.FeatureRows
Data = Words | _core.Doc
T = TypeVar("T")

WINDOW = 4096  # characters that are judged together
_LONG = 200  # characters, from which a text is judged by its share of known words
_FEWEST_WORDS = 12  # in a long text, for a share to mean something
_FEWEST_UNKNOWN = 5  # words of a shorter text, which is strange if none of them is known
_FAR_BELOW = 2.5  # a text is strange if its share is lower than that of training data, divided by this
_LOWEST_SHARE = 0.3  # a column of training data with a lower share is not judged
_MOST_COLUMNS = 8  # columns that are judged, at most


def familiar_in(data: Iterable[Words], columns: int) -> Familiar | None:
    """Return the frequent words of training data; None if there are too few words to say anything."""
    learner = learner_of(columns)
    for part in data:
        learner.add(part)
    return found_by(learner)


def learner_of(columns: int) -> _core.FamiliarityLearner:
    """Return a learner of the frequent words in the first of so many columns."""
    return _core.FamiliarityLearner(min(columns, _MOST_COLUMNS))


def found_by(learner: _core.FamiliarityLearner) -> Familiar | None:
    """Return the frequent words of the data that a learner has counted; None if there are too few words."""
    found = learner.learned()
    if found is None:
        return None
    frequent, columns = found
    return Familiar(frequent, [_kind(**column) for column in columns])


def _kind(share: float, sentences: list[float], windows: list[float]) -> Kind:
    """Return the shares of a column as the file has them."""
    rounded = [[round(share, 4) for share in each] for each in ([share], sentences, windows)]
    return {"share": rounded[0][0], "sentences": rounded[1], "windows": rounded[2]}


class Familiarity:
    """The familiarity of a model, or of none if its file does not have the frequent words: then nothing is judged.

    core : counts the words of a text that the model knows; None if it knows none
    on_warning : gets what is said about a text
    strict : the parts of a text are held back until its beginning is judged, as `on_warning` may raise
    """

    on_warning: Listener = staticmethod(warn_unfamiliar)
    strict = False

    def __init__(self, model: ModelFile) -> None:
        self.kinds = [] if model.familiar is None else model.familiar.columns
        self.names = model.columns
        self.core = None if model.familiar is None else _core.Familiarity(model.familiar.frequent, len(self.kinds))

    def with_listener(self, on_warning: Listener, *, strict: bool = False) -> Self:
        """Return the same familiarity for another listener."""
        result = copy.copy(self)
        result.on_warning, result.strict = on_warning, strict
        return result

    def check(self, data: Data, name: str) -> bool:
        """Warn if data in memory are strange to the model, and return true."""
        monitor = Monitor(self, name)
        monitor.add(data)
        monitor.end()
        return monitor.warned

    def monitor(self, parts: Iterable[T], name: str, *, each: bool = False) -> Iterator[T]:
        """Yield the parts of a text. `Monitor.parts` says more."""
        return Monitor(self, name).parts(parts, each=each)

    def strange(self, characters: int, counts: Sequence[tuple[int, int]]) -> str | None:
        """Return a message about a text that is strange, else None.

        counts : for each column the number of its words, and of those that the model knows
        """
        for column, (kind, (words, known)) in enumerate(zip(self.kinds, counts, strict=False)):
            share, long = kind["share"], characters >= _LONG
            if share < _LOWEST_SHARE or not kind["windows"]:
                continue
            if long and words >= _FEWEST_WORDS:
                is_strange = known < words * min(share / _FAR_BELOW, kind["windows"][1])
            else:
                is_strange = known == 0 and (words >= _FEWEST_UNKNOWN or (long and column == 0))
            if is_strange:
                return self._said(column, known / max(words, 1), share)
        return None

    def _said(self, column: int, found: float, share: float) -> str:
        """Return the message about a column of a strange text."""
        features = self.names[:1] == ["feature"]
        what = "features of these examples" if features else "words of this text"
        why = "is it data of another kind?" if features else "another language, or not plain text?"
        if column > 0:
            what, why = f"values in column {column + 1} ({self.names[column]})", "are these the right columns?"
        return (
            f"of the {what} {found:.0%} are frequent ones of the model's training data, "
            f"of its own kind {share:.0%}: {why}"
        )


class Monitor:
    """Judges a text that comes in parts, window by window, and warns once.

    Readers of the text give `warn` what they find strange, and then nothing is said of its words.
    """

    def __init__(self, familiarity: Familiarity, name: str) -> None:
        self.familiarity, self.name = familiarity, name
        self.warned = False
        self._judged = False
        self._characters = 0
        self._counts = self._none()

    def warn(self, message: str) -> None:
        """Give the listener a message about the text."""
        self.warned = True
        self.familiarity.on_warning(message)

    def parts(
        self,
        parts: Iterable[T],
        *,
        each: bool = False,
        words_of: Callable[[T], Data] = lambda part: part,  # type: ignore[assignment, return-value]
    ) -> Iterator[T]:
        """Yield the parts of the text, or texts of which `each` is judged by itself; `words_of` gives what is counted.

        Where it is strict, they are held back until the beginning of the text is judged.
        """
        held = []
        for part in parts:
            self.add(words_of(part))
            if each:
                self._judge()
            held.append(part)
            if self._judged or not self.familiarity.strict:
                yield from held
                held.clear()
        self.end()
        yield from held

    def add(self, data: Data) -> None:
        """Count a part, and judge what has come if it fills a window."""
        if self.warned or self.familiarity.core is None:
            return
        for counts in self.familiarity.core.count(data, WINDOW):
            self._characters += counts.characters
            self._counts = [(a + c, b + d) for (a, b), (c, d) in zip(self._counts, counts.columns, strict=False)]
            if self._characters >= WINDOW:
                self._judge()

    def end(self) -> None:
        """Judge a text that is shorter than a window."""
        if not self._judged:
            self._judge()

    def _none(self) -> list[tuple[int, int]]:
        return [(0, 0)] * len(self.familiarity.kinds)

    def _judge(self) -> None:
        """Judge what has come since the last judgement."""
        strange = self.familiarity.strange(self._characters, self._counts)
        self._judged = True
        self._characters, self._counts = 0, self._none()
        if strange is not None and not self.warned:
            self.warn(f"{self.name}: {strange}")
