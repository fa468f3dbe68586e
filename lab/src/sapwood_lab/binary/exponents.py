"""The costs of voting and averaging: the table that ends the lecture on them, with measured exponents.

The algorithms of `sapwood_lab.binary` run on a grid of generated problems. In the table each cost is a product of some
quantities, or a sum of two products. Over sizes where one product outweighs the rest, the log of the cost is linear in
the logs of T|D|, U, d and d' (the features of an example that are not zero), and the slopes are the exponents. All four
are fitted at once by least squares. U cannot be set, but its share of T|D| changes with the noise of the labels, with
the passes and with the sizes, so the fit can tell the two apart.

The costs are those that `Perceptron` counts; they are the same in every run. CPU seconds are measured beside them.
These contain scoring, which the table leaves out, and the work of Python itself.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapwood_lab.base.drawing.figure import label_axes, save_figure
from sapwood_lab.base.table import table
from sapwood_lab.binary.algorithms import (
    AveragedImproved,
    AveragedLazy,
    AveragedNaive,
    AveragedUpdates,
    Perceptron,
    Vanilla,
    VotedImproved,
    VotedNaive,
)  # fmt: skip
from sapwood_lab.binary.costs import Examples
from sapwood_lab.binary.problems import linear_problem

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NOTE = """\
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
    noise: Sequence[float]  # the share of labels that are drawn at random


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

_TIME = (60, 8, 4, 0.0, 2)  # for the figure of a weight over time: n, d, d', noise, seed
_FEATURE = 0

_D = (Term("d", (0, 0, 1, 0), "dense"),)
_TD = (Term("T|D| d", (1, 0, 1, 0), "dense"),)
_UD = (Term("U d", (0, 1, 1, 0), "dense"),)
_SUM = (Term("U d'", (0, 1, 0, 1), "updates"), Term("d", (0, 0, 1, 0), "features"))


class _Algorithm(NamedTuple):
    """A row of the lecture's table."""

    name: str
    make: type[Perceptron]
    space: tuple[Term, ...]
    time: tuple[Term, ...]


_TABLE = (
    _Algorithm("vanilla", Vanilla, _D, _SUM),
    _Algorithm("voted, naive", VotedNaive, _TD, _TD),
    _Algorithm("voted, improved", VotedImproved, _UD, _UD),
    _Algorithm("averaged, naive", AveragedNaive, _D, _TD),
    _Algorithm("averaged, improved", AveragedImproved, _UD, _UD),
    _Algorithm("averaged, updates", AveragedUpdates, _SUM, _SUM),
    _Algorithm("averaged, lazy", AveragedLazy, _D, _SUM),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A product in a cell of the table, and the exponents of T|D|, U, d and d' that were measured."""

    name: str
    cost: str  # "space" or "time"
    bound: str
    term: Term
    measured: tuple[float, ...]  # [4] of the count
    cpu: tuple[float, ...] | None  # [4] of CPU seconds; for time only
    cpu_s: float | None  # of all problems of the grid; for time only

    @property
    def error(self) -> float:
        """The largest difference between a measured exponent and the table's."""
        return max(abs(m - e) for m, e in zip(self.measured, self.term.exponents, strict=True))

    def as_dict(self) -> dict[str, object]:
        """Return the figures for ``--json``."""
        return {
            **{name: getattr(self, name) for name in ("name", "cost", "bound")},
            "term": self.term.text,
            "grid": self.term.grid,
            "table": list(self.term.exponents),
            "measured": _rounded(self.measured),
            "error": round(self.error, 4),
            "cpu": _rounded(self.cpu) if self.cpu is not None else None,
            "cpu_s": round(self.cpu_s, 4) if self.cpu_s is not None else None,
        }


class _Runs(NamedTuple):
    """The costs of an algorithm on every problem of a grid."""

    sizes: NDArray[np.float64]  # [problems, 4] T|D|, U, d, d'
    bytes: NDArray[np.float64]  # [problems]
    operations: NDArray[np.float64]  # [problems]
    cpu_s: NDArray[np.float64]  # [problems]

    def exponents(self, cost: NDArray[np.float64]) -> tuple[float, ...]:
        logs = np.column_stack([np.log(self.sizes), np.ones(len(cost))])
        return tuple(float(slope) for slope in np.linalg.lstsq(logs, np.log(cost))[0][:4])


def measure(
    grids: Mapping[str, Grid] | None = None, on_start: Callable[[str], object] = lambda grid: None
) -> Iterator[Cell]:
    """Yield each product in each cell of the table, measured on `grids`, or GRIDS."""
    runs: dict[tuple[str, str], _Runs] = {}
    for grid, sizes in (grids or GRIDS).items():
        on_start(grid)
        wanted = [row for row in _TABLE if any(term.grid == grid for term in (*row.space, *row.time))]
        for row, found in zip(wanted, _measure(sizes, wanted), strict=True):
            runs[row.name, grid] = found
    for cost in ("space", "time"):
        for row in _TABLE:
            terms = row.space if cost == "space" else row.time
            bound = f"O({' + '.join(term.text for term in terms)})"
            for term in terms:
                of = runs[row.name, term.grid]
                if cost == "space":
                    yield Cell(row.name, cost, bound, term, of.exponents(of.bytes), None, None)
                else:
                    measured, cpu = of.exponents(of.operations), of.exponents(of.cpu_s)
                    yield Cell(row.name, cost, bound, term, measured, cpu, float(of.cpu_s.sum()))


def growth() -> dict[str, list[tuple[int, int]]]:
    """Return (operations, bytes) of each algorithm as |D| grows from 100 to 1,600, for the figure."""
    return {
        row.name: [(int(operations), int(held)) for operations, held in zip(runs.operations, runs.bytes, strict=True)]
        for row, runs in zip(_TABLE, _measure(_GROWTH, _TABLE), strict=True)
    }


class Moment(NamedTuple):
    """One weight, and what two ways of averaging keep of it, after c examples."""

    c: int
    w: float
    w_a: float  # `AveragedLazy`: the updates, each times the examples before it
    w_s: float  # `AveragedNaive`: the running sum


def over_time(X: Examples, y: Sequence[int], feature: int) -> list[Moment]:
    """Return the weight of a feature after each example of one pass, from the first, at which all are 0."""
    w, w_a, w_s = (np.zeros(X.d) for _ in range(3))
    found = [Moment(0, 0.0, 0.0, 0.0)]
    for c, (x, label) in enumerate(zip(X, y, strict=True)):
        if (1 if w[x.indices] @ x.values > 0 else -1) != label:
            w[x.indices] += label * x.values
            w_a[x.indices] += c * label * x.values
        w_s += w
        found.append(Moment(c + 1, float(w[feature]), float(w_a[feature]), float(w_s[feature])))
    return found


def _measure(grid: Grid, algorithms: Sequence[_Algorithm]) -> list[_Runs]:
    found: list[list[tuple[float, ...]]] = [[] for _ in algorithms]
    for seed, (n, d, d_delta, noise) in enumerate(product(grid.examples, grid.d, grid.d_delta, grid.noise)):
        X, y = linear_problem(n, d, d_delta, noise, seed)
        for epochs, (k, algorithm) in product(grid.epochs, enumerate(algorithms)):
            started = time.process_time()
            fitted = algorithm.make().fit(X, y, epochs)
            seconds = max(time.process_time() - started, 1e-9)
            sizes = fitted.presented, fitted.updates, d, d_delta
            found[k].append((*sizes, fitted.bytes, fitted.operations, seconds))
    columns = [np.array(rows, dtype=np.float64) for rows in found]
    return [_Runs(c[:, :4], c[:, 4], c[:, 5], c[:, 6]) for c in columns]


def format_report(cells: Sequence[Cell]) -> str:
    """Return the table as text, and below it what it cannot tell."""
    return f"{format_cells(cells)}\n\n{_NOTE}"


def format_cells(cells: Sequence[Cell]) -> str:
    """Return aligned text: the measured exponents beside the lecture's bounds, for space and for time."""
    quantities = ("T|D|", "U", "d", "d'")
    lines = []
    for cost, count in (("space", "bytes"), ("time", "elements of vectors set, copied, added, multiplied")):
        rows: list[list[object]] = [[cost, "table", "where", *quantities, "off by"]]
        if cost == "time":
            rows[0] += ["| CPU s", *quantities, "total"]
        for cell in cells:
            if cell.cost == cost:
                where = f"({cell.term.text})" if "+" in cell.bound else ""
                rows.append([cell.name, cell.bound, where, *_rounded(cell.measured, 2), cell.error])
                if cell.cpu is not None and cell.cpu_s is not None:
                    rows[-1] += ["|", *_rounded(cell.cpu, 2), cell.cpu_s]
        lines += [f"{cost}: {count}", *table(rows), ""]
    return "\n".join(lines[:-1])


def _rounded(exponents: Sequence[float], digits: int = 4) -> list[float]:
    return [round(exponent, digits) + 0.0 for exponent in exponents]  # + 0.0: no -0


def draw(path: str) -> None:
    """Write the figure, .png, .svg or .pdf: space against time as the examples grow; a weight and its sum over time.

    It shows measurements of its own, which are done here, not the exponents. Raises OptionError or DataError.
    """
    X, y = linear_problem(*_TIME)
    moments = over_time(X, y, _FEATURE)
    with save_figure(path, (14, 4.4), columns=3) as [costs, weight, sums]:
        _draw_growth(costs)
        _draw_weight(weight, moments)
        _draw_sums(sums, moments)


def _draw_weight(axes: "Axes", moments: Sequence[Moment]) -> None:
    """Draw a weight over time: what lies below it is the sum, what the last weight has above it is w_a."""
    c, w = [m.c for m in moments[:-1]], [m.w for m in moments[1:]]  # w is that of example c + 1, from c to c + 1
    edges, steps = [*c, moments[-1].c], [*w, w[-1]]
    axes.fill_between(edges, 0, steps, step="post", color="#1f5f8b", alpha=0.25, linewidth=0, label="w_s")
    axes.fill_between(edges, steps, w[-1], step="post", color="#b5482a", alpha=0.25, linewidth=0, label="w_a")
    axes.step(edges, steps, where="post", color="#333333", linewidth=1.4, label="w")
    axes.axhline(0, color="#333333", linewidth=0.8)
    axes.legend(frameon=False, fontsize=9)
    axes.set_xlim(0, edges[-1])
    label_axes(axes, "One weight: areas below and above it", "examples presented", "weight after the example")


def _draw_sums(axes: "Axes", moments: Sequence[Moment]) -> None:
    """Draw c w, w_a, and the running sum, which is their difference."""
    c = [m.c for m in moments]
    axes.plot(c, [m.c * m.w for m in moments], color="#8a8a8a", linestyle=(0, (4, 2)), label="c w")
    axes.plot(c, [m.w_a for m in moments], color="#b5482a", label="w_a")
    axes.plot(c, [m.w_s for m in moments], color="#1f5f8b", label="w_s = c w - w_a, the running sum")
    axes.axhline(0, color="#333333", linewidth=0.8)
    axes.legend(frameon=False, fontsize=9)
    axes.set_xlim(0, c[-1])
    label_axes(axes, "The same weight summed", "examples presented: c", "sum")


def _draw_growth(axes: "Axes") -> None:
    """Draw space against time as the examples grow."""
    colours = ("#333333", "#b5482a", "#e0894a", "#1f5f8b", "#5a93bd", "#3f8f5a", "#7a4f9a")
    costs = growth()
    for (name, points), colour in zip(costs.items(), colours, strict=True):
        operations, held = zip(*points, strict=True)
        axes.plot(operations, held, color=colour, marker="o", markersize=3.5, linewidth=1.4)
        if name == "voted, improved":  # its line lies on that of "voted, naive", so its name is at the other end
            place, side, shift = points[0], "right", -7
        else:
            place, side, shift = points[-1], "left", 7
        axes.annotate(
            name, place, (shift, 0), textcoords="offset points", color=colour, va="center", ha=side, fontsize=9
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.margins(x=0.6, y=0.12)
    axes.set_xlim(left=0.5 * min(points[0][0] for points in costs.values()))
    label_axes(
        axes,
        "One pass over 100 to 1,600 examples, d = 4,000, d' = 16",
        "time: elements of weight vectors set, copied, added or multiplied",
        "space: bytes of vectors held",
    )
