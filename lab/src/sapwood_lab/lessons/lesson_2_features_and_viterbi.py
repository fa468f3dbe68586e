# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Lesson 2: features and Viterbi
#
# At the end of this lesson you have a part-of-speech tagger that you wrote yourself. It looks at words through
# *features*, finds the best labels of a sentence by the *Viterbi algorithm*, and learns from its mistakes as the
# *structured perceptron* (Collins 2002).
#
# You need Python: functions, lists, dicts, loops. You need no library and no mathematics beyond sums. The lesson
# takes 90 minutes.
#
# **How it works.** Run the cells from top to bottom (Shift + Enter). An exercise is a function with a line
# `raise NotImplementedError(...)`. Replace that line by your code, run the cell, and run the cell below it: the
# checker tries your function on small cases and says what is wrong, if anything is. You may run it as often as you
# like.

# %%
from collections import Counter

from sapwood_lab.lessons import data
from sapwood_lab.lessons.check import lesson_2 as check

train_sentences = data.sentences(100, seed=1)  # to learn from
dev_sentences = data.sentences(100, seed=2)  # to measure with: the tagger never learns from these

for sentence in train_sentences[:3]:
    print(sentence)

# %% [markdown]
# ## 1. Words and labels
#
# A sentence is a list of pairs: a word, and its label. The labels are parts of speech, in the short names of the Penn
# Treebank: `DT` determiner, `JJ` adjective, `NN` and `NNS` nouns (singular, plural), `PRP` pronoun, `IN` preposition,
# `RB` adverb, `MD` modal verb, and the forms of verbs: `VB` (*can bark*), `VBP` (*they bark*), `VBZ` (*barks*), `VBD`
# (*barked*), `VBG` (*barking*).
#
# Why is that not a matter of a dictionary? Because words are ambiguous:

# %%
seen = {}  # of each word, how often it has which label
for sentence in train_sentences:
    for word, label in sentence:
        seen.setdefault(word, Counter())[label] += 1

for word, counts in seen.items():
    if len(counts) > 1:
        print(f"{word:10}", dict(counts))

# %% [markdown]
# The simplest tagger gives each word the label that it has most often, and `NN` to words that it has never seen. This
# is the one to beat:


# %%
def accuracy(tag, sentences):
    """Return the share of words whose label is right.

    tag : a function from a list of words to a list of labels
    """
    right = total = 0
    for sentence in sentences:
        words = [word for word, _ in sentence]
        for guess, (_, gold) in zip(tag(words), sentence):
            right += guess == gold
            total += 1
    return right / total


def most_frequent(words):
    return [seen[word].most_common(1)[0][0] if word in seen else "NN" for word in words]


print(f"{accuracy(most_frequent, dev_sentences):.1%} of the words in the dev sentences are right")

# %% [markdown]
# ## 2. Features
#
# A tagger of our kind decides by what it sees at a word. What it sees are **features**. For the word number `i` (we
# count from 0), the label `h` of the word before it (`h` as in *history*), and its own label `y`, the function `f`
# returns a list of features. Ours has two:
#
# - the word itself, together with `y`: how well does *dog* go with `NN`?
# - the label before, together with `y`: how well does `NN` follow `DT`?
#
# Each feature is a pair: what was seen, and for which labels. The first word has no word before it; its `h` is
# `START`.

# %%
START = "<start>"


def f(words, i, h, y):
    return [("word " + words[i], y), ("label before", (h, y))]


f(["the", "dog", "barks"], 1, "DT", "NN")

# %% [markdown]
# The features of a whole sentence with its labels are those of all of its words, and they are **counted**: if a
# determiner is followed by a noun twice in a sentence, then the feature `("label before", ("DT", "NN"))` has the
# value 2. Papers write $\Phi(x, y)$ or $\phi(x, y)$ for it, and this is what a *global* feature is: the sum of the
# local ones.
#
# ### Exercise 2.1: the features of a sentence
#
# Write `phi`. It returns a dict (or a `Counter`, which is one) from features to how often they occur.


# %% exercise="phi"
def phi(f, words, labels):
    """Return how often each feature occurs in a sentence with these labels."""
    counts = Counter()
    # For each i: the features are those of f(words, i, h, y), where y is the label of word i,
    # and h that of the word before it (START for the first word).
    raise NotImplementedError("exercise 2.1, phi")
    return counts


# %%
check.phi(phi)

# %% [markdown]
# Look at one:

# %%
phi(f, ["the", "dog", "saw", "the", "bird"], ["DT", "NN", "VBD", "DT", "NN"])

# %% [markdown]
# Each feature has a **weight**, a number that says how much it speaks for these labels. Weights stand in a dict `w`;
# a feature that is not in it has the weight 0. The **score** of a sentence with labels is the sum of the weights of
# its features. (Papers write $w \cdot \phi(x, y)$.)
#
# Here are weights that somebody made up. They know two words and a bit of grammar:

# %%
some_w = {
    ("word the", "DT"): 2,
    ("word walks", "NNS"): 1,
    ("word walks", "VBZ"): 1,
    ("label before", ("DT", "NN")): 1,
    ("label before", ("NN", "VBZ")): 1,
}


def score(w, features):
    """Return the sum of weights of features, each as often as it occurs."""
    return sum(w.get(feature, 0) * n for feature, n in features.items())


words = ["the", "dog", "walks"]
for some_labels in (["DT", "NN", "VBZ"], ["DT", "NN", "NNS"], ["NN", "NN", "NN"]):
    print(some_labels, score(some_w, phi(f, words, some_labels)))

# %% [markdown]
# ## 3. The best of all label sequences
#
# The tagger's answer is the label sequence with the highest score. We could try all sequences. But how many are
# there?

# %%
labels = sorted({label for sentence in train_sentences for _, label in sentence})
print(len(labels), "labels")
for n in (1, 2, 5, 10, 20):
    print(f"a sentence of {n:2} words has {len(labels) ** n:,} label sequences")

# %% [markdown]
# So we must be cleverer, and we can be, because no feature looks at more than two labels that are neighbours. The
# score of a sequence is a sum with one term for each word,
#
# $$s(0, \text{START}, y_0) + s(1, y_0, y_1) + s(2, y_1, y_2) + \dots$$
#
# where `s(i, h, y)` is the sum of the weights of `f(words, i, h, y)`. For the algorithm it does not matter where `s`
# comes from, so let us take one from a table. Here are two labels, `A` and `B`, and three words:

# %%
table = {
    (0, START, "A"): 1, (0, START, "B"): 0,
    (1, "A", "A"): 0, (1, "A", "B"): 2, (1, "B", "A"): 4, (1, "B", "B"): 0,
    (2, "A", "A"): 0, (2, "A", "B"): 1, (2, "B", "A"): 3, (2, "B", "B"): 0,
}  # fmt: skip


def s(i, h, y):
    return table[i, h, y]


for path in ("AAA", "AAB", "ABA", "ABB", "BAA", "BAB", "BBA", "BBB"):
    print(path, s(0, START, path[0]) + s(1, path[0], path[1]) + s(2, path[1], path[2]))

# %% [markdown]
# Now do it word by word. Let `alpha[i][y]` be the score of the best sequence for the words 0 to `i` that **ends in**
# `y`.
#
# - For the first word there is nothing to choose: `alpha[0]["A"]` is 1 and `alpha[0]["B"]` is 0.
# - For word 1 and `y = "A"`: either the label before is `A`, which gives `alpha[0]["A"] + s(1, "A", "A")` = 1 + 0, or
#   it is `B`, which gives `alpha[0]["B"] + s(1, "B", "A")` = 0 + 4. The better one is 4, so `alpha[1]["A"]` is 4.
#
# In general,
#
# $$\alpha_0[y] = s(0, \text{START}, y) \qquad \alpha_i[y] = \max_h \; \alpha_{i-1}[h] + s(i, h, y)$$
#
# Do the rest on paper before you go on: which numbers are `alpha[1]["B"]`, `alpha[2]["A"]` and `alpha[2]["B"]`? The
# larger one of the last two must be the best score in the list above.
#
# ### Exercise 2.2: the recursion
#
# Write `forward`. It returns `alpha` as a list with a dict for each word.


# %% exercise="forward"
def forward(n, labels, s):
    """Return alpha: for each of n words a dict, from labels to the best score that ends there."""
    alpha = []
    # First append the dict of word 0. Then, for each further word i, append a dict that is made
    # from alpha[i - 1].
    raise NotImplementedError("exercise 2.2, forward")
    return alpha


# %%
check.forward(forward)

# %%
for i, best in enumerate(forward(3, ["A", "B"], s)):
    print("word", i, best)

# %% [markdown]
# The best score is the largest number of the last row. But which sequence has it? To find out, keep at each step
# **which** `h` was the best one, beside its score: the **back pointers**, `back[i][y]`. Then go from the end to the
# beginning: the last label is the one with the largest `alpha`; the label before it is the one that its back pointer
# names; and so on, until the first word.
#
# If two labels are equally good, take the one that stands first in `labels`. Python's `max(labels, key=...)` does
# that by itself: of equal ones it returns the first.
#
# ### Exercise 2.3: Viterbi, with back pointers
#
# Write `viterbi`. It returns the best sequence as a list of `n` labels. Begin with your code of `forward`.


# %% exercise="viterbi"
def viterbi(n, labels, s):
    """Return the sequence of n labels that has the highest score."""
    alpha, back = [], []
    # 1. As in forward; and for each word i from 1, back[i][y] is the h that gave alpha[i][y].
    #    (Nothing stands before word 0: let back[0] be an empty dict.)
    # 2. The last label is the best one of alpha[n - 1].
    # 3. From the last word to the first: back[i] says which label stands before. Collect them.
    raise NotImplementedError("exercise 2.3, viterbi")


# %%
check.viterbi(viterbi)

# %% [markdown]
# Now your algorithm decodes sentences, by any features and any weights:


# %%
def decode(w, f, words, labels):
    """Return the best labels of a sentence by the weights w."""

    def s(i, h, y):
        return sum(w.get(feature, 0) for feature in f(words, i, h, y))

    return viterbi(len(words), labels, s)


decode(some_w, f, ["the", "dog", "walks"], labels)

# %% [markdown]
# ## 4. Learning the weights
#
# Nobody wants to make weights up. The perceptron finds them by its mistakes. It begins with no weights at all,
# decodes a sentence, and compares its guess with the right labels, which are called **gold**. If they are the same,
# nothing happens. If not, the features of gold should have scored higher, and those of the guess lower:
#
# $$w \leftarrow w + \phi(x, \text{gold}) - \phi(x, \text{guess})$$
#
# What both have in common cancels out; only the difference moves.
#
# ### Exercise 2.4: the update
#
# Write `update`, which changes the dict `w`. It returns nothing.


# %% exercise="update"
def update(w, right, wrong):
    """Add the features of gold, `right`, to w, and subtract those of the guess, `wrong`."""
    # right and wrong are dicts from features to counts, as phi returns them. A feature may not
    # be in w yet.
    raise NotImplementedError("exercise 2.4, update")


# %%
check.update(update)

# %% [markdown]
# Watch it learn from one sentence, until the guess is right:

# %%
w = {}
words, gold = ["the", "old", "dog", "barks"], ["DT", "JJ", "NN", "VBZ"]
for _ in range(10):
    guess = decode(w, f, words, labels)
    print(guess)
    if guess == gold:
        break
    update(w, phi(f, words, gold), phi(f, words, guess))

# %% [markdown]
# One sentence is soon learned. With many sentences the last ones would have the last word: what they changed, nobody
# has put right again. So we return not the last weights but the **mean** of the weights as they were after each
# sentence (whether there was a mistake in it or not). This is the *averaged perceptron*; lesson 1 is about it.
#
# ### Exercise 2.5: the training
#
# Write `train`. It goes through the sentences, in their order, as many times as `epochs` says, and returns the mean
# of the weights after each sentence. The plain way: a second dict `total`, to which you add all of `w` after each
# sentence, and which you divide by the number of sentences that you have been through, at the end.


# %% exercise="train"
def train(sentences, labels, f, epochs):
    """Return the averaged weights of a perceptron, a dict from features to numbers."""
    w, total, presented = {}, {}, 0
    # For each sentence of each epoch: split it into words and gold labels, decode the words by w,
    # and update w if the guess is not gold. Then, mistake or not, add each weight of w to total,
    # and 1 to presented.
    # At the end return total, each number of it divided by presented.
    raise NotImplementedError("exercise 2.5, train")


# %%
check.train(train)

# %% [markdown]
# The checker has compared your weights with those of sapwood's own tagger, one by one. Now train on all sentences
# (this takes a few seconds) and measure:

# %%
w = train(train_sentences, labels, f, epochs=5)


def tag(words):
    return decode(w, f, words, labels)


print(f"the most frequent label   {accuracy(most_frequent, dev_sentences):.1%}")
print(f"your tagger               {accuracy(tag, dev_sentences):.1%}")

# %% [markdown]
# ## 5. Features of your own
#
# What does it get wrong? Look at the first dev sentences with a mistake. A word in capitals was never seen in
# training.

# %%
shown = 0
for sentence in dev_sentences:
    guess = tag([word for word, _ in sentence])
    if guess != [label for _, label in sentence] and shown < 12:
        shown += 1
        for (word, gold), label in zip(sentence, guess):
            word = word if word in seen else word.upper()
            print(word if label == gold else f"{word} [{label}, not {gold}]", end="  ")
        print()

# %% [markdown]
# A word that was never seen has no weights of its own. But *you* would often know its label. How?
#
# ### Exercise 2.6: your tagger
#
# Write `my_features`: begin with the two features of `f`, and add others that help with the mistakes above. A feature
# is anything that you can compute from `words` and `i` (endings, the words around, ...), paired with `y`. It may look
# at `h`, too, but at no other label. Give each kind of feature a name of its own (`"word dog"`, `"ending og"`), so
# that they are not taken for each other.
#
# Your tagger is accepted if at least 95 % of the words of other sentences are right. Be curious about what each
# feature brings: leave it out and measure again. More features are not always better: a hundred sentences are few, and
# of a feature that is different almost everywhere little can be learned.


# %% exercise="my_features"
def my_features(words, i, h, y):
    features = [("word " + words[i], y), ("label before", (h, y))]
    raise NotImplementedError("exercise 2.6, my_features")
    return features


# %%
check.my_features(my_features)

# %%
my_w = train(train_sentences, labels, my_features, epochs=5)


def my_tag(words):
    return decode(my_w, my_features, words, labels)


print(f"{accuracy(my_tag, dev_sentences):.1%}")

# %%
check.tagger(my_tag)

# %% [markdown]
# ## 6. The same in the laboratory
#
# What you wrote is what `sapwood_lab` has: the files `viterbi.py` and `learner.py` are the page-long versions of your
# functions, with the pseudocode of the papers above them. The learner there knows nothing of labels or words. It
# wants two methods: `phi`, the features of an answer, and `best`, the answer that scores highest. You have both.

# %%
from sapwood_lab import Learner


class MyTagger(Learner):
    def phi(self, words, labels):
        return phi(my_features, words, labels)

    def best(self, words, gold=None):
        return decode(self.w, my_features, words, labels)


pairs = [tuple(map(list, zip(*sentence))) for sentence in train_sentences]  # words and gold labels
my_tagger = MyTagger(epochs=5, seed=None)  # seed=None: the sentences in their order
my_tagger.fit(pairs)
same = all(abs(weight - my_w.get(k, 0)) < 1e-9 for k, weight in my_tagger.w.items())
print("the same weights as yours:", same)

# %% [markdown]
# Learners have `steps`, too, which train and give you each update to look at. The laboratory's own Viterbi tagger,
# whose features are lines of a template, shows what its search saw, before the update and after it: in the boxes
# alpha, thin lines for the back pointers, gold in blue, the guess in red. Below are the weights that the update moved.

# %%
from sapwood_lab import ViterbiTagger

lab_tagger = ViterbiTagger("U:%x[0,0]\nB\n", epochs=1, seed=None)  # the word, and the label before
for step in lab_tagger.steps(train_sentences):
    if step.number == 5:
        break
step

# %% [markdown]
# And this is sapwood's fast tagger, which is written in C++, where it is installed. Its features are lines of a
# template: `%x[0,0]` is the word, `%x[-1,0]` the word before, `%suffix[0,0,2]` its last two letters, `B` the label
# before.

# %%
template = "U1:%x[0,0]\nU2:%x[-1,0]\nU3:%suffix[0,0,2]\nU4:%suffix[0,0,3]\nB\n"
try:
    from sapwood import SequenceTagger

    fast = SequenceTagger(template=template, update="perceptron", min_updates=1, epochs=5)
    fast.fit(train_sentences)
    print(f"{accuracy(lambda words: fast.predict([words])[0], dev_sentences):.1%}")
except ImportError:
    print("the core is not installed here")

# %% [markdown]
# ## What you have seen
#
# - A linear model scores an answer by the weights of its features; features of a sequence are counts.
# - The best of exponentially many sequences is found in time `n` × labels², because features look at neighbours only.
# - The perceptron adds the features of gold and subtracts those of its guess; the mean of the weights is what is
#   kept.
#
# **To read**: Collins (2002), *Discriminative training methods for hidden Markov models*, sections 2 and 3; Dyer
# (2015), *Structured Perceptron*; Clark (2015), *The Perceptron for Structured Prediction*. Lesson 3 asks by how much
# gold should win.
