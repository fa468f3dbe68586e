"""The order in which examples are presented: a new one for each pass, and the same as in the core.

The shuffle is that of Fisher & Yates, with random numbers by SplitMix64 (Steele, Lea & Flood 2014)::

    for k = n .. 2:
        exchange the k-th item with one of the first k, by chance

>>> orders(4, 1, seed=None), orders(4, 2, seed=1)
([[0, 1, 2, 3]], [[0, 1, 3, 2], [0, 3, 2, 1]])
"""

_BITS = (1 << 64) - 1


def orders(n: int, epochs: int, seed: int | None) -> list[list[int]]:
    """Return the order of n examples in each pass; that of the data, if there is no seed."""
    order, state, each = list(range(n)), seed or 0, []
    for _ in range(epochs):
        if seed is not None:
            state = shuffle(order, state)
        each.append(order.copy())
    return each


def shuffle(order: list[int], state: int) -> int:
    """Shuffle a list, given the state of the generator; return its next state."""
    for k in range(len(order), 1, -1):
        state, random = split_mix_64(state)
        j = random * k >> 64
        order[k - 1], order[j] = order[j], order[k - 1]
    return state


def split_mix_64(state: int) -> tuple[int, int]:
    """Return the next state of the generator, and its random number, both of 64 bits."""
    state = (state + 0x9E3779B97F4A7C15) & _BITS
    z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _BITS
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _BITS
    return state, z ^ z >> 31
