"""What voting and averaging cost: the table that ends the lecture on them, its exponents measured.

The algorithms of `sapwood.lab` run on a grid of generated problems. In the table the cost of each is a product of some
quantities, or a sum of two products. Over sizes where one product outweighs the rest, the log of the cost is linear in
those of T|D|, U, d and d' (the features of an example that are not zero), and the slopes are the exponents. All four
are fitted at once, by least squares: U comes with T|D| and cannot be set, but its share changes with the noise of
the labels, with the passes and with the sizes, so the two can be told apart.

The costs are those that `lab.Perceptron` counts, the same in every run. CPU seconds are measured beside them; they
contain scoring, of which the table does not speak, and Python.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapwood import lab
from sapwood.experiments.linear import linear_problem

__all__ = ["GRIDS", "NOTE", "Cell", "Grid", "Term", "format_cells", "growth", "run"]

NOTE = """\
Exponents of counts are fitted where the product in brackets outweighs the rest of a sum, for at sizes where both weigh
the same neither exponent is whole; d' is small beside d wherever d counts. What the counts cannot tell apart: costs
of the same order (vanilla, averaged by updates and lazily differ in time by constants only). What the clock cannot
tell apart: most. Each example presented costs some microseconds of Python and scoring, which at these sizes outweigh
the work on vectors and grow with T|D| whatever the algorithm."""


class Grid(NamedTuple):
    """Sizes of problems, each combined with all others."""

    examples: Sequence[int]  # |D|
    epochs: Sequence[int]  # T
    d: Sequence[int]
    d_delta: Sequence[int]  # d'
    noise: Sequence[float]  # that part of the labels is drawn


class Term(NamedTuple):
    """A product in the table: the exponents of T|D|, U, d and d', and the grid where it outweighs the others."""

    text: str
    exponents: tuple[int, int, int, int]
    grid: str


GRIDS: Mapping[str, Grid] = {
    "dense": Grid((100, 400), (1, 4), (1000, 2000, 4000), (4, 16), (0.0, 0.5)),  # d' << d
    "updates": Grid((2000, 8000), (1, 4), (64, 128, 256), (8, 32), (0.05, 0.4)),  # d << U d'
    "features": Grid((8, 32), (1, 4), (1 << 16, 1 << 18, 1 << 20), (4, 16), (0.0, 0.5)),  # U d' << d
}
_GROWTH = Grid((100, 200, 400, 800, 1600), (1,), (4000,), (16,), (0.2,))  # for the figure

_D = (Term("d", (0, 0, 1, 0), "dense"),)
_TD = (Term("T|D| d", (1, 0, 1, 0), "dense"),)
_UD = (Term("U d", (0, 1, 1, 0), "dense"),)
_SUM = (Term("U d'", (0, 1, 0, 1), "updates"), Term("d", (0, 0, 1, 0), "features"))

# The lecture's table: name, algorithm, space, time.
_TABLE: tuple[tuple[str, type[lab.Perceptron], tuple[Term, ...], tuple[Term, ...]], ...] = (
    ("vanilla", lab.Vanilla, _D, _SUM),
    ("voted, naive", lab.VotedNaive, _TD, _TD),
    ("voted, improved", lab.VotedImproved, _UD, _UD),
    ("averaged, naive", lab.AveragedNaive, _D, _TD),
    ("averaged, improved", lab.AveragedImproved, _UD, _UD),
    ("averaged, updates", lab.AveragedUpdates, _SUM, _SUM),
    ("averaged, lazy", lab.AveragedLazy, _D, _SUM),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A product in a cell of the table, and the exponents of T|D|, U, d and d' that were measured."""

    name: str
    cost: str  # "space" or "time"
    bound: str
    term: Term
    measured: tuple[float, ...]  # [4] of the count
    cpu: tuple[float, ...] | None  # [4] of CPU seconds, beside time
    cpu_s: float | None  # of all problems of the grid

    @property
    def error(self) -> float:
        """The largest difference from the table."""
        return max(abs(m - e) for m, e in zip(self.measured, self.term.exponents, strict=True))

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for ``--json``."""
        figures: dict[str, Any] = {"name": self.name, "cost": self.cost, "bound": self.bound, "term": self.term.text}
        figures |= {"grid": self.term.grid, "table": list(self.term.exponents), "measured": _rounded(self.measured)}
        figures |= {"error": round(self.error, 4)}
        if self.cpu is not None and self.cpu_s is not None:
            figures |= {"cpu": _rounded(self.cpu), "cpu_s": round(self.cpu_s, 4)}
        return figures


class _Runs(NamedTuple):
    """An algorithm on every problem of a grid."""

    sizes: NDArray[np.float64]  # [problems, 4] T|D|, U, d, d'
    bytes: NDArray[np.float64]  # [problems]
    operations: NDArray[np.float64]  # [problems]
    cpu_s: NDArray[np.float64]  # [problems]

    def exponents(self, cost: NDArray[np.float64]) -> tuple[float, ...]:
        logs = np.column_stack([np.log(self.sizes), np.ones(len(cost))])
        return tuple(float(slope) for slope in np.linalg.lstsq(logs, np.log(cost))[0][:4])


def run(grids: Mapping[str, Grid] | None = None, *, on_start: Callable[[str], None] | None = None) -> Iterator[Cell]:
    """Measure each product in each cell of the table on `grids`, or GRIDS; `on_start` is told each grid's name."""
    runs: dict[tuple[str, str], _Runs] = {}
    for grid, sizes in (grids or GRIDS).items():
        if on_start is not None:
            on_start(grid)
        wanted = [(name, of) for name, of, *costs in _TABLE if any(t.grid == grid for cost in costs for t in cost)]
        measured = _measure(sizes, [of for _, of in wanted])
        runs |= {(name, grid): found for (name, _), found in zip(wanted, measured, strict=True)}
    for number, cost in enumerate(("space", "time"), start=2):
        for row in _TABLE:
            name, terms = row[0], row[number]
            assert not isinstance(terms, (str, type))
            for term in terms:
                of = runs[name, term.grid]
                timed = cost == "time"
                yield Cell(
                    name,
                    cost,
                    f"O({' + '.join(each.text for each in terms)})",
                    term,
                    of.exponents(of.operations if timed else of.bytes),
                    of.exponents(of.cpu_s) if timed else None,
                    float(of.cpu_s.sum()) if timed else None,
                )


def growth() -> dict[str, list[tuple[int, int]]]:
    """Return (operations, bytes) of each algorithm as |D| grows from 100 to 1,600, for the figure."""
    measured = _measure(_GROWTH, [of for _, of, *_ in _TABLE])
    return {
        name: [(int(operations), int(held)) for operations, held in zip(runs.operations, runs.bytes, strict=True)]
        for (name, *_), runs in zip(_TABLE, measured, strict=True)
    }


def _measure(grid: Grid, algorithms: Sequence[type[lab.Perceptron]]) -> list[_Runs]:
    found: list[list[tuple[float, ...]]] = [[] for _ in algorithms]
    for seed, (n, d, d_delta, noise) in enumerate(product(grid.examples, grid.d, grid.d_delta, grid.noise)):
        X, y = linear_problem(n, d, d_delta, noise, seed)
        for epochs, (k, algorithm) in product(grid.epochs, enumerate(algorithms)):
            started = time.process_time()
            fitted = algorithm().fit(X, y, epochs)
            seconds = max(time.process_time() - started, 1e-9)
            sizes = fitted.presented, fitted.updates, d, d_delta
            found[k].append((*sizes, fitted.bytes, fitted.operations, seconds))
    columns = [np.array(rows, dtype=np.float64) for rows in found]
    return [_Runs(c[:, :4], c[:, 4], c[:, 5], c[:, 6]) for c in columns]


def format_cells(cells: Sequence[Cell]) -> str:
    """Return the table as aligned text: exponents measured beside the lecture's bounds."""
    lines = []
    for cost in ("space", "time"):
        timed = cost == "time"
        quantities = "".join(f"{quantity:>7}" for quantity in ("T|D|", "U", "d", "d'"))
        count = "elements of vectors set, copied, added, multiplied" if timed else "bytes"
        heading = f"{cost:20}{'table':16}{'where':10}{quantities}{'off by':>8}"
        lines += [f"{cost}: {count}", heading + (f"   | CPU s{quantities}{'total':>7}" if timed else "")]
        for cell in cells:
            if cell.cost == cost:
                where = f"({cell.term.text})" if "+" in cell.bound else ""
                line = f"{cell.name:20}{cell.bound:16}{where:10}{_row(cell.measured)}{cell.error:>8.2f}"
                if cell.cpu is not None:
                    line += f"   |      {_row(cell.cpu)}{cell.cpu_s:>7.2f}"
                lines.append(line)
        lines.append("")
    return "\n".join(lines[:-1])


def _row(exponents: Sequence[float]) -> str:
    return "".join(f"{exponent:>7.2f}" for exponent in _rounded(exponents, 2))


def _rounded(exponents: Sequence[float], digits: int = 4) -> list[float]:
    return [round(exponent, digits) + 0.0 for exponent in exponents]  # + 0.0: no -0
