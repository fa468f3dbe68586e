"""Easy-first parsing and its training by the definition, and with typical mistakes; for the checkers of lesson 6."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

Action = tuple[int, str]  # a place in the list of pending words, and the side on which the head stands
Features = Callable[[list[int], Action], list[Any]]


def actions(pending: Sequence[int]) -> list[Action]:
    """Return all actions, from left to right."""
    return [(i, side) for i in range(len(pending) - 1) for side in ("left", "right")]


def arc(pending: Sequence[int], action: Action) -> tuple[int, int]:
    """Return the head and the modifier of an action."""
    i, side = action
    return (pending[i], pending[i + 1]) if side == "left" else (pending[i + 1], pending[i])


def without_modifier(pending: Sequence[int], action: Action) -> list[int]:
    """Return the words that are pending after an action."""
    return [word for word in pending if word != arc(pending, action)[1]]


def waited_for(pending: Sequence[int], gold: Sequence[int]) -> set[int]:
    """Return the words that have a child among those pending."""
    return {gold[word] for word in pending}


def valid(pending: Sequence[int], action: Action, gold: Sequence[int]) -> bool:
    """Return whether the arc is in the gold tree and the modifier has all of its children."""
    head, modifier = arc(pending, action)
    return gold[modifier] == head and modifier not in waited_for(pending, gold)


def easy_first(
    n: int,
    score: Callable[[Sequence[int], Action], float],
    last: bool = False,
    swapped: bool = False,
    places: int = 99,
    sides: Sequence[str] = ("left", "right"),
) -> list[int]:
    """Return the heads, by the definition or with a typical mistake."""
    heads, pending = [-1] * n, list(range(n))
    while len(pending) > 1:
        among = [action for action in actions(pending) if action[0] < places and action[1] in sides]
        best = max(among[::-1] if last else among, key=lambda action: score(pending, action))
        head, modifier = arc(pending, best)[:: -1 if swapped else 1]
        heads[modifier] = head
        pending.remove(modifier)
    return heads


def phi(pending: list[int], action: Action) -> list[Any]:
    """Return a few features of an action."""
    i, side = action
    return [(pending[i], pending[i + 1], side), (len(pending), side), (i, side)]


def value(w: dict[Any, float], features: Sequence[Any]) -> float:
    """Return the sum of the weights of some features."""
    return sum(w.get(feature, 0.0) for feature in features)


def guided(trees: list[list[int]], **slip: Any) -> dict[Any, float]:
    """Return the weights that are learned from some trees."""
    w: dict[Any, float] = {}
    for gold in trees:
        learn(w, phi, gold, **slip)
    return w


def learn(
    w: dict[Any, float],
    phi: Features,
    gold: Sequence[int],
    strict: bool = False,
    first: bool = False,
    add: int = 1,
    take: int = 1,
    always: bool = False,
    last: bool = False,
    times: int = 1,
) -> None:
    """Learn a tree, by the definition or with a typical mistake."""
    pending = list(range(len(gold)))
    while len(pending) > 1:
        for _ in range(times):
            among = actions(pending)[:: -1 if last else 1]
            scores = {action: value(w, phi(pending, action)) for action in among}
            right = [action for action in scores if valid(pending, action, gold)]
            wrong = [action for action in scores if action not in right]
            y = right[0] if first else max(right, key=scores.__getitem__)
            guess = max(wrong, key=scores.__getitem__)
            ahead = scores[guess] - scores[y]
            if (ahead < 0 and not always) or (strict and ahead == 0):
                break
            for feature in phi(pending, y):
                w[feature] = w.get(feature, 0) + add
            for feature in phi(pending, guess):
                w[feature] = w.get(feature, 0) - take
        pending = without_modifier(pending, y)


def trees(how_many: int, seed: int = 0) -> list[list[int]]:
    """Return the heads of random projective trees: those that random actions make."""
    random = Random(seed)
    sizes = sorted(random.randint(2, 6) for _ in range(how_many))
    return [easy_first(n, lambda pending, action: random.random()) for n in sizes]
