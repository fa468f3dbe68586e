"""``python -m papers wsd, sentiment, sparsity, early-stopping``: options and files that will not do, and own files."""

import json
import sys

import pytest
from classification_data import REVIEWS, TOO_FEW, check_results, write_corpora, write_reviews
from reviews import fasttext, senseval

from measure.corpora import generate_senses
from papers import sentiment, wsd
from papers.classification import (
    baselines,
)
from sapwood.datasets.documents import generate_reviews

EXPERIMENTS = ["wsd", "sentiment", "sparsity", "early-stopping"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    write_corpora(folder := tmp_path_factory.mktemp("data"))
    return folder


def refuse(run_papers, arguments, status, message):
    """One line says what is wrong, and nothing was computed."""
    run = run_papers(arguments)
    assert (run.status, run.out) == (status, ""), run
    assert message in run.err
    assert "Traceback" not in run.err
    return run.err


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_help_has_examples_and_bad_options_are_refused(run_papers, experiment, tmp_path):
    run = run_papers([experiment, "--help"])
    assert (run.status, run.err) == (0, "")
    assert run.out.count(f"  python -m papers {experiment}") >= 2
    for option in ("--folds 3", "--json", "surplus surplus"):
        refuse(run_papers, f"{experiment} {option}", 2, option.split()[0])
    error = refuse(run_papers, [experiment, "--data", tmp_path / "absent"], 1, "here (.xz and .gz will do)")
    assert error.startswith(f"sapwood: {tmp_path / 'absent'}: no ")
    assert error.count("\n") == 1


@pytest.mark.parametrize("experiment", ["wsd", "sentiment"])
def test_a_figure_is_refused_where_there_is_none(run_papers, experiment):
    refuse(run_papers, f"{experiment} --figure a.png", 2, "--figure")


@pytest.mark.parametrize("experiment", ["sparsity", "early-stopping"])
@pytest.mark.parametrize("name", ["a.gif", "png", "a.png.txt"])
def test_a_figure_of_another_kind_is_refused_before_work_begins(run_papers, experiment, name):
    error = refuse(run_papers, f"{experiment} --figure {name}", 2, f"{name}: a figure is a .png, .svg or .pdf file")
    assert error.count("\n") == 1


@pytest.mark.parametrize("option", ["--json", "--figure"])
def test_a_file_that_cannot_be_written_costs_no_work(run_papers, data, tmp_path, option):
    target = tmp_path / "absent" / "a.svg"
    run = run_papers(["early-stopping", "--data", data, option, target])
    assert run == (1, "", f"sapwood: {target}: cannot be written: no such directory; make it first\n")


def test_a_library_that_is_not_there_is_named(run_papers, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    for experiment in EXPERIMENTS:
        refuse(run_papers, f"{experiment}", 2, "pip install 'sapwood[sklearn]'")
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    refuse(run_papers, "sparsity --figure a.png", 2, "pip install 'sapwood[figures]'")


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        (
            [("neg", "bad")] * 3 + [("pos", "good")],
            TOO_FEW,
        ),
        ([("neg", "bad")] * 30, "all examples have the label 'neg', one class; training needs two or more"),
    ],
)
def test_reviews_that_will_not_do_are_refused(run_papers, tmp_path, examples, message):
    write_reviews(tmp_path, examples)
    refuse(run_papers, ["sentiment", "--data", tmp_path], 1, message)


def own_files(folder):
    """A file in each format, all with examples of two labels; and what the heading says of their features."""
    texts = [(label, text) for text, label in generate_reviews(REVIEWS, seed=1)]
    senses = [(tokens, marked, sense) for tokens, marked, sense in generate_senses(REVIEWS, seed=1)]
    marked = [{"label": s, "tokens": [word for word, _ in tokens], "marked": k} for tokens, k, s in senses]
    in_text = [(s, " ".join(word for word, _ in tokens), k) for tokens, k, s in senses]
    tagged = [{"label": s, "tokens": tokens, "marked": k} for tokens, k, s in senses]
    numbers = [{"label": label, "features": dict.fromkeys(text.split(), 1)} for label, text in texts]
    files = {
        "reviews.txt": (fasttext(texts), "template text", []),
        "reviews.csv": (
            "stars,review\n" + "".join(f"{label},{text}\n" for label, text in texts),
            "template text",
            ["--label", "stars", "--text", "review"],
        ),
        "words.jsonl": ("".join(json.dumps(row) + "\n" for row in marked), "template lecture", []),
        "tagged.jsonl": ("".join(json.dumps(row) + "\n" for row in tagged), "template wsd", []),
        "senses.pos": (senseval(in_text), "template wsd", []),
        "numbers.json": (
            "".join(json.dumps(row) + "\n" for row in numbers),
            "features as they are",
            ["--format", "jsonl"],
        ),
        "below-0.svm": ("".join(f"{'ab'[k % 2]} 1:{(-1) ** k} {2 + k}:1\n" for k in range(30)), "features as they", []),
    }
    for name, (content, _, _) in files.items():
        (folder / name).write_text(content)
    return {name: rest for name, (_, *rest) in files.items()}


@pytest.fixture
def quick(monkeypatch):
    """Three folds of one shuffle, and two of the other learners."""
    pytest.importorskip("sklearn")
    for experiment in (wsd, sentiment):
        monkeypatch.setattr(experiment, "FOLDS", 3)
        monkeypatch.setattr(experiment, "baselines", lambda **how: baselines(**how)[:2])
        monkeypatch.setattr(experiment, "SEEDS", (1,))
    monkeypatch.setattr(sentiment, "_CHOICES", (8,))


@pytest.mark.few(1)
@pytest.mark.parametrize("experiment", ["wsd", "sentiment"])
@pytest.mark.parametrize(
    "name", ["reviews.txt", "reviews.csv", "words.jsonl", "tagged.jsonl", "senses.pos", "numbers.json", "below-0.svm"]
)
def test_a_file_in_any_format_takes_the_place_of_the_corpus(run_papers, quick, tmp_path, monkeypatch, experiment, name):
    monkeypatch.setenv("SAPWOOD_DATA", str(tmp_path / "absent"))
    monkeypatch.chdir(tmp_path)
    features, options = own_files(tmp_path)[name]
    run = run_papers([experiment, name, *options, "--json", "rows.json"])
    assert run.status == 0, run.err
    found = json.loads((tmp_path / "rows.json").read_text())
    assert found["command"] == " ".join(["python -m papers", experiment, name, *options])
    if experiment == "sentiment":
        features = features.replace("template wsd", "template text").replace("lecture", "text")
    heading = run.out.partition("\n")[0]
    assert heading.startswith(f"{name}: {30 if name == 'below-0.svm' else REVIEWS} examples, ")
    assert features in heading
    names = [row["name"] for row in found["rows"]]
    assert {row["corpus"] for row in found["rows"]} == {name}
    assert ("naive Bayes" in str(names)) == (name != "below-0.svm")
    assert "MaxEnt" in str(names)
    check_results(run.out, found["rows"])


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ("wsd --label stars", 2, "--label is about FILE, which is not given"),
        ("sentiment --format csv", 2, "--format is about FILE, which is not given"),
        ("sentiment mine.txt --data .", 2, "FILE stands in place of the corpora in --data; give one of them"),
        ("taggers mine.txt --data .", 2, "FILE stands in place of the corpora in --data; give one of them"),
        ("wsd absent.txt", 1, "absent.txt"),
        (
            "sentiment mine.txt",
            1,
            f"mine.txt: {TOO_FEW}",
        ),
        ("wsd mine.txt --format csv", 1, "mine.txt"),
        ("wsd one.txt", 1, "one.txt: all examples have the label 'a', one class; training needs two or more"),
        ("wsd empty.txt", 1, "empty.txt"),
    ],
)
def test_files_that_will_not_do_are_refused(run_papers, tmp_path, monkeypatch, arguments, status, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("__label__a x\n__label__b y\n" * 2)
    (tmp_path / "one.txt").write_text("__label__a x\n" * 20)
    (tmp_path / "empty.txt").write_text("")
    error = refuse(run_papers, f"{arguments}", status, message)
    assert error.count("\n") == 1
