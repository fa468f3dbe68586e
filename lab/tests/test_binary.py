"""The laboratory: seven algorithms, two answers; their costs counted by hand and fitted; the core's average beside."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sapwood_lab as lab
from sapwood import _core
from sapwood_lab.binary import exponents
from sapwood_lab.binary.problems import linear_problem
from sapwood_lab.binary.vectors import Vector
from sapwood_lab.binary.voted import votes
from sapwood_lab.errors import DataError, NotFittedError, OptionError

AVERAGED = [lab.AveragedNaive, lab.AveragedImproved, lab.AveragedUpdates, lab.AveragedLazy]
VOTED = [lab.VotedNaive, lab.VotedImproved]

problems = st.builds(
    linear_problem,
    n=st.integers(1, 40),
    d=st.integers(5, 30),
    d_delta=st.integers(1, 5),
    noise=st.sampled_from([0.0, 0.3, 1.0]),
    seed=st.integers(0, 2**32 - 1),
)


def directions_differ_by(a, b):
    norms = [float(np.linalg.norm(w)) or 1.0 for w in (a, b)]
    return float(np.abs(a / norms[0] - b / norms[1]).max())


def integer_problem(n=120, d=25, seed=3):
    """Small whole numbers, so that float32 and float64 make the same mistakes."""
    random = np.random.default_rng(seed)
    X = random.integers(-2, 3, (n, d)) * (random.random((n, d)) < 0.3)
    y = np.where(X @ random.standard_normal(d) + random.standard_normal(n) > 0, 1, -1)
    return X, y.tolist()


# Four ways to one average, two to one vote


@given(problem=problems, epochs=st.integers(1, 4))
def test_the_averaged_variants_have_one_direction(problem, epochs):
    naive, *others = [algorithm().fit(*problem, epochs) for algorithm in AVERAGED]
    for other in others:
        assert other.updates == naive.updates
        assert directions_differ_by(naive.output, other.output) < 1e-9


@given(problem=problems, test=st.integers(0, 2**32 - 1), epochs=st.integers(1, 4))
def test_the_voted_variants_predict_the_same(problem, test, epochs):
    X, y = problem
    naive, improved = [algorithm().fit(X, y, epochs) for algorithm in VOTED]
    for examples in (X, linear_problem(30, X.d, 4, 0.0, test)[0]):
        assert np.array_equal(naive.decision(examples), improved.decision(examples))
        assert np.array_equal(naive.predict(examples), improved.predict(examples))
    assert sum(improved.votes) == epochs * len(X)


def test_all_make_the_same_updates_and_the_average_is_not_the_last():
    X, y = linear_problem(200, 20, 5, 0.3, seed=1)
    fitted = [algorithm().fit(X, y, 3) for algorithm in lab.ALGORITHMS]
    assert len({each.updates for each in fitted}) == 1
    assert {each.presented for each in fitted} == {600}
    assert directions_differ_by(fitted[0].output, fitted[-1].output) > 0.01
    assert np.array_equal(fitted[2].output[-1], fitted[0].output)  # the last voter is vanilla


def test_the_average_is_that_of_the_weights_after_each_example():
    X, y = linear_problem(50, 10, 3, 0.3, seed=2)
    weights = lab.VotedNaive().fit(X, y, 2).output
    assert weights.shape == (100, 10)
    np.testing.assert_allclose(lab.AveragedLazy().fit(X, y, 2).output, weights.sum(axis=0), atol=1e-9)


@given(problem=problems)
def test_an_update_raises_or_lowers_the_score_of_its_example_by_its_square(problem):
    """w' . x = w . x + y x . x: larger than before for positive examples, smaller for negative ones."""
    X, y = problem
    weights = np.vstack([np.zeros(X.d), lab.VotedNaive().fit(X, y).output])  # before the first example, after each
    for k, x in enumerate(X):
        before, after = (w[x.indices] @ x.values for w in weights[k : k + 2])
        if (1 if before > 0 else -1) == y[k]:
            assert np.array_equal(weights[k], weights[k + 1])
        else:
            assert after - before == pytest.approx(y[k] * (x.values @ x.values))
            assert after > before if y[k] == 1 else after < before


@pytest.mark.parametrize(("y", "separable"), [([-1, 1, 1, -1], False), ([-1, 1, 1, 1], True)], ids=["xor", "or"])
def test_vanilla_never_stops_to_err_on_inseparable_data(y, separable):
    """Of two bits, with a bias: however many passes there were, each further one has updates if y is their xor. If y is
    their or, the updates come to an end, and all is right."""
    X = [[a, b, 1] for a in (0, 1) for b in (0, 1)]
    passes = [lab.Vanilla().fit(X, y, epochs) for epochs in range(1, 60)]
    new = [after.updates - before.updates for before, after in itertools.pairwise(passes)]
    assert any(new[30:]) != separable
    assert separable or min(new) > 0
    assert (passes[-1].predict(X).tolist() == y) == separable


def test_four_updates_count_four_three_two_and_one_time():
    """Huang's example: an update on each of four examples."""
    for algorithm in AVERAGED:
        assert algorithm().fit(np.eye(4), [1, 1, 1, 1]).output.tolist() == [4, 3, 2, 1]


@pytest.mark.parametrize("backwards", [False, True])
def test_the_core_averages_and_votes_the_same(backwards):
    """`ClassifierTrainer` with two labels, label 0 for -1; features 0.. are named "0", "1", .."""
    X, y = integer_problem()
    if backwards:
        X, y = X[::-1], y[::-1]
    rows = [{str(f): float(v) for f, v in enumerate(x) if v} for x in X]
    trainer = _core.ClassifierTrainer(2, {"update": "perceptron", "voted": True, "shuffle": False})
    examples = _core.FeatureRows.from_dicts(rows, "test", False)
    trainer.add(examples, [int(label == 1) for label in y], [])
    for _ in range(3):
        while not trainer.step(1000):
            pass
    core = _core.Classifier(["-", "+"], trainer.freeze(32, 0.0))
    weights = np.array(core.weights_of([_core.key_of(str(f)) for f in range(X.shape[1])]))
    ours = lab.AveragedLazy().fit(X, y, 3)
    assert trainer.progress.updates == ours.updates > 30
    assert directions_differ_by(weights, ours.output) < 1e-6  # float32
    votes = trainer.freeze_votes()
    voted = _core.Classifier.of_votes(["-", "+"], examples.select(votes.support), votes)
    expected = lab.VotedImproved().fit(X, y, 3).predict(X)
    assert [2 * guess - 1 for guess in voted.predict(examples, 1)] == expected.tolist()


def test_what_is_drawn_over_time_is_what_the_algorithms_keep():
    X, y = linear_problem(*exponents._TIME)
    moments = exponents.over_time(X, y, 3)
    assert [m.c for m in moments] == list(range(61))
    weights = [0.0, *lab.VotedNaive().fit(X, y).output[:, 3]]
    assert [m.w for m in moments] == pytest.approx(weights)
    assert [m.w_s for m in moments] == pytest.approx(np.cumsum(weights))
    assert [m.c * m.w - m.w_a for m in moments] == pytest.approx(np.cumsum(weights))
    assert moments[-1].w_s == pytest.approx(lab.AveragedLazy().fit(X, y).output[3])
    assert moments[-1].w_a != 0


# Counting


def test_operations_and_bytes_of_a_tiny_problem_are_counted_by_hand():
    """d = 3; the first and the third example are mistakes (d' = 1, then 2), the second and fourth are not."""
    X, y = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], [1, -1, -1, -1]
    fitted = {algorithm.__name__: algorithm().fit(X, y) for algorithm in lab.ALGORITHMS}
    assert {each.updates for each in fitted.values()} == {2}
    counted = {
        "Vanilla": 3 + (1 + 2),
        "VotedNaive": 3 + (1 + 2) + 4 * 3,
        "VotedImproved": 3 + (1 + 2) + 3 * 3,
        "AveragedNaive": 2 * 3 + (1 + 2) + 4 * 3,
        "AveragedImproved": 3 + (1 + 2) + 3 * 3 + (3 + 3 * 2 * 3),
        "AveragedUpdates": 3 + (1 + 2) + (3 + 2 * (1 + 2)),
        "AveragedLazy": 2 * 3 + (1 + 2) + 2 * (1 + 2) + (3 + 3),
    }
    assert {name: each.operations for name, each in fitted.items()} == counted
    last = 2 * 2  # indices and values of the second update
    assert {name: each.bytes // 8 for name, each in fitted.items()} == {
        "Vanilla": 3 + last,
        "VotedNaive": 3 + 4 * 3,
        "VotedImproved": 3 + 2 * 3 + last,  # before it adds a third vector to W
        "AveragedNaive": 2 * 3 + last,
        "AveragedImproved": 3 * 3 + 2 * 3,  # W, w_s, v_i w_i
        "AveragedUpdates": 2 * 3 + 2 * (1 + 2) + last,  # w, w_s, all dw, (c - c_i) dw_i
        "AveragedLazy": 2 * 3 + last + 2 * 3,  # w, w_a, dw, c w, w_s
    }
    assert fitted["Vanilla"].output.tolist() == [0, -1, 0]
    assert fitted["AveragedUpdates"].output.tolist() == [2, -2, 0]
    assert fitted["VotedImproved"].votes == [0, 2, 2]


def test_fitting_again_counts_anew():
    X, y = linear_problem(30, 10, 3, 0.2, seed=1)
    algorithm = lab.AveragedLazy()
    first = algorithm.fit(X, y, 2).operations
    assert algorithm.fit(X, y, 2).operations == first


SMALL = {
    "dense": exponents.Grid((50, 200), (1, 4), (500, 2000), (2, 8), (0.0, 0.5)),
    "updates": exponents.Grid((500, 2000), (1, 3), (32, 64), (8, 24), (0.1, 0.5)),
    "features": exponents.Grid((8, 32), (1, 4), (1 << 14, 1 << 16), (4, 8), (0.0, 0.5)),
}


@pytest.fixture(scope="module")
def cells():
    return list(exponents.measure(SMALL))


@pytest.mark.slow
def test_measured_exponents_are_those_of_the_table(cells):
    assert len(cells) == 18  # of 14 in the table, four are sums of two
    for cell in cells:
        assert cell.error < 0.15, cell


@pytest.mark.slow
def test_the_fit_tells_updates_from_examples(cells):
    """Were U and T|D| one quantity, the least-squares solution would share the exponent between them."""
    by_name = {(cell.name, cell.cost): cell.measured for cell in cells}
    assert by_name["voted, naive", "space"][:2] == pytest.approx((1, 0), abs=0.05)
    assert by_name["voted, improved", "space"][:2] == pytest.approx((0, 1), abs=0.05)


@pytest.mark.slow
def test_a_wrong_exponent_shows(cells):
    cell = cells[0]
    assert replace(cell, measured=(0.0, 0.2, 1.0, 0.0)).error == pytest.approx(0.2)


@pytest.mark.slow
def test_the_table_is_written_as_text_and_figures(cells):
    text = exponents.format_cells(cells)
    assert text.count("O(U d' + d)") == 8
    assert "-0.00" not in "".join(line.partition("|")[0] for line in text.splitlines())
    assert {row["bound"] for row in map(exponents.Cell.as_dict, cells)} == {
        "O(d)", "O(T|D| d)", "O(U d)", "O(U d' + d)",
    }  # fmt: skip


# Examples


@given(problem=problems, epochs=st.integers(1, 3))
def test_dicts_and_arrays_of_numpy_learn_the_same(problem, epochs):
    """The functions are given vectors of three kinds: dicts, dense arrays, and those that count."""
    X, y = problem
    dicts = [(Vector({str(f): v for f, v in zip(*x, strict=True)}), label) for x, label in zip(X, y, strict=True)]
    dense = np.zeros((len(X), X.d))
    for row, x in zip(dense, X, strict=True):
        row[x.indices] = x.values
    arrays = list(zip(dense, y, strict=True))
    for algorithm in (lab.Vanilla, *AVERAGED):
        counted = algorithm().fit(X, y, epochs).output
        w = algorithm.algorithm(dicts, epochs)
        assert [w.get(str(f), 0.0) for f in range(X.d)] == pytest.approx(counted, abs=1e-9)
        assert algorithm.algorithm(arrays, epochs, lambda: np.zeros(X.d)) == pytest.approx(counted, abs=1e-9)
    voted = lab.VotedImproved().fit(X, y, epochs)
    W, v = lab.VotedImproved.algorithm(dicts, epochs)
    assert v == voted.votes
    assert [votes(W, v, x) for x, _ in dicts] == voted.decision(X).tolist()


def test_a_guess_before_training_is_refused_and_a_repr_says_which_it_is():
    assert repr(lab.VotedNaive()) == "VotedNaive()"
    with pytest.raises(NotFittedError, match=r"AveragedLazy\(\) is not fitted yet"):
        lab.AveragedLazy().predict([[1, 0]])


def test_sparse_and_dense_examples_are_the_same():
    dense = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, -1.0]])
    sparse = [([1], [2.0]), ([2, 0], [-1.0, 1.0])]
    a, b = (lab.AveragedNaive().fit(X, [1, 1]) for X in (dense, sparse))
    assert np.array_equal(a.output, b.output)
    assert np.array_equal(a.decision(dense), b.decision(sparse))


@pytest.mark.parametrize(
    ("X", "y", "what"),
    [
        ([[1, 0]], [1, 1], "1 examples have as many labels"),
        ([[1, 0]], [0], "each -1 or 1"),
        ([1, 0], [1, 1], "a matrix"),
        ([([0, 0], [1, 1])], [1], "example 1: .* each index once"),
        ([([0], [1]), ([0, 1], [1])], [1, 1], "example 2: .* as many indices as values"),
        ([([-1], [1])], [1], "example 1: .* from 0 to"),
    ],
)
def test_wrong_examples_are_refused(X, y, what):
    with pytest.raises(DataError, match=what):
        lab.Vanilla().fit(X, y)


def test_wrong_epochs_and_unknown_features_are_refused():
    with pytest.raises(OptionError, match="epochs"):
        lab.Vanilla().fit([[1, 0]], [1], 0)
    with pytest.raises(DataError, match="from 0 to 1"):
        lab.Vanilla().fit([[1, 0]], [1]).predict([([2], [1.0])])


# The command line


@pytest.mark.slow
def test_averaging_prints_writes_and_draws(run_lab, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(exponents, "GRIDS", SMALL)
    out, figure = tmp_path / "a.json", tmp_path / "a.svg"
    run = run_lab(["averaging", "--json", out, "--figure", figure])
    assert run.status == 0, run.err
    rows = json.loads(out.read_text())["rows"]
    assert len(rows) == 18
    assert all(row["error"] < 0.15 for row in rows)
    assert len([line for line in run.out.splitlines() if line.startswith("averaged, lazy")]) == 3
    picture = figure.read_bytes()
    for text in ("averaged, lazy", "w", "w_a", "w_s", "c w", "w_s = c w - w_a, the running sum"):
        assert f">{text}<".encode() in picture, text


def test_a_figure_is_refused_before_the_work(run_lab):
    run = run_lab(["averaging", "--figure", "picture.gif"])
    assert (run.status, run.out) == (2, "")
    assert "a figure is a .png, .svg or .pdf file" in run.err


def test_without_numpy_it_is_named(run_lab, monkeypatch):
    monkeypatch.setattr("sapwood_lab.base.optional.installed", lambda library: library != "numpy")
    run = run_lab(["averaging"])
    assert (run.status, run.out) == (2, "")
    assert run.err == "sapwood-lab: the laboratory needs numpy: pip install numpy\n"
