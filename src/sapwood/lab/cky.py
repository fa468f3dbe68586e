"""Cocke, Kasami and Younger's algorithm, for a grammar that is read off a treebank (Charniak 1996).

A cell (i, j) of the chart covers the words i to j - 1, and has two layers. A chain of unary rules counts as one rule::

    bottom[i, i + 1](A) = log p(word i | A)
    bottom[i, j](A)     = max over A -> B C and k of
                          log p(A -> B C) + top[i, k](B) + top[k, j](C)
    top[i, j](X)        = max over chains X => A of  log p(X => A) + bottom[i, j](A)

`Grammar` counts rules and words; all probabilities are relative frequencies. A state is a label with its nearest
ancestors, ``NP ^S``. A node of more than two children is cut from left to right, by states that remember the last
children, ``@NP .. DT JJ`` (Klein & Manning 2003, section 2). The core's grammar is the same, but it also has an answer
for words that the treebank has seldom or not at all; those seen 20 times are treated alike.

>>> dog = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks))))"
>>> cat = "(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps))))"
>>> grammar = Grammar(vertical=1).fit([dog, cat])
>>> found = grammar.parse(["the", "cat", "barks"])
>>> print(bracketed(found.tree), round(exp(found.score), 3))
(TOP (S (NP (DT the) (NN cat)) (VP (VBZ barks)))) 0.25
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from typing import NamedTuple, Self

from sapwood.errors import DataError
from sapwood.lab.trees import Tree, bracketed, read_tree

__all__ = ["Entry", "Grammar", "bracketed", "cky", "exp"]

State = str


class Entry(NamedTuple):
    """The best tree of a state over a span; states that only cut a rule have a list of trees."""

    score: float  # log probability
    trees: tuple[Tree, ...]

    @property
    def tree(self) -> Tree:
        """The tree of a state that is a label."""
        return self.trees[0]


class Grammar:
    """Counts of rules and words, and their relative frequencies.

    vertical : labels that a state knows from its own upwards
    horizontal : children to the left that the next child of a node knows
    """

    def __init__(self, vertical: int = 2, horizontal: int = 2) -> None:
        self.vertical, self.horizontal = vertical, horizontal

    def fit(self, trees: Iterable[str]) -> Self:
        """Read the grammar off trees in brackets, which have one label at their roots. Raises DataError."""
        self.binaries: Counter[tuple[State, ...]] = Counter()  # A -> B C
        self.chains: Counter[tuple[State, ...]] = Counter()  # from the top
        self.words: Counter[tuple[State, ...]] = Counter()  # A -> word
        roots = set()
        for text in trees:
            tree = read_tree(text)
            roots.add(tree[0])
            self._count(tree, [])
        if len(roots) != 1:
            raise DataError("the trees of a grammar have one label at their roots")
        [self.root] = roots
        self.cuts = {left for left, *_ in self.binaries if left.startswith("@")}
        return self

    def frequencies(self) -> tuple[dict[tuple[State, ...], float], dict[tuple[State, ...], float]]:
        """Return log p of each way to go on from a bottom state (rules, and words), and of each chain."""
        going_on = _logs({**self.binaries, **self.words})
        return going_on, _logs(self.chains) | {(cut,): 0.0 for cut in self.cuts}

    def parse(self, words: Sequence[str]) -> Entry | None:
        """Return the most probable tree with its log probability, or None if the grammar has none."""
        return cky(words, self).get(self.root)

    def _count(self, node: Tree, above: list[str]) -> None:
        """Count a node at the top of a chain, and all that is below it. above: labels from the root down."""

        def state(child: Tree) -> State:
            return " ^".join([child[0], *reversed(above[max(0, len(above) - self.vertical + 1) :])])

        path = [state(node)]
        while not isinstance(node[1], str) and len(node[1]) == 1:
            above = [*above, node[0]]
            [node] = node[1]
            path.append(state(node))
        self.chains[tuple(path)] += 1
        parent, (label, below) = path[-1], node
        if isinstance(below, str):
            self.words[parent, below] += 1
            return
        start, above = f"@{parent} ..", [*above, label]
        for k in range(1, len(below)):
            known = "".join(f" {child[0]}" for child in below[max(0, k - self.horizontal) : k])
            right = state(below[k]) if k == len(below) - 1 else start + known
            self.binaries[parent, state(below[k - 1]), right] += 1
            parent = right
        for child in below:
            self._count(child, above)


def cky(words: Sequence[str], grammar: Grammar) -> dict[State, Entry]:
    """Return the best tree of each state over the whole sentence."""
    going_on, chains = grammar.frequencies()
    top: dict[tuple[int, int], dict[State, Entry]] = {}
    for j in range(1, len(words) + 1):
        for i in range(j - 1, -1, -1):
            bottom: dict[State, Entry] = {}
            for (A, *parts), p in going_on.items():
                if len(parts) == 1:
                    if j == i + 1 and parts == [words[i]]:
                        _keep(bottom, A, Entry(p, ((_label(A), words[i]),)))
                    continue
                B, C = parts
                for k in range(i + 1, j):
                    if B in top[i, k] and C in top[k, j]:
                        left, right = top[i, k][B], top[k, j][C]
                        trees = left.trees + right.trees
                        made = trees if A in grammar.cuts else ((_label(A), trees),)
                        _keep(bottom, A, Entry(p + left.score + right.score, made))
            top[i, j] = {}
            for path, p in chains.items():
                if path[-1] in bottom:
                    score, trees = bottom[path[-1]]
                    for X in reversed(path[:-1]):
                        trees = ((_label(X), trees),)
                    _keep(top[i, j], path[0], Entry(p + score, trees))
    return top[0, len(words)] if words else {}


def _keep(cell: dict[State, Entry], state: State, entry: Entry) -> None:
    """Keep an entry if it is the best so far."""
    if state not in cell or entry.score > cell[state].score:
        cell[state] = entry


def _label(state: State) -> str:
    """Return what a tree shows of a state."""
    return state.partition(" ^")[0]


def _logs(counts: Mapping[tuple[State, ...], int]) -> dict[tuple[State, ...], float]:
    """Return the log of each count's share in those with the same first state."""
    sums: Counter[State] = Counter()
    for key, n in counts.items():
        sums[key[0]] += n
    return {key: log(n / sums[key[0]]) for key, n in counts.items()}
