"""Guided learning: a decision is presented again until it is right (Shen, Satta & Joshi 2007; Goldberg & Elhadad 2010).

::

    repeat, at most 100 times:
        decide with the weights as they are;  update them if that is wrong
    until there was no update

This is ``guided="repeat"``. With ``guided="once"`` a decision is presented once. Either way training goes on from the
right answer.
"""

from collections.abc import Callable, Generator

from sapwood.errors import OptionError
from sapwood.lab.step import Step

PRESENTATIONS = {"once": 1, "repeat": 100}  # of a decision, at most

Decision = Generator[Step, None, tuple[bool, bool]]  # presents it; returns whether it was right, and made an update


class Guided:
    """The presentations of decisions, and their counts. Raises OptionError if `guided` is not once or repeat."""

    def __init__(self, guided: str) -> None:
        if guided not in PRESENTATIONS:
            raise OptionError(f"guided is once or repeat, not {guided!r}")
        self.guided = guided
        self.repeated, self.given_up = 0, 0  # presentations after a first one; decisions that stayed wrong

    def present(self, decide: Callable[[], Decision]) -> Generator[Step, None, None]:
        """Present a decision as often as it needs, and yield its updates."""
        for times in range(PRESENTATIONS[self.guided]):
            self.repeated += times > 0
            right, changed = yield from decide()
            if not changed:
                break
        self.given_up += self.guided == "repeat" and not right
