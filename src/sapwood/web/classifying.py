"""Paths about whole texts for programs: the labels of texts or records with reasons, and drift without gold answers."""

import json
from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from sapwood.explain.drift import drift
from sapwood.model.base import with_listener
from sapwood.model.records import INPUT
from sapwood.tasks.classifying.data import layout_of
from sapwood.tasks.classifying.model import Classifier
from sapwood.web import schemas, told
from sapwood.web.api import router_within
from sapwood.web.inputs import records_of
from sapwood.web.limits import Limits, Refused
from sapwood.web.log import Failures, in_words_of_request
from sapwood.web.models import Clock, Served
from sapwood.web.operating import Metrics
from sapwood.web.responses import FAULTS, as_json, failure


def classifying(limits: Limits) -> APIRouter:
    """Return the path for classifiers."""
    router = router_within(limits)

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
        if len(records) > limits.texts:
            raise Refused(413, f"a batch has {limits.texts:,} texts at most; more go line by line to /annotate/lines")
        async with served.gate.entered():
            with Failures(request.scope) as failures:
                answers = Clock(limits.seconds).within(_answers(model, records, asked.reasons, failures))
                found = await served.gate.run(lambda: list(answers))
        count(served.metrics, name, found)
        return as_json({"model": name, "answers": found})

    return router


def _answers(
    model: Classifier, records: list[dict[str, Any]], reasons: bool, failures: Failures
) -> Iterator[dict[str, Any]]:
    """Yield the answer about each record, or the error of one that cannot be answered."""
    for number, record in enumerate(records, 1):
        first = {"id": record["id"]} if isinstance(record.get("id"), str | int | float) else {}
        warnings: list[str] = []
        listening = with_listener(model, warnings.append)
        try:
            line = json.dumps(record, ensure_ascii=False).encode()
            [answer] = listening.writer.answers(line, INPUT, "jsonl", reasons=reasons)
        except FAULTS as error:
            yield first | failure(failures, f"text {number}", error)
            continue
        yield first | answer | ({"warnings": [*map(in_words_of_request, warnings)]} if warnings else {})


def count(metrics: Metrics, name: str, answers: list[dict[str, Any]]) -> None:
    """Count the labels and the confidences of a model's answers, and the texts of which it warned."""
    for answer in answers:
        given = answer.get("label")
        for label in given if isinstance(given, list) else [given] if given is not None else []:
            metrics.labels.labels(name, label).inc()
        if answer.get("confidence") is not None:
            metrics.confidence.labels(name).observe(answer["confidence"])
        if "warnings" in answer:
            metrics.warned.labels(name).inc()


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
