"""The signals that end a process: handled for a while, where the program has not decided otherwise."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object]

_DEFAULTS: dict[signal.Signals, Handler | signal.Handlers] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGHUP: signal.SIG_DFL,
}


@contextmanager
def handled(handler: Handler, *numbers: signal.Signals) -> Iterator[None]:
    """Install a handler for these signals while the block runs.

    Signals that the program ignores or handles itself stay as they are. Outside the main thread, where Python allows
    no handlers, nothing happens.
    """
    taken = []
    if threading.current_thread() is threading.main_thread():
        taken = [number for number in numbers if signal.getsignal(number) is _DEFAULTS[number]]
    try:
        for number in taken:
            signal.signal(number, handler)
        yield
    finally:
        for number in taken:
            signal.signal(number, _DEFAULTS[number])
