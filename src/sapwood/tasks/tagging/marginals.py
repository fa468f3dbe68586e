"""The confidence in each label of each token, which sklearn-crfsuite calls marginals, and in chunks.

A calibration gives the confidence c(m) in a decision that is ahead by a margin m. The label y* that was chosen has

    p(y*) = c(min over y of m(y))

where m(y) is how far the best labels of a sentence are ahead of the best ones with y at this token. The others share
what is left by the odds that their own margins would have:

    p(y) = (1 - p(y*)) * odds(y) / (sum of all odds)        odds(y) = (1 - c(m(y))) / c(m(y))
"""

from __future__ import annotations

from collections.abc import Sequence

from sapwood import _core
from sapwood.errors import ModelError
from sapwood.model.confidence import chunk_margins, curves_of, interpolated, shares
from sapwood.model.file.records import Calibration

_LEAST = 1e-9  # of a confidence, where odds are taken


def marginals_of(
    tagger: _core.Tagger, data: _core.Columns, curve: Sequence[float], threads: int
) -> list[list[dict[str, float]]]:
    """Return the confidence in each label of each token, by sentence."""
    chosen, gaps = tagger.predict(data, threads), tagger.gaps(data, threads)
    return [
        [marginals(tagger.labels, label, each, curve) for label, each in zip(*sentence, strict=True)]
        for sentence in zip(chosen, gaps, strict=True)
    ]


def chunks_of(
    calibration: Calibration | None, labels: list[list[str]], margins: list[list[float]]
) -> list[list[tuple[str, int, int, float]]]:
    """Return the chunks of each sentence with the confidence in each. Raises ModelError without a curve for them."""
    from sapwood.metrics.chunks import extract_chunks

    curve = curves_of(calibration)[1:]
    if not curve:
        raise ModelError("the model was calibrated on labels that are not chunks")
    sure = shares(curve, [chunk_margins(labels, margins)])
    return [
        [(*chunk, p) for chunk, p in zip(extract_chunks(sentence), found, strict=True)]
        for sentence, found in zip(labels, sure, strict=True)
    ]


def marginals(labels: Sequence[str], chosen: str, gaps: Sequence[float], curve: Sequence[float]) -> dict[str, float]:
    """Return the confidence in each label of a token; they add up to 1.

    labels : the names of labels; equal ones are one label
    gaps : minus m(y), for each of them

    >>> marginals(["N", "V", "X"], "N", [0.0, -1.0, float("-inf")], [0.0, 0.5, 2.0, 1.0])
    {'N': 0.75, 'V': 0.25, 'X': 0.0}
    """
    least = dict.fromkeys(labels, float("inf"))
    for label, gap in zip(labels, gaps, strict=True):
        least[label] = min(least[label], -gap)
    others = [label for label, margin in least.items() if label != chosen and margin < float("inf")]
    sure = interpolated(curve, [least[label] for label in others])
    odds = {label: (1 - p) / max(p, _LEAST) for label, p in zip(others, sure, strict=True)}
    total = sum(odds.values())
    rest = 1 - min(sure) if total > 0 else 0.0
    found = dict.fromkeys(least, 0.0) | {label: rest * share / total for label, share in odds.items() if total > 0}
    return found | {chosen: 1 - rest}
