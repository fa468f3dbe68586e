"""The bundled pipelines beside the English one: trained again, byte for byte, scored on test data, with their cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from measure.corpora import data_folder
from measure.processes import Clock
from measure.report import Data, OnStart, Report, Row, silent
from recipes.languages.corpora import LANGUAGES
from recipes.languages.recipe import train, treebank_part, typed_names
from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.source import read_bytes
from sapwood.loading import load_as
from sapwood.metrics import chunk_scores
from sapwood.metrics.labels import table
from sapwood.model.file.bundled import FOLDER
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.tasks.tagging.data import parse_columns

_METRICS = ("Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")
_CARD = """# {code}: {title}

Sentences, tokens, words, UPOS, {xpos}FEATS, lemmas and basic dependency trees of Universal Dependencies 2{names}.

Data: {data}.
The confidences of tags, features and arcs are those of a pipeline that had not learned from the treebanks' development
part, and was calibrated on it; names have none.

Licence: {licence}, as the data ask for; sources and authors are in LICENSE.md beside this file. The code of sapwood is
under MIT.

Figures on the test part, F1 of the CoNLL-2018 shared task, by `python -m recipes.languages`:

{figures}

Limits: {limits}
Other kinds of text are analysed worse.{below} Nothing is known of what the words mean, and what the data say more often
of some people than of others, the model repeats.
"""
_POOR = 70  # LAS, below which the card warns


def run(
    data: Data = None, on_start: OnStart = silent, *, language: Sequence[str] = (), models: str | None = None
) -> Report:
    """Train the pipelines, compare them with the bundled ones, and score them on their test data.

    language : codes of those that are trained, all if there are none; models : the folder that they are written into

    Raises DataError if there are no data.
    """
    folder = data_folder(data)
    if folder is None:
        raise DataError("the pipelines are trained on real corpora; name their folder by --data")
    rows: list[Row] = []
    with TemporaryDirectory() as scratch:
        for code in language or LANGUAGES:
            on_start(LANGUAGES[code].title, "training")
            rows.append(_trained(folder, code, Path(scratch if models is None else models)))
    return Report(_text(rows), rows)


def _trained(folder: Path, code: str, models: Path) -> Row:
    """Train a pipeline, write it with its card, and return its figures."""
    with Clock() as clock:
        pipeline = train(folder, code)
    path, bundled = models / f"{code}.sap", FOLDER / f"{code}.sap"
    before = bundled.read_bytes() if bundled.exists() else None
    pipeline.save(path)
    scores = _scores(folder, code, load_as(Pipeline, path))
    carded = pipeline.model_.replaced(card=_card(code, scores))
    size = carded.save(path)
    return {"name": code, "bytes": size, "cpu_s": clock.seconds, "bundled": before == path.read_bytes(), **scores}


def _scores(folder: Path, code: str, pipeline: Pipeline) -> Row:
    """Return the scores on the test data, from raw text and from words, and those of names from words."""
    language = LANGUAGES[code]
    test = treebank_part(folder, code, "test")
    metrics = [metric for metric in _METRICS if metric != "XPOS" or language.xpos != ()]
    found: Row = {}
    for kind in ("raw text", "words given"):
        scores = pipeline.evaluate(test, tokens=kind != "raw text")
        found |= {f"{kind}, {metric}": scores[metric].f1 for metric in metrics}
    if language.test_names:
        with TemporaryDirectory() as scratch:
            [path] = typed_names(folder, code, language.test_names, set(), Path(scratch))
            gold = parse_columns(read_bytes(path), path)
        found["names, F1"] = chunk_scores(gold.column(1), _names(pipeline, gold.column(0))).f1
    return found


def _names(pipeline: Pipeline, forms: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the labels of words, which may have blanks in them."""
    lines: list[str] = []
    for sentence in forms:
        lines += [f"{number}\t{form}" + "\t_" * 8 for number, form in enumerate(sentence, 1)] + [""]
    data = _core.Conllu.read("\n".join([*lines, ""]).encode(), "names")
    labels = iter(pipeline.pipeline_.read_words(data).column("entity") or [])
    return [[next(labels) for _ in sentence] for sentence in forms]


def _card(code: str, scores: Row) -> str:
    """Return the card of a pipeline."""
    language = LANGUAGES[code]
    metrics = [metric for metric in _METRICS if f"raw text, {metric}" in scores]
    kinds = ("raw text", "words given")
    cells = [["", *metrics], *([kind, *(f"{scores[f'{kind}, {metric}']:.2f}" for metric in metrics)] for kind in kinds)]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    lines.insert(1, "|" + "---|" * len(cells[0]))
    if "names, F1" in scores:
        lines += [
            "",
            f"Names on the test part of their corpus, exact spans from given words: F1 {scores['names, F1']:.2f}.",
        ]
    las = scores["raw text, LAS"]
    return _CARD.format(
        code=code,
        title=language.title,
        xpos="" if language.xpos == () else "XPOS, ",
        names=", and names of persons, places and organisations (PER, LOC, ORG)" if language.names else "",
        data=language.treebanks
        + (f"; names of {language.names_from}, and words of public lists of names" if language.names else ""),
        licence=language.licence,
        figures="\n".join(lines),
        limits=language.limits,
        below="" if las >= _POOR else " Three of ten arcs are wrong, or more: do not rely on a single tree.",
    )


def _text(rows: Sequence[Row]) -> str:
    """Return what was measured as text."""
    cells = [["from raw text", "bytes", "CPU s", "as bundled", *_METRICS, "names"]]
    for row in rows:
        figures = [row.get(f"raw text, {metric}", "") for metric in _METRICS]
        known = "yes" if row["bundled"] else "no"
        cells.append(
            [row["name"], f"{row['bytes']:,}", f"{row['cpu_s']:.0f}", known, *figures, row.get("names, F1", "")]
        )
    return "\n".join(line.rstrip() for line in table(cells))
