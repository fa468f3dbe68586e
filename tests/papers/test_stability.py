"""Stability of vanilla, voted and averaged perceptrons, held against the laboratory."""

import itertools
import json

import numpy as np
import pytest

import sapwood_lab as lab
from papers import stability
from sapwood.errors import DataError
from sapwood_lab.binary.problems import linear_problem


def test_products_are_those_of_the_matrix():
    X, _ = linear_problem(30, 12, 4, 0.0, seed=5)
    X = lab.Examples([([], []), *map(tuple, X)], 12)
    dense = np.zeros((31, 12))
    for row, x in zip(dense, X, strict=True):
        row[x.indices] = x.values
    np.testing.assert_allclose(stability.products(X, 20), (dense @ dense.T)[:20], atol=1e-12)


def test_errors_are_those_of_the_laboratory():
    problem = stability.generated_problem(examples=150, d=30)
    n = problem.train
    assert (n, len(problem.X)) == (120, 150)
    scores = stability.measure(problem, shuffles=2, epochs=2, seed=7)
    random = np.random.default_rng(7)
    held = lab.Examples([tuple(x) for x in problem.X.rows[n:]], problem.X.d)
    orders = [random.permutation(n) for _ in range(2)]
    for (shuffle, order), epochs in itertools.product(enumerate(orders), (1, 2)):
        X = lab.Examples([tuple(problem.X.rows[k]) for k in order], problem.X.d)
        for method, algorithm in zip(
            stability.METHODS, (lab.Vanilla, lab.VotedImproved, lab.AveragedNaive), strict=True
        ):
            guess = algorithm().fit(X, problem.y[order].tolist(), epochs).predict(held)
            [score] = [s for s in scores if (s.method, s.passes) == (method, epochs)]
            assert score.errors[shuffle] == pytest.approx(100 * np.mean(guess != problem.y[n:]))


@pytest.mark.slow
def test_the_voted_and_the_averaged_are_better_and_stabler_on_noise():
    scores = {(s.method, s.passes): s.errors for s in stability.measure(stability.generated_problem(), shuffles=10)}
    for method in ("voted", "averaged"):
        assert scores[method, 10].mean() < scores["vanilla", 10].mean() - 3
        assert np.ptp(scores[method, 10]) < np.ptp(scores["vanilla", 10])


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("corpus", ["reviews", "interest"])
def test_after_one_pass_over_real_examples_voting_and_averaging_are_better_and_stabler(corpus):
    problem = stability.find_problem(None, corpus)
    scores = {(s.method, s.passes): s.errors for s in stability.measure(problem, shuffles=10, epochs=1)}
    for method in ("voted", "averaged"):
        assert scores[method, 1].mean() < scores["vanilla", 1].mean() - 0.5
        assert 1.5 * np.ptp(scores[method, 1]) < np.ptp(scores["vanilla", 1])


@pytest.mark.slow
def test_stability_runs_on_a_generated_problem(run_papers, tmp_path, monkeypatch):
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    out, figure = tmp_path / "s.json", tmp_path / "s.svg"
    arguments = ["stability", "--epochs", 2, "--shuffles", 10, "--json", out, "--figure", figure]
    run = run_papers(arguments)
    assert run.status == 0, run.err
    assert run.out.startswith("generated problem: 2,000 examples, 500 held out, 10 shuffles")
    rows = json.loads(out.read_text())["rows"]
    assert [row["name"] for row in rows if row["passes"] == 2] == list(stability.METHODS)
    for row in rows:
        assert row["least"] <= row["lower_quartile"] <= row["median"] <= row["upper_quartile"] <= row["most"]
    assert f"{rows[-1]['mean']:.2f}" in run.out
    picture = figure.read_bytes()
    assert all(f">{method}<".encode() in picture for method in stability.METHODS)
    assert run_papers(arguments).out == run.out
    assert figure.read_bytes() == picture


def test_stability_runs_on_reviews(run_papers, tmp_path):
    lines = [f"__label__{'pos' if k % 2 else 'neg'} {'good' if k % 2 else 'bad'} film number {k}" for k in range(40)]
    (tmp_path / "movie_reviews.txt").write_text("\n".join(lines) + "\n")
    run = run_papers(["stability", "--data", tmp_path, "--shuffles", 3, "--epochs", 3])
    assert run.status == 0, run.err
    assert run.out.startswith("movie reviews: 32 examples, 8 held out, 3 shuffles")
    assert run.out.splitlines()[-1].split()[0] == "3"
    run = run_papers(["stability", "--data", tmp_path, "--corpus", "interest"])
    assert run.status == 1
    assert "no interest/interest.pos here" in run.err


def test_a_figure_is_refused_before_the_work(run_papers):
    run = run_papers(["stability", "--figure", "picture.gif"])
    assert (run.status, run.out) == (2, "")
    assert "a figure is a .png, .svg or .pdf file" in run.err


def test_without_numpy_the_extra_is_named(run_papers, monkeypatch):
    monkeypatch.setattr("sapwood.base.optional.installed", lambda library: library != "numpy")
    run = run_papers(["stability"])
    assert (run.status, run.out) == (2, "")
    assert run.err == "sapwood: the laboratory needs numpy: pip install 'sapwood[sklearn]'\n"


def test_senses_become_two_classes(tmp_path):
    instance = (
        '<instance id="{k}"><answer senseid="{s}"/><context><head><wf pos="NN">{w}</wf></head></context></instance>'
    )
    words = {"a": "money", "b": "hobby", "c": "share"}
    text = "\n".join(instance.format(k=k, s=s, w=words[s]) for k, s in enumerate("aab" * 6 + "c" * 2))
    (tmp_path / "interest.pos").write_text(text)
    problem = stability.find_problem(tmp_path, "interest")
    assert problem.name == 'Senseval "interest", a or not'
    assert sorted(problem.y.tolist()) == [-1] * 8 + [1] * 12
    (tmp_path / "interest.pos").write_text(instance.format(k=0, s="a", w="x") + instance.format(k=1, s="b", w="y"))
    with pytest.raises(DataError, match="too few"):
        stability.find_problem(tmp_path, "interest")
