"""k-best MIRA: one update from the k best structures at once (McDonald, Crammer & Pereira 2005; McDonald 2006).

The margin-infused relaxed algorithm (Crammer & Singer 2003) asks for the smallest change of the weights by which gold
beats wrong structures by their cost. Only the k that score highest are looked at::

    y_1 ... y_k <- the k best z by w . phi(x, z)
    v_j <- phi(x, y) - phi(x, y_j)
    w   <- the w' of least |w' - w|^2 / 2 + C sum over j of xi_j,
           so that w' . v_j >= cost(y_j) - xi_j and xi_j >= 0 for all j

xi_j is by how much a structure may miss its margin, at a price of C. In the dual form of the program the change of w is
a sum of violations, each as often as it is needed, and no more than C::

    w' = w + sum over j of alpha_j v_j       b_j = cost(y_j) - w . v_j
    alpha <- the one of largest  sum over j of alpha_j b_j - |sum over j of alpha_j v_j|^2 / 2,  0 <= alpha_j <= C

Hildreth's algorithm (1957) takes one alpha after the other to its best value, until none moves::

    alpha_j <- alpha_j + (b_j - v_j . sum over i of alpha_i v_i) / |v_j|^2,  but not below 0 nor above C

With k = 1 that is a passive-aggressive step, but the structure is found without its cost. There is no update if gold is
among the k and no other has a larger b, since gold's is 0. In the core it is `k_best` of parsers, and C is
`aggressiveness`.

>>> from sapwood_lab.losses import hamming
>>> parser = KBestParser("[arcs]\\nht mt\\n", k=3, loss=hamming(1.0), epochs=1, average=False)
>>> [step] = parser.steps([[("dogs", "N"), ("bark", "V")]], [([2, 0], ["nsubj", "root"])])
>>> len(step.after), step.after["ht=V mt=N", "arc"]  # each of 8 weights moves by 2 wrong heads / |v|^2
(8, 0.25)
>>> hildreth([{"a": 1.0}, {"a": 1.0, "b": 1.0}], [1.0, 3.0], C=10.0)
[0.0, 1.5]
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from sapwood_lab.arc_parser import ArcParser
from sapwood_lab.atoms import Sentence
from sapwood_lab.dual import dot
from sapwood_lab.errors import OptionError
from sapwood_lab.k_best import k_best_trees
from sapwood_lab.parsing import Tree
from sapwood_lab.step import Step, Weight, difference


class KBestParser(ArcParser):
    """The best of all projective trees, order 1, learned from the k best, of which each counts at most C.

    It needs a loss of parts. Raises OptionError as `Learner` does, and if k or C is not above 0.
    """

    has_constant_loss = False

    def __init__(self, template: str, *, k: int = 5, C: float = 1.0, **options: Any) -> None:
        super().__init__(template, **options)
        if k < 1 or not C > 0:
            raise OptionError("k and C are numbers above 0")
        self.k, self.C = k, C

    def learn(self, example: tuple[Sentence, Tree]) -> Iterator[Step]:
        x, gold = example

        @cache
        def arc(h: int, m: int) -> float:
            return self.score(self.f(x, h, m))

        right = self.phi(x, gold)
        of_gold = sum(arc(h, m) for m, h in enumerate(gold.heads, 1))
        trees, v, b = [], [], []
        for heads, score in k_best_trees(x.n, arc, self.k):
            trees.append(Tree(heads, ("_",) * x.n))
            v.append(difference(right, self.phi(x, trees[-1])))
            b.append(self.cost(gold, trees[-1]) + score - of_gold)
        guess = trees[max(range(len(b)), key=b.__getitem__)]
        alpha = hildreth(v, b, self.C) if guess.heads != gold.heads else [0.0] * len(v)
        change: Counter[Weight] = Counter()
        for alpha_j, v_j in zip(alpha, v, strict=True):
            change.update({k: alpha_j * n for k, n in v_j.items()})
        yield from self.present(x, gold, guess, change, {}, max(b))


def hildreth(v: Sequence[Mapping[Any, float]], b: Sequence[float], C: float) -> list[float]:
    """Return the alpha [k] that is best, each from 0 to C."""
    alpha, moved = [0.0] * len(v), True
    gram = [[dot(v_i, v_j) for v_i in v] for v_j in v]
    while moved:
        moved = False
        for j, row in enumerate(gram):
            if row[j] > 0:  # a structure with the features of gold cannot be beaten
                gain = b[j] - sum(a * g for a, g in zip(alpha, row, strict=True))
                before, alpha[j] = alpha[j], min(C, max(0.0, alpha[j] + gain / row[j]))
                moved |= abs(alpha[j] - before) > 1e-10
    return alpha
