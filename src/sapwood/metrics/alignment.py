"""The words of two segmentations of a text that are the same, as the CoNLL-2018 shared task aligns them.

Words are aligned by their characters; where one side has a token of several words, the words between the ends of such
tokens by their longest common subsequence of forms.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Words(NamedTuple):
    """The words of a text."""

    spans: Sequence[tuple[int, int]]  # [words] begin and end of the word's token, in characters
    forms: Sequence[str]  # [words]
    multiword: Sequence[bool]  # [words] whether the word's token has several words


def aligned_words(gold: Words, system: Words) -> list[tuple[int, int]]:
    """Return the pairs (gold word, system word) that are aligned, in order."""
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(gold.spans) and j < len(system.spans):
        (begin, end), (other_begin, other_end) = gold.spans[i], system.spans[j]
        if gold.multiword[i]:
            # One plain word that began before is left out, as by the official script.
            j += not system.multiword[j] and other_begin < begin
            i, j = _align_multiword_span(gold, system, i, j, end, pairs)
        elif system.multiword[j]:
            i += begin < other_begin
            i, j = _align_multiword_span(gold, system, i, j, other_end, pairs)
        elif begin == other_begin and end == other_end:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif begin <= other_begin:
            i += 1
        else:
            j += 1
    return pairs


def _align_multiword_span(
    gold: Words, system: Words, i: int, j: int, end: int, pairs: list[tuple[int, int]]
) -> tuple[int, int]:
    """Add the pairs of the multiword span that begins at gold word i and system word j; return the words after it.

    The span ends at `end`, or at the next place behind it that is not inside a multiword token.
    """

    def inside(words: Words, word: int) -> bool:
        if word == len(words.spans):
            return False
        first, last = words.spans[word]
        return first < end if words.multiword[word] else last <= end

    from_i, from_j = i, j
    while inside(gold, i) or inside(system, j):
        of_gold = i < len(gold.spans) and (j == len(system.spans) or gold.spans[i][0] <= system.spans[j][0])
        words, word = (gold, i) if of_gold else (system, j)
        if words.multiword[word]:
            end = max(end, words.spans[word][1])
        i, j = (i + 1, j) if of_gold else (i, j + 1)
    common = common_subsequence(gold.forms[from_i:i], system.forms[from_j:j])
    pairs += [(from_i + k, from_j + m) for k, m in common]
    return i, j


def common_subsequence(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of indexes of a longest common subsequence.

    L[k][m] is the length of a longest common subsequence of a[k:] and b[m:]: 1 + L[k+1][m+1] if a[k] = b[m], else
    max(L[k+1][m], L[k][m+1]).
    """
    same = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    pairs = [(k, k) for k in range(same)]  # a common beginning belongs to it, and is often all of it
    rows = [[0] * (len(b) + 1)]  # L, the last row first
    for k in reversed(range(same, len(a))):
        row, below = [0] * (len(b) + 1), rows[-1]
        for m in reversed(range(same, len(b))):
            row[m] = 1 + below[m + 1] if a[k] == b[m] else max(below[m], row[m + 1])
        rows.append(row)
    k = m = same
    while k < len(a) and m < len(b):
        if a[k] == b[m]:
            pairs.append((k, m))
            k += 1
            m += 1
        elif rows[len(a) - k][m] == rows[len(a) - k - 1][m]:
            k += 1
        else:
            m += 1
    return pairs
