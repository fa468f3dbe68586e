"""The common ground of files, texts and trainings: workers, a model that is sent to them once, and tasks under way.

Workers are those of this machine, or of a cluster's scheduler. Certificates come from Dask's configuration.
"""

import gc
import hashlib
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, as_completed
from distributed.client import ClosedClientError

from sapwood.errors import DataError, OptionError, SapwoodError
from sapwood.loading import load_model, model_class
from sapwood.model.base import AnyModel
from sapwood.model.file.schema import ModelFile

_LOOPBACK = "127.0.0.1:0"  # any port that is free
PATIENCE = 10  # seconds to wait for a scheduler
_KEPT = 4  # loaded models in a process, at most

_Sent = TypeVar("_Sent")
_About = TypeVar("_About")
_lock = threading.Lock()
_loaded: dict[tuple[str, int], AnyModel] = {}  # by checksum and threads, the one used last at the end


@contextmanager
def connected(workers: int | None = None, cluster: str | None = None) -> Iterator[Client]:
    """Give a client of so many worker processes on this machine, or of the scheduler at an address.

    Local workers listen on the loopback address only, and end with the context. Raises OptionError if the cluster
    cannot be reached, and if Dask's configuration asks for encryption without saying by which certificates.
    """
    if (workers is None) == (cluster is None):
        raise OptionError("name a number of workers, or the address of a cluster")
    if cluster is None:
        with _local(workers) as local, Client(local) as client:
            yield client
        return
    client = _client(cluster)
    if isinstance(client, str):
        gc.collect()  # ends Dask's own half-made client; where Python does so while Dask starts a thread, both hang
        raise OptionError(client)
    with client:
        yield client


def _client(cluster: str) -> Client | str:
    """Return a client of the scheduler at an address, or why there is none."""
    try:
        return Client(cluster, timeout=PATIENCE)
    except (OSError, TimeoutError) as error:
        why = f"{error}" if cluster.startswith("tls:") else "start one by 'dask scheduler'"
        return f"cannot reach a scheduler at {cluster}; {why}"
    except (ValueError, RuntimeError) as error:  # RuntimeError: tcp:// where Dask's configuration requires encryption
        return f"cannot reach a scheduler at {cluster}: {error}"
    except TypeError:  # Dask raises it for certificates that are not given
        return f"the scheduler at {cluster} needs certificates: set distributed.comm.tls in Dask's configuration"


def _local(workers: int | None) -> LocalCluster:
    try:
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=_LOOPBACK,
            worker_dashboard_address=_LOOPBACK,
            silence_logs=logging.CRITICAL,
            preload=["sapwood.dask.preload"],
        )
    except RuntimeError as error:
        if not dask.config.get("distributed.comm.require-encryption", False):
            why = "one of them ended while it started; is there enough memory for so many?"
            raise SapwoodError(f"cannot start workers: {why}") from error
        needs = "which needs certificates that are there: set distributed.comm.tls"
        raise OptionError(f"cannot start workers: Dask's configuration requires encryption, {needs}") from error


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
                file = ModelFile.of_bytes(self.data, self.name)
                found = model_class(file.task)._of_file(file).set_params(threads=self.threads)
            _loaded[key] = found
            while len(_loaded) > _KEPT:
                del _loaded[next(iter(_loaded))]
        return found

    def __sizeof__(self) -> int:
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
        self._about[future] = about
        self._ends.add(future)

    def __iter__(self) -> Iterator[tuple[Future, _About]]:
        while self._about:
            future = next(self._ends)
            yield future, self._about.pop(future)

    def cancel(self, client: Client, *others: Future) -> None:
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
