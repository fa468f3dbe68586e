"""Drift: whether new texts are like those before them, by what a model finds in them, and by no gold answers.

Three measures, each with its size and with the probability p of so much by chance:

familiarity  shares of known words, text by text: the two-sample Kolmogorov-Smirnov distance D, the largest one of the
             two distribution functions; p by Kolmogorov's limit with Stephens' correction (1970). A model file keeps
             quantiles of its training data alone; then D is the largest distance at these, and p rather too large.
confidence   the same of the confidences, a mean for each text.
labels       shares of labels: the population stability index, sum of (new - old) ln(new / old), also called Jeffreys'
             divergence (1946); p by the chi-squared test. Labels of the words of one text depend on each other, so the
             statistic is divided by the mean design effect (Rao & Scott 1984).

Whatever has p >= 0.01 is said to be no more than chance. Beyond that the size decides: a change is small below D = 0.1
or an index of 0.1, and large from 0.25 on, as credit scoring reads the index (Siddiqi 2006).
"""

import os
from collections import Counter
from collections.abc import Sequence
from math import exp, log, sqrt
from statistics import NormalDist, fmean, median
from typing import Any, NamedTuple

from sapwood.errors import DataError, ModelError
from sapwood.io.json_text import fits
from sapwood.io.source import shown
from sapwood.metrics.labels import Report, table
from sapwood.metrics.significance import Changes, shown_p
from sapwood.model.base import AnyModel, with_listener
from sapwood.model.parts import require_capability

CHANCE, SMALL, LARGE = 0.01, 0.1, 0.25
_FEWEST = 5  # expected labels of a kind, below which rare ones are counted together (Cochran 1954)
_NAMED = 10  # labels in a table
_SAID = 3  # labels in a sentence
_QUANTILES = 0.001, 0.01, 0.1, 0.5  # at which a file keeps familiarity, see core/model/familiarity.hpp


class Sample(NamedTuple):
    """The findings of a model in texts. Of training data it may be the counts of labels alone.

    familiarity : [texts] the share of words that are frequent ones of training; texts without a word are left out
    strange : texts that the model was not made for
    confidences : [texts] of a calibrated model, the mean over the text's decisions
    labels : [texts] how often each label was given
    """

    name: str
    texts: int
    familiarity: Sequence[float]
    strange: int
    confidences: Sequence[float]
    labels: Sequence[Counter[str]]


class Quantiles(NamedTuple):
    """The facts in a model file on its training data: quantiles of familiarity, and how often each label occurs."""

    familiarity: Sequence[tuple[float, float]]  # share of the texts, and the familiarity that they have at most
    labels: Counter[str]  # empty if the file does not keep them


class Change(NamedTuple):
    """The change in one measure."""

    measure: str
    size: float
    p: float
    said: str  # the verdict on the change, in words

    @property
    def verdict(self) -> str:
        """The change in words, "no more than chance" included."""
        if self.p >= CHANCE:
            return "no more than chance"
        size = "a small change" if self.size < SMALL else "a large change" if self.size >= LARGE else "a change"
        return f"{size}: {self.said}"


def kolmogorov_smirnov(old: Sequence[float], new: Sequence[float]) -> tuple[float, float]:
    """Return the two-sample distance, 0 to 1, and p.

    >>> kolmogorov_smirnov([0, 1, 2, 3], [0, 1, 2, 3])
    (0.0, 1.0)
    """
    a, b, distance = sorted(old), sorted(new), 0.0
    i = j = 0
    while i < len(a) and j < len(b):
        value = min(a[i], b[j])
        while i < len(a) and a[i] == value:
            i += 1
        while j < len(b) and b[j] == value:
            j += 1
        distance = max(distance, abs(i / len(a) - j / len(b)))
    return distance, _kolmogorov(distance, len(a) * len(b) / (len(a) + len(b)))


def distance_at(quantiles: Sequence[tuple[float, float]], new: Sequence[float]) -> tuple[float, float]:
    """Return the largest distance from a distribution of which only quantiles are known, and p.

    At a value that many texts share, any share between those of the texts below and of those up to it is equal.
    """
    distance = 0.0
    for share, value in quantiles:
        below, up_to = (sum(x < value for x in new) / len(new), sum(x <= value for x in new) / len(new))
        distance = max(distance, below - share, share - up_to)
    return distance, _kolmogorov(distance, len(new))


def _kolmogorov(distance: float, n: float) -> float:
    """Return the probability of a larger distance by chance, of n texts."""
    z = distance * (sqrt(n) + 0.12 + 0.11 / sqrt(n))
    if z < 0.3:  # where the sum has not converged, and the probability is over 0.9999
        return 1.0
    tail = sum((1 if k % 2 else -1) * exp(-2 * (k * z) ** 2) for k in range(1, 101))
    return min(1.0, max(0.0, 2 * tail))


def label_shift(old: Sequence[Counter[str]], new: Sequence[Counter[str]]) -> tuple[float, float]:
    """Return the population stability index of the shares of labels, and p.

    old, new : [texts] how often each label occurs; each occurrence is one of its own if there is one text for all
    """
    totals = [_total(part) for part in (old, new)]
    sizes = [total.total() for total in totals]
    if not all(sizes):
        return 0.0, 1.0
    whole, n = totals[0] + totals[1], sum(sizes)
    a, b = ([(total[y] + 0.5) / (total.total() + len(whole) / 2) for y in whole] for total in totals)  # none is 0
    index = sum((q - p) * log(q / p) for p, q in zip(a, b, strict=True))
    rare = {y for y in whole if whole[y] * min(sizes) / n < _FEWEST}
    kept = [y for y in whole if y not in rare]
    cells = [[total[y] for y in kept] + [sum(total[y] for y in rare)] * bool(rare) for total in totals]
    shares = [sum(pair) / n for pair in zip(*cells, strict=True)]
    expected = [[size * share for share in shares] for size in sizes]
    chi = sum(
        (seen - e) ** 2 / e for row, of in zip(cells, expected, strict=True) for seen, e in zip(row, of, strict=True)
    )
    if len(shares) < 2:
        return index, 1.0
    # Each sample's effect weighs as much as its part in the variance of the difference of the two.
    effects = [_design_effect(part, kept, rare) for part in (old, new)]
    effect = sum((1 - size / n) * each for size, each in zip(sizes, effects, strict=True))
    return index, _chi_squared(chi / effect, len(shares) - 1)


def _total(texts: Sequence[Counter[str]]) -> Counter[str]:
    total = Counter[str]()
    for counts in texts:
        total.update(counts)
    return total


def _design_effect(texts: Sequence[Counter[str]], kept: Sequence[str], rare: set[str]) -> float:
    """Return the mean factor by which the variance of shares is larger as labels of one text go together, 1 or more."""
    if len(texts) < 2:
        return 1.0
    rows = [([text[y] for y in kept] + [sum(text[y] for y in rare)] * bool(rare), text.total()) for text in texts]
    n = sum(total for _, total in rows)
    effects = []
    for k in range(len(rows[0][0])):
        share = sum(row[k] for row, _ in rows) / n
        if 0 < share < 1:
            spread = sum((row[k] - total * share) ** 2 for row, total in rows) / n
            effects.append((spread / (share * (1 - share)), 1 - share))
    weight = sum(each for _, each in effects)
    return max(1.0, sum(effect * each for effect, each in effects) / weight) if weight else 1.0


def _chi_squared(statistic: float, freedom: int) -> float:
    """Return the probability of a larger statistic by chance (Wilson & Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return 1 - NormalDist().cdf(((statistic / freedom) ** (1 / 3) - 1 + spread) / sqrt(spread))


class DriftReport(Report):
    """The findings of a model in new texts beside old ones, or beside its training data."""

    def __init__(self, new: Sample, old: Sample | Quantiles) -> None:
        self.new, self.old = new, old
        self.changes = [*_changes(new, old)]

    def as_dict(self) -> dict[str, object]:
        found: dict[str, object] = {"new": _figures(self.new)}
        found["old"] = _figures(self.old) if isinstance(self.old, Sample) else {"labels": dict(self.old.labels)}
        verdicts = [{**each._asdict(), "verdict": each.verdict} for each in self.changes]
        return found | {"changes": verdicts, "drift": self.drifted}

    @property
    def drifted(self) -> bool:
        """True if a measure has changed beyond chance, and not a little."""
        return any(each.p < CHANCE and each.size >= SMALL for each in self.changes)

    def format(self) -> str:
        """Return a table of the two, and a line for each measure that says what has changed."""
        of_old = self.old.labels if isinstance(self.old, Quantiles) else _total(self.old.labels)
        of_new = _total(self.new.labels)
        name = "training" if isinstance(self.old, Quantiles) else self.old.name
        rows: list[list[object]] = [["", name, self.new.name]]
        figures = [_figures(each) if isinstance(each, Sample) else {} for each in (self.old, self.new)]
        if isinstance(self.old, Quantiles):
            figures[0] = {"familiarity": next((value for share, value in self.old.familiarity if share == 0.5), None)}
        for key, what in _ROWS.items():
            if figures[1][key] is not None:
                rows.append([what, *(_cell(each.get(key)) for each in figures)])
        for label, _ in (of_old + of_new).most_common(_NAMED):
            shares = [f"{100 * total[label] / total.total():.1f} %" if total else "" for total in (of_old, of_new)]
            rows.append([label, *shares])
        measures: list[list[object]] = [["", "size", "p"]]
        measures += [[each.measure, f"{each.size:.3f}", shown_p(each.p)] for each in self.changes]
        verdicts = [f"{each.measure}: {each.verdict}" for each in self.changes]
        return "\n".join([*table(rows), "", *table(measures), "", *verdicts])


_ROWS = {
    "texts": "texts",
    "strange": "strange texts",
    "familiarity": "familiarity (median)",
    "confidence": "confidence (mean)",
}


def _cell(value: object) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _figures(sample: Sample) -> dict[str, object]:
    return {
        "name": sample.name,
        "texts": sample.texts,
        "strange": sample.strange,
        "familiarity": round(median(sample.familiarity), 4) if sample.familiarity else None,
        "confidence": round(fmean(sample.confidences), 4) if sample.confidences else None,
        "labels": dict(_total(sample.labels).most_common()),
    }


def _changes(new: Sample, old: Sample | Quantiles) -> list[Change]:
    found = []
    if new.familiarity and old.familiarity:
        if isinstance(old, Quantiles):
            values = distance_at(old.familiarity, new.familiarity)
            below = fmean(
                sum(x < value for x in new.familiarity) / len(new.familiarity) for _, value in old.familiarity
            )
            is_less = below > fmean(share for share, _ in old.familiarity)
        else:
            values = kolmogorov_smirnov(old.familiarity, new.familiarity)
            is_less = fmean(new.familiarity) < fmean(old.familiarity)
        fewer = "fewer" if is_less else "more"
        found.append(Change("familiarity", *values, f"texts have {fewer} words that are frequent in training"))
    if isinstance(old, Sample) and new.confidences and old.confidences:
        less = "less" if fmean(new.confidences) < fmean(old.confidences) else "more"
        values = kolmogorov_smirnov(old.confidences, new.confidences)
        found.append(Change("confidence", *values, f"the model is {less} sure"))
    before = [old.labels] if isinstance(old, Quantiles) else list(old.labels)
    if any(before) and any(new.labels):
        found.append(Change("labels", *label_shift(before, new.labels), _moved(before, new.labels)))
    return found


def _moved(old: Sequence[Counter[str]], new: Sequence[Counter[str]]) -> str:
    totals = [_total(part) for part in (old, new)]
    share = [{y: total[y] / total.total() for y in totals[0] + totals[1]} for total in totals]
    moved = sorted(share[0], key=lambda y: -abs(share[1][y] - share[0][y]))[:_SAID]
    said = (f"{y!a} {100 * share[0][y]:.1f} % -> {100 * share[1][y]:.1f} %"[:80] for y in moved)
    return ", ".join(said)


def drift(model: AnyModel, new: Any, old: Any = None) -> DriftReport:
    """Compare what a model finds in new texts with old ones; without, with what its file keeps of its training data.

    new, old : files, whose paths are pathlib.Paths, or data in memory as `predict` takes them; of a pipeline texts

    Raises DataError for no text, ModelError for a model that reads none.
    """
    return DriftReport(sample(model, new, "new"), of_training(model) if old is None else sample(model, old, "old"))


def changes(old: AnyModel, new: AnyModel, source: Any) -> Changes:
    """Return the changes when one model takes another's place on texts without gold answers; `drift` says which.

    Raises DataError if the two do not cut a text into the same words, ModelError for models of different tasks.
    """
    if old.task != new.task:
        raise ModelError(f"a {old._noun} and a {new._noun} do not answer the same questions")
    before, after = (require_capability(_silent(model), "_observed")(source) for model in (old, new))
    if old.task == "classify":  # an example may have any number of labels
        before, after = (
            each._replace(labels=[["|".join(sorted(row))] for row in each.labels]) for each in (before, after)
        )
    if [*map(len, before.labels)] != [*map(len, after.labels)]:
        raise DataError("the two models cut the text into other words; compare what they say about given ones")
    return Changes(before.labels, after.labels, before.text)


def _silent(model: AnyModel) -> AnyModel:
    """Return a model that warns of nothing, as all is counted here."""
    return with_listener(model, lambda message: None)


def sample(model: AnyModel, source: Any, name: str) -> Sample:
    """Return the findings of a model in texts. Raises DataError and ModelError."""
    name = shown(source) if isinstance(source, os.PathLike) else name
    found = require_capability(_silent(model), "_observed")(source)
    if not found.labels:
        raise DataError(f"{name}: there is no text in it")
    judge = model.familiarity_
    strange = sum(judge.warning(each.characters, *each.words) is not None for each in found.counts)
    shares = [known / words for words, known in (each.words for each in found.counts) if words]
    means = [fmean(row) for row in found.confidences if row]
    return Sample(name, len(found.labels), shares, strange, means, [*map(Counter, found.labels)])


def of_training(model: AnyModel) -> Quantiles:
    """Return the facts in a model's file on its training data: familiarity and, of a classifier, counts of labels."""
    file, counts = model.model_, model.model_.provenance.get("label_counts")
    labels = dict(zip(file.labels, counts, strict=False)) if fits(counts, list[int]) else {}
    judge = model.familiarity_
    values = judge.shares[0]["sentences"] if judge.core is not None else ()
    return Quantiles([*zip(_QUANTILES, values, strict=False)], Counter(labels))
