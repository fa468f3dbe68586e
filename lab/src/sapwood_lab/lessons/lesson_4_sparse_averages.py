# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Lesson 4: sparse averages and Table 1
#
# A perceptron for language has a weight for nearly everything that it ever saw. This lesson is about two ways to get
# a better and a smaller model out of the same training:
#
# 1. **The average.** Take the mean of the weights after each example, and not the last weights. It has a trick that
#    makes it as fast as the plain perceptron (Daumé 2006, as told in Liang Huang's notes on the averaged perceptron).
# 2. **The count of updates.** Ignore a feature until it has taken part in enough updates (Yoav Goldberg and Michael
#    Elhadad, *Learning Sparser Perceptron Models*, 2011, section 3). We build their Table 1 in small.
#
# You need lesson 1 (what an update is). You write six short functions. After each one stands a cell that checks it.
# The checker never tells the answer; it says where yours differs from the definition, on a small random case.
#
# | minutes | what |
# |---|---|
# | 0–35 | averages: 4.1 and 4.2 |
# | 35–60 | the sparse perceptron: 4.3 and 4.4 |
# | 60–90 | Table 1, and what is pruned: 4.5 and 4.6 |

# %%
import random
import time

from sapwood_lab.average import Average
from sapwood_lab.lessons.check import lesson_4 as check
from sapwood_lab.multiclass import Multiclass

# %% [markdown]
# ## Some data
#
# The task is that of the paper's Table 1: *chunking*. Each word of a sentence gets a label. `B-NP` begins a noun
# phrase and `I-NP` goes on with one; `B-VP`, `I-VP` and `B-PP` are the same for verbs and prepositions; `O` is
# outside of all. We do not use a corpus but invent a language: its words are made of syllables, a few of them are
# frequent and most are rare, as in every language (Zipf's law), and some forms are both a noun and a verb, as
# *walk* is in English. One word in fifty is labelled wrongly, as annotators do.


# %%
def invent(how_many, rng):
    """Return words of two or three syllables."""
    syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
    return ["".join(rng.choices(syllables, k=rng.choice((2, 2, 3)))) for _ in range(how_many)]


rng = random.Random(4)
LEXICON = {"D": ["a", "le", "un"], "A": invent(80, rng), "N": invent(300, rng), "V": invent(120, rng)}
LEXICON |= {"P": ["ad", "ex", "in", "ob"], "R": invent(30, rng)}
LEXICON["V"] += LEXICON["N"][5::4]  # homographs
LABELS = ["B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "O"]


def noun_phrase(rng):
    return [(kind, "I-NP" if k else "B-NP") for k, kind in enumerate(rng.choice(["DN", "DAN", "N", "AN", "DNN"]))]


def sentence(rng):
    """Return the words of a sentence with their labels."""
    verbs = rng.choice(["V", "RV", "VV"])
    plan = noun_phrase(rng) + [(kind, "I-VP" if k else "B-VP") for k, kind in enumerate(verbs)]
    plan += noun_phrase(rng) * (rng.random() < 0.7)
    for _ in range(rng.choice((0, 1, 1, 2))):
        plan += [("P", "B-PP"), *noun_phrase(rng)]
    rows = []
    for kind, label in plan:
        words = LEXICON[kind]
        [word] = rng.choices(words, weights=[1 / (rank + 2) for rank in range(len(words))])
        rows.append((word, label if rng.random() > 0.02 else rng.choice(LABELS)))
    return [*rows, (".", "O")]


print(" ".join("/".join(row) for row in sentence(random.Random(1))))

# %% [markdown]
# A decision is about one word. What the learner sees of it are *features*, which are there or not (value 1): the word
# (`w+0`) and those around it (`w-1` is the word before), their endings, and pairs of neighbours. Like the paper we take
# many, and most of them will tell nothing.


# %%
def features(words, i):
    """Return the features of word i."""
    at = ["<s>", "<s>", *words, "</s>", "</s>"]  # at[i + 2] is word i
    around = {k: at[i + 2 + k] for k in (-2, -1, 0, 1, 2)}
    ends = {k: word[-2:] for k, word in around.items()}
    texts = [f"w{k:+}={word}" for k, word in around.items()] + [f"end{k:+}={end}" for k, end in ends.items()]
    for k in (-2, -1, 0, 1):
        texts += [f"w{k:+},w{k + 1:+}={around[k]},{around[k + 1]}", f"end{k:+},end{k + 1:+}={ends[k]},{ends[k + 1]}"]
    return dict.fromkeys(texts, 1)


def examples(sentences):
    """Return the features X and labels y of all words of some sentences."""
    X, y = [], []
    for rows in sentences:
        words = [word for word, _ in rows]
        X += [features(words, i) for i in range(len(words))]
        y += [label for _, label in rows]
    return X, y


rng = random.Random(5)
X, y = examples([sentence(rng) for _ in range(1000)])
X_test, y_test = examples([sentence(rng) for _ in range(150)])
LABELS = list(dict.fromkeys(y))  # in the order of the data: of labels that score the same, the first is the guess
print(f"{len(X):,} words to train on, with {len({f for x in X for f in x}):,} features; {len(X_test):,} words to test")

# %% [markdown]
# ## 1. The average of all weights
#
# In Huang's letters: $w^{(i)}$ are the weights after the $i$-th example (not the $i$-th update!), $T$ passes over the
# data $D$ present $T|D|$ examples, and the sum of all vectors is
#
# $$w_s = \sum_{i=1}^{T|D|} w^{(i)}$$
#
# The average is $w_s / c$ with $c = T|D|$. If an example is right, $w^{(i)} = w^{(i-1)}$: the same vector is added once
# more. So a vector that got many examples right weighs more. We write a history of training as a list of updates
# $(c_i, \Delta w)$: the update $\Delta w$ was made on an example, and $c_i$ examples had been presented before it.


# %%
def naive_average(updates, c):
    """Return the mean of w after each of c examples. It adds up all of w every time."""
    w, w_s, delta_at = {}, {}, dict(updates)
    for presented in range(c):  # the number of examples presented before this one
        for f, n in delta_at.get(presented, {}).items():
            w[f] = w.get(f, 0) + n
        for f in w:
            w_s[f] = w_s.get(f, 0) + w[f]
    return {f: total / c for f, total in w_s.items()}


# The example of the notes: four updates, one on each of four examples.
history = [(0, {"a": 1}), (1, {"b": 1}), (2, {"c": 1}), (3, {"d": 1})]
naive_average(history, 4)

# %% [markdown]
# "a" is in all four vectors, "b" in three, "c" in two, "d" in one. So nobody has to add up vectors: an update is in
# every vector from its own example to the last.
#
# ### Exercise 4.1: the average, from the updates
#
# Write the same average from the updates alone, without keeping `w`. How many of the $c$ vectors is an
# update in that was made after $c_i$ examples?


# %% exercise="average_of_updates"
def average_of_updates(updates, c):
    """Return the mean of w after each of c examples, given updates (c_i, delta)."""
    raise NotImplementedError("exercise 4.1, average_of_updates")


# %%
check.average_of_updates(average_of_updates)

# %% [markdown]
# ### Daumé's trick
#
# That still keeps all updates. Hal Daumé saw that one more vector is enough. Beside $w$ there is an auxiliary vector
# $w_a$ and the clock $c$, the number of examples that have been presented **before** this one:
#
#     w, w_a <- 0;  c <- 0
#     for each (x, y) of T passes over D:
#         if the guess is wrong:
#             w   <- w   + delta
#             w_a <- w_a + c delta
#         c <- c + 1
#     w_s = c w - w_a
#
# Why? With $w = \sum \Delta w_i$ and $w_a = \sum c_i \Delta w_i$ we get $c w - w_a = \sum (c - c_i) \Delta w_i$.
# That is exercise 4.1.
#
# ### Exercise 4.2: the lazy average
#
# Write it as a class. Whoever trains has `w` and `c`. `add` is called once for **every** example, after `w` has
# changed: `c` is the number of examples before this one, and `change` is what the example did to `w` ({} if it was
# right). `mean` is asked for the average so far: then `c` is the number of all examples that were presented.


# %% exercise="lazy_average"
class LazyAverage:
    """The mean of the weights over all examples so far."""

    def __init__(self):
        self.w_a = {}

    def add(self, c, w, change):
        """Take notice of an example: c examples were before it, w are the weights after it."""
        raise NotImplementedError("exercise 4.2, lazy_average")

    def mean(self, c, w):
        """Return the average of w after each of c examples."""
        raise NotImplementedError("exercise 4.2, lazy_average")


# %%
check.lazy_average(LazyAverage)

# %% [markdown]
# What does it save? The naive way adds up all weights after every example; the lazy one touches only the features of
# an update. With a few thousand features that is already a lot.
# (`Average` is the laboratory's naive average. It has the same two methods as yours.)


# %%
def present(updates, average, c):
    """Present c examples to an average, and return its mean."""
    w, change_at = {}, dict(updates)
    for presented in range(c):
        change = change_at.get(presented, {})
        for f, n in change.items():
            w[f] = w.get(f, 0) + n
        average.add(presented, w, change)
    return average.mean(c, w)


random_numbers, names = random.Random(3), [f"f{k}" for k in range(2000)]
for c in (500, 1000, 2000):
    at = sorted(random_numbers.sample(range(c), c // 5))
    history = [(c_i, dict.fromkeys(random_numbers.sample(names, 8), 1)) for c_i in at]
    for name, average in [("naive", Average()), ("lazy", LazyAverage())]:
        start = time.perf_counter()
        present(history, average, c)
        print(f"{c} examples, {name}: {1000 * (time.perf_counter() - start):6.1f} ms")

# %% [markdown]
# ## 2. The sparse perceptron
#
# Goldberg and Elhadad ask (section 3): *why does the perceptron produce dense models?* At each update **all** features
# of the example get a weight, though the example might have been right without most of them; and a rare feature will
# hardly meet an opposite update that takes its weight back to 0. Their remedy is one more vector, $U$:
#
# * $U_f$ counts the **updates** in which the feature $f$ took part.
# * The *scoring function* ignores features with $U_f <$ `min_updates`.
# * The *update* does not: "Updates to the weight vector w are done as usual, using all the features of the example."
#   A feature that becomes relevant "comes with its update-history".
# * With several classes, "the update-counts vector U is shared between all the perceptrons": a feature has one
#   count, not one for each class.
#
# Our weights are a dict: `w[f, y]` is the weight of feature `f` for the class `y`. An update adds the values of the
# example's features to the weights of the gold class, and takes them off those of the guess.
#
# ### Exercise 4.3: the sparse perceptron
#
# Write both functions. `learn` is called for every example, right or wrong.


# %% exercise="sparse_perceptron"
def score(w, U, min_updates, x, y):
    """Return the score of class y: the sum of value * weight over the relevant features of x, a dict of values."""
    raise NotImplementedError("exercise 4.3, sparse_perceptron")


def learn(w, U, x, gold, guess):
    """Change w and U, given the gold class and the guess."""
    raise NotImplementedError("exercise 4.3, sparse_perceptron")


# %%
check.sparse_perceptron(score, learn)

# %% [markdown]
# With this and the lazy average we have the whole algorithm: SAP, the *sparse averaged perceptron*. The average is
# taken of all weights; the count decides at the end, too, which of them are scored.


# %%
def train(X, y, min_updates=1, epochs=10):
    """Return the averaged weights and U."""
    w, U, average, c = {}, {}, LazyAverage(), 0
    for _ in range(epochs):
        for x, gold in zip(X, y):
            guess = max(LABELS, key=lambda label: score(w, U, min_updates, x, label))
            change = {}
            learn(change, U, x, gold, guess)  # from weights of 0, so this is what the update adds to w
            for key, n in change.items():
                w[key] = w.get(key, 0) + n
            average.add(c, w, change)
            c += 1
    return average.mean(c, w), U


def accuracy(w, U, min_updates, X, y):
    right = 0
    for x, gold in zip(X, y):
        right += gold == max(LABELS, key=lambda label: score(w, U, min_updates, x, label))
    return right / len(X)


w, U = train(X, y, epochs=3)
print(f"{accuracy(w, U, 1, X_test, y_test):.1%} of the labels of new sentences are right")

# %% [markdown]
# The laboratory's own classifier learns the same weights, from the same examples in the same order. It takes your
# average, too: its option `average` is a class with the methods of yours.

# %%
ours, _ = train(X[:1000], y[:1000], min_updates=5, epochs=2)
for average in (Average, LazyAverage):
    theirs = Multiclass(min_updates=5, epochs=2, seed=None, average=average).fit(X[:1000], y[:1000])
    print(max(abs(ours[key] - weight) for key, weight in theirs.w.items()), "is the largest difference")

# %% [markdown]
# ### Pruning, the older way
#
# "A commonly used method for achieving smaller models is rare-feature pruning: ignoring features which occur less than
# k times in the training data" (section 3). It looks at the data before training, once.
#
# ### Exercise 4.4: rare features
#
# Which features are rare?


# %% exercise="rare"
def rare(X, k):
    """Return the set of features that occur in fewer than k of the examples X."""
    raise NotImplementedError("exercise 4.4, rare")


# %%
check.rare(rare)


# %%
def pruned(X, k):
    """Return the examples without their rare features."""
    gone = rare(X, k)
    return [{f: value for f, value in x.items() if f not in gone} for x in X]


print(f"{len(rare(X, 5)):,} of {len({f for x in X for f in x}):,} features occur fewer than 5 times")

# %% [markdown]
# ## 3. Table 1
#
# The paper reports, for each model, its accuracy on the test data and its size "in terms of non-0 features". A feature
# is in the model if some class scores it with a weight that is not 0.
#
# ### Exercise 4.5: the size of a model
#
# How large is a model? Note that of a sparse perceptron many weights are not 0 and yet never scored.


# %% exercise="size"
def size(w, U, min_updates):
    """Return how many features are in the model."""
    raise NotImplementedError("exercise 4.5, size")


# %%
check.size(size)

# %%
rows = [("Avg.Percep", 1, 1), ("pruned(5)", 1, 5), ("pruned(10)", 1, 10), ("SAP5", 5, 1), ("SAP10", 10, 1)]
models = {name: train(pruned(X, k), y, min_updates, epochs=10) for name, min_updates, k in rows}
for name, min_updates, _ in rows:
    w, U = models[name]
    print(f"{name:12}{accuracy(w, U, min_updates, X_test, y_test):.1%}{size(w, U, min_updates):8,} features")

# %% [markdown]
# Beside it the paper's own table (CoNLL-2000, 10 passes):
#
# | algorithm | accuracy | features |
# |---|---|---|
# | Avg.Percep | 96.0 | 196,523 |
# | pruned(5) | 95.9 | 77,880 |
# | pruned(10) | 95.8 | 52,072 |
# | SAP5 | 95.9 | 47,906 |
# | SAP10 | 95.9 | 26,160 |
#
# Talk about it: how much smaller is SAP5 than pruned(5), there and here? Which model would you ship? (With the
# package's core, `python -m papers table1` makes the whole table.)
#
# ### What is pruned, and what is not
#
# The paper names two faults of pruning that the count of updates does not have. *It prunes too little*: frequent
# features that tell nothing stay. *It prunes too much*: "some rare feature can be important, in the sense that without
# them some instances cannot be disambiguated." Both can be seen:

# %%
_, U = models["SAP10"]
scarce = rare(X, 10)
frequent_but_ignored = [f for f in U if f not in scarce and U[f] < 10]
rare_but_kept = [f for f in scarce if U.get(f, 0) >= 10]
print(len(frequent_but_ignored), "are in pruned(10) and not in SAP10:", *sorted(frequent_but_ignored, key=U.get)[:4])
print(len(rare_but_kept), "are in SAP10 and not in pruned(10):", *sorted(rare_but_kept, key=U.get)[-4:])

# %% [markdown]
# A feature of 6 occurrences can be in 10 updates, because there are several passes. SAP "will include these features
# eventually": each time that an example is wrong, all of its features come nearer to being relevant.
#
# ### Exercise 4.6: rare, but needed
#
# Make data that show it. Return examples X (dicts of features) and labels y for which pruning with
# the given k *cannot* get all of the examples right, however long it trains, but the sparse perceptron with
# `min_updates=k` does. The checker trains both on your data, for at most 200 passes. Two labels and two kinds of
# example are enough; think of *a word that occurs once, and that is all the difference*.


# %% exercise="rare_but_needed"
def rare_but_needed(k):
    """Return examples X and their labels y."""
    raise NotImplementedError("exercise 4.6, rare_but_needed")


# %%
check.rare_but_needed(rare_but_needed)

# %% [markdown]
# ## What to take home
#
# * The average is over *examples*. A vector that makes no mistake for long counts for long.
# * $c w - w_a$ is the sum of all vectors: the cost of the average is that of the updates.
# * `min_updates` is about scoring, not about learning. It counts updates, and not presentations, occurrences or values.
# * What is rare is not what is irrelevant.
#
# To read on: sections 3 and 4 of the paper have the same for parsers (Tables 2 and 3). Whether a label pair has the
# count of its feature or its own is a choice; the lab's learner has both (`count_updates`).
