"""The longest common subsequence of two sequences of words."""

from collections.abc import Sequence


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
