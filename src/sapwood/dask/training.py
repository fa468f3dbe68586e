"""Training on Dask: workers train the shards, and may die. The model does not depend on which worker trains a shard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import dask
from distributed import Client, Future, KilledWorker
from distributed.client import ClosedClientError

from sapwood import __version__
from sapwood.dask.shared import UnderWay, result_of, same
from sapwood.errors import DataError, OptionError
from sapwood.training.shards.mixing import Epochs, Mixed, Shard, State

_RETRIES = 3  # further attempts at a shard's epoch if a worker fails


class ShardWorkers:
    """Trains shards on the workers of Dask.

    ::

        with connected(workers=2) as client:
            SequenceTagger(shards=8).fit(Path("train.txt"), workers=ShardWorkers(client))

    The examples of a shard are sent to a worker once, or again if it dies. Before an epoch a worker gets the weights
    that have changed, once for all of its shards, and sends back what each shard has changed.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    @contextmanager
    def having(self, shards: Sequence[Shard]) -> Iterator[Epochs]:
        """Send the shards to workers. Raises DataError if the scheduler is gone."""
        futures = [_send(self._client, shard) for shard in shards]
        try:
            yield _OnWorkers(self._client, futures)
        finally:
            with suppress(ClosedClientError):
                self._client.cancel(futures, force=True)


class _OnWorkers:
    def __init__(self, client: Client, shards: list[Future]) -> None:
        self._client, self._shards = client, shards

    def epoch(self, mixed: Mixed, whole: Callable[[], Mixed]) -> Iterator[tuple[int, State]]:
        """Train an epoch. See `Epochs`."""
        sent: dict[bool, Future] = {mixed.whole: _send(self._client, mixed)}
        under_way = UnderWay[int]()

        def send(number: int, wanted: bool) -> None:
            if wanted not in sent:
                sent[wanted] = _send(self._client, whole())
            shard, weights = self._shards[number], sent[wanted]
            task = self._client.submit(_epoch, shard, weights, __version__, pure=False, retries=_RETRIES)
            under_way.add(task, number)

        try:
            for number in range(len(self._shards)):
                send(number, mixed.whole)
            for future, number in under_way:
                learned = _result(future, number)
                if learned is None:  # by a worker that did not train the epoch before
                    send(number, True)
                else:
                    yield number, learned
        finally:
            under_way.cancel(self._client, *sent.values())


def _send(client: Client, what: object) -> Future:
    """Return something as a future on which tasks depend. Dask warns of more than 10 MB, which shards may well have."""
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
        return client.submit(same, what, pure=False)


def _epoch(shard: Shard, mixed: Mixed, version: str) -> State | None:
    if version != __version__:
        raise OptionError(f"a worker has sapwood {__version__}, and this is {version}; install the same")
    return shard.epoch(mixed)


def _result(future: Future, number: int) -> State | None:
    name = f"shard {number + 1}"
    try:
        result: State | None = result_of(future, name, "train again, or from the checkpoint if there is one")
    except KilledWorker as error:
        many = error.allowed_failures + 1
        why = f"{many} workers died while they had it; it may need more memory than they have: make more shards"
        raise DataError(f"{name}: {why}") from None
    return result
