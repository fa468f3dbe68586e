"""The recipe of the bundled classifier of languages, byte for byte.

A sentence's hash says which part of the data it is in: eight tenths are learned from, one is for the choice of options
and the calibration, one for the score. Sentences of the bundled pipelines' training data are learned from as well, but
for those of the two tenths.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from recipes.en.recipe import corpus
from sapwood.events import Callback
from sapwood.io.source import read_bytes
from sapwood.model.file.bundled import PIPELINES
from sapwood.model.small import Goal
from sapwood.options import Values
from sapwood.tasks.classifying.model import Classifier

MOST = 4000  # sentences of the training data of each pipeline, at most
_BYTES = 147_500  # of the model without its card
_OPTIONS: Values = {
    "template": "U:bias\nA1:%CHARS[0,0,1]\nA2:%CHARS[0,0,2]\nA3:%CHARS[0,0,3]\nA4:%CHARS[0,0,4]\n",
    "false_matches": 0.01,
    "runs": 3,
}
_TEXT = "# text = "  # a sentence in CoNLL-U
_LETTERS = 10  # of a sentence, at least
_TENTHS = ("test", "dev")  # the first two; training has the others
TREEBANKS = {code: f"languages/{code}/{code}-train.conllu" for code in PIPELINES} | {"en": "ewt/en_ewt-ud-train.conllu"}

Sentences = dict[str, tuple[list[str], list[str]]]  # part -> texts and the codes of their languages


def sentences(folder: Path) -> Sentences:
    """Return the sentences of each part. Raises DataError if a file is missing."""
    lines = read_bytes(corpus(folder, "languages/sentences.tsv")).decode().splitlines()
    found: list[tuple[str, str]] = [(text, code) for code, _, text in (line.partition("\t") for line in lines)]
    known = {text for text, _ in found}
    for code, name in TREEBANKS.items():
        others = [
            text
            for text in dict.fromkeys(texts_of(folder, name))
            if text not in known and sum(map(str.isalpha, text)) >= _LETTERS
        ]
        found += [(text, code) for text in sorted(others, key=_hash)[:MOST]]
    parts: Sentences = {part: ([], []) for part in ("train", *_TENTHS)}
    for text, code in found:
        tenth = _hash(text) % 10 if text in known else len(_TENTHS)
        texts_of_part, codes = parts[_TENTHS[tenth] if tenth < len(_TENTHS) else "train"]
        texts_of_part.append(text)
        codes.append(code)
    return parts


def texts_of(folder: Path, treebank: str) -> list[str]:
    """Return the sentences of a treebank, as its `# text` has them. Raises DataError if the file is missing."""
    lines = read_bytes(corpus(folder, treebank)).decode().splitlines()
    return [line.removeprefix(_TEXT).strip() for line in lines if line.startswith(_TEXT)]


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def train(data: Sentences, on_event: Callback | None = None) -> Classifier:
    """Train the classifier, make it small and calibrate it."""
    goal = Goal(_BYTES, levels="uneven", retrain=False)
    untrained = Classifier(**_OPTIONS)
    run = untrained._run({"on_event": on_event}, goal)
    classifier = untrained._learn(run, *data["train"])
    classifier.model_.provenance.pop("label_counts")  # the bundled file is from before they were kept
    return classifier.calibrate(*data["dev"])
