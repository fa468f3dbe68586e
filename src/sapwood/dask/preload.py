"""The preload of a local worker: Ctrl-C in a terminal reaches it, too, and is left to the command that started it."""

import signal


def dask_setup(worker: object) -> None:
    """Ignore SIGINT. Dask calls this in the worker's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
