"""The averaged perceptron in minibatches, slow and obviously right.

The examples of a batch are searched with the same weights. Then they are learned from one after the other, and after
each the weights, a dict, are added to a sum. Examples are lists of features; an update changes the weights of all of
them by 1.
"""

from collections import Counter


def batched_perceptron(examples, labels, batch, *, gamma, min_updates, epochs):
    """Return the averaged weights (feature, label) -> number, of features that took part in `min_updates` updates."""
    weights, updates, total = Counter(), Counter(), Counter()
    squares, seen = 0, 0
    for _ in range(epochs):
        for begin in range(0, len(examples), batch):
            together = examples[begin : begin + batch]
            guesses = []
            for features, gold in together:
                known = [f for f in features if updates[f] >= min_updates]
                cost = gamma * (squares + len(features)) / (seen + 1)
                scores = [sum(weights[f, y] for f in known) + cost * (y != gold) for y in range(labels)]
                guesses.append(scores.index(max(scores)))
            for (features, gold), guess in zip(together, guesses, strict=True):
                if guess != gold:
                    for f in features:
                        updates[f] += 1
                        weights[f, gold] += 1
                        weights[f, guess] -= 1
                squares, seen = squares + len(features), seen + 1
                total.update(weights)
    return {(f, y): total[f, y] / seen for f, y in total if updates[f] >= min_updates}
