"""Tests of significance: whether one system is better than another on the same examples, or was only lucky.

Every score is a function of counts that are summed over units (examples, or sentences). So the scores of all resampled
test sets are computed from one product of a matrix of draws and a matrix of counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from sapwood.base.optional import require
from sapwood.errors import DataError
from sapwood.metrics.chunks import chunk_counts, looks_like_chunks
from sapwood.metrics.labels import Report, table

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Matrix = NDArray[float64]


_DRAWS_AT_ONCE = 1 << 22  # numbers in a matrix of draws
_MOVES, _EXAMPLES, _WIDTH = 10, 3, 60  # moves in a table, examples of each, and characters of a text


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """One score of two systems, in percent, and the significance of their difference."""

    score: str
    a: float
    b: float
    low: float  # 95 % confidence interval of b - a, from the bootstrap
    high: float
    bootstrap_p: float  # paired bootstrap (Koehn 2004; Berg-Kirkpatrick et al. 2012)
    randomisation_p: float  # approximate randomisation (Noreen 1989; Yeh 2000)

    @property
    def difference(self) -> float:
        """The score of b less that of a, in percentage points."""
        return self.b - self.a

    def row(self) -> list[object]:
        """Return the row of a table: the score, both values, their difference with its interval, and p-values."""
        p = (shown_p(value) for value in (self.bootstrap_p, self.randomisation_p))
        return [self.score, self.a, self.b, f"{self.difference:+.2f}", f"{self.low:+.2f} .. {self.high:+.2f}", *p]


@dataclass(frozen=True, slots=True)
class Comparison(Report):
    """The result of ``compare``: two systems on the same units."""

    units: int
    labels: int  # examples or tokens
    only_a: int  # labels that only a has right
    only_b: int
    sign_p: float  # p-value of the exact sign test over these labels (McNemar)
    scores: tuple[ScoreDifference, ...]

    def as_dict(self) -> dict[str, object]:
        return asdict(self) | {"scores": [asdict(s) | {"difference": s.difference} for s in self.scores]}

    def format(self) -> str:
        """Return an aligned table of the scores, and a line on the labels that only one system has right."""
        rows: list[list[object]] = [["", "A", "B", "B - A", "95 % interval", "p bootstrap", "p randomisation"]]
        rows += [score.row() for score in self.scores]
        total = f"{self.labels:,} labels" + (f" in {self.units:,} sentences" if self.units != self.labels else "")
        discordant = f"only A right: {self.only_a:,}, only B right: {self.only_b:,}, sign test p {shown_p(self.sign_p)}"
        return "\n".join([*table(rows), "", f"{total}; {discordant}"])


def compare(
    gold: Sequence[Sequence[str]],
    a: Sequence[Sequence[str]],
    b: Sequence[Sequence[str]],
    *,
    samples: int = 10_000,
    seed: int = 1,
    macro: bool = True,
) -> Comparison:
    """Compare two systems' labels, unit by unit. An example is a unit of one label, a sentence a unit of many.

    The scores are accuracy and macro F1, or F1 of chunks if the labels are BIO; without `macro`, accuracy alone, as for
    lemmas. A p-value is two-sided: the probability of a difference at least as large if the systems were equally good.

    Raises DataError if the three do not have the same units, or if there are none.
    """
    units = list(zip(gold, a, b, strict=False))
    if not units or not len(gold) == len(a) == len(b):
        raise DataError(f"gold, A and B have {len(gold)}, {len(a)} and {len(b)} examples; give the same, one or more")
    for number, unit in enumerate(units, 1):
        if len({len(labels) for labels in unit}) > 1:
            raise DataError(
                f"sentence {number}: gold, A and B have {', '.join(str(len(labels)) for labels in unit)} labels"
            )
    pairs = [list(zip(gold, guess, strict=True)) for guess in (a, b)]
    right_of = [[(sum(map(str.__eq__, g, h)), len(g)) for g, h in each] for each in pairs]
    scores = [_compared("accuracy", _accuracy, right_of, samples, seed)]
    if any(len(labels) > 1 for labels in gold) and looks_like_chunks(*map(chain.from_iterable, (gold, a, b))):
        chunks = [[chunk_counts(g, [h])[0] for g, h in each] for each in pairs]
        scores.append(_compared("chunk F1", _macro_f1, chunks, samples, seed))
    elif macro:
        names = sorted({label for unit in units for labels in unit for label in labels})
        counts = [_count_labels(gold, guess, names) for guess in (a, b)]
        scores.append(_compared("macro F1", _macro_f1, counts, samples, seed))
    flat = [(x == g, y == g) for unit in units for g, x, y in zip(*unit, strict=True)]
    only_a, only_b = flat.count((True, False)), flat.count((False, True))
    return Comparison(len(units), len(flat), only_a, only_b, sign_test(only_a, only_b), tuple(scores))


def compare_f1(
    a: Sequence[tuple[int, int]], b: Sequence[tuple[int, int]], *, samples: int = 10_000, seed: int = 1
) -> ScoreDifference:
    """Compare two systems' F1 by two counts for each sentence, as ``chunk_counts`` and ``bracket_counts`` return them.

    Raises DataError if the systems do not have the same number of sentences, or if there are none.

    >>> compare_f1([(4, 2), (4, 4)], [(4, 4), (4, 4)]).b
    100.0
    """
    return _compared("F1", _macro_f1, (a, b), samples, seed)


def compare_accuracy(name: str, a: Sequence[tuple[int, int]], b: Sequence[tuple[int, int]]) -> ScoreDifference:
    """Compare two systems' accuracy by two counts for each sentence: right decisions, and all.

    Raises DataError if the systems do not have the same number of sentences, or if there are none.

    >>> compare_accuracy("UAS", [(1, 2), (3, 3)], [(2, 2), (3, 3)]).difference
    20.0
    """
    return _compared(name, _accuracy, (a, b))


def sign_test(wins: int, losses: int) -> float:
    """Return the two-sided p-value of these wins and losses if both were equally likely (exact binomial test).

    >>> sign_test(8, 2)
    0.109375
    """
    n = wins + losses
    ways = accumulate(range(min(wins, losses)), lambda ways, k: ways * (n - k) // (k + 1), initial=1)  # n over k
    return min(1.0, 2 * sum(ways) / (1 << n))


def shown_p(p: float) -> str:
    """Return a p-value as tables print it.

    >>> shown_p(0.0314), shown_p(1e-9)
    ('0.0314', '< 0.0001')
    """
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def _compared(
    name: str, score: Callable[[Matrix], Matrix], both: Sequence[_Counts], samples: int = 10_000, seed: int = 1
) -> ScoreDifference:
    """Resample the units, whose counts are [systems][units][counts].

    Units with equal counts are interchangeable, so a draw says how many of each group are in the sample.
    """
    require("numpy", "comparing systems")
    import numpy as np

    a, b = map(len, both)
    if a == 0 or a != b:
        raise DataError(f"A and B have {a} and {b} sentences; give the same, one or more")
    generator = np.random.default_rng(seed)
    counts = np.hstack([np.array(each, dtype=np.float64) for each in both])
    groups, sizes = np.unique(counts, axis=0, return_counts=True)
    of_a, of_b = np.hsplit(groups, 2)
    sum_a, sum_b = sizes @ of_a, sizes @ of_b
    score_a, score_b = float(score(sum_a[None])[0]), float(score(sum_b[None])[0])
    observed = score_b - score_a
    drawn = np.empty(samples)  # b - a in samples of units, for the bootstrap
    swapped = np.empty(samples)  # b - a with the systems' counts swapped at random, for randomisation
    units = sizes.sum()
    step = max(1, _DRAWS_AT_ONCE // len(groups))
    for start in range(0, samples, step):
        size = min(step, samples - start)
        times = generator.multinomial(units, sizes / units, size=size)
        drawn[start : start + size] = score(times @ of_b) - score(times @ of_a)
        moved = generator.binomial(sizes, 0.5, size=(size, len(groups))) @ (of_b - of_a)
        swapped[start : start + size] = score(sum_b - moved) - score(sum_a + moved)
    tolerance = 1e-9
    low, high = np.percentile(drawn, [2.5, 97.5])
    far = [np.abs(drawn - observed), np.abs(swapped)]
    p = [(1 + int(np.sum(values >= abs(observed) - tolerance))) / (samples + 1) for values in far]
    return ScoreDifference(name, score_a, score_b, float(low), float(high), *p)


def _accuracy(counts: Matrix) -> Matrix:
    """Return the percentage of correct labels [samples] from counts [samples, (correct, labels)]."""
    accuracy: Matrix = 100 * counts[:, 0] / counts[:, 1]
    return accuracy


def _macro_f1(counts: Matrix) -> Matrix:
    """Return the mean F1 over the kinds that occur, in percent [samples].

    The counts are [samples, kinds * (gold + guessed, 2 * correct)].
    """
    import numpy as np

    both, correct = counts[:, 0::2], counts[:, 1::2]
    present = both > 0
    f1 = np.where(present, 100 * correct / np.maximum(both, 1), 0)
    mean: Matrix = f1.sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    return mean


_Units = Sequence[Sequence[str]]
_Counts = Sequence[Sequence[int]]


def _count_labels(gold: _Units, guess: _Units, names: list[str]) -> _Counts:
    place = {name: 2 * k for k, name in enumerate(names)}
    rows = []
    for g_labels, h_labels in zip(gold, guess, strict=True):
        row = [0] * (2 * len(names))
        for g, h in zip(g_labels, h_labels, strict=True):
            row[place[g]] += 1
            row[place[h]] += 1
            row[place[g] + 1] += 2 * (g == h)
        rows.append(row)
    return rows


class Changes(Report):
    """The answers of two systems to the same units: texts with a label or several, or sentences with one for each word.

    text : gives the text of a unit, or of a word in it, for examples; without, they have numbers alone
    """

    def __init__(
        self,
        old: Sequence[Sequence[str]],
        new: Sequence[Sequence[str]],
        text: Callable[[int, int], str] = lambda unit, place: "",
    ) -> None:
        self.labels, self.changed = sum(map(len, old)), 0
        self.moves: Counter[tuple[str, str]] = Counter()
        self.examples: dict[tuple[str, str], list[dict[str, object]]] = {}
        for k, (before, after) in enumerate(zip(old, new, strict=True)):
            for place, move in enumerate(zip(before, after, strict=True)):
                if move[0] == move[1]:
                    continue
                self.changed += 1
                self.moves[move] += 1
                found = self.examples.setdefault(move, [])
                if len(found) < _EXAMPLES:
                    where = {"unit": k + 1, **({"word": place + 1} if len(before) > 1 else {})}
                    found.append({**where, "text": text(k, place)[:_WIDTH]})

    def as_dict(self) -> dict[str, object]:
        moves = [
            {"old": old, "new": new, "count": count, "examples": self.examples[old, new]}
            for (old, new), count in self.moves.most_common()
        ]
        return {"labels": self.labels, "changed": self.changed, "moves": moves}

    def format(self) -> str:
        """Return the number of answers that change, the most frequent changes, and examples of each."""
        share = 100 * self.changed / max(self.labels, 1)
        lines = [f"{self.changed:,} of {self.labels:,} labels change ({share:.2f} %)"]
        rows: list[list[object]] = [["old", "new", "labels"]]
        rows += [[old or "(none)", new or "(none)", count] for (old, new), count in self.moves.most_common(_MOVES)]
        lines += ["", *table(rows)] if self.moves else []
        for (old, new), _ in self.moves.most_common(_MOVES):
            lines += ["", f"{old or '(none)'} -> {new or '(none)'}"]
            for each in self.examples[old, new]:
                word = f".{each['word']}" if "word" in each else ""
                lines.append(f"{each['unit']}{word}  {each['text']}".rstrip())
        return "\n".join(lines)
