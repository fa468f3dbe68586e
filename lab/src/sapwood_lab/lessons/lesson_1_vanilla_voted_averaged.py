# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Lesson 1: vanilla, voted, averaged
#
# The perceptron (Rosenblatt 1958) is the oldest algorithm that learns weights from its mistakes, and one of the
# shortest: you will write it in a handful of lines. It has a weakness, which took forty years to be mended (Freund &
# Schapire 1999): what it learns depends on which examples came last. You will see the weakness, and write two
# remedies, votes and averages.
#
# You need Python: functions, lists, loops. You need no library and no mathematics beyond sums. The lesson takes 75
# minutes.
#
# **How it works.** Run the cells from top to bottom (Shift + Enter). An exercise is a function with a line
# `raise NotImplementedError(...)`. Replace that line by your code, run the cell, and run the cell below it: the
# checker tries your function on small cases and says what is wrong, if anything is. You may run it as often as you
# like.

# %%
from random import Random

from sapwood_lab.draw.plane import svg_side_by_side, svg_turning
from sapwood_lab.lessons import data
from sapwood_lab.lessons.check import lesson_1 as check
from sapwood_lab.lessons.notebook import Picture

# %% [markdown]
# ## 1. Texts as points
#
# Is a text written, or a transcript of speech? We measure two things: how many **pronouns** a sentence has, and how
# many **words**, both compared with the mean of all texts (0 is the mean, 1 is well above it). Speech has more
# pronouns (*I*, *you*, *it*), and shorter sentences. The third number is always 1; you will see why it is there.
#
# An example is a pair: the numbers `x`, and the label `y`, which is 1 for a spoken and -1 for a written text.

# %%
easy = data.texts(30, seed=1, noise=0.5)

for x, y in easy[:5]:
    print(x, y)

# %% [markdown]
# The texts are generated from random numbers that always begin the same way, so that everybody has the same texts.

# %% [markdown]
# ## 2. A line that decides
#
# A **weight** says how much a measure speaks for speech. The **score** of a text is the sum of its numbers, each
# times its weight:
#
# $$w \cdot x = w_1 x_1 + w_2 x_2 + w_3 x_3$$
#
# If the score is above 0 we guess 1, spoken; otherwise -1, written. The texts whose score is 0 lie on a line: on one
# side of it everything is guessed to be spoken, on the other side written. The third number of each text is 1, so the
# third weight is added to every score; without it every line would have to go through the point (0, 0).
#
# ### Exercise 1.1: the guess
#
# Write `score` and `guess`. If the score is exactly 0, guess -1.


# %% exercise="guess"
def score(w, x):
    """Return the sum of the numbers of x, each times its weight in w."""
    raise NotImplementedError("exercise 1.1, guess")


def guess(w, x):
    """Return 1 if the score is above 0, otherwise -1."""
    raise NotImplementedError("exercise 1.1, guess")


# %%
check.guess(score, guess)

# %% [markdown]
# Weights that somebody made up: a pronoun speaks for speech, a long sentence against it.


# %%
def accuracy(guess_of, examples):
    """Return the share of right guesses; `guess_of` is a function from x to 1 or -1."""
    return sum(guess_of(x) == y for x, y in examples) / len(examples)


made_up = [1, -1, 0]
print(f"{accuracy(lambda x: guess(made_up, x), easy):.0%} of the texts are guessed right")

# %% [markdown]
# As a picture: each text is a point, filled if it is spoken. To the right are more pronouns, up are longer sentences.
# What is shaded is guessed to be spoken.

# %%
points, labels = [x for x, _ in easy], [y for _, y in easy]
Picture(svg_turning(points, labels, [made_up], [1]))

# %% [markdown]
# ## 3. The perceptron
#
# The perceptron finds weights by itself. It begins with 0 for all of them and goes through the examples one by one.
# If the guess is right, nothing happens. If it is wrong, the weights move towards the example (if y is 1) or away
# from it (if y is -1):
#
# $$w \leftarrow w + y \, x$$
#
# which means: to each weight, add `y` times the number of `x` that it belongs to. Why does that help? The new score
# of the same `x` is $w \cdot x + y \, (x \cdot x)$, and $x \cdot x$, a sum of squares, is above 0. So the score goes
# up if the text is spoken, and down if it is written. A whole walk through the examples is an **epoch**; usually
# there are several.
#
# ### Exercise 1.2: vanilla
#
# Write `vanilla`, the perceptron as it was: it returns the weights after the last example.


# %% exercise="vanilla"
def vanilla(examples, epochs):
    """Return the weights that the perceptron ends with, as a list."""
    w = [0, 0, 0]
    # For each epoch, for each (x, y): if the guess is not y, add y times x to w.
    raise NotImplementedError("exercise 1.2, vanilla")


# %%
check.vanilla(vanilla)

# %%
w = vanilla(easy, epochs=5)
print("weights", [round(each, 2) for each in w])
print(f"{accuracy(lambda x: guess(w, x), easy):.0%} of the texts are guessed right")
Picture(svg_turning(points, labels, [w], [1]))

# %% [markdown]
# These texts can be separated by a line, and then the perceptron finds one: this has been proved (Novikoff 1962).
# After that it makes no mistake any more, so nothing changes. But which of the many lines that separate them? Any.
#
# Other texts cannot be separated:

# %%
hard = data.texts(40, seed=1)
new = data.texts(500, seed=2)  # to measure with: the perceptron never learns from these

for epochs in (1, 2, 5, 6, 7, 8, 20, 21):
    w = vanilla(hard, epochs)
    share = accuracy(lambda x: guess(w, x), new)
    print(f"{epochs:2} epochs: {share:.1%} of new texts are guessed right")

# %% [markdown]
# It goes up and down and never comes to rest, because there is always an example that is wrong, and the last few
# updates have the last word. And the order of the examples, which means nothing, decides about the result:


# %%
def shuffled(examples, seed):
    """Return the examples in another order."""
    examples = list(examples)
    Random(seed).shuffle(examples)
    return examples


def spread(train):
    """Print how good weights are that `train` learns from the same examples in 20 orders."""
    shares = []
    for seed in range(20):
        guess_of = train(shuffled(hard, seed), 5)
        shares.append(accuracy(guess_of, new))
    print(f"from {min(shares):.1%} to {max(shares):.1%}, on average {sum(shares) / 20:.1%}")


def by_vanilla(examples, epochs):
    w = vanilla(examples, epochs)
    return lambda x: guess(w, x)


spread(by_vanilla)

# %% [markdown]
# ## 4. Votes
#
# The first remedy is democracy. Instead of keeping only the last weights, keep all that there ever were, and let each
# of them guess; the majority wins. Weights that made no mistake for a long time should have more votes than those
# that were wrong at once. So there is **one vote for each example** that the weights were tried on, whether the guess
# was right or not, and an update makes new weights. As an example, suppose five texts are presented, and only the
# first and the fourth are guessed wrong:
#
# | text | guess | weights after it | votes so far |
# |---|---|---|---|
# | | | $w_0$ = (0, 0, 0) | $v_0$ = 0 |
# | 1 | wrong | $w_1$ | $v_0$ = 0, $v_1$ = 1 |
# | 2 | right | $w_1$ | $v_0$ = 0, $v_1$ = 2 |
# | 3 | right | $w_1$ | $v_0$ = 0, $v_1$ = 3 |
# | 4 | wrong | $w_2$ | $v_0$ = 0, $v_1$ = 3, $v_2$ = 1 |
# | 5 | right | $w_2$ | $v_0$ = 0, $v_1$ = 3, $v_2$ = 2 |
#
# So a vote is for the weights **after** the example. (Freund & Schapire count the examples that weights survived
# before their next mistake; this is the way of Huang's lecture notes, and of the average in section 5.)
#
# ### Exercise 1.3: keeping all weights
#
# Write `voted`. It returns two lists of one length: all weights, the first of them `[0, 0, 0]`, and their votes.


# %% exercise="voted"
def voted(examples, epochs):
    """Return all weights that there were, in a list W, and the votes of each, in a list v."""
    W, v = [[0, 0, 0]], [0]
    # The present weights are the last of W. If their guess is wrong, append new weights to W,
    # and 0 to v.
    # Then, wrong or not, the last of v gets one more.
    raise NotImplementedError("exercise 1.3, voted")


# %%
check.voted(voted)

# %% [markdown]
# ### Exercise 1.4: the vote
#
# Write `majority`: all weights of `W` guess the label of `x`, each with the number of votes that stands at the same
# place of `v`. Return the label with the most votes; if both have as many, -1.


# %% exercise="majority"
def majority(W, v, x):
    """Return 1 if the weights that guess 1 have more votes than the others, otherwise -1."""
    raise NotImplementedError("exercise 1.4, majority")


# %%
check.majority(majority)

# %% [markdown]
# Are votes better? Here is the vanilla perceptron again, and then the vote:


# %%
def by_votes(examples, epochs):
    W, v = voted(examples, epochs)
    return lambda x: majority(W, v, x)


spread(by_vanilla)
spread(by_votes)

# %% [markdown]
# The worst order costs much less now. But there is a price. How many weights have to be kept, and tried at each
# guess?

# %%
for epochs in (1, 5, 20, 100):
    W, v = voted(hard, epochs)
    print(f"{epochs:3} epochs: {len(W)} weight vectors, {sum(v)} votes")

# %% [markdown]
# For a tagger of 40,000 sentences with a million features, nobody can pay that.
#
# ## 5. The average
#
# The second remedy is almost as good, and costs nothing at the guess: one weight vector, the **mean** of the weights
# as they were after each example. Weights that stood for a long time count as often as they had votes.
#
# ### Exercise 1.5: averaged
#
# Write `averaged`. Keep a second list beside `w`, to which you add all of `w` after **each** example, and divide it
# by the number of examples that were presented, at the end.


# %% exercise="averaged"
def averaged(examples, epochs):
    """Return the mean of the weights after each example, as a list."""
    w, total, presented = [0, 0, 0], [0, 0, 0], 0
    # As vanilla; and after each example, wrong or not, add w to total, and 1 to presented.
    raise NotImplementedError("exercise 1.5, averaged")


# %%
check.averaged(averaged)


# %%
def by_average(examples, epochs):
    w = averaged(examples, epochs)
    return lambda x: guess(w, x)


spread(by_vanilla)
spread(by_votes)
spread(by_average)

# %% [markdown]
# You may leave out the division: twice the weights mean twice the score, which is above 0 for the same texts. The
# mean is also the sum of `W` with the votes as factors, divided by all votes:

# %%
W, v = voted(hard, 5)
print([round(sum(n * w[k] for w, n in zip(W, v)) / sum(v), 3) for k in range(3)])
print([round(each, 3) for each in averaged(hard, 5)])

# %% [markdown]
# ## 6. See them side by side
#
# The same training, and where each of the three guesses *spoken* (shaded). Texts on the wrong side have a red ring.
# The voted one has no line of its own: its border is made of pieces of many.

# %%
points, labels = [x for x, _ in hard], [y for _, y in hard]
Picture(svg_side_by_side(points, labels, W, v))

# %% [markdown]
# And the line as it turns. Change `update` and run the cell again: grey are the lines before, dashed is their
# average.

# %%
update = 10
Picture(svg_turning(points, labels, W[: update + 1], v[: update + 1]))

# %% [markdown]
# ## What you have seen
#
# - The perceptron learns from mistakes only: $w \leftarrow w + y \, x$.
# - Its last weights depend on the order of the examples. All weights together, as votes or as their mean, depend on
#   it less.
# - Votes have to keep and to ask all weights; the average is a single vector. So everybody averages.
#
# To add up all weights after each example is slow if there are a million of them. Lesson 4 has the trick that avoids
# it. Lesson 2 takes the average to sentences.
#
# **In the laboratory**: `sapwood_lab/binary` has these functions, with the pseudocode of the papers above them, and
# `sapwood-lab averaging` measures what each costs.
#
# **To read**: Freund & Schapire (1999), *Large margin classification using the perceptron algorithm*; Liang Huang's
# lecture notes on the averaged perceptron; Schneider (2017), *Feature-based classification with the perceptron*.
