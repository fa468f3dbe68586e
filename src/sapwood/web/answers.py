"""What the API answers, as types: FastAPI makes the description of the API from them."""

from __future__ import annotations

from typing import Annotated, Any, Required

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict  # typing's says too little of itself before Python 3.12

from sapwood.web.asking import Count


@with_config(ConfigDict(extra="allow"))
class Token(TypedDict, total=False):
    """A token of a sentence, with what the model says about it, and other columns of its input, such as "column 2"."""

    id: Required[Count]
    text: Required[str]
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: Annotated[int, Field(ge=0, description="The id of the head; 0 is the root.")]
    deprel: str
    entity: Annotated[str, Field(description="In BIO: B-PER begins a name, O is outside.")]
    label: Annotated[str, Field(description="What a tagger says.")]
    confidence: Annotated[dict[str, float], Field(description="From 0 to 1, by what is decided.")]
    start: Annotated[int, Field(description="Where the token begins in the text, in characters.")]
    end: int


class Scored(TypedDict):
    """An answer, and its score."""

    label: str
    score: float


class Sentence(TypedDict, total=False):
    """A sentence, or an example of a classifier."""

    text: Required[str]
    start: int
    end: int
    tokens: list[Token]
    label: Annotated[str, Field(description="Of an example: what a classifier says.")]
    best: list[Scored]


class Document(TypedDict, total=False):
    """The analysis of a text; in a batch or a stream without the model's name."""

    model: str
    sentences: Required[list[Sentence]]


class Error(TypedDict):
    """What is wrong, in one line."""

    error: str


class Documents(TypedDict):
    """The analyses of a batch, in the order of its texts."""

    model: str
    documents: list[Document | Error]


class Feature(TypedDict):
    """A feature's part in a decision."""

    text: str
    label: str
    value: float
    weight: float
    contribution: float


class Flip(TypedDict, total=False):
    """The features without which the answer would be another one."""

    to: Required[str]
    features: Required[list[str]]
    searched: Annotated[bool, Field(description="A tree was parsed again without them.")]
    fewest: Annotated[bool, Field(description="All smaller sets of features were tried that way.")]


class Explanation(TypedDict, total=False):
    """Why a model decided so: the sum of its features' contributions is the margin."""

    part: Annotated[str, Field(description="Of a pipeline.")]
    sentence: Required[Count]
    token: Required[Count]
    word: Required[str]
    decision: Required[str]
    chosen: Required[str]
    against: Required[str | None]
    margin: Required[float]
    scale: float
    features: Required[list[Feature]]
    flip: Required[Flip | None]


class Explanations(TypedDict):
    """The decisions that were asked about."""

    model: str
    explanations: list[Explanation]


class Health(TypedDict):
    """The server works."""

    status: str
    version: str


class ServedModel(TypedDict):
    """A model that can be asked."""

    name: str
    task: str
    learned: str
    inputs: list[str]


class Models(TypedDict):
    """The models that can be asked, the usual one first."""

    models: list[ServedModel]


_MEANINGS = {
    400: "The request cannot be understood, or the text is not what the model reads.",
    404: "There is no such model.",
    408: "The request came too slowly.",
    413: "The request is too large.",
    415: "The request is of a wrong media type.",
    422: "The model cannot do this.",
    429: "Too much is waiting; try again after the seconds in Retry-After.",
    503: "It took too long.",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Error, "description": meaning} for status, meaning in _MEANINGS.items()
}
