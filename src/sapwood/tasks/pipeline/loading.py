"""A pipeline's models are made by two threads, so that it loads in little more than half of the time."""

from __future__ import annotations

from _thread import LockType, allocate_lock, start_new_thread
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sapwood.model.base import Model


def made_in_two_threads(makes: Mapping[str, Callable[[], Model]], largest: str) -> dict[str, Model]:
    """Make a pipeline's models, the largest in a second thread and all others in this one.

    The core works without Python's lock, so the threads run side by side. `_thread` is used because importing
    `threading` takes longer than is gained. Raises the error of the first model in order that has one.
    """
    found: dict[str, Model | BaseException] = {}

    def make(name: str) -> None:
        try:
            found[name] = makes[name]()
        except BaseException as error:
            found[name] = error

    def make_largest() -> None:
        try:
            make(largest)
        finally:
            done.release()

    done = allocate_lock()
    done.acquire()
    try:
        start_new_thread(make_largest, ())
    except RuntimeError:  # the system gives no thread
        make_largest()
    try:
        for name in makes:
            if name != largest:
                make(name)
    finally:
        _wait_for(done)
    models: dict[str, Model] = {}
    for name in makes:
        if isinstance(made := found[name], BaseException):
            raise made
        models[name] = made
    return models


def _wait_for(done: LockType) -> None:
    """Acquire a lock, and then pass on what interrupted it: a thread that outlives Python would abort the process."""
    interrupt: KeyboardInterrupt | None = None
    acquired = False
    while not acquired:
        try:
            acquired = done.acquire()
        except KeyboardInterrupt as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt
