"""The English pipeline that comes with the package: trained again, byte for byte, and measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from measure.corpora import data_folder
from measure.processes import Clock
from measure.report import Data, OnStart, Report, Row, silent
from recipes.en.recast import SHARES, recast
from recipes.en.recipe import corpus, train, treebank
from sapwood.errors import DataError, ModelError
from sapwood.events import Preparing
from sapwood.io.entities import read_entities
from sapwood.loading import load_as
from sapwood.metrics import chunk_scores
from sapwood.metrics.labels import table
from sapwood.model.file.bundled import model_path
from sapwood.tasks.pipeline.model import Pipeline

_METRICS = ("Tokens", "Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "MLAS", "BLEX")
_CORPORA = {"EWT": "ewt/en_ewt-ud", "GUM": "gum/en_gum_open-ud"}


def run(data: Data = None, on_start: OnStart = silent, *, model: str | None = None) -> Report:
    """Train the pipeline, compare it with the bundled one, and score it.

    It is scored on the development parts of EWT and GUM, and on their test parts.

    model : where the pipeline, trained again, is written

    Raises DataError if there are no data.
    """
    folder = data_folder(data)
    if folder is None:
        raise DataError("the English pipeline is trained on real corpora; name their folder by --data")

    def report(event: object) -> None:
        if isinstance(event, Preparing) and event.share == 0.0:
            on_start("English", event.what)

    with Clock() as clock:
        trained = train(folder, report)
    training: Row = {"name": "training", "cpu_s": clock.seconds}
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "en.sap" if model is None else Path(model)
        training |= {"bytes": trained.save(path), "bundled": _is_bundled(path)}
        pipeline = load_as(Pipeline, path)
    rows = [training, _developed(folder, pipeline, on_start), *_tested(folder, pipeline, on_start)]
    for name, part in pipeline.model_.parts.items():
        tables = [info.packed for info in part.tables]
        rows.append(
            {"name": name, "features": sum(t.features for t in tables), "weights": sum(t.weights for t in tables)}
        )
    return Report(_text(rows), rows)


def _developed(folder: Path, pipeline: Pipeline, on_start: OnStart) -> Row:
    """Return the scores on development data, by which the options of the recipe were chosen."""
    on_start("English", "development data")
    row: Row = {"name": "development data, raw text"}
    for title, place in _CORPORA.items():
        scores = pipeline.evaluate(treebank(folder, f"{place}-dev"))
        row |= {f"{title} {metric}": scores[metric].f1 for metric in ("UPOS", "LAS")}
    return row | {"EWT names": _names(folder, pipeline, "dev")}


def _tested(folder: Path, pipeline: Pipeline, on_start: OnStart) -> list[Row]:
    """Return the scores on test data: from raw text, from words, and from words that are recast; and those of names."""
    rows: list[Row] = []
    for title, place in _CORPORA.items():
        test = treebank(folder, f"{place}-test")
        kinds = {"raw text": test, "words given": test}
        kinds |= {f"words given, {kind}": recast(test, {kind: 1.0}) for kind in SHARES}
        for kind, data in kinds.items():
            on_start("English", f"{title}, {kind}")
            scores = pipeline.evaluate(data, tokens=kind != "raw text")
            rows.append({"name": f"{title}, {kind}", **{metric: scores[metric].f1 for metric in _METRICS}})
    return [*rows, {"name": "EWT, names, words given", "F1": _names(folder, pipeline, "test")}]


def _text(rows: Sequence[Row]) -> str:
    """Return what was measured as text: training, sizes, scores, names, parts."""
    training = rows[0]
    same = "the same bytes as" if training["bundled"] else "other bytes than"
    lines = [f"{training['bytes']:,} bytes, {training['cpu_s']:.0f} CPU seconds of training; {same} the bundled model"]
    developed = ", ".join(f"{key} {value:.2f}" for key, value in rows[1].items() if key != "name")
    lines += ["", f"{rows[1]['name']}: {developed}", ""]
    cells = [["test data", *_METRICS]]
    cells += [[row["name"], *(row[metric] for metric in _METRICS)] for row in rows if "Tokens" in row]
    lines += [*(line.rstrip() for line in table(cells)), ""]
    lines += [f"{row['name']}: F1 of exact spans {row['F1']:.2f}" for row in rows if "F1" in row]
    cells = [["part", "features", "weights"]]
    cells += [[row["name"], row["features"], row["weights"]] for row in rows if "weights" in row]
    lines += ["", *(line.rstrip() for line in table(cells))]
    return "\n".join(lines)


def _is_bundled(path: Path) -> bool:
    try:
        bundled = Path(model_path("en"))
    except ModelError:  # there is none in this copy
        return False
    return path.read_bytes() == bundled.read_bytes()


def _names(folder: Path, pipeline: Pipeline, part: str) -> float:
    """Return the F1 of names in a part of EWT, dev or test, from its words."""
    data = treebank(folder, f"ewt/en_ewt-ud-{part}")
    gold = read_entities(data, [corpus(folder, f"ewt_names/en_ewt-ner-{part}.iob2")])
    assert gold is not None
    labels = iter(pipeline.pipeline_.read_words(data).column("entity") or [])
    guess = [[next(labels) for _ in sentence] for sentence in data.column("form")]
    known = [(g, p) for g, p in zip(gold.of_treebank, guess, strict=True) if g is not None]
    return chunk_scores([g for g, _ in known], [p for _, p in known]).f1
