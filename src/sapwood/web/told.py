"""The types of answers about the server, its models, and drift of the texts that they are given."""

from __future__ import annotations

from typing import Annotated, Any, Required

from pydantic import Field
from typing_extensions import TypedDict  # typing's says too little of itself before Python 3.12


class FileFacts(TypedDict, total=False):
    """A model's file, if it came from one, when it was loaded, and what is known of its training."""

    sha256: Annotated[str, Field(description="Of the file, in hexadecimal.")]
    bytes: int
    loaded: Annotated[str, Field(description="A time in UTC.", examples=["2026-01-31T12:00:00Z"])]
    data_checksum: Annotated[str, Field(description="Of the training data: other data have another one.")]
    trained_by: Annotated[str, Field(description="The version of sapwood that trained it.")]
    notes: Annotated[dict[str, str], Field(description="Those of `sapwood train --note`.")]


class NamedFile(FileFacts):
    """A model that is served, and its file."""

    name: Required[str]


class Health(TypedDict, total=False):
    """The server works."""

    status: Required[str]
    version: Required[str]
    models: Required[list[NamedFile]]
    reload_failed: Annotated[str, Field(description="When the models could not be loaded again, if that came last.")]


class Ready(TypedDict):
    """The models are loaded."""

    ready: bool


class Version(TypedDict):
    """The version of the server."""

    version: str


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
