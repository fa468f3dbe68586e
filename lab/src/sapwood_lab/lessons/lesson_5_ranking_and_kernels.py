# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Lesson 5: ranking and kernels
#
# A parser proposes several trees for a sentence, and a second model picks the best of them. The second model may look
# at anything in a tree, as it has only a few trees to look at. This is *reranking* (Michael Collins and Nigel Duffy,
# *New Ranking Algorithms for Parsing and Tagging*, 2002; Stephen Clark's lecture of 2015 on the perceptron, from "A
# Ranking Perceptron" to its end, tells it in the letters that we use).
#
# Then a riddle is solved: how can a model use *all* fragments of a tree as features, though there are more of them
# than we could ever write down? By **kernels**: the model does not see features at all, it only asks how alike two
# trees are.
#
# You need the perceptron (lesson 1). The lesson takes 90 minutes.
#
# | minutes | what |
# |---|---|
# | 0–30 | the ranking perceptron, with weights of features: exercises 5.1 and 5.2 |
# | 30–50 | the same without any weight of a feature: exercise 5.3 |
# | 50–80 | kernels of sequences and trees: exercises 5.4 and 5.5 |
# | 80–90 | a kernel of your own: exercise 5.6 |

# %%
import time
from functools import cache
from itertools import combinations
from random import Random

from sapwood_lab import Candidate, CandidateList
from sapwood_lab.dual import DualPerceptron
from sapwood_lab.lessons.check import lesson_5 as check
from sapwood_lab.subsequence_kernel import subsequence_kernel as fast_kernel
from sapwood_lab.tree_kernel import fragments
from sapwood_lab.trees import bracketed, nodes, read_tree

# %% [markdown]
# ## 1. Trees, and which of them is right
#
# A tree is a pair: its label, and below it either a word or a tuple of trees. `read_tree` makes one of a text in
# brackets, `bracketed` the text of a tree, and `nodes` yields a tree and all trees below it.

# %%
dog = read_tree("(NP (DT the) (NN dog))")
print(dog)
for node in nodes(dog):
    print(bracketed(node))

# %% [markdown]
# Our sentences are about an old problem of parsing: where does a prepositional phrase (PP) belong? In *she saw the man
# with a telescope* it may belong to the verb (VP), or to the noun (NP). Our parser knows no words; it lists the trees
# in an order that suits the average sentence. Which one is right depends on the words: an instrument or a time
# belongs to the verb, a part of something to the noun before it. One sentence in twenty-five breaks the rule. (A real
# parser lists hundreds of trees. Two are enough to see everything that matters here, and your code will not care.)

# %%
VERBS, THINGS = ["saw", "hit", "opened", "drew"], ["man", "cat", "house", "door"]
TO_THE_VERB, TO_THE_NOUN = ["telescope", "hammer", "key", "morning"], ["tail", "roof", "garden", "window"]


def candidates(random):
    """Return the trees of a random sentence, and the number of the one that is right."""
    subject, verb, thing = random.choice(THINGS), random.choice(VERBS), random.choice(THINGS)
    word = random.choice(TO_THE_VERB * 3 + TO_THE_NOUN * 2)
    pp = f"(PP (IN with) (NP (DT the) (NN {word})))"
    of_verb = f"(VP (VBD {verb}) (NP (DT the) (NN {thing})) {pp})"
    of_noun = f"(VP (VBD {verb}) (NP (NP (DT the) (NN {thing})) {pp}))"
    right = 0 if word in TO_THE_VERB else 1
    if random.random() < 0.04:
        right = 1 - right
    return [read_tree(f"(S (NP (DT the) (NN {subject})) {vp})") for vp in (of_verb, of_noun)], right


random = Random(1)
train = [candidates(random) for _ in range(100)]
test = [candidates(random) for _ in range(100)]

for trees, best in train[:2]:
    for j, tree in enumerate(trees):
        print("right" if j == best else "     ", bracketed(tree))
    print()

# %% [markdown]
# Clark writes $s_i$ for the $i$-th sentence and $x_{ij}$ for its $j$-th candidate. For us the $i$-th list is the pair
# `(x, best)` of the candidates `x[0], x[1], ...` and the number of the best one. (In the lecture the best is always
# $x_{i1}$. Python counts from 0, and the best may be any.)
#
# The parser's own choice is the first of each list. This is what is to be beaten:


# %%
def accuracy(choose, lists):
    """Return the share of lists in which `choose`, a function from candidates to a number, picks the best."""
    return sum(choose(x) == best for x, best in lists) / len(lists)


print(f"the parser alone: {accuracy(lambda x: 0, test):.0%}")

# %% [markdown]
# ### Exercise 5.1: the features of a tree
#
# $h(x)$ are the features of a candidate: a dict from each feature to its value, which is **how often** it occurs in the
# tree. Take the *rules* of the tree. The node `(NP (DT the) (NN dog))` has the rule `"NP -> DT NN"`: a label, `->`, the
# labels of the children, all with one space between them. The node `(NN dog)` has the rule `"NN -> dog"`.


# %% exercise="h"
def h(tree):
    """Return how often each rule occurs in a tree."""
    # The loop goes over all nodes. `below` is a word (isinstance(below, str)), or a tuple of trees.
    counts = {}
    for label, below in nodes(tree):
        raise NotImplementedError("exercise 5.1, h")
    return counts


# %%
check.h(h)

# %% [markdown]
# ## 2. The ranking perceptron
#
# The score of a candidate is $F(x) = w \cdot h(x)$, and training is the perceptron of lesson 1 with the candidates as
# the classes (Clark: "A Ranking Perceptron"; the argmax is easy, "just exhaustively loop through the candidates"):
#
#     w <- 0
#     for each pass, for i = 1 .. n:
#         j <- argmax over j of F(x_ij)
#         if x_ij is not the best one:
#             w <- w + h(best one) - h(x_ij)
#
# ### Exercise 5.2: the primal form
#
# The lists hold dicts of features here, in the place of trees. Where candidates score the same, the argmax is the first
# of them (as `max` does it in Python).


# %% exercise="primal"
def dot(x, y):
    """Return x . y of two dicts of features: the sum of the products of what both have."""
    return sum(value * y[f] for f, value in x.items() if f in y)


def train_primal(lists, epochs):
    """Return w, a dict, after some passes over lists of pairs: (dicts of features, number of the best)."""
    w = {}
    raise NotImplementedError("exercise 5.2, primal")
    return w


# %%
check.primal(train_primal)


# %%
def with_features(h, lists):
    return [([h(tree) for tree in x], best) for x, best in lists]


def first_best(scores):
    return max(range(len(scores)), key=scores.__getitem__)


w = train_primal(with_features(h, train), epochs=10)
print(f"{len(w)} weights")
for name, lists in [("train", train), ("test", test)]:
    print(f"{name}: {accuracy(lambda x: first_best([dot(w, h(tree)) for tree in x]), lists):.0%}")

# %% [markdown]
# That is no better than the parser alone, even on what it has learned from. Why? Look at two candidates of a sentence:
# they have the *same words*. So all rules that have words, such as `NN -> telescope`, are in both, and they cancel out.
# The rules that differ have no words. No weight of a rule can say "a telescope goes to the verb"; all that rules can
# say is "always to the verb" or "always to the noun", and every mistake turns one into the other.
#
# What is missing is a feature like "a VP in which a PP has *telescope* in it". That is a larger piece of the tree, a
# **fragment**: a node with all of its children, each of which is either left as it is or opened in the same way. Here
# are all of *the dog*; a name that stands alone is a child that was not opened:

# %%
for fragment in fragments(dog):
    print(fragment)

# %% [markdown]
# With fragments as features, the ranking perceptron can learn what it needs. But look how many there are:

# %%
tree = train[0][0][0]
for _ in range(4):
    words = sum(isinstance(below, str) for _, below in nodes(tree))
    print(f"{words:2} words: {fragments(tree).total():9,} fragments")
    tree = ("S", (tree, ("VP", (("VBD", "slept"),))))

# %% [markdown]
# A handful of words has hundreds of fragments, and each word that is added multiplies them: the number grows
# exponentially. We cannot write $h(x)$ down for a newspaper. The way out begins with a surprise.
#
# ## 3. The dual form
#
# Every update adds $h(\text{best}) - h(x_{ij})$ to $w$. So at any time $w$ is a sum of such differences, and we may
# just *count* them. Let $\alpha_{ij}$ be how often candidate $j$ of sentence $i$ was wrongly the guess. Then
#
# $$w = \sum_{i,j} \alpha_{ij} \big(h(x_{i1}) - h(x_{ij})\big)$$
#
# where $x_{i1}$ is the best one of sentence $i$, and so the score of any tree $x$ is
#
# $$G(x) = \sum_{i,j} \alpha_{ij} \big(h(x_{i1}) \cdot h(x) - h(x_{ij}) \cdot h(x)\big) = w \cdot h(x) = F(x)$$
#
# (Clark, "Perceptron Training (a dual form)"; $F = G$ is his exercise for the reader, and you have just read the
# proof.) $w$ is gone. What is left of the features is the product $K(x, x') = h(x) \cdot h(x')$ of two candidates: the
# **kernel**.
#
#     alpha <- 0
#     for each pass, for i = 1 .. n:
#         j <- argmax over j of G(x_ij)
#         if x_ij is not the best one:
#             alpha_ij <- alpha_ij + 1
#
# ### Exercise 5.3: the dual form
#
# `alpha` is a dict from pairs `(i, j)`, both counted from 0, to numbers. What is 0 need not be in it.


# %% exercise="dual"
def G(x, alpha, lists, K):
    """Return the score of the candidate x, given alpha, the lists of the training, and the kernel K(x, x')."""
    raise NotImplementedError("exercise 5.3, dual")


def train_dual(lists, K, epochs):
    """Return alpha after some passes over lists of pairs: (candidates, number of the best)."""
    alpha = {}
    raise NotImplementedError("exercise 5.3, dual")
    return alpha


# %%
check.dual(G, train_dual)

# %% [markdown]
# If you did both right, the two forms are the same model. With the product of rules as kernel the dual gives the scores
# that the primal gave:


# %%
def rules_kernel(x, y):
    return dot(h(x), h(y))


alpha = train_dual(train[:20], cache(rules_kernel), epochs=3)
w = train_primal(with_features(h, train[:20]), epochs=3)
for tree in test[0][0]:
    print(f"F = {dot(w, h(tree)):6}   G = {G(tree, alpha, train[:20], rules_kernel):6}")

# %% [markdown]
# Which is cheaper? With $T$ trees in the training data, $n$ sentences and $d$ features, a pass takes $O(Td)$ in primal
# form and $O(Tnk)$ in dual form, if a kernel takes $O(k)$ (Clark, "Complexity of the two Forms"). So the dual form pays
# if $nk$ is smaller than $d$: where $d$ is exponential, and still $k$ is not.
#
# ## 4. Kernels by enumeration: the subsequences
#
# Clark names two representations that are exponentially large: all subsequences of a sequence, and all subtrees of a
# tree. We begin with sequences, because one can list them by hand. *cat* has three subsequences of two letters: *ca*,
# *at*, and *ct*, which has a gap. A gap costs: each subsequence is weighted by $\lambda^l$, where $l$ is the length of
# the stretch that it is **spread over**, from its first to its last letter, with the gaps (Lodhi et al. 2002). With
# $\lambda = 0.5$ in *cat*, *ca* counts 0.25 and *ct* counts 0.125. If a subsequence occurs more than once, its
# values are added. The places of all pairs of letters in *cat*, by Python's `combinations`:

# %%
for places in combinations(range(len("cat")), 2):
    print(places, ["cat"[k] for k in places])

# %% [markdown]
# ### Exercise 5.4: a kernel by listing
#
# Write $K(s, t) = h(s) \cdot h(t)$ for all subsequences of $n$ symbols, the slow and obvious way: list them. `decay` is
# $\lambda$.


# %% exercise="subsequence_kernel"
def subsequences(s, n, decay):
    """Return h(s): a dict from each subsequence of n symbols, as a tuple, to its value."""
    raise NotImplementedError("exercise 5.4, subsequence_kernel")


def subsequence_kernel(s, t, n, decay):
    """Return K(s, t)."""
    raise NotImplementedError("exercise 5.4, subsequence_kernel")


# %%
check.subsequence_kernel(subsequences, subsequence_kernel)

# %% [markdown]
# The laboratory's `sapwood_lab.subsequence_kernel` computes the same number by dynamic programming, without listing.
# Your way has its limits:

# %%
for length in (8, 14, 20):
    s = ["abcd"[k * k % 7 % 4] for k in range(length)]
    for name, kernel in [("by listing", subsequence_kernel), ("without", fast_kernel)]:
        start = time.perf_counter()
        kernel(s, s, 5, 0.5)
        print(f"{length} symbols, {name:10}: {1000 * (time.perf_counter() - start):6.1f} ms")

# %% [markdown]
# ## 5. The tree kernel
#
# Now the fragments of trees. $h(T)$ says how often each fragment occurs in $T$, and Collins and Duffy found how to
# compute $h(T_1) \cdot h(T_2)$ without listing a single one (Clark, "Computation of Subtree Kernel"). Take all pairs of
# a node $n_1$ of $T_1$ and a node $n_2$ of $T_2$, and let $f(n_1, n_2)$ be the number of fragments that both have *at
# that node*, as their root. Then
#
# $$K(T_1, T_2) = \sum_{n_1} \sum_{n_2} f(n_1, n_2)$$
#
# The *production* of a node is its label with the labels of its children, or with its word. There are three cases:
#
# * the productions of $n_1$ and $n_2$ differ: $f(n_1, n_2) = 0$;
# * they are the same, and what is below is a word: $f(n_1, n_2) = 1$;
# * they are the same, with children: every child is either left as it is (1 way) or opened
#   ($f$ ways, those of the pair of children), independently of the others, so
#   $f(n_1, n_2) = \prod_k \big(1 + f(\text{child}_k(n_1), \text{child}_k(n_2))\big)$
#
# Large fragments are many, and they make every tree very like itself and like nothing else. So a fragment of $s$
# productions counts $\lambda^s$ only. For that, **each** $f$ that is not 0 is multiplied by $\lambda$.
#
# ### Exercise 5.5: the tree kernel
#
# Run through an example by hand first: *the dog* and *the cat* have in common `(DT the)`, `(NP DT NN)`, and
# `(NP (DT the) NN)`. So K is 3 for $\lambda = 1$; which sum is it for $\lambda = 0.5$?


# %% exercise="tree_kernel"
@cache
def production(node):
    """Return the label of a node with its word, or with the labels of its children."""
    label, below = node
    return (label, below) if isinstance(below, str) else (label, tuple(child[0] for child in below))


def f(n1, n2, decay):
    """Return the weighted number of fragments that are in both trees with the roots n1 and n2."""
    raise NotImplementedError("exercise 5.5, tree_kernel")


def tree_kernel(T1, T2, decay):
    """Return K(T1, T2)."""
    raise NotImplementedError("exercise 5.5, tree_kernel")


# %%
check.tree_kernel(tree_kernel)

# %% [markdown]
# Now the reranker has all fragments as features. (`cache` keeps every K(x, y) that was computed.)


# %%
@cache
def K(x, y):
    return tree_kernel(x, y, 0.5)


alpha = train_dual(train, K, epochs=5)
print(f"{len(alpha)} candidates have an alpha")
print(f"test: {accuracy(lambda x: first_best([G(tree, alpha, train, K) for tree in x]), test):.0%}")

# %% [markdown]
# The rules got nowhere near that, and nobody told the model which fragments matter.
#
# The laboratory's dual perceptron takes your kernel, and learns the same alphas: a candidate that was the guess has a
# negative one, the best of its list a positive one. If the fast core is installed, it gives the same scores, too.


# %%
def as_lists(pairs, write=lambda tree: tree):
    """Return lists of candidates as the laboratory and the core take them. The best has the loss 0."""
    return [
        CandidateList("tree", [Candidate(write(tree), loss=float(j != best)) for j, tree in enumerate(x)])
        for x, best in pairs
    ]


few, new = train[:30], test[:2]
alpha = train_dual(few, K, epochs=3)
theirs = DualPerceptron(K, average=False, epochs=3, seed=None).fit(as_lists(few))
print("yours               ", [G(tree, alpha, few, K) for x, _ in new for tree in x])
print("laboratory          ", [score for scores in theirs.rank(as_lists(new)) for score in scores])
try:
    from sapwood import Reranker
except ImportError:
    print("the core is not installed")
else:  # it always shuffles the lists, in an order that the seed gives
    options = {"average": False, "epochs": 3, "seed": 1, "base_weight": 0.0}
    theirs = DualPerceptron(K, **options).fit(as_lists(few))
    core = Reranker(update="perceptron", kernel="tree", decay=0.5, normalise=False, **options)
    core.fit(as_lists(few, bracketed))
    print("laboratory, shuffled", [score for scores in theirs.rank(as_lists(new)) for score in scores])
    print(
        "core, shuffled      ", [score for ranking in core.rank(as_lists(new, bracketed)) for score in ranking.scores]
    )

# %% [markdown]
# ### Exercise 5.6: a kernel of your own
#
# Not every function is a kernel. $K(x, y)$ has to be a product $h(x) \cdot h(y)$ of *some* features, though
# you need not know which ones. Two things follow: $K(x, y) = K(y, x)$; and for any trees $x_1, x_2, \ldots$ and
# numbers $c_1, c_2, \ldots$ the sum $\sum_{a,b} c_a c_b K(x_a, x_b)$ is a square, $|\sum_a c_a h(x_a)|^2$, and so not
# negative.
#
# But it is easy to make new kernels of old ones. If $K_1$ and $K_2$ are kernels, then so are $K_1 + K_2$, $K_1 K_2$,
# $K_1^2$ and $(K_1 + 1)^2$, a product $a(x) a(y)$ of any number that you get from a tree, and $K$ *normalised*:
# $K(x, y) / \sqrt{K(x, x) K(y, y)}$, which no longer prefers large trees.
#
# Write a kernel of your own. The checker tests it on random trees, and trains your dual form with it: it should
# beat 80 % on the test sentences. Ideas: only the VP of the sentence matters; pairs of words that are close *in the
# tree*; the tree kernel, but normalised; a sum of two kernels.


# %% exercise="own_kernel"
def my_kernel(x, y):
    """Return how alike two trees are."""
    raise NotImplementedError("exercise 5.6, own_kernel")


# %%
check.own_kernel(my_kernel, train, test)

# %% [markdown]
# ## What to take home
#
# * Reranking needs no search: loop over the candidates. So features may look at everything.
# * The perceptron's weights are a sum of updates. Counting the updates (dual) is as good as adding them up (primal).
# * The dual form needs the product of two candidates only. A kernel computes that product without the features.
# * A kernel can be checked: enumerate the features of small cases. You have been checked that way twice.
#
# To read on: `sapwood_lab.ranking` and `sapwood_lab.dual` are the laboratory's rankers, which also know the score of
# the base model. The voted perceptron of Collins and Duffy's title is `sapwood_lab.voted`.
