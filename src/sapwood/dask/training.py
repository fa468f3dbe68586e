"""Shards of a training on Dask's workers, which may die: the model does not depend on which worker trains a shard."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial

import dask
from distributed import Client, Future, KilledWorker
from distributed.client import ClosedClientError

from sapwood.dask.shared import UnderWay, result_of, same
from sapwood.errors import DataError, OptionError
from sapwood.training.shards import Mixed, Shard, State, TrainShards
from sapwood.version import __version__

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
    def __call__(self, shards: Sequence[Shard]) -> Iterator[TrainShards]:
        """Send the shards to workers. Raises DataError if the scheduler is gone."""
        futures = [_send(self._client, shard) for shard in shards]
        try:
            yield partial(_train, self._client, futures)
        finally:
            with suppress(ClosedClientError):
                self._client.cancel(futures, force=True)


def _train(
    client: Client, shards: list[Future], mixed: Mixed, whole: Callable[[], Mixed]
) -> Iterator[tuple[int, State]]:
    sent: dict[bool, Future] = {mixed.whole: _send(client, mixed)}
    under_way = UnderWay[int]()

    def send(number: int, wanted: bool) -> None:
        if wanted not in sent:
            sent[wanted] = _send(client, whole())
        task = client.submit(_epoch, shards[number], sent[wanted], __version__, pure=False, retries=_RETRIES)
        under_way.add(task, number)

    try:
        for number in range(len(shards)):
            send(number, mixed.whole)
        for future, number in under_way:
            learned = _result(future, number)
            if learned is None:  # by a worker that did not train the epoch before
                send(number, True)
            else:
                yield number, learned
    finally:
        under_way.cancel(client, *sent.values())


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
