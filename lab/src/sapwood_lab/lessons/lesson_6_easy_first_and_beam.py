# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Lesson 6: easy-first and beam
#
# Viterbi looks at all answers and finds the best, but its features may only look at two labels that stand side by side.
# If features are to see more of what has been built, nobody can look at all answers. This lesson has two searches that
# look at a few, and shows how a perceptron is trained with a search that makes mistakes.
#
# 1. **Easy-first** does what it is surest of, wherever that is in the sentence. Its training is *guided learning* (Yoav
#    Goldberg and Michael Elhadad 2010, Algorithms 1 and 3; section 2 of *Learning Sparser Perceptron Models*, 2011,
#    tells in one paragraph why it is hard).
# 2. **Beam search** goes from left to right and keeps the best *k* beginnings. Its training updates *early* (Michael
#    Collins and Brian Roark 2004) or where the *violation* is largest (Liang Huang, Suphan Fayong and Yang Guo 2012).
#
# You need the structured perceptron (lesson 2). The lesson takes 90 minutes.
#
# | minutes | what |
# |---|---|
# | 0–25 | easy-first: exercises 6.1 and 6.2 |
# | 25–50 | guided learning, and features of your own: exercises 6.3 and 6.4 |
# | 50–90 | beam search, and where to update: exercises 6.5 and 6.6 |

# %%
from random import Random

from sapwood_lab import BeamParser, EasyFirstParser
from sapwood_lab.lessons import data
from sapwood_lab.lessons.check import lesson_6 as check

# %% [markdown]
# ## 1. Easy-first parsing
#
# A dependency tree gives each word its head. We count words from 0; `heads[m]` is the head of word `m`, and the head of
# the word that has none, the verb, is -1. Our trees are *projective*: what is below a word stands together. In these
# sentences it is a question of words whether a prepositional phrase belongs to the verb (*hit ... with a hammer*) or to
# the noun (*a house with a roof*).

# %%
TO_THE_VERB, TO_THE_NOUN = ["hammer", "key", "telescope", "morning"], ["roof", "garden", "window", "tail"]


def noun_phrase(random, words, nouns):
    """Append a noun phrase, and return the position of its noun."""
    before = random.choice([["the/DT"], ["the/DT", "old/JJ"], ["a/DT", "small/JJ", "red/JJ"], []])
    noun = len(words) + len(before)
    words += [(*text.split("/"), noun) for text in before] + [(random.choice(nouns), "NN", None)]
    return noun


def sentence(random):
    """Return the words of a random sentence, as pairs of a word and its tag, and their heads."""
    words = []  # (word, tag, head)
    subject = noun_phrase(random, words, ["man", "dog", "girl", "cat"])
    adverb = random.random() < 0.3
    verb = len(words) + adverb
    words += [("often", "RB", verb)] * adverb + [(random.choice(["saw", "hit", "opened"]), "VBD", -1)]
    site = noun_phrase(random, words, ["house", "door", "man", "tower"])
    heads = {subject: verb, site: verb}
    for _ in range(random.choice([0, 1, 1, 2])):
        preposition = len(words)
        words.append((random.choice(["with", "in"]), "IN", None))
        noun = noun_phrase(random, words, TO_THE_VERB + TO_THE_NOUN)
        heads |= {preposition: verb if words[noun][0] in TO_THE_VERB else site, noun: preposition}
        site = noun
    return [(word, tag) for word, tag, _ in words], [heads.get(m, head) for m, (_, _, head) in enumerate(words)]


random = Random(6)
train_trees = [sentence(random) for _ in range(80)]
dev_trees = [sentence(random) for _ in range(80)]
for words, heads in train_trees[:2]:
    for m, (word, tag) in enumerate(words):
        print(f"{m:2} {word:10} {tag:4} head: {words[heads[m]][0] if heads[m] >= 0 else '-'}")
    print()

# %% [markdown]
# An easy-first parser has a list of **pending** words, at first all of them. An *action* takes two neighbours of the
# list and makes one the head of the other. The other one, the *modifier*, leaves the list. When one word is left, the
# tree is done. Goldberg and Elhadad call the neighbours $p_i$ and $p_{i+1}$, and an action is a pair `(i, side)`:
#
# * `(i, "left")`: the left one, $p_i$, is the head of $p_{i+1}$;
# * `(i, "right")`: the right one, $p_{i+1}$, is the head of $p_i$.


# %%
def actions(pending):
    return [(i, side) for i in range(len(pending) - 1) for side in ("left", "right")]


def arc(pending, action):
    """Return the head and the modifier of an action."""
    i, side = action
    return (pending[i], pending[i + 1]) if side == "left" else (pending[i + 1], pending[i])


pending = [0, 1, 2, 3]
for action in actions(pending):
    print(action, "head {}, modifier {}".format(*arc(pending, action)))

# %% [markdown]
# ### Exercise 6.1: the valid actions
#
# At any time several actions are right. An action is **valid** if
#
# * its arc is in the gold tree, and
# * the modifier already has all of its own children: no word that is still pending has it as its gold head. (Once it
#   has left the list, nobody can be attached to it any more.)


# %% exercise="valid"
def valid(pending, action, gold):
    """Return True if an action is valid; `gold` are the heads."""
    # arc(pending, action) gives the head and the modifier.
    raise NotImplementedError("exercise 6.1, valid")


# %%
check.valid(valid)

# %% [markdown]
# All orders in which a tree can be built, one valid action after the other:


# %%
def orders(pending, gold):
    if len(pending) == 1:
        return 1
    return sum(
        orders([word for word in pending if word != arc(pending, action)[1]], gold)
        for action in actions(pending)
        if valid(pending, action, gold)
    )


for words, heads in train_trees[:3]:
    print(len(words), "words,", orders(list(range(len(words))), heads), "orders")

# %% [markdown]
# So there are very many right ways, and "the learner does not know in advance the correct order of steps to take"
# (2011, section 2). It chooses the order by itself: the surest first. That is Algorithm 1:
#
#     while more than one word is pending:
#         the action of the highest score, among all places i and both sides, is made
#
# ### Exercise 6.2: the parser
#
# `score(pending, action)` is a number. After each action the list is another one, so all places are scored
# again. Of actions that score the same, the first in the order of `actions(pending)` is made.


# %% exercise="easy_first"
def easy_first(n, score):
    """Return the heads of n words (-1 for the last one that is pending)."""
    heads = [-1] * n
    pending = list(range(n))
    raise NotImplementedError("exercise 6.2, easy_first")
    return heads


# %%
check.easy_first(easy_first)

# %% [markdown]
# ## 2. Guided learning
#
# Now the weights. A feature is a text about the place $i$ and what surrounds it, together with the side. These are some
# to begin with: the tags and words of both neighbours.


# %%
def place(words, pending, i):
    """Return what is seen at the place between p_i and p_(i+1): a list of texts."""
    (word1, tag1), (word2, tag2) = words[pending[i]], words[pending[i + 1]]
    return [f"tags {tag1} {tag2}", f"words {word1} {word2}", f"word, tag {word1} {tag2}", f"tag, word {tag1} {word2}"]


def phi(place, words, pending, action):
    """Return the features of an action: a list."""
    i, side = action
    return [(text, side) for text in place(words, pending, i)]


# %% [markdown]
# Algorithm 3 trains. Where several actions are right, none of them is *the* gold one; so the best **valid** action is
# held against the best **invalid** one:
#
#     while more than one word is pending:
#         y  <- argmax over the valid actions of w . phi
#         y' <- argmax over the invalid actions of w . phi
#         if w . phi(y') >= w . phi(y):
#             w <- w + phi(y) - phi(y')
#         make y
#
# (The paper repeats the decision until y wins. We present it once, as the laboratory does by default.) Note the last
# line: in training the parser is *guided*, it makes the valid action, though it would have liked another one better.
#
# ### Exercise 6.3: guided learning
#
# `phi(pending, action)` is a list of features here, the words being known to it. `w` is a dict, and you change it. Of
# actions that score the same, take the first in the order of `actions(pending)`. (There always
# is an invalid one: of two neighbours at most one is the head of the other.)


# %% exercise="guided"
def value(w, features):
    return sum(w.get(feature, 0) for feature in features)


def learn_tree(w, phi, gold):
    """Go through one sentence with the gold heads `gold`, and change w where an invalid action is not behind."""
    pending = list(range(len(gold)))
    raise NotImplementedError("exercise 6.3, guided")


# %%
check.guided(learn_tree)


# %%
def train_parser(place, trees, epochs=5):
    w = {}
    for _ in range(epochs):
        for words, heads in trees:
            learn_tree(w, lambda pending, action: phi(place, words, pending, action), heads)
    return w


def parse(place, w, words):
    return easy_first(len(words), lambda pending, action: value(w, phi(place, words, pending, action)))


def right_heads(place, w, trees):
    pairs = [pair for words, heads in trees for pair in zip(parse(place, w, words), heads)]
    return sum(guess == gold for guess, gold in pairs) / len(pairs)


w = train_parser(place, train_trees)
print(f"{right_heads(place, w, dev_trees):.1%} of the heads are right")

# %% [markdown]
# (We do not average here, to keep the code short. Lesson 4 would make it better.) In which order does it build?


# %%
def show_order(place, w, words):
    pending = list(range(len(words)))
    while len(pending) > 1:
        action = max(actions(pending), key=lambda action: value(w, phi(place, words, pending, action)))
        head, modifier = arc(pending, action)
        print(f"{words[head][0]:10} <- {words[modifier][0]}")
        pending.remove(modifier)


show_order(place, w, dev_trees[1][0])

# %% [markdown]
# ### Exercise 6.4: features of your own
#
# Whether a preposition goes to the noun or to the verb before it depends on the noun *behind* it, and it is wrong to
# take a preposition away from the list before it has its noun. Our features cannot see either. Yours can: look at more
# of `pending` than $p_i$ and $p_{i+1}$ (take care at both ends of the list), and at all of `words`. A noun that has
# been attached to its preposition is no longer pending, but it still stands in `words`. You may begin with the list
# that `place` returns, and add to it. Remember that the weights of features are added up: a linear model cannot find
# out that two of them mean something *together*. What belongs together has to stand in one text, as in `tags IN NN`.
#
# The checker trains your features on the sentences above, and wants 97 % of the heads of the dev sentences.


# %% exercise="my_place"
def my_place(words, pending, i):
    """Return what is seen at the place between p_i and p_(i+1): a list of texts."""
    raise NotImplementedError("exercise 6.4, my_place")


# %%
check.my_place(my_place, train_trees, dev_trees)

# %% [markdown]
# ## 3. Beam search
#
# Take labels from left to right again. In *the old man the boats* the reader is led up the garden path: *old man* looks
# like adjective and noun, until there is no verb. A tagger that decides at once cannot come back. Here are scores by
# hand, of a label and of a label after another:

# %%
WORD = {("old", "A"): 2, ("old", "N"): 1, ("man", "N"): 2, ("man", "V"): 1, ("the", "D"): 3, ("boats", "N"): 2}
AFTER = {("D", "A"): 1, ("D", "N"): 1, ("A", "N"): 1, ("A", "V"): -2, ("N", "V"): 2, ("N", "D"): -3, ("V", "D"): 1}
GARDEN = ["the", "old", "man", "the", "boats"]


def garden_score(derivation, y):
    """Return the score of the label y after the labels `derivation`, which stand before it."""
    i = len(derivation)
    before = derivation[-1] if derivation else None
    return WORD.get((GARDEN[i], y), 0) + AFTER.get((before, y), 0)


# %% [markdown]
# A beginning of the answer is called a **derivation**, here a tuple of labels. Its score is the sum of the scores of
# its steps. A beam of size $k$ goes on with the $k$ best:
#
#     B_0 <- [the empty derivation, of score 0]
#     for t = 1 .. n:
#         B_t <- the k best of all successors of all derivations in B_(t-1)
#
# ### Exercise 6.5: the beam
#
# Return all beams, as a list: `beams[t]` is $B_t$, a list of pairs `(score, derivation)`, the best first. Of those that
# score the same, the one comes first whose beginning ranked higher; then the one whose label is first in `labels`. (If
# you collect successors in that order, then `sort(key=..., reverse=True)`, which keeps the order of equal ones, does
# it.)


# %% exercise="beam_search"
def beam_search(n, labels, score, k):
    """Return the beams of n steps. `score(derivation, y)` is the score of the step that adds the label y."""
    beams = [[(0, ())]]  # () is the empty tuple, and (*derivation, y) is a derivation with one label more
    raise NotImplementedError("exercise 6.5, beam_search")
    return beams


# %%
check.beam_search(beam_search)

# %%
for k in (1, 2):
    print(f"k = {k}")
    for t, beam in enumerate(beam_search(5, ["D", "A", "N", "V"], garden_score, k)):
        derivations = "   ".join(f"{' '.join(derivation)} ({score})" for score, derivation in beam)
        print("  ", " ".join(GARDEN[:t]).ljust(25), derivations)

# %% [markdown]
# With $k = 1$ the first mistake is final; with $k = 2$ the reading with *man* as a verb waits in the second place until
# its time has come. Unlike Viterbi the beam may lose the best answer. But `score` may look at the *whole* derivation.
#
# ## 4. Where to update
#
# Train it as in lesson 2: search, compare the end of the search with gold, update. That hides a trap. It may be that
# the gold derivation **scores higher** than the guess, and was just lost from the beam on the way. Then the model was
# right and the search was wrong. An update is then no answer to a violation, and may do harm. What helps is to update
# on *beginnings* of the same length, at a step $t$ where the guess is really ahead of gold:
#
# * **Early update** (Collins and Roark 2004): as soon as the gold derivation is *not in the beam any more*, stop
#   and update with the beginnings at that step. If gold stays in the beam to the end, the update is made at the end, if
#   the best derivation there is not gold.
# * **Max-violation** (Huang, Fayong and Guo 2012): search to the end. Of all steps at which the best of the
#   beam is not the gold beginning, take the one at which it is ahead of gold by most.
#
# ### Exercise 6.6: early, or where it hurts most
#
# Given are the beams, and the gold derivation with the scores of its beginnings: `gold[:t]` has the score
# `gold_scores[t]`. Return the step $t$ at which the update is made (1 to n), or None if there is none to make. Of
# several steps with the same violation take the first.


# %% exercise="update_at"
def early_update(beams, gold, gold_scores):
    """Return the step t of the early update, or None."""
    raise NotImplementedError("exercise 6.6, update_at")


def max_violation(beams, gold, gold_scores):
    """Return the step t at which the best of the beam is ahead of gold by most, or None."""
    raise NotImplementedError("exercise 6.6, update_at")


# %%
check.update_at(early_update, max_violation)

# %% [markdown]
# Now a tagger with a beam, trained in three ways: at the end only, early, and by max-violation. Its features look at
# the whole derivation: has there been a verb yet?

# %%
VERBS = ("VBZ", "VBP", "VBD", "MD")


def step_features(words, derivation, y):
    i = len(derivation)
    last = derivation[-1] if derivation else "<start>"
    verbs = sum(label in VERBS for label in derivation)
    return [("word", words[i], y), ("end", words[i][-2:], y), ("after", last, y), ("verbs", verbs, last, y)]


def scorer(w, words):
    """Return the function score(derivation, y) of a sentence."""
    return lambda derivation, y: value(w, step_features(words, derivation, y))


def at_the_end(beams, gold, gold_scores):
    n = len(gold)
    return n if beams[n][0][1] != gold else None


def train_beam(sentences, k, where, epochs):
    """Return the weights, and how many updates had no violation: gold scored higher than the guess."""
    labels = sorted({label for sentence in sentences for _, label in sentence})
    w, wrong_updates = {}, 0
    for _ in range(epochs):
        for sentence in sentences:
            words, gold = [word for word, _ in sentence], tuple(label for _, label in sentence)
            score = scorer(w, words)
            beams = beam_search(len(words), labels, score, k)
            gold_scores = [0]
            for t, y in enumerate(gold):
                gold_scores.append(gold_scores[-1] + score(gold[:t], y))
            t = where(beams, gold, gold_scores)
            if t is None:
                continue
            best_score, guess = beams[t][0]
            wrong_updates += gold_scores[t] > best_score
            for derivation, sign in ((gold[:t], 1), (guess, -1)):
                for j, y in enumerate(derivation):
                    for feature in step_features(words, derivation[:j], y):
                        w[feature] = w.get(feature, 0) + sign
    return w, wrong_updates, labels


def tagged(w, labels, words, k):
    return beam_search(len(words), labels, scorer(w, words), k)[-1][0][1]


train_sentences, dev_sentences = data.sentences(60, seed=1), data.sentences(60, seed=2)
for k in (1, 4):
    for where in (at_the_end, early_update, max_violation):
        w, wrong_updates, labels = train_beam(train_sentences, k, where, epochs=4)
        right = total = 0
        for sentence in dev_sentences:
            guess = tagged(w, labels, [word for word, _ in sentence], k)
            right += sum(y == label for y, (_, label) in zip(guess, sentence))
            total += len(sentence)
        print(f"k = {k}, {where.__name__:14} {right / total:.1%} right, {wrong_updates:3} updates without a violation")

# %% [markdown]
# Neither early update nor max-violation ever updates without a violation; that is what they are made for.
#
# ## 5. Look at both at work
#
# The laboratory has both searches as parsers, and each of their updates is a `Step`, which shows itself in a notebook:
# what was decided, what it changed, and a picture of the search. This is the last update of an easy-first parser that
# learns one sentence by heart. (It writes
# a template of features in place of a function, counts words from 1, and calls the head of the verb 0.)

# %%
words, heads = train_trees[2]
tree = [head + 1 for head in heads], ["_"] * len(heads)
parser = EasyFirstParser("[attachments]\np0t p1t\np0w p1w\n", labelled=False, seed=None)
*_, last = parser.steps([words], [tree])
last

# %% [markdown]
# And this is the last one of a beam, which builds the same tree from left to right. Does gold fall off? (Where it does
# not, the laboratory updates where the guess is ahead by most, and not at the end.)

# %%
parser = BeamParser("[transitions]\nS0t N0t\nS0w N0w\n", beam=3, update="early", labelled=False, seed=None)
*_, last = parser.steps([words], [tree])
last

# %% [markdown]
# ## What to take home
#
# * A search that cannot look at everything may follow the surest (easy-first) or keep several (beam).
# * Guided learning holds the best valid action against the best invalid one, and then makes the valid one.
# * With a search that makes mistakes, an update is safe only where the guess is really ahead of gold.
#
# To read on: `sapwood_lab.easy_first`, `sapwood_lab.easiest_first` (the same idea for labels) and `sapwood_lab.beam`
# are the laboratory's. `sapwood-lab steps --example parsing --algorithm beam` walks through a training.
