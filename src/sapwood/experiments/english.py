"""The English pipeline that comes with the package: trained again, byte for byte, and measured beside a larger one.

The larger one shows what the same data give in twice the bytes. Features that took part in few updates are left out of
it, and very small weights of tags and names.

Learned from UD English EWT, the openly licensed part of UD English GUM, short sentences (short_sentences.py), the names
of Universal NER for EWT, WikiGold and the Broad Twitter Corpus, Brown clusters and the lexicon of LemmInflect. GUM's
morphological features follow other conventions than EWT's in places, so they are replaced by those that a tagger
learned from EWT gives to GUM's tags.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from sapwood import _core
from sapwood.datasets.corpora import corpus_files, data_folder
from sapwood.errors import DataError, ModelError
from sapwood.events import Callback, Preparing
from sapwood.experiments import Data, OnStart, Report, Row, silent
from sapwood.experiments.short_sentences import short_clauses, without_subscripts, written_sentences
from sapwood.experiments.typed_rows import Text, in_conllu
from sapwood.experiments.typed_sentences import Typed, with_apostrophes
from sapwood.io.conllu import read_treebank
from sapwood.io.entities import read_entities
from sapwood.io.lexicons import read_lemma_lexicon, word_frequencies
from sapwood.metrics import chunk_scores
from sapwood.metrics.labels import table
from sapwood.model.file.bundled import FOLDER, model_path
from sapwood.model.load import load_as
from sapwood.model.small import Goal
from sapwood.options import Values
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.templates import find_template

_OPTIONS: dict[str, dict[str, dict[str, float | Goal]]] = {  # of the models of each pipeline
    "large": {
        "tagger": {"min_updates": 10, "drop_below": 0.012},
        "morphology": {"min_updates": 5},
        "parser": {"min_updates": 13},
        "entities": {"min_updates": 10, "drop_below": 0.01, "gamma": 60.0},
    },
    "bundled": {  # max_bytes, small: of each model as a file of its own, with clusters and lexicon
        "segmenter": {"epochs": 6, "runs": 8, "max_bytes": 130_000, "seed": 3},
        "tagger": {"runs": 8, "min_updates": 10, "small": Goal(615_000, levels="uneven", retrain=False)},
        "morphology": {"min_updates": 5, "max_bytes": 75_000},
        "lemmatizer": {"min_words": 1, "max_bytes": 400_000},
        "parser": {
            "epochs": 14,
            "runs": 3,
            "min_updates": 20,
            "false_matches": 0.01,
            "small": Goal(740_000, levels="uneven", retrain=False),
        },
        "entities": {"min_updates": 12, "small": Goal(292_000, levels="uneven", retrain=False)},
    },
}
# Whether what is before a place is an abbreviation (abbreviations.txt)
_ABBREVIATIONS = """
U60:%x[0,gap]/%in[0,head,"abbreviations.txt"]/%suffix[0,head,1]/%shape[0,tail]
U61:%x[0,gap]/%in[0,head,"abbreviations.txt"]/%suffix[0,head,1]/%prefix[0,tail,1]
U62:%x[0,gap]/%in[0,head,"abbreviations.txt"]/%shape[0,head]/%shape[0,tail]
"""
# Whether it is a title, what stands before a number, or a shortened word, in any case (typed/)
_TYPED = """
U63:%x[0,gap]/%IN[0,head,"typed/titles.txt"]/%shape[0,tail]
U64:%x[0,gap]/%IN[0,head,"typed/reference.txt"]/%shape[0,tail]
U65:%x[0,gap]/%IN[0,head,"typed/shortened.txt"]/%shape[0,tail]
U66:%x[0,gap]/%IN[0,head,"typed/reference.txt"]/%IN[0,head,"typed/titles.txt"]/%IN[0,head,"typed/shortened.txt"]/%suffix[0,head,1]
"""
_METRICS = ("Tokens", "Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "MLAS", "BLEX")
_HERE = Path(__file__).parent


def train(folder: Path, on_event: Callback | None = None, *, size: str = "bundled") -> Pipeline:
    """Train a pipeline on the corpora of a folder, and calibrate it on EWT's held-out sentences.

    size : bundled, or large. Raises DataError if a corpus is missing.
    """
    ewt, gum = (_treebank(folder, f"{name}-ud-train") for name in ("ewt/en_ewt", "gum/en_gum_open"))
    data = _core.Conllu.read(ewt.replace({}) + _with_features_of(ewt, gum), "EWT and GUM")
    names = [_file(folder, "ewt_names/en_ewt-ner-train.iob2"), _file(folder, "names/wikigold.conll.txt")]
    names += [_file(folder, f"names/btc/{part}.conll") for part in "abefgh"]
    pipeline = Pipeline(
        clusters=_file(folder, "clusters/en-brown-1000.tsv"),
        lexicon=_file(folder, "lexicon/lemminflect-lemmas.csv"),
        names=[os.fspath(name) for name in names],
        card=FOLDER / "en.md",
    )
    options: dict[str, Values] = dict(_OPTIONS[size])
    segmenter = {"template": find_template("segment").text + _ABBREVIATIONS + _TYPED, "word_lists": os.fspath(_HERE)}
    options["segmenter"] = segmenter | options.get("segmenter", {})
    pipeline.fit(data, model_options=options, model_data=_own_data(folder, ewt, gum, data), on_event=on_event)
    dev_names = _file(folder, "ewt_names/en_ewt-ner-dev.iob2")
    return pipeline.calibrate(_treebank(folder, "ewt/en_ewt-ud-dev"), names=[os.fspath(dev_names)])


def _own_data(folder: Path, ewt: _core.Conllu, gum: _core.Conllu, data: _core.Conllu) -> dict[str, _core.Conllu]:
    """Return what single models learn from: the treebanks, with short sentences and English as people type it."""
    short, plain = written_sentences(), ewt.replace({}) + without_subscripts(gum).replace({})
    typed = Typed(_core.Conllu.read(plain, "EWT and GUM"), seed=2)  # seeds were chosen on development data, too
    layout = in_conllu(typed.layout(150))

    def words(clitics: int, templates: int, contracted: int) -> list[Text]:
        return [*typed.clitics(clitics), *typed.templates(templates), *typed.contracted(contracted)]

    many = in_conllu(words(300, 6, 50))
    some = in_conllu(words(60, 2, 60))  # more cost the tagger accuracy elsewhere
    few_capitals = in_conllu(typed.capitals(150, names=True))
    capitals = in_conllu(typed.capitals(500, names=False))
    entries = read_lemma_lexicon(_file(folder, "lexicon/lemminflect-lemmas.csv"))
    frequencies = word_frequencies(_file(folder, "clusters/en-brown-1000.tsv"))
    irregular, common = (in_conllu(typed.lexicon(entries, frequencies, most)) for most in (1000, 100))
    all_words = data.replace({})
    own = {
        "segmenter": 2 * plain + 3 * short + layout + many,
        "splitter": with_apostrophes(data) + many,
        "tagger": all_words + 2 * short + short_clauses(data) + some + few_capitals + common,
        "lemmatizer": all_words + many + capitals + irregular,
    }
    return {model: _core.Conllu.read(text, f"EWT, GUM and what the {model} needs") for model, text in own.items()}


def run(
    data: Data = None,
    on_start: OnStart = silent,
    *,
    model: str | None = None,
    only: str | None = None,
) -> Report:
    """Train both pipelines, compare the small one with the bundled one, and score them on the test sets of EWT and GUM.

    model : where the bundled pipeline, trained again, is written, or the large one if it alone is trained
    only : bundled or large, to train and score this one alone

    Raises DataError if there are no data.
    """
    folder = data_folder(data)
    if folder is None:
        raise DataError("the English pipeline is trained on real corpora; name their folder by --data")
    sizes = list(_OPTIONS) if only is None else [only]
    rows = [
        row
        for size in sizes
        for row in _measured(folder, size, model if size == (only or "bundled") else None, on_start)
    ]
    return Report(_text(rows), rows)


def _measured(folder: Path, size: str, file: str | None, on_start: OnStart) -> list[Row]:
    """Train a pipeline and score it: rows of its training, its scores, its names and its parts."""
    before = time.process_time()

    def report(event: object) -> None:
        if isinstance(event, Preparing) and event.share == 0.0:
            on_start(f"English, {size}", event.what)

    trained = train(folder, report, size=size)
    seconds = time.process_time() - before
    with TemporaryDirectory() as scratch:
        path = Path(file) if file is not None else Path(scratch) / "en.sap"
        training: Row = {"name": "training", "cpu_s": seconds, "bytes": trained.save(path)}
        if size == "bundled":
            training["bundled"] = _is_bundled(path)
        pipeline = load_as(Pipeline, path)
    rows = [training]
    for corpus, title in (("ewt/en_ewt", "EWT"), ("gum/en_gum_open", "GUM")):
        treebank = _treebank(folder, f"{corpus}-ud-test")
        for tokens in (False, True):
            name = f"{title}, {'words given' if tokens else 'raw text'}"
            on_start(f"English, {size}", name)
            scores = pipeline.evaluate(treebank, tokens=tokens)
            rows.append({"name": name, **{metric: scores[metric].f1 for metric in _METRICS}})
    rows.append({"name": "EWT, names, words given", "F1": _names(folder, pipeline)})
    for name, part in pipeline.model_.parts.items():
        tables = [info.packed for info in part.tables]
        rows.append(
            {"name": name, "features": sum(t.features for t in tables), "weights": sum(t.weights for t in tables)}
        )
    return [{"pipeline": size, **row} for row in rows]


def _text(rows: Sequence[Row]) -> str:
    """Return what was measured as text: training, scores of both pipelines below each other, names, parts."""
    lines = []
    for row in rows:
        if row["name"] == "training":
            line = f"{row['pipeline']}: {row['bytes']:,} bytes, {row['cpu_s']:.0f} CPU seconds of training"
            if "bundled" in row:
                line += f"; {'the same bytes as' if row['bundled'] else 'other bytes than'} the bundled model"
            lines.append(line)
    scores = [row for row in rows if "LAS" in row]
    names = dict.fromkeys(str(row["name"]) for row in scores)
    cells: list[list[object]] = [["", "", *_METRICS]]
    for name in names:
        cells += [[name, row["pipeline"], *(row[m] for m in _METRICS)] for row in scores if row["name"] == name]
    lines += ["", *(line.rstrip() for line in table(cells)), ""]
    lines += [f"{row['pipeline']}: {row['name']}: F1 of exact spans {row['F1']:.2f}" for row in rows if "F1" in row]
    cells = [["part", "", "features", "weights"]]
    cells += [[row["name"], row["pipeline"], row["features"], row["weights"]] for row in rows if "weights" in row]
    lines += ["", *(line.rstrip() for line in table(cells))]
    return "\n".join(lines)


def _is_bundled(path: Path) -> bool:
    try:
        bundled = Path(model_path("en"))
    except ModelError:  # there is none in this copy
        return False
    return path.read_bytes() == bundled.read_bytes()


def _names(folder: Path, pipeline: Pipeline) -> float:
    """Return the F1 of names in EWT's test set, from its words."""
    test = _treebank(folder, "ewt/en_ewt-ud-test")
    gold = read_entities(test, [_file(folder, "ewt_names/en_ewt-ner-test.iob2")])
    assert gold is not None
    doc = pipeline.pipeline_.read_words(test)
    labels = iter(doc.column("entity") or [])
    guess = [[next(labels) for _ in sentence] for sentence in test.column("form")]
    known = [(g, p) for g, p in zip(gold.of_treebank, guess, strict=True) if g is not None]
    return chunk_scores([g for g, _ in known], [p for _, p in known]).f1


def _with_features_of(ewt: _core.Conllu, gum: _core.Conllu) -> bytes:
    """Return a treebank with the morphological features that another one would have."""
    tagger = SequenceTagger(template="morphology", search="greedy", dictionary="upos+xpos", epochs=8)
    tagger.set_params(columns=["form", "upos", "xpos", "label"])
    tagger.fit(_rows(ewt), ewt.column("feats"))
    return gum.replace({"feats": tagger.predict(_rows(gum))})


def _rows(data: _core.Conllu) -> list[list[tuple[str, ...]]]:
    columns = (data.column("form"), data.column("upos"), data.column("xpos"))
    return [list(zip(*sentence, strict=True)) for sentence in zip(*columns, strict=True)]


def _treebank(folder: Path, name: str) -> _core.Conllu:
    return read_treebank(_file(folder, f"{name}.conllu"))


def _file(folder: Path, name: str) -> Path:
    """Return the path of a file of a corpus, plain or compressed. Raises DataError."""
    place, _, file = name.rpartition("/")
    [path] = corpus_files(folder, place, file)
    return path
