"""Notebooks that were handed in: a line an exercise, whatever is in their cells; and notebooks without solutions."""

import json
import subprocess
import sys

import pytest
from lesson_runs import lesson, solutions

from sapwood_lab.errors import DataError
from sapwood_lab.lessons.handed_in import blank, marks
from sapwood_lab.lessons.notebook import cells, notebook, solved

HOLE = "not written yet: exercise 1."
SPINNING = "def vanilla(examples, epochs):\n    raise KeyboardInterrupt  # as Ctrl-C in a loop that does not end"


def handed_in(folder, number=1, **changed):
    """The solved notebook of a lesson, in which some exercises have other sources."""
    whole = json.loads(notebook(solved(lesson(number))))
    for cell in whole["cells"]:
        cell["source"] = changed.get(cell["metadata"].get("exercise"), cell["source"])
    return written(folder, whole)


def written(folder, whole):
    file = folder / "ann.ipynb"
    file.write_text(json.dumps(whole), "utf-8")
    return file


@pytest.mark.slow
def test_a_solved_notebook_has_passed_everywhere_and_one_with_holes_nowhere(tmp_path):
    found = list(marks(handed_in(tmp_path)))
    assert [number for number, _, _ in found] == ["1.1", "1.2", "1.3", "1.4", "1.5"]
    assert [name for _, name, _ in found] == list(solutions(1))
    assert all(verdict.passed for _, _, verdict in found)
    file = tmp_path / "holes.ipynb"
    file.write_text(notebook(lesson(1).read_text("utf-8")), "utf-8")
    assert all(not verdict.passed and verdict.message.startswith(HOLE) for _, _, verdict in marks(file))


@pytest.mark.slow
@pytest.mark.parametrize(
    "source, said",
    [
        ("def vanilla(examples, epochs):\n    return [0, 0, 0]", "which is too"),
        ("def vanilla(examples, epochs)\n    return [0, 0, 0]", "no verdict: NameError: name 'vanilla' is not defined"),
        ("def vanilla(examples, epochs):\n    return helper(examples)", "name 'helper' is not defined"),
        ("def vanilla(examples, epochs):\n    return input()", "EOFError"),
        ("import sys\ndef vanilla(examples, epochs):\n    sys.exit(0)", "no verdict: SystemExit: 0"),
        (SPINNING, "no verdict: KeyboardInterrupt"),
        ("def vanilla(examples, epochs):\n    return vanilla(examples, epochs)", "RecursionError"),
        ("", "no verdict: NameError"),
    ],
)
def test_one_exercise_that_is_wrong_leaves_the_others(tmp_path, source, said):
    found = {name: verdict for _, name, verdict in marks(handed_in(tmp_path, vanilla=source))}
    assert said in found["vanilla"].message
    assert [name for name, verdict in found.items() if not verdict.passed] == ["vanilla"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "before, after, passed",
    [
        ("check.vanilla(vanilla)", "print(check.vanilla(vanilla))", True),
        ("check.vanilla(vanilla)", "verdict = check.vanilla(vanilla)\nverdict", True),
        ("check.vanilla(vanilla)", "%%time\ncheck.vanilla(vanilla)\n!ls", True),
        ("check.vanilla(vanilla)", "check.vanilla(lambda examples, epochs: [9, 9, 9])\ncheck.vanilla(vanilla)", False),
        ("check.vanilla(vanilla)", "'no checker here'", False),
        ("check.vanilla(vanilla)", "check.vanila(vanilla)", False),
    ],
)
def test_a_checker_counts_however_its_cell_is_written(tmp_path, before, after, passed):
    whole = json.loads(notebook(solved(lesson(1))))
    whole["cells"].insert(0, {"cell_type": "code", "metadata": {}, "source": ["%pip install nothing\n", "1 + 1"]})
    for cell in whole["cells"]:
        cell["source"] = after if cell["source"] == before else cell["source"]
    found = {name: verdict for _, name, verdict in marks(written(tmp_path, whole))}
    assert found["vanilla"].passed is passed
    assert found["averaged"].passed


@pytest.mark.slow
def test_of_two_checkers_of_an_exercise_both_count(tmp_path):
    few = 'def my_features(words, i, h, y):\n    return [("label before", (h, y)), ("a " + words[i][:1], y), ("b", y)]'
    *others, (number, name, verdict) = marks(handed_in(tmp_path, 2, my_features=few))
    assert (number, name, verdict.passed) == ("2.6", "my_features", False)
    assert "95% of all are needed" in verdict.message
    assert all(each.passed for _, _, each in others)


@pytest.mark.slow
def test_a_checker_that_ran_again_counts_as_it_was_last(tmp_path):
    whole = json.loads(notebook(solved(lesson(1))))
    [at] = [k for k, cell in enumerate(whole["cells"]) if cell["metadata"].get("exercise") == "guess"]
    hole = {"cell_type": "code", "metadata": {}, "source": "def guess(w, x): return 0\ndef score(w, x): return 0"}
    check = {"cell_type": "code", "metadata": {}, "source": "check.guess(score, guess)"}
    whole["cells"][at:at] = [hole, check]
    assert next(marks(written(tmp_path, whole)))[2].passed


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "no JSON", '{"cells": []}', '{"cells": [1]}', '{"cells": [{"source": "1"}]}', "[" * 100_000],
)
def test_what_is_no_notebook_of_a_lesson_is_refused(tmp_path, text):
    file = tmp_path / "other.ipynb"
    file.write_text(text)
    with pytest.raises(DataError, match=r"other\.ipynb: no notebook of a lesson"):
        list(marks(file))
    with pytest.raises(DataError, match=r"other\.ipynb: no notebook of a lesson"):
        blank(file)


@pytest.mark.parametrize("number", range(1, 7))
def test_a_notebook_without_its_solutions_is_the_lesson(tmp_path, number):
    whole = json.loads(notebook(solved(lesson(number))))
    for cell in whole["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [{"output_type": "stream", "text": "the answer is 42"}], "execution_count": 3}
    assert blank(written(tmp_path, whole)) == notebook(lesson(number).read_text("utf-8"))


def test_what_a_teacher_added_stays(tmp_path):
    whole = json.loads(notebook(solved(lesson(1))))
    mine = {"cell_type": "markdown", "id": "mine", "metadata": {}, "source": "Hand it in by Friday, *please*."}
    whole["cells"].insert(3, mine)
    kept = json.loads(blank(written(tmp_path, whole)))["cells"]
    assert kept[3] == mine
    assert [cell["source"] for cell in kept if "exercise" in cell["metadata"]] == [
        cell.source for cell in cells(lesson(1).read_text("utf-8")) if cell.exercise
    ]


@pytest.mark.slow
def test_the_command_prints_a_line_an_exercise_and_keeps_files(tmp_path):
    def run(*arguments):
        program = [sys.executable, "-m", "sapwood_lab", "lessons", *arguments]
        return subprocess.run(program, capture_output=True, text=True, cwd=tmp_path)

    handed_in(tmp_path, majority="def majority(W, v, x):\n    return 1")
    done = run("--check", "ann.ipynb", "ann.ipynb")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr, len(lines)) == (0, "", 10)
    assert {len(line) for line in lines} == {5}
    assert [line[:4] for line in lines[3:5]] == [
        ["ann.ipynb", "1.4", "majority", "-"],
        ["ann.ipynb", "1.5", "averaged", "passed"],
    ]
    assert not (tmp_path / "lessons").exists()
    assert run("out", "--blank", "ann.ipynb").stdout == "out/ann.ipynb\n"
    assert run("out", "--blank", "ann.ipynb").stdout == "out/ann.ipynb is there already; it stays as it is\n"
    done = run("--check", "nobody.ipynb")
    assert (done.returncode, done.stderr) == (
        1,
        "sapwood-lab: nobody.ipynb: cannot read it: No such file or directory\n",
    )
