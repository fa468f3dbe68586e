"""Kernels, by eye, against all that they count written down, and in scikit-learn's hands."""

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

import sapwood.sklearn.kernels
from sapwood import PolynomialKernel, SubsequenceKernel, TreeKernel, _core
from sapwood.datasets import generate
from sapwood.errors import DataError, OptionError
from sapwood_lab.subsequence_kernel import all_subsequences_kernel, by_subsequences, subsequence_kernel
from sapwood_lab.tree_kernel import by_fragments, tree_kernel
from sapwood_lab.trees import bracketed

# Few labels and words, so that productions are often the same. A label may be a tag here and a category there.
tags = st.tuples(st.sampled_from("ABC"), st.sampled_from("xy"))
trees = st.recursive(
    tags,
    lambda t: st.tuples(st.sampled_from("ABC"), st.lists(t, min_size=1, max_size=3).map(tuple)),
    max_leaves=6,
)
decays = st.sampled_from([0.1, 0.5, 0.8, 1.0])


@pytest.fixture(scope="module")
def bank():
    return [sentence.bracketed() for sentence in generate(60)]


def all_pairs(texts, decay):
    trees = _core.AllPairsTrees([text.encode() for text in texts], "a", _core.TreeTable())
    return _core.all_pairs_gram(trees, decay)


def prepared(texts, table):
    return _core.KernelTrees([text.encode() for text in texts], "a", table)


def positive_semidefinite(matrix):
    return np.linalg.eigvalsh(matrix)[0] > -1e-9 * np.trace(matrix)


def test_examples_of_the_module_are_right():
    tried = doctest.testmod(sapwood.sklearn.kernels)
    assert tried.attempted and not tried.failed


def test_tree_kernel_is_counted_by_hand():
    kernel = TreeKernel(decay=0.5, normalise=False)
    dog, cat = "(NP (DT the) (NN dog))", "( (NP (DT the) (NN cat)) )"
    # DT->the; NP->DT NN; and the two joined, which are two productions
    assert kernel([dog], [cat])[0, 0] == 0.5 + 0.5 + 0.25
    # also NN->dog, joined to NP->DT NN without and with DT->the
    assert kernel([dog])[0, 0] == 0.5 + 0.5 + 0.25 + 0.5 + 0.25 + 0.125
    assert kernel([dog], ["(DT the)"])[0, 0] == 0.5
    assert kernel([dog], ["(NP (DT the) (NN dog) (NN dog))"])[0, 0] == 0.5 * (1 + 2)  # the productions of NP differ
    assert kernel([dog], ["(NP (NN the) (DT dog))"])[0, 0] == 0


@pytest.mark.slow
@given(trees, trees, decays)
def test_tree_kernel_counts_fragments(a, b, decay):
    ours = TreeKernel(decay=decay, normalise=False)([bracketed(a)], [bracketed(b)])
    assert ours[0, 0] == pytest.approx(by_fragments(a, b, decay), rel=1e-12)
    assert tree_kernel(a, b, decay) == pytest.approx(by_fragments(a, b, decay), rel=1e-12)


@pytest.mark.slow
@given(st.lists(trees, min_size=1, max_size=5), decays)
def test_all_pairs_of_nodes_give_the_same(some, decay):
    texts = [bracketed(tree) for tree in some]
    ours = TreeKernel(decay=decay, normalise=False)(texts)
    assert ours == pytest.approx(all_pairs(texts, decay), rel=1e-12)


def test_tree_kernel_of_a_treebank_is_that_of_all_pairs(bank):
    for decay in (0.2, 1.0):
        plain = TreeKernel(decay=decay, normalise=False)(bank)
        assert (plain == plain.T).all()
        assert plain == pytest.approx(all_pairs(bank, decay), rel=1e-12)
        normalised = TreeKernel(decay=decay)(bank)
        assert normalised == pytest.approx(plain / np.sqrt(np.outer(plain.diagonal(), plain.diagonal())), rel=1e-12)
        assert normalised.diagonal() == pytest.approx(1, rel=1e-15)
        assert positive_semidefinite(normalised)
        assert TreeKernel(decay=decay)(bank[:7], bank[5:]) == pytest.approx(normalised[:7, 5:], rel=1e-12)


def test_a_chain_of_1000_levels_is_compared():
    chain = "(X " * 999 + "(T w)" + ")" * 999
    ours = TreeKernel(decay=0.5, normalise=False)([chain])[0, 0]
    assert ours == pytest.approx(all_pairs([chain], 0.5)[0, 0], rel=1e-12)
    assert TreeKernel()([chain])[0, 0] == pytest.approx(1)


@given(
    some=st.lists(st.tuples(trees, st.integers(-2, 2)), min_size=1, max_size=8),
    others=st.lists(trees, min_size=1, max_size=4),
)
def test_a_sum_of_trees_is_the_sum_of_kernels(some, others):
    table = _core.TreeTable()
    support = [bracketed(tree) for tree, _ in some]
    asked = [bracketed(tree) for tree in others]
    alphas = np.array([float(alpha) for _, alpha in some])
    none = dict.fromkeys(("oracles", "guesses", "steps", "times"), b"")
    weights = _core.DualWeights(voted=False, clock=1, alphas=alphas.tobytes(), **none)
    scorer = _core.DualScorer(_core.KernelItems.of_trees(prepared(support, table), 0.6, True), weights)
    items = _core.KernelItems.of_trees(prepared(asked, table), 0.6, True)
    scores = scorer.scores(items, [0, len(items)], [0.0] * len(items), 1)
    wanted = alphas @ TreeKernel(decay=0.6)(support, asked)
    assert scores == pytest.approx(list(wanted), rel=1e-9, abs=1e-9)


def test_lodhis_example_is_right():
    # cat and car have c-a in common, spread over two characters in each; c-t and c-r, which gaps hold, they do not.
    plain = 0.5**4
    own = 2 * 0.5**4 + 0.5**6
    kernel = SubsequenceKernel(length=2, decay=0.5, unit="character")
    assert kernel(["cat"], ["car"])[0, 0] == pytest.approx(plain / own, rel=1e-15)


@pytest.mark.few(1)
@pytest.mark.parametrize("unit", ["character", "word"])
@given(
    texts=st.lists(st.text("aбc😀", max_size=7), min_size=1, max_size=3),
    length=st.integers(0, 4),
    decay=st.sampled_from([0.3, 0.7, 1.0]),
)
def test_subsequence_kernel_counts_subsequences(unit, texts, length, decay):
    given = texts if unit == "character" else [" ".join(text) for text in texts]
    kernel = SubsequenceKernel(length=length, decay=decay, unit=unit)
    matrix, counts = kernel(given), clone(kernel, safe=False).set_params(normalise=False)(given)
    for i, s in enumerate(texts):
        for j, t in enumerate(texts):
            k, own = by_subsequences(s, t, length, decay), 1.0
            slow = subsequence_kernel(s, t, length, decay) if length else all_subsequences_kernel(s, t, decay)
            assert slow == pytest.approx(k, rel=1e-12)
            assert counts[i, j] == pytest.approx(k, rel=1e-12)
            for text in (s, t):
                own *= by_subsequences(text, text, length, decay) ** 0.5
            assert matrix[i, j] == pytest.approx(k / own if own else 0, rel=1e-12)


def test_all_subsequences_of_different_symbols_are_2_to_the_n_less_one():
    kernel = SubsequenceKernel(length=0, decay=1.0, normalise=False, unit="character")
    assert kernel(["abcdefghijkl"])[0, 0] == 2**12 - 1
    assert kernel(["abcdefghijkl"], ["abcdefghijk", "lkjihgfedcba", ""]).tolist() == [[2**11 - 1, 12, 0]]
    distinct = "".join(map(chr, range(300, 1323)))  # 1,023 symbols, the most that a double holds
    assert kernel([distinct])[0, 0] == 2.0**1023
    with pytest.raises(DataError, match=r"examples 1 and 1 is larger than a number can be; lower its decay of 1$"):
        kernel([distinct + "a"])
    assert kernel.set_params(decay=0.9)([distinct + "a"])[0, 0] < 1e300


def test_words_are_the_same_in_both_lists():
    kernel = SubsequenceKernel(length=2)
    assert kernel(["a dog barks", "x"], ["the cat", "so a dog barks"])[0, 0] == 0
    assert kernel(["a dog barks"], ["the cat", "a dog barks"])[0, 1] == pytest.approx(1)


@given(
    st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(-3, 3), max_size=4), min_size=1, max_size=5),
    st.integers(1, 4),
    st.sampled_from([0.0, 1.0, 2.5]),
)
def test_polynomial_kernel_is_that_of_the_definition(rows, degree, coef0):
    matrix = PolynomialKernel(degree=degree, coef0=coef0)(rows)
    dense = np.array([[row.get(name, 0) for name in "abcd"] for row in rows])
    assert matrix == pytest.approx((dense @ dense.T + coef0) ** degree, rel=1e-12)
    assert PolynomialKernel(degree=degree, coef0=coef0)(rows[:1], rows) == pytest.approx(matrix[:1], rel=1e-12)


def test_features_of_one_name_add_up():
    assert PolynomialKernel(degree=1, coef0=0)([{"tag": "NN", "tag=NN": 2}], [{"tag": "NN"}])[0, 0] == 3


KERNELS = [
    TreeKernel(),
    TreeKernel(normalise=False),
    SubsequenceKernel(length=2),
    SubsequenceKernel(length=4, unit="character"),
    SubsequenceKernel(length=0),
]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_threads_give_the_same_bits(kernel, bank):
    one = kernel(bank)
    assert (one == one.T).all()
    assert positive_semidefinite(one)
    for threads in (2, 5):
        more = clone(kernel, safe=False).set_params(threads=threads)
        assert (more(bank) == one).all()
        assert (more(bank[:50], bank[40:]) == kernel(bank[:50], bank[40:])).all()


@pytest.mark.parametrize("kernel", [*KERNELS, PolynomialKernel()], ids=repr)
def test_empty_lists_give_empty_matrices(kernel):
    one = [{"a": 1}] if isinstance(kernel, PolynomialKernel) else ["(A a)"]
    assert kernel([]).shape == (0, 0)
    assert kernel([], one).shape == (0, 1)
    assert kernel(one, []).shape == (1, 0)
    assert kernel(one, one).dtype == np.float64


def test_kernels_serve_a_support_vector_machine():
    nouns = [f"(S (NP (DT {d}) (NN {n})) (VP (VBZ sleeps)))" for d in ("the", "a") for n in ("dog", "cat", "mat")]
    pronouns = [f"(S (NP (PRP {p})) (VP (VBZ {v})))" for p in ("it", "she") for v in ("sleeps", "barks", "sees")]
    texts, labels = nouns[:5] + pronouns[:5], ["noun"] * 5 + ["pronoun"] * 5
    kernel = TreeKernel()
    machine = SVC(kernel="precomputed").fit(kernel(texts), labels)
    held_out = [nouns[5], pronouns[5]]
    assert list(machine.predict(kernel(held_out, texts))) == ["noun", "pronoun"]
    direct = SVC(kernel=kernel).fit(texts, labels)
    assert list(direct.predict(held_out)) == ["noun", "pronoun"]
    search = GridSearchCV(SVC(kernel="precomputed"), {"C": [0.1, 1]}, cv=2).fit(kernel(texts), labels)
    assert search.best_score_ == 1


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (["(A a)", "(A"], None, "a: tree 2:1: the bracket that opens here does not close"),
        (["(A a)"], ["(A a)", "(A a) (B b)"], "b: tree 2: it is 2 trees, not one"),
        (["(A a)", "(A a)", ""], None, "a: tree 3: it is empty"),
        (["()"], None, "a: tree 1: it is empty"),
        (["(A a)", None], None, "a: tree 2: a text is a string, not None"),
        (["(A \ud800)"], None, "character 3 of a: tree 1, U+D800, is not Unicode"),
        (["(A \0)"], None, "a: tree 1:1: NUL byte"),
        ("(A a)", None, "a: a list is wanted, not a string"),
    ],
)
def test_what_is_no_tree(a, b, message):
    with pytest.raises(DataError) as error:
        TreeKernel()(a, b)
    assert message in str(error.value)


def test_what_is_no_text_and_no_features():
    with pytest.raises(DataError, match="b: text 2: a text is a string, not the number 3"):
        SubsequenceKernel()(["a"], ["b", 3])
    with pytest.raises(DataError, match="a: a list is wanted, not a string"):
        SubsequenceKernel()("a b c")
    with pytest.raises(DataError, match="a: example 2: it is not a dict"):
        PolynomialKernel()([{"a": 1}, "a"])


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (TreeKernel(decay=0), "decay is a number above 0, up to 1, not 0"),
        (TreeKernel(decay=1.5), "decay"),
        (TreeKernel(decay=float("nan")), "decay"),
        (TreeKernel(decay="0.5"), "decay"),
        (TreeKernel(normalise=1), "normalise is one of True, False, not 1"),
        (TreeKernel(threads=0), "threads is a whole number from 1"),
        (SubsequenceKernel(length=-1), "length is a whole number from 0"),
        (SubsequenceKernel(unit="letter"), "unit is one of word, character"),
        (SubsequenceKernel(decay=2), "decay"),
        (SubsequenceKernel(decay=0.01, length=60), "a decay of 0.01 is too small for a length of 60"),
        (SubsequenceKernel(decay=1e-200, length=0), "a decay of 1e-200 is too small for a length of 1"),
        (PolynomialKernel(degree=0), "degree is a whole number from 1"),
        (PolynomialKernel(coef0=-1), "coef0 is a number from 0 to 1e15, not -1"),
        (PolynomialKernel(coef0=float("inf")), "coef0"),
    ],
    ids=str,
)
def test_options_that_cannot_be(kernel, message):
    with pytest.raises(OptionError) as error:
        kernel([{"a": 1}] if isinstance(kernel, PolynomialKernel) else ["(A a)"])
    assert message in str(error.value)


def test_kernels_larger_than_numbers_are_refused():
    wide = "(S " + "(NP (D a) (N b)) " * 700 + ")"
    with pytest.raises(DataError, match="the kernel of examples 2 and 2 is larger than a number can be; lower"):
        TreeKernel(decay=1.0)(["(A a)", wide])
    assert TreeKernel(decay=0.1)([wide])[0, 0] == pytest.approx(1)
    with pytest.raises(DataError, match="larger than a number can be; lower its degree, or scale the features"):
        PolynomialKernel(degree=30)([{"a": 1e15}])
    with pytest.raises(DataError, match="larger than a number can be"):
        SubsequenceKernel(length=300, decay=1.0)(["a " * 700])
