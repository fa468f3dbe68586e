"""The questions of operators to a server: metrics for Prometheus, readiness, the files it serves, request ids."""

import os
import re
import time
from collections.abc import Mapping
from typing import Annotated, Any, Required
from uuid import uuid4

from fastapi import APIRouter
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, exposition
from prometheus_client.multiprocess import MultiProcessCollector
from pydantic import Field
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from typing_extensions import TypedDict  # typing's says too little of itself before Python 3.12

from sapwood.version import __version__
from sapwood.web.limits import Refused
from sapwood.web.schemas import Error

_ID = re.compile(r"[!-~]{1,128}")  # an id that a proxy gives a request; others are not believed
_SECONDS = 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30
_SHARES = tuple(k / 10 for k in range(1, 11))


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


class Metrics:
    """The numbers that Prometheus reads.

    Each application counts for itself. Where several processes serve one application, each has its own numbers, unless
    PROMETHEUS_MULTIPROC_DIR names a folder in which prometheus-client adds them up; process metrics are left out then.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        if several := "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            MultiProcessCollector(self._registry)  # type: ignore[no-untyped-call]
        else:
            ProcessCollector(registry=self._registry)
        own = None if several else self._registry
        self.requests = Counter("sapwood_requests", "Requests that ended.", ["path", "status"], registry=own)
        seconds = "From a request to the end of its answer."
        self.seconds = Histogram("sapwood_request_seconds", seconds, ["path"], buckets=_SECONDS, registry=own)
        self.labels = Counter("sapwood_labels", "Labels given by /classify.", ["model", "label"], registry=own)
        sure = "Confidences in them."
        self.confidence = Histogram("sapwood_confidence", sure, ["model"], buckets=_SHARES, registry=own)
        self.warned = Counter("sapwood_warned", "Texts that /classify warned of.", ["model"], registry=own)
        self.reloads = Counter("sapwood_reloads", "Attempts to load the models again.", ["result"], registry=own)
        models = ["model", "sha256", "data"]
        self._models = Gauge("sapwood_model_info", "Served models.", models, registry=own, multiprocess_mode="max")

    def served(self, models: Mapping[str, FileFacts]) -> None:
        """Say which models are served now."""
        self._models.clear()
        for name, facts in models.items():
            self._models.labels(name, facts.get("sha256", ""), facts.get("data_checksum", "")).set(1)

    def count(self, name: str, answers: list[dict[str, Any]]) -> None:
        """Count the labels and the confidences of a model's answers, and the texts of which it warned."""
        for answer in answers:
            given = answer.get("label")
            for label in given if isinstance(given, list) else [given] if given is not None else []:
                self.labels.labels(name, label).inc()
            if answer.get("confidence") is not None:
                self.confidence.labels(name).observe(answer["confidence"])
            if "warnings" in answer:
                self.warned.labels(name).inc()

    def written(self) -> bytes:
        """Return the numbers in the text format of Prometheus."""
        return exposition.generate_latest(self._registry)


class CountedRequests:
    """Middleware that counts and times requests, and gives each an id, which its answer and the log have."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        scope["state"]["request_id"] = name = given if _ID.fullmatch(given) else uuid4().hex
        status, begin = "broken off", time.monotonic()

        async def with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
                message["headers"] = [*message["headers"], (b"x-request-id", name.encode())]
            await send(message)

        try:
            await self._app(scope, receive, with_id)
        finally:
            route = scope.get("route")
            path = getattr(route, "path", "other")
            self._metrics.requests.labels(path, status).inc()
            self._metrics.seconds.labels(path).observe(time.monotonic() - begin)


router = APIRouter(generate_unique_id_function=lambda route: route.name)


@router.head("/health", include_in_schema=False)
@router.get("/health", summary="Whether the server works, and on which files", response_description="It works.")
async def health(request: Request) -> Health:
    served = request.state.served
    files: list[NamedFile] = [served.facts[name] | {"name": name} for name in served.facts]
    answer: Health = {"status": "ok", "version": __version__, "models": files}
    return {**answer, "reload_failed": served.failed_at} if served.failed_at else answer


@router.head("/ready", include_in_schema=False)
@router.get("/ready", summary="Whether requests are answered at once", responses={503: {"model": Error}})
async def ready(request: Request) -> Ready:
    if not request.state.served.models:
        raise Refused(503, "the models are being loaded", {"Retry-After": "1"})
    return {"ready": True}


@router.get("/version", summary="The version of sapwood")
async def version() -> Version:
    return {"version": __version__}


@router.get("/metrics", summary="Numbers for Prometheus", response_class=Response)
async def metrics(request: Request) -> Response:
    return Response(request.state.served.metrics.written(), media_type=exposition.CONTENT_TYPE_LATEST)
