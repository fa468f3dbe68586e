"""The labels of an input, for the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sapwood.errors import tell
from sapwood.io.examples import texts_as_examples
from sapwood.io.source import plain_text
from sapwood.model.confidence import curves_of
from sapwood.model.reading import Block, Reading, example_units, without_parts
from sapwood.tasks.classifying.data import layout_of, words_of
from sapwood.tasks.classifying.fitted import FittedClassifier, said_of_unknown

_SHOWN = 5  # labels of an example that are shown with their scores


def inputs(self: FittedClassifier) -> Sequence[str]:
    """Return what can be shown: a text, where the model needs nothing else, and examples."""
    return ("text", "examples") if layout_of(self.model_).columns == ["word"] else ("examples",)


def reading(self: FittedClassifier, data: bytes, name: str, kind: str) -> Reading:
    """Return what the classifier says about a text or examples, and why."""
    layout, texts = layout_of(self.model_), [plain_text(data, name)] if kind == "text" else []
    examples = texts_as_examples(texts, name, layout) if texts else self._parsed(data, name)

    def blocks(confidence: bool) -> Iterator[Block]:
        if confidence:
            curves_of(self.model_.calibration)
        self.familiarity.check(words_of(examples), "input")
        lines, unknown = self.labelled_lines(examples, 0)
        best, _ = self.labelled_lines(examples, _SHOWN)
        if unknown:
            tell(said_of_unknown(unknown, "input"))
        yield Block(example_units(examples, best, lines, texts), lines)

    calibrated = self.model_.calibration is not None
    explain = without_parts(partial(self.reasons.of_encoded, examples))
    return Reading(("json", "labels"), blocks, explain, calibrated, lambda part: self.labels_)
