"""The API for programs: texts in, JSON out, one, a batch or a stream of lines; labels and drift of whole texts."""

import json
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from typing import Annotated, Any, Required

from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict  # typing's says too little of itself before Python 3.12

from sapwood.explain.drift import drift
from sapwood.io.source import encoded
from sapwood.model.base import with_listener
from sapwood.model.familiarity import ShortTexts
from sapwood.model.records import INPUT
from sapwood.tasks.classifying.data import layout_of
from sapwood.tasks.classifying.model import Classifier
from sapwood.web import schemas
from sapwood.web.inputs import records_of
from sapwood.web.limits import SHORT, Refused
from sapwood.web.models import Served, within
from sapwood.web.operating import FileFacts
from sapwood.web.requests import JSON, LINES, beside, body_of, check_coding, media_type, parsed_json, request_lines
from sapwood.web.responses import FAULTS, Failures, Streamed, as_json, begun, in_words_of_request


class ServedModel(FileFacts):
    """A model that can be asked."""

    name: Required[str]
    task: Required[str]
    learned: Required[str]
    inputs: Required[list[str]]


class Models(TypedDict):
    """The models that can be asked, the usual one first."""

    models: list[ServedModel]


class Drift(TypedDict):
    """The record of `sapwood drift --json`: figures of both texts, the change in each measure, the verdict."""

    model: str
    new: dict[str, Any]
    old: dict[str, Any]
    changes: list[dict[str, Any]]
    drift: Annotated[bool, Field(description="True if a change is beyond chance, and not a small one.")]


class _Route(APIRoute):
    """A path whose requests are JSON, which is read and checked here: FastAPI's own reading takes longer."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[object, object, Response]]:
        if self.body_field is None:
            return super().get_route_handler()
        kind = self.body_field.field_info.annotation
        assert isinstance(kind, type)
        assert issubclass(kind, BaseModel)

        async def answer(request: Request) -> Response:
            if media_type(request.headers) != JSON:
                raise Refused(415, f"a request comes as {JSON}; a stream of lines goes to /annotate/lines as {LINES}")
            body = parsed_json(await body_of(request, Served.at(request).limits))
            asked = kind.model_validate(beside(schemas.BESIDE[kind], request, body))
            answered: Response = await self.endpoint(request, asked)
            return answered

        return answer


router = APIRouter(route_class=_Route, generate_unique_id_function=lambda route: route.name)
_STREAM = {
    "type": "string",
    "description": 'Lines such as {"id": 1, "text": "..."}, where id may be left out; or, of a classifier, records.',
}


@router.post(
    "/annotate",
    summary="Analyse a text, or a batch of texts",
    response_model=schemas.Document | schemas.Documents,
    response_description="The analysis.",
    responses=schemas.ERRORS,
)
async def annotate(request: Request, asked: schemas.Texts) -> Response:
    served = Served.at(request)
    served.model(asked.model)
    _check_size(served, max(len(asked.texts), len(asked.records)))
    if "records" in asked.model_fields_set:
        records = [(_id_of(record), _as_line(record)) for record in asked.records]
        pieces = served.gate.through(_batch(request, asked.model_copy(update={"input": "records"}), records))
    elif "texts" in asked.model_fields_set:
        pieces = served.gate.through(_batch(request, asked, [({}, encoded(text)) for text in asked.texts]))
    else:
        data = encoded(asked.text)
        pieces = served.gate.through(_document(served, asked, data, {"model": served.name(asked)}))
        if len(data) <= SHORT:
            return Response(b"".join([piece async for piece in pieces]), media_type=JSON)
    return Streamed(await begun(pieces), JSON, request.is_disconnected)


@router.post(
    "/annotate/lines",
    summary="Analyse a stream of lines",
    response_class=Response,
    response_description="A Document or an Error for each line, in their order, as soon as it has come.",
    responses=schemas.ERRORS | {200: {"content": {LINES: {"schema": {"type": "string"}}}}},
    openapi_extra={"requestBody": {"content": {LINES: {"schema": _STREAM}}, "required": True}},
)
async def annotate_lines(request: Request) -> Response:
    if media_type(request.headers) != LINES:
        raise Refused(415, f"a stream comes line by line, as {LINES}")
    check_coding(request.headers)
    asked = schemas.Analysis.model_validate(beside(schemas.Analysis, request))
    Served.at(request).model(asked.model)
    return Streamed(await begun(_answers(request, asked)), LINES)


@router.post(
    "/explain",
    summary="Say why a model decided as it did",
    response_model=schemas.Explanations,
    response_description="The explanations.",
    responses=schemas.ERRORS,
)
async def explain(request: Request, asked: schemas.Question) -> Response:
    served = Served.at(request)
    async with served.gate.entered():
        data = encoded(asked.text)
        asked = await served.resolved(asked, data)
        lines = await served.explanations(asked, data, asked)
    records = [json.loads(line) for line in lines]
    for record in records if asked.top is not None else ():
        del record["features"][asked.top :]
    return as_json({"model": served.name(asked), "explanations": records})


@router.head("/models", include_in_schema=False)
@router.get("/models", summary="The models that are served", response_description="The models.")
async def models(request: Request) -> Models:
    listed: list[ServedModel] = [
        {
            "name": name,
            "task": model.task,
            "learned": model.contents.learned,
            "inputs": list(records_of(model).inputs),
            **Served.at(request).facts[name],
        }
        for name, model in Served.at(request).models.items()
    ]
    return {"models": listed}


@router.post(
    "/classify",
    summary="Classify texts or records",
    response_model=schemas.Classified,
    response_description="An answer for each, in their order.",
    responses=schemas.ERRORS,
)
async def classify(request: Request, asked: schemas.Examples) -> Response:
    served = Served.at(request)
    model, name = served.model(asked.model), asked.model or served.names[0]
    if not isinstance(model, Classifier):
        raise Refused(422, f"{name} is a {model._noun}, which /annotate asks; /classify is for classifiers")
    text = layout_of(model.model_).text
    texts = [asked.text] if "text" in asked.model_fields_set else asked.texts
    records = asked.records or [{text: each} for each in texts]
    _check_size(served, len(records))
    async with served.gate.entered():
        with Failures(request.scope) as failures:
            answers = within(served.limits.seconds, _labelled(model, records, asked.reasons, failures))
            found = await served.gate.run(lambda: list(answers))
    served.metrics.count(name, found)
    return as_json({"model": name, "answers": found})


@router.post(
    "/drift",
    summary="Compare new texts with old ones, or with the training data",
    response_model=Drift,
    response_description="What `sapwood drift --json` writes.",
    responses=schemas.ERRORS,
)
async def measure(request: Request, asked: schemas.Shift) -> Response:
    served = Served.at(request)
    model, name = served.model(asked.model), asked.model or served.names[0]
    if "text" not in records_of(model).inputs or model._observed is None:
        raise Refused(422, f"{name} is a {model._noun}; drift is measured here for classifiers and pipelines of texts")
    async with served.gate.entered():
        report = await served.gate.run(lambda: drift(model, asked.texts, asked.old))
    return as_json({"model": name, **report.as_dict()})


def _check_size(served: Served, texts: int) -> None:
    if texts > (most := served.limits.texts):
        raise Refused(413, f"a batch has {most:,} texts at most; more go line by line to /annotate/lines")


def _as_line(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode()


async def _document(
    served: Served,
    asked: schemas.Analysis,
    data: bytes,
    first: dict[str, object] | None = None,
    short: ShortTexts | None = None,
) -> AsyncGenerator[bytes]:
    """Yield an object with the sentences of a text, behind the members that are given and a model that was chosen."""
    warnings: list[str] = []
    chosen = await served.resolved(asked, data, warnings.append)
    if chosen is not asked:
        asked, first = chosen, (first or {}) | {"model": chosen.model}
    opened = json.dumps(first, ensure_ascii=False).encode()[:-1] + b", " if first else b"{"
    begin = opened + b'"sentences": ['
    async for lines in served.pieces(asked, data, "json", warnings.append, short):
        yield begin + lines.rstrip(b"\n").replace(b"\n", b", ")
        begin = b", "
    warnings = list(map(in_words_of_request, warnings))
    last = f', "warnings": {json.dumps(warnings, ensure_ascii=False)}'.encode() if warnings else b""
    yield (b"]" if begin == b", " else begin + b"]") + last + b"}"


def _id_of(given: object) -> dict[str, object]:
    """Return the member `id` of an object; nothing if it has none, or one that is no text and no number."""
    if isinstance(given, dict) and isinstance(given.get("id", ()), str | int | float | None):
        return {"id": given["id"]}
    return {}


async def _batch(
    request: Request, asked: schemas.Analysis, texts: list[tuple[dict[str, object], bytes]]
) -> AsyncGenerator[bytes]:
    """Yield an object with a document for each text of a batch, or the error of a text that cannot be analysed.

    texts : each with the first members of its document
    """
    served = Served.at(request)
    short = ShortTexts()
    begin = f'{{"model": {json.dumps(served.name(asked), ensure_ascii=False)}, "documents": ['.encode()
    with Failures(request.scope) as failures:
        for number, (first, data) in enumerate(texts, start=1):
            try:
                pieces = await begun(_document(served, asked, data, first, short))
            except FAULTS as error:
                yield begin + _as_line(first | failures.add(f"text {number}", error))
            else:
                yield begin
                async for piece in pieces:
                    yield piece
            begin = b", "
    yield b"]}" if texts else begin + b"]}"


def _of_line(served: Served, asked: schemas.Analysis, given: object) -> tuple[schemas.Analysis, bytes]:
    """Return the question about a line of a stream, and its text: a record, if the model reads some and it is one."""
    reads_records = "records" in records_of(served.model(asked.model)).inputs
    is_line = isinstance(given, dict) and isinstance(given.get("text"), str) and given.keys() <= {"id", "text"}
    if reads_records and isinstance(given, dict) and (asked.input == "records" or not is_line):
        return asked.model_copy(update={"input": "records"}), _as_line(given)
    return asked, encoded(schemas.Line.model_validate(given).text)


async def _answers(request: Request, asked: schemas.Analysis) -> AsyncGenerator[bytes]:
    """Answer each line of a request with a line, as soon as it has come.

    A stream is among those that the gate has let in only while one of its lines is worked on, so that streams which
    wait for their clients keep nobody else out.
    """
    served, short = Served.at(request), ShortTexts()
    yield b""
    with Failures(request.scope) as failures:
        async for number, line in request_lines(request, served.limits):
            first: dict[str, object] = {}
            try:
                given = parsed_json(line)
                first = _id_of(given)
                question, data = _of_line(served, asked, given)
                async with served.gate.entered(waits=True):
                    answer = b"".join([piece async for piece in _document(served, question, data, first, short)])
            except FAULTS as error:
                answer = _as_line(first | failures.add(f"line {number}", error))
            yield answer + b"\n"


def _labelled(
    model: Classifier, records: list[dict[str, Any]], reasons: bool, failures: Failures
) -> Iterator[dict[str, Any]]:
    """Yield the answer about each record, or the error of one that cannot be answered."""
    for number, record in enumerate(records, 1):
        first = {"id": record["id"]} if isinstance(record.get("id"), str | int | float) else {}
        warnings: list[str] = []
        listening = with_listener(model, warnings.append)
        try:
            [answer] = listening.writer.answers(_as_line(record), INPUT, "jsonl", reasons=reasons)
        except FAULTS as error:
            yield first | failures.add(f"text {number}", error)
            continue
        yield first | answer | ({"warnings": [*map(in_words_of_request, warnings)]} if warnings else {})
