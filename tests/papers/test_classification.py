"""``python -m papers wsd, sentiment, sparsity, early-stopping`` on small generated corpora: tables, JSON, figures."""

import json
import re
from itertools import pairwise

import pytest
from classification_data import REVIEWS, TOO_FEW, cells, check_results, write_corpora

from measure import corpora
from papers import early_stopping, sentiment, sparsity
from papers.classification import (
    Fold,
    Result,
    System,
    baselines,
    format_results,
    numbered_folds,
    ours,
    problem_of,
    run_folds,
)
from sapwood.datasets.documents import generate_reviews
from sapwood.errors import DataError
from sapwood.io.examples import take_examples

BASELINES = ["naive Bayes", "MaxEnt", "linear SVM", "Perceptron of scikit-learn", "averaged perceptron of scikit-learn"]
NAMES = ['Senseval "interest"', "movie reviews"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    write_corpora(folder := tmp_path_factory.mktemp("data"))
    return folder


def measured(run_papers, data, tmp_path, experiment, figure=""):
    """The table as text, and the rows of the JSON file, which says the same."""
    options = ["--figure", tmp_path / figure] if figure else []
    run = run_papers([experiment, "--data", data, "--json", tmp_path / "rows.json", *options])
    assert run.status == 0, run.err
    assert all(line.endswith(" ...") for line in run.err.splitlines())
    rows = json.loads((tmp_path / "rows.json").read_text())["rows"]
    return run.out, rows


@pytest.mark.slow
def test_wsd_prints_and_writes_its_rows(run_papers, data, tmp_path):
    out, rows = measured(run_papers, data, tmp_path, "wsd")
    check_results(out, rows)
    assert out.startswith('Senseval "interest": 80 examples, 3 senses; template wsd, 10 folds, median of 5 seeds')
    assert {row["corpus"] for row in rows} == {NAMES[0]}
    systems, others = [row["name"] for row in rows[:11]], [row["name"] for row in rows[11:]]
    ours = ["sapwood: margin, SAP5", "margin, SAP5, short keys, small weights dropped", "margin", "averaged perceptron"]
    ours += ["voted perceptron", "perceptron"]
    assert systems[: len(ours)] == ours
    assert [name.partition(",")[0] for name in systems[len(ours) :]] == BASELINES
    assert others == ["the lecture's features, SAP5", "tag and sense as one label, SAP5"]
    assert all(len(row["accuracies"]) == 5 for row in rows)
    assert cells(out, systems[0])[7] == ""  # the first is not compared with itself
    for name in systems[1:]:
        p = cells(out, name)[7]
        assert p == "< 0.0001" or 0 <= float(p) <= 1
    assert rows[1]["features"] < rows[0]["features"] < rows[2]["features"]
    # The marked word always has the tag "t" here, so that senses alone are as often right.
    assert rows[-1]["accuracy_of_senses"] == pytest.approx(rows[-1]["accuracy"])
    assert f"of its senses {rows[-1]['accuracy_of_senses']:.2f} are right" in out


@pytest.mark.slow
def test_sentiment_prints_and_writes_its_rows(run_papers, data, tmp_path):
    out, rows = measured(run_papers, data, tmp_path, "sentiment")
    check_results(out, rows)
    assert out.startswith("movie reviews: 60 reviews, word uni- and bigrams, 10 folds, median of 5 seeds; ")
    names = [row["name"] for row in rows]
    assert names[0] == "sapwood: margin, min_updates chosen"
    assert [name.partition(",")[0] for name in names[-5:]] == BASELINES
    assert len(names) == len(set(names)) == 14
    assert all(len(row["accuracies"]) == 5 for row in rows)
    assert rows[0]["features"] < rows[1]["features"]


@pytest.mark.slow
def test_sparsity_prints_and_draws_its_curves(run_papers, data, tmp_path):
    out, rows = measured(run_papers, data, tmp_path, "sparsity", "curves.svg")
    assert [name for name in NAMES if f"{name}, 10 folds" in out.splitlines()] == NAMES
    for corpus in NAMES:
        curves = {m: [row for row in rows if (row["corpus"], row["method"]) == (corpus, m)] for m in sparsity.METHODS}
        for name, (option, values, _) in sparsity.METHODS.items():
            assert [(row["option"], row["value"]) for row in curves[name]] == [(option, value) for value in values]
            features = [row["features"] for row in curves[name]]
            assert features[0] > features[-1]
            if option != "penalty":
                assert all(first >= second for first, second in pairwise(features))
        assert curves["SAP"][0]["features"] == curves["pruning"][0]["features"]  # neither has dropped any yet
        assert curves["SAP"][0]["accuracy"] == curves["pruning"][0]["accuracy"]
        assert [curves[baseline][-1]["features"] for baseline in list(curves)[3:]] == [0, 0]
        single = [row for row in rows if row["corpus"] == corpus and row["method"] not in sparsity.METHODS]
        assert [row["method"].partition(",")[0] for row in single] == BASELINES
        assert not any("option" in row for row in single)
    for row in rows:
        option = f"{row['option']} {row['value']:g}  " if "option" in row else ""
        assert re.search(rf"^{row['method']} +{option} *{row['accuracy']:.2f} +{row['features']:,}$", out, re.MULTILINE)
    assert out.count(": on or above ") == 12
    picture = (tmp_path / "curves.svg").read_text()
    for text in (*NAMES, *sparsity.METHODS, *BASELINES, "accuracy, %", "features with a weight that is not 0"):
        assert f">{text}<" in picture
    check_drawing(sparsity, rows, tmp_path, picture)


@pytest.mark.slow
def test_early_stopping_prints_and_draws_its_curves(run_papers, data, tmp_path):
    out, rows = measured(run_papers, data, tmp_path, "early-stopping", "passes.svg")
    for corpus in NAMES:
        assert f"{corpus}: error in %, 10 folds; training: mistakes during the pass" in out
        curves = {}
        for row in rows:
            if row["corpus"] == corpus:
                curves.setdefault(row["learner"], []).append(row)
        assert list(curves) == ["vanilla", "averaged", "averaged, margin"]
        for passes in curves.values():
            assert [row["pass"] for row in passes] == list(range(1, 21))
            [best] = [row for row in passes if row["best"]]
            errors = [row["held_out_error"] for row in passes]
            assert best["pass"] == 1 + errors.index(min(errors))
        training = [[row["training_error"] for row in curves[name]] for name in ("vanilla", "averaged")]
        assert training[0] == training[1]  # they make the same updates
        best = ", ".join(f"{name}: {row['pass']}" for name, passes in curves.items() for row in passes if row["best"])
        assert f"best number of passes  {best}" in out
    last = [f"{error:.2f}" for row in rows[19::20] for error in (row["training_error"], row["held_out_error"])]
    assert [line.split() for line in out.splitlines() if line.startswith("20 ")] == [
        ["20", *last[:6]],
        ["20", *last[6:]],
    ]
    picture = (tmp_path / "passes.svg").read_text()
    for text in (*NAMES, "vanilla, held out", "averaged, margin, held out", "training", "passes", "error, %"):
        assert f">{text}<" in picture
    check_drawing(early_stopping, rows, tmp_path, picture)


def check_drawing(experiment, rows, tmp_path, picture):
    """The rows of the JSON file are all that a figure needs, and it depends on nothing else."""
    experiment.draw(rows, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == picture
    experiment.draw(rows, tmp_path / "a.png")
    experiment.draw(rows, tmp_path / "b.PNG")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.PNG").read_bytes()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_without_a_folder_generated_examples_serve(run_papers, monkeypatch):
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    monkeypatch.setitem(corpora.GENERATED, "senses", 40)
    monkeypatch.setitem(corpora.GENERATED, "reviews", 40)
    run = run_papers("early-stopping")
    assert run.status == 0, run.err
    assert [line.partition(":")[0] for line in run.out.splitlines() if "10 folds" in line] == [
        "generated senses",
        "generated reviews",
    ]


def small_problem(labels):
    """A problem of these labels, whose texts tell nothing."""
    return problem_of("small", take_examples([f"a {k % 3}" for k in range(len(labels))], labels, None))


def test_p_values_are_those_of_the_sign_test():
    """Against nine of ten right: one of them (8 to 0, two-sided 2 / 2^8), all ten (0 to 1), the same nine."""
    gold = [0] * 10
    fold = [Fold([], 3, 1000, 0.5)]
    first = Result("first", [[0] * 9 + [1]], fold)
    worse = Result("worse", [[0] + [1] * 9], fold)
    better = Result("better", [[0] * 10], fold)
    same = Result("same", [[0] * 9 + [2]], fold)
    lines = format_results([first, worse, better, same], gold, best=first).splitlines()
    assert [line.split() for line in lines] == [
        ["accuracy", "least", "most", "features", "bytes", "train", "s", "p"],
        ["first", "90.00", "90.00", "90.00", "3", "1,000", "0.50"],
        ["worse", "10.00", "10.00", "10.00", "3", "1,000", "0.50", "0.0078"],
        ["better", "100.00", "100.00", "100.00", "3", "1,000", "0.50", "1.0000"],
        ["same", "90.00", "90.00", "90.00", "3", "1,000", "0.50", "1.0000"],
    ]


def test_an_example_is_answered_by_a_model_that_did_not_see_it():
    problem, seen = small_problem(["x", "y"] * 6), []

    def answer(problem, train, test, seed):
        seen.append((train, test, seed))
        return Fold([100 + k for k in test], 0, 0, 0.0)

    folds = [0, 0, 1, 1, 2, 2] * 2
    [result] = run_folds(problem, [System("spy", answer)], [folds, folds[::-1]], lambda *_: None)
    assert [sorted(train + test) for train, test, _ in seen] == [list(range(12))] * 6
    assert [seed for *_, seed in seen] == [1, 1, 1, 2, 2, 2]
    assert result.guesses == [[100 + k for k in range(12)]] * 2


@pytest.mark.parametrize(
    ("labels", "folds"),
    [(["x", "y", "x", "y"], [0, 0, 2, 2]), (["x", "y", "x", "x"], [0, 1, 0, 1])],
    ids=["empty fold", "one class left"],
)
def test_too_few_examples_for_the_folds_are_refused(labels, folds):
    with pytest.raises(
        DataError,
        match=f"small: {TOO_FEW}",
    ):
        run_folds(small_problem(labels), [ours("ours")], [folds], lambda *_: None)


def test_the_folds_of_reviews_are_their_numbers_hundreds():
    gold = [0] * 1000 + [1] * 1000
    assert numbered_folds(gold, 10) == [k // 100 for k in range(1000)] * 2
    assert numbered_folds([0, 1, 1, 0], 2) == [0, 0, 1, 1]


@pytest.mark.parametrize("template", ["text", "lecture", "wsd", None])
def test_scikit_learns_perceptrons_have_a_feature_of_all_examples_for_their_bias(template):
    """Their own bias hardly moves in sparse matrices, and is left out."""
    pytest.importorskip("sklearn")
    if template == "text":
        examples = take_examples(["good", "bad film", "good plot"], ["x", "y", "x"], None)
    elif template is None:
        examples = take_examples([{"a": 2}, {"b": 1}, {"a": 1, "b": 1}], ["x", "y", "x"], None)
    else:
        tokens = [[("a", "t"), (word, "t")] for word in "bcd"]
        examples = take_examples([(each, 1) for each in tokens], ["x", "y", "x"], None)
    problem = problem_of("small", examples, **({} if template is None else {"template": template}))
    assert (problem.matrix.toarray() == 1).all(axis=0).any()
    perceptrons = [system for system in baselines(smoothing=1.0, maxent=1.0, svm=1.0) if "erceptron" in system.name]
    assert [system.run(problem, [0, 1, 2], [0, 1, 2], 1).guess for system in perceptrons] == [problem.data.gold] * 2


def test_min_updates_is_chosen_without_the_fold_that_is_scored():
    texts, labels = zip(*generate_reviews(REVIEWS, seed=2), strict=True)
    problem = problem_of("reviews", take_examples(texts, labels, None))
    folds = numbered_folds(problem.data.gold, 10)
    train, test = [k for k, f in enumerate(folds) if f != 3], [k for k, f in enumerate(folds) if f == 3]
    first = sentiment.systems(problem, folds)[0].run(problem, train, test, 1)
    gold = [1 - y if f == 3 else y for y, f in zip(problem.data.gold, folds, strict=True)]
    problem.data = problem.data._replace(gold=gold)
    assert sentiment.systems(problem, folds)[0].run(problem, train, test, 1)[:3] == first[:3]


def test_the_verdict_compares_curves_at_the_same_number_of_features():
    """SAP goes from (10, 80) to (1000, 90): at 100 features, halfway on the axis, it has 85."""
    ends = [(10, 80.0), (1000, 90.0)]
    curves = {
        "SAP": ends, "SAP, margin": [(0, 50.0), (1000, 99.0)],
        "pruning": [(9, 99.0), (10, 80.0), (100, 84.9), (100, 85.3), (1000, 89.0), (2000, 99.0)],
        "L1, cumulative penalty": [(1000, 90.1)], "L1, truncated gradient": [(5, 99.0)],
    }  # fmt: skip
    rows = [{"method": m, "features": n, "accuracy": a} for m, points in curves.items() for n, a in points]
    assert sparsity.verdict(rows)[:3] == [
        "SAP: on or above pruning at 3 of its 4 sizes between 10 and 1,000",
        "SAP: on or above L1, cumulative penalty at 0 of its 1 sizes between 10 and 1,000",
        "SAP: on or above L1, truncated gradient at 0 of its 0 sizes between 10 and 1,000",
    ]
    assert sparsity.verdict(rows)[4:] == [
        "SAP, margin: on or above L1, cumulative penalty at 1 of its 1 sizes between 0 and 1,000",
        "SAP, margin: on or above L1, truncated gradient at 0 of its 1 sizes between 0 and 1,000",
    ]
