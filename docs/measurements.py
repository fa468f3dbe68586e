"""Writes the tables of the pages and README.md out of the files in measurements/.

    python docs/measurements.py             name the pages whose tables are not those of the files
    python docs/measurements.py --update    write the tables into the pages

A file is what `python -m papers ... --json FILE` or `python -m bench... --json FILE` wrote: the command, the version,
the date and rows of figures. A table stands in its page between ``<!-- NAME -->`` and ``<!-- end -->``.
"""

import argparse
import json
import re
import runpy
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sapwood.metrics.significance import shown_p

DOCS = Path(__file__).resolve().parent
PAGES = (*sorted(DOCS.rglob("*.md")), DOCS.parent / "README.md")

Row = Mapping[str, Any]
Lines = list[str]


class Table(NamedTuple):
    """A table of one file: its columns as "heading": "figure format", and its rows by their names in the file."""

    file: str
    columns: Mapping[str, str]
    rows: Mapping[str, str] | None = None  # name in the file -> name in the page; without, all that have a figure
    where: Mapping[str, str] = {}  # of the rows, such as their corpus

    def lines(self) -> Lines:
        """Return the table, and below it where its figures are from."""
        rows = [row for row in read(self.file)["rows"] if all(row.get(key) == v for key, v in self.where.items())]
        if self.rows is None:
            columns = list(self.columns.values())
            named = [(row["name"], row) for row in rows if any(cell(row, column) for column in columns)]
        else:
            by_name = {row["name"]: row for row in rows}
            named = [(shown or name, by_name[name]) for name, shown in self.rows.items()]
        cells = [[name, *(cell(row, column) for column in self.columns.values())] for name, row in named]
        return [*markdown(["", *self.columns], cells), "", source(self.file)]


def read(file: str) -> dict[str, Any]:
    """Return a file of measurements/."""
    found: dict[str, Any] = json.loads((DOCS / "measurements" / f"{file}.json").read_text(encoding="utf-8"))
    return found


def cell(row: Row, column: str) -> str:
    """Return a figure of a row; `column` is its name and format, "p" a p-value, "/" what divides it.

    >>> cell({"us": 12345.678}, "us ,.1f"), cell({"p": 0}, "p p"), cell({}, "us ,.1f"), cell({"b": 2000}, "b/1000 .1f")
    ('12,345.7', '< 0.0001', '', '2.0')
    """
    name, _, form = column.partition(" ")
    name, _, divisor = name.partition("/")
    value = row.get(name)
    if value is None:
        return ""
    if form == "p":
        return shown_p(value)
    return format(value / float(divisor) if divisor else value, form) if not isinstance(value, str) else value


def markdown(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> Lines:
    """Return a table of Markdown."""
    lines = [f"| {' | '.join(cells)} |" for cells in (heading, *rows)]
    lines.insert(1, "|---|" + "---:|" * (len(heading) - 1))
    return [re.sub(r" +", " ", line) for line in lines]


def source(*files: str) -> str:
    """Return the commands that measured files, with date and version."""
    about = {}
    for file in files:
        found = read(file)
        note = f" ({found['note']})" if "note" in found else ""
        about[f"`{found['command']}`, {found['date']}, sapwood {found['version']}{note}"] = None
    return "; ".join(about) + "."


def stability(file: str) -> Lines:
    """Return the mean error, and the least and the most, of each method after some passes."""
    rows = read(file)["rows"]
    methods = list(dict.fromkeys(row["name"] for row in rows))
    shown = {
        (row["passes"], row["name"]): f"{row['mean']:.2f} ({row['least']:.1f} to {row['most']:.1f})" for row in rows
    }
    passes = [p for p in (0.1, 0.5, 1, 2, 5, 10) if (p, methods[0]) in shown]
    cells = [[f"{p:g}", *(shown[p, name] for name in methods)] for p in passes]
    return [*markdown(["passes", *methods], cells), "", source(file)]


def scored(heading: str, rows: Sequence[Row]) -> Lines:
    """Return a table of rows with scores, bytes and seconds."""
    columns = [key for key in rows[0] if key != "name"]
    forms = {"bytes": ",", "cpu_s": ",.0f"}
    cells = [[row["name"], *(format(row[key], forms.get(key, ".2f")) for key in columns)] for row in rows]
    return markdown([heading, *(key.replace("cpu_s", "CPU s") for key in columns)], cells)


def english() -> Lines:
    """Return the scores of the English pipeline on development data, and below them those on test data."""
    rows = read("english")["rows"]
    lines = scored("", [row for row in rows if row["name"].startswith("development data")])
    tested = scored("test data", [row for row in rows if "LAS" in row])
    [training], [names] = [[row for row in rows if key in row] for key in ("cpu_s", "F1")]
    said = f"{training['bytes']:,} bytes, {training['cpu_s']:,.0f} CPU seconds of training; names F1 {names['F1']:.2f}."
    return [*lines, "", *tested, "", said, "", source("english")]


def languages() -> Lines:
    """Return the scores of the pipelines beside the English one, from raw text, and of their names."""
    metrics = ["Words", "Sentences", "UPOS", "UFeats", "Lemmas", "UAS", "LAS"]
    keys = [*(f"raw text, {metric}" for metric in metrics), "names, F1"]
    rows = read("languages")["rows"]
    shown = [[f"{row[key]:.2f}" if key in row else "" for key in keys] for row in rows]
    cells = [[row["name"], f"{row['bytes']:,}", *figures] for row, figures in zip(rows, shown, strict=True)]
    return [*markdown(["", "bytes", *metrics, "names"], cells), "", source("languages")]


def language() -> Lines:
    """Return the outcomes for texts whose language is to be recognised, and the scores of the classifier."""
    classifier, *chosen = read("language")["rows"]
    outcomes = [key for key in chosen[0] if key != "name"]
    cells = [[row["name"], *(f"{row[key]:,}" for key in outcomes)] for row in chosen]
    scores = ", ".join(f"{key} {value:.2f}" for key, value in classifier.items() if key.startswith(("all", "bundled,")))
    said = f"The classifier alone, {classifier['bytes']:,} bytes, percent of held-out sentences: {scores}."
    return [*markdown(["", *outcomes], cells), "", said, "", source("language")]


def levers() -> Lines:
    """Return what each lever of the English pipeline is worth."""
    return [*scored("development data", read("english-levers")["rows"]), "", source("english-levers")]


def pipeline() -> Lines:
    """Return speeds and sizes of the pipelines on a text that repeats and on one that does not, then their scores."""
    columns = {
        "words/s": "words_per_cpu_s ,.0f",
        "us/word": "us_per_word .2f",
        "times": "times .1f",
        "start ms": "start_ms .0f",
        "load ms": "load_ms .1f",
        "by the clock": "load_wall_ms .1f",
        "peak MB": "peak_mb ,.0f",
        "bytes": "bytes ,",
    }
    files = {"pipeline": "test set, repeated", "pipeline-long": "other text, once"}
    rows = {file: read(file)["rows"] for file in files}
    cells = [
        [row["name"], text, *(cell(row, column) for column in columns.values())]
        for file, text in files.items()
        for row in rows[file]
    ]
    lines = markdown(["", "long text", *columns], cells)
    whole = [row for row in rows["pipeline"] if "LAS" in row]
    metrics = [name for name in whole[0] if name[0].isupper()]
    cells = [[row["name"], *(f"{row[metric]:.2f}" for metric in metrics)] for row in whole]
    return [*lines, "", *markdown(["EWT, raw text", *metrics], cells), "", source(*files)]


def spacy_models() -> Lines:
    """Return what spaCy's own models cost beside ours, then the scores of each treebank beside each other."""
    costs = {"words/s": "words_per_cpu_s ,.0f", "start ms": "start_ms ,.0f", "loaded MB": "loaded_mb ,.0f"}
    costs |= {"peak MB": "peak_mb ,.0f", "installed bytes": "bytes ,"}
    rows = read("spacy-models")["rows"]
    cells = [[row["name"], row["copy"], *(cell(row, column) for column in costs.values())] for row in rows]
    lines = markdown(["", "which copy", *costs], cells)
    metrics = dict.fromkeys(name.partition(" ")[2] for name in rows[0] if name.startswith("EWT "))
    cells = [
        [
            corpus,
            row["name"],
            *(f"{row[f'{corpus} {what}']:.2f}" if f"{corpus} {what}" in row else "" for what in metrics),
        ]
        for corpus in ("EWT", "GUM")
        for row in rows
    ]
    return [
        *lines,
        "",
        *markdown(["raw text", "", *(m if m.isupper() else m.lower() for m in metrics)], cells),
        "",
        source("spacy-models"),
    ]


def segmenters() -> Lines:
    """Return what other libraries reach on each treebank."""
    rows = read("segmenters")["rows"]
    cells: dict[tuple[str, str], Lines] = {}
    for row in rows:
        right = f"{row['right']:.2f}; {row['right_open']:.2f}" if "right" in row else f"{row['f1']:.2f}"
        cells.setdefault((row["what"], row["name"]), []).extend([right, f"{row['words_per_cpu_s']:,.0f}"])
    heading = ["", *(text for treebank in _TREEBANKS for text in (treebank, "words/s"))]
    return [
        *markdown(heading, [[f"{what}: {name}", *figures] for (what, name), figures in cells.items()]),
        "",
        source("segmenters"),
    ]


_TREEBANKS = ("EWT", "GUM")


def windows(*attacks: str) -> Lines:
    """Return of how many windows of 200 and of 1,000 characters there was a word: a column for each attack."""
    found = {(row["name"], row["attack"]): row for row in read("silent")["rows"] if row["attack"] in attacks}
    cells = [
        [name, *(f"{row['at_200']}, {row['at_1000']}" if (row := found.get((name, each))) else "" for each in attacks)]
        for name in dict.fromkeys(name for name, _ in found)
    ]
    return [*markdown(["", *attacks], cells), "", source("silent")]


def typed_english() -> Lines:
    """Return the table of typed English: of each kind the frames that are wrong, and those that were."""
    rows = read("typed-english")["rows"]
    cells = [[row["name"], f"{row['frames']:,}", f"{row.get('before', '')}", f"{row['wrong']:,}"] for row in rows]
    return [*markdown(["kind", "frames", "wrong before", "wrong"], cells), "", source("typed-english")]


def world() -> Lines:
    """Return how many variations of each kind of other people's habits are right, by subject."""
    rows = read("world")["rows"]
    cells = [
        [row["subject"].replace("_", " "), row["name"], cell(row, "right d"), cell(row, "tried d")] for row in rows
    ]
    total = [str(sum(row[count] for row in rows)) for count in ("right", "tried")]
    return [*markdown(["", "kind", "right", "tried"], [*cells, ["all", "", *total]]), "", source("world")]


def reranking() -> Lines:
    """Return the rerankers of trees beside those of chunks."""
    rows = [row for row in read("ranking")["rows"] if row["name"] != "curve"]
    found = {(row["corpus"].rpartition(" ")[2], row["name"]): row for row in rows}
    cells = []
    for name in dict.fromkeys(name for _, name in found):
        trees, chunks = (found.get((corpus, name), {}) for corpus in ("trees", "chunks"))
        size = [cell(trees, column) for column in ("features ,", "support ,", "cpu_s .0f")]
        cells.append([name, *(cell(trees, column) for column in _GAIN.values()), *size])
        cells[-1] += [cell(chunks, column) for column in _GAIN.values()]
    heading = ["", "trees: F1", "gain", "p", "features", "support", "train s", "chunks: F1", "gain", "p"]
    return [*markdown(heading, cells), "", source("ranking")]


def spacys_tests() -> Lines:
    """Return spaCy's own tests that do not hold with our components in the place of its own, by the reason."""
    kept = runpy.run_path(str(DOCS.parent / "tests" / "shared" / "spacys_tests.py"))
    names: dict[str, dict[str, Lines]] = {}
    for file, groups in kept["DO_NOT_HOLD"].items():
        for reason, _, tests in groups:
            names.setdefault(reason, {}).setdefault(file, []).extend(tests.split())
    broken = sum(len(tests) for files in names.values() for tests in files.values())
    hold = sum(len(tests.split()) for tests in kept["HOLD"].values())
    cells = {
        reason: "; ".join(f"`{file}`: {', '.join(tests)}" for file, tests in files.items())
        for reason, files in names.items()
    }
    rows = [f"| {reason} | {cell} |" for reason, cell in cells.items()]
    count = f"{hold} tests hold, {broken} do not; `tests/spacy/test_spacys_own_tests.py` runs them all."
    return ["| because | these do not hold |", "|---|---|", *rows, "", count]


def beats() -> Lines:
    """Return a line for each library that the README's first screen names: by how much sapwood is better."""
    pipelines, taggers, texts, spacys, reviews = (
        {row["name"]: row for row in read(file)["rows"]}
        for file in ("pipeline", "tagging", "bench-classification", "spacy-models", "sentiment")
    )
    ours, udpipe = pipelines["sapwood"], pipelines["UDPipe 1"]
    chunker, crf = taggers["sapwood margin SAP10"], taggers["crfsuite ap"]
    english, spacy, *_ = spacys.values()
    small, large = texts["sapwood, SAP10"], texts["scikit-learn, linear SVM"]
    learners = ("margin, SAP10", "linear SVM, C 0.001", "Perceptron of scikit-learn")
    right, svm, perceptron = (reviews[name]["accuracy"] for name in learners)

    def faster(a: Row, b: Row, rate: str = "words_per_cpu_s") -> str:
        return f"{a[rate] / b[rate]:.0f} times as fast"

    def smaller(a: Row, b: Row) -> str:
        return f"{a['bytes'] / 1e6:.2f} MB against {b['bytes'] / 1e6:,.1f}"

    test, one = (f"{crf[key] / chunker[key]:.1f} times" for key in ("tag_test_cpu_s", "tag_one_cpu_s"))
    training = f"{crf['train_cpu_s'] / chunker['train_cpu_s']:.0f}"
    return [
        f"- UDPipe 1: {faster(ours, udpipe)} from raw text to trees, LAS {ours['LAS']:.1f} against {udpipe['LAS']:.1f},"
        f" {smaller(ours, udpipe)}",
        f"- CRFsuite's perceptron: {faster(chunker, crf, 'tag_tokens_per_cpu_s')} on long text ({test} on 2,012"
        f" sentences with start-up, {one} on one), {training} times in training, F1 of chunks"
        f" {chunker['f1']:.1f} against {crf['f1']:.1f} ({taggers['crfsuite lbfgs']['f1']:.1f} by its CRF),"
        f" {smaller(chunker, crf)}",
        f"- spaCy's small English model: {faster(english, spacy)}, UPOS {english['EWT UPOS']:.1f} against"
        f" {spacy['EWT UPOS']:.1f}, names {english['EWT Names']:.1f} against {spacy['EWT Names']:.1f}; installed"
        f" {smaller(english, spacy)}",
        f"- scikit-learn's vectorizer and linear SVM: {faster(small, large)}, movie reviews {right:.1f} against"
        f" {svm:.1f} ({perceptron:.1f} by its Perceptron), {smaller(small, large)}",
    ]


def summary() -> Lines:
    """Return the table of the README: rows of several files."""
    chunking, trees = ({row["name"]: row for row in read(file)["rows"]} for file in ("tagging", "table2"))
    speed, texts = ({row["name"]: row for row in read(file)["rows"]} for file in ("parsing", "bench-classification"))
    reviews = {row["name"]: row for row in read("sentiment")["rows"]}
    pipelines = {row["name"]: row for row in read("pipeline")["rows"]}
    first, _, ranked, *_ = read("ranking")["rows"]  # by the base model, the perceptron, the default
    cells = []
    for shown, name in _SHOWN_PIPELINES.items():
        row = pipelines[name]
        right = f"UPOS {row['UPOS']:.2f}, LAS {row['LAS']:.2f}"
        cells.append([shown, right, cell(row, "words_per_cpu_s ,.0f"), "", cell(row, "bytes ,")])
    ours, row, *_ = read("spacy-models")["rows"]
    right = f"UPOS {row['EWT UPOS']:.2f}, names {row['EWT Names']:.2f} (ours {ours['EWT Names']:.2f})"
    speed_of = f"{row['words_per_cpu_s']:,.0f} (ours {ours['words_per_cpu_s']:,.0f} in that run)"
    shown = f"the same with names by spaCy's {row['name'].partition(' ')[0]}, trained on OntoNotes"
    cells.append([shown, right, speed_of, "", f"{row['bytes']:,} installed (ours {ours['bytes']:,})"])
    for shown, name in _SHOWN_CHUNKERS.items():
        row = chunking[name]
        right = f"{row['accuracy']:.2f}, F1 {_spread(row, 'f1')}"
        cells.append([shown, right, *_speed(row, "tag_tokens_per_cpu_s")])
    for shown, (name, quick) in _SHOWN_PARSERS.items():
        row = trees.get(name, speed[quick])
        words = {**row, "words_per_cpu_s": speed[quick]["words_per_cpu_s"]}
        cells.append([shown, f"UAS {row['uas']:.2f}, LAS {row['las']:.2f}", *_speed(words, "words_per_cpu_s")])
    gain = f"F1 {first['f1']:.2f} → {ranked['f1']:.2f}"
    cells.append(["trees of a 3,669-sentence treebank, reranked", gain, "", cell(ranked, "cpu_s .0f"), ""])
    for shown, name, library in _SHOWN_CLASSIFIERS:
        row = texts[library]
        cells.append([shown, _spread(reviews[name], "accuracy"), *_speed(row, "words_per_cpu_s")])
    ours, theirs = chunking["sapwood margin SAP10"], chunking["crfsuite ap"]
    whole = ", ".join(
        f"{text} {ours[f'tag_{key}_cpu_s']:.2f} s against {theirs[f'tag_{key}_cpu_s']:.2f}"
        for key, text in {"one": "one sentence", "small": "100", "test": "2,012"}.items()
    )
    said = f"Chunks by whole commands, start-up and loading included, beside CRFsuite's perceptron: {whole}."
    spread = "In brackets: the least and the most of five seeds, whose median stands before them."
    return [*markdown(["", "accuracy", "words/s", "train s", "bytes"], cells), "", f"{said} {spread}"]


def _spread(row: Row, figure: str) -> str:
    """Return the median over seeds, and its spread in brackets if there is one."""
    middle, least, most = (f"{row[name]:.2f}" for name in (figure, f"{figure}_least", f"{figure}_most"))
    return f"{middle} ({least} to {most})" if least != most else middle


def _speed(row: Row, words: str) -> list[str]:
    seconds = "train_cpu_s ,.0f" if row["train_cpu_s"] >= 20 else "train_cpu_s .1f"
    return [cell(row, f"{words} ,.0f"), cell(row, seconds), cell(row, "bytes ,")]


_SHOWN_PIPELINES = {
    "raw text of EWT to trees and names, the bundled pipeline": "sapwood",
    "the same without names by UDPipe 1, trained on EWT": "UDPipe 1",
}
_SHOWN_CHUNKERS = {
    "chunking, CoNLL-2000, margin, SAP10": "sapwood margin SAP10",
    "the same without margin": "sapwood SAP10",
    "python-crfsuite, averaged perceptron": "crfsuite ap",
    "python-crfsuite, CRF, its default": "crfsuite lbfgs",
}
_SHOWN_PARSERS = {
    "parsing, UD English EWT, words and tags given, the default (beam 8)": ("beam 8 margin SAP10", "beam 8"),
    "parsing, `--beam 1`": ("beam 1 margin SAP10", "beam 1"),
    "UDPipe 1, 4 passes": ("", "UDPipe 1"),
}
_SHOWN_CLASSIFIERS = [
    ("movie reviews, ten folds, SAP10", "margin, SAP10", "sapwood, SAP10"),
    ("scikit-learn, bigrams and Perceptron", "Perceptron of scikit-learn", "scikit-learn"),
    ("scikit-learn, bigrams and linear SVM", "linear SVM, C 0.001", "scikit-learn, linear SVM"),
]

_PAPER = {"paper: accuracy": "paper_accuracy .1f", "its features": "paper_features ,", "MB": "paper_megabytes .3g"}
_COST = {"features": "features ,", "bytes": "bytes ,", "train s": "train_cpu_s .1f"}
_TREES = {"UAS": "uas .2f", "LAS": "las .2f", "features": "features ,", "weights": "weights ,"}
_TREES |= {"bytes": "bytes ,", "train s": "train_cpu_s .0f", **_PAPER}
_ACCURACY = {"accuracy": "accuracy .2f", "from": "accuracy_least .2f", "to": "accuracy_most .2f"}
_LEARNERS = {**_ACCURACY, "features": "features ,", "bytes": "bytes ,"}
_TAGGERS = {
    "train s": "train_cpu_s .2f",
    "tag one sentence s": "tag_one_cpu_s .3f",
    "100 sentences s": "tag_small_cpu_s .3f",
    "the test set s": "tag_test_cpu_s .3f",
    "tokens/s, long text": "tag_tokens_per_cpu_s ,.0f",
    "accuracy": "accuracy .2f",
}
_CHUNKS = {**_TAGGERS, "F1": "f1 .2f", "from": "f1_least .2f", "to": "f1_most .2f", "bytes": "bytes ,"}
_LECTURES = {"accuracy": "accuracy .2f", "weights": "weights ,", "bytes": "bytes ,"}
_LECTURES |= {"train s": "train_cpu_s ,.1f", "tag s": "tag_cpu_s .2f"}
_WORDS = {**_TAGGERS, **_ACCURACY, "bytes": "bytes ,"}
_GAIN = {"F1": "f1 .2f", "gain": "gain +.2f", "p": "p p"}
_PARSERS = {"UAS": "uas .2f", "LAS": "las .2f", "words/s": "words_per_cpu_s ,.0f", "train s": "train_cpu_s ,.0f"}
_PARSERS |= {"train MB": "train_peak_mb ,.0f", "bytes": "bytes ,", "load ms": "load_ms .0f"}
_SENT = {
    "MB from all shards": "mb_up .1f",
    "of whole tables": "naive_mb_up .1f",
    "MB to a worker": "mb_down .1f",
    "of a whole table": "naive_mb_down .1f",
    "CPU s of a shard": "shard_s .2f",
    "of mixing": "mix_s .2f",
}

_PARSING_ROWS = {
    "beam 8": "",
    "beam 1": "",
    "easy-first": "",
    "eisner order 2": "Eisner, order 2",
    "eisner": "Eisner",
    "UDPipe 1": "UDPipe 1, 4 passes (upos, feats)",
}
_CHUNKERS = {
    "sapwood AP": "sapwood, averaged perceptron",
    "sapwood SAP10": "sapwood, SAP10",
    "sapwood margin SAP10": "sapwood, margin, SAP10",
    "crfsuite ap": "python-crfsuite, averaged perceptron",
    "crfsuite lbfgs": "python-crfsuite, CRF, its default",
}
_GOLD_TAG_PARSERS = {
    "Avg. Percep": "Eisner, Avg. Percep",
    "SAP5": "",
    "SAP10": "",
    "our features Avg. Percep": "our features, Avg. Percep",
    "our features SAP5": "our features, SAP5",
    "our features SAP10": "our features, SAP10",
    "margin SAP10": "margin, SAP10",
    "order 2 margin SAP10": "order 2, margin, SAP10",
    "beam 8 margin SAP10": "beam 8, margin, SAP10 (the default)",
    "beam 1 margin SAP10": "beam 1, margin, SAP10",
}
_POS_TAGGERS = {
    "sapwood pos": "sapwood, template `pos`",
    "sapwood nltk features": "sapwood, NLTK's features",
    "nltk": "NLTK's perceptron tagger",
}

TABLES: dict[str, Table | Callable[[], Lines]] = {
    "table1": Table("table1", {"accuracy": "accuracy .2f", "F1": "f1 .2f", **_COST, **_PAPER}),
    "table2": Table("table2", _TREES, _GOLD_TAG_PARSERS),
    "chunking": Table("tagging", _CHUNKS, _CHUNKERS),
    "parts-of-speech": Table("tagging", _WORDS, _POS_TAGGERS),
    "startup": Table(
        "startup",
        {"CPU ms": "cpu_ms .1f", "x": "ratio .2f", "MB": "peak_mb .0f"},
        {
            "python -c pass": "`python -c pass`",
            "python -c 'import argparse'": "`python -c 'import argparse'`",
            "sapwood --version": "`sapwood --version`",
            "sapwood tag": "`sapwood tag`, a model of chunks",
            "sapwood annotate": "`sapwood annotate`, the bundled English pipeline",
        },
    ),
    "serve": Table(
        "serve",
        {
            "errors": "errors d",
            "requests a second": "requests_per_s ,.0f",
            "words a second": "words_per_s ,.0f",
            "median ms": "p50_ms ,.1f",
            "99 % within ms": "p99_ms ,.1f",
            "CPU ms a request": "cpu_ms .1f",
            "MB before": "before_mb .0f",
            "after": "after_mb .0f",
        },
        {
            "sapwood": "32 clients, about 100 words a request",
            "one client, an open connection": "one client, a sentence a request, an open connection",
            "one client, new connections": "the same, a new connection for each request",
            "light clients, open connections": "8 clients that read no JSON, a sentence a request, open connections",
            "stream of lines": "a stream of lines, about 100 words each",
        },
    ),
    "odd-data": Table("odd-data", {"tried": "tried d", "warned of": "said d"}),
    "spans": Table(
        "spans",
        {
            "spans": "spans ,d",
            "F1": "names .2f",
            "words alone": "words .2f",
            "bundled": "bundled .2f",
            "given": "answered .1f",
            "precision": "precision .1f",
        },
    ),
    "files-run": Table("files-run", {"files": "files d", "functions": "functions d"}),
    "parsing": Table("parsing", _PARSERS, _PARSING_ROWS),
    "english": english,
    "language": language,
    "languages": languages,
    "levers": levers,
    "pipeline": pipeline,
    "spacy-models": spacy_models,
    "segmenters": segmenters,
    "stability": partial(stability, "stability"),
    "multilabel": Table(
        "multilabel",
        {
            "micro F1": "micro_f1 .2f",
            "from": "micro_f1_least .2f",
            "to": "micro_f1_most .2f",
            "macro F1": "macro_f1 .2f",
            "exact sets, %": "exact .2f",
            "CPU s": "cpu_s .2f",
            "bytes": "bytes ,d",
        },
    ),
    "stream-sizes": Table(
        "streams", {"tokens": "tokens ,", "CPU s": "cpu_s .1f", "wall s": "wall_s .1f", "peak MB": "peak_mb ,.0f"}
    ),
    "vowpal-wabbit": Table(
        "vowpal-wabbit",
        {"accuracy": "score .2f", "CPU s": "cpu_s .1f", "wall s": "wall_s .1f", "peak MB": "peak_mb ,.0f"},
    ),
    "mixing-parse": Table("mixing-parse", {"LAS after 10 epochs": "score .2f", "after 15": "more .2f", **_SENT}),
    "taggers-chunks": Table("taggers-chunks", {"F1": "f1 .2f", **_LECTURES}),
    "senses": Table("wsd", {**_LEARNERS, "p": "p p"}),
    "reviews": Table("sentiment", {**_LEARNERS, "train s": "train_cpu_s .2f", "p": "p p"}),
    "reviews-from-files": Table(
        "bench-classification",
        {
            **_ACCURACY,
            "train s": "train_cpu_s .2f",
            "times": "train_ratio .1f",
            "MB": "train_peak_mb ,.0f",
            "words/s": "words_per_cpu_s ,.0f",
            "bytes": "bytes ,",
        },
        {
            "sapwood": "",
            "sapwood, SAP10": "",
            "scikit-learn": "scikit-learn, Perceptron",
            "scikit-learn, linear SVM": "",
        },
    ),
    "reranking": reranking,
    "spacys-tests": spacys_tests,
    "beats": beats,
    "summary": summary,
    "typed-english": typed_english,
    "world": world,
    "silent-formats": partial(windows, "text", "tokens", "columns", "CoNLL-U", "trees", "lists", "examples"),
    "silent-models": partial(windows, "the English model", "a classifier of reviews", "a tagger of words"),
    "silent-alarms": Table("silent", {"warned": "alarms d", "of": "of ,"}, where={"attack": "alarms"}),
    "silent-refused": Table("silent", {"refused": "hits d", "of": "of ,"}, where={"attack": "refused"}),
}


def assemble(text: str) -> str:
    """Return a page with its tables as the files give them. Raises KeyError for a table that is not known."""

    def table(found: re.Match[str]) -> str:
        made = TABLES[found[1]]
        lines = made.lines() if isinstance(made, Table) else made()
        return "\n".join([f"<!-- {found[1]} -->", "", *lines, "", "<!-- end -->"])

    return re.sub(r"<!-- (?!end)([\w-]+) -->\n.*?<!-- end -->", table, text, flags=re.DOTALL)


def main() -> None:
    """Compare the pages with the files, or write the tables into them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="write the tables into the pages")
    given = parser.parse_args()
    old = {page: page.read_text(encoding="utf-8") for page in PAGES}
    wrong = {page: new for page, text in old.items() if (new := assemble(text)) != text}
    for page, new in wrong.items():
        print(f"{page.name}: its tables differ from the files")
        if given.update:
            page.write_text(new, encoding="utf-8")
    if wrong and not given.update:
        sys.exit(1)


if __name__ == "__main__":
    main()
