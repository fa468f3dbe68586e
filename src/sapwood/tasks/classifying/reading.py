"""The labels of an input, for the page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sapwood.errors import tell
from sapwood.io.examples import texts_as_examples
from sapwood.io.source import plain_text
from sapwood.model.familiarity import Familiarity
from sapwood.model.reading import Block, Reading, example_units, without_parts
from sapwood.tasks.classifying.data import layout_of, words_of
from sapwood.tasks.classifying.reasons import LabelReasons
from sapwood.tasks.classifying.scorer import Scorer, unknown_examples
from sapwood.tasks.classifying.writer import LabelWriter

_SHOWN = 5  # labels of an example that are shown with their scores


def label_reading(
    data: bytes,
    name: str,
    kind: str,
    *,
    scorer: Scorer,
    writer: LabelWriter,
    reasons: LabelReasons,
    familiarity: Familiarity,
) -> Reading:
    """Return the labels of a text or of examples, with their reasons."""
    layout, texts = layout_of(scorer.file), [plain_text(data, name)] if kind == "text" else []
    examples = texts_as_examples(texts, name, layout) if texts else writer.parsed(data, name)

    def blocks(confidence: bool) -> Iterator[Block]:
        if confidence:
            scorer.confidence.check()
        familiarity.check(words_of(examples), "input")
        lines, unknown = scorer.lines(examples, 1, 0)
        best, _ = scorer.lines(examples, 1, _SHOWN)
        if unknown:
            tell(unknown_examples(unknown, "input"))
        yield Block(example_units(examples, best, lines, texts), lines)

    explain = without_parts(partial(reasons.of_examples, examples))
    return Reading(("json", "labels"), blocks, explain, scorer.confidence.calibrated, lambda part: scorer.file.labels)
