"""Writes the lessons to a folder: ``python -m sapwood.lab.lessons FOLDER``."""

import argparse
from pathlib import Path

from sapwood.io.writing import make_folder, write_text
from sapwood.lab.lessons.notebook import lessons, notebook, solved


def main() -> None:
    """Write each lesson as a notebook. A file that is there already stays as it is."""
    parser = argparse.ArgumentParser(prog="python -m sapwood.lab.lessons", description=main.__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("lessons"), help="(%(default)s)")
    parser.add_argument("--solutions", action="store_true", help="write the lessons with their exercises solved")
    options = parser.parse_args()
    make_folder(options.folder)
    for lesson in lessons():
        name = f"{lesson.stem}_solved.ipynb" if options.solutions else f"{lesson.stem}.ipynb"
        path = options.folder / name
        if path.exists():
            print(f"{path} is there already; it stays as it is")
            continue
        write_text(path, notebook(solved(lesson) if options.solutions else lesson.read_text("utf-8")))
        print(path)


if __name__ == "__main__":
    main()
