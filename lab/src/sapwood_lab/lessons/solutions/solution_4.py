# %% exercise="average_of_updates"
def average_of_updates(updates, c):
    """Return the mean of w after each of c examples, given updates (c_i, delta)."""
    mean = {}
    for c_i, delta in updates:
        for f, n in delta.items():
            mean[f] = mean.get(f, 0) + (c - c_i) * n / c
    return mean


# %% exercise="lazy_average"
class LazyAverage:
    """The mean of the weights over all examples so far."""

    def __init__(self):
        self.w_a = {}

    def add(self, c, w, change):
        """Take notice of an example: c examples were before it, w are the weights after it."""
        for f, n in change.items():
            self.w_a[f] = self.w_a.get(f, 0) + c * n

    def mean(self, c, w):
        """Return the average of w after each of c examples."""
        return {f: (c * n - self.w_a[f]) / c for f, n in w.items()}


# %% exercise="sparse_perceptron"
def score(w, U, min_updates, x, y):
    """Return the score of class y: the sum of value * weight over the relevant features of x, a dict of values."""
    return sum(value * w.get((f, y), 0) for f, value in x.items() if U.get(f, 0) >= min_updates)


def learn(w, U, x, gold, guess):
    """Change w and U, given the gold class and the guess."""
    if guess == gold:
        return
    for f, value in x.items():
        w[f, gold] = w.get((f, gold), 0) + value
        w[f, guess] = w.get((f, guess), 0) - value
        U[f] = U.get(f, 0) + 1


# %% exercise="rare"
def rare(X, k):
    """Return the set of features that occur in fewer than k of the examples X."""
    counts = {}
    for x in X:
        for f in x:
            counts[f] = counts.get(f, 0) + 1
    return {f for f, count in counts.items() if count < k}


# %% exercise="size"
def size(w, U, min_updates):
    """Return how many features are in the model."""
    return len({f for (f, _), weight in w.items() if weight != 0 and U.get(f, 0) >= min_updates})


# %% exercise="rare_but_needed"
def rare_but_needed(k):
    """Return examples X and their labels y."""
    X = [{"bank": 1, "loan": 1}, {"bank": 1, "river": 1}]
    return X, ["money", "water"]
