"""Words of a dependency tree whose arcs are not projective, found by walking up from every word between."""

from collections.abc import Sequence


def non_projective(heads: Sequence[int]) -> list[int]:
    """Return the words whose arc is not projective: some word between head and modifier is not under the head.

    The heads must be a tree.

    >>> non_projective([2, 0, 5, 2, 2])  # 5 -> 3 passes over 4, which hangs on 2
    [3]
    """
    return [m for m, h in enumerate(heads, start=1) if abs(h - m) > 1 and not _spans_its_own(heads, h, m)]


def _spans_its_own(heads: Sequence[int], h: int, m: int) -> bool:
    """Return whether h is above every word between h and m.

    A word whose head is also between h and m need not be looked at, as its head will be. The others are followed up.
    """
    left, right = min(h, m), max(h, m)
    between = heads[left : right - 1]
    if left <= min(between) and max(between) <= right:
        return True
    for head in between:
        if not left <= head <= right:
            while head not in (0, h):
                head = heads[head - 1]
            if head != h:
                return False
    return True
