"""The language of a text, as the bundled classifier of languages proposes it."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

from sapwood.errors import ModelError
from sapwood.model.file.bundled import LANGUAGE
from sapwood.model.load import load_model

LETTERS = 4096  # at the beginning of a text, by which its language is told
FEWEST = 20  # letters; fewer do not tell it
SURE = 0.97  # confidence, from which on a language is not doubted


def beginning(text: str) -> str:
    """Return the text up to the last of the letters that tell its language."""
    ends = (end for end, character in enumerate(text, 1) if character.isalpha())
    return text[: next(islice(ends, LETTERS - 1, None), len(text))]


def has_letters(text: str) -> bool:
    """Return true if a text has enough letters to tell its language."""
    return sum(map(str.isalpha, text)) >= FEWEST


def proposed(text: str) -> list[tuple[str, float]]:
    """Return the codes of the languages that are most probable, the best first, with confidences. Raises ModelError."""
    [found] = _classifier().n_best([text], 4)
    best: list[tuple[str, float]] = found
    return best


def recognised(text: str) -> str:
    """Return the code of the language of a text; empty if it is not sure, or this copy has no classifier."""
    start = beginning(text)
    if not has_letters(start):
        return ""
    try:
        (code, confidence), *_ = proposed(start)
    except ModelError:
        return ""
    return code if confidence >= SURE else ""


@cache
def _classifier() -> Any:
    return load_model(LANGUAGE)
