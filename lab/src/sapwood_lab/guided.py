"""Guided learning: a decision is presented again until it is right (Shen, Satta & Joshi 2007; Goldberg & Elhadad 2010).

::

    repeat, at most 100 times:
        decide with the weights as they are;  update them if that is wrong
    until there was no update

This is ``guided="repeat"``. With ``guided="once"`` a decision is presented once. Either way training goes on from the
right answer.
"""

from collections.abc import Iterator

from sapwood_lab.errors import OptionError


class Guided:
    """The presentations of a decision, and their counts. Raises OptionError if `guided` is not once or repeat."""

    def __init__(self, guided: str) -> None:
        if guided not in ("once", "repeat"):
            raise OptionError(f"guided is once or repeat, not {guided!r}")
        self.guided = guided
        self.repeated, self.given_up = 0, 0  # presentations after a first one; decisions that stayed wrong

    def __iter__(self) -> Iterator[int]:
        for time in range(100 if self.guided == "repeat" else 1):
            self.repeated += time > 0
            yield time

    def end(self, right: bool) -> None:
        """Count a decision that stayed wrong."""
        self.given_up += self.guided == "repeat" and not right
