"""Workers on this machine, or the scheduler of a cluster. Certificates come from Dask's configuration."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import dask
from distributed import Client, LocalCluster

from sapwood.errors import OptionError, SapwoodError

_LOOPBACK = "127.0.0.1:0"  # any port that is free
PATIENCE = 10  # seconds to wait for a scheduler


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
