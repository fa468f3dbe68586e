"""The findings of a model in texts without gold answers: the material of `sapwood drift`, the same for every task."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sapwood import _core


class Observed(NamedTuple):
    """The findings of a model in texts: in sentences, examples, or whole documents."""

    counts: list[_core.FamiliarityCounts]  # [sentences or examples] words, and those that are frequent in training
    labels: list[list[str]]  # [texts] the labels that the model gave
    text: Callable[[int, int], str]  # gives a text by its number, or of a sentence one of its words
    confidences: list[list[float]]  # [texts] the confidences in them, if the model is calibrated
