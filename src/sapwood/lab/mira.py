"""k-best MIRA: one update from the k best structures at once (McDonald, Crammer & Pereira 2005; McDonald 2006).

The margin-infused relaxed algorithm (Crammer & Singer 2003) asks for the smallest change of the weights by which gold
beats every wrong structure by its cost. There are too many of them, so only the k that score highest are looked at::

    y_1 ... y_k <- the k best z by w . phi(x, z)
    v_j <- phi(x, y) - phi(x, y_j)
    w   <- the w' of least |w' - w|^2 / 2 + C sum over j of xi_j,
           so that w' . v_j >= cost(y_j) - xi_j and xi_j >= 0 for all j

xi_j is by how much a structure may miss its margin, at a price of C. The change of w is a sum of the violations, each
alpha_j times, which `sapwood.lab.hildreth` finds.

With k = 1 that is a passive-aggressive step, but the structure is found without its cost. There is no update if gold is
among the k and no other has a larger b, since gold's is 0. In the core it is `k_best` of parsers, and C is
`aggressiveness`.

>>> from sapwood.lab.losses import hamming
>>> parser = KBestParser("[arcs]\\nht mt\\n", k=3, loss=hamming(1.0), epochs=1, average=False)
>>> words, trees = [[("dogs", "N"), ("bark", "V")]], [([2, 0], ["nsubj", "root"])]
>>> for step in parser.steps(words, trees):
...     print(step.guess.heads, "should be", step.gold.heads)
(0, 1) should be (2, 0)
>>> len(step.after), step.after["ht=V mt=N", "arc"]  # each of 8 weights moves by 2 wrong heads / |v|^2
(8, 0.25)
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from sapwood.errors import OptionError
from sapwood.lab.arc_parser import ArcParser
from sapwood.lab.atoms import Sentence
from sapwood.lab.hildreth import hildreth
from sapwood.lab.k_best import k_best_trees
from sapwood.lab.parsing import Tree
from sapwood.lab.step import Step, Weight, difference


class KBestParser(ArcParser):
    """The best of all projective trees, order 1, learned from the k best.

    k : trees of a sentence to learn from at once
    C : how much each of them may count

    Further options are those of `Learner`; it needs a loss of parts. Raises OptionError as it does, and if k or C is
    not above 0.
    """

    has_constant_loss = False

    def __init__(self, template: str, *, k: int = 5, C: float = 1.0, **options: Any) -> None:
        super().__init__(template, **options)
        if k < 1 or not C > 0:
            raise OptionError("k and C are numbers above 0")
        self.k, self.C = k, C

    def learn(self, example: tuple[Sentence, Tree]) -> Iterator[Step]:
        """Present the k best trees of a sentence."""
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
            change.update({weight: alpha_j * n for weight, n in v_j.items()})
        yield from self.present(x, gold, guess, change, {}, max(b))
