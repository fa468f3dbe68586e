"""Taggers of the lectures beside each other: HMM, MaxEnt, CRF, and the perceptron, vanilla, averaged and sparse.

The HMM counts words and labels. All others learn from the same features of a token, which `features` makes, and from
pairs of labels. HMM and MaxEnt tagger are decoded by the laboratory's `viterbi`, in plain Python.

The smoothing of the HMM was chosen among 1, 0.1 and 0.01, by the accuracy on held-out data (``--part dev``), mean of
tags and chunks. MaxEnt and CRF have the strengths that are the defaults of their libraries, both learn by 100 steps of
L-BFGS at most, and SAP10 is the paper's.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from measure.corpora import Folder, corpus_files, data_folder
from measure.processes import Clock
from measure.report import Data, OnStart, Options, Report, Row
from papers.table import choose
from sapwood.base.optional import require
from sapwood.datasets import generate
from sapwood.errors import DataError, OptionError, warn
from sapwood.io.conllu import read_treebank
from sapwood.io.source import shown
from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks
from sapwood.metrics.labels import table
from sapwood.tasks.tagging.data import read_columns
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood_lab.hmm import HMM

Features = dict[str, str]
Rows = list[tuple[str, ...]]  # [tokens][columns], the label last

GENERATED = (1_200, 200)  # sentences to learn from and to tag, where there are no real data
_PLAIN = ("HMM", "MaxEnt")  # rows that the laboratory decodes
_MANY = 100  # labels with which that takes minutes
HELD_OUT = 10  # every tenth sentence is held out where the data have no such part


class Part(NamedTuple):
    """Sentences: their columns without the label, the features of their tokens, and the labels."""

    columns: list[Rows]
    features: Any  # list[list[Features]], which `fit` takes as dicts
    labels: list[list[str]]

    @classmethod
    def of(cls, sentences: Sequence[Rows]) -> "Part":
        """Return sentences whose last column is the label."""
        columns = [[row[:-1] for row in rows] for rows in sentences]
        labels = [[row[-1] for row in rows] for rows in sentences]
        return cls(columns, [features(rows) for rows in columns], labels)


class Corpus(NamedTuple):
    """What is learned from, and what is tagged."""

    name: str
    train: list[Rows]
    test: list[Rows]


class Learned(NamedTuple):
    """A tagger: what labels the sentences of a part, and its size."""

    label: Callable[[Part], list[list[str]]]
    weights: int  # that are not 0
    bytes: int


class Setting(NamedTuple):
    """A row of the table before it is measured."""

    name: str
    learn: Callable[[Part], Learned]
    needs: str = ""  # a library


# Features


def features(rows: Sequence[Sequence[str]]) -> list[Features]:
    """Return the features of each token: words around it and its spelling (Ratnaparkhi 1996), and further columns."""
    outside = ("<outside>",) * len(rows[0])
    padded = [outside, outside, *rows, outside, outside]
    return [_features(padded[i : i + 5]) for i in range(len(rows))]


def _features(window: Sequence[Sequence[str]]) -> Features:
    """Return the features of the third of five tokens."""
    w = [row[0] for row in window]
    word = w[2]
    found = {f"w{k - 2}": w[k] for k in range(5)}
    found |= {"w-1 w0": f"{w[1]} {word}", "w0 w1": f"{word} {w[3]}", "lower": word.lower()}
    found |= {f"prefix{k}": word[:k] for k in range(1, min(len(word), 5))}
    found |= {f"suffix{k}": word[-k:] for k in range(1, min(len(word), 5))}
    marks = {"digit": str.isdigit, "upper": str.isupper, "hyphen": "-".__eq__}
    found |= {name: "yes" for name, test in marks.items() if any(map(test, word))}
    for c in range(1, len(window[0])):
        t = [row[c] for row in window]
        for length in (1, 2, 3):
            found |= {f"{c}:{k - 2} {length}": " ".join(t[k : k + length]) for k in range(6 - length)}
    return found


# Systems


def _hmm(smoothing: float) -> Callable[[Part], Learned]:
    def learn(part: Part) -> Learned:
        pairs = zip(part.columns, part.labels, strict=True)
        hmm = HMM(smoothing=smoothing).fit([[(*x, y) for x, y in zip(*pair, strict=True)] for pair in pairs])
        return Learned(lambda test: hmm.predict(test.columns), len(hmm.n), 4 * len(hmm.n))

    return learn


def _maxent(C: float) -> Callable[[Part], Learned]:
    def learn(part: Part) -> Learned:
        from papers.maxent import MaxEntTagger

        tagger = MaxEntTagger(C).fit(part.features, part.labels)
        return Learned(lambda test: tagger.predict(test.features), tagger.weights, 4 * tagger.weights)

    return learn


def _crf(c2: float) -> Callable[[Part], Learned]:
    def learn(part: Part) -> Learned:
        import pycrfsuite

        trainer = pycrfsuite.Trainer("lbfgs", {"c2": c2, "max_iterations": 100}, verbose=False)
        for x, y in zip(part.features, part.labels, strict=True):
            trainer.append(x, y)
        with TemporaryDirectory(prefix="sapwood-") as scratch:
            path = Path(scratch, "model.crfsuite")
            trainer.train(str(path))
            size = path.stat().st_size
            tagger = pycrfsuite.Tagger()
            tagger.open(str(path))
        weights = trainer.logparser.last_iteration["active_features"]
        return Learned(lambda test: [tagger.tag(x) for x in test.features], weights, size)

    return learn


def _ours(epochs: int, **options: Any) -> Callable[[Part], Learned]:
    def learn(part: Part) -> Learned:
        tagger = SequenceTagger(epochs=epochs, **options).fit(part.features, part.labels)
        with TemporaryDirectory(prefix="sapwood-") as scratch:
            size = tagger.save(Path(scratch, "model.sap"))
        weights = sum(each.packed.weights for each in tagger.model_.tables)
        return Learned(lambda test: tagger.predict(test.features), weights, size)

    return learn


def settings(epochs: int = 10) -> list[Setting]:
    """Return the rows of the table."""
    plain: Options = {"search": "viterbi", "update": "perceptron", "min_updates": 1}
    return [
        Setting("HMM", _hmm(0.01)),
        Setting("MaxEnt", _maxent(1.0), "sklearn"),
        Setting("CRF", _crf(1.0), "pycrfsuite"),
        Setting("vanilla perceptron", _ours(epochs, **plain, average=False)),
        Setting("averaged perceptron", _ours(epochs, **plain)),
        Setting("averaged perceptron, SAP10", _ours(epochs, **{**plain, "min_updates": 10})),
    ]


# The table


def run(
    data: Data,
    on_start: OnStart,
    *,
    file: str | None = None,
    part: str = "test",
    only: Sequence[str] = (),
    epochs: int = 10,
) -> Report:
    """Return the tables as text, and their rows.

    Raises OptionError for an unknown row, DataError for data that will not do.
    """
    chosen = choose(settings(epochs), only)
    rows: list[Row] = []
    lines: list[str] = []
    for corpus in _corpora(data, file, part):
        train, test = Part.of(corpus.train), Part.of(corpus.test)
        labels = len({label for sentence in train.labels for label in sentence})
        slow = [setting.name for setting in chosen if setting.name in _PLAIN and labels > _MANY]
        if slow:
            why = f"decoded in plain Python, which takes {labels} x {labels} steps for each token"
            warn(f"{corpus.name}: {why}: {', '.join(slow)}; --only names other rows")
        here = [_measured(corpus.name, setting, train, test, on_start) for setting in chosen]
        sizes = [f"{sum(map(len, each.labels)):,}" for each in (train, test)]
        lines += [f"{corpus.name}: learned from {sizes[0]} tokens, {sizes[1]} are tagged", *_table(here), ""]
        rows += here
    return Report("\n".join(lines).rstrip(), rows)


def _measured(corpus: str, setting: Setting, train: Part, test: Part, on_start: OnStart) -> Row:
    row: Row = {"corpus": corpus, "name": setting.name}
    try:
        if setting.needs:
            require(setting.needs, setting.name)
    except OptionError as missing:
        return {**row, "needs": str(missing)}
    on_start(corpus, setting.name)
    with Clock() as training:
        learned = setting.learn(train)
    with Clock() as tagging:
        guess = learned.label(test)
    row["accuracy"] = label_scores(test.labels, guess).accuracy
    if looks_like_chunks(label for labels in test.labels for label in labels):
        row["f1"] = chunk_scores(test.labels, guess).f1
    row |= {"weights": learned.weights, "bytes": learned.bytes}
    return row | {"train_cpu_s": training.seconds, "tag_cpu_s": tagging.seconds}


_COLUMNS = {"accuracy": ".2f", "f1": ".2f", "weights": ",", "bytes": ",", "train_cpu_s": ".2f", "tag_cpu_s": ".2f"}
_HEADING = ("", "accuracy", "F1", "weights", "bytes", "train s", "tag s")


def _table(rows: Sequence[Row]) -> list[str]:
    cells = [
        [row["name"], *(format(row[name], form) if name in row else "" for name, form in _COLUMNS.items())]
        for row in rows
    ]
    return [*table([_HEADING, *cells]), *(row["needs"] for row in rows if "needs" in row)]


# Corpora


def _corpora(data: Folder, file: str | None, part: str) -> Iterator[Corpus]:
    if file is not None:
        read = _treebank if ".conllu" in Path(file).suffixes else _columns
        yield _checked(_held_out(shown(file), read(Path(file))))
        return
    folder = data_folder(data)
    if folder is None:
        train, test = GENERATED
        sentences = [list(zip(s.words, s.tags, s.chunks, strict=True)) for s in generate(train + test)]
        for name, columns in (("tags", [0, 1]), ("chunks", [0, 1, 2])):
            chosen: list[Rows] = [[tuple(row[c] for c in columns) for row in rows] for rows in sentences]
            yield Corpus(f"generated treebank, {name}", chosen[:train], chosen[train:])
        return
    places = {
        "ewt": [f"en_ewt-ud-{name}.conllu" for name in ("train", part)],
        "conll2000": ["train.txt"] if part == "dev" else ["train.txt", "test.txt"],
    }
    found = {}
    for place, files in places.items():
        with suppress(DataError):
            found[place] = corpus_files(folder, place, *files)
    if not found:
        corpus_files(folder, "ewt", *places["ewt"])  # says what is missing
    if "ewt" in found:
        yield Corpus("UD English EWT, tags", *map(_treebank, found["ewt"]))
    if "conll2000" in found:
        chunks = [*map(_columns, found["conll2000"])]
        name = "CoNLL-2000, chunks"
        yield _held_out(name, *chunks) if part == "dev" else Corpus(name, *chunks)


def _columns(path: Path) -> list[Rows]:
    data = read_columns(path, None, shown(path))
    if data.sentences and data.width < 2:
        raise DataError(f"{data.where(0)}: there is no label column; the data has 1 column")
    columns = [data.column(c) for c in range(data.width)]
    return [list(zip(*sentence, strict=True)) for sentence in zip(*columns, strict=True)]


def _treebank(path: Path) -> list[Rows]:
    data = read_treebank(path)
    tags = data.column("xpos")
    if all(tag == "_" for sentence in tags for tag in sentence):
        tags = data.column("upos")
    pairs = zip(data.column("form"), tags, strict=True)
    return [list(zip(*pair, strict=True)) for pair in pairs]


def _held_out(name: str, sentences: list[Rows]) -> Corpus:
    """Return a corpus in which every tenth sentence is tagged."""
    train = [rows for k, rows in enumerate(sentences, 1) if k % HELD_OUT]
    return Corpus(name, train, list(islice(sentences, HELD_OUT - 1, None, HELD_OUT)))


def _checked(corpus: Corpus) -> Corpus:
    """Raise DataError if there is too little to learn from."""
    labels = {row[-1] for rows in corpus.train for row in rows}
    if not corpus.test or len(labels) < 2:
        sentences = len(corpus.train) + len(corpus.test)
        raise DataError(
            f"{corpus.name}: too little to learn from (sentences: {sentences}, labels: {len(labels)}); every tenth "
            "sentence is held out, and two labels are the least"
        )
    return corpus
