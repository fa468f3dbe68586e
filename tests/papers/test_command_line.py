"""``python -m papers``: its list, its help, its errors in one line, and where it takes data from."""

import json

import pytest
from tiny import TINY_CORPUS

from measure.experiment import parser_of
from papers.__main__ import PROGRAM, VERBS


def test_without_a_name_all_are_listed(run_papers):
    run = run_papers("--help")
    assert (run.status, run.err) == (0, "")
    for name, verb in VERBS.items():
        assert f"  {name:16} {verb.title}\n" in run.out
    assert run_papers("-h") == run
    assert run_papers("") == (2, "", run.out)


@pytest.mark.parametrize("name", VERBS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_has_options_and_examples_that_exist(run_papers, name, option):
    run = run_papers([name, option])
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith(f"usage: {PROGRAM} {name} ")
    examples = [line for line in run.out.splitlines() if line.startswith(f"  {PROGRAM} {name}")]
    assert examples
    known = parser_of(f"{PROGRAM} {name}", VERBS[name])._option_string_actions
    assert {word for line in examples for word in line.split() if word.startswith("--")} <= known.keys()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("tabel1", "No such table or figure 'tabel1'; did you mean 'table1'? See 'python -m papers --help'."),
        ("early", "No such table or figure 'early'; did you mean 'early-stopping'? See 'python -m papers --help'."),
        ("--verison", "No such option '--verison'. See 'python -m papers --help'."),
        ("table1 --sead 2", "No such option '--sead'; did you mean '--seeds'? See 'python -m papers table1 --help'."),
        (
            "stability --epochs=0",
            "Argument --epochs: '0' is not a whole number, from 1 to 1,000. See 'python -m papers stability --help'.",
        ),
    ],
)
def test_the_right_word_is_named_after_a_typing_error(run_papers, arguments, message):
    assert run_papers(arguments) == (2, "", f"sapwood: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "status", "what"),
    [
        ("table1 --data directory", 1, "directory: "),
        ("table1 --data missing", 1, "missing: "),
        ("table2 --data directory", 1, "directory: no ewt/"),
        ("table3 --data missing --corpus wsj", 1, "missing: no wsj_sample/"),
        ("taggers --data directory", 1, "directory: no ewt/en_ewt-ud-train.conllu and "),
        ("stability --data directory", 1, "directory: no movie_reviews/movie_reviews.txt here"),
        ("table1 --only Table", 2, "no row 'Table' in the table; it has Avg. Percep"),
        ("table1 --epochs 0", 2, "--epochs"),
        ("table2 --only Table", 2, "no row 'Table' in the table; it has Avg. Percep"),
        ("table3 --tags silver", 2, "--tags"),
        ("taggers --part train", 2, "--part"),
        ("stability --shuffles 0", 2, "--shuffles"),
        ("stability --corpus wsj", 2, "--corpus"),
    ],
)
def test_what_cannot_be_measured_is_one_line(run_papers, tmp_path, monkeypatch, arguments, status, what):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "directory").mkdir()
    run = run_papers(arguments)
    assert (run.status, run.out) == (status, "")
    assert run.err.startswith("sapwood: ")
    assert run.err.count("\n") == 1
    assert what in run.err


@pytest.fixture
def small_data(tmp_path, tiny):
    """A folder laid out as SAPWOOD_DATA is."""
    folder = tmp_path / "data" / "conll2000"
    folder.mkdir(parents=True)
    (folder / "train.txt").write_text(f"{TINY_CORPUS}\n" * 20)
    (folder / "test.txt").write_text(TINY_CORPUS)
    return folder.parent


def test_table_1_prints_and_writes_its_rows(run_papers, small_data, tmp_path):
    run = run_papers(["table1", "--data", small_data, "--epochs", 1, "--only", "SAP10", "--json", tmp_path / "t.json"])
    assert run.status == 0, run.err
    assert run.err == "CoNLL-2000: SAP10 ...\n"
    rows = [line for line in run.out.splitlines() if line.startswith("SAP10 ")]
    assert len(rows) == 1
    assert "26,160" in rows[0]  # the paper's
    [row] = json.loads((tmp_path / "t.json").read_text())["rows"]
    assert row["name"] == "SAP10"
    assert {"accuracy", "f1", "features", "weights", "bytes", "train_cpu_s"} <= set(row)
    assert 0 < row["accuracy"] <= 100
    assert row["weights"] >= row["features"] > 0
    assert f"{row['accuracy']:.2f}" in rows[0]
    assert f"{row['bytes']:,}" in rows[0]


def test_a_table_takes_the_folder_from_the_environment(run_papers, small_data, monkeypatch):
    monkeypatch.setenv("SAPWOOD_DATA", str(small_data))
    run = run_papers(["table1", "--epochs", 1, "--only", "Avg. Percep", "--only", "SAP5"])
    assert run.status == 0, run.err
    assert [line.split("  ")[0] for line in run.out.splitlines()[2:]] == ["Avg. Percep", "SAP5"]
