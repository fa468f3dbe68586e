"""The checkers of lesson 5: rankers beside their definitions, kernels beside lists of all substructures."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache, partial
from itertools import combinations
from random import Random
from typing import Any

from sapwood_lab.lessons.check.slips import Tried, compare
from sapwood_lab.lessons.check.verdict import checker, differs, instance, shown
from sapwood_lab.tree_kernel import by_fragments, production
from sapwood_lab.trees import Tree, bracketed, nodes, read_tree

ENOUGH = 0.8  # of the test sentences, with a kernel of one's own

Vector = dict[Any, Any]  # of numbers
Lists = list[tuple[list[Any], int]]  # of candidates, and the number of the best
Alpha = dict[tuple[int, int], int]
Kernel = Callable[[Any, Any], Any]


@checker
def h(mine: Callable[[Tree], Vector]) -> str:
    """Compare the rules of some trees with their productions."""
    for tree in _trees(30):
        right = Counter(_rule(node) for node in nodes(tree))
        got = instance(mine(tree), dict, "h(tree)")
        case = f"in {bracketed(tree)}"
        if odd := [rule for rule in got if not isinstance(rule, str)]:
            differs(f"a feature is a text such as 'NP -> DT NN', and not {shown(odd[0])}")
        if missing := [rule for rule in right if rule not in got]:
            if like := [rule for rule in got if rule.replace(" ", "") == missing[0].replace(" ", "")]:
                differs(f"the rule {like[0]!r} is written with other spaces than 'NP -> DT NN' has")
            word = any(_rule(node) == missing[0] and isinstance(node[1], str) for node in nodes(tree))
            kind = "a word" if word else "labels"
            differs(f"a rule with {kind} is missing {case}: that of {missing[0].split()[0]}")
        if more := [rule for rule in got if rule not in right]:
            differs(f"{more[0]!r} is no rule {case}")
        if got != right and set(got.values()) == {1}:
            differs(f"every rule has the value 1; but one occurs more often {case}, and the value says how often")
        if got != right:
            wrong = next(rule for rule in right if got[rule] != right[rule])
            differs(f"{wrong!r} has the value {got[wrong]}, which is not how often it occurs {case}")
    return "the rules of 30 trees, compared with their productions"


def _rule(node: Tree) -> str:
    label, below = production(node)
    return f"{label} -> {below if isinstance(below, str) else ' '.join(below)}"  # type: ignore[arg-type]


@checker
def primal(mine: Callable[[Lists, int], Vector]) -> str:
    """Compare the weights of a ranker with those of the definition."""
    tried = []
    for lists, epochs in _lists(40):
        given = deepcopy(lists)
        w = instance(mine(given, epochs), dict, "w")
        if given != lists:
            differs("the lists have changed: is w the same dict as a candidate? It has to be a new one")
        slips = {
            "only one pass is made": _primal(lists, 1),
            "of equal candidates the last one is the guess, not the first": _primal(lists, epochs, "last"),
            "h(best) is not added": _primal(lists, epochs, add=0),
            "h(guess) is not taken off": _primal(lists, epochs, take=0),
            "the update has the wrong sign: the best one must gain": _primal(lists, epochs, add=-1, take=-1),
            "h(guess) is added; it should be taken off": _primal(lists, epochs, take=-1),
            "h(best) is taken off; it should be added": _primal(lists, epochs, add=-1),
            "the best one is taken to be the first of each list": _primal(lists, epochs, best=0),
            "all other candidates are taken off; only the guess is": _primal(lists, epochs, every=True),
        }
        tried.append(Tried(f"after {epochs} passes over {shown(lists)}", w, _primal(lists, epochs), slips))
    compare("w", tried)
    return "the weights of 40 trainings, compared with the definition"


def _primal(
    lists: Lists,
    epochs: int,
    ties: str = "first",
    add: int = 1,
    take: int = 1,
    best: int | None = None,
    every: bool = False,
) -> Vector:
    """Return w, by the definition or with a typical mistake."""
    w: Vector = Counter()
    for _ in range(epochs):
        for x, gold in lists:
            y = gold if best is None else best
            scores = [_dot(w, each) for each in x]
            top = [j for j, score in enumerate(scores) if score == max(scores)]
            j = top[0] if ties == "first" else top[-1]
            for wrong in [k for k in range(len(x)) if k != y] if every else [j]:
                if j != y:
                    for f, value in x[y].items():
                        w[f] += add * value
                    for f, value in x[wrong].items():
                        w[f] -= take * value
    return dict(w)


def _dot(x: Mapping[Any, Any], y: Mapping[Any, Any]) -> Any:
    return sum(value * y[f] for f, value in x.items() if f in y)


@checker
def dual(G: Callable[[Any, Alpha, Lists, Kernel], float], train: Callable[[Lists, Kernel, int], Alpha]) -> str:
    """Compare G with the definition, and alpha with the updates of the primal form."""
    tried = []
    for lists, epochs in _lists(40):
        random = Random(epochs)
        alpha = {(i, j): random.randint(1, 3) for i, (x, best) in enumerate(lists) for j in range(len(x)) if j != best}
        for x in lists[0][0]:
            gold = sum(n * _dot(lists[i][0][lists[i][1]], x) for (i, _), n in alpha.items())
            wrong = sum(n * _dot(lists[i][0][j], x) for (i, j), n in alpha.items())
            once = sum(_dot(lists[i][0][lists[i][1]], x) - _dot(lists[i][0][j], x) for i, j in alpha)
            slips = {
                "the sign of G is wrong: what is like the best candidates must score high": wrong - gold,
                "in G the products with the best candidates are missing": -wrong,
                "in G the products with the wrong guesses are missing": gold,
                "G adds up alpha K alone, as with signed alphas; but here alpha counts wrong guesses, whose products "
                "are taken off those with the best": wrong,
                "in G alpha itself is left out": once,
            }
            got = instance(G(x, dict(alpha), lists, _dot), float, "G(...)")
            tried.append(Tried(f"for x = {x}, alpha = {alpha}, lists = {shown(lists)}", got, gold - wrong, slips))
    compare("G", tried)
    tried = []
    for lists, epochs in _lists(40):
        given_back = instance(train(lists, _dot, epochs), dict, "alpha")
        alphas = {pair: n for pair, n in given_back.items() if n}
        if odd := [pair for pair in alphas if not (isinstance(pair, tuple) and len(pair) == 2)]:
            differs(f"the keys of alpha are pairs (i, j), and not {shown(odd[0])}")
        case = f"after {epochs} passes over {shown(lists)}"
        if odd := [(i, j) for i, j in alphas if not (i < len(lists) and j < len(lists[i][0]))]:
            differs(f"alpha has {odd[0]}, but i is the number of a list and j of a candidate, from 0 ({case})")
        signed = "alpha is signed, one grows and one falls; here it only counts how often each was wrongly the guess"
        slips = {
            "alpha stays empty": {},
            "only one pass is made": _dual(lists, 1),
            "of candidates that score the same, the last is the guess, not the first": _dual(lists, epochs, "last"),
            "alpha falls; it should grow, as G takes off what was wrong": _dual(lists, epochs, sign=-1),
            signed: _dual(lists, epochs, sign=-1, best_too=1),
            f"{signed}: the best one has none": _dual(lists, epochs, best_too=-1),
            "the alpha of the best one grows, too; only the guess's does": _dual(lists, epochs, best_too=1),
            "a guess that was right has an alpha: only updates are counted": _dual(lists, epochs, right_too=1),
            "alpha grows for the best one, not for the guess": {
                k: n for k, n in alphas.items() if lists[k[0]][1] == k[1]
            },
        }
        tried.append(Tried(case, alphas, _dual(lists, epochs), slips))
    if {n for each in tried for n in each.got.values()} == {1}:
        differs("alpha is never more than 1, though some guesses were wrong more than once")
    compare("alpha", tried)
    return "the scores of 40 alphas and the alphas of 40 trainings, compared with the primal form"


def _dual(
    lists: Lists, epochs: int, ties: str = "first", sign: int = 1, best_too: int = 0, right_too: int = 0
) -> Alpha:
    """Return alpha, from the weights: the guesses are those of the primal form."""
    w: Vector = Counter()
    alpha: Counter[tuple[int, int]] = Counter()
    for _ in range(epochs):
        for i, (x, best) in enumerate(lists):
            scores = [_dot(w, each) for each in x]
            top = [j for j, score in enumerate(scores) if score == max(scores)]
            j = top[0] if ties == "first" else top[-1]
            alpha[i, best] += right_too if j == best else best_too
            if j != best:
                alpha[i, j] += sign
                for f, value in x[best].items():
                    w[f] += sign * value
                for f, value in x[j].items():
                    w[f] -= sign * value
    return dict(alpha)


@checker
def subsequence_kernel(h: Callable[[str, int, float], Vector], K: Callable[[str, str, int, float], float]) -> str:
    """Compare the subsequences of short texts and their kernels with a list of all."""
    cases, tried = list(_texts(60)), []
    for s, _, n, decay in cases:
        got = instance(h(s, n, decay), dict, "subsequences(...)")
        right = _subsequences(s, n, decay)
        case = f"for s = {s!r}, n = {n}, decay = {decay}"
        if odd := [u for u in got if not isinstance(u, tuple)]:
            differs(f"a subsequence is a tuple, and not {shown(odd[0])}")
        if more := [u for u in got if u not in right and got[u]]:
            differs(f"{more[0]} is no subsequence of {n} symbols {case}")
        slips = {
            "the decay is forgotten": _subsequences(s, n, 1),
            "the decay counts the symbols, and not the stretch from first to last": _subsequences(s, n, decay, len),
            "the stretch is one too short": _subsequences(s, n, decay, lambda places: places[-1] - places[0]),
            "a subsequence that occurs again is not added to what it had": _subsequences(s, n, decay, add=False),
            "those with a gap are missing": _subsequences(s, n, decay, gaps=False),
        }
        tried.append(Tried(case, got, right, slips))
    compare("h", tried)
    tried = []
    for s, t, n, decay in cases:
        first, second = (_subsequences(r, n, decay) for r in (s, t))
        plain = _subsequences(t, n, 1)
        values = {
            "every pair is counted twice": 2 * _dot(first, second),
            "the decay is forgotten": _dot(_subsequences(s, n, 1), plain),
            "only one of both has its decay; K is a product of two values": _dot(first, plain),
            "that is how many subsequences both have; their values are left out": len(set(first) & set(second)),
        }
        got_K = instance(K(s, t, n, decay), float, "K(s, t)")
        tried.append(Tried(f"for s = {s!r}, t = {t!r}, n = {n}, decay = {decay}", got_K, _dot(first, second), values))
    compare("K", tried)
    return "60 pairs of texts, compared with a list of all their subsequences"


def _subsequences(
    s: str,
    n: int,
    decay: float,
    length: Callable[[tuple[int, ...]], int] = lambda places: places[-1] - places[0] + 1,
    add: bool = True,
    gaps: bool = True,
) -> Vector:
    """Return h(s), by the definition or with a typical mistake."""
    found: Vector = Counter()
    for places in combinations(range(len(s)), n):
        u = tuple(s[k] for k in places)
        if gaps or places[-1] - places[0] + 1 == n:
            found[u] = (found[u] if add else 0) + decay ** length(places)
    return dict(found)


@checker
def tree_kernel(mine: Callable[[Tree, Tree, float], float]) -> str:
    """Compare a tree kernel with a list of all fragments."""
    random, trees = Random(7), sorted(_trees(40), key=lambda tree: len(bracketed(tree)))
    tried = []
    for T1 in trees:
        for T2 in (T1, random.choice(trees)):
            for decay in (1.0, 0.5):
                K = partial(_kernel, T1, T2, decay)
                slips = {
                    "the decay is forgotten": by_fragments(T1, T2),
                    "every pair is counted twice": 2 * K(),
                    "a child may also be left as it is, which is one more way": K(opened=lambda ways: ways),
                    "an f with children below it is not multiplied by the decay": K(inner=1.0),
                    "an f with a word below it is not multiplied by the decay": K(leaf=1.0),
                    "the decay is there once; each f has to be multiplied by it": decay * by_fragments(T1, T2),
                    "the children's ways are added up; they are independent": K(add=True),
                    "nodes are compared by their labels only": K(same=lambda n1, n2: n1[0] == n2[0]),
                    "only the roots are compared; K is a sum over all pairs of nodes": K(roots=True),
                    "each node is compared with the one in the same place only; K is a sum over all pairs": sum(
                        _kernel(a, b, decay, roots=True) for a, b in zip(nodes(T1), nodes(T2), strict=False)
                    ),
                }
                got = instance(mine(T1, T2, decay), float, "K(T1, T2)")
                case = f"for {bracketed(T1)} and {bracketed(T2)}, decay {decay:g}"
                tried.append(Tried(case, got, by_fragments(T1, T2, decay), slips))
    compare("K", tried)
    return "80 pairs of trees, compared with a list of all their fragments"


def _kernel(
    T1: Tree,
    T2: Tree,
    decay: float,
    inner: float | None = None,
    leaf: float | None = None,
    opened: Callable[[float], float] = lambda ways: 1 + ways,
    same: Callable[[Tree, Tree], bool] = lambda n1, n2: production(n1) == production(n2),
    add: bool = False,
    roots: bool = False,
) -> float:
    """Return K with a typical mistake."""

    def f(n1: Tree, n2: Tree) -> float:
        if not same(n1, n2):
            return 0.0
        if isinstance(n1[1], str) or isinstance(n2[1], str):
            return decay if leaf is None else leaf
        ways = 0.0 if add else 1.0
        for a, b in zip(n1[1], n2[1], strict=False):
            ways = ways + opened(f(a, b)) if add else ways * opened(f(a, b))
        return ways * (decay if inner is None else inner)

    return f(T1, T2) if roots else sum(f(n1, n2) for n1 in nodes(T1) for n2 in nodes(T2))


@checker
def own_kernel(mine: Kernel, train: Lists, test: Lists) -> str:
    """See whether a function is a kernel, and how well the dual form ranks with it."""
    trees = [tree for x, _ in train[:8] for tree in x]
    table = [[instance(mine(x, y), float, "K(x, y)") for y in trees] for x in trees]
    for a, x in enumerate(trees):
        for b, y in enumerate(trees):
            if abs(table[a][b] - table[b][a]) > 1e-9 * max(1.0, abs(table[a][b])):
                differs(f"K(x, y) is not K(y, x) for x = {bracketed(x)}, y = {bracketed(y)}")
            if a == b and table[a][a] < 0:
                differs(f"K(x, x) is negative for x = {bracketed(x)}; it should be |h(x)|^2")
    if not _is_square(table):
        differs(
            f"it is no kernel: for {len(trees)} trees and some numbers c the sum of c_a c_b K(x_a, x_b) is negative"
        )
    K = cache(mine)
    alpha: Alpha = {}

    def G(x: Any) -> Any:
        return sum(n * (K(train[i][0][train[i][1]], x) - K(train[i][0][j], x)) for (i, j), n in alpha.items())

    for _ in range(4):
        for i, (x, best) in enumerate(train):
            guess = max(range(len(x)), key=[G(each) for each in x].__getitem__)
            if guess != best:
                alpha[i, guess] = alpha.get((i, guess), 0) + 1
    wrong = [(x, best) for x, best in test if max(range(len(x)), key=[G(each) for each in x].__getitem__) != best]
    right = 1 - len(wrong) / len(test)
    if right < ENOUGH:
        x, best = wrong[0]
        differs(
            f"it is a kernel, but only {right:.0%} of the test sentences are right with it. One that is wrong: "
            f"{bracketed(x[best])}. With which candidates of the training should this tree have something in common?"
        )
    return f"it is a kernel on {len(trees)} trees, and {right:.0%} of the test sentences are right with it"


def _is_square(table: Sequence[Sequence[float]]) -> bool:
    """Return whether a symmetric matrix is positive semidefinite: its Cholesky factor exists, pivots of 0 allowed."""
    rest = [list(row) for row in table]
    left = set(range(len(rest)))
    small = 1e-7 * max([rest[a][a] for a in left] + [1e-12])
    while left:
        p = max(left, key=lambda a: rest[a][a])
        if rest[p][p] <= small:
            return all(abs(rest[a][b]) <= 10 * small for a in left for b in left)
        left.remove(p)
        for a in left:
            for b in left:
                rest[a][b] -= rest[a][p] * rest[p][b] / rest[p][p]
    return True


def _lists(how_many: int) -> Iterator[tuple[Lists, int]]:
    """Yield small random lists of candidates, the smallest first, and a number of passes."""
    for seed in range(how_many):
        random = Random(seed)
        lists: Lists = []
        for _ in range(1 + seed // 10):
            x = [{f: random.choice((1, 1, 2)) for f in random.sample("abcde", 2)} for _ in range(random.randint(2, 3))]
            lists.append((x, random.randrange(len(x))))
        yield lists, 1 + seed % 4


def _texts(how_many: int) -> Iterator[tuple[str, str, int, float]]:
    for seed in range(how_many):
        random = Random(seed)
        s, t = ("".join(random.choices("abc", k=2 + random.randrange(1 + seed // 10))) for _ in range(2))
        yield s, t, random.randint(1, min(3, len(s))), random.choice((0.5, 0.25))


def _trees(how_many: int) -> list[Tree]:
    """Return small random trees of a grammar in which many subtrees are alike."""
    random = Random(3)

    def grow(label: str, depth: int) -> str:
        rules = {"S": ["NP VP"], "NP": ["D N", "N", "NP PP"], "VP": ["V NP", "V", "VP PP"], "PP": ["P NP"]}
        words = {"D": ["the", "a"], "N": ["dog", "cat"], "V": ["saw", "barks"], "P": ["in"]}
        if label in words:
            return f"({label} {random.choice(words[label])})"
        short = [rule for rule in rules[label] if label not in rule.split()]
        children = random.choice(rules[label] if depth < 3 else short).split()
        return f"({label} {' '.join(grow(child, depth + 1) for child in children)})"

    return [read_tree(grow(random.choice(["NP", "VP", "S"]), 1)) for _ in range(how_many)]
