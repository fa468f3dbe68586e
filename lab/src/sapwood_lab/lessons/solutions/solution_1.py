# The solutions of lesson 1.

# %% exercise="guess"
def score(w, x):
    """Return the sum of the numbers of x, each times its weight in w."""
    return sum(weight * number for weight, number in zip(w, x))


def guess(w, x):
    """Return 1 if the score is above 0, otherwise -1."""
    return 1 if score(w, x) > 0 else -1


# %% exercise="vanilla"
def vanilla(examples, epochs):
    """Return the weights that the perceptron ends with, as a list."""
    w = [0, 0, 0]
    for _ in range(epochs):
        for x, y in examples:
            if guess(w, x) != y:
                w = [weight + y * number for weight, number in zip(w, x)]
    return w


# %% exercise="voted"
def voted(examples, epochs):
    """Return all weights that there were, in a list W, and the votes of each, in a list v."""
    W, v = [[0, 0, 0]], [0]
    for _ in range(epochs):
        for x, y in examples:
            if guess(W[-1], x) != y:
                W.append([weight + y * number for weight, number in zip(W[-1], x)])
                v.append(0)
            v[-1] += 1
    return W, v


# %% exercise="majority"
def majority(W, v, x):
    """Return 1 if the weights that guess 1 have more votes than the others, otherwise -1."""
    votes = sum(n * guess(w, x) for w, n in zip(W, v))
    return 1 if votes > 0 else -1


# %% exercise="averaged"
def averaged(examples, epochs):
    """Return the mean of the weights after each example, as a list."""
    w, total, presented = [0, 0, 0], [0, 0, 0], 0
    for _ in range(epochs):
        for x, y in examples:
            if guess(w, x) != y:
                w = [weight + y * number for weight, number in zip(w, x)]
            total = [summed + weight for summed, weight in zip(total, w)]
            presented += 1
    return [summed / presented for summed in total]
