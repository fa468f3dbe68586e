"""Gold and guessed labels of a test set, and their scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sapwood.metrics import chunk_scores, class_scores, confusion, label_scores, label_set_scores, looks_like_chunks


class SequenceEvaluation(NamedTuple):
    """Gold and guessed labels of sentences, and what training never saw of the gold ones."""

    gold: list[list[str]]
    guess: list[list[str]]
    unseen: dict[str, int]  # labels that the model does not have -> tokens

    def __str__(self) -> str:
        """Return the scores as text."""
        return self.format()

    def __repr__(self) -> str:
        """Return a few words."""
        return _few_words(self, self.as_dict())

    def format(self) -> str:
        """Return the scores of the labels as text, and of chunks where the labels are chunks."""
        parts = [label_scores(self.gold, self.guess).format() + _unseen(self.unseen)]
        if self._has_chunks():
            parts.append(chunk_scores(self.gold, self.guess).format())
        return "\n\n".join(parts)

    def as_dict(self) -> Mapping[str, object]:
        """Return the scores by their names."""
        accuracy = {"accuracy": label_scores(self.gold, self.guess).accuracy}
        if not self._has_chunks():
            return accuracy
        chunks = chunk_scores(self.gold, self.guess)
        return {**accuracy, "f1": chunks.f1, "precision": chunks.precision, "recall": chunks.recall}

    def _has_chunks(self) -> bool:
        return looks_like_chunks(label for sentence in self.gold for label in sentence)


class ClassEvaluation(NamedTuple):
    """Gold and guessed labels of examples, and what training never saw of the gold ones."""

    gold: list[str]
    guess: list[str]
    unseen: dict[str, int]  # labels that the model does not have -> examples

    def __str__(self) -> str:
        """Return the scores as text."""
        return self.format()

    def __repr__(self) -> str:
        """Return a few words."""
        return _few_words(self, self.as_dict())

    def format(self) -> str:
        """Return the scores of the labels as text, and which was taken for which."""
        scores, matrix = class_scores(self.gold, self.guess), confusion(self.gold, self.guess)
        return f"{scores.format()}\n\n{matrix.format()}{_unseen(self.unseen)}"

    def as_dict(self) -> Mapping[str, object]:
        """Return the scores by their names."""
        scores, matrix = class_scores(self.gold, self.guess), confusion(self.gold, self.guess)
        return {**scores.as_dict(), "confusion": matrix.as_dict()}


class LabelSetEvaluation(NamedTuple):
    """Gold and guessed labels of examples that have any number of them, and the gold ones that training never saw."""

    gold: list[list[str]]
    guess: list[list[str]]
    known: list[str]  # labels that the model has
    unseen: dict[str, int]  # labels that it does not have -> examples

    def __str__(self) -> str:
        """Return the scores as text."""
        return self.format()

    def __repr__(self) -> str:
        """Return a few words."""
        return _few_words(self, self.as_dict())

    def format(self) -> str:
        """Return the scores of the labels as text."""
        return label_set_scores(self.gold, self.guess, self.known).format() + _unseen(self.unseen)

    def as_dict(self) -> Mapping[str, object]:
        """Return the scores by their names."""
        return label_set_scores(self.gold, self.guess, self.known).as_dict()


def unseen_labels(gold: Iterable[Iterable[str]], known: Iterable[str]) -> dict[str, int]:
    """Return how often each gold label occurs that a model does not have."""
    there = set(known)
    unseen: dict[str, int] = {}
    for label in (label for labels in gold for label in labels if label not in there):
        unseen[label] = unseen.get(label, 0) + 1
    return unseen


def _unseen(unseen: dict[str, int]) -> str:
    if not unseen:
        return ""
    listed = ", ".join(f"{label} ({count})" for label, count in sorted(unseen.items()))
    return f"\n\nlabels that training never saw, scored as wrong: {listed}"


def _few_words(evaluation: tuple[object, ...], scores: Mapping[str, object]) -> str:
    numbers = ", ".join(f"{name} {value:.2f}" for name, value in scores.items() if isinstance(value, float))
    return f"<{type(evaluation).__name__}: {numbers}; print it for more>"
