"""Ctrl-C in long work, and the signals that mean the same: once asks it to come to a good end, twice stops it."""

import signal
from contextlib import ExitStack
from types import FrameType
from typing import Self

from sapwood.signals import handled


class Interrupt(ExitStack):
    """A context in which the first SIGINT, SIGTERM or SIGHUP sets `requested`, and the second raises KeyboardInterrupt.

    The exception has the number of the signal, from which the command line makes its exit status.
    Outside the main thread, and for signals that the program handles itself or ignores, the context does nothing.
    """

    requested = False

    def __enter__(self) -> Self:
        self.enter_context(handled(self._handle, signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        return self

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt(number)
        self.requested = True
