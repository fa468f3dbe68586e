"""The two forms of the ranking perceptron (Clark 2015, "Complexity of the two Forms"): which is cheaper, and when.

Scoring T candidates takes O(T d) in primal form, d being the size of h(x), and O(T n k) in dual form: each candidate is
compared with what was learned from n sentences, at k for a comparison. The kernel here is (x . y)^p over m words, so k
is m; h(x), whose dot product it is, has the d = m^p products of p words. Both forms of the laboratory learn the same
lists, give the same scores, and are timed on the same candidates.

Of trees, d is the number of fragments of a tree and k its pairs of nodes; they are counted, not timed.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from math import exp, log, prod

from measure.processes import timed
from measure.report import Row
from sapwood.datasets.treebank import generate
from sapwood_lab.base.candidates import Candidate, CandidateList
from sapwood_lab.dual import DualPerceptron, dot
from sapwood_lab.ranking import RankingPerceptron
from sapwood_lab.trees import Tree, nodes, read_tree

WORDS = 6  # m
DEGREES = (1, 2, 3, 4)
LISTS = (4, 16, 64)  # n
SCORED = 20  # candidates that are scored: T
_CANDIDATES = 4  # of a list
SIZES = (10, 20, 30, 40)  # nodes of a tree, words not counted


def power(x: Mapping[str, float], y: Mapping[str, float], degree: int) -> float:
    """Return (x . y)^degree."""
    return float(dot(x, y) ** degree)


def products_of_words(x: Mapping[str, float], degree: int) -> dict[str, float]:
    """Return h(x), whose dot product is `power`: all ordered products of `degree` values.

    >>> products_of_words({"a": 2, "b": 3}, 2)
    {'a a': 4, 'a b': 6, 'b a': 6, 'b b': 9}
    """
    return {
        " ".join(name for name, _ in chosen): prod(value for _, value in chosen)
        for chosen in product(x.items(), repeat=degree)
    }


def random_lists(n: int, words: int, seed: int) -> list[CandidateList]:
    """Return n lists of candidates, each with small whole numbers for all words; the last is the best."""
    draw = random.Random(seed)

    def candidate(loss: float) -> Candidate:
        return Candidate({f"w{k}": float(draw.choice((-2, -1, 1, 2))) for k in range(words)}, loss=loss)

    return [
        CandidateList("features", [candidate(float(k > 0)) for k in range(_CANDIDATES - 1, -1, -1)]) for _ in range(n)
    ]


def written_down(lists: Sequence[CandidateList], degree: int) -> list[CandidateList]:
    """Return the same lists, with h(x) in place of x."""
    return [
        CandidateList(
            "features", [Candidate(products_of_words(x.structure, degree), loss=x.loss) for x in each.candidates]
        )
        for each in lists
    ]


def learned(n: int, degree: int) -> tuple[RankingPerceptron, DualPerceptron]:
    """Return the primal and the dual form after a pass over the same n lists."""
    lists = random_lists(n, WORDS, seed=1)
    primal = RankingPerceptron(epochs=1, average=False).fit(written_down(lists, degree))
    return primal, DualPerceptron(partial(power, degree=degree), epochs=1, average=False).fit(lists)


def measure() -> list[Row]:
    """Return a row for each degree and number of lists: operations and microseconds of scoring one candidate."""
    rows = []
    for n, degree in product(LISTS, DEGREES):
        primal, dual = learned(n, degree)
        test = random_lists(SCORED // _CANDIDATES, WORDS, seed=2)
        support = len(dual.alphas())
        rows.append(
            {
                "kind": "forms",
                "name": f"{n} lists, products of {degree}",
                "lists": n,
                "d": WORDS**degree,
                "k": WORDS,
                "support": support,
                "nk": support * WORDS,
                "primal_us": _microseconds(partial(primal.rank, written_down(test, degree))),
                "dual_us": _microseconds(partial(dual.rank, test)),
            }
        )
    return rows


def crossings(rows: Sequence[Row]) -> list[Row]:
    """Return for each number of lists the d at which both forms take the same time; none where they do not cross."""
    found = []
    for n in dict.fromkeys(row["lists"] for row in rows):
        here = [row for row in rows if row["lists"] == n]
        gains = [(log(row["d"]), log(row["primal_us"] / row["dual_us"])) for row in here]
        crossed = None
        for (left, before), (right, after) in pairwise(gains):
            if before <= 0 < after:
                crossed = exp(left + (right - left) * before / (before - after))
        mean = sum(row["nk"] for row in here) / len(here)
        found.append({"kind": "crossing", "name": f"{n} lists", "nk": mean, "d": crossed})
    return found


def tree_sizes() -> list[Row]:
    """Return d and k of generated trees by their size, and the support with which both forms cost the same."""
    trees = [read_tree(sentence.bracketed()) for sentence in generate(300, 1)]
    rows = []
    for size in SIZES:
        tree = min(trees, key=lambda tree: abs(len(list(nodes(tree))) - size))
        count = len(list(nodes(tree)))
        d = fragment_count(tree)
        figures = {"nodes": count, "d": d, "k": count**2, "support": d / count**2}
        rows.append({"kind": "trees", "name": f"{count} nodes", **figures})
    return rows


def fragment_count(tree: Tree) -> int:
    """Return the number of fragments of a tree, without writing them down.

    >>> fragment_count(read_tree("(NP (DT the) (NN dog))"))
    6
    """

    def rooted(node: Tree) -> int:
        return 1 if isinstance(node[1], str) else prod(1 + rooted(child) for child in node[1])

    return sum(map(rooted, nodes(tree)))


def _microseconds(work: Callable[[], object]) -> float:
    """Return the CPU time of scoring one of the candidates: the least of three runs, which is disturbed least."""
    return max(min(timed(work) for _ in range(3)), 1e-9) / SCORED * 1e6
