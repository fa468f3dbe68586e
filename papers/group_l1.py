"""Shrinking by a group L1 penalty: the baseline of dropping small weights.

A feature's weights are a group. They make the step of a group L1 penalty (Yuan & Lin 2006; Martins, Smith, Figueiredo &
Aguiar 2011): where their norm is n, they are multiplied by 1 - lambda / n, and a feature whose norm is below lambda is
dropped. Such a penalty keeps all weights of a feature or none, so single weights below a part of lambda are dropped,
too. What is left is learned anew, as `sapwood shrink` does it.
"""

from collections.abc import Callable
from typing import TypeVar

from sapwood.model.small import Goal

T = TypeVar("T")
WITHIN = 0.5  # single weights of less than so many lambdas are dropped


class GroupL1(Goal):
    """How small a model shall be that a group L1 penalty makes small."""

    def drop(self, function: Callable[..., T], bits: int, least: float) -> T:
        """Call freeze or prune of a trainer with lambda, a part of the largest weight."""
        return function(bits, WITHIN * least, group_l1=least)
