"""Drift for programs: whether texts are like others, or like a model's training data, without gold answers."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from sapwood.explain.drift import drift
from sapwood.web import schemas, told
from sapwood.web.api import router_within
from sapwood.web.inputs import records_of
from sapwood.web.limits import Limits, Refused
from sapwood.web.models import Served
from sapwood.web.responses import as_json


def drifting(limits: Limits) -> APIRouter:
    """Return the path for drift."""
    router = router_within(limits)

    @router.post(
        "/drift",
        summary="Compare new texts with old ones, or with the training data",
        response_model=told.Drift,
        response_description="What `sapwood drift --json` writes.",
        responses=schemas.ERRORS,
    )
    async def measure(request: Request, asked: schemas.Shift) -> Response:
        served = Served.at(request)
        model, name = served.model(asked.model), asked.model or served.names[0]
        if "text" not in records_of(model).inputs or model._observed is None:
            raise Refused(
                422, f"{name} is a {model._noun}; drift is measured here for classifiers and pipelines of texts"
            )
        async with served.gate.entered():
            report = await served.gate.run(lambda: drift(model, asked.texts, asked.old))
        return as_json({"model": name, **report.as_dict()})

    return router
