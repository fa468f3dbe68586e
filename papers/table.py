"""The tables of Goldberg & Elhadad (2011): their rows, how a row is measured, and how a table is printed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, Protocol, TypeVar

from measure.processes import Clock
from measure.report import Options, Report, Row
from sapwood.errors import OptionError
from sapwood.events import Event, Finished
from sapwood.metrics.labels import table
from sapwood.model.file.schema import TableInfo
from sapwood.tasks.parsing.model import DependencyParser
from sapwood.tasks.tagging.model import SequenceTagger

Model = TypeVar("Model", SequenceTagger, DependencyParser)


class Named(Protocol):
    """A row before it is measured, of any table."""

    @property
    def name(self) -> str:
        """Its name, by which it is chosen."""


Chosen = TypeVar("Chosen", bound=Named)


@dataclass(frozen=True, slots=True)
class Paper:
    """The figures of a row in the paper's table."""

    accuracy: float  # percent
    features: int
    megabytes: float


@dataclass(frozen=True, slots=True)
class Setting:
    """A row before it is measured: its name, the model's options, and the paper's figures if the paper has the row."""

    name: str
    options: Options
    paper: Paper | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """A row of a table. Scores and bytes are those of the int8 model file; features and weights are counted before."""

    corpus: str
    name: str
    scores: dict[str, float]  # in percent; the first one is the paper's
    float32: float  # the first score of the same weights as float32
    features: int
    weights: int
    bytes: int
    train_cpu_s: float  # from reading the training file to writing the model file
    paper: Paper | None = None

    def as_dict(self) -> Row:
        """Return the figures for ``--json``."""
        row: Row = {"corpus": self.corpus, "name": self.name}
        row |= {name.lower(): score for name, score in self.scores.items()}
        row |= {name: getattr(self, name) for name in ("float32", "features", "weights", "bytes", "train_cpu_s")}
        if self.paper is not None:
            row |= {f"paper_{name}": getattr(self.paper, name) for name in self.paper.__slots__}
        return row

    def cells(self) -> list[object]:
        """Return the row as text for the printed table; the paper's figures come last."""
        paper = self.paper
        figures = [f"{paper.accuracy:.1f}", f"{paper.features:,}", f"{paper.megabytes:.1f}"] if paper else [""] * 3
        counts = [f"{count:,}" for count in (self.features, self.weights, self.bytes)]
        return [self.name, *self.scores.values(), self.float32, *counts, self.train_cpu_s, "|", *figures]


@dataclass(frozen=True, slots=True)
class Fitted(Generic[Model]):
    """A model as its int8 file gives it back, the same weights as float32, and the cost of training."""

    model: Model
    float32: Model
    bytes: int
    train_cpu_s: float

    def row(
        self, corpus: str, setting: Setting, scores: dict[str, float], float32: float, tables: Iterable[TableInfo]
    ) -> Measured:
        """Return the row of the table. Features and weights are counted in `tables`, which are of the float32 model."""
        packed = [table.packed for table in tables]
        features, weights = sum(p.features for p in packed), sum(p.weights for p in packed)
        size, seconds = self.bytes, self.train_cpu_s
        return Measured(corpus, setting.name, scores, float32, features, weights, size, seconds, setting.paper)


def fit(estimator: Model, train: Path) -> Fitted[Model]:
    """Train once and freeze twice: with the estimator's bits, written to a file and read again, and as float32."""
    events: list[Event] = []
    with TemporaryDirectory(prefix="sapwood-") as scratch:
        path = Path(scratch, "model.sap")
        with Clock() as clock:
            size = estimator.fit(train, on_event=events.append).save(path)
        model = type(estimator)._of_file(estimator.model_.load(path))
    finished = next(event for event in events if isinstance(event, Finished))
    exact = estimator.model_.with_weights(finished.freeze(32, estimator.params.drop_below))
    return Fitted(model, type(estimator)._of_file(exact), size, clock.seconds)


def choose(settings: Sequence[Chosen], only: Sequence[str]) -> Sequence[Chosen]:
    """Return the settings with the names in `only`, all if there are none. Raises OptionError for an unknown name."""
    known = [setting.name for setting in settings]
    if unknown := [name for name in only if name not in known]:
        raise OptionError(f"there is no row '{unknown[0]}' in the table; it has {', '.join(known)}")
    return [setting for setting in settings if setting.name in only or not only]


def report(measured: Iterable[Measured], note: str, epochs: int, seed: int) -> Report:
    """Return the tables as text, one for each corpus, with `note` below, and their rows."""
    rows = list(measured)
    lines = []
    for corpus, group in groupby(rows, key=lambda row: row.corpus):
        here = list(group)
        scores = list(here[0].scores)
        ours = ["", *scores, "float32", "features", "weights", "bytes", "train s"]
        lines.append(f"{corpus}, {epochs} passes, seed {seed}; file and scores at int8, 'float32' before quantisation")
        lines += table([[*ours, "|", f"paper: {scores[0]}", "features", "MB"], *(row.cells() for row in here)])
    text = "\n".join(line.rstrip(" |") for line in lines)
    return Report(f"{text}\n{note}" if note else text, [row.as_dict() for row in rows])
