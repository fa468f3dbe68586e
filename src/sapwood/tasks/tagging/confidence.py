"""The confidence of a tagger in each label of each token, which sklearn-crfsuite calls marginals, and in chunks.

A calibration gives the confidence c(m) in a decision that is ahead by a margin m. The label y* that was chosen has

    p(y*) = c(min over y of m(y))

where m(y) is how far the best labels of a sentence are ahead of the best ones with y at this token. The others share
what is left by the odds that their own margins would have:

    p(y) = (1 - p(y*)) * odds(y) / (sum of all odds)        odds(y) = (1 - c(m(y))) / c(m(y))

A chunk's margin is the least one of its tokens; chunks have a curve of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import sapwood._core as _core
from sapwood.errors import ModelError
from sapwood.io.columns import DOCUMENT_START
from sapwood.model.abstention import Answered, checked_thresholds
from sapwood.model.confidence import Confidence, DecisionStage, Numbers
from sapwood.model.file.schema import ModelFile

if TYPE_CHECKING:
    from sapwood.metrics.chunks import Chunk

Labels = Sequence[Sequence[str]]  # by sentence
Given = list[list[str | None]]  # likewise; None where the model is not sure enough
_LEAST = 1e-9  # least confidence of which odds are taken


class TaggerConfidence(Confidence[_core.Columns, list[Numbers]]):
    """The confidence of a fitted tagger in labels, and in chunks."""

    def __init__(self, tagger: _core.Tagger, model: ModelFile) -> None:
        self._tagger = tagger
        self._curves = _core.Curve.of_model(model)
        self.has_chunks = len(self._curves) == 2
        self.least: dict[str, float] = {}  # confidence of a decision that is given, by its label; empty: all are
        abstention = None if model.calibration is None else model.calibration.get("abstention")
        if abstention is not None:
            kinds = self._kinds()
            self.least = dict(zip(kinds, checked_thresholds(abstention, len(kinds)) or (), strict=True))
        apply = partial(_core.Curve.confidences, self._curves[:1]) if self._curves else None
        super().__init__(lambda data, threads: [tagger.margins(data, threads)], apply)

    def marginals(self, data: _core.Columns, threads: int) -> list[list[dict[str, float]]]:
        """Return the confidence in each label of each token, by sentence. Raises ModelError without a calibration."""
        self.check()
        labels, curve = self._tagger.labels, self._curves[0]
        chosen, gaps = self._tagger.predict(data, threads), self._tagger.gaps(data, threads)
        return [
            [marginals(labels, label, each, curve) for label, each in zip(*sentence, strict=True)]
            for sentence in zip(chosen, gaps, strict=True)
        ]

    def chunks(self, data: _core.Columns, threads: int) -> list[list[tuple[str, int, int, float]]]:
        """Return the chunks of each sentence with the confidence in each. Raises ModelError if they have no curve."""
        self.check()
        if len(self._curves) < 2:
            raise ModelError("the model was calibrated on labels that are not chunks")
        labels, [margins] = self._tagger.predict(data, threads), self.margins(data, threads)
        confidences = _core.Curve.confidences(self._curves[1:], [chunk_margins(labels, margins)])
        return [
            [(*chunk, p) for chunk, p in zip(*sentence, strict=True)]
            for sentence in zip(_chunks_in(labels), confidences, strict=True)
        ]

    def _kinds(self) -> list[str]:
        """Return the labels of decisions: the types of chunks, or else all labels."""
        if not self.has_chunks:
            return list(dict.fromkeys(self._tagger.labels))
        return sorted({chunk.type for chunks in _chunks_in([[y] for y in self._tagger.labels]) for chunk in chunks})

    def decisions(self, data: _core.Columns, threads: int) -> list[list[tuple[str, int, int, float]]]:
        """Return the chunks of each sentence, or else its labels, as `chunks` does."""
        if self.has_chunks:
            return self.chunks(data, threads)
        pairs = zip(self._tagger.predict(data, threads), self.of(data, threads), strict=True)
        return [[(y, t, t + 1, p) for t, (y, p) in enumerate(zip(*pair, strict=True))] for pair in pairs]

    def unsure(self, data: _core.Columns, threads: int) -> list[list[tuple[str, int, int]]]:
        """Return the decisions of each sentence of which the model is not sure enough; none if it does not abstain."""
        if not self.least:
            return [[] for _ in range(data.sentences)]
        found = self.decisions(data, threads)
        return [[(y, begin, end) for y, begin, end, p in sentence if p < self.least[y]] for sentence in found]

    def given(self, data: _core.Columns, threads: int) -> Given:
        """Return the labels, None where the model is not sure enough."""
        labels: Given = self._tagger.predict(data, threads)  # type: ignore[assignment]
        for of_tokens, sentence in zip(labels, self.unsure(data, threads), strict=True):
            for _, begin, end in sentence:
                of_tokens[begin:end] = [None] * (end - begin)
        return labels

    def answered(self, data: _core.Columns, gold: Labels, threads: int) -> Answered:
        """Return the decisions about data with gold labels, to fit thresholds to."""
        wanted: Sequence[Sequence[tuple[str, int, int]]] = [[(y, t, t + 1) for t, y in enumerate(s)] for s in gold]
        wanted = _chunks_in(gold) if self.has_chunks else wanted
        kinds = {kind: number for number, kind in enumerate(self._kinds())}
        right, sure, labels = [], [], []
        for found, in_gold in zip(self.decisions(data, threads), map(set, wanted), strict=True):
            for kind, begin, end, p in found:
                right.append((kind, begin, end) in in_gold)
                sure.append(p)
                labels.append(kinds[kind])
        return Answered(sure, right, labels, len(kinds))


def marginals(labels: Sequence[str], chosen: str, gaps: Sequence[float], curve: _core.Curve) -> dict[str, float]:
    """Return the confidence in each label of a token; they add up to 1.

    labels : the names of labels; equal ones are one label
    gaps : minus m(y), for each of them

    >>> marginals(["N", "V", "X"], "N", [0.0, -1.0, float("-inf")], _core.Curve([0.0, 0.5, 2.0, 1.0]))
    {'N': 0.75, 'V': 0.25, 'X': 0.0}
    """
    least = dict.fromkeys(labels, float("inf"))
    for label, gap in zip(labels, gaps, strict=True):
        least[label] = min(least[label], -gap)
    others = [label for label, margin in least.items() if label != chosen and margin < float("inf")]
    [confidences] = _core.Curve.confidences([curve], [[[least[label] for label in others]]])
    odds = {label: (1 - p) / max(p, _LEAST) for label, p in zip(others, confidences, strict=True)}
    total = sum(odds.values())
    rest = 1 - min(confidences) if total > 0 else 0.0
    found = dict.fromkeys(least, 0.0) | {label: rest * share / total for label, share in odds.items() if total > 0}
    return found | {chosen: 1 - rest}


def chunk_margins(labels: Labels, margins: Numbers) -> Numbers:
    """Return the margin of each chunk of sentences, in their order."""
    return [
        [min(of_tokens[begin:end]) for _, begin, end in chunks]
        for chunks, of_tokens in zip(_chunks_in(labels), margins, strict=True)
    ]


def _chunks_in(labels: Labels) -> list[list[Chunk]]:
    from sapwood.metrics.chunks import extract_chunks

    return list(map(extract_chunks, labels))


def label_decisions(gold: Labels, guess: Labels, margins: Numbers) -> list[list[DecisionStage]]:
    """Return the decisions about labels and, if these are in BIO or IOBES, about chunks."""
    from sapwood.metrics.chunks import looks_like_chunks

    right = [[g == p for g, p in zip(*pair, strict=True)] for pair in zip(gold, guess, strict=True)]
    stages = [[DecisionStage(margins, right)]]
    if looks_like_chunks(label for sentence in gold for label in sentence):
        pairs = zip(map(set, _chunks_in(gold)), _chunks_in(guess), strict=True)
        in_gold = [[chunk in wanted for chunk in found] for wanted, found in pairs]
        stages.append([DecisionStage(chunk_margins(guess, margins), in_gold)])
    return stages


def with_abstentions(rows: _core.Columns, labelled: bytes, given: Given, nothing: str) -> bytes:
    """Return a column file with labels, made of these rows, with `nothing` in place of labels that are not given."""
    lines = labelled.splitlines(keepends=True)
    for at, label in zip(rows.lines, chain(*given), strict=True):
        if label is None:
            row = lines[at].rstrip(b"\r\n")
            lines[at] = row[: -len(row.split()[-1])] + nothing.encode() + lines[at][len(row) :]
    return b"".join(lines)


def with_confidence_column(rows: _core.Columns, labelled: bytes, confidences: Numbers) -> bytes:
    """Return a column file with labels, made of these rows, with a confidence at the end of each."""
    lines = labelled.splitlines(keepends=True)
    starts = {at: 1.0 for at, line in enumerate(lines) if line.split(maxsplit=1)[:1] == [DOCUMENT_START.encode()]}
    for at, number in (starts | dict(zip(rows.lines, chain(*confidences), strict=True))).items():
        row = lines[at].rstrip(b"\r\n")
        gap = b"\t" if b"\t" in row else b" "
        lines[at] = row + gap + b"%.4f" % number + lines[at][len(row) :]
    return b"".join(lines)
