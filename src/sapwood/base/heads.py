"""Dependency trees as lists of heads.

``heads[m - 1]`` is the number of word m's head; words are numbered from 1, and 0 is the root above them all.
The heads are a tree if following them from any word ends at 0. Several words may hang on the root.
"""

from collections.abc import Sequence

from ..errors import DataError

NO_DEPREL = "_"


def check_heads(heads: Sequence[int], where: str) -> None:
    """Raise ``DataError`` unless the heads are a tree; ``where`` begins the message.

    >>> check_heads([2, 3, 1], "sentence 1")
    Traceback (most recent call last):
    sapwood.errors.DataError: sentence 1: the head of word 1 is under word 1 itself; every word must hang on the root
    """
    n = len(heads)
    walk = [0] * (n + 1)  # [n + 1] start of the first walk that reached this word; 0: none yet
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
