"""Dependency trees as lists of heads.

``heads[m - 1]`` is the number of word m's head; words are numbered from 1, and 0 is the root above them all.
The heads are a tree if following them from any word ends at 0. Several words may hang on the root.
"""

from collections.abc import Sequence

from sapwood.errors import DataError


def check_heads(heads: Sequence[int], where: str) -> None:
    """Raise ``DataError`` unless the heads are a tree; ``where`` begins the message.

    >>> check_heads([2, 3, 1], "sentence 1")
    Traceback (most recent call last):
    sapwood.errors.DataError: sentence 1: the head of word 1 is under word 1 itself; every word must hang on the root
    """
    n = len(heads)
    walk = [0] * (n + 1)  # [n + 1] the word at which the walk began that first reached this one
    for word in range(1, n + 1):
        node = word
        while node and not walk[node]:
            walk[node] = word
            head = heads[node - 1]
            if not 0 <= head <= n:
                raise DataError(f"{where}: word {node} has head {head}; heads are 0 (the root) to {n}")
            node = head
        if node and walk[node] == word:
            raise DataError(
                f"{where}: the head of word {node} is under word {node} itself; every word must hang on the root"
            )


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
