"""What margins and bounds say (Huang, on voting and averaging; Clark 2015, "Theory of the Perceptron").

1. The smallest margin y (w . x) / |w| of the vanilla and the averaged perceptron, over many orders of the examples,
   beside the largest that there is, that of the support vector machine. A voted perceptron has no w; of it, the
   smallest share of the votes that are for the right side.
2. The mistakes until a pass has none, beside the bound (R / delta)^2 of Novikoff (1962): R is the length of the longest
   example, delta the margin of any separating weights, here the largest that is known.
3. The same where labels are wrong: the mistakes of the first pass beside the bound ((R + D) / delta)^2 of Freund &
   Schapire (1999), in which D^2 sums what each example lacks of a margin of delta, squared; and the held-out error.
4. Convergence of the sparse averaged perceptron (`convergence`).
5. Primal against dual form (`forms`).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from measure.corpora import data_folder
from measure.report import Data, OnStart, Report, Row
from papers import convergence, forms
from papers.separable import (
    Course,
    Labels,
    Matrix,
    Separable,
    chosen,
    generated,
    learn,
    random_orders,
    reviews,
    widest_margin,
)
from sapwood.base.drawing.figure import label_axes, log_ticks, save_figure
from sapwood.base.optional import missing
from sapwood.metrics.labels import table
from sapwood_lab import Examples, VotedImproved

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PASSES = (1, 2, 3, 5, 10, 20, 50, 100)
_ORDERS = 100
_LARGE = (20, (1, 2, 3, 5, 10, 20))  # orders and passes of a problem of more than 1,000 examples
_FLIPPED = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)  # shares of wrong labels
_HALF = 200  # examples to learn from, and as many held out
_NOISE_ORDERS = 20
_SPARSE_ORDERS = 5
METHODS = ("vanilla", "averaged", "voted")


def problems(data: Data) -> list[Separable]:
    """Return four problems, the last of which has more features than examples: real reviews, or generated.

    Raises DataError if the reviews are not there.
    """
    return [
        generated("wide", 200, 20, 0.2, seed=1),
        generated("narrow", 200, 20, 0.05, seed=1),
        generated("binary", 200, 400, 0.1, seed=1, nonzero=10),
        generated("many features", 200, 1000, 0.0, seed=1) if data_folder(data) is None else reviews(data),
    ]


def run(data: Data, on_start: OnStart) -> Report:
    """Return the tables as text, and their rows. Raises DataError if the corpus is not there."""
    lines: list[str] = []
    rows: list[Row] = []
    for problem in problems(data):
        orders, passes = _LARGE if len(problem.y) > 1000 else (_ORDERS, _PASSES)
        on_start(problem.name, f"{orders} orders")
        rows += measure(problem, random_orders(len(problem.y), orders, seed=1), passes)
    on_start("wrong labels", "first pass")
    rows += near_separable()
    on_start("sparse averaged perceptron", "convergence")
    small = generated("sparse", 100, 150, 0.1, seed=1, nonzero=8)
    delta, _ = _widest(small, small.K)
    rows += convergence.measure(small, random_orders(len(small.y), _SPARSE_ORDERS, seed=1), _longest(small.X) / delta)
    on_start("ranking", "primal and dual form")
    scoring = forms.measure()
    rows += [*scoring, *forms.crossings(scoring), *forms.tree_sizes()]
    for text in (_margins(rows), _mistakes(rows), _noise(rows), _sparse(rows), _forms(rows)):
        lines += [*text, ""]
    return Report("\n".join(lines[:-1]), rows)


def measure(problem: Separable, orders: Labels, stops: Sequence[int]) -> Iterator[Row]:
    """Yield the rows on margins and mistakes of a problem."""
    K = problem.K
    courses, mistakes = learn(K, problem.y, orders, stops)
    about = {"problem": problem.name, "orders": len(orders)}
    for course in courses:
        for method in METHODS:
            found = getattr(course, method)
            yield {"kind": "margin", "name": method, **about, "passes": course.passes, **_spread(found)}
    last = courses[-1]
    larger = float((last.averaged > last.vanilla).mean())
    delta, svm = _widest(problem, K, courses)
    yield {"kind": "svm", "name": "SVM", **about, "margin": svm, "averaged_larger": larger}
    total = mistakes.sum(axis=0)
    R = _longest(problem.X)
    yield {
        "kind": "mistakes",
        "name": problem.name,
        "examples": len(problem.y),
        "d": problem.X.d,
        "R": R,
        "delta": delta,
        "bound": (R / delta) ** 2,
        "mean": float(total.mean()),
        "most": int(total.max()),
        "passes": int((mistakes > 0).sum(axis=0).max()) + 1,
        "converged": int((mistakes[-1] == 0).sum()),
        "orders": len(orders),
    }


def near_separable() -> Iterator[Row]:
    """Yield a row for each share of wrong labels: mistakes of the first pass, their bound, the held-out error."""
    problem = generated("wide", 2 * _HALF, 20, 0.2, seed=1)
    train, held = (chosen(problem.X, range(start, start + _HALF)) for start in (0, _HALF))
    drawn = np.random.default_rng(1).random(2 * _HALF)
    for flipped in _FLIPPED:
        y = np.where(drawn < flipped, -problem.y, problem.y)
        mistakes, errors = [], []
        for order in random_orders(_HALF, _NOISE_ORDERS, seed=1):
            voted = VotedImproved().fit(chosen(train, order), y[order].tolist())
            mistakes.append(voted.updates)
            errors.append(float(np.mean(voted.predict(held) != y[_HALF:])))
        yield {
            "kind": "noise",
            "name": f"{100 * flipped:g} %",
            "wrong": int((drawn[:_HALF] < flipped).sum()),
            "mean": float(np.mean(mistakes)),
            "most": max(mistakes),
            "bound": first_pass_bound(train, y[:_HALF], problem.truth),
            "mistakes_percent": 100 * float(np.mean(mistakes)) / _HALF,
            "held_out": 100 * float(np.mean(errors)),
        }


def first_pass_bound(X: Examples, y: Labels, u: Matrix) -> float:
    """Return ((R + D) / delta)^2 for weights u of length 1, and the delta for which it is least."""
    deltas = np.linspace(0, _longest(X), 1001)[1:]
    lacking = np.maximum(0, deltas[:, None] - y * _scores(X, u))
    return float((((_longest(X) + np.sqrt((lacking**2).sum(axis=1))) / deltas) ** 2).min())


def _scores(X: Examples, w: Matrix) -> Matrix:
    return np.array([w[x.indices] @ x.values for x in X])


def _longest(X: Examples) -> float:
    return max(float(np.sqrt(x.values @ x.values)) for x in X)


def _widest(problem: Separable, K: Matrix, courses: Sequence[Course] = ()) -> tuple[float, float | None]:
    """Return the largest margin that is known, and that of the support vector machine, None without scikit-learn."""
    known = [float(found.max()) for course in courses for found in (course.vanilla, course.averaged)]
    known.append(float((problem.y * _scores(problem.X, problem.truth)).min()))
    svm = widest_margin(K, problem.y) if find_spec("sklearn") else None
    return max([*known, svm or 0.0]), svm


def _spread(found: Matrix) -> Row:
    figures = {"mean": found.mean(), "least": found.min(), "most": found.max()}
    return {name: round(float(figure), 6) + 0.0 for name, figure in figures.items()}  # + 0.0: no -0


def of_kind(rows: Sequence[Row], kind: str) -> list[Row]:
    """Return the rows of one table."""
    return [row for row in rows if row["kind"] == kind]


def _margins(rows: Sequence[Row]) -> Iterator[str]:
    yield "smallest y (w . x) / |w|, of voted the smallest share of votes for the right side: mean (least to most)"
    for svm in of_kind(rows, "svm"):
        here = [row for row in of_kind(rows, "margin") if row["problem"] == svm["problem"]]
        lines: dict[int, list[object]] = {}
        for row in here:
            shown = f"{row['mean']:.4f} ({row['least']:.4f} to {row['most']:.4f})"
            lines.setdefault(row["passes"], [str(row["passes"])]).append(shown)
        yield ""
        yield from table([[f"{svm['problem']}, {svm['orders']} orders", *METHODS], *lines.values()])
        yield "SVM: " + (str(missing("sklearn", "this row")) if svm["margin"] is None else f"{svm['margin']:.4f}")
        yield f"at the end the average has the larger margin in {100 * svm['averaged_larger']:.0f} % of the orders"


def _mistakes(rows: Sequence[Row]) -> list[str]:
    heading = ["mistakes until a pass has none", "n", "d", "R", "delta", "passes", "mean", "most", "(R / delta)^2"]
    names = ("name", "examples", "d", "R", "delta", "passes", "mean", "most", "bound")
    return _table(heading, names, of_kind(rows, "mistakes"), delta=".4f")


def _noise(rows: Sequence[Row]) -> list[str]:
    heading = ["wrong labels, first pass", "mean", "most", "((R + D) / delta)^2", "mistakes, %", "held-out error, %"]
    names = ("name", "mean", "most", "bound", "mistakes_percent", "held_out")
    return _table(heading, names, of_kind(rows, "noise"))


def _sparse(rows: Sequence[Row]) -> list[str]:
    heading = ["separable data, means of orders", "passes", "updates", "gated", "errors", "of the average"]
    names = ("name", "passes", "updates", "gated", "errors", "averaged_errors", "scored", "most_updates", "bound")
    return _table([*heading, "features", "most updates", "bound"], names, of_kind(rows, "sparse"))


def _forms(rows: Sequence[Row]) -> Iterator[str]:
    heading = ["scoring a candidate", "d", "support", "n k", "primal, us", "dual, us"]
    names = ("name", "d", "support", "nk", "primal_us", "dual_us")
    yield from _table(heading, names, of_kind(rows, "forms"))
    for row in of_kind(rows, "crossing"):
        where = "do not take the same time here" if row["d"] is None else f"take the same time at d = {row['d']:.0f}"
        yield f"{row['name']}: both forms {where}; n k = {row['nk']:.0f}"
    yield ""
    heading = ["fragments of a tree", "d", "k", "support where d = n k"]
    yield from _table(heading, ("name", "d", "k", "support"), of_kind(rows, "trees"))


def _table(heading: Sequence[str], names: Sequence[str], rows: Sequence[Row], **forms: str) -> list[str]:
    return table(
        [
            heading,
            *(
                [format(row[name], forms.get(name, "")) if name in forms else row[name] for name in names]
                for row in rows
            ),
        ]
    )


def draw(rows: Sequence[Row], path: str) -> None:
    """Write the figure (.png, .svg, .pdf): margins, votes, and what follows. Raises OptionError or DataError."""
    panels = panels_of(rows)
    with save_figure(path, (12, 9), columns=len(panels) // 3, rows=3) as axes:
        for panel, drawn in zip(axes, panels.values(), strict=True):
            drawn(panel)


def panels_of(rows: Sequence[Row]) -> dict[str, Callable[["Axes"], None]]:
    """Return what draws each panel of the figure, by the panel's name, row by row."""
    curves = {
        f"{kind}-{row['problem'].replace(' ', '-')}": partial(_draw_curves, kind=kind, name=row["problem"], rows=rows)
        for kind in _CURVES
        for row in of_kind(rows, "svm")
    }
    mistakes, noise, scoring, trees = (of_kind(rows, kind) for kind in ("mistakes", "noise", "forms", "trees"))
    return curves | {
        "mistakes": lambda axes: _draw_mistakes(axes, mistakes, noise),
        "wrong-labels": partial(_draw_noise, rows=noise),
        "scoring": partial(_draw_forms, rows=scoring),
        "trees": partial(_draw_trees, rows=trees),
    }


_CURVES = {  # methods, each with its colour
    "margins": {"vanilla": "#8a8a8a", "averaged": "#1f5f8b"},
    "votes": {"voted": "#b5482a"},
}


def _draw_curves(panel: "Axes", kind: str, name: str, rows: Sequence[Row]) -> None:
    """Draw the smallest margins or shares of votes over the passes: the mean of all orders, from least to most."""
    here = [row for row in rows if row.get("problem") == name]
    for method, colour in _CURVES[kind].items():
        curve = [row for row in here if row["name"] == method]
        passes, means, least, most = ([row[key] for row in curve] for key in ("passes", "mean", "least", "most"))
        panel.plot(passes, means, color=colour, label=method)
        panel.fill_between(passes, least, most, color=colour, alpha=0.18, linewidth=0)
        log_ticks(panel, [t for t in (1, 2, 5, 10, 20, 50, 100) if t <= passes[-1]], "g")
        panel.set_xlim(1, passes[-1])
    [widest] = [row["margin"] for row in of_kind(here, "svm")]
    if kind == "votes":
        panel.set_ylim(0, 1)
    elif widest is not None:
        panel.axhline(widest, color="#3f8f5a", linestyle=(0, (4, 2)), label="SVM")
    panel.axhline(0.5 if kind == "votes" else 0, color="#333333", linewidth=0.8)
    panel.legend(frameon=False, fontsize=8, loc="lower right")
    what = "smallest share of right votes" if kind == "votes" else "smallest y (w . x) / |w|"
    label_axes(panel, name, "passes", what)


def _draw_mistakes(axes: "Axes", *tables: Sequence[Row]) -> None:
    """Draw the most mistakes of any order over the bound; the line is where they would be equal."""
    styles = (("separable", "o", "#1f5f8b"), ("wrong labels, first pass", "^", "#b5482a"))
    for rows, (label, marker, colour) in zip(tables, styles, strict=True):
        axes.plot([r["bound"] for r in rows], [r["most"] for r in rows], marker, color=colour, label=label)
    bounds = [row["bound"] for rows in tables for row in rows]
    ends = (0.5 * min(bounds), 2 * max(bounds))
    axes.plot(ends, ends, color="#333333", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.legend(frameon=False, fontsize=8)
    label_axes(axes, "mistakes and their bound", "bound", "most mistakes of any order")


def _draw_noise(axes: "Axes", rows: Sequence[Row]) -> None:
    """Draw the voted perceptron's held-out error over the mistakes of its one pass, by the share of wrong labels."""
    axes.plot([row["mistakes_percent"] for row in rows], [row["held_out"] for row in rows], "^-", color="#b5482a")
    for row in rows:
        place = (row["mistakes_percent"], row["held_out"])
        axes.annotate(row["name"], place, (-6, 3), textcoords="offset points", ha="right", fontsize=8, color="#b5482a")
    axes.set_yscale("log")
    log_ticks(axes, (5, 10, 20, 30), "g")
    axes.margins(x=0.3, y=0.12)
    label_axes(axes, "wrong labels", "mistakes of the first pass, %", "held-out error, %")


def _draw_forms(axes: "Axes", rows: Sequence[Row]) -> None:
    """Draw the time of scoring over d: one curve of the primal form, one of the dual form for each number of lists."""
    numbers = dict.fromkeys(row["lists"] for row in rows)
    curves = [(f"dual, n = {n}", n, "dual_us", "^-", "#b5482a") for n in numbers]
    for text, n, figure, style, colour in [*curves, ("primal", max(numbers), "primal_us", "o-", "#1f5f8b")]:
        here = [row for row in rows if row["lists"] == n]
        axes.plot([row["d"] for row in here], [row[figure] for row in here], style, color=colour, markersize=4)
        place = (here[-1]["d"], here[-1][figure])
        axes.annotate(text, place, (6, 0), textcoords="offset points", va="center", fontsize=8, color=colour)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(0.7 * forms.WORDS, 40 * max(row["d"] for row in rows))
    label_axes(axes, "scoring a candidate", "d, the size of h(x)", "microseconds")


def _draw_trees(axes: "Axes", rows: Sequence[Row]) -> None:
    """Draw what grows with the size of a tree: d exponentially, k as its square."""
    nodes = [row["nodes"] for row in rows]
    axes.plot(nodes, [row["d"] for row in rows], "o-", color="#1f5f8b", label="d: fragments")
    axes.plot(nodes, [row["k"] for row in rows], "^-", color="#b5482a", label="k: pairs of nodes")
    axes.set_yscale("log")
    axes.legend(frameon=False, fontsize=8)
    label_axes(axes, "a tree", "nodes", "operations")
