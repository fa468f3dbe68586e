"""The subsequence kernel (Lodhi et al. 2002; Clark 2015: "all sub-sequences in a sequence").

h(s) has for every sequence u of n symbols the sum of decay^l over the places at which u occurs in s, gaps allowed,
where l is the length of the stretch that it is spread over. `by_subsequences` writes all u down. `subsequence_kernel`
does not, and is the same number. For a sequence s x, which ends in the symbol x::

    K'_0(s, t)   = 1
    K'_i(s, t)   = K_i(s, t) = 0    if s or t has fewer than i symbols
    K'_i(s x, t) = decay K'_i(s, t)
                   + sum over j with t_j = x of K'_(i-1)(s, t[1:j-1]) decay^(|t| - j + 2)
    K_n(s x, t)  = K_n(s, t)
                   + sum over j with t_j = x of K'_(n-1)(s, t[1:j-1]) decay^2

where t[1:j-1] are the symbols of t before the j-th.

"All sub-sequences" are those of every length but the empty one. K is then the sum of all K_n, and with K' as the sum
of all K'_i with i > 0 the recurrence needs no i::

    K'(s, t)   = K(s, t) = 0    if s or t is empty
    K'(s x, t) = decay K'(s, t)
                 + sum over j with t_j = x of (1 + K'(s, t[1:j-1])) decay^(|t| - j + 2)
    K(s x, t)  = K(s, t)
                 + sum over j with t_j = x of (1 + K'(s, t[1:j-1])) decay^2

With a decay of 1, K is the number of pairs of equal subsequences, which doubles with every symbol that both have; a
decay below 1 makes that milder, and `sapwood_lab.tree_kernel.normalised` takes the lengths out.

>>> subsequence_kernel("cat", "car", 2, 0.5), by_subsequences("cat", "car", 2, 0.5)
(0.0625, 0.0625)
>>> all_subsequences_kernel("cat", "cat", 1.0), all_subsequences_kernel("cat", "car", 1.0)  # c, a, t, ca, ct, at, cat
(7.0, 3.0)
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cache
from itertools import chain, combinations

Symbols = Sequence[Hashable]

# In the kernels p stands for the first p symbols of s, and q for the first q of t; ends are the j with t_j = x.


def subsequence_kernel(s: Symbols, t: Symbols, n: int, decay: float) -> float:
    """Return the weighted number of subsequences of n symbols that two sequences have in common."""

    @cache
    def K_(i: int, p: int, q: int) -> float:  # K'
        if i == 0:
            return 1.0
        if min(p, q) < i:
            return 0.0
        ends = _ends(s[p - 1], t, q)
        return decay * K_(i, p - 1, q) + sum(K_(i - 1, p - 1, j - 1) * decay ** (q - j + 2) for j in ends)

    def K(p: int) -> float:
        if min(p, len(t)) < n:
            return 0.0
        return K(p - 1) + sum(K_(n - 1, p - 1, j - 1) * decay**2 for j in _ends(s[p - 1], t, len(t)))

    return K(len(s))


def all_subsequences_kernel(s: Symbols, t: Symbols, decay: float) -> float:
    """Return the weighted number of all subsequences but the empty one that two sequences have in common."""

    @cache
    def K_(p: int, q: int) -> float:  # K'
        if min(p, q) == 0:
            return 0.0
        ends = _ends(s[p - 1], t, q)
        return decay * K_(p - 1, q) + sum((1 + K_(p - 1, j - 1)) * decay ** (q - j + 2) for j in ends)

    def K(p: int) -> float:
        if p == 0:
            return 0.0
        return K(p - 1) + sum((1 + K_(p - 1, j - 1)) * decay**2 for j in _ends(s[p - 1], t, len(t)))

    return K(len(s))


def _ends(x: Hashable, t: Symbols, q: int) -> list[int]:
    return [j for j in range(1, q + 1) if t[j - 1] == x]


def by_subsequences(s: Symbols, t: Symbols, n: int, decay: float) -> float:
    """Return h(s) . h(t), from the subsequences themselves."""
    first, second = subsequences(s, n, decay), subsequences(t, n, decay)
    return sum(value * second[u] for u, value in first.items() if u in second)


def subsequences(s: Symbols, n: int, decay: float) -> dict[tuple[Hashable, ...], float]:
    """Return h(s): what each subsequence of n symbols counts, or each but the empty one if n is 0."""
    found: Counter[tuple[Hashable, ...]] = Counter()
    lengths = [n] if n else range(1, len(s) + 1)
    for places in chain.from_iterable(combinations(range(len(s)), length) for length in lengths):
        found[tuple(s[k] for k in places)] += decay ** (places[-1] - places[0] + 1)  # type: ignore[assignment]
    return dict(found)
