"""Candidate lists, prepared for learning and scoring: losses, base scores, and features or the content for kernels."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

import sapwood._core as _core
from sapwood.base.candidates import CandidateList, Structure
from sapwood.errors import DataError
from sapwood.io.lists import checksum, parse_lists, read_lists
from sapwood.io.memory import COUNTED, called
from sapwood.io.source import shown
from sapwood.model.base import is_file
from sapwood.model.support import Content
from sapwood.training.cross_validation import Items
from sapwood.training.streams import StreamedText, check_streamed
from sapwood.training.task import Parts

_LARGEST = 1e15  # largest loss or base score: sums of so large ones are finite in float32

Source = os.PathLike[str] | Sequence[CandidateList]
Made = TypeVar("Made")
Examples = tuple[_core.FeatureRows, list[int], list[float]]  # rows of candidates, the first of each list, their losses
_AT_ONCE = 1 << 17  # base scores read from the scratch file


class Prepared(NamedTuple):
    """Candidate lists with all that a scorer or a kernel learner needs of them."""

    lists: Sequence[CandidateList]
    scale: float  # unit of the base model's scores
    content: Content
    starts: list[int]  # [lists + 1] number of each list's first candidate
    bases: list[float]  # [candidates] (base score - best base score of the list) / scale

    @property
    def rows(self) -> _core.FeatureRows:
        """The content, if it is features."""
        assert isinstance(self.content, _core.FeatureRows)
        return self.content


class Lists(Items[CandidateList], Parts["Lists"]):
    """Lists to train on or to score by."""

    @property
    def first(self) -> Lists:
        return self

    def parts(self) -> Iterator[Sequence[CandidateList]]:
        yield self

    def select(self, chosen: Sequence[int], /) -> Lists:
        return Lists(self[k] for k in chosen)

    def sentence_hashes(self) -> list[int]:
        """Return the hash of the sentence that each is about, 0 for those of fewer than 8 tokens."""
        return [_hash_of(each) for each in self]

    @property
    def checksum(self) -> int:
        return _core.checksum(array("Q", [checksum(each) for each in self]).tobytes())

    @property
    def kinds(self) -> set[str]:
        return {each.kind for each in self}

    @property
    def candidates(self) -> int:
        return sum(len(each.candidates) for each in self)

    def distance(self) -> float:
        """Return the mean distance of a candidate's score from the best of its list, 1 if that is 0."""
        scores = base_scores_of(self, 1.0)
        return sum(-score / len(scores) for score in scores) or 1.0


def candidate_lists(source: Source) -> list[CandidateList]:
    """Read lists from a file, or take them from memory. Raises DataError."""
    if is_file(source, "lists of candidates"):
        return read_lists(source)  # type: ignore[arg-type]
    for number, each in enumerate(lists := list(source), 1):  # type: ignore[arg-type]
        if not hasattr(each, "candidates"):  # the laboratory has a class of its own
            raise DataError(f"input: list {number} {COUNTED} is {called(each)}, and no sapwood.io.lists.CandidateList")
    return lists


def read_some(source: Any, purpose: str) -> Lists:
    """Read lists to train on or to score. Raises DataError if there is none."""
    lists = Lists(candidate_lists(source))
    if not lists:
        name = shown(source) if isinstance(source, os.PathLike) else "input"
        raise DataError(f"{name}: there is no list of candidates to {purpose}")
    return lists


def _hash_of(each: CandidateList) -> int:
    first = each.candidates[0].structure
    tokens = each.tokens or (first.split() if isinstance(first, str) else ())
    return hash(str(tokens)) if len(tokens) >= 8 else 0


def losses_of(each: CandidateList) -> list[float]:
    """Return the loss of each candidate: its own, or the number of its errors beside gold.

    Errors are constituents (trees), chunks or labels, and heads, that are wrong or missing. Raises DataError if neither
    losses nor gold are known, or if they cannot be used.
    """
    losses = [candidate.loss for candidate in each.candidates if candidate.loss is not None]
    if len(losses) == len(each.candidates):
        for loss in losses:
            if not 0 <= loss <= _LARGEST:
                raise DataError(f"{each.where}: the loss {loss} is not a number from 0, the best, to 1e15")
        return losses
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


def candidate_rows(lists: Sequence[CandidateList], scale: float) -> _core.FeatureRows:
    """Return a row of features for each candidate, the base model's score among them. Raises DataError."""

    def rows(part: Sequence[CandidateList], name: str) -> _core.FeatureRows:
        kind, flat, shapes, scores = _structures(part, scale)
        if kind == "tree":
            return _core.tree_rows(flat, scores, name)
        if kind == "heads":
            return _core.arc_rows(*shapes, scores, name)
        if kind == "labels":
            return _core.label_rows(*shapes, scores, name)
        if any("score" in features for features in flat):
            raise DataError(
                "a feature is called 'score', which is that of the base model's score; call it something else"
            )
        scored = [{**features, "score": score} for features, score in zip(flat, scores, strict=True)]
        return _core.FeatureRows.from_dicts(scored, name, False, "candidate")

    return placed(rows, lists)


def feature_texts(lists: Sequence[CandidateList], scale: float) -> dict[int, str]:
    """Return the texts of the features that `candidate_rows` finds, by key."""
    kind, flat, shapes, scores = _structures(lists, scale)
    if kind == "tree":
        texts = dict(_core.tree_names(flat, "candidates"))
    elif kind == "heads":
        texts = dict(_core.arc_names(*shapes, scores, "candidates"))
    elif kind == "labels":
        texts = dict(_core.label_names(*shapes, scores, "candidates"))
    else:
        texts = {_core.key_of(name): name for features in flat for name in features}
    return {_core.key_of("score"): "score"} | texts


def _structures(
    lists: Sequence[CandidateList], scale: float
) -> tuple[str, list[Any], tuple[list[Any], list[Any]], list[float]]:
    """Return the kind of all candidates, all of them, the tokens and candidates of each list, and all base scores."""
    scores = base_scores_of(lists, scale)
    by_list = [[candidate.structure for candidate in each.candidates] for each in lists]
    flat = [structure for structures in by_list for structure in structures]
    return lists[0].kind if lists else "features", flat, ([each.tokens for each in lists], by_list), scores


def base_scores_of(lists: Sequence[CandidateList], scale: float) -> list[float]:
    """Return (base score - best base score of the list) / scale, of each candidate.

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
    """Return the examples of a learner of feature weights. Raises DataError."""
    return candidate_rows(lists, scale), starts_of(lists), [loss for each in lists for loss in losses_of(each)]


def starts_of(lists: Sequence[CandidateList]) -> list[int]:
    """Return the number of each list's first candidate, and that of all."""
    return [0, *accumulate(len(each.candidates) for each in lists)]


class ListStream(Parts[Lists]):
    """Lists of candidates in a file, which are read part by part. Raises DataError while they are read."""

    def __init__(self, path: object, scratch: str) -> None:
        check_streamed(path)
        self.scratch = scratch
        self._text = StreamedText(path, scratch)
        self._lists = self.candidates = 0  # numbers of those that were read
        self.kinds: set[str] = set()
        self._scores = _core.SpooledText(scratch)
        self._checksums = array("Q")  # [lists]

    def __len__(self) -> int:
        return self._lists

    @cached_property
    def first(self) -> Lists:
        """The first part that is not empty; afterwards all is known but the features."""
        found: Sequence[CandidateList] = ()
        for part in self.parts():
            found = found or part
            for each in part:
                self._checksums.append(checksum(each))
                self._lists += 1
                self.candidates += len(each.candidates)
                self.kinds.add(each.kind)
            self._scores.add(array("d", base_scores_of(part, 1.0)).tobytes())
        if not found:
            raise DataError(f"{self._text.name}: there is no list of candidates to train on")
        return Lists(found)

    @property
    def checksum(self) -> int:
        return _core.checksum(self._checksums.tobytes())

    def distance(self) -> float:
        return sum(-score / self.candidates for score in self._base_scores()) or 1.0

    def _base_scores(self) -> Iterator[float]:
        place = 0
        while some := self._scores.read(place, 8 * _AT_ONCE):
            yield from memoryview(some).cast("d")
            place += len(some)

    def parts(self) -> Iterator[Sequence[CandidateList]]:
        """Yield the lists of each part of the file that has some."""
        self._text.read_all()
        ends = "line" if self._text.begins_with(b"{", b"[") else "sentence"
        for text, line in self._text.parts(ends):
            if part := list(parse_lists(text, self._text.name, line)):
                yield part
