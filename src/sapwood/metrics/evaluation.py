"""Gold and guessed labels of a test set, and their scores."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Generic, TypeVar

from sapwood.errors import warn
from sapwood.metrics.chunks import ChunkReport, chunk_scores, looks_like_chunks, unknown_scheme
from sapwood.metrics.confusion import Confusion, confusion
from sapwood.metrics.labels import LabelReport, LabelSetReport, Report, class_scores, label_scores, label_set_scores
from sapwood.metrics.reliability import Coverage, coverage_curve

_Labels = TypeVar("_Labels")
_FOREIGN_SHARE = 0.1  # if more of the labels are not in the tagset, they are of another one
_FEWEST_LABELS = 50  # in fewer labels the share means nothing
_NAMED = 3  # labels that a warning names


@dataclass(frozen=True, repr=False)
class _Evaluation(Report, Generic[_Labels]):
    """Gold and guessed labels with their scores; `repr` shows the scores alone."""

    gold: _Labels
    guess: _Labels
    unseen: dict[str, int]  # gold labels that the model does not have -> how often

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} {value:.2f}" for name, value in self.as_dict().items() if type(value) is float)
        return f"<{type(self).__name__}: {numbers}; print it for more>"


@dataclass(frozen=True, repr=False)
class SequenceEvaluation(_Evaluation[list[list[str]]]):
    """Gold and guessed labels of sentences."""

    tagset: Collection[str] = ()  # the model's labels

    @cached_property
    def labels(self) -> LabelReport:
        """The scores of the labels."""
        return label_scores(self.gold, self.guess)

    @cached_property
    def chunks(self) -> ChunkReport | None:
        """The scores of the chunks; None if the labels do not spell chunks."""
        labels, guess = (list(chain.from_iterable(side)) for side in (self.gold, self.guess))
        if looks_like_chunks(labels, guess, self.tagset):
            return chunk_scores(self.gold, self.guess)
        if label := unknown_scheme(labels):
            schemes = "BIO, IOBES (BIOES), BILUO (BILOU), BMES; labels are scored one by one, chunks are not"
            warn(f"the label {label!a} is in none of these schemes of chunks: {schemes}")
        return None

    def format(self) -> str:
        """Return the scores of the labels, and those of the chunks if there are any, as text."""
        labels = self.labels.format() + unseen_text(labels=self.unseen)
        return labels if self.chunks is None else f"{labels}\n\n{self.chunks.format()}"

    def as_dict(self) -> dict[str, object]:
        chunks = {} if self.chunks is None else {n: getattr(self.chunks, n) for n in ("f1", "precision", "recall")}
        return {"accuracy": self.labels.accuracy, **chunks}


@dataclass(frozen=True, repr=False)
class ClassEvaluation(_Evaluation[list[str]]):
    """Gold and guessed labels of examples."""

    confidences: Sequence[float] = ()  # in the guessed labels, if the model is calibrated

    @cached_property
    def labels(self) -> LabelReport:
        """The scores of the labels."""
        return class_scores(self.gold, self.guess)

    @cached_property
    def confusion(self) -> Confusion:
        """The confusion matrix."""
        return confusion(self.gold, self.guess)

    def format(self) -> str:
        """Return the scores of the labels and the confusion matrix as text."""
        rows = [f"{100 * c.coverage:8.0f} % {100 * c.precision:11.2f} {c.confidence:17.4f}" for c in self.coverage]
        surest = ["", "  answered   precision   from confidence", *rows] if rows else []
        confusions = f"{self.confusion.format()}{unseen_text(labels=self.unseen)}"
        return "\n".join([self.labels.format(), "", confusions, *surest])

    @cached_property
    def coverage(self) -> list[Coverage]:
        """The precision of the surest answers, by coverage; none if the model is not calibrated."""
        right = list(map(str.__eq__, self.gold, self.guess))
        return coverage_curve(self.confidences, right) if self.confidences else []

    def as_dict(self) -> dict[str, object]:
        coverage = {"coverage": [each._asdict() for each in self.coverage]} if self.coverage else {}
        return {**self.labels.as_dict(), "confusion": self.confusion.as_dict(), **coverage}


@dataclass(frozen=True, repr=False)
class LabelSetEvaluation(_Evaluation[list[list[str]]]):
    """Gold and guessed labels of examples that have any number of them."""

    model_labels: list[str]

    @cached_property
    def labels(self) -> LabelSetReport:
        """The scores of the labels."""
        return label_set_scores(self.gold, self.guess, self.model_labels)

    def format(self) -> str:
        return self.labels.format() + unseen_text(labels=self.unseen)

    def as_dict(self) -> dict[str, object]:
        return self.labels.as_dict()


def unseen_labels(gold: Iterable[Iterable[str]], model_labels: Iterable[str]) -> dict[str, int]:
    """Count the gold labels that a model does not have. "_" is no label."""
    tagset = {*model_labels, "_"}
    return dict(Counter(label for labels in gold for label in labels if label not in tagset))


def unseen_text(**kinds: Mapping[str, int]) -> str:
    """Return the end of a report: gold labels that the model does not have, by kind, and how often each occurs."""
    end = ""
    for kind, counts in kinds.items():
        listed = ", ".join(f"{label} ({count})" for label, count in sorted(counts.items()))
        end += f"\n{kind} that training never saw, scored as wrong: {listed}" if counts else ""
    return end and f"\n{end}"


def warn_of_tagset(name: str, labels: Iterable[str], tagset: Iterable[str], owner: str) -> None:
    """Warn if none of the labels is in the tagset, or a tenth of them is not. "_" is no label.

    name : the file and the column of the labels
    owner : the owner of the tagset, such as "the model"
    """
    counts, there = Counter(label for label in labels if label != "_"), set(tagset) - {"_"}
    others = {label: count for label, count in counts.items() if label not in there}
    share = sum(others.values()) / max(counts.total(), 1)
    if not there or share < _FOREIGN_SHARE or (len(others) < len(counts) and counts.total() < _FEWEST_LABELS):
        return
    none = len(others) == len(counts)
    how_many = "none of its labels is a label" if none else f"{100 * share:.0f} % of its labels are not labels"
    here = _first_labels(sorted(others, key=others.__getitem__, reverse=True))
    message = f"{name}: {how_many} of {owner}, which has {_first_labels(sorted(there))}: {here}"
    warn(f"{message}; is it another tagset or column?")


def in_tagset(name: str, gold: list[list[str]], tagset: Collection[str]) -> list[list[str]]:
    """Return gold labels in the normal form that the model has them in; warn of that, and of those of other tagsets."""
    from sapwood._core import composed  # scores are there without the core, too
    from sapwood.io.normal_form import warn_of_normal_form

    spelled = {composed(label): label for label in tagset if not label.isascii()}
    pairs = [(label, spelled.get(composed(label), label)) for label in {*chain.from_iterable(gold)} - {*tagset}]
    if warn_of_normal_form(f"labels of {name} and of the model", sorted(pairs)):
        gold = [[dict(pairs).get(label, label) for label in labels] for labels in gold]
    warn_of_tagset(name, chain.from_iterable(gold), tagset, "the model")
    return gold


def _first_labels(labels: list[str]) -> str:
    return ", ".join([*(ascii(label)[1:-1][:40] for label in labels[:_NAMED]), *["..."] * (len(labels) > _NAMED)])
