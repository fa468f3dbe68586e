# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Lesson 3: margin and cost
#
# The perceptron is content as soon as the right answer wins, be it by a hair. In this lesson you make it want more:
# the right answer has to win by a **margin**, and by a larger one against answers that are worse. It takes one line
# in the search. Then you say yourself what a mistake costs, and how far an update goes.
#
# You need lesson 2: features, the Viterbi algorithm, the update. Its functions stand below, so it does not matter
# whether yours are at hand. The lesson takes 85 minutes.

# %%
from collections import Counter

from sapwood_lab import Learner, hamming
from sapwood_lab.lessons import data
from sapwood_lab.lessons.check import lesson_3 as check

START = "<start>"


def f(words, i, h, y):
    """Return the features of word i with the label y after the label h."""
    word = words[i]
    return [("word " + word, y), ("ending " + word[-2:], y), ("label before", (h, y))]


def phi(words, labels):
    """Return how often each feature occurs in a sentence with these labels."""
    counts = Counter()
    for i, (h, y) in enumerate(zip([START, *labels], labels)):
        counts.update(f(words, i, h, y))
    return counts


def viterbi(n, labels, s):
    """Return the sequence of n labels that has the highest sum of s(i, h, y)."""
    alpha, back = [{y: s(0, START, y) for y in labels}], [{}]
    for i in range(1, n):
        alpha.append({})
        back.append({})
        for y in labels:
            scores = {h: alpha[i - 1][h] + s(i, h, y) for h in labels}
            back[i][y] = max(labels, key=scores.get)
            alpha[i][y] = scores[back[i][y]]
    path = [max(labels, key=alpha[n - 1].get)]
    for i in range(n - 1, 0, -1):
        path.append(back[i][path[-1]])
    return path[::-1]


def scorer(w, words):
    """Return the function s(i, h, y): the sum of the weights of the features of word i."""
    return lambda i, h, y: sum(w.get(feature, 0) for feature in f(words, i, h, y))


def total(s, labels):
    """Return the score of a whole label sequence, the sum of s(i, h, y) over its words."""
    return sum(s(i, h, y) for i, (h, y) in enumerate(zip([START, *labels], labels)))


def pairs(sentences):
    """Return sentences as pairs: the list of words, the list of labels."""
    return [tuple(map(list, zip(*sentence))) for sentence in sentences]


train_pairs = pairs(data.sentences(60, seed=1))  # to learn from
dev_pairs = pairs(data.sentences(100, seed=2))  # to measure with
all_labels = sorted({label for _, labels in train_pairs for label in labels})
print(train_pairs[0])

# %% [markdown]
# ## 1. By how much does gold win?
#
# The learner of the laboratory, `sapwood_lab.Learner`, is the averaged perceptron of lesson 2. It wants two methods:
# `phi`, the features of an answer, and `best`, the best answer by the weights `self.w`.


# %%
class PlainTagger(Learner):
    def phi(self, words, labels):
        return phi(words, labels)

    def best(self, words, gold=None):
        return viterbi(len(words), all_labels, scorer(self.w, words))


plain = PlainTagger(epochs=5, seed=None)
plain.fit(train_pairs)
right = sum(plain.best(words) == gold for words, gold in train_pairs)
print(f"{right} of {len(train_pairs)} training sentences are right")

# %% [markdown]
# By how much do they win? Compare the score of gold with that of its rivals that have one wrong label, and take the
# narrowest win:


# %%
def narrowest(w, words, gold):
    """Return by how much gold is ahead of the best rival that differs from it in one label."""
    s = scorer(w, words)
    rivals = []
    for i in range(len(gold)):
        rivals += [[*gold[:i], y, *gold[i + 1 :]] for y in all_labels if y != gold[i]]
    return total(s, gold) - max(total(s, rival) for rival in rivals)


wins = sorted(narrowest(plain.w, words, gold) for words, gold in train_pairs)
print("the narrowest wins:", [round(win, 2) for win in wins[:8]])

# %% [markdown]
# Some sentences are right by chance: a slightly different word, and they would be wrong. What comes near in training
# is what goes wrong with new sentences. So let us ask for more than a win.
#
# ## 2. What a mistake costs
#
# A **loss** says what a wrong label costs, given the gold label and the guessed one. The simplest one is 1 for each
# wrong label, and 0 for a right one:


# %%
def one_each(gold, guess):
    return 0.0 if gold == guess else 1.0


# %% [markdown]
# The **cost** of a whole label sequence is the sum over its words. With `one_each` it is the number of wrong labels,
# the *Hamming distance* from gold. Other losses make some mistakes dearer than others, and they need not be
# symmetric: to take an `NN` for a `VB` may cost more than to take a `VB` for an `NN`.
#
# ### Exercise 3.1: the cost of a sequence
#
# Write `cost`, for any loss.


# %% exercise="cost"
def cost(loss, gold, guess):
    """Return the sum of loss(gold label, guessed label) over the words."""
    raise NotImplementedError("exercise 3.1, cost")


# %%
check.cost(cost)

# %% [markdown]
# ## 3. A search that looks for trouble
#
# We want gold to be ahead of **every** other sequence, by at least what that sequence costs:
#
# $$w \cdot \phi(x, \text{gold}) \; \geq \; w \cdot \phi(x, z) + \text{cost}(z) \quad \text{for each } z$$
#
# Is there a `z` for which this is not so? To find out we need not try all of them: look for the `z` with the highest
# *score plus cost*. If that one is gold itself (whose cost is 0), all is well. If not, we learn from it. Such a
# search is called **cost-augmented decoding** (or loss-augmented inference): it finds an answer that is nearly as
# good as gold, or better, and very wrong.
#
# And this is easy, because cost, like score, is a sum over words. Viterbi finds the best sequence for any function
# `s(i, h, y)`. So give it another function, in which the loss of label `y` at word `i` is part of the score.
#
# ### Exercise 3.2: cost-augmented scores
#
# Write `augmented`. It is given a function `s`, the gold labels and a loss, and returns a **function** of `i`, `h`
# and `y`: what `s` returns, and the loss of `y` where the gold label is `gold[i]`.


# %% exercise="augmented"
def augmented(s, gold, loss):
    """Return a function of (i, h, y): s(i, h, y) plus what the label y costs at word i."""

    def augmented_s(i, h, y):
        raise NotImplementedError("exercise 3.2, augmented")

    return augmented_s


# %%
check.augmented(augmented)

# %% [markdown]
# Look at what such a search finds, for a sentence that the plain tagger gets right. The larger the loss, the more
# wrong labels appear in the answer:

# %%
words, gold = train_pairs[1]
print("words    ", *words)
print("gold     ", *gold)
for gamma in (0, 0.5, 1, 2, 4):
    s = augmented(scorer(plain.w, words), gold, hamming(gamma))  # gamma for each wrong label
    print(f"loss {gamma:<4}", *viterbi(len(words), all_labels, s))

# %% [markdown]
# ## 4. The hinge
#
# How far is a sentence from what we ask for? By the difference between the two sides, for the worst `z`:
#
# $$\text{hinge} = \max_z \; \big( w \cdot \phi(x, z) + \text{cost}(z) \big) - w \cdot \phi(x, \text{gold})$$
#
# (In Dyer's lecture, $\max \{0, \gamma + \text{score}(\hat y) - \text{score}(y^*)\}$, gamma is one for a sequence: it
# is added once, however many labels are wrong. `sapwood_lab.constant` is his loss; ours are of labels.)
# It is 0 if gold wins against each `z` by its cost. (It cannot be below 0, as gold itself is one of the `z`.) And it
# is at least the cost of the guess that the tagger makes without any cost in its search. So whoever makes the hinge
# small makes the mistakes few: this is why one trains on it.
#
# ### Exercise 3.3: the hinge
#
# Write `hinge` for scores `s`. You have all that it takes: `augmented`, `viterbi`, `total`.


# %% exercise="hinge"
def hinge(s, gold, labels, loss):
    """Return by how much the best sequence, with its cost, is ahead of gold."""
    raise NotImplementedError("exercise 3.3, hinge")


# %%
check.hinge(hinge)

# %%
narrow = 0
for words, gold in train_pairs:
    narrow += hinge(scorer(plain.w, words), gold, all_labels, hamming(1)) > 0
print(f"{narrow} of {len(train_pairs)} sentences do not win by 1 for each wrong label")

# %% [markdown]
# ## 5. A tagger with a margin
#
# Now teach it. The update stays what it was: add the features of gold, subtract those of the guess. But while it is
# learning, the guess comes from the cost-augmented search. That is what the argument `gold` of `best` is for: the
# learner calls `best(words, gold)` while training, and `best(words)` afterwards, when nobody knows gold and nothing
# may be added. The loss is in `self.loss`.
#
# ### Exercise 3.4: your own search
#
# Write `best`.


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
        raise NotImplementedError("exercise 3.4, MarginTagger")


# %%
check.MarginTagger(MarginTagger)

# %% [markdown]
# Does it help? Larger weights make larger scores, and with them larger wins, without being better. So we divide the
# win by the length of the weight vector (the root of the sum of squares): that is the *margin* in the geometrical
# sense.


# %%
def accuracy(tagger):
    right = sum(a == b for words, gold in dev_pairs for a, b in zip(tagger.best(words), gold))
    return right / sum(len(gold) for _, gold in dev_pairs)


print("gamma  updates  on dev  median margin")
for gamma in (0, 0.5, 1, 3, 10, 100):
    tagger = MarginTagger(all_labels, loss=hamming(gamma), epochs=5, seed=None)
    tagger.fit(train_pairs)
    length = sum(weight**2 for weight in tagger.w.values()) ** 0.5
    wins = sorted(narrowest(tagger.w, words, gold) for words, gold in train_pairs)
    median = wins[len(wins) // 2] / length
    print(f"{gamma:5}  {tagger.updates:7}  {accuracy(tagger):.1%}   {median:.3f}")

# %% [markdown]
# What do you see? With a margin there are more updates, and new sentences are labelled better. But whoever asks for
# too much gets less: with a gamma of 100, five epochs are not enough to get anywhere near. The scale is that of the
# scores: an update moves a weight by 1, so gamma is measured in updates.
#
# ## 6. Losses of your own
#
# To take a noun for a plural noun is a small mistake; to take it for a verb is a big one, which would mislead a
# parser that reads the labels. The first two letters of a label are its word class: `NN` and `NNS` are nouns, `VB`,
# `VBD` and so on verbs.
#
# ### Exercise 3.5: prices
#
# Write `prices`: 0 for the right label; 1 for a wrong label of the right word class; and more than 1, at most 10, as
# you find it fair, for a label of another word class.


# %% exercise="prices"
def prices(gold, guess):
    """Return what it costs to take the label gold for guess."""
    raise NotImplementedError("exercise 3.5, prices")


# %%
check.prices(prices)

# %% [markdown]
# The tagger takes it as it is. What do the mistakes on dev sentences cost by your prices?


# %%
def paid(tagger, loss):
    """Return what all mistakes on the dev sentences cost."""
    return sum(cost(loss, gold, tagger.best(words)) for words, gold in dev_pairs)


for name, loss in (("none", None), ("1 each", hamming(1)), ("yours", prices)):
    tagger = MarginTagger(all_labels, loss=loss, epochs=5, seed=None)
    tagger.fit(train_pairs)
    price = paid(tagger, prices)
    print(f"loss in training: {name:7} on dev {accuracy(tagger):.1%} right, price {price:.0f}")

# %% [markdown]
# ## 7. How far does an update go?
#
# So far each update adds and subtracts whole features, a step of length 1, whether gold was behind by 0.1 or by 10. A
# **passive-aggressive** learner (Crammer et al. 2006) goes exactly as far as needed: after its step, the same guess,
# with its cost, is level with gold. Let `v` be the difference of features, $\phi(x, \text{gold}) - \phi(x,
# \text{guess})$, and take a step of length tau:
#
# $$w' = w + \tau \, v$$
#
# Then the score of gold, compared with that of the guess, rises by $w' \cdot v - w \cdot v = \tau \, (v \cdot v)$,
# where
# $v \cdot v$ is the sum of the squares of `v`. It has to rise by the hinge. So how long is the step?
#
# One example that is labelled wrongly could tear the weights apart by a long step. So no step is longer than `C`
# (PA-I).
#
# ### Exercise 3.6: the passive-aggressive step
#
# Write `step`. It is given the hinge, which is 0 or more, and `square`, the sum of the squares of `v`, which is above
# 0.

# %% exercise="step"
C = 0.5


def step(hinge, square):
    """Return tau: what makes up for the hinge, but at most C."""
    raise NotImplementedError("exercise 3.6, step")


# %%
check.step(step)


# %% [markdown]
# In the laboratory this is a **rule**. The perceptron's own rule always returns 1. (A rule is also told how much the
# example counts, which is 1 here.)


# %%
def rule(loss, square, importance):
    return step(loss, square)


tagger = MarginTagger(all_labels, loss=hamming(1), rule=rule, epochs=5, seed=None)
tagger.fit(train_pairs)
print(f"{tagger.updates} updates, {accuracy(tagger):.1%} on dev")

# %% [markdown]
# ## What you have seen
#
# - A margin is a cost that is added in the search while learning, and only then. It takes one line, as cost is a sum
#   over the same parts as the score.
# - The hinge measures how far gold is from winning by the cost; an update makes it smaller.
# - A loss is a function. What it costs to take one label for another is for you to say.
# - The perceptron's step is 1; the passive-aggressive step is as long as needed, and no longer than `C`.
#
# **In sapwood**: `sapwood_lab/losses.py` and `passive_aggressive.py`; the core has both as `update="margin"`,
# `gamma=1` and `update="pa"`. `python -m papers margins` draws what a margin does.
#
# **To read**: Dyer (2015), *Structured Perceptron*, "Another View"; Taskar, Guestrin & Koller (2003), *Max-margin
# Markov networks*; Crammer et al. (2006), *Online passive-aggressive algorithms*.
