"""The common ground of files, texts and trainings: a model that is sent to workers once, and tasks under way."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Generic, TypeVar

from distributed import Client, Future, KilledWorker, as_completed
from distributed.client import ClosedClientError

from sapwood.errors import DataError, SapwoodError
from sapwood.loading import load_model, model_class
from sapwood.model.base import AnyModel
from sapwood.model.file import container
from sapwood.model.file.schema import ModelFile

_KEPT = 4  # loaded models in a process, at most

_Sent = TypeVar("_Sent")
_About = TypeVar("_About")
_lock = threading.Lock()
_loaded: dict[tuple[str, int], AnyModel] = {}  # by checksum and threads, the one used last at the end


class SharedModel:
    """The bytes of a model file with their SHA-256. Dask sends them to each worker once; they are loaded there once.

    model : a fitted model, the path of one, or "en"

    Raises ModelError.
    """

    def __init__(self, model: AnyModel | str) -> None:
        self.name = model if isinstance(model, str) else model._noun
        found = load_model(model) if isinstance(model, str) else model
        found.check_fitted()
        self.data = found.model_.dump()
        self.threads = found.threads
        self.checksum = hashlib.sha256(self.data).hexdigest()

    def model(self) -> AnyModel:
        """Return the model. Raises ModelError if its bytes are damaged."""
        key = (self.checksum, self.threads)
        with _lock:
            found = _loaded.pop(key, None)
            if found is None:
                file = ModelFile.parse(*container.parse(self.data, self.name), self.name)
                found = model_class(file.task)._of_file(file).set_params(threads=self.threads)
            _loaded[key] = found
            while len(_loaded) > _KEPT:
                del _loaded[next(iter(_loaded))]
        return found

    def __sizeof__(self) -> int:
        """Return the bytes, for Dask to know what it sends."""
        return len(self.data)


def sent(client: Client, shared: SharedModel) -> Future:
    """Return the model as a future on which tasks depend: Dask sends it to each worker once, and again if one dies."""
    return client.submit(same, shared, key=f"sapwood-model-{shared.checksum}", pure=True)


def same(what: _Sent) -> _Sent:
    """Return it: a task that keeps something on a worker."""
    return what


class UnderWay(Generic[_About]):
    """Tasks under way, with what each is about. They come in the order in which they end; more may be added then."""

    def __init__(self) -> None:
        self._about: dict[Future, _About] = {}
        self._ends = as_completed()

    def add(self, future: Future, about: _About) -> None:
        """Wait for another task."""
        self._about[future] = about
        self._ends.add(future)

    def __iter__(self) -> Iterator[tuple[Future, _About]]:
        while self._about:
            future = next(self._ends)
            yield future, self._about.pop(future)

    def cancel(self, client: Client, *others: Future) -> None:
        """Cancel what is under way still."""
        with suppress(ClosedClientError):
            client.cancel([*self._about, *others], force=True)


def result_of(future: Future, name: str, to_go_on: str) -> Any:
    """Return the result of a task that has ended. Raises SapwoodError, and KilledWorker as Dask does."""
    if future.status == "cancelled":
        raise DataError(f"the scheduler is gone; {to_go_on}")
    try:
        return future.result()
    except (SapwoodError, KilledWorker):
        raise
    except Exception as error:  # an error of Dask's own, or of a worker with other libraries
        raise DataError(f"{name}: a worker failed: {type(error).__name__}: {error}") from error
