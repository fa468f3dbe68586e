"""The models that are served, and their work: in threads, piece by piece, within a time."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from sapwood.errors import OptionError, collecting
from sapwood.model.base import AnyModel
from sapwood.model.explanation import question
from sapwood.model.reading import Block, Reading
from sapwood.web.limits import SHORT, Gate, Limits, Refused
from sapwood.web.schemas import Ask, Place
from sapwood.web.words import INPUT

_Piece = TypeVar("_Piece")
_LOOKED_AT = 10_000  # bytes of a text, to see what it is
_AT_ONCE = 8 << 20  # bytes of explanations that one answer may have


class Served:
    """Models by their names, the first of which is the usual one, and who works for whom."""

    def __init__(self, models: Mapping[str, AnyModel], limits: Limits) -> None:
        self.replace(models)
        self.limits = limits
        self.gate = Gate(limits.workers, limits.waiting)

    def replace(self, models: Mapping[str, AnyModel]) -> None:
        """Serve these models from the next request on; what is running keeps its own.

        Raises OptionError for a model that has nothing to show.
        """
        for name, model in models.items():
            if not model.inputs():
                raise OptionError(
                    f"{name}: a {model.noun} has nothing to show on a page; taggers, parsers, classifiers, segmenters, "
                    "lemmatizers and pipelines have"
                )
        self.models = dict(models)

    def model(self, name: str) -> AnyModel:
        """Return the model of this name, or the usual one for the empty name. Raises Refused."""
        if not name:
            return next(iter(self.models.values()))
        if name not in self.models:
            raise Refused(404, f"there is no model {name!a}; there is {', '.join(self.models)}")
        return self.models[name]

    def name(self, ask: Ask) -> str:
        """Return the name of the model that is asked."""
        return ask.model or next(iter(self.models))

    def reading(self, ask: Ask, data: bytes) -> Reading:
        """Return what the model that is asked says about some bytes. Raises Refused and SapwoodError."""
        model = self.model(ask.model)
        if (nul := data.find(b"\0")) >= 0:
            number = len(data[:nul].decode()) + 1
            raise Refused(400, f"character {number} of the text is \\u0000 (a NUL byte), which no text has")
        return model.reading(data, INPUT, kind_of(data, ask.input, model.inputs()))

    async def pieces(
        self,
        ask: Ask,
        data: bytes,
        made: Callable[[Block], _Piece],
        confidence: bool | None = None,
        told: list[str] | None = None,
    ) -> AsyncGenerator[_Piece]:
        """Yield what is made of a model's answer, block by block; no worker waits for the reader of a piece.

        confidence : whether to say how sure the model is; None: if it is calibrated
        told : gets what the model was not made for
        """
        clock = _Clock(self.limits.seconds)

        def all_pieces() -> Iterator[_Piece]:
            reading = self.reading(ask, data)
            yield from map(made, reading.blocks(reading.calibrated if confidence is None else confidence))

        pieces = clock.within(all_pieces())

        def next_piece() -> _Piece | None:
            with collecting([] if told is None else told):
                return next(pieces, None)

        def all_at_once() -> list[_Piece]:
            with collecting([] if told is None else told):
                return list(pieces)

        if len(data) <= SHORT:
            for each in await self.gate.run(all_at_once):
                yield each
            return
        while (piece := await self.gate.run(next_piece)) is not None:
            yield piece

    async def explanations(self, ask: Ask, data: bytes, place: Place) -> list[bytes]:
        """Return why a model decided so, as lines of JSON.

        Raises Refused for more than one answer can have, and SapwoodError for a token about which nothing was decided.
        """
        if place.token is None and len(data) > self.limits.explained_bytes:
            most = self.limits.explained_bytes
            raise Refused(413, f"explanations of a whole text of over {most:,} bytes are long: name sentence and token")

        def explained() -> Iterator[bytes]:
            asked = question(place.sentence, place.token, place.against or None, place.why_not or None)
            yield from self.reading(ask, data).explain(asked, place.part)

        def work() -> list[bytes]:
            lines: list[bytes] = []
            size = 0
            with collecting([]):  # the analysis has said it
                for piece in _Clock(self.limits.seconds).within(explained()):
                    size += len(piece)
                    if size > _AT_ONCE:
                        raise Refused(413, "the explanations are longer than 8 MB: name sentence and token")
                    lines += piece.splitlines()
            if not lines and place.token is not None:
                where = "any sentence" if place.sentence is None else f"sentence {place.sentence}"
                by = place.part or "model"
                raise OptionError(f"there is no token {place.token} in {where} about which the {by} decided anything")
            return lines

        return await self.gate.run(work)


def kind_of(data: bytes, asked: str, inputs: Sequence[str]) -> str:
    """Return which kind of input this is: what was asked for, one that it looks like, or the usual one."""
    if asked != "auto":
        return asked
    start = data if len(data) <= _LOOKED_AT else data[:_LOOKED_AT].rpartition(b"\n")[0]
    return next((kind for kind, alike in _LOOKS.items() if kind in inputs and alike(start)), inputs[0])


def _like_conllu(start: bytes) -> bool:
    first = next((line for line in start.splitlines() if line and not line.startswith(b"#")), b"")
    return first.count(b"\t") == 9 and first[:1].isdigit()


def _like_columns(start: bytes) -> bool:
    """Whether there are tabs, or several lines of one or two cells; sentences have none, and more words."""
    cells = {len(line.split()) for line in start.splitlines() if line.strip()}
    return b"\t" in start or (start.strip().count(b"\n") > 0 and cells in ({1}, {2}))


_LOOKS = {"conllu": _like_conllu, "columns": _like_columns}


class _Clock:
    """Adds up the time that work takes. Time that it waits for its turn, or for a reader, does not count."""

    def __init__(self, seconds: float) -> None:
        self._left, self._most = seconds, seconds

    def within(self, pieces: Iterator[_Piece]) -> Iterator[_Piece]:
        """Yield pieces as they are made. Raises Refused if no time is left for the next one."""
        while True:
            if self._left < 0:
                raise Refused(503, f"it took longer than {self._most:g} s; send less at a time")
            begin = time.monotonic()
            piece = next(pieces, None)
            self._left -= time.monotonic() - begin
            if piece is None:
                return
            yield piece
