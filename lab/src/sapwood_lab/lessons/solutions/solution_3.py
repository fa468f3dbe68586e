# The solutions of lesson 3. Prices are a matter of what the labels are for.

# %% exercise="cost"
def cost(loss, gold, guess):
    """Return the sum of loss(gold label, guessed label) over the words."""
    return sum(loss(a, b) for a, b in zip(gold, guess))


# %% exercise="augmented"
def augmented(s, gold, loss):
    """Return a function of (i, h, y): s(i, h, y) plus what the label y costs at word i."""

    def augmented_s(i, h, y):
        return s(i, h, y) + loss(gold[i], y)

    return augmented_s


# %% exercise="hinge"
def hinge(s, gold, labels, loss):
    """Return by how much the best sequence, with its cost, is ahead of gold."""
    with_cost = augmented(s, gold, loss)
    worst = viterbi(len(gold), labels, with_cost)
    return total(with_cost, worst) - total(s, gold)


# %% exercise="MarginTagger"
class MarginTagger(Learner):
    def __init__(self, labels, **options):
        super().__init__(**options)
        self.labels = labels

    def phi(self, words, labels):
        return phi(words, labels)

    def best(self, words, gold=None):
        """Return the best label sequence; with gold, the best one with its cost by self.loss."""
        s = scorer(self.w, words)
        if gold is not None:
            s = augmented(s, gold, self.loss)
        return viterbi(len(words), self.labels, s)


# %% exercise="prices"
def prices(gold, guess):
    """Return what it costs to take the label gold for guess."""
    if gold == guess:
        return 0
    return 1 if gold[:2] == guess[:2] else 3


# %% exercise="step"
C = 0.5


def step(hinge, square):
    """Return tau: what makes up for the hinge, but at most C."""
    return min(C, hinge / square)
