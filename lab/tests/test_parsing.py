"""The parsers of the laboratory and those of the core: the same weights from the same treebank, and the same trees."""

from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import in_lab
from parsers import tagged

import sapwood
from sapwood import DependencyParser
from sapwood.templates import find_template
from sapwood_lab.arc_hybrid import Configuration
from sapwood_lab.arc_parser import ArcParser
from sapwood_lab.atoms import Sentence
from sapwood_lab.beam import BeamParser
from sapwood_lab.easy_first import EasyFirstParser
from sapwood_lab.eisner import eisner
from sapwood_lab.eisner_against import eisner_against
from sapwood_lab.errors import DataError, OptionError, TemplateError
from sapwood_lab.k_best import k_best_trees
from sapwood_lab.losses import constant
from sapwood_lab.mira import KBestParser, hildreth
from sapwood_lab.parsing import Tree, is_projective
from sapwood_lab.passive_aggressive import PassiveAggressive

ARCS = "[arcs]\nhw mw\nht mt\nhc mp\nmw\nhs\nht h+1t m-1t mt\nht bt mt\n[siblings]\nst mt\nht st mt\nsw ml\n"
ATTACHMENTS = (
    "[attachments]\np0t p1t\np0w\np1w\np-1t p0t p1t\np0t p1t p2t\np0t p0lt p1t\np1t p1rd\np0nc p1len\np0-p1 p0t\n"
    "p0vl p1vr p0c\np1pp\np1l2w p1c\np-2t\np3s\np2-p3 p3l\n"
)
TRANSITIONS = (
    "[transitions]\nS0t N0t\nS0w\nN0w N1t\nS1t S0t\nS2t\nS0lt S0t\nS1rd S1t\nN0ld N0t\nS0l2t\nS0-N0 S0c\nS1-S0\n"
    "S0vl S0vr\nN0vl N0p\nN2s\n"
)
KINDS = {
    "eisner": (ARCS, {"search": "eisner", "labelling": "none"}, ArcParser, {}),
    "eisner-2": (ARCS, {"search": "eisner", "order": 2, "labelling": "none"}, ArcParser, {"order": 2}),
    "easy-first": (ATTACHMENTS, {"search": "easy-first", "labelling": "joint"}, EasyFirstParser, {}),
    "easy-first-unlabelled": (
        ATTACHMENTS.replace("p1t p1rd\n", ""),  # relations have other names in the core where there are none
        {"search": "easy-first", "labelling": "none"},
        EasyFirstParser,
        {"labelled": False},
    ),
    "easy-first-repeat": (
        ATTACHMENTS,
        {"search": "easy-first", "labelling": "joint", "guided": "repeat"},
        EasyFirstParser,
        {"guided": "repeat"},
    ),
    "beam": (TRANSITIONS, {"beam": 3, "update_strategy": "early"}, BeamParser, {"beam": 3}),
    "beam-max": (TRANSITIONS, {"beam": 3}, BeamParser, {"beam": 3, "update": "max"}),
}
LEARNING = {
    "averaged": {"update": "perceptron", "average": True},
    "last": {"update": "perceptron", "average": False},
    "margin": {"update": "margin", "gamma": 2.0, "average": True},
    "last-margin": {"update": "margin", "gamma": 0.5, "average": False},
    "by-weight": {"update": "perceptron", "average": True, "count_updates": "weight"},
    "last-margin-by-weight": {"update": "margin", "gamma": 2.0, "average": False, "count_updates": "weight"},
    "constant": {"update": "margin", "gamma": 4.0, "cost": "constant", "average": True},
    "last-constant": {"update": "margin", "gamma": 1.0, "cost": "constant", "average": False},
}
NO_CONSTANT_COST = {"eisner-2", "easy-first", "easy-first-unlabelled", "easy-first-repeat"}


def short(count, seed):
    """The sentences of at most 8 words among the first of the generated treebank, and their trees."""
    pairs = [pair for pair in zip(*tagged(count, seed), strict=True) if len(pair[0]) <= 8]
    return [words for words, _ in pairs], [tree for _, tree in pairs]


WORDS, TREES = short(60, seed=1)
TEST, _ = short(40, seed=2)


@pytest.mark.few(5)
@pytest.mark.parametrize("learning", LEARNING)
@pytest.mark.parametrize("kind", KINDS)
def test_the_core_learns_the_same_weights_and_trees(kind, learning):
    template, core, make, lab = KINDS[kind]
    learner = LEARNING[learning]
    if "count_updates" in learner and kind.startswith("easy-first"):
        with pytest.raises(sapwood.OptionError, match="easy-first search makes multiclass decisions"):
            DependencyParser(template=template, **core, **learner).fit(WORDS, TREES)
        with pytest.raises(OptionError, match="count_updates is feature or, for structures"):
            make(template, **lab, count_updates="weight")
        return
    common = {"min_updates": 2, "epochs": 2, "seed": 3}
    if "cost" in learner and kind in NO_CONSTANT_COST:
        with pytest.raises(OptionError, match="constant"):
            make(template, **lab, loss=constant(1.0))
        with pytest.raises(
            sapwood.OptionError, match="a constant cost needs a beam of 2 or more, or search eisner of order 1"
        ):
            DependencyParser(template=template, **core, **learner).fit(WORDS, TREES)
        return
    fast = DependencyParser(template=template, bits=32, names=True, drop_below=0, **core, **learner, **common)
    fast.fit(WORDS, TREES)
    slow = make(template, **lab, **in_lab(common | learner)).fit(WORDS, TREES)
    found = {(name, output.name): weight for output, weight, name in fast.contents.weights()}
    assert found == pytest.approx(slow.weights(), rel=1e-6, abs=1e-5)
    assert len(found) > (30 if "count_updates" in learner else 100)
    if not learner["average"]:  # whole numbers: a mean in float32 may break ties in another way
        trees = [Tree(tuple(heads), tuple(deprels)) for heads, deprels in fast.predict([*WORDS, *TEST])]
        assert slow.predict([*WORDS, *TEST]) == trees


# A decision that is presented until its loss is 0 ends in ties, which rounding breaks.
@pytest.mark.few(2)
@pytest.mark.parametrize("C", [0.05, 100.0])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "easy-first-repeat"])
def test_the_core_takes_the_same_passive_aggressive_steps(kind, C):
    template, core, make, lab = KINDS[kind]
    common = {"gamma": 0.71875, "average": False, "min_updates": 1, "epochs": 2, "seed": 3}
    core = core | {"update": "pa", "aggressiveness": C}
    fast = DependencyParser(template=template, bits=32, names=True, drop_below=0, **core, **common).fit(WORDS, TREES)
    slow = make(template, rule=PassiveAggressive(C), **lab, **in_lab(common)).fit(WORDS, TREES)
    assert_near({(name, output.name): weight for output, weight, name in fast.contents.weights()}, slow.weights())


def assert_near(found, expected):
    """The same weights. One that is next to 0 may be missing: by rounding, a tree may be right by just enough."""
    assert len(expected) > 100
    for key in {*found, *expected}:
        assert found.get(key, 0.0) == pytest.approx(expected.get(key, 0.0), rel=1e-4, abs=1e-4)


@pytest.mark.few(2)
@pytest.mark.parametrize("C", [0.05, 100.0])
@pytest.mark.parametrize("average", [True, False])
def test_k_best_mira_is_the_core(average, C):
    """All trees of at most three words are among the 7 best, so it does not matter which of equal ones come first."""
    few = [(x, y) for x, y in zip(*tagged(400, 5), strict=True) if len(x) <= 3]
    words, trees = [x for x, _ in few], [y for _, y in few]
    common = {"gamma": 1.0, "average": average, "min_updates": 1, "epochs": 3, "seed": 3}
    core = {"search": "eisner", "labelling": "none", "update": "pa", "aggressiveness": C, "k_best": 7}
    fast = DependencyParser(template=ARCS, bits=32, names=True, drop_below=0, **core, **common).fit(words, trees)
    slow = KBestParser(ARCS, k=7, C=C, **in_lab(common)).fit(words, trees)
    assert_near({(name, output.name): weight for output, weight, name in fast.contents.weights()}, slow.weights())


@pytest.mark.slow
@given(
    seed=st.integers(0, 2**64 - 1),
    min_updates=st.integers(1, 3),
    lines=st.sets(st.sampled_from(ATTACHMENTS.split("\n")[1:-1]), min_size=1, max_size=4),
    learning=st.sampled_from(["last", "last-margin"]),
)
def test_guided_learning_repeats_as_often_as_the_laboratory(seed, min_updates, lines, learning):
    template, learner = "[attachments]\n" + "\n".join(sorted(lines)) + "\n", LEARNING[learning]
    options = {"guided": "repeat", "min_updates": min_updates, "epochs": 2, "seed": seed}
    data, events = (WORDS[:5], TREES[:5]), []
    core = {"search": "easy-first", "labelling": "joint", "bits": 32, "names": True, "drop_below": 0, **learner}
    fast = DependencyParser(template=template, **core, **options).fit(*data, on_event=events.append)
    slow = EasyFirstParser(template, **in_lab(learner), **options).fit(*data)
    assert {(name, output.name): weight for output, weight, name in fast.contents.weights()} == slow.weights()
    assert (events[-1].repeated, events[-1].given_up) == (slow.presentations.repeated, slow.presentations.given_up)
    assert fast.model_.provenance.get("repeated", 0) == slow.presentations.repeated


def test_a_decision_whose_features_are_those_of_a_wrong_one_is_given_up():
    """The first word has to be attached before the second one; both have the same features."""
    data = [["a", "a", "a"]], [([2, 3, 0], ["x", "x", "root"])]
    options, events = {"template": "[attachments]\np0w p1w\n", "guided": "repeat", "epochs": 1, "min_updates": 1}, []
    slow = EasyFirstParser(**options).fit(*data)
    fast = DependencyParser(search="easy-first", labelling="joint", update="perceptron", **options)
    fast.fit(*data, on_event=events.append)
    assert slow.presentations.given_up == 1
    assert (events[-1].repeated, events[-1].given_up) == (slow.presentations.repeated, slow.presentations.given_up)


@pytest.mark.few(1)
@pytest.mark.parametrize(("search", "make"), [("easy-first", EasyFirstParser), ("beam", BeamParser)])
def test_shipped_templates_are_read_by_the_laboratory(search, make):
    """Sets of relations and tags are hashed to 64 bits in the core, so without the lines that look at them."""
    lines = find_template(search, "parse").text.split("\n")
    sets = tuple(side + letter for side in "sc" for letter in "lr")
    template = "\n".join(line for line in lines if not any(atom.endswith(sets) for atom in line.split()))
    options = {"min_updates": 1, "epochs": 1, "average": False}
    fast = DependencyParser(
        template=template, bits=32, drop_below=0, search=search, labelling="joint", beam=2,
        update="perceptron", update_strategy="early", **options,
    ).fit(WORDS[:6], TREES[:6])  # fmt: skip
    slow = make(template, **options, **({"beam": 2} if search == "beam" else {})).fit(WORDS[:6], TREES[:6])
    assert slow.predict(TEST) == [Tree(tuple(h), tuple(d)) for h, d in fast.predict(TEST)]


@cache
def trees_of(n):
    """The heads of all projective trees with one root."""
    return [heads for heads in product(range(n + 1), repeat=n) if is_projective(heads)]


@given(n=st.integers(1, 4), order=st.sampled_from([1, 2]), data=st.data())
def test_eisner_finds_the_best_of_all_trees(n, order, data):
    scores = {}

    def score(*part):
        return scores.setdefault(part, data.draw(st.integers(-3, 3)))

    def whole(heads):
        total = 0
        for m, h in enumerate(heads, 1):
            total += score(h, m)
            between = [c for c, head in enumerate(heads, 1) if head == h and min(h, m) < c < max(h, m)]
            if order == 2:
                total += score(h, min(between, key=lambda c: abs(m - c), default=None), m)
        return total

    found = eisner(n, score, score if order == 2 else None)
    assert whole(found) == max(map(whole, trees_of(n)))


@given(n=st.integers(1, 4), k=st.integers(1, 40), seed=st.integers(0, 2**32))
def test_the_k_best_trees_are_the_best_of_all(n, k, seed):
    random = Random(seed)
    scores = {(h, m): random.randint(-3, 3) for h in range(n + 1) for m in range(1, n + 1)}
    every = {heads: sum(scores[h, m] for m, h in enumerate(heads, 1)) for heads in trees_of(n)}
    found = k_best_trees(n, lambda h, m: scores[h, m], k)
    assert all(every[heads] == score for heads, score in found)
    assert [score for _, score in found] == sorted(every.values(), reverse=True)[:k]
    assert len({heads for heads, _ in found}) == len(found)


@given(k=st.integers(1, 4), seed=st.integers(0, 2**32), C=st.sampled_from([0.1, 1.0, 100.0]))
def test_hildreth_finds_the_largest(k, seed, C):
    """Neither a small step of one alpha nor one of two is an ascent."""
    random = Random(seed)
    v = [{f: random.choice([-1.0, 1.0, 2.0]) for f in random.sample("abcdef", 3)} for _ in range(k)]
    b = [random.uniform(-1, 3) for _ in range(k)]

    def value(alpha):
        change = [sum(a * v_j.get(f, 0.0) for a, v_j in zip(alpha, v, strict=True)) for f in "abcdef"]
        return sum(a * b_j for a, b_j in zip(alpha, b, strict=True)) - sum(x * x for x in change) / 2

    alpha = hildreth(v, b, C)
    assert all(0 <= a <= C for a in alpha)
    for steps in product((-1e-3, 0.0, 1e-3), repeat=k):
        moved = [min(C, max(0.0, a + step)) for a, step in zip(alpha, steps, strict=True)]
        assert value(moved) <= value(alpha) + 1e-9


@cache
def spans(kind, s, t):
    """The arcs of all structures over a span, by Eisner's recurrences, in the order in which ties are broken."""
    if s == t:
        return [()]
    if kind == "C_right":
        return [a + b for r in range(s + 1, t + 1) for a in spans("I_right", s, r) for b in spans("C_right", r, t)]
    if kind == "C_left":
        return [a + b for r in range(s, t) for a in spans("C_left", s, r) for b in spans("I_left", r, t)]
    arc = (s, t) if kind == "I_right" else (t, s)
    return [(arc, *a, *b) for r in range(s, t) for a in spans("C_right", s, r) for b in spans("C_left", r + 1, t)]


def trees_in_order(n):
    for m in range(1, n + 1):
        for a, b in product(spans("C_left", 1, m), spans("C_right", m, n)):
            yield tuple(h for h, _ in sorted(((0, m), *a, *b), key=lambda arc: arc[1]))


@given(n=st.integers(1, 5), gamma=st.integers(0, 4), data=st.data())
def test_gold_is_held_against_all_other_trees(n, gamma, data):
    """Of the trees that score the same the first one wins, gold or not."""
    every = list(trees_in_order(n))
    assert sorted(every) == sorted(trees_of(n))
    gold, scores = data.draw(st.sampled_from(every)), {}

    def arc(h, m):
        return scores.setdefault((h, m), data.draw(st.integers(-1, 1)))

    def score(heads):
        return sum(arc(h, m) for m, h in enumerate(heads, 1)) + gamma * (heads != gold)

    assert eisner_against(gold, gamma, arc) == max(every, key=score)


@pytest.mark.few(1)
@pytest.mark.parametrize("gamma", [1.0, 3.0])
def test_a_beam_of_any_size_holds_gold_against_all_other_derivations(gamma):
    """Of each number of transitions all derivations are ranked; one that is not gold has gamma added."""
    words = [[("a", "D"), ("cat", "N"), ("sat", "V")], [("cats", "N"), ("sat", "V"), ("on", "P")]]
    trees = [([2, 3, 0], ["x", "y", "y"]), ([2, 0, 2], ["x", "y", "x"])]
    parser = BeamParser(TRANSITIONS, beam=10**6, update="max", loss=constant(gamma))

    def successors(x, derivation):
        c = Configuration(x)
        for t in derivation:
            c = c.after(t)
        return [(*derivation, t) for t in parser.possible(c)]

    def all_ranked(x, gold):
        """Yield the gold derivation and the best one of all, of each number of transitions, and how far it is ahead."""
        c, right, ranked = Configuration(x), (), [()]
        while not c.done:
            right, c = (*right, c.oracle(gold)), c.after(c.oracle(gold))
            longer = [d for derivation in ranked for d in successors(x, derivation)]
            scores = {d: parser.score(parser.phi(x, d)) + gamma * (d != right) for d in longer}
            ranked = sorted(longer, key=lambda d: -scores[d])
            yield right, ranked[0], scores[ranked[0]] - scores[right]

    updates = 0
    for x, gold in parser.read(words, trees) * 4:
        wrong = [found for found in all_ranked(x, gold) if found[0] != found[1]]
        steps = list(parser.learn((x, gold)))
        assert len(steps) == bool(wrong)
        if wrong:
            right, guess, _ = max(wrong, key=lambda found: found[2])
            named = [", ".join(f"{t.move} {t.label}".rstrip() for t in d) for d in (right, guess)]
            assert [steps[0].gold, steps[0].guess] == named
            updates += 1
    assert 1 < updates < 8


def test_projective_trees_are_counted_and_known():
    assert [len(trees_of(n)) for n in range(1, 6)] == [1, 2, 7, 30, 143]  # of n words with one root: OEIS A006013
    assert not is_projective([2, 1])
    assert not is_projective([2, 1, 0])
    assert not is_projective([0, 3])
    assert not is_projective([0, 0])


@given(st.integers(1, 5).flatmap(lambda n: st.sampled_from(trees_of(n))))
def test_the_oracle_builds_the_gold_tree(heads):
    gold, c = Tree(tuple(heads), tuple(f"r{m}" for m in range(len(heads)))), Configuration(Sentence(["w"] * len(heads)))
    for _ in range(2 * len(heads)):
        t = c.oracle(gold)
        assert t.move in c.moves()
        if t.move != "shift":
            right, made = c.arcs_of(t, gold)
            assert right == made
        c = c.after(t)
    assert c.done
    assert c.arcs.tree() == gold


@pytest.mark.parametrize("make", [ArcParser, EasyFirstParser, BeamParser])
def test_what_the_laboratory_does_not_read_is_refused(make):
    template = ARCS + ATTACHMENTS + TRANSITIONS
    for heads in ([3, 4, 4, 0], [0, 0, 1, 1], [2, 1, 0, 3], [0, 9, 1, 1]):
        with pytest.raises(DataError, match="sentence 1: the laboratory learns from projective trees with one root"):
            make(template).fit([list("abcd")], [(heads, ["x"] * 4)])
    with pytest.raises(DataError, match="1 sentences have 0 trees"):
        make(template).fit([["a"]], [])
    with pytest.raises(DataError, match="no example"):
        make(template).fit([], [])
    with pytest.raises(TemplateError, match="no section"):
        make("[labels]\nhw\n")
    with pytest.raises(TemplateError, match="no atom 'qq'"):
        make(template.replace("\n", "\nqq\n", 1).replace("]\n", "]\nqq\n")).fit([["a", "b"]], [([2, 0], ["x", "y"])])
    with pytest.raises(OptionError, match="epochs is at least 1"):
        make(template, epochs=0)
