"""Candidate lists, prepared for training: losses, base scores, and what features or kernels see of each candidate."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeVar

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.lists import CandidateList, Structure
from sapwood.model.support import Content
from sapwood.training.cross_validation import Items

_LARGEST = 1e15  # of a loss, or a score in its unit: sums of so large ones are finite in float32

Made = TypeVar("Made")
Examples = tuple[_core.FeatureRows, list[int], list[float]]  # rows of candidates, the first of each list, their losses


class Prepared(NamedTuple):
    """Candidate lists with all that a learner needs of them."""

    lists: Sequence[CandidateList]
    scale: float  # the unit of the base model's scores
    content: Content
    starts: list[int]  # the number of each list's first candidate, and that of all
    bases: list[float]  # what the base model's score of each is above the best of its list, in that unit

    @property
    def rows(self) -> _core.FeatureRows:
        """The content, where it is of features."""
        assert isinstance(self.content, _core.FeatureRows)
        return self.content


class Lists(Items[CandidateList]):
    """Lists to train on or to score by."""

    def select(self, chosen: Sequence[int], /) -> "Lists":
        """Return some of the lists."""
        return Lists(self[k] for k in chosen)

    def sentence_hashes(self) -> list[int]:
        """Return the hash of the sentence that each is about, 0 for those of fewer than 8 tokens."""
        return [_hash_of(each) for each in self]


def _hash_of(each: CandidateList) -> int:
    first = each.candidates[0].structure
    tokens = each.tokens or (first.split() if isinstance(first, str) else ())
    return hash(str(tokens)) if len(tokens) >= 8 else 0


def losses_of(each: CandidateList) -> list[float]:
    """Return the loss of each candidate: its own, or the number of its errors beside gold.

    Errors are constituents (trees), chunks or labels, and heads, that are wrong or missing. Raises DataError if neither
    losses nor gold are known, or if they cannot be used.
    """
    losses = [candidate.loss for candidate in each.candidates]
    known = [loss for loss in losses if loss is not None]
    if len(known) == len(losses):
        for loss in known:
            if not 0 <= loss <= _LARGEST:
                raise DataError(f"{each.where}: the loss {loss} is not a number from 0, the best, to 1e15")
        return known
    if each.gold is None or each.kind == "features":
        raise DataError(
            f"{each.where}: candidates without 'loss', in a list without 'gold'; training needs one of them"
        )
    structures = [candidate.structure for candidate in each.candidates]
    if each.kind == "tree":
        from sapwood.metrics.brackets import bracket_counts

        try:
            return [float(both - common) for both, common in bracket_counts(each.gold, structures)]
        except DataError as error:
            raise DataError(f"{each.where}: {error}") from None
    return [_errors(each.kind, each.gold, structure) for structure in structures]


def _errors(kind: str, gold: Structure, guess: Structure) -> float:
    if kind == "heads":
        return float(sum(g != h for g, h in zip(zip(*gold, strict=True), zip(*guess, strict=True), strict=True)))
    from sapwood.metrics.chunks import extract_chunks, looks_like_chunks

    if not looks_like_chunks(gold):
        return float(sum(g != h for g, h in zip(gold, guess, strict=True)))
    return float(len(set(extract_chunks(gold)) ^ set(extract_chunks(guess))))


def placed(make: Callable[[Sequence[CandidateList], str], Made], lists: Sequence[CandidateList]) -> Made:
    """Return make(lists, name for errors). Raises its DataError with the place of the list that is at fault."""
    try:
        return make(lists, "candidates")
    except DataError:
        for each in lists:
            try:
                make([each], each.where)
            except DataError as error:
                text = str(error)
                raise DataError(text if text.startswith(each.where) else f"{each.where}: {text}") from None
        raise


def rows_of(lists: Sequence[CandidateList], scale: float) -> _core.FeatureRows:
    """Return a row of features for each candidate, the base model's score among them. Raises DataError."""
    return placed(lambda part, name: _rows_of(part, scale, name), lists)


def _rows_of(lists: Sequence[CandidateList], scale: float, name: str) -> _core.FeatureRows:
    scores = base_scores_of(lists, scale)
    kind = lists[0].kind if lists else "features"
    structures = [[candidate.structure for candidate in each.candidates] for each in lists]
    flat = [structure for candidates in structures for structure in candidates]
    if kind == "tree":
        return _core.tree_rows(flat, scores, name)
    if kind == "features":
        if any("score" in features for features in flat):
            raise DataError(
                "a feature is called 'score', which is that of the base model's score; call it something else"
            )
        rows = [{**features, "score": score} for features, score in zip(flat, scores, strict=True)]
        return _core.FeatureRows.from_dicts(rows, name, False, "candidate")
    tokens = [each.tokens for each in lists]
    if kind == "heads":
        return _core.arc_rows(tokens, structures, scores, name)
    return _core.label_rows(tokens, structures, scores, name)


def names_of(lists: Sequence[CandidateList], scale: float) -> dict[int, str]:
    """Return the texts of the features that rows_of finds, by key."""
    scores = base_scores_of(lists, scale)
    kind = lists[0].kind if lists else "features"
    structures = [[candidate.structure for candidate in each.candidates] for each in lists]
    flat = [structure for candidates in structures for structure in candidates]
    if kind == "features":
        return {_core.key_of(name): name for name in ("score", *(name for features in flat for name in features))}
    score = {_core.key_of("score"): "score"}
    if kind == "tree":
        return score | dict(_core.tree_names(flat, "candidates"))
    tokens = [each.tokens for each in lists]
    find = _core.arc_names if kind == "heads" else _core.label_names
    return score | dict(find(tokens, structures, scores, "candidates"))


def distance_of(lists: Sequence[CandidateList]) -> float:
    """Return the mean distance of a candidate's score from the best of its list, 1 if that is 0."""
    distances = distances_of(lists)
    return sum(distance / len(distances) for distance in distances) or 1.0


def distances_of(lists: Sequence[CandidateList]) -> list[float]:
    """Return how far each candidate's score is below the best of its list.

    Raises DataError if a score is not a finite number.
    """
    return [-score for score in base_scores_of(lists, 1.0)]


def base_scores_of(lists: Sequence[CandidateList], scale: float) -> list[float]:
    """Return what the base model's score of each candidate is above the best of its list, in units of `scale`.

    Raises DataError if a score is not a finite number, or out of proportion.
    """
    scores = []
    for each in lists:
        best = max(candidate.score for candidate in each.candidates)
        for candidate in each.candidates:
            score = (candidate.score - best) / scale
            if not -_LARGEST <= score <= 0:
                raise DataError(
                    f"{each.where}: the scores {candidate.score} and {best} are too far apart to be compared, beside "
                    "those of the training data"
                )
            scores.append(score)
    return scores


def examples_of(lists: Sequence[CandidateList], scale: float) -> Examples:
    """Return what weights of features are trained on. Raises DataError."""
    return rows_of(lists, scale), starts_of(lists), [loss for each in lists for loss in losses_of(each)]


def starts_of(lists: Sequence[CandidateList]) -> list[int]:
    """Return the number of each list's first candidate, and that of all."""
    return [0, *accumulate(len(each.candidates) for each in lists)]
