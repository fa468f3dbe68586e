"""The parts that only some models have, and the error of asking a model for one that it lacks."""

from __future__ import annotations

from typing import Any

from sapwood.errors import ModelError

_LACKING = {  # messages about a model without the part
    "reasons": "has no weights of features to explain; taggers, parsers, classifiers, rerankers and pipelines have",
    "lists": "has no n best lists; taggers, parsers and grammars have",
    "confidence": "has no confidences; taggers, parsers, classifiers and pipelines have",
    "_answers": "has no answers to report on; taggers, parsers, classifiers, rerankers, grammars and pipelines have",
    "_observed": "has no drift that could be measured; taggers, parsers, classifiers and pipelines have",
    "writer": "annotates nothing; taggers, parsers, classifiers and pipelines do",
    "recipe": "has no weights that could be dropped; taggers, parsers and the like have",
}


def require_capability(model: Any, part: str) -> Any:
    """Return a part of a fitted model. Raises ModelError if its class has no such part, and NotFittedError."""
    found = getattr(model, part)
    if found is None:
        raise ModelError(f"a {model._noun} {_LACKING[part]}")
    return found
