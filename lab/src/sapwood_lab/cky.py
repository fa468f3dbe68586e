"""Cocke, Kasami and Younger's algorithm: the most probable tree of a sentence by a grammar.

A cell (i, j) of the chart covers the words i to j - 1, and has two layers. A chain of unary rules counts as one rule::

    bottom[i, i + 1](A) = log p(word i | A)
    bottom[i, j](A)     = max over A -> B C and k of
                          log p(A -> B C) + top[i, k](B) + top[k, j](C)
    top[i, j](X)        = max over chains X => A of  log p(X => A) + bottom[i, j](A)

States are labels; what follows `` ^`` is not shown in trees. A state ``@...`` only cuts a rule of more than two
children, so it has several trees beside each other. Ties go to the rule that the data have first, then to smaller k.

>>> words, binary = {("D", "the"): -1.0, ("N", "dog"): -2.0}, {("NP", "D", "N"): -0.5}
>>> cky(["the", "dog"], Rules(words, binary, chains={("D",): 0.0, ("N",): 0.0, ("NP",): 0.0}))[0, 2]
{'NP': Entry(score=-3.5, trees=(('NP', (('D', 'the'), ('N', 'dog'))),))}
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sapwood_lab.trees import Tree

Symbols = tuple[str, ...]


class Rules(NamedTuple):
    """The log probabilities of a grammar."""

    words: Mapping[Symbols, float]  # (A, word)
    binary: Mapping[Symbols, float]  # (A, B, C)
    chains: Mapping[Symbols, float]  # from the top: (X, ..., A), or (A,) where nothing is between the layers


class Entry(NamedTuple):
    """The best tree of a state over a span."""

    score: float  # log probability
    trees: tuple[Tree, ...]  # one, but of a state that cuts a rule


Cell = dict[str, Entry]  # of each state
Chart = dict[tuple[int, int], Cell]


def cky(words: Sequence[str], log_p: Rules) -> Chart:
    """Return the upper layer of the chart."""
    top: Chart = {}
    for j in range(1, len(words) + 1):
        for i in reversed(range(j)):
            bottom: Cell = {}
            for (A, word), p in log_p.words.items():
                if j == i + 1 and word == words[i]:
                    _keep(bottom, A, p, ((_label(A), word),))
            for (A, B, C), p in log_p.binary.items():
                for k in range(i + 1, j):
                    if B in top[i, k] and C in top[k, j]:
                        b, c = top[i, k][B], top[k, j][C]
                        _keep(bottom, A, p + b.score + c.score, _node(A, b.trees + c.trees))
            top[i, j] = {}
            for (*above, A), p in log_p.chains.items():
                if A in bottom:
                    score, trees = bottom[A]
                    for X in reversed(above):
                        trees = _node(X, trees)
                    _keep(top[i, j], above[0] if above else A, p + score, trees)
    return top


def _keep(cell: Cell, state: str, score: float, trees: tuple[Tree, ...]) -> None:
    if state not in cell or score > cell[state].score:
        cell[state] = Entry(score, trees)


def _node(state: str, trees: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Return the tree of a state with those below it, or these alone if the state only cuts a rule."""
    return trees if state.startswith("@") else ((_label(state), trees),)


def _label(state: str) -> str:
    return state.partition(" ^")[0]
