"""What margins and bounds say: `python -m papers margins`, its walks held against the laboratory and the core."""

import json
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapwood_lab as lab
from papers import convergence, forms, margins, separable
from sapwood import _core
from sapwood_lab.multiclass import Multiclass
from sapwood_lab.tree_kernel import fragments, tree_kernel
from sapwood_lab.trees import nodes, read_tree

TEXTS = [f"__label__{'pos' if k % 2 else 'neg'} {'good' if k % 2 else 'bad'} film number {k}" for k in range(40)]

problems = st.builds(
    separable.generated,
    name=st.just("drawn"),
    n=st.integers(2, 30),
    d=st.just(8),
    margin=st.sampled_from([0.01, 0.1, 0.2]),
    seed=st.integers(0, 2**32 - 1),
    nonzero=st.sampled_from([None, 4]),
)


def smallest_margin(w, problem):
    sides = [y * (w[x.indices] @ x.values) for x, y in zip(problem.X, problem.y, strict=True)]
    return min(sides) / (float(np.linalg.norm(w)) or 1.0)


# Margins


@given(problem=problems, seed=st.integers(0, 9))
def test_margins_and_votes_are_those_of_the_laboratory(problem, seed):
    orders = separable.random_orders(len(problem.y), 3, seed)
    courses, mistakes = separable.learn(problem.K, problem.y, orders, (1, 3))
    assert [course.passes for course in courses] == [1, 3]
    for course in courses:
        for k, order in enumerate(orders):
            X, y = separable.chosen(problem.X, order), problem.y[order].tolist()
            vanilla, voted, averaged = (
                algorithm().fit(X, y, course.passes)
                for algorithm in (lab.Vanilla, lab.VotedImproved, lab.AveragedNaive)
            )
            assert mistakes[: course.passes, k].sum() == vanilla.updates
            assert course.vanilla[k] == pytest.approx(smallest_margin(vanilla.output, problem), abs=1e-9)
            assert course.averaged[k] == pytest.approx(smallest_margin(averaged.output, problem), abs=1e-9)
            right = (np.array(y) * voted.decision(X) / sum(voted.votes) + 1) / 2
            assert course.voted[k] == pytest.approx(right.min())


@settings(max_examples=15)
@given(problem=problems)
def test_no_weights_have_a_larger_margin_than_the_support_vector_machine(problem):
    widest = separable.widest_margin(problem.K, problem.y)
    assert widest >= smallest_margin(problem.truth, problem) - 1e-6
    orders = separable.random_orders(len(problem.y), 2, 1)
    for course in separable.learn(problem.K, problem.y, orders, (1, 10))[0]:
        assert max(course.vanilla.max(), course.averaged.max()) <= widest + 1e-6


def test_the_widest_margin_of_two_points_is_known():
    X = lab.Examples([([0], [1.0]), ([0, 1], [-1.0, 2.0])], 2)
    problem = separable.Separable("", X, np.array([1, -1]), np.array([1.0, 0.0]))
    assert separable.widest_margin(problem.K, problem.y) == pytest.approx(1.0, abs=1e-6)


# Mistakes and their bounds


@given(problem=problems, order=st.integers(0, 9))
def test_mistakes_on_separable_data_are_within_their_bound_and_then_there_are_none(problem, order):
    """Novikoff's theorem, and the lecture's "will perform perfectly on the training data"."""
    delta = smallest_margin(problem.truth, problem)
    bound = (max(np.linalg.norm(x.values) for x in problem.X) / delta) ** 2
    [permutation] = separable.random_orders(len(problem.y), 1, order)
    X, y = separable.chosen(problem.X, permutation), problem.y[permutation].tolist()
    passes = 1
    while True:
        fitted = lab.Vanilla().fit(X, y, passes)
        assert fitted.updates <= bound
        if np.array_equal(fitted.predict(X), y):
            break
        passes += 1
    assert lab.Vanilla().fit(X, y, passes + 5).updates == fitted.updates


@given(problem=problems, flipped=st.floats(0, 0.5), seed=st.integers(0, 9))
def test_mistakes_of_the_first_pass_are_within_their_bound_whatever_the_labels(problem, flipped, seed):
    y = np.where(np.random.default_rng(seed).random(len(problem.y)) < flipped, -problem.y, problem.y)
    assert lab.Vanilla().fit(problem.X, y.tolist()).updates <= margins.first_pass_bound(problem.X, y, problem.truth)


def test_the_bound_of_wrong_labels_is_that_of_right_ones_if_none_is_wrong():
    problem = separable.generated("", 50, 5, 0.3, seed=1)
    delta = smallest_margin(problem.truth, problem)
    bound = margins.first_pass_bound(problem.X, problem.y, problem.truth)
    assert bound <= 1.01 / delta**2
    wrong = margins.first_pass_bound(problem.X, np.where(np.arange(50) == 7, -problem.y, problem.y), problem.truth)
    assert wrong > 1.2 * bound


# The sparse averaged perceptron


@settings(max_examples=15)
@given(problem=problems, min_updates=st.sampled_from(convergence.MIN_UPDATES), times=st.integers(1, 3))
def test_the_sparse_perceptron_converges_within_its_bound(problem, min_updates, times):
    a = max(np.linalg.norm(x.values) for x in problem.X) / smallest_margin(problem.truth, problem)
    run = convergence.converge(problem, range(len(problem.y)), min_updates, times)
    assert run.errors == 0
    assert run.gated <= run.updates <= convergence.update_bound(a, run.gated)
    assert run.gated <= (min_updates - 1) * problem.X.d


def test_an_example_as_often_in_a_row_as_the_gate_asks_has_all_its_features_counted():
    """The paper's argument: after that, a mistake on the example is one of the plain perceptron."""
    k, x = 5, {"a": 1.0, "b": 1.0}
    learner = Multiclass(min_updates=k, average=False, epochs=1, seed=None)
    steps = list(learner.steps([{}, *[x] * 9], ["-", *"+" * 9]))
    assert [step.number for step in steps] == [1, 2, 3, 4, 5]
    assert [convergence.gated(step, k) for step in steps] == [False, True, True, True, True]
    assert learner.weights() == {("a", "+"): 5.0, ("b", "+"): 5.0}  # with its history


@pytest.mark.parametrize("min_updates", convergence.MIN_UPDATES)
def test_the_core_converges_as_the_laboratory_does(min_updates):
    problem = separable.generated("", 60, 40, 0.1, seed=3, nonzero=6)
    run = convergence.converge(problem, range(60), min_updates)
    options = {"update": "perceptron", "average": False, "shuffle": False, "min_updates": min_updates}
    trainer = _core.ClassifierTrainer(2, options)
    rows = [{f"f{i}": 1.0 for i in x.indices.tolist()} for x in problem.X]
    labels = [int(label != problem.y[0]) for label in problem.y]  # the first label of the data is number 0
    trainer.add(_core.FeatureRows.from_dicts(rows, "test", False), labels, [])
    passes = before = 0
    while not passes or trainer.progress.updates > before:
        before = trainer.progress.updates
        while not trainer.step(1000):
            pass
        passes += 1
    assert (passes, trainer.progress.updates) == (run.passes, run.updates)


# Two forms


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_both_forms_give_the_same_scores_and_cost_what_the_lecture_says(degree, monkeypatch):
    monkeypatch.setattr(forms, "WORDS", 3)
    primal, dual = forms.learned(8, degree)
    test = forms.random_lists(3, 3, seed=5)
    written = forms.written_down(test, degree)
    assert primal.rank(written) == dual.rank(test)
    assert any(score for scores in dual.rank(test) for score in scores)
    assert {len(x.structure) for each in written for x in each.candidates} == {3**degree}  # d
    calls = []
    monkeypatch.setattr(dual, "K", lambda x, y: calls.append(len(x)) or 0.0)
    dual.rank(test)
    assert len(calls) == 3 * 4 * len(dual.alphas())  # T candidates with the support, k for each
    assert set(calls) == {3}


def test_fragments_are_counted_as_they_are_written_down():
    for text in ("(NP (DT the) (NN dog))", "(S (NP (DT a) (NN b)) (VP (V c) (NP (DT a) (NN b))))"):
        tree = read_tree(text)
        assert forms.fragment_count(tree) == sum(fragments(tree).values())
    assert forms.fragment_count(read_tree("(DT the)")) == tree_kernel(read_tree("(DT the)"), read_tree("(DT the)"))


def test_fragments_grow_beyond_pairs_of_nodes():
    rows = forms.tree_sizes()
    assert [row["nodes"] for row in rows] == list(forms.SIZES)
    assert all(row["k"] == row["nodes"] ** 2 for row in rows)
    for before, after in pairwise(rows):
        assert after["d"] / before["d"] > 10 * after["k"] / before["k"] / 2
    assert sum(1 for _ in nodes(read_tree("(NP (DT the) (NN dog))"))) == 3


def test_the_crossing_lies_where_the_times_are_equal():
    def row(n, d, primal, dual):
        return {"lists": n, "d": d, "nk": 10 * n, "primal_us": primal, "dual_us": dual}

    rows = [row(1, 10, 1.0, 10.0), row(1, 1000, 100.0, 10.0), row(2, 10, 1.0, 200.0), row(2, 1000, 100.0, 200.0)]
    first, second = forms.crossings(rows)
    assert (first["d"], first["nk"]) == (pytest.approx(100), 10)
    assert second["d"] is None


# The command line


@pytest.fixture
def small(monkeypatch):
    """The experiment on few orders, passes and lists."""
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    monkeypatch.setattr(margins, "_ORDERS", 3)
    monkeypatch.setattr(margins, "_PASSES", (1, 2, 30))
    monkeypatch.setattr(margins, "_NOISE_ORDERS", 2)
    monkeypatch.setattr(margins, "_SPARSE_ORDERS", 1)
    monkeypatch.setattr(forms, "LISTS", (2, 4))
    monkeypatch.setattr(forms, "DEGREES", (1, 2, 3))


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_margins_prints_writes_and_draws(run_papers, tmp_path):
    out, figure = tmp_path / "m.json", tmp_path / "m.svg"
    panels = tmp_path / "panels"
    run = run_papers(["margins", "--json", out, "--figure", figure, "--pictures", panels])
    assert run.status == 0, run.err
    rows = json.loads(out.read_text())["rows"]
    for row in margins.of_kind(rows, "mistakes"):
        assert row["most"] <= row["bound"], row
        assert row["converged"] == row["orders"] == 3
    for row in margins.of_kind(rows, "noise"):
        assert row["most"] <= row["bound"], row
    for row in margins.of_kind(rows, "sparse"):
        assert row["errors"] == 0
        assert row["most_updates"] <= row["bound"], row
    for row in margins.of_kind(rows, "margin"):
        assert row["least"] <= row["mean"] <= row["most"], row
    last = {(r["problem"], r["name"]): r for r in margins.of_kind(rows, "margin") if r["passes"] == 30}
    for row in margins.of_kind(rows, "svm"):
        assert last[row["problem"], "averaged"]["most"] < row["margin"]
        assert last[row["problem"], "voted"]["least"] > 0.5
        assert f"SVM: {row['margin']:.4f}" in run.out
    picture = figure.read_bytes()
    for text in ("vanilla", "averaged", "voted", "SVM", "primal", "dual, n = 4", "wide", "many features"):
        assert f">{text}<".encode() in picture, text
    problems = ["wide", "narrow", "binary", "many-features"]
    names = {f"{kind}-{problem}" for kind in ("margins", "votes") for problem in problems}
    assert {path.stem for path in panels.iterdir()} == names | {"mistakes", "wrong-labels", "scoring", "trees"}
    assert b">SVM<" in (panels / "margins-wide.svg").read_bytes()
    assert b">voted<" not in (panels / "margins-wide.svg").read_bytes()
    assert b">primal<" in (panels / "scoring.svg").read_bytes()
    margins.draw(rows, tmp_path / "m.pdf")
    margins.draw(rows, tmp_path / "n.pdf")
    assert (tmp_path / "m.pdf").read_bytes() == (tmp_path / "n.pdf").read_bytes()
    assert (tmp_path / "m.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_without_scikit_learn_its_row_says_so(run_papers, monkeypatch, tmp_path):
    monkeypatch.setattr(margins, "find_spec", lambda library: None)
    run = run_papers(["margins", "--json", tmp_path / "m.json"])
    assert run.status == 0, run.err
    assert run.out.count("SVM: this row needs scikit-learn: pip install") == 4
    rows = json.loads((tmp_path / "m.json").read_text())["rows"]
    assert all("margin" not in row for row in margins.of_kind(rows, "svm"))
    for row in margins.of_kind(rows, "mistakes"):  # the margin that is known without it is smaller, the bound larger
        assert row["most"] <= row["bound"], row


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_reviews_are_the_fourth_problem_where_there_are_some(run_papers, tmp_path):
    (tmp_path / "movie_reviews.txt").write_text("\n".join(TEXTS) + "\n")
    run = run_papers(["margins", "--data", tmp_path])
    assert run.status == 0, run.err
    assert "movie reviews, 3 orders" in run.out
    assert "many features" not in run.out
    (tmp_path / "movie_reviews.txt").unlink()
    run = run_papers(["margins", "--data", tmp_path])
    assert run.status == 1
    assert run.err.count("\n") == 1


@pytest.mark.corpus
@pytest.mark.slow
def test_words_separate_the_reviews_and_mistakes_are_within_the_bound():
    problem = separable.reviews(None)
    orders = separable.random_orders(len(problem.y), 2, 1)
    K = problem.K
    courses, mistakes = separable.learn(K, problem.y, orders, (20,))
    assert not mistakes[-1].any()
    assert courses[0].vanilla.min() > 0
    bound = K.diagonal().max() / separable.widest_margin(K, problem.y) ** 2
    assert mistakes.sum(axis=0).max() <= bound


def test_the_kernel_of_the_dual_form_is_the_power_of_the_dot_product():
    x, y = {"a": 2.0, "b": 1.0}, {"a": 3.0, "b": -1.0}
    h = partial(forms.products_of_words, degree=3)
    assert forms.power(x, y, 3) == 125.0 == sum(value * h(y)[name] for name, value in h(x).items())
