"""A grammar that is read off a treebank (Charniak 1996): its probabilities are relative frequencies.

With counts n of what stands in the trees::

    p(A -> B C) = n(A -> B C) / n(A)     p(word | A) = n(A, word) / n(A)     p(X => A) = n(X => A) / n(X)

A state is a label with its nearest ancestors, ``NP ^S``. A node of more than two children is cut from left to right, by
states that remember the last children, ``@NP .. DT JJ`` (Klein & Manning 2003, section 2). X => A is a chain of unary
rules. The core's grammar is the same, but it also has an answer for words that the treebank has seldom or not at all;
those seen 20 times are treated alike.

>>> dog = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks))))"
>>> cat = "(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps))))"
>>> from sapwood_lab.trees import bracketed
>>> grammar = Grammar(vertical=1).fit([dog, cat])
>>> print(bracketed(grammar.parse(["the", "cat", "barks"]).trees[0]))
(TOP (S (NP (DT the) (NN cat)) (VP (VBZ barks))))
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import Self

from sapwood_lab.cky import Chart, Entry, Rules, Symbols, cky
from sapwood_lab.errors import DataError, not_fitted
from sapwood_lab.trees import Tree, read_tree


class Grammar:
    """Counts of rules and words; a state knows `vertical` labels upwards, a child `horizontal` others to its left."""

    root: str | None = None  # the label at the root of all trees

    def __init__(self, vertical: int = 2, horizontal: int = 2) -> None:
        self.vertical, self.horizontal = vertical, horizontal

    def fit(self, trees: Iterable[str]) -> Self:
        """Count what trees in brackets have, with one label at all their roots. Raises DataError."""
        self.below: Counter[Symbols] = Counter()  # A -> B C, and A -> word
        self.chains: Counter[Symbols] = Counter()  # X => A
        bank = [read_tree(text) for text in trees]
        roots = {root for root, _ in bank}
        if len(roots) != 1:
            raise DataError("the trees of a grammar have one label at their roots")
        [self.root] = roots
        for tree in bank:
            self._count(tree, [])
        return self

    def rules(self) -> Rules:
        """Return the logarithms of all probabilities."""
        below, chains = frequencies(self.below), frequencies(self.chains)
        words, binary = ({rule: p for rule, p in below.items() if len(rule) == length} for length in (2, 3))
        cuts = {(A,): 0.0 for A, *_ in binary if A.startswith("@")}
        return Rules(words, binary, chains | cuts)

    def parse(self, words: Sequence[str]) -> Entry | None:
        """Return the most probable tree, or None if there is none. Raises NotFittedError before `fit`."""
        if self.root is None:
            raise not_fitted(f"{self!r} has seen no tree: call fit(trees) first")
        return self.chart(words).get((0, len(words)), {}).get(self.root)

    def chart(self, words: Sequence[str]) -> Chart:
        """Return the best tree of each state, for each span of words."""
        return cky(words, self.rules())

    def _count(self, node: Tree, above: list[str]) -> None:
        """Count a node at the top of a chain, and all that is below it. above: labels from the root down."""

        def state(child: Tree) -> str:
            return " ^".join([child[0], *reversed(above[max(0, len(above) - self.vertical + 1) :])])

        chain = [state(node)]
        while not isinstance(node[1], str) and len(node[1]) == 1:
            above = [*above, node[0]]
            [node] = node[1]
            chain.append(state(node))
        self.chains[tuple(chain)] += 1
        A, (label, children) = chain[-1], node
        if isinstance(children, str):
            self.below[A, children] += 1
            return
        start, above = f"@{A} ..", [*above, label]
        for k in range(1, len(children)):
            known = "".join(f" {child[0]}" for child in children[max(0, k - self.horizontal) : k])
            C = state(children[k]) if k == len(children) - 1 else start + known
            self.below[A, state(children[k - 1]), C] += 1
            A = C
        for child in children:
            self._count(child, above)

    def __repr__(self) -> str:
        return f"Grammar(vertical={self.vertical}, horizontal={self.horizontal})"


def frequencies(counts: Counter[Symbols]) -> dict[Symbols, float]:
    """Return the log of each count's share in those with the same first symbol."""
    n: Counter[str] = Counter()
    for (A, *_), count in counts.items():
        n[A] += count
    return {rule: log(count / n[rule[0]]) for rule, count in counts.items()}
