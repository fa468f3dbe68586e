"""What all learners of the laboratory have: losses and averages of one's own, refusals, and structures of one's own."""

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import in_lab

import sapwood_lab
from sapwood_lab import (
    Average,
    EasiestFirstTagger,
    GreedyTagger,
    KBestParser,
    LazyAverage,
    Learner,
    Multiclass,
    PassiveAggressive,
    RankingPerceptron,
    ViterbiTagger,
    constant,
    hamming,
)
from sapwood_lab.errors import NotFittedError, OptionError, TemplateError
from sapwood_lab.walks.walk import EXAMPLES, make_walk

WALKS = [(example, algorithm) for example in ("chunking", "parsing", "ranking") for algorithm in EXAMPLES[example]]
WALKS += [("classification", "perceptron"), ("averaging", "perceptron")]


@pytest.mark.few(3)
@pytest.mark.parametrize("options", [{}, {"gamma": 2.0, "min_updates": 2}], ids=["perceptron", "margin"])
@pytest.mark.parametrize(("example", "algorithm"), WALKS)
def test_the_lazy_average_is_the_naive_one(example, algorithm, options):
    """Weights of whole numbers have sums of whole numbers, so the two means are the same to the last digit."""
    lazy, naive = (make_walk(example, algorithm, average=kind, **options) for kind in (True, Average))
    found = [[(step.clock, step.after) for step in walk.steps()] for walk in (lazy, naive)]
    assert found[0] == found[1]
    exact = example in ("chunking", "parsing", "averaging")
    assert lazy.learner.w == (naive.learner.w if exact else pytest.approx(naive.learner.w, rel=1e-12))
    assert len(lazy.learner.w) > 3


@given(updates=st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(-3, 3)), min_size=1))
def test_both_averages_are_the_mean_of_all_vectors(updates):
    lazy, naive, w, vectors = LazyAverage(), Average(), {}, []
    for c, change in enumerate(updates):
        w |= {k: w.get(k, 0) + n for k, n in change.items()}
        lazy.add(c, w, change)
        naive.add(c, w, change)
        vectors.append(dict(w))
    mean = {k: sum(v.get(k, 0) for v in vectors) / len(vectors) for k in w}
    assert lazy.mean(len(updates), w) == naive.mean(len(updates), w) == mean


def test_an_average_of_ones_own_is_asked():
    class Half:
        def add(self, c, w, change):
            self.last = c

        def mean(self, c, w):
            return {k: value / 2 for k, value in w.items()}

    data = [[("the", "D"), ("dog", "N")]]
    last = ViterbiTagger("U:%x[0,0]\nB\n", average=False).fit(data)
    half = ViterbiTagger("U:%x[0,0]\nB\n", average=Half).fit(data)
    assert half.w == {k: value / 2 for k, value in last.w.items()}


LABELS = "DNV"
sentences = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(LABELS)), min_size=1, max_size=4)


@pytest.mark.few(1)
@pytest.mark.parametrize("order", [1, 2])
@given(corpus=st.lists(sentences, min_size=2, max_size=4), prices=st.lists(st.integers(0, 4), min_size=9, max_size=9))
def test_with_a_loss_of_ones_own_the_guess_is_the_best_of_all_with_its_cost(order, corpus, prices):
    table = dict(zip(product(LABELS, repeat=2), prices, strict=True))

    def loss(gold, guess):
        return float(gold != guess and table[gold, guess])

    template = "U:%x[0,0]\nU1:%x[-1,0]/%x[0,0]\nB\nU2:%y[-2]/%y[-1]\n"
    tagger = ViterbiTagger(template, order=order, loss=loss, average=False, epochs=2).fit(corpus)
    for rows in corpus:
        gold = tuple(y for _, y in rows)
        every = list(product(tagger.labels, repeat=len(rows)))
        worth = {z: tagger.score(tagger.phi(rows, z)) + sum(map(loss, gold, z)) for z in every}
        assert worth[tagger.best(rows, gold)] == max(worth.values())
        assert tagger.score(tagger.phi(rows, tagger.best(rows))) == max(
            tagger.score(tagger.phi(rows, z)) for z in every
        )


@pytest.mark.parametrize("make", [GreedyTagger, EasiestFirstTagger, ViterbiTagger])
def test_what_costs_more_is_learned_by_more(make):
    """Alike from the start, the label that must not be taken for another is the guess that gold has to beat."""
    data = [[("a", "N")], [("b", "V")], [("c", "D")]]

    def loss(gold, guess):
        return 2.0 if (gold, guess) == ("N", "D") else float(gold != guess)

    first = next(make("U:%x[0,0]\n", loss=loss, seed=None).steps(data))
    assert [*first.guess] == ["D"]


class Orders(Learner):
    """The order of some words: a structure of a user's own, found by looking at all."""

    def phi(self, x, y):
        return {(" ".join(pair), "next"): 1.0 for pair in zip(["^", *y], [*y, "$"], strict=True)}

    def best(self, x, gold=None):
        def worth(z):
            cost = 0.0 if gold is None else sum(map(self.loss, gold, z))
            return self.score(self.phi(x, z)) + cost

        return max(permutations(sorted(x)), key=worth)


def test_a_structure_of_ones_own_needs_its_features_and_its_search():
    data = [(set(words), tuple(words)) for words in (["the", "dog", "barks"], ["the", "cat", "sleeps"])]
    learner = Orders(loss=hamming(1.0), epochs=10)
    steps = list(learner.steps(data))
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert learner.predict([x for x, _ in data]) == [y for _, y in data]
    assert repr(learner).startswith("Orders(rule=perceptron, loss=hamming(1.0), min_updates=1, ")
    with pytest.raises(NotFittedError, match="this Orders has learned nothing yet; call fit"):
        Orders().predict([{"a"}])


def test_who_has_learned_nothing_says_so():
    for learner in (ViterbiTagger("B\n"), GreedyTagger("B\n"), EasiestFirstTagger("B\n"), Multiclass()):
        with pytest.raises(NotFittedError, match=f"this {type(learner).__name__} has learned nothing yet"):
            learner.predict([])
    with pytest.raises(NotFittedError, match="has learned nothing yet"):
        RankingPerceptron().predict([])


def test_what_a_search_cannot_do_is_refused():
    for make in (GreedyTagger, EasiestFirstTagger, lambda text, loss: KBestParser("[arcs]\nht mt\n", loss=loss)):
        with pytest.raises(OptionError, match="its loss cannot be constant; hamming is one of parts"):
            make("B\n", loss=constant(1.0))
    with pytest.raises(OptionError, match="guided is once or repeat, not 'always'"):
        EasiestFirstTagger("B\n", guided="always")
    with pytest.raises(TypeError, match="gamma"):
        ViterbiTagger("B\n", gamma=1.0)


@pytest.mark.parametrize(
    "line", ["U:x[0,0]", "U:%x[0,0]/x[1,0]", "U:y[-1]", "word %x[0,0]", "b", "U:%y[-2]", "U:X [0,0]"]
)
def test_what_would_be_taken_for_text_is_refused(line):
    with pytest.raises(TemplateError, match=r"a line "):
        ViterbiTagger(line)


@pytest.mark.parametrize("line", ["U:%foo[0,0]", "U:%x[0]", "U:%X [0,0]", "U:100% sure", "U:%Y[-1]"])
def test_macros_that_are_unknown_are_refused(line):
    with pytest.raises(TemplateError, match="knows the macros"):
        ViterbiTagger(line)


def test_a_line_does_not_look_at_the_label():
    with pytest.raises(TemplateError, match=r"the data have 1 columns, counted from 0: U:%x\[0,1\]"):
        GreedyTagger("U:%x[0,1]\n").fit([[("the", "D")]])


def test_a_repr_shows_the_options():
    tagger = ViterbiTagger("U:%x[0,0]\n", order=2, rule=PassiveAggressive(0.5), **in_lab({"gamma": 1.5}))
    assert repr(tagger) == (
        "ViterbiTagger(template='U:%x[0,0]\\n', order=2, rule=PassiveAggressive(C=0.5), loss=hamming(1.5), "
        "min_updates=1, count_updates='feature', average=True, epochs=5, seed=1, ignored=frozenset())"
    )
    assert "average=Average" in repr(Multiclass(average=Average))


def test_every_name_of_the_laboratory_comes_from_it():
    for name in sapwood_lab.__all__:
        assert getattr(sapwood_lab, name) is not None
    assert sapwood_lab.Step._fields[-2:] == ("search", "then")
