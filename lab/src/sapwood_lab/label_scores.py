"""The scores of the labels of a sentence, each computed once: what the Viterbi algorithm asks for.

Most lines of a template do not look at the label h that a maximum is over, so a label is scored in parts::

    s(i, h, y)    = own(i, y) + after(i, h, y)                        order 1
    s(i, h, g, y) = own(i, y) + after(i, g, y) + after(i, h, g, y)    order 2

own(i, y) is the cost of y, if there is a loss, and w . (the lines that look at no label before), computed once a token.
after(...) is w . (the lines that look at so many labels). Tokens at which lines say the same, as "B" always does, share
a table.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sapwood_lab.tagging import Features
from sapwood_lab.trellis import Labels


class LabelScores:
    """s(i, before, y), as `sapwood_lab.trellis.forward` asks for it."""

    def __init__(
        self,
        labels: Sequence[str],
        found: Sequence[Sequence[Features]],  # of each token, by how many labels before its own they look at
        w_f: Callable[[Features, Labels], float],  # w . f of some features for labels side by side
        cost: Callable[[int, str], float],  # of the label y at the token i
    ) -> None:
        self.found, self.w_f = found, w_f
        self.own = [{y: cost(i, y) + w_f(each[0], (y,)) for y in labels} for i, each in enumerate(found)]
        tables: dict[Any, dict[Any, Any]] = {}
        self.tables = [[tables.setdefault((r, *features), {}) for r, features in enumerate(each)] for each in found]

    def __call__(self, i: int, before: Sequence[Labels], y: str) -> list[float]:
        """Return the scores of the label y of token i after each of the states before, which differ in h only."""
        table, key = self.tables[i][-1], (before[0], y)  # states that begin alike are the same ones
        if key not in table:
            table[key] = [self.w_f(self.found[i][-1], (*state, y)) for state in before]
        score = self.own[i][y]
        if len(before[0]) == 2:
            after_g, g_y = self.tables[i][1], (before[0][1], y)
            if g_y not in after_g:
                after_g[g_y] = self.w_f(self.found[i][1], g_y)
            score += after_g[g_y]
        return [score + after_h for after_h in table[key]]
