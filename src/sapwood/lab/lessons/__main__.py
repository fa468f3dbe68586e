"""Writes the lessons to a folder: ``python -m sapwood.lab.lessons FOLDER``. Checks notebooks that come back."""

import argparse
import sys
from pathlib import Path

from sapwood.errors import DataError
from sapwood.io.writing import make_folder, write_text
from sapwood.lab.lessons.handed_in import blank, marks
from sapwood.lab.lessons.notebook import lessons, notebook, solutions_of, solved


def main() -> None:
    """Write each lesson as a notebook. A file that is there already stays as it is."""
    parser = argparse.ArgumentParser(prog="python -m sapwood.lab.lessons", description=main.__doc__)
    add = parser.add_argument
    add("folder", nargs="?", type=Path, default=Path("lessons"), help="(%(default)s)")
    add("--solutions", action="store_true", help="write the lessons with their exercises solved")
    without = "write these notebooks without their solutions and what the cells printed, in place of the lessons"
    add("--blank", nargs="+", type=Path, metavar="NOTEBOOK", help=without)
    line = "run notebooks that were handed in, and print a line for each exercise: file, number, name, passed, verdict"
    add("--check", nargs="+", type=Path, metavar="NOTEBOOK", help=line)
    options = parser.parse_args()
    try:
        for file in options.check or ():
            for number, name, verdict in marks(file):
                passed = "passed" if verdict.passed else "-"
                print(file.name, number, name, passed, " ".join(verdict.message.split()), sep="\t")
        if not options.check:
            _write(options.folder, options.blank, options.solutions)
    except DataError as error:
        sys.exit(f"{parser.prog}: {error}")


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
            print(f"{path} is there already; it stays as it is")
        else:
            write_text(path, text)
            print(path)


if __name__ == "__main__":
    main()
