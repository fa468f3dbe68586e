"""The files of docs/measurements are what their commands write: the quick commands run again, on the same corpora."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ROOT / "docs" / "measurements"
QUICK = ["multilabel", "table1", "wsd"]  # up to two minutes of CPU each
COSTS = re.compile(r"(cpu|ratio|(.*_)?(s|ms|us|mb|per_minute))$")  # figures that differ from run to run


def read(file):
    return json.loads((FILES / f"{file}.json").read_text())


def figures(rows):
    """The rows without what they cost in time and memory."""
    return [{name: value for name, value in row.items() if not COSTS.match(name)} for row in rows]


def test_costs_are_told_from_results():
    row = {"accuracy": 1, "bytes": 2, "features": 3, "names": 4, "measured": 5}
    costs = dict.fromkeys(["cpu", "cpu_s", "train_cpu_s", "words_per_cpu_s", "load_ms", "us", "peak_mb", "ratio"], 0)
    assert figures([row | costs]) == [row]


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("file", QUICK)
def test_a_quick_command_writes_its_file_again(file, tmp_path):
    """After a change on purpose: the command that the table names, with --json, then docs/measurements.py --update."""
    words = shlex.split(read(file)["command"])
    command = [os.environ["SAPWOOD_DATA"] if word == "DIR" else word for word in words]
    out = tmp_path / "again.json"
    subprocess.run([sys.executable, *command[1:], "--json", str(out)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    found, kept = figures(json.loads(out.read_text())["rows"]), figures(read(file)["rows"])
    assert [list(row) for row in found] == [list(row) for row in kept]
    for again, once in zip(found, kept, strict=True):
        for name, value in once.items():
            size_of_version = 16 if name == "bytes" else None  # a model names the version that trained it
            expected = value if isinstance(value, str) else pytest.approx(value, rel=1e-9, abs=size_of_version)
            assert again[name] == expected, (once["name"], name)


@pytest.mark.parametrize(
    ("file", "margin", "averaged", "bayes"),
    [
        ("wsd", "sapwood: margin, SAP5", "averaged perceptron", "naive Bayes, smoothing 0.5"),
        ("sentiment", "sapwood: margin, min_updates chosen", "averaged perceptron", "naive Bayes, smoothing 2.0"),
    ],
)
def test_naive_bayes_is_between_the_averaged_perceptron_and_the_one_with_a_margin(file, margin, averaged, bayes):
    """As the pages say of the tables, against what a lecture says of perceptrons."""
    rows = {row["name"]: row for row in read(file)["rows"]}
    assert rows[averaged]["accuracy"] < rows[bayes]["accuracy"] < rows[margin]["accuracy"]
    assert (rows[bayes]["p"] < 0.05) == (file == "sentiment")


# To be measured again, each of them many minutes of CPU: their figures were read off an older page.
TYPED_IN = {"parsing", "streams"}


def test_figures_are_written_by_commands():
    files = [path.stem for path in FILES.iterdir()]
    assert {file for file in files if "copied" in read(file).get("note", "")} == TYPED_IN


def test_the_decision_on_votes_has_the_figures_of_the_tables():
    """Its figures are in a sentence, not in a table that docs/measurements.py writes."""
    page = " ".join((ROOT / "docs" / "decisions" / "dual-and-votes.md").read_text().split())
    senses, reviews = ({row["name"]: row for row in read(file)["rows"]} for file in ("wsd", "sentiment"))
    pairs = [(found["voted perceptron"], found["averaged perceptron"]) for found in (senses, reviews)]
    for voted, averaged in pairs:
        assert f"{voted['accuracy']:.2f} against {averaged['accuracy']:.2f}" in page
    first, second = (voted["bytes"] / averaged["bytes"] for voted, averaged in pairs)
    assert f"{first:.1f} and {second:.1f} times as large" in page
    trees = {row["name"]: row for row in read("ranking")["rows"] if row["corpus"].endswith(" trees")}
    assert f"{trees['the same, voted']['f1']:.2f} against {trees['tree kernel, 20 candidates']['f1']:.2f}" in page
