"""The limits of a request, and of the work that is done at once."""

from asyncio import Semaphore, get_running_loop
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager
from typing import NamedTuple, TypeVar

from starlette.exceptions import HTTPException

_Result = TypeVar("_Result")
SHORT = 4000  # bytes of a text that is worked on, and answered, in one go: going to and fro takes longer than the work


class Limits(NamedTuple):
    """The limits of a server."""

    bytes: int = 1 << 20  # size of a request, and of a line of a stream
    seconds: float = 30.0  # work for a request, or for a line of a stream
    patience: float = 10.0  # seconds that a client may take to send a request, or the next line of a stream
    workers: int = 2  # requests that are worked on at once
    waiting: int = 64  # requests that may wait for a worker
    sentences: int = 200  # in a picture
    words: int = 2000  # on the page, and of a sentence in a picture
    drawn_words: int = 120  # words of a sentence whose tree the page draws
    explained_bytes: int = 4000  # size of an input of which every token is explained
    texts: int = 1000  # texts of a batch


class Refused(HTTPException):
    """A request cannot be answered: the HTTP status, and why, in one line."""

    def __str__(self) -> str:
        return self.detail


class Gate:
    """Lets as many requests in as may wait, and as many to work as there are workers."""

    def __init__(self, workers: int, waiting: int) -> None:
        self._places = Semaphore(workers + waiting)
        self._threads = ThreadPoolExecutor(workers, "model")

    @asynccontextmanager
    async def entered(self, *, waits: bool = False) -> AsyncIterator[None]:
        """Let a request in while the block runs. If too many are inside, it waits, or Refused is raised."""
        if self._places.locked() and not waits:
            raise Refused(429, "the server is busy; try again in a second", {"Retry-After": "1"})
        async with self._places:
            yield

    async def through(self, pieces: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
        """Yield the pieces of an answer, whose request is inside until the last one is taken. Raises Refused."""
        async with self.entered(), aclosing(pieces):
            async for piece in pieces:
                yield piece

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Do a piece of work in a worker thread, when it is its turn."""
        return await get_running_loop().run_in_executor(self._threads, work)
