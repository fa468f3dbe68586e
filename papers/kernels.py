"""Kernels: the cost of one evaluation over the size of trees, and the gain of each kernel in a reranker's dual form.

The tree kernel pairs only nodes of equal productions (Moschitti 2006). Beside it stands the table of all pairs of nodes
(Collins & Duffy 2002) on the same trees. The rerankers learn from every eighth list of a treebank grammar, cut to its
first candidates, because some kernels compare all candidates one by one and would take too long otherwise.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log
from statistics import linear_regression

from measure.processes import timed
from measure.report import Data, OnStart, Report, Row
from papers.ranking import format_systems, measure, tree_problem
from sapwood import _core
from sapwood.base.candidates import Structure
from sapwood.base.drawing.figure import label_axes, log_ticks, save_figure
from sapwood.metrics.labels import table
from sapwood.tasks.ranking.model import Reranker

SIZES = (10, 20, 40, 80, 160)  # nodes of a tree, tags included
TREES = 40  # of each size
CANDIDATES = 10  # of a list
FOLDS = 20  # of cross-parsing
EVERY = 8  # every eighth list is learned from
_DECAY = 0.4
_DECAYS = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


def run(data: Data, on_start: OnStart) -> Report:
    """Return the tables as text, and their rows. Raises DataError if the corpus is not there."""
    problem = tree_problem(data, CANDIDATES, FOLDS, on_start)
    on_start(problem.name, "kernels of trees by size")
    gold: list[Structure] = [each.gold for each in problem.train]
    speeds = [_speed(gold, nodes) for nodes in SIZES]
    logs = {name: [log(row[name]) for row in speeds] for name in ("nodes", "us", "all_pairs_us")}
    slopes = [linear_regression(logs["nodes"], logs[name]).slope for name in ("us", "all_pairs_us")]
    few = replace(problem, train=problem.train[::EVERY])
    gains = list(measure(few, _systems(), on_start))
    cells = []
    for row in speeds:
        us, other = row["us"], row["all_pairs_us"]
        cells.append((f"{row['nodes']:.0f}", f"{us:.3f}", f"{60e6 / us:,.0f}", f"{other:.3f}", f"{other / us:.1f}"))
    lines = [
        f"{problem.name}: one evaluation of the tree kernel, decay {_DECAY}, one core",
        *table([("nodes", "matching productions, us", "a minute", "all pairs of nodes, us", "ratio"), *cells]),
        f"grows like nodes^{slopes[0]:.2f} and nodes^{slopes[1]:.2f}",
        "",
        f"{len(few.train):,} lists to train on, {len(few.test):,} to choose from, of up to {CANDIDATES} candidates",
        *format_systems(gains),
    ]
    rows = [{"name": "speed", **row} for row in speeds] + gains
    return Report("\n".join(lines), [{"corpus": problem.name, **row} for row in rows])


def _speed(trees: Sequence[str], nodes: int) -> Row:
    """Return the microseconds of an evaluation by both algorithms, on the trees that are closest to this size."""
    chosen = [tree.encode() for tree in sorted(trees, key=lambda tree: abs(tree.count("(") - nodes))[:TREES]]
    productions = _core.TreeTable()
    ours = _core.KernelTrees(chosen, "trees", productions)
    theirs = _core.AllPairsTrees(chosen, "trees", productions)
    evaluations = len(chosen) * (len(chosen) + 1) / 2  # the matrix is symmetric
    return {
        "nodes": sum(tree.count(b"(") for tree in chosen) / len(chosen),
        "us": _seconds(lambda: _core.tree_gram(ours, None, _DECAY, False, 1)) / evaluations * 1e6,
        "all_pairs_us": _seconds(lambda: _core.all_pairs_gram(theirs, _DECAY)) / evaluations * 1e6,
    }


def _seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of short work: the mean of as many runs as fill a tenth of a second, after a first one."""
    work()
    spent, runs = 0.0, 0
    while spent < 0.1:
        spent += timed(work)
        runs += 1
    return spent / runs


def _systems() -> dict[str, Reranker]:
    systems = {"features, no kernel": Reranker()}
    systems |= {f"tree, decay {decay:g}": Reranker(kernel="tree", decay=decay) for decay in _DECAYS}
    return systems | {
        f"tree, decay {_DECAY:g}, voted": Reranker(kernel="tree", decay=_DECAY, voted=True),
        "tree, plain count": Reranker(kernel="tree", decay=1.0, normalise=False),
        f"tree, decay {_DECAY:g}, not normalised": Reranker(kernel="tree", decay=_DECAY, normalise=False),
        "subsequences of 3": Reranker(kernel="subsequence"),
        "subsequences of every length": Reranker(kernel="subsequence", length=0),
        "subsequences of every length, not normalised": Reranker(kernel="subsequence", length=0, normalise=False),
        "polynomial of degree 2": Reranker(kernel="polynomial"),
    }


def draw(rows: Sequence[Row], path: str) -> None:
    """Write the figure, .png, .svg or .pdf: cost over size, F1 over decay. Raises OptionError or DataError."""
    speeds = [row for row in rows if row["name"] == "speed"]
    by_name = {row["name"]: row for row in rows}
    with save_figure(path, (9.6, 3.8), columns=2) as [left, right]:
        nodes = [row["nodes"] for row in speeds]
        left.plot(nodes, [row["all_pairs_us"] for row in speeds], "^-", color="#b5482a", label="all pairs of nodes")
        left.plot(nodes, [row["us"] for row in speeds], "o-", color="#1f5f8b", label="matching productions")
        log_ticks(left, nodes, ".0f")
        left.set_yscale("log")
        label_axes(left, "tree kernel", "nodes of a tree", "microseconds an evaluation")
        trees = [by_name[f"tree, decay {decay:g}"] for decay in _DECAYS]
        right.plot(_DECAYS, [row["f1"] for row in trees], "o-", color="#1f5f8b", label="tree kernel, averaged dual")
        for name, dashes, colour in (
            ("features, no kernel", (0, (4, 2)), "#3f8f5a"),
            ("subsequences of 3", (0, (1, 1)), "#7a4f9a"),
            ("polynomial of degree 2", (0, (6, 1, 1, 1)), "#e0894a"),
        ):
            right.axhline(by_name[name]["f1"], linestyle=dashes, color=colour, label=name)
        first = trees[0]["f1"] - trees[0]["gain"]
        right.axhline(first, linestyle="-", linewidth=0.8, color="#8a8a8a", label="base model's first")
        label_axes(right, f"reranked, {rows[0]['corpus']}", "decay", "F1, %")
        for axes in (left, right):
            axes.legend(fontsize=8)
