"""Iterative parameter mixing (McDonald, Hall & Mann 2010), slow and obviously right.

Weights are a dict, every weight vector is added to a sum after every example, and the average is that sum divided by
the number of vectors. Examples are lists of features; an update changes the weights of all of them by 1.
"""

from collections import Counter

import numpy as np


class DecidedByRounding(Exception):
    """Two labels have the same score but for the rounding of weights that are no short binary fractions."""


def _refuse_rounding(scores, weights):
    *_, second, first = sorted(scores)
    if first - second < 1e-4 and any(1024 * weight % 1 for weight in weights):
        raise DecidedByRounding


def mixed_perceptron(shards, labels, *, gamma, min_updates, epochs, mixing="features", mixings=1, average=True):
    """Return the weights (feature, label) -> number, of features that took part in `min_updates` updates.

    shards : lists of examples (features, number of the label), which are presented in this order
    mixings : in an epoch, each after another part of every shard

    Raises DecidedByRounding if the weights would depend on how sums are rounded.
    """
    weights, updates = {}, Counter()
    total, vectors = Counter(), 0
    squares, seen = 0, 0
    for number in range(1, epochs * mixings + 1):
        times = 1 if len(shards) == 1 else number * number
        part = (number - 1) % mixings
        parts = [shard[len(shard) * part // mixings : len(shard) * (part + 1) // mixings] for shard in shards]
        learned = []
        for shard in parts:
            w, counts, mistakes = dict(weights), Counter(), 0
            squares_here, seen_here = squares, seen
            for features, gold in shard:
                squares_here, seen_here = squares_here + len(features), seen_here + 1
                known = [f for f in features if updates[f] + counts[f] >= min_updates]
                cost = gamma * squares_here / seen_here
                scores = [sum(w.get((f, y), 0) for f in known) + cost * (y != gold) for y in range(labels)]
                guess = scores.index(max(scores))
                _refuse_rounding(scores, [w.get((f, y), 0) for f in known for y in range(labels)])
                if guess != gold:
                    mistakes += 1
                    for f in features:
                        counts[f] += 1
                        w[f, gold] = w.get((f, gold), 0) + 1
                        w[f, guess] = w.get((f, guess), 0) - 1
                for each, weight in w.items():
                    total[each] += times * weight
                vectors += times
            learned.append((w, counts, mistakes))
        all_mistakes = sum(mistakes for _, _, mistakes in learned)
        all_counts = sum((counts for _, counts, _ in learned), Counter())
        weights = {}
        for each in {each for w, _, _ in learned for each in w}:
            feature, _ = each
            if mixing == "features" and all_counts[feature]:
                mu = [counts[feature] / all_counts[feature] for _, counts, _ in learned]
            elif mixing == "errors" and all_mistakes:
                mu = [mistakes / all_mistakes for _, _, mistakes in learned]
            else:
                mu = [1 / len(shards)] * len(shards)
            mixed = sum(m * w.get(each, 0) for m, (w, _, _) in zip(mu, learned, strict=True))
            weights[each] = float(np.float32(mixed))
        for _, counts, _ in learned:
            updates += counts
        squares += times * sum(len(features) for shard in parts for features, _ in shard)
        seen += times * sum(map(len, parts))
    final = {each: sum_ / vectors for each, sum_ in total.items()} if average else weights
    return {(f, y): weight for (f, y), weight in final.items() if updates[f] >= min_updates}
