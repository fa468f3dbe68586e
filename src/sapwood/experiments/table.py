"""What the papers' tables share: rows of options, the paper's figures, what is measured, and how it is printed."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic, TypeVar

from sapwood.learning.events import Event, Finished
from sapwood.modelfile.schema import TableInfo
from sapwood.models.parser import DependencyParser
from sapwood.models.tagger import SequenceTagger

__all__ = ["Experiment", "Fitted", "Paper", "Row", "choose", "fit", "format_rows"]

Model = TypeVar("Model", SequenceTagger, DependencyParser)


@dataclass(frozen=True, slots=True)
class Paper:
    """A row of the paper's table."""

    accuracy: float  # percent
    features: int
    megabytes: float


@dataclass(frozen=True, slots=True)
class Experiment:
    """A name, the options behind it, and the paper's row if it has one."""

    name: str
    options: dict[str, Any]
    paper: Paper | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured: of the int8 model file, but features and weights before quantisation."""

    corpus: str
    name: str
    scores: dict[str, float]  # in percent; the first is the paper's
    float32: float  # the first score of the same weights unquantised
    features: int
    weights: int
    bytes: int
    train_cpu_s: float  # file in to model file out
    paper: Paper | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for ``--json``."""
        row: dict[str, Any] = {"corpus": self.corpus, "name": self.name}
        row |= {name.lower(): score for name, score in self.scores.items()}
        row |= {name: getattr(self, name) for name in ("float32", "features", "weights", "bytes", "train_cpu_s")}
        if self.paper is not None:
            row |= {f"paper_{name}": getattr(self.paper, name) for name in self.paper.__slots__}
        return row


@dataclass(frozen=True, slots=True)
class Fitted(Generic[Model]):
    """A trained model as its int8 file has it, the same in float32, and what training and the file took."""

    model: Model
    float32: Model
    bytes: int
    train_cpu_s: float

    def row(
        self,
        corpus: str,
        experiment: Experiment,
        scores: dict[str, float],
        float32: float,
        tables: Iterable[TableInfo],
    ) -> Row:
        """Return the row of the table; `tables` are those of the float32 model whose weights are counted."""
        packed = [table.packed for table in tables]
        features, weights = sum(p.features for p in packed), sum(p.weights for p in packed)
        size, seconds = self.bytes, self.train_cpu_s
        return Row(corpus, experiment.name, scores, float32, features, weights, size, seconds, experiment.paper)


def fit(estimator: Model, train: Path) -> Fitted[Model]:
    """Train once and freeze twice: in the estimator's bits, which goes into a file and back, and in float32."""
    finished: list[Finished] = []

    def keep(event: Event) -> None:
        if isinstance(event, Finished):
            finished.append(event)

    with TemporaryDirectory(prefix="sapwood-") as scratch:
        path = Path(scratch, "model.sap")
        started = time.process_time()
        size = estimator.fit(train, on_event=keep).save(path)
        seconds = time.process_time() - started
        model = type(estimator)._of_model(estimator.model_.load(path))
    exact = estimator.model_.with_weights(finished[0].freeze(32, estimator.shrink))
    return Fitted(model, type(estimator)._of_model(exact), size, seconds)


def choose(experiments: Sequence[Experiment], names: Sequence[str] | None) -> list[Experiment]:
    """Return the experiments of these names; without names all of them."""
    return [experiment for experiment in experiments if names is None or experiment.name in names]


def format_rows(rows: Sequence[Row]) -> str:
    """Return rows with the same scores as aligned text, the paper's figures beside ours."""
    first = next(iter(rows[0].scores))
    lines = [
        f"{'':24}{''.join(f'{name:>9}' for name in rows[0].scores)}{'float32':>9}{'features':>11}{'weights':>11}"
        f"{'bytes':>12}{'train s':>9}   | {first:>8}{'features':>11}{'MB':>6}  (paper)"
    ]
    for row in rows:
        paper = f"{row.paper.accuracy:>8.1f}{row.paper.features:>11,}{row.paper.megabytes:>6.1f}" if row.paper else ""
        lines.append(
            f"{row.name:24}{''.join(f'{score:>9.2f}' for score in row.scores.values())}{row.float32:>9.2f}"
            f"{row.features:>11,}{row.weights:>11,}{row.bytes:>12,}{row.train_cpu_s:>9.2f}   | {paper}".rstrip()
        )
    return "\n".join(lines)
