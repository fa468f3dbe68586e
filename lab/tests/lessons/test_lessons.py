"""The lessons: each runs with its solutions, its checkers tell holes and mistakes, and it is a notebook."""

import json

import pytest
from lesson_runs import run, solutions, verdicts

from sapwood_lab.lessons.notebook import cells, lessons, notebook, solved

LESSONS = [pytest.param(int(path.stem.split("_")[1]), path, id=path.stem) for path in lessons()]


@pytest.mark.few(1)
@pytest.mark.parametrize("number, path", LESSONS)
def test_it_runs_with_its_solutions_and_every_checker_accepts_them(number, path):
    ran = run(solved(path))
    assert [cell.error for cell in ran if cell.error] == []
    assert {exercise for exercise, verdict in verdicts(ran).items() if verdict.passed} == set(solutions(number))


@pytest.mark.few(1)
@pytest.mark.parametrize("number, path", LESSONS)
def test_with_its_holes_every_checker_says_not_written_yet(number, path):
    ran = run(path.read_text("utf-8"))
    errors = [type(cell.error) for cell in ran if cell.error]
    assert set(errors) <= {NotImplementedError, NameError}  # of a name that a cell with a hole would have defined
    assert errors[:1] != [NameError]
    found = verdicts(ran)
    assert set(found) == set(solutions(number))
    for exercise, verdict in found.items():
        assert not verdict.passed
        assert verdict.message.startswith(f"not written yet: exercise {number}."), exercise
        assert f", {exercise} (" in verdict.message


@pytest.mark.parametrize("number, path", LESSONS)
def test_it_has_four_to_six_exercises_each_with_a_checker_behind_it(number, path):
    exercises = [cell.exercise for cell in cells(path.read_text("utf-8")) if cell.exercise]
    assert exercises == list(solutions(number))
    assert 4 <= len(exercises) <= 6


@pytest.mark.parametrize("number, path", LESSONS)
def test_as_a_notebook_it_has_the_same_cells(number, path):
    text = path.read_text("utf-8")
    written = json.loads(notebook(text))["cells"]
    assert [cell["source"] for cell in written] == [cell.source for cell in cells(text)]


@pytest.mark.slow
@pytest.mark.parametrize("number, path", LESSONS)
def test_jupytext_reads_it_and_jupyter_runs_it(number, path):
    jupytext = pytest.importorskip("jupytext", reason="pip install './lab[lessons]'")
    nbclient = pytest.importorskip("nbclient", reason="pip install './lab[lessons]'")
    read = jupytext.reads(solved(path), "py:percent")
    assert [cell.source for cell in read.cells] == [cell.source for cell in cells(solved(path))]
    nbclient.NotebookClient(read, timeout=600, kernel_name="python3").execute()
    said = [output["data"]["text/plain"] for cell in read.cells if cell.cell_type == "code"
            for output in cell.outputs if output.output_type == "execute_result"]  # fmt: skip
    assert sum(text.startswith("right: ") for text in said) >= len(solutions(number))
