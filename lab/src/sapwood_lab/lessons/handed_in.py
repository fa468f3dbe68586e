"""Notebooks that were handed in: a line with the verdict on each exercise; and notebooks without their solutions."""

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

from sapwood_lab.errors import DataError
from sapwood_lab.lessons.check.verdict import Verdict
from sapwood_lab.lessons.notebook import Cell, cells, lessons

_CHECK = re.compile(r"\bcheck\.(\w+)\(")  # the call of a checker


class _Recorder:
    """A lesson's checkers in the place of their module; `given` has the last verdict of each."""

    def __init__(self, module: ModuleType, given: dict[str, Verdict]) -> None:
        self._module, self._given = module, given

    def __getattr__(self, name: str) -> Callable[..., Verdict]:
        return lambda *answers: self._given.setdefault(name, getattr(self._module, name)(*answers))


def marks(file: Path) -> Iterator[tuple[str, str, Verdict]]:
    """Run a notebook, and yield the number, the name and the verdict of each exercise of its lesson.

    It runs as in Jupyter, and may do what it likes: a cell that ends in an error, or by Ctrl-C, is passed over.
    Raises DataError for what is not a notebook of a lesson.
    """
    whole, number, lesson = _read(file)
    given, space = dict[str, Verdict](), dict[str, Any](__name__="__main__")
    for cell in whole["cells"]:
        source = re.sub(r"^[%!].*", "", _source(cell), flags=re.MULTILINE) if cell["cell_type"] == "code" else ""
        stdin, sys.stdin = sys.stdin, io.StringIO()  # nobody answers an input()
        checked = _CHECK.findall(source)
        try:
            for name in checked:
                given.pop(name, None)
            with redirect_stdout(io.StringIO()):
                exec(compile(source, f"<{file.name}>", "exec"), space)
        except BaseException as error:
            given |= dict.fromkeys(checked, Verdict(False, f"no verdict: {type(error).__name__}: {error}"))
        finally:
            sys.stdin = stdin
        if isinstance(space.get("check"), ModuleType):
            space["check"] = _Recorder(space["check"], given)
    names: dict[str, list[str]] = {}  # exercise -> its checkers
    for cell in lesson:
        if cell.exercise:
            names[exercise := cell.exercise] = []
        elif names and not cell.prose:
            names[exercise] += _CHECK.findall(cell.source)
    for k, (exercise, checkers) in enumerate(names.items(), 1):
        verdicts = [given.get(name, Verdict(False, "no verdict: its checker did not run")) for name in checkers]
        yield f"{number}.{k}", exercise, min(verdicts, key=lambda verdict: verdict.passed)


def blank(file: Path) -> str:
    """Return a notebook in which the exercises are holes again, without what cells printed. Raises DataError."""
    whole, _, lesson = _read(file)
    holes = {cell.exercise: cell.source for cell in lesson if cell.exercise}
    for cell in whole["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": None, "outputs": []}
            cell["source"] = holes.get(cell.get("metadata", {}).get("exercise"), cell["source"])
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _read(file: Path) -> tuple[dict[str, Any], str, list[Cell]]:
    """Return a notebook, the number of its lesson, and the lesson's cells."""
    try:
        whole = json.loads(file.read_text("utf-8-sig"))
        text = "\n".join(_source(cell) for cell in whole["cells"] if cell["cell_type"] == "code")
        [number] = {*re.findall(r"import lesson_(\d) as check", text)}
        [lesson] = [path for path in lessons() if path.name.startswith(f"lesson_{number}_")]
    except OSError as error:
        raise DataError(f"{file}: cannot read it: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(f"{file}: no notebook of a lesson (it has no cell that imports a lesson's checkers)") from None
    return whole, number, list(cells(lesson.read_text("utf-8")))


def _source(cell: Any) -> str:
    return "".join(cell["source"])
