"""The language of a text, as the bundled classifier of languages proposes it."""

from functools import cache
from heapq import nlargest
from itertools import islice

import sapwood._core as _core
from sapwood.errors import ModelError
from sapwood.model.file.bundled import LANGUAGE, path_to_load
from sapwood.model.file.schema import ModelFile

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


class _Recogniser:
    """The bundled classifier without what a `Classifier` has beside its answers."""

    def __init__(self, file: ModelFile) -> None:
        if file.calibration is None:
            raise ModelError(f"{LANGUAGE}: it has no confidences")
        self.labels = file.labels
        self._features, self._core = _core.DocumentFeatures(file), _core.Classifier.of_model(file)
        method, curves = file.calibration["method"], file.calibration["curves"]
        self._calibration = _core.Calibration(method, curves, len(file.labels), False)

    def confidences(self, text: str) -> list[float]:
        rows = self._features.rows(_core.Documents.build([(text, None, None, [], 1)], 1, 0, "text"))
        [found] = self._calibration.apply(self._core.scores(rows, 1).tolist())
        return found


def proposed(text: str) -> list[tuple[str, float]]:
    """Return the codes of the languages that are most probable, the best first, with confidences. Raises ModelError."""
    recogniser = _recogniser()
    return nlargest(4, zip(recogniser.labels, recogniser.confidences(text), strict=True), key=lambda each: each[1])


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
def _recogniser() -> _Recogniser:
    return _Recogniser(ModelFile.load(path_to_load(LANGUAGE)))
