"""What a request asks for, out of a form or JSON: its members, how they are checked, and its bytes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import parse_qsl

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError, from_json
from starlette.datastructures import Headers
from starlette.requests import Request

from sapwood.model.reading import INPUTS
from sapwood.web.limits import Limits, Refused

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
LINES = "application/x-ndjson"
_DRAINED = 32 << 20  # bytes of a request that is too large that are still read, so that the client hears why
_WHY = re.compile(r"([1-9][0-9]{0,8})\.([1-9][0-9]{0,8})\.([a-z]*)")

Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
if TYPE_CHECKING:
    Kind = str
else:
    Kind = Annotated[Literal["auto", *INPUTS], BeforeValidator(lambda value: "auto" if value in (None, "") else value)]
Count = Annotated[int, Field(ge=1, lt=1 << 32)]


class Members(BaseModel):
    """What an object has: nothing that would be passed over in silence, and each of its type."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _known_only(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            raise PydanticCustomError("object", "Input should be an object of JSON")
        for name in values:
            if name not in cls.model_fields:
                found = {"name": ascii(name), "known": ", ".join(sorted(cls.model_fields))}
                raise PydanticCustomError("unknown", "{name} is none of {known}", found)
        return values


class Ask(Members):
    """Whom to ask, and about what kind of input; empty is the usual model."""

    model: Text = ""
    input: Kind = Field(
        default="auto", description="What the text is; auto: CoNLL-U if it looks so, or what the model reads."
    )


class Analysis(Ask):
    """What is to be said about a text."""

    confidence: bool = Field(default=False, description="Say how sure the model is; it must be calibrated.")


class Address(Analysis):
    """The same in an address, where all values are texts."""

    confidence: bool = Field(default=False, strict=False)


class Texts(Analysis):
    """A text, or a batch of texts."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["text"]}, {"required": ["texts"]}]})

    text: Text = Field(default="", examples=["Ada wrote it."])
    texts: list[str] = Field(default=[], examples=[["Ada wrote it.", "She did."]])

    @model_validator(mode="after")
    def _either(self) -> Texts:
        if ("text" in self.model_fields_set) == ("texts" in self.model_fields_set):
            raise PydanticCustomError("either", "a request has a text, or texts")
        return self


class Line(Members):
    """A line of a stream."""

    text: Text


class Place(Members):
    """Which decisions are to be explained, and against what."""

    sentence: Count | None = Field(default=None, description="Explain this sentence or example only, counted from 1.")
    token: Count | None = Field(default=None, description="Explain this token only, counted from 1.")
    part: Text = Field(default="", description="Of a pipeline: explain this part only.")
    against: Text = Field(default="", description="Compare with this answer, not with the second best.")
    why_not: Text = Field(default="", description="The same, and say without which features it would be this answer.")

    @property
    def value(self) -> str:
        """What a button of the page has that asks about this decision."""
        return f"{self.sentence}.{self.token}.{self.part}"


class Question(Ask, Place):
    """Why a model decided so."""

    text: Text = Field(examples=["Ada wrote it."])
    top: Annotated[int, Field(ge=0)] | None = Field(
        default=None, description="Features of each explanation; without, all."
    )


def wrong(error: Mapping[str, Any]) -> str:
    """Return what pydantic found to be wrong in a request, as a line."""
    where = ".".join(str(part) for part in error["loc"] if part not in ("body", "query")) or "the request"
    if error["type"] == "missing":
        return f"{where} is missing"
    message, given = error["msg"], error["input"]
    if not message.startswith("Input "):
        return str(message)
    got = f"; got {given!a}" if isinstance(given, (str, int, float)) and len(str(given)) < 50 else ""
    return f"{where} {message.removeprefix('Input ')}{got}"


def parsed(data: bytes) -> Any:
    """Return what JSON holds. Raises Refused."""
    try:
        return from_json(data)
    except ValueError as error:
        raise Refused(400, f"the request is not JSON: {str(error).replace(' line 1 column', ' column')}") from None


async def body_of(request: Request, limits: Limits) -> bytes:
    """Return the body. Raises Refused if it is too large, or comes too slowly."""
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.patience):
            async for part in request.stream():
                size += len(part)
                if size > _DRAINED:
                    break
                if size <= limits.bytes:
                    parts.append(part)
                else:
                    parts.clear()
    except TimeoutError:
        raise Refused(408, f"the request did not come in {limits.patience:g} s", {"Connection": "close"}) from None
    if size > limits.bytes:
        raise Refused(413, f"a request has {limits.bytes:,} bytes at most", {"Connection": "close"})
    return b"".join(parts)


def media_type(headers: Headers) -> str:
    """Return what a request says that its body is."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


async def form_of(request: Request, limits: Limits) -> dict[str, str]:
    """Return the fields of a form. Raises Refused if it is none."""
    if media_type(request.headers) != FORM:
        raise Refused(415, f"a form comes as {FORM}")
    body = await body_of(request, limits)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=20)
    except UnicodeDecodeError:
        raise Refused(400, "the form is not UTF-8") from None
    except ValueError:
        raise Refused(400, "the form has too many fields") from None
    return {name: value.replace("\r\n", "\n") for name, value in pairs}  # browsers send line ends as \r\n


def ask_in_form(fields: Mapping[str, str]) -> Ask:
    """Return whom a form asks. Raises ValidationError."""
    return Ask(model=fields.get("model", ""), input=fields.get("input", ""))


def place_in_form(fields: Mapping[str, str]) -> Place:
    """Return which decision a button of the page asks about. Raises Refused."""
    found = _WHY.fullmatch(fields.get("why", ""))
    if found is None:
        raise Refused(400, "why is SENTENCE.TOKEN.PART")
    sentence, token, part = found.groups()
    return Place(sentence=int(sentence), token=int(token), part=part, why_not=fields.get("why_not", "").strip())
