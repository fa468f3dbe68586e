"""The description of the API, in OpenAPI 3.1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sapwood
from sapwood.web.limits import Limits

_Schema = dict[str, Any]

_TEXT: _Schema = {"type": "string"}
_NUMBER: _Schema = {"type": "number"}
_COUNT: _Schema = {"type": "integer", "minimum": 1}


def description(models: Sequence[str], inputs: Sequence[str], limits: Limits) -> _Schema:
    """Return the description of a server with these models, the first of which is the usual one."""
    asked = {
        "model": {"type": "string", "enum": list(models), "default": models[0]},
        "input": {
            "type": "string",
            "enum": ["auto", *inputs],
            "default": "auto",
            "description": "What the text is; auto is CoNLL-U if it looks so, otherwise what the model usually reads.",
        },
    }
    sure: _Schema = {"type": "boolean", "default": False}
    sure["description"] = "Say how sure the model is; it must be calibrated."
    text = {"type": "string", "description": f"The whole request has {limits.bytes:,} bytes at most."}
    one: _Schema = {"type": "object", "required": ["text"], "additionalProperties": False}
    one["properties"] = {"text": text, **asked, "confidence": sure}
    batch: _Schema = {"type": "object", "required": ["texts"], "additionalProperties": False}
    batch["properties"] = {"texts": {"type": "array", "items": _TEXT, "maxItems": limits.texts}}
    batch["properties"] |= {**asked, "confidence": sure}
    place: _Schema = {
        "sentence": _COUNT | {"description": "Explain this sentence or example only, counted from 1."},
        "token": _COUNT | {"description": "Explain this token only, counted from 1."},
        "part": _TEXT | {"description": "Of a pipeline: explain this part only."},
        "against": _TEXT | {"description": "Compare with this answer, not with the second best."},
        "why_not": _TEXT | {"description": "The same, and say without which features it would be this answer."},
        "top": {"type": "integer", "minimum": 0, "description": "Features of each explanation; without, all."},
    }
    question: _Schema = {"type": "object", "required": ["text"], "additionalProperties": False}
    question["properties"] = {"text": text, **asked, **place}
    parameters = [
        {"name": name, "in": "query", "schema": schema, "description": "Of a stream of lines."}
        for name, schema in {**asked, "confidence": sure}.items()
    ]
    document, documents = _ref("Document"), _ref("Documents")
    annotate = {
        "summary": "Analyse a text, a batch of texts, or a stream of lines",
        "operationId": "annotate",
        "parameters": parameters,
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": {"oneOf": [_ref("Text"), _ref("Batch")]}},
                "application/x-ndjson": {
                    "schema": {"type": "string", "description": 'Lines such as {"text": "..."}, without end.'}
                },
            },
        },
        "responses": {
            "200": {
                "description": "The analysis; for a stream a Document or an Error for each line, in their order.",
                "content": {
                    "application/json": {"schema": {"oneOf": [document, documents]}},
                    "application/x-ndjson": {"schema": _TEXT},
                },
            },
            **_errors(),
        },
    }
    explain = {
        "summary": "Say why a model decided as it did",
        "operationId": "explain",
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref("Question")}}},
        "responses": {"200": _answer("The explanations.", _ref("Explanations")), **_errors()},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "sapwood",
            "version": sapwood.__version__,
            "summary": "Sentences, tags, trees and names from small linear models, with reasons",
        },
        "servers": [{"url": "."}],
        "paths": {
            "/annotate": {"post": annotate},
            "/explain": {"post": explain},
            "/health": {"get": _get("health", "Whether the server works", _ref("Health"))},
            "/models": {"get": _get("models", "The models that are served", _ref("Models"))},
        },
        "components": {"schemas": {"Text": one, "Batch": batch, "Question": question, **_ANSWERS}},
    }


def _ref(name: str) -> _Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _answer(what: str, schema: _Schema) -> _Schema:
    return {"description": what, "content": {"application/json": {"schema": schema}}}


def _get(name: str, summary: str, schema: _Schema) -> _Schema:
    return {"summary": summary, "operationId": name, "responses": {"200": _answer(f"{summary}.", schema)}}


def _errors() -> _Schema:
    meanings = {
        "400": "The request cannot be understood, or the text is not what the model reads.",
        "404": "There is no such model.",
        "408": "The request came too slowly.",
        "413": "The request is too large.",
        "415": "The request is of a wrong media type.",
        "422": "The model cannot do this.",
        "429": "Too much is waiting; try again after the seconds in Retry-After.",
        "503": "It took too long.",
    }
    return {status: _answer(meaning, _ref("Error")) for status, meaning in meanings.items()}


def _object(required: Sequence[str], **properties: _Schema) -> _Schema:
    return {"type": "object", "required": list(required), "properties": properties}


def _list(items: _Schema) -> _Schema:
    return {"type": "array", "items": items}


_ANSWERS: _Schema = {
    "Token": _object(
        ["id", "text"],
        id=_COUNT,
        text=_TEXT,
        lemma=_TEXT,
        upos=_TEXT,
        xpos=_TEXT,
        feats=_TEXT,
        head={"type": "integer", "minimum": 0, "description": "The id of the head; 0 is the root."},
        deprel=_TEXT,
        entity=_TEXT | {"description": "In BIO: B-PER begins a name, O is outside."},
        label=_TEXT | {"description": "What a tagger says."},
        confidence=_object([]) | {"additionalProperties": _NUMBER, "description": "From 0 to 1, by what is decided."},
        start={"type": "integer", "description": "Where the token begins in the text, in characters."},
        end={"type": "integer"},
    ),
    "Sentence": _object(
        ["text"],
        text=_TEXT,
        start={"type": "integer"},
        tokens=_list(_ref("Token")),
        label=_TEXT | {"description": "Of an example: what a classifier says."},
        best=_list(_object(["label", "score"], label=_TEXT, score=_NUMBER)),
    ),
    "Document": _object(["sentences"], model=_TEXT, sentences=_list(_ref("Sentence"))),
    "Documents": _object(["documents"], model=_TEXT, documents=_list({"oneOf": [_ref("Document"), _ref("Error")]})),
    "Feature": _object(
        ["text", "label", "value", "weight", "contribution"],
        text=_TEXT,
        label=_TEXT,
        value=_NUMBER,
        weight=_NUMBER,
        contribution=_NUMBER,
    ),
    "Explanation": _object(
        ["sentence", "token", "word", "decision", "chosen", "against", "margin", "features", "flip"],
        sentence=_COUNT,
        token=_COUNT,
        word=_TEXT,
        decision=_TEXT,
        chosen=_TEXT,
        against={"type": ["string", "null"]},
        margin=_NUMBER,
        scale=_NUMBER,
        features=_list(_ref("Feature")),
        flip={"oneOf": [{"type": "null"}, _object(["to", "features"], to=_TEXT, features=_list(_TEXT))]},
        part=_TEXT,
    ),
    "Explanations": _object(["model", "explanations"], model=_TEXT, explanations=_list(_ref("Explanation"))),
    "Health": _object(["status", "version"], status=_TEXT, version=_TEXT),
    "Models": _object(
        ["models"],
        models=_list(
            _object(["name", "task", "learned", "inputs"], name=_TEXT, task=_TEXT, learned=_TEXT, inputs=_list(_TEXT))
        ),
    ),
    "Error": _object(["error"], error=_TEXT),
}
