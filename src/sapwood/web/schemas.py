"""The types of the API's requests and answers: FastAPI checks requests by them, and describes the API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, Required, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator, with_config
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict  # typing's says too little of itself before Python 3.12

from sapwood.parts import COLUMNS
from sapwood.web.inputs import INPUT_NAMES

Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
if TYPE_CHECKING:
    Kind = str
else:
    Kind = Annotated[
        Literal["auto", *INPUT_NAMES], BeforeValidator(lambda value: "auto" if value in (None, "") else value)
    ]
Fields = Annotated[
    list[Annotated[str, AfterValidator(lambda name: _known_field(name))]],
    BeforeValidator(lambda value: value.split(",") if isinstance(value, str) else value),
]
Count = Annotated[int, Field(ge=1, lt=1 << 32)]


_FIELDS = (
    "text", "start", "end", "entities", "label", "best", "confidence", "familiarity", "id",
    *(column.name for column in COLUMNS),
)  # fmt: skip


def _known_field(name: str) -> str:
    if name not in _FIELDS and not re.fullmatch("column [0-9]+", name):
        raise PydanticCustomError(
            "field", "{name} is none of {known}", {"name": ascii(name), "known": ", ".join(_FIELDS)}
        )
    return name


class Members(BaseModel):
    """An object of a request: it has no unknown members, and each is of its type."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _known_only(cls, values: object) -> object:
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
        default="auto",
        description="What the text is; auto: CoNLL-U or columns if it looks so, or what the model reads first.",
    )


class Analysis(Ask):
    """A question for the analysis of a text."""

    confidence: bool = Field(default=False, description="Say how sure the model is; it must be calibrated.")
    offsets: Literal["characters", "utf16"] = Field(
        default="characters",
        description="What start and end count: characters (Unicode code points, as Python does), or code units of "
        "UTF-16, as JavaScript, Java and C# do.",
    )
    fields: Fields | None = Field(
        default=None,
        description="Only these members of sentences and tokens, such as text, lemma or entities. Names as spans "
        "(entities) are made if they are asked for. Without, all other members.",
    )


class Batch(Members):
    """A text, or texts, or records: one of the three."""

    text: str = Field(default="", examples=["Ada wrote it."])
    texts: list[str] = Field(default=[], examples=[["Ada wrote it.", "She did."]])
    records: list[dict[str, Any]] = Field(
        default=[],
        examples=[[{"id": 7, "text": "great fun"}]],
        description="Of a classifier: objects as it was trained on; each answer has the id of its record.",
    )

    @model_validator(mode="after")
    def _either(self) -> Self:
        if len(self.model_fields_set & {"text", "texts", "records"}) != 1:
            raise PydanticCustomError("either", "a request has a text, or texts, or records")
        return self


class Texts(Batch, Analysis):
    """A text, or a batch of texts."""


class OfModel(Members):
    """Whom to ask; empty is the usual model."""

    model: Text = ""


class Classifying(OfModel):
    """The classifier to ask, and whether for reasons."""

    reasons: bool = Field(default=False, description="Name the three features that spoke most for each label.")


class Examples(Batch, Classifying):
    """A text, texts or records for a classifier."""


class Line(Members):
    """A line of a stream."""

    text: str
    id: str | int | float | None = None  # comes back with the answer


class Place(Members):
    """The decisions that are to be explained, and the answer to compare with."""

    sentence: Count | None = Field(default=None, description="Explain this sentence or example only, counted from 1.")
    token: Count | None = Field(default=None, description="Explain this token only, counted from 1.")
    part: Text = Field(default="", description="Of a pipeline: explain this part only.")
    against: Text = Field(default="", description="Compare with this answer, not with the second best.")

    @property
    def value(self) -> str:
        """The value of the page's button that asks about this decision."""
        return f"{self.sentence}.{self.token}.{self.part}"


class Asked(Ask, Place):
    """Whom to ask why, and about which decisions."""

    top: Annotated[int, Field(ge=0)] | None = Field(
        default=None, description="Features of each explanation; without, all."
    )


class Question(Asked):
    """A question for the reasons of a model's decisions."""

    text: str = Field(examples=["Ada wrote it."])


class Shift(OfModel):
    """New texts for a model, and old ones to compare with; without, it is what its file keeps of its training data."""

    texts: list[str] = Field(min_length=1, examples=[["Ada wrote it.", "She did."]])
    old: list[str] | None = Field(default=None, min_length=1)


# Class of a body -> its members that may stand in the address instead.
BESIDE: dict[type[BaseModel], type[Members]] = {Texts: Analysis, Question: Asked, Examples: Classifying, Shift: OfModel}


_TYPES: dict[str, object] = {  # types of columns that are no plain text
    "head": Annotated[int, Field(ge=0, description="The id of the head; 0 is the root.")],
    "entity": Annotated[str, Field(description="In BIO: B-PER begins a name, O is outside.")],
}
if TYPE_CHECKING:
    Token = dict[str, object]
else:
    Token = TypedDict(
        "Token",
        {"id": Count, "text": str}
        | {column.name: _TYPES.get(column.name, str) for column in COLUMNS}
        | {
            "label": Annotated[str, Field(description="The label that a tagger gives.")],
            "confidence": Annotated[dict[str, float], Field(description="From 0 to 1, by the kind of decision.")],
            "start": Annotated[int, Field(description="Offset of the word in the text, in the unit of `offsets`.")],
            "end": int,
        },
        total=False,
    )
    Token.__doc__ = """A token of a sentence with the model's answers and other columns of its input ("column 2")."""
    Token = with_config(ConfigDict(extra="allow"))(Token)


class Scored(TypedDict):
    """An answer, and its score."""

    label: str
    score: float


class Entity(TypedDict):
    """A name, or a chunk, as a span of the text; without a text, as given words have none, of the sentence."""

    label: str
    text: str
    start: Annotated[int, Field(description="Offset in the unit of `offsets`.")]
    end: int


class Sentence(TypedDict, total=False):
    """A sentence, or an example of a classifier."""

    text: str
    start: Annotated[int, Field(description="Offset in the text, in the unit of `offsets`.")]
    end: int
    entities: list[Entity]
    familiarity: Annotated[float, Field(description="The share of words that are frequent ones of training data.")]
    tokens: list[Token]
    label: Annotated[str, Field(description="Of an example: what a classifier says.")]
    abstained: Annotated[bool, Field(description="Of an example: the model is not sure enough, and the label is _.")]
    best: list[Scored]


class Document(TypedDict, total=False):
    """The analysis of a text; in a batch or a stream with the model's name only if it was chosen by language."""

    model: str
    sentences: Required[list[Sentence]]
    warnings: Annotated[list[str], Field(description="What the model was not made for, such as another language.")]


class Error(TypedDict):
    """An error, in one line."""

    error: str


class Documents(TypedDict):
    """The analyses of a batch, in the order of its texts."""

    model: str
    documents: list[Document | Error]


class Reason(TypedDict, total=False):
    """A feature that spoke for a label; of a classifier of several labels it says for which."""

    feature: Required[str]
    label: str
    contribution: Required[float]


class Answer(TypedDict, total=False):
    """The answer of a classifier about a text."""

    id: Annotated[str | int | float, Field(description="That of the record, if it has one.")]
    label: Required[
        Annotated[
            str | list[str] | None, Field(description="Several of a multi-label model; null if it has no answer.")
        ]
    ]
    confidence: Annotated[float | None, Field(description="Of a calibrated model, from 0 to 1.")]
    margin: Annotated[float | None, Field(description="The score less that of the second label; no probability.")]
    abstained: Annotated[bool, Field(description="True if the model is not sure enough, and the label null.")]
    reasons: list[Reason]
    warnings: list[str]


class Classified(TypedDict):
    """The answers to texts or records, in their order."""

    model: str
    answers: list[Answer | Error]


class Feature(TypedDict):
    """A feature's part in a decision."""

    text: str
    label: str
    value: float
    weight: float
    contribution: float


class Explanation(TypedDict, total=False):
    """The reasons of a decision: the sum of its features' contributions is the margin."""

    part: Annotated[str, Field(description="Of a pipeline.")]
    sentence: Required[Count]
    token: Required[Count]
    word: Required[str]
    decision: Required[str]
    chosen: Required[str]
    against: Required[str | None]
    outvoted: Annotated[str, Field(description="The answer that a committee gives in the place of the chosen one.")]
    margin: Required[float]
    scale: float
    features: Required[list[Feature]]


class Explanations(TypedDict):
    """The decisions that were asked about."""

    model: str
    explanations: list[Explanation]


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
ERRORS: dict[int | str, dict[str, object]] = {
    status: {"model": Error, "description": meaning} for status, meaning in _MEANINGS.items()
}
