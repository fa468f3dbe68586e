"""The cells of a lesson, which is text in the py:percent format of jupytext.

A cell begins with a line ``# %%``. Behind it stands ``[markdown]`` if the cell is prose, whose lines are comments, or
``exercise="viterbi"`` if the cell is to be written by the student. The solutions of lesson 2 are the cells of
``solutions/solution_2.py`` with the same names.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent

_HEAD = re.compile(r"^# %%(?P<prose> \[markdown\])?(?: exercise=\"(?P<exercise>\w+)\")?$", re.MULTILINE)


class Cell(NamedTuple):
    """A cell of a notebook."""

    source: str
    prose: bool  # Markdown, and not code
    exercise: str | None  # the name of the exercise that the cell is


class Picture(NamedTuple):
    """An SVG picture that a notebook shows as the value of a cell."""

    svg: str

    def _repr_html_(self) -> str:
        return self.svg


def lessons() -> list[Path]:
    """Return the files of the lessons, in their order.

    >>> "lesson_2_features_and_viterbi.py" in [path.name for path in lessons()]
    True
    """
    return sorted(FOLDER.glob("lesson_*.py"))


def solutions_of(lesson: Path) -> Path:
    """Return the file that has the solutions of a lesson."""
    return FOLDER / "solutions" / f"solution_{lesson.name.split('_')[1]}.py"


def cells(text: str) -> Iterator[Cell]:
    """Split a text in the py:percent format into cells.

    >>> for cell in cells('# %% [markdown]\\n# Some *prose*.\\n\\n# %% exercise="two"\\ntwo = 1 + 1\\n'):
    ...     print(cell)
    Cell(source='Some *prose*.', prose=True, exercise=None)
    Cell(source='two = 1 + 1', prose=False, exercise='two')
    """
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=True):
        source = text[head.end() : end].strip("\n")
        if head["prose"]:
            source = re.sub(r"^# ?", "", source, flags=re.MULTILINE)
        yield Cell(source, bool(head["prose"]), head["exercise"])


def solved(lesson: Path) -> str:
    """Return the text of a lesson in which the solutions stand in the place of the exercises."""
    solutions = {cell.exercise: cell.source for cell in cells(solutions_of(lesson).read_text("utf-8"))}
    text = lesson.read_text("utf-8")
    for cell in cells(text):
        if cell.exercise:
            text = text.replace(cell.source, solutions[cell.exercise])
    return text


def notebook(text: str) -> str:
    """Return a lesson as the text of an ``.ipynb`` file.

    >>> json.loads(notebook("# %%\\n1 + 1\\n"))["cells"][0]["source"]
    '1 + 1'
    """
    written: list[dict[str, object]] = []
    for number, cell in enumerate(cells(text)):
        kind = "markdown" if cell.prose else "code"
        written.append({"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": cell.source})
        if cell.exercise:
            written[-1]["metadata"] = {"exercise": cell.exercise}
        if not cell.prose:
            written[-1] |= {"execution_count": None, "outputs": []}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": written, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
