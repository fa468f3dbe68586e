"""Sentences recast as people write them in a hurry: in capitals, in small letters, or without a final mark.

Tags and trees stay as they are, so one model learns to read all three. Silver sentences are recast instead of copied:
in folds a copy would be tagged by a model that knows the sentence.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from recipes.en.typed_rows import FORM, MISC
from sapwood import _core

_HEAD = 6
_FINAL_MARKS = (".", "!", "?")

# Parts of the silver sentences, chosen on development data.
SHARES = {"capitals": 0.2, "small letters": 0.15, "no final mark": 0.15}


def recast(treebank: _core.Conllu, shares: Mapping[str, float], seed: int = 1) -> _core.Conllu:
    """Return the treebank with these parts of its sentences, drawn at random, in another writing.

    shares : capitals, small letters, no final mark: from 0 to 1 each, and in all
    """
    draw, blocks = random.Random(seed), []
    writings, weights = [*shares, ""], [*shares.values(), 1 - sum(shares.values())]
    for block in treebank.replace({}).decode().split("\n\n"):
        lines = [line for line in block.split("\n") if line]
        if lines:
            [writing] = draw.choices(writings, weights)
            blocks.append("\n".join(_recast(lines, writing)))
    return _core.Conllu.read("\n\n".join([*blocks, ""]).encode(), treebank.name)


def _recast(lines: list[str], writing: str) -> list[str]:
    """Return the lines of a sentence in a writing; its text is no longer that of a comment."""
    if not writing:
        return lines
    kept = [line for line in lines if not line.startswith("# text =")]
    rows = [line.split("\t") for line in kept]
    if writing == "no final mark":
        *before, last = rows
        words = [row for row in before if len(row) > 1]
        is_leaf = last[_HEAD] != "0" and all(row[_HEAD] != last[0] for row in words)
        in_range = any(row[0].endswith(f"-{last[0]}") for row in words)
        if words and last[FORM] in _FINAL_MARKS and is_leaf and not in_range:
            items = [item for item in words[-1][MISC].split("|") if item != "SpaceAfter=No"]
            words[-1][MISC] = "|".join(items) or "_"
            rows = before
        return ["\t".join(row) for row in rows]
    change = str.upper if writing == "capitals" else str.lower
    return ["\t".join([row[0], change(row[1]), *row[2:]]) if len(row) > 1 else row[0] for row in rows]
