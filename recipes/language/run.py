"""The classifier of languages that comes with the package: trained again, byte for byte, scored on a tenth held out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from measure.corpora import data_folder
from measure.processes import Clock
from measure.report import Data, OnStart, Report, Row, silent
from recipes.language.recipe import MOST, TREEBANKS, Sentences, sentences, texts_of, train
from sapwood.errors import DataError
from sapwood.metrics.labels import table
from sapwood.model.file.bundled import PIPELINES, model_path
from sapwood.tasks.classifying.model import Classifier
from sapwood.tasks.pipeline.languages import Languages

_OUTCOMES = ("right", "wrong", "not certain", "refused")
_CARD = """# language: which of 90 languages a text is in

A classifier of texts by the runs of up to four letters in their words, with confidences. Labels are codes of ISO
639-1, or of 639-3 where there is none:

{languages}.

Data: 113,057 sentences of 90 languages, most of treebanks of Universal Dependencies, some of parliaments, exams and
questions; eight tenths are learned from, and the confidences are calibrated on one. Also up to {most:,} sentences of
the training data of each pipeline that comes with sapwood.

Licence: CC BY-SA 4.0, as the data ask for; sources are in LICENSE.md beside this file. The code of sapwood is under
MIT.

Figures on a tenth that is neither learned from nor calibrated on, percent of sentences that get their language, by
`python -m recipes.language`:

{figures}

Limits: a sentence of 15 letters may be of several languages, and a text of names, numbers or code of none. It knows 90
languages, and gives one of them to a text of any other. It takes Norwegian and Danish, Croatian and Serbian, Cantonese
and Chinese for each other most often; Serbian was learned in Latin letters, Faroese from the Bible.
"""


def run(data: Data = None, on_start: OnStart = silent, *, model: str | None = None) -> Report:
    """Train the classifier, compare it with the bundled one, and score it on the test part, and the choice by it.

    model : where the classifier, trained again, is written

    Raises DataError if there are no data.
    """
    folder = data_folder(data)
    if folder is None:
        raise DataError("the classifier is trained on real sentences; name their folder by --data")
    on_start("language", "training")
    with Clock() as clock:
        parts = sentences(folder)
        classifier = train(parts)
    scores = _scores(classifier, parts)
    carded = classifier.model_.replaced(card=_card(classifier, scores))
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "language.sap" if model is None else Path(model)
        size, bundled = carded.save(path), Path(model_path("language"))
        same = bundled.exists() and bundled.read_bytes() == path.read_bytes()
    rows: list[Row] = [{"name": "language", "bytes": size, "cpu_s": clock.seconds, "bundled": same, **scores}]
    text = _text(rows)
    on_start("language", "documents")
    chosen = _chosen(folder, parts)
    return Report(f"{text}\n\n{_text(chosen)}", rows + chosen)


def _chosen(folder: Path, data: Sentences) -> list[Row]:
    """Return how the bundled choice of a pipeline fares with documents of three sentences, and with test sentences."""
    texts = {code: [(text, code) for text in _documents(folder, code)] for code in PIPELINES}
    ours = [(text, code) for text, code in zip(*data["test"], strict=True) if code in PIPELINES]
    texts["sentences, 60 characters and more"] = [each for each in ours if len(each[0]) >= 60]
    texts["sentences, 20 to 59"] = [each for each in ours if 20 <= len(each[0]) < 60]
    choice, rows = Languages.bundled(), list[Row]()
    for name, given in texts.items():
        found = Counter(_outcome(choice, *each) for each in given)
        rows.append({"name": name, "texts": len(given), **{outcome: found[outcome] for outcome in _OUTCOMES}})
    return rows


def _documents(folder: Path, code: str) -> list[str]:
    """Return the sentences of a language's test treebank, three in a line each."""
    found = texts_of(folder, TREEBANKS[code].replace("-train.", "-test."))
    return [" ".join(found[first : first + 3]) for first in range(0, len(found), 3)]


def _outcome(choice: Languages, text: str, code: str) -> str:
    """Return the outcome of the choice for a text of a language."""
    try:
        found, _ = choice.told(text, "text")
    except DataError:
        return "refused"
    return "not certain" if not found else "right" if found == code else "wrong"


def _text(rows: list[Row]) -> str:
    """Return rows as text."""
    values = [[f"{value:.2f}" if isinstance(value, float) else str(value) for value in row.values()] for row in rows]
    return "\n".join(table([[*rows[0]], *values]))


def _scores(classifier: Classifier, data: Sentences) -> Row:
    """Return the percentage of sentences of the test part that get their language, of all and of some."""
    texts, gold = data["test"]
    guesses = classifier.predict(texts)
    answers = [(len(text), code, code == guess) for text, code, guess in zip(texts, gold, guesses, strict=True)]
    ours = [(length, right) for length, code, right in answers if code in PIPELINES]
    return {
        "all": _percent([right for _, _, right in answers]),
        "bundled, 60 characters and more": _percent([right for length, right in ours if length >= 60]),
        "bundled, 20 to 59": _percent([right for length, right in ours if 20 <= length < 60]),
    }


def _percent(right: list[bool]) -> float:
    return 100 * sum(right) / max(len(right), 1)


def _card(classifier: Classifier, scores: Row) -> str:
    """Return the card of the classifier."""
    names = [
        "all languages",
        "those of the bundled pipelines, sentences of 60 characters and more",
        "the same, 20 to 59",
    ]
    figures = [f"| {name} | {score:.2f} |" for name, score in zip(names, scores.values(), strict=True)]
    lines = ["| sentences | right |", "|---|---|", *figures]
    return _CARD.format(languages=", ".join(classifier.labels_), most=MOST, figures="\n".join(lines))
