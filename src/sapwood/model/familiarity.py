"""The familiarity of a model with a text: the share of its words that are frequent ones of the training data.

A model keeps the most frequent words of its training data, and their share of all words (core/model/familiarity.hpp).
Any text of its kind has about as many. A text with far fewer is of another language or no plain text; the model warns
of it once. Of each other column that the model reads, such as tags, it keeps the same, and the share of empty cells: a
text without a column, or with another tagset, is warned of, too.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf, sqrt
from typing import Any, Self, TypeVar

import sapwood._core as _core
from sapwood.errors import Listener, warn, warn_unfamiliar
from sapwood.model.file.bundled import OTHERS
from sapwood.model.file.records import Familiar, FrequentShares
from sapwood.model.file.schema import ModelFile
from sapwood.model.language import recognised
from sapwood.parts import CONLLU

Words = _core.Columns | _core.Conllu | _core.Documents | _core.FeatureRows
Data = Words | _core.Doc
Counts = tuple[int, int, int]
Cells = list[Counts]  # for each column after that of the words its cells, those with frequent values, the empty ones
T = TypeVar("T")

WINDOW = 4096  # characters that are judged together
_LONG = 200  # characters of a long text
_FEWEST_WORDS = 12  # in fewer, the share means nothing, and a text is strange only if none of its words is known
_FEWEST_UNKNOWN = 5  # words of a short text; fewer are never strange
_FAR_BELOW = 2.5  # a long text is strange if its share is lower than that of training data, divided by this
_SHORT_BELOW = 5  # the same of a short one
_NAMED = 20  # strange texts that a warning names
_LOWEST_SHARE = 0.3  # a column of training data with a lower share is not judged
_MOST_COLUMNS = 8  # columns that are judged, at most
_CELLS = 500  # words whose other columns are judged together
_BEYOND = 0.25  # cells are strange if their share is by so much beyond that of nearly all windows of training data
_FILL = "'sapwood tag' or 'sapwood annotate --input conllu' fills it, or train without it (--tag-columns)"
_SENTENCES = 200  # sentences that tell the language
_FEW_BEYOND = 2.5  # in few cells by so much, divided by the root of their number


def familiar_in(data: Iterable[Words], columns: Mapping[str, int]) -> Familiar:
    """Return the frequent words of training data, none if there are too few to say anything.

    columns : names and numbers of the columns that the model reads, that of the words first
    """
    learner = familiarity_learner(columns)
    for part in data:
        learner.add(part)
    return frequent_words(learner, columns)


def columns_before_label(model: ModelFile) -> dict[str, int]:
    """Return the names and numbers of the columns before the label."""
    return {name: number for number, name in enumerate(model.columns[: model.label])}


def familiarity_learner(columns: Mapping[str, int]) -> _core.FamiliarityLearner:
    """Return a learner of the frequent words and values in these columns."""
    return _core.FamiliarityLearner([*columns.values()][:_MOST_COLUMNS])


def frequent_words(learner: _core.FamiliarityLearner, columns: Mapping[str, int]) -> Familiar:
    """Return the frequent words of the data that a learner has counted, none if there are too few."""
    frequent, shares, seen = learner.learned()
    return Familiar(frequent, [_shares(*each) for each in zip(columns.items(), shares, strict=False)], seen)


def _shares(column: tuple[str, int], found: dict[str, Any]) -> FrequentShares:
    """Return the shares of a column, rounded as in the file. The words have no name if they are the first column."""
    rounded = {key: [round(share, 4) for share in found[key]] for key in ("sentences", "windows", "empty")}
    shares = FrequentShares(share=round(found["share"], 4), sentences=rounded["sentences"], windows=rounded["windows"])
    if column[1] > 0:
        shares["name"], shares["empty"] = column[0], rounded["empty"]
    return shares


class ShortTexts:
    """Counts the words of short texts together, as each has too few, and judges them whenever there are twice as many.

    It warns once.
    """

    def __init__(self) -> None:
        self._counts: Counts = (0, 0, 0)
        self._judged_at: float = _FEWEST_WORDS  # words

    def add(self, familiarity: Familiarity, counts: Counts) -> str | None:
        """Count a text. Return the warning if all of them are strange to the model."""
        self._counts = _sum(self._counts, counts)
        if self._counts[1] < self._judged_at:
            return None
        warning = familiarity.warning(*self._counts)
        self._judged_at = 2 * self._counts[1] if warning is None else inf
        return warning and f"together with the short texts before it, {warning}"


class Familiarity:
    """A judge of texts by the frequent words of a model's file. A file without them judges nothing.

    core : counts the words of a text that are frequent ones; None if the file has none
    on_warning : takes the message about a strange text
    strict : hold the parts of a text back until its beginning is judged, as `on_warning` may raise
    short : counts the short texts of a request together; without, each is judged by itself
    """

    on_warning: Listener = staticmethod(warn_unfamiliar)
    strict = False
    short: ShortTexts | None = None

    def __init__(self, model: ModelFile) -> None:
        shares = [] if model.familiar is None else model.familiar.columns
        self.shares = shares[:1] + [each for each in shares[1:] if "empty" in each]  # not those of earlier files
        names = CONLLU if model.task == "parse" else model.columns
        self.numbers = [names.index(each["name"]) if "name" in each else 0 for each in self.shares]
        self.task, self.of_features = model.task, model.columns[:1] == ["feature"]
        self._file, self.core = model, None
        if model.familiar is not None and self.shares:
            self.core = _core.Familiarity(model.familiar.frequent, self.numbers)

    def with_listener(self, on_warning: Listener, *, strict: bool = False, short: ShortTexts | None = None) -> Self:
        """Return the same familiarity for another listener, which counts short texts together."""
        result = copy.copy(self)
        result.on_warning, result.strict, result.short = on_warning, strict, short or ShortTexts()
        return result

    def check(self, data: Data, name: str) -> bool:
        """Warn if data in memory are strange to the model; return true if it warned."""
        monitor = Monitor(self, name)
        monitor.add(data)
        monitor.end()
        return monitor.warned

    def count_each(self, data: Words) -> list[_core.FamiliarityCounts]:
        """Return the counts of each sentence or example; none if the file says nothing of familiarity."""
        return [] if self.core is None else self.core.count_each(data)

    def relative(self, doc: _core.Doc) -> tuple[float, bool]:
        """Return the share of frequent words, as a part of that of training data, and true if the text is strange."""
        if self.core is None:
            return 1.0, False
        counts: Counts = (0, 0, 0)
        for found in self.core.count(doc, WINDOW):
            counts = _sum(counts, (found.characters, *found.words))
        _, words, known = counts
        return known / max(words, 1) / self.shares[0]["share"], self.warning(*counts) is not None

    def warn_if_seen(self, data: Words, name: str) -> None:
        """Warn of data with gold answers that the model was trained on."""
        file = self._file
        share = _core.share_seen(file.familiar.seen, min(file.label, _MOST_COLUMNS), data) if file.familiar else 0
        if share:
            message = f"{share:.0%} of this stands in the model's training data, so that confidences are too high"
            warn(f"{name}: {message}; hold some out")

    def monitor(self, parts: Iterable[T], name: str) -> Iterator[T]:
        return Monitor(self, name).parts(parts)

    def warning(self, characters: int, words: int, known: int) -> str | None:
        """Return the warning of a strange text, by its words and those that the model knows; None for any other."""
        if not self.shares or self.shares[0]["share"] < _LOWEST_SHARE or not self.shares[0]["windows"]:
            return None
        share, windows, long = self.shares[0]["share"], self.shares[0]["windows"], characters >= _LONG
        if words >= _FEWEST_WORDS:
            is_strange = known < words * (min(share / _FAR_BELOW, windows[1]) if long else share / _SHORT_BELOW)
        else:
            is_strange = known == 0 and (words >= _FEWEST_UNKNOWN or long)
        what = "features of these examples" if self.of_features else "words of this text"
        why = "is it data of another kind?" if self.of_features else "another language, or not plain text?"
        why += f" {OTHERS}" if self.task == "pipeline" else ""
        return _frequent(known / max(words, 1), what, share, why) if is_strange else None

    def warning_of_cells(self, counts: Cells) -> str | None:
        """Return the warning of columns that are strange; None for any others."""
        found, step = [], ""
        for number, shares, (cells, known, empty) in zip(self.numbers[1:], self.shares[1:], counts, strict=False):
            if not cells or not shares["windows"]:
                continue
            beyond, column = max(_BEYOND, _FEW_BEYOND / sqrt(cells)), f"column {number + 1} ({shares['name']})"
            before, most = shares["empty"]
            if empty / cells > most + beyond:
                found.append(f"{empty / cells:.0%} of {column} is empty, in the model's training data {before:.0%} was")
                step = _FILL if self.task == "parse" else "fill it, or train without it (--template)"
            elif shares["share"] >= _LOWEST_SHARE and known / cells < shares["windows"][1] - beyond:
                what = f"values in {column}"
                found.append(_frequent(known / cells, what, shares["share"], "are these the right columns?"))
        return "; ".join(found + [step] * bool(step)) or None


def _frequent(found: float, what: str, share: float, why: str) -> str:
    here = f"{found:.0%} of the {what} are frequent in the model's training data"
    return f"{here}, in texts of its kind {share:.0%} are: {why}"


class Monitor:
    """Judges a text that comes in parts, window by window, and warns once.

    A reader that finds the text's format strange calls `warn`; there is no warning of its words then.
    """

    def __init__(self, familiarity: Familiarity, name: str) -> None:
        self.familiarity, self.name = familiarity, name
        self.warned, self._short = False, familiarity.short
        self._judged = False
        self._window: list[Data] = []  # parts that began since the last judgement; their beginnings tell the language
        self._counts: Counts = (0, 0, 0)  # characters, words, words that the model knows
        self._cells: Cells = []
        self._texts = 0  # documents so far, of which each is also judged by itself
        self._strange: list[tuple[int, str]] = []  # number and warning of those that are strange

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

        each : the parts are texts; each is judged by itself, and short ones also together
        words_of : returns the data of a part, in which words are counted
        """
        held = []
        self._short = self._short or (ShortTexts() if each else None)
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
        core = self.familiarity.core
        if self.warned or core is None:
            return
        self._window.append(data)
        for counts in core.count(data, WINDOW):
            self._counts = _sum(self._counts, (counts.characters, *counts.words))
            if self._counts[0] >= WINDOW:
                self._judge()
        if isinstance(data, _core.Documents) and not self.warned:
            self._look_at_each(data)
        cells: list[Cells] = [] if isinstance(data, (_core.Doc, _core.FeatureRows)) else core.count_cells(data, _CELLS)
        for each in cells:
            self._cells = [*map(_sum, self._cells, each)] if self._cells else each
            if self._cells[0][0] >= _CELLS:
                self._judge_cells()

    def end(self) -> None:
        """Judge what is left: the words of a text that is shorter than a window, and the other columns."""
        if not self._judged:
            self._judge()
        self._judge_cells()
        if self._strange and not self.warned:
            numbers = ", ".join(str(number) for number, _ in self._strange[:_NAMED])
            more = ", ..." if len(self._strange) > _NAMED else ""
            number, why = self._strange[0]
            many = f"{len(self._strange):,} of {self._texts:,} texts are strange to the model, number {numbers}{more}"
            self.warn(f"{self.name}: {many}; of number {number}, {why}")

    def _look_at_each(self, data: _core.Documents) -> None:
        """Judge each document by itself: one of another kind is lost among others."""
        for each in self.familiarity.count_each(data):
            self._texts += 1
            if (why := self.familiarity.warning(each.characters, *each.words)) is not None:
                self._strange.append((self._texts, why))

    def _judge(self) -> None:
        self._say(self.familiarity.warning(*self._counts), self._window)
        if self._short is not None and not self.warned and self._counts[0] < _LONG:
            self._say(self._short.add(self.familiarity, self._counts), self._window)
        self._judged, self._counts, self._window = True, (0, 0, 0), []

    def _judge_cells(self) -> None:
        self._say(self.familiarity.warning_of_cells(self._cells))
        self._cells = []

    def _say(self, warning: str | None, data: Iterable[Data] = ()) -> None:
        if warning is not None and not self.warned:
            self.warn(f"{self.name}: {warning}{_language_of(data)}")


def _language_of(data: Iterable[Data]) -> str:
    """Return the language of texts or words as the end of a warning, if it is sure; a classifier is loaded for it."""
    texts = []
    for part in data:
        if isinstance(part, _core.Doc):
            texts.append(part.text)
        elif isinstance(part, (_core.Columns, _core.Conllu)):
            column = part.column("form") if isinstance(part, _core.Conllu) else part.column(0)
            texts += [form for sentence in column[:_SENTENCES] for form in sentence]
    code = recognised(" ".join(texts)) if texts else ""
    return f"; it looks like the language {code!r}" if code else ""


def _sum(a: Counts, b: Counts) -> Counts:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]
