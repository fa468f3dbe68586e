"""The models that are served, and their work: in threads, piece by piece, within a time."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from copy import copy
from typing import Self, TypeVar

from starlette.requests import Request

from sapwood.errors import Listener, OptionError
from sapwood.model.base import AnyModel, with_listener
from sapwood.model.explanation import question
from sapwood.model.facts import now, training_facts
from sapwood.model.familiarity import ShortTexts
from sapwood.model.file.bundled import AUTO, PIPELINES
from sapwood.model.records import INPUT
from sapwood.tasks.pipeline.languages import Languages, text_in
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.web.inputs import checked_kind, is_calibrated, records_of
from sapwood.web.limits import SHORT, Gate, Limits, Refused
from sapwood.web.operating import FileFacts, Metrics
from sapwood.web.schemas import Analysis, Ask, Place
from sapwood.web.sentences import shape_of

_Piece = TypeVar("_Piece")
A = TypeVar("A", bound=Ask)
Make = Callable[[], Mapping[str, AnyModel]]  # makes models by their names of files, which are read already

_A_MOMENT = 0.01  # seconds
_AT_ONCE = 8 << 20  # bytes of explanations that one answer may have


class Served:
    """Models by their names, the first of which is the usual one, and who works for whom."""

    def __init__(self, models: Mapping[str, AnyModel], limits: Limits) -> None:
        self.models: Mapping[str, AnyModel] = {}
        self._make: Make = dict
        self.metrics, self.failed_at = Metrics(), ""  # when the models could not be loaded again, if that came last
        self.replace(models)
        self.limits = limits
        self.gate = Gate(limits.workers, limits.waiting)

    @classmethod
    def at(cls, request: Request) -> Self:
        """Return the models that were served when a request began: a reload meanwhile is for later ones."""
        found: Self = request.state.served
        return found

    async def now(self) -> Self:
        """Return the same gate with the models of this moment, which stay as they are; wait while they are made."""
        while not self.models:
            await asyncio.sleep(_A_MOMENT)
        return copy(self)

    def make(self, make: Make) -> None:
        """Make models and serve them; what is running keeps those before it.

        Those before are let go first, so that memory holds one of each, and made again if one of these cannot be made.
        """
        before, self._make = self._make, make
        self.models = {}
        try:
            self.replace(make())
        except BaseException:
            self._make = before
            self.replace(before())
            raise

    def reloaded(self, *, failed: bool) -> None:
        """Keep how an attempt to load the models again ended."""
        self.failed_at = now() if failed else ""
        self.metrics.reloads.labels("failed" if failed else "done").inc()

    def replace(self, models: Mapping[str, AnyModel]) -> None:
        """Serve these models from the next request on; what is running keeps its own.

        Raises OptionError for a model that has nothing to show.
        """
        for name, model in models.items():
            if model._records is None:
                raise OptionError(
                    f"{name}: a {model._noun} has nothing to show on a page; taggers, parsers, classifiers, "
                    "segmenters, lemmatizers and pipelines have"
                )
        self.models, self.names = dict(models), list(models)
        self.facts: dict[str, FileFacts] = {
            name: {"loaded": now(), **model._file_facts, **training_facts(model.model_)}  # type: ignore[typeddict-item]
            for name, model in models.items()
        }
        self.metrics.served(self.facts)

    def model(self, name: str) -> AnyModel:
        """Return the model of this name, or the usual one for the empty name. Raises Refused."""
        if not name:
            return next(iter(self.models.values()))
        if name not in self.models:
            raise Refused(404, f"there is no model {name!a}; there is {', '.join(self.models)}")
        return self.models[name]

    async def resolved(self, ask: A, data: bytes, on_warning: Listener = lambda message: None) -> A:
        """Return a question to a choice by language as one to the pipeline of the text's language, others as they are.

        Raises DataError for a text in a language whose pipeline is not served.
        """
        model = self.model(ask.model)
        if not isinstance(model, Languages):
            return ask
        choice, kind = with_listener(model, on_warning), self.kind(ask, data)
        code = await self.gate.run(lambda: choice.language_of(text_in(data, kind), INPUT))
        return ask.model_copy(update={"model": code})

    def name(self, ask: Ask) -> str:
        """Return the name of the model that is asked."""
        return ask.model or next(iter(self.models))

    def kind(self, ask: Ask, data: bytes) -> str:
        """Return the kind of an input, for the model that is asked. Raises Refused and OptionError."""
        if (nul := data.find(b"\0")) >= 0:
            number = len(data[:nul].decode()) + 1
            raise Refused(400, f"character {number} of the text is \\u0000 (a NUL byte), which no text has")
        return checked_kind(self.model(ask.model), data, ask.input)

    async def pieces(
        self,
        ask: Ask,
        data: bytes,
        format: str = "json",
        on_warning: Listener = lambda message: None,
        short: ShortTexts | None = None,
    ) -> AsyncGenerator[bytes]:
        """Yield a model's analysis in a format, piece by piece; no worker waits for the reader of a piece.

        ask : of an Analysis it has what the answer is to hold; else there are confidences if the model has them
        on_warning : gets warnings of a text that the model was not made for
        short : counts the short texts of a request together
        """

        def all_pieces() -> Iterator[bytes]:
            model, kind = with_listener(self.model(ask.model), on_warning, short=short), self.kind(ask, data)
            analysis = ask if isinstance(ask, Analysis) else None
            sure = is_calibrated(model) if analysis is None else analysis.confidence
            written: Iterator[bytes] = filter(None, records_of(model).written(data, kind, format, sure))
            if analysis is not None:
                written = map(shape_of(model, data, analysis.fields, analysis.offsets), written)
            yield from written

        pieces = within(self.limits.seconds, all_pieces())
        if len(data) <= SHORT:
            for each in await self.gate.run(lambda: list(pieces)):
                yield each
            return
        while (piece := await self.gate.run(lambda: next(pieces, None))) is not None:
            yield piece

    async def explanations(self, ask: Ask, data: bytes, place: Place) -> list[bytes]:
        """Return explanations of a model's decisions, as lines of JSON.

        Raises Refused for more than one answer can have, and SapwoodError for a token about which nothing was decided.
        """
        if place.token is None and len(data) > self.limits.explained_bytes:
            most = self.limits.explained_bytes
            raise Refused(413, f"explanations of a whole text of over {most:,} bytes are long: name sentence and token")

        def all_lines() -> Iterator[bytes]:
            asked = question(place.sentence, place.token, place.against or None)
            model = with_listener(self.model(ask.model), lambda message: None)  # the analysis has warned
            yield from records_of(model).reasons(data, self.kind(ask, data), asked, place.part)

        def work() -> list[bytes]:
            lines: list[bytes] = []
            size = 0
            for piece in within(self.limits.seconds, all_lines()):
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


def with_choice(models: Mapping[str, AnyModel], *, first: bool) -> dict[str, AnyModel]:
    """Return models with a choice by language, "auto", if two or more of them are bundled pipelines.

    first : it is the usual one. Raises ModelError if this copy of sapwood cannot tell languages.
    """
    pipelines = {name: model for name, model in models.items() if name in PIPELINES and isinstance(model, Pipeline)}
    if len(pipelines) < 2 or AUTO in models:
        return dict(models)
    choice: dict[str, AnyModel] = {AUTO: Languages.bundled().among(pipelines)}
    return {**choice, **models} if first else {**models, **choice}


def within(seconds: float, pieces: Iterator[_Piece]) -> Iterator[_Piece]:
    """Yield pieces as they are made. Raises Refused if no time is left for the next one.

    Time that the work waits for its turn, or for a reader, does not count.
    """
    left = seconds
    while left >= 0:
        begin = time.monotonic()
        piece = next(pieces, None)
        left -= time.monotonic() - begin
        if piece is None:
            return
        yield piece
    raise Refused(503, f"it took longer than {seconds:g} s; send less at a time")
