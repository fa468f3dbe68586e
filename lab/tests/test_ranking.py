"""Rankers, kernels and the grammar of the laboratory beside the core's: the same weights, scores and trees."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import in_lab_of_lists
from reranking import as_features, as_heads, as_labels, attachments

from sapwood import PhraseParser, Reranker
from sapwood.datasets import generate
from sapwood_lab import Candidate, CandidateList
from sapwood_lab.dual import DualPerceptron, dot
from sapwood_lab.errors import DataError
from sapwood_lab.grammar import Grammar
from sapwood_lab.options import perceptron
from sapwood_lab.passive_aggressive import PassiveAggressive
from sapwood_lab.polynomial_kernel import polynomial_kernel
from sapwood_lab.ranking import RankingPerceptron
from sapwood_lab.subsequence_kernel import all_subsequences_kernel, subsequence_kernel
from sapwood_lab.tree_kernel import normalised, tree_kernel
from sapwood_lab.trees import bracketed, read_tree
from sapwood_lab.voted import Voted

LISTS, TEST = attachments(16, 1), attachments(8, 2)


@pytest.mark.parametrize("update", ["perceptron", "margin"])
@pytest.mark.parametrize("average", [True, False])
def test_primal_form_is_the_reranker(update, average):
    lists, test = as_features(LISTS), as_features(TEST)
    options = {"base_weight": 2.0, "average": average, "epochs": 3, "min_updates": 2, "gamma": 3.0}
    fast = Reranker(update=update, bits=32, drop_below=0, **options).fit(lists)
    slow = RankingPerceptron(**in_lab_of_lists(options | {"update": update})).fit(lists)
    assert slow.updates > 5
    for ours, theirs in zip(slow.rank(test), fast.rank(test), strict=True):
        assert ours == pytest.approx(theirs.scores, rel=1e-5, abs=1e-5)


def symbols_kernel(lists_of, symbols, length=2):
    """A subsequence kernel of candidates."""
    if length == 0:
        return lists_of, lambda x, y: all_subsequences_kernel(symbols(x), symbols(y), 0.5)
    return lists_of, lambda x, y: subsequence_kernel(symbols(x), symbols(y), length, 0.5)


def relations(tree):
    return [f"{deprel} {head - word:+d}" for word, (head, deprel) in enumerate(zip(*tree, strict=True), 1)]


KERNELS = {
    "tree": (lambda lists: lists, cache(lambda x, y: tree_kernel(read_tree(x), read_tree(y), 0.5))),
    "labels": symbols_kernel(as_labels, list),
    "heads": symbols_kernel(as_heads, relations),
    "heads, all lengths": symbols_kernel(as_heads, relations, 0),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("normalise", [True, False])
@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("name", KERNELS)
def test_dual_form_is_the_reranker_with_a_kernel(name, average, normalise):
    lists_of, kernel = KERNELS[name]
    options = {"base_weight": 0.5, "average": average, "epochs": 2, "gamma": 0.1}
    core = {"kernel": "tree" if name == "tree" else "subsequence", "decay": 0.5, "length": 2 * ("lengths" not in name)}
    fast = Reranker(update="margin", normalise=normalise, **core, **options).fit(lists_of(LISTS))
    slow = DualPerceptron(normalised(kernel) if normalise else kernel, **in_lab_of_lists(options)).fit(lists_of(LISTS))
    assert len(fast.support_) == len(slow.alphas()) > 2
    assert sorted(fast.support_.alphas()) == pytest.approx(sorted(alpha for alpha, _ in slow.alphas()))
    for ours, theirs in zip(slow.rank(lists_of(TEST)), fast.rank(lists_of(TEST)), strict=True):
        assert ours == pytest.approx(theirs.scores, rel=1e-5, abs=1e-6)


def with_scores(lists):
    """Features of candidates with the base model's score, which the core's kernels of features compare, too."""
    learner = RankingPerceptron()
    learner.read(as_features(LISTS))  # which say what the unit of the scores is
    return [replace(each, candidates=[with_score(c, each, learner.unit) for c in each.candidates]) for each in lists]


def with_score(candidate, each, unit):
    base = (candidate.score - max(c.score for c in each.candidates)) / unit
    return replace(candidate, structure={**candidate.structure, "score": base})


normal_polynomial = normalised(lambda x, y: polynomial_kernel(x, y, 3, 1.0))
OF_FEATURES = {"linear": dot, "polynomial": normal_polynomial}


@pytest.mark.parametrize("update", ["margin", "pa"])
def test_the_polynomial_kernel_is_that_of_the_reranker(update):
    lists, test = as_features(LISTS), as_features(TEST)
    options = {"base_weight": 0.5, "average": True, "epochs": 3, "gamma": 0.1}
    fast = Reranker(update=update, kernel="polynomial", degree=3, aggressiveness=0.25, **options).fit(lists)
    rule = PassiveAggressive(0.25) if update == "pa" else perceptron
    slow = DualPerceptron(normal_polynomial, rule=rule, **in_lab_of_lists(options)).fit(with_scores(lists))
    assert len(fast.support_) == len(slow.alphas()) > 2
    for ours, theirs in zip(slow.rank(with_scores(test)), fast.rank(test), strict=True):
        assert ours == pytest.approx(theirs.scores, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("C", [0.01, 100.0])
@pytest.mark.parametrize("form", ["primal", "dual"])
def test_passive_aggressive_steps_are_those_of_the_reranker(form, C):
    lists, test = (as_features(LISTS), as_features(TEST)) if form == "primal" else (LISTS, TEST)
    options = {"base_weight": 0.5, "epochs": 3, "gamma": 0.7}
    if form == "primal":
        fast = Reranker(update="pa", aggressiveness=C, bits=32, drop_below=0, **options).fit(lists)
        slow = RankingPerceptron(rule=PassiveAggressive(C), **in_lab_of_lists(options)).fit(lists)
    else:
        fast = Reranker(update="pa", aggressiveness=C, kernel="tree", decay=0.5, **options).fit(lists)
        slow = DualPerceptron(
            normalised(KERNELS["tree"][1]), rule=PassiveAggressive(C), **in_lab_of_lists(options)
        ).fit(lists)
    assert slow.updates > 5
    for ours, theirs in zip(slow.rank(test), fast.rank(test), strict=True):
        assert ours == pytest.approx(theirs.scores, rel=1e-4, abs=1e-5)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [*KERNELS, *OF_FEATURES])
def test_votes_are_those_of_the_reranker(name):
    lists_of, kernel = KERNELS[name] if name in KERNELS else (as_features, OF_FEATURES[name])
    kernel = normalised(kernel) if name in KERNELS else kernel
    lists, test = lists_of(LISTS), lists_of(TEST)
    core = {"kernel": name if name in ("tree", *OF_FEATURES) else "subsequence", "decay": 0.5, "degree": 3}
    core["length"] = 2 * ("lengths" not in name)
    options = {"base_weight": 0.5, "epochs": 2, "gamma": 0.1}
    fast = Reranker(update="margin", voted=True, **core, **options).fit(lists)
    if name in OF_FEATURES:
        lists, test = with_scores(lists), with_scores(test)
    learner = DualPerceptron(kernel, **in_lab_of_lists(options))
    voted = Voted(learner, lambda each: learner.predict([each])[0]).fit(lists)
    assert len(voted.W) == learner.updates + 1 > 3
    for each, theirs in zip(test, fast.rank(lists_of(TEST)), strict=True):
        votes = voted.votes(each)
        ours = [votes[j] / (2 * len(LISTS)) for j in range(len(each.candidates))]
        assert ours == pytest.approx(theirs.scores)


def test_both_forms_vote_alike():
    lists = [replace(each, candidates=[replace(c, score=0.0) for c in each.candidates]) for each in as_features(LISTS)]
    primal, dual = RankingPerceptron(epochs=2), DualPerceptron(dot, epochs=2)
    first, second = (Voted(form, lambda each, form=form: form.predict([each])[0]).fit(lists) for form in (primal, dual))
    assert [v for _, _, v in first.W] == [v for _, _, v in second.W]
    assert [first.votes(each) for each in lists] == [second.votes(each) for each in lists]


FEATURES = st.dictionaries(st.sampled_from("abcd"), st.integers(-3, 3), max_size=3)


@given(
    st.lists(st.lists(st.tuples(FEATURES, st.integers(0, 3)), min_size=1, max_size=4), min_size=1, max_size=6),
    st.sampled_from([0.0, 0.5, 2.0]),
    st.booleans(),
)
def test_both_forms_give_the_same_scores(rows, gamma, average):
    """F = G (Clark 2015: "exercise left for the reader")."""
    lists = [CandidateList("features", [Candidate(x, 0.0, loss) for x, loss in row]) for row in rows]
    options = in_lab_of_lists({"gamma": gamma, "average": average, "epochs": 3})
    primal, dual = (form.fit(lists) for form in (RankingPerceptron(**options), DualPerceptron(dot, **options)))
    for f, g in zip(primal.rank(lists), dual.rank(lists), strict=True):
        assert f == pytest.approx(g)


def test_lists_that_cannot_be_learned_from_are_refused():
    with pytest.raises(DataError, match="needs a loss"):
        RankingPerceptron().fit([CandidateList("features", [Candidate({}, 0.0)])])
    with pytest.raises(DataError, match="no example"):
        DualPerceptron(dot).fit([])


@pytest.mark.parametrize(("vertical", "horizontal"), [(1, 0), (1, 9), (2, 1), (3, 2)])
def test_the_grammar_is_that_of_the_core(vertical, horizontal):
    """Each tree 20 times, so that the core has no doubt about any word."""
    bank = [read_tree(f"(TOP {s.bracketed()})") for s in generate(40) if len(s) <= 8]
    trees = [bracketed(tree) for tree in bank]
    fast = PhraseParser(vertical=vertical, horizontal=horizontal).fit(trees * 20)
    slow = Grammar(vertical, horizontal).fit(trees)
    words = [[token.rstrip(")") for token in tree.split() if token.endswith(")")] for tree in trees]
    for sentence, [(tree, score)] in zip(words, fast.n_best(words, 1), strict=True):
        found = slow.parse(sentence)
        assert found.score == pytest.approx(score, rel=1e-5)
        second = [score for _, score in fast.n_best([sentence], 2)[0]]
        if all(a - b > 1e-4 for a, b in pairwise(second)):
            assert bracketed(found.trees[0]) == tree
    assert slow.parse(["xyz"]) is None
    assert slow.parse([]) is None


def test_trees_in_brackets_are_read_or_refused():
    for text in ("(S (A a) (B b))", "(S (A (B (C c))))"):
        assert bracketed(read_tree(text)) == text
    wrong = ["", "a", "(S", "(S)", "(S a b)", "(S (A a) b)", "((S a))", "(S a) (S b)", "(S a))", "(S (A a)"]
    for text in wrong:
        with pytest.raises(DataError):
            read_tree(text)
    with pytest.raises(DataError, match="one label at their roots"):
        Grammar().fit(["(S (A a))", "(T (A a))"])
    with pytest.raises(DataError, match="one label at their roots"):
        Grammar().fit([])
