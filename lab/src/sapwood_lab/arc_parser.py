"""Graph-based parsing: all arcs are scored, and Eisner's algorithm finds the best tree (McDonald et al. 2005).

::

    y' <- argmax over projective trees z of the sum over arcs (h, m) in z of w . f(x, h, m)
    if y' is not y:
        w <- w + sum over arcs in y of f(x, h, m) - sum over arcs in y' of f(x, h, m)

In order 2 there are also features of a modifier m, its head h and its next sibling c. With a loss each wrong arc is
scored higher by what it costs, or, if the loss is constant (order 1), each tree but y. The atoms of an arc (section
``[arcs]``) and of siblings (``[siblings]``) are::

    h m  h-1 h+1 m-1 m+1   head, modifier, their neighbours
    b                      a word between: one feature for each different value
    s                      the sibling; if there is none, what is outside of the sentence

Each feature has a weight for every arc, and one for arcs of its direction and distance. Arcs have no relations. The
averaging clock ticks once a sentence.

>>> parser = ArcParser("[arcs]\\nht mt\\n", epochs=3, seed=None)
>>> [step] = parser.steps([[("dogs", "N"), ("bark", "V")]], [([2, 0], ["nsubj", "root"])])
>>> step.guess.heads, step.gold.heads, step.after["ht=V mt=N", "arc"], step.after["ht=N mt=V", "arc"]
((0, 1), (2, 0), 1.0, -1.0)
"""

from collections import Counter
from functools import cache
from typing import Any

from sapwood_lab.atoms import Sentence, Template
from sapwood_lab.eisner import fill
from sapwood_lab.eisner_against import eisner_against
from sapwood_lab.errors import OptionError
from sapwood_lab.losses import cost, is_of_structures
from sapwood_lab.parsing import Parser, Tree
from sapwood_lab.step import Weight


class ArcParser(Parser):
    """The best of all projective trees; of order 2, pairs of neighbouring children are scored, too."""

    def __init__(self, template: str, *, order: int = 1, **options: Any) -> None:
        super().__init__(template, labelled=False, **options)
        if order == 2 and is_of_structures(self.loss):
            raise OptionError("the loss is constant in order 1 only; in order 2 take hamming")
        self.order = order
        self.arcs = Template(template, "arcs")
        self.siblings = Template(template, "siblings") if order == 2 else None

    def f(self, x: Sentence, h: int, m: int) -> Counter[Weight]:
        """Return the features of an arc."""
        ends = _ends(x, h, m)
        between: list[dict[str, str | None]] = [x.atoms("b", b) for b in range(min(h, m) + 1, max(h, m))]
        texts: dict[str, None] = {}  # a set in order: equal words between give one feature
        for context in between or [x.atoms("b", None)]:
            texts |= dict.fromkeys(self.arcs.features(ends | context))
        return Counter((text, output) for text in texts for output in ("arc", "arc" + _distance(h, m)))

    def g(self, x: Sentence, h: int, c: int | None, m: int) -> Counter[Weight]:
        """Return the features of a modifier and its sibling."""
        if self.siblings is None:
            return Counter()
        context = _ends(x, h, m) | x.atoms("s", x.n + 1 if c is None else c)
        outputs = ("sibling", "sibling" + _distance(h if c is None else c, m))
        return Counter((text, output) for text in self.siblings.features(context) for output in outputs)

    def phi(self, x: Sentence, tree: Tree) -> Counter[Weight]:
        phi: Counter[Weight] = Counter()
        for m, h in enumerate(tree.heads, 1):
            children = [c for c, head in enumerate(tree.heads, 1) if head == h and min(h, m) < c < max(h, m)]
            phi.update(self.f(x, h, m))
            next_to_m = (max if h < m else min)(children, default=None)
            phi.update(self.g(x, h, next_to_m, m))
        return phi

    def best(self, x: Sentence, gold: Tree | None = None) -> Tree:
        against_all = gold is not None and is_of_structures(self.loss)

        @cache
        def arc(h: int, m: int) -> float:
            cost = 0.0 if gold is None or against_all else self.loss(gold.heads[m - 1], h)
            return self.score(self.f(x, h, m)) + cost

        def sibling(h: int, c: int | None, m: int) -> float:
            return self.score(self.g(x, h, c, m))

        if gold is not None and against_all:
            return Tree(eisner_against(gold.heads, self.loss(gold, None), arc), gold.deprels)
        self.search = fill(x.n, arc, sibling if self.order == 2 else None)
        return Tree(self.search.heads(), ("_",) * x.n)

    def cost(self, y: Tree, guess: Tree) -> float:
        return cost(self.loss, y.heads, guess.heads)


def _ends(x: Sentence, h: int, m: int) -> dict[str, str | None]:
    """Return the atoms of head and modifier, and of their neighbours."""
    atoms: dict[str, str | None] = {}
    for role, place in (("h", h), ("m", m)):
        atoms |= x.atoms(role, place) | x.atoms(f"{role}-1", place - 1) | x.atoms(f"{role}+1", place + 1)
    return atoms


def _distance(h: int, m: int) -> str:
    """Return direction and distance of an arc, such as `` right 3``."""
    d = abs(h - m)
    return f" {'right' if m > h else 'left'} {d if d <= 5 else '6-10' if d <= 10 else '11+'}"
