"""Kernels: what one evaluation costs over the size of trees, and what each kernel gains in a reranker's dual form.

The tree kernel pairs nodes of equal productions only (Moschitti 2006); beside it stands the table of all pairs of nodes
(Collins & Duffy 2002), on the same trees. The rerankers learn from every eighth list of a treebank grammar, cut
to its first candidates, so that kernels which compare all candidates one by one end in a minute or two as well.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import Any

from sapwood import _core
from sapwood.experiments.ranking import Problem, format_systems, score, tree_problem
from sapwood.metrics.labels import table
from sapwood.models.reranker import Reranker

__all__ = ["draw", "run"]

_SIZES = (10, 20, 40, 80, 160)  # nodes of a tree, tags included
_TREES = 40  # of each size
_CANDIDATES = 10
_FOLDS = 20
_EVERY = 8  # lists
_DECAY = 0.4
_DECAYS = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


def run(data: str | None, on_start: Callable[[str, str], None]) -> tuple[str, list[dict[str, Any]]]:
    """Return the tables as text, and their rows for ``--json``. Raises DataError if the corpus is not there."""
    problem = tree_problem(data, _CANDIDATES, _FOLDS, on_start)
    on_start(problem.name, "kernels of trees by size")
    gold = [each.gold for each in problem.train]
    speeds = [_speed(gold, nodes) for nodes in _SIZES]
    slopes = [_slope([(row["nodes"], row[name]) for row in speeds]) for name in ("us", "all_pairs_us")]
    few = Problem(problem.name, problem.unit, problem.train[::_EVERY], problem.test, problem.counts)
    gains = list(_gains(few, on_start))
    lines = [
        f"{problem.name}: one evaluation of the tree kernel, decay {_DECAY}, one core",
        *table(
            [
                ("nodes", "matching productions, us", "a minute", "all pairs of nodes, us", "ratio"),
                *[
                    (
                        f"{r['nodes']:.0f}",
                        f"{r['us']:.3f}",
                        f"{60e6 / r['us']:,.0f}",
                        f"{r['all_pairs_us']:.3f}",
                        f"{r['all_pairs_us'] / r['us']:.1f}",
                    )
                    for r in speeds
                ],
            ]
        ),
        f"grows like nodes^{slopes[0]:.2f} and nodes^{slopes[1]:.2f}",
        "",
        f"{len(few.train):,} lists to train on, {len(few.test):,} to choose from, of up to {_CANDIDATES} candidates",
        *format_systems(gains),
    ]
    rows = [{"name": "speed", **row} for row in speeds] + gains
    return "\n".join(lines), [{"corpus": problem.name, **row} for row in rows]


def _speed(trees: Sequence[str], nodes: int) -> dict[str, Any]:
    """Microseconds an evaluation, of both algorithms on the trees whose size is closest."""
    chosen = [tree.encode() for tree in sorted(trees, key=lambda tree: abs(tree.count("(") - nodes))[:_TREES]]
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
    """CPU seconds of a short work, from as many runs as fill a tenth of a second; the first does not count."""
    work()
    started, runs = time.process_time(), 0
    while (spent := time.process_time() - started) < 0.1:
        work()
        runs += 1
    return spent / runs


def _slope(points: Sequence[tuple[float, float]]) -> float:
    """The exponent of a power law, by least squares of the logarithms."""
    xs, ys = [log(x) for x, _ in points], [log(y) for _, y in points]
    x0, y0 = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - x0) * (y - y0) for x, y in zip(xs, ys, strict=True)) / sum((x - x0) ** 2 for x in xs)


def _gains(problem: Problem, on_start: Callable[[str, str], None]) -> Iterator[dict[str, Any]]:
    systems = [("features, no kernel", Reranker())]
    systems += [(f"tree, decay {decay:g}", Reranker(kernel="tree", decay=decay)) for decay in _DECAYS]
    systems += [
        (f"tree, decay {_DECAY:g}, voted", Reranker(kernel="tree", decay=_DECAY, voted=True)),
        ("subsequences of 3", Reranker(kernel="subsequence")),
        ("polynomial of degree 2", Reranker(kernel="polynomial")),
    ]
    for name, reranker in systems:
        on_start(problem.name, name)
        yield score(problem, name, reranker)


def draw(rows: Sequence[dict[str, Any]], path: str) -> None:
    """Write the figure, .png or .svg: cost over size, F1 over decay. Raises OptionError or DataError."""
    from sapwood.draw.figure import save_figure

    speeds = [row for row in rows if row["name"] == "speed"]
    by_name = {row["name"]: row for row in rows}
    with save_figure(path, (9.6, 3.8), columns=2) as [left, right]:
        nodes = [row["nodes"] for row in speeds]
        left.plot(nodes, [row["all_pairs_us"] for row in speeds], "^-", color="#b5482a", label="all pairs of nodes")
        left.plot(nodes, [row["us"] for row in speeds], "o-", color="#1f5f8b", label="matching productions")
        left.set_xscale("log")
        left.set_yscale("log")
        left.set_xticks(nodes, [f"{n:.0f}" for n in nodes])
        left.minorticks_off()
        left.set_xlabel("nodes of a tree")
        left.set_ylabel("microseconds an evaluation")
        left.set_title("tree kernel", fontsize=10)
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
        right.set_xlabel("decay")
        right.set_ylabel("F1, %")
        right.set_title(f"reranked, {rows[0]['corpus']}", fontsize=10)
        for axes in (left, right):
            axes.grid(alpha=0.3)
            axes.legend(fontsize=8)
