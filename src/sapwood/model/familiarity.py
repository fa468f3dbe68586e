"""The familiarity of a model with a text: the share of its words that are frequent ones of the training data.

A model keeps the most frequent words of its training data, and their share of all words (core/model/familiarity.hpp).
Any text of its kind has about as many. A text with far fewer is of another language or no plain text; the model warns
of it once.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self, TypeVar

from sapwood import _core
from sapwood.errors import Listener, warn_unfamiliar
from sapwood.model.file.records import Familiar, FrequentShares

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile

Words = _core.Columns | _core.Conllu | _core.Documents | _core.FeatureRows
Data = Words | _core.Doc
T = TypeVar("T")

WINDOW = 4096  # characters that are judged together
_LONG = 200  # characters; a text that is shorter is strange only if none of its words is known
_FEWEST_WORDS = 12  # words of a long text; in fewer, the share means nothing
_FEWEST_UNKNOWN = 5  # words of a short text; fewer are never strange
_FAR_BELOW = 2.5  # a text is strange if its share is lower than that of training data, divided by this
_LOWEST_SHARE = 0.3  # a column of training data with a lower share is not judged
_MOST_COLUMNS = 8  # columns that are judged, at most


def familiar_in(data: Iterable[Words], columns: int) -> Familiar | None:
    """Return the frequent words of training data; None if there are too few words to say anything."""
    learner = familiarity_learner(columns)
    for part in data:
        learner.add(part)
    return frequent_words(learner)


def familiarity_learner(columns: int) -> _core.FamiliarityLearner:
    """Return a learner of the frequent words in the first columns of data that have so many."""
    return _core.FamiliarityLearner(min(columns, _MOST_COLUMNS))


def frequent_words(learner: _core.FamiliarityLearner) -> Familiar | None:
    """Return the frequent words of the data that a learner has counted; None if there are too few words."""
    found = learner.learned()
    if found is None:
        return None
    frequent, columns = found
    return Familiar(frequent, [_shares(**column) for column in columns])


def _shares(share: float, sentences: list[float], windows: list[float]) -> FrequentShares:
    """Return the shares of a column, rounded as in the file."""
    rounded = [[round(share, 4) for share in each] for each in ([share], sentences, windows)]
    return {"share": rounded[0][0], "sentences": rounded[1], "windows": rounded[2]}


class Familiarity:
    """A judge of texts by the frequent words of a model's file. A file without them judges nothing.

    core : counts the words of a text that are frequent ones; None if the file has none
    on_warning : takes the message about a strange text
    strict : hold the parts of a text back until its beginning is judged, as `on_warning` may raise
    """

    on_warning: Listener = staticmethod(warn_unfamiliar)
    strict = False

    def __init__(self, model: ModelFile) -> None:
        self.shares = [] if model.familiar is None else model.familiar.columns
        self.names = model.columns
        self.core = None if model.familiar is None else _core.Familiarity(model.familiar.frequent, len(self.shares))

    def with_listener(self, on_warning: Listener, *, strict: bool = False) -> Self:
        """Return the same familiarity for another listener."""
        result = copy.copy(self)
        result.on_warning, result.strict = on_warning, strict
        return result

    def check(self, data: Data, name: str) -> bool:
        """Warn if data in memory are strange to the model; return true if it warned."""
        monitor = Monitor(self, name)
        monitor.add(data)
        monitor.end()
        return monitor.warned

    def monitor(self, parts: Iterable[T], name: str) -> Iterator[T]:
        """Yield the parts of a text as `Monitor.parts` does."""
        return Monitor(self, name).parts(parts)

    def warning(self, characters: int, counts: Sequence[tuple[int, int]]) -> str | None:
        """Return the warning of a strange text; None for any other.

        counts : words, and words that the model knows, of each column
        """
        for column, (shares, (words, known)) in enumerate(zip(self.shares, counts, strict=False)):
            share, long = shares["share"], characters >= _LONG
            if share < _LOWEST_SHARE or not shares["windows"]:
                continue
            if long and words >= _FEWEST_WORDS:
                is_strange = known < words * min(share / _FAR_BELOW, shares["windows"][1])
            else:
                is_strange = known == 0 and (words >= _FEWEST_UNKNOWN or (long and column == 0))
            if is_strange:
                return self._warning(column, known / max(words, 1), share)
        return None

    def _warning(self, column: int, found: float, share: float) -> str:
        features = self.names[:1] == ["feature"]
        what = "features of these examples" if features else "words of this text"
        why = "is it data of another kind?" if features else "another language, or not plain text?"
        if column > 0:
            what, why = f"values in column {column + 1} ({self.names[column]})", "are these the right columns?"
        return (
            f"{found:.0%} of the {what} are frequent in the model's training data, "
            f"in texts of its kind {share:.0%} are: {why}"
        )


class Monitor:
    """Judges a text that comes in parts, window by window, and warns once.

    A reader that finds the text's format strange calls `warn`; there is no warning of its words then.
    """

    def __init__(self, familiarity: Familiarity, name: str) -> None:
        self.familiarity, self.name = familiarity, name
        self.warned = False
        self._judged = False
        self._characters = 0
        self._counts = self._no_counts()

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
        """Yield the parts of a text while they are judged; if it is strict, after its beginning was judged.

        each : the parts are texts, and each is judged by itself
        words_of : returns the data of a part, in which words are counted
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
        """Count the words of a part, and judge each window that is full."""
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

    def _no_counts(self) -> list[tuple[int, int]]:
        return [(0, 0)] * len(self.familiarity.shares)

    def _judge(self) -> None:
        """Judge the text since the last judgement."""
        warning = self.familiarity.warning(self._characters, self._counts)
        self._judged = True
        self._characters, self._counts = 0, self._no_counts()
        if warning is not None and not self.warned:
            self.warn(f"{self.name}: {warning}")
