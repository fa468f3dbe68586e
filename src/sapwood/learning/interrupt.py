"""Ctrl-C in long work: once asks it to come to a good end, twice stops it."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Self

__all__ = ["Interrupt"]


class Interrupt:
    """A context in which the first SIGINT only sets `requested`; the second raises KeyboardInterrupt.

    Signals can be caught in the main thread only; elsewhere the context does nothing. A handler that the
    program installed itself is left alone.
    """

    requested = False

    def __enter__(self) -> Self:
        """Install the handler."""
        self._active = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self._active:
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Put Python's own handler back."""
        if self._active:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
