"""The signals that end a process: handled for a while, where the program has not decided otherwise.

In long work once asks it to come to a good end, twice stops it (`Interrupt`).
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Self

Handler = Callable[[int, FrameType | None], object]

HANGUP = getattr(signal, "SIGHUP", signal.SIGTERM)  # Windows has no SIGHUP

_DEFAULTS: dict[signal.Signals, Handler | signal.Handlers] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    HANGUP: signal.SIG_DFL,
}


def too_early(number: int, frame: FrameType | None) -> None:
    """Do nothing: a signal came before the program could do what it asks for."""


@contextmanager
def handled(handler: Handler, *numbers: signal.Signals) -> Iterator[None]:
    """Install a handler for these signals while the block runs.

    Signals that the program ignores or handles itself stay as they are. Outside the main thread, where Python allows
    no handlers, nothing happens.
    """
    taken: dict[signal.Signals, Handler | int | None] = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number) for number in numbers}
        taken = {number: was for number, was in before.items() if was in (_DEFAULTS[number], too_early)}
    try:
        for number in taken:
            signal.signal(number, handler)
        yield
    finally:
        for number, was in taken.items():
            signal.signal(number, was)


class Interrupt(ExitStack):
    """A context in which the first SIGINT, SIGTERM or SIGHUP sets `requested`, and the second raises KeyboardInterrupt.

    The exception has the number of the signal, from which the command line makes its exit status.
    Outside the main thread, and for signals that the program handles itself or ignores, the context does nothing.
    """

    requested = False

    def __enter__(self) -> Self:
        self.enter_context(handled(self._handle, signal.SIGINT, signal.SIGTERM, HANGUP))
        return self

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt(number)
        self.requested = True
