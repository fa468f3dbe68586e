"""``sapwood-lab lessons``: writes the lessons to a folder, and checks notebooks that come back."""

from pathlib import Path

from sapwood_lab.base.command.files import Input
from sapwood_lab.base.command.terminal import show
from sapwood_lab.base.command.verb import Parser, Verb
from sapwood_lab.base.writing import make_folder, write_text
from sapwood_lab.errors import DataError
from sapwood_lab.lessons.handed_in import blank, marks
from sapwood_lab.lessons.notebook import lessons, notebook, solutions_of, solved

LESSONS = """Write the lessons to a folder as notebooks, or check notebooks that were handed in.

A file that is there already stays as it is.

Examples:
  sapwood-lab lessons my-lessons
  sapwood-lab lessons --solutions solved
  sapwood-lab lessons for-the-class --blank solved/*.ipynb
  sapwood-lab lessons --check handed-in/*.ipynb
"""


def _options(parser: Parser) -> None:
    add = parser.add_argument
    add("folder", nargs="?", metavar="FOLDER", default="lessons", help="where they are written")
    add("--solutions", action="store_true", help="write the lessons with their exercises solved")
    without = "write these notebooks without their solutions and what the cells printed, in place of the lessons"
    add("--blank", nargs="+", type=Input, metavar="NOTEBOOK", help=without)
    line = "run notebooks that were handed in, and print a line for each exercise: file, number, name, passed, verdict"
    add("--check", nargs="+", type=Input, metavar="NOTEBOOK", help=line)


def _run(folder: str, solutions: bool, blank: list[str] | None, check: list[str] | None) -> None:
    for file in map(Path, check or ()):
        for number, name, verdict in marks(file):
            passed = "passed" if verdict.passed else "-"
            show("\t".join([file.name, number, name, passed, " ".join(verdict.message.split())]))
    if not check:
        _write(Path(folder), None if blank is None else [*map(Path, blank)], solutions)


def _write(folder: Path, notebooks: list[Path] | None, with_solutions: bool) -> None:
    if with_solutions and not solutions_of(lessons()[0]).exists():
        raise DataError("the solutions were left out of this package")
    if notebooks is not None:
        texts = {file.stem.removesuffix("_solved"): blank(file) for file in notebooks}
    elif with_solutions:
        texts = {f"{lesson.stem}_solved": notebook(solved(lesson)) for lesson in lessons()}
    else:
        texts = {lesson.stem: notebook(lesson.read_text("utf-8")) for lesson in lessons()}
    make_folder(folder)
    for name, text in texts.items():
        path = folder / f"{name}.ipynb"
        if path.exists():
            show(f"{path} is there already; it stays as it is")
        else:
            write_text(path, text)
            show(str(path))


VERBS = {"lessons": Verb(LESSONS, _options, _run)}
