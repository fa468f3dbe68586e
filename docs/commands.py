"""Runs the commands of README.md and the pages, and compares what they print with what the pages show.

    python docs/commands.py [PAGE...]             name the outputs that differ
    python docs/commands.py --update [PAGE...]    write them into the pages
    python docs/commands.py --alone [PAGE...]     run the commands where nothing but rich is installed

Blocks fenced as ``console`` hold commands after "$ " and what they print, ``pycon`` blocks Python after ">>> ". Those
of one page run in their order, in one new folder, with generated data only. A command goes on after a backslash, in
lines after "> ", and to the end of a here-document. It has to succeed, unless the page shows an error, "sapwood: ...".
Standard output is a terminal of 88 columns; what goes to standard error stands before it.

In an output "..." stands for the rest of a line or a part of it, and alone on a line for any number of lines. It
is meant for times, the version, sizes of files, and what is long; --update puts it in place of the first three.

With --alone Python is left out. A command that ends in one line on an extra it needs is passed over if the page names
that extra; so are later ones that name a file that it was to write.
"""

import argparse
import contextlib
import io
import os
import pty
import re
import subprocess
import sys
import tempfile
import termios
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TextIO

ROOT = Path(__file__).resolve().parent.parent
_STOPPED_WRITING = 128 + 13  # by SIGPIPE, as `head` had enough
WIDTH = 88  # columns; a line of code on the site holds about as many

_FENCE = re.compile(r"```(\{?\w*\}?)")
_HERE_DOCUMENT = re.compile(r"<<'?(\w+)'?")
_EXTRA = re.compile(r"^sapwood: .* needs .*: pip install 'sapwood\[(\w+)\]'$")
_WRITTEN = re.compile(r"(?:>|-o) *(\S+)")
_MASKS = [
    (re.compile(r"\b\d+(\.\d+)? (s|ms)\b"), r"... \2"),
    (re.compile(r" +\d[\d.,]* [kM] (tokens|words|examples|decisions|lists)/s"), r"  ... \1/s"),
    (re.compile(r"sapwood \d+\.\d+\.\d+"), "sapwood ..."),
    (re.compile(r"\b\d[\d,]* bytes\b"), "... bytes"),  # of a model file, which says by which options it was trained
]


class Step(NamedTuple):
    """A command or a statement of Python, with the output that the page shows."""

    kind: str  # "console" or "pycon"
    source: str
    expected: list[str]
    begin: int  # index of the first line of the output in the page
    end: int  # index after its last line


class Difference(NamedTuple):
    """A step whose output is not what the page shows."""

    page: Path
    step: Step
    got: list[str]

    def __str__(self) -> str:
        shown, got = "\n".join(self.step.expected), "\n".join(self.got)
        where = f"{self.page}, line {self.step.begin}"
        return f"{where}: {self.step.source}\n--- the page shows\n{shown}\n--- it prints\n{got}\n"


def pages() -> list[Path]:
    """Return README.md and the pages that have commands to run."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if any(True for _ in steps(page.read_text(encoding="utf-8")))]


def blocks(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the language of each fenced block, and the indices of its first line and of the fence behind it."""
    language, begin = None, 0
    for number, line in enumerate(text.split("\n")):
        if language is None and (fence := _FENCE.match(line)):
            language, begin = fence[1], number + 1
        elif language is not None and line.startswith("```"):
            yield language, begin, number
            language = None


def steps(text: str) -> Iterator[Step]:
    """Yield the steps of a page in their order."""
    lines = text.split("\n")
    for kind, begin, end in blocks(text):
        if kind in ("console", "pycon"):
            yield from _steps(kind, lines, begin, end)


def _steps(kind: str, lines: list[str], begin: int, end: int) -> Iterator[Step]:
    prompt = "$ " if kind == "console" else ">>> "
    at = begin
    while at < end:
        if not lines[at].startswith(prompt):
            raise ValueError(f"line {at + 1}: a block begins with {prompt!r}, not with {lines[at]!r}")
        behind = _end_of_command(lines, at) if kind == "console" else _end_of_statement(lines, at)
        source = "\n".join(_without_prompt(line) for line in lines[at:behind])
        if kind == "console":
            source = re.sub(r"(?m)^> ", "", "\n".join(lines[at:behind]).removeprefix(prompt))
        at = behind
        while at < end and not lines[at].startswith(prompt):
            at += 1
        yield Step(kind, source, _stripped(lines[behind:at]), behind, at)


def _end_of_command(lines: list[str], at: int) -> int:
    """Return the index after a command that begins in line `at`."""
    while lines[at].endswith("\\"):
        at += 1
    if here := _HERE_DOCUMENT.search(lines[at]):
        return lines.index(here[1], at) + 1
    at += 1
    while lines[at].startswith("> "):
        at += 1
    return at


def _end_of_statement(lines: list[str], at: int) -> int:
    """Return the index after a statement of Python that begins in line `at`."""
    at += 1
    while lines[at].startswith("... ") or (lines[at] == "..." and lines[at - 1].startswith("... ")):
        at += 1
    return at


def _without_prompt(line: str) -> str:
    """Return what is behind the prompt of a line of Python: nothing behind that of an empty one, "..."."""
    return "" if line == "..." else line.removeprefix(">>> ").removeprefix("... ")


def _stripped(lines: Iterable[str]) -> list[str]:
    """Return lines without white space at their ends, and without empty lines at the end."""
    return "\n".join(line.rstrip() for line in lines).rstrip("\n").split("\n")


def agree(expected: list[str], got: list[str]) -> bool:
    """Whether an output is what a page shows. "..." in the page stands for anything.

    >>> agree(["read in ... s", "...", "end"], ["read in 0.2 s", "a", "b", "end"])
    True
    """
    patterns = [
        r"(?:.*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + r"\n" for line in expected
    ]
    return re.fullmatch("".join(patterns), "\n".join(got) + "\n") is not None


def masked(lines: list[str]) -> list[str]:
    """Return an output with "..." in place of times, versions and sizes of files.

    >>> masked(["read in 0.2 s,    1.1 M tokens/s"])
    ['read in ... s,  ... tokens/s']
    """
    for pattern, text in _MASKS:
        lines = [pattern.sub(text, line) for line in lines]
    return lines


def run(page: Path, folder: Path, times: TextIO | None = None, alone: bool = False) -> list[Difference]:
    """Run the steps of a page in a folder, and return those that print something else than the page shows.

    The CPU seconds of each are printed to `times`. alone : only commands, which may need an extra that the page names
    """
    globals_: dict[str, Any] = {"__name__": "__main__"}
    environment = _environment(folder.with_name(folder.name + ".bin"))
    different = []
    text = page.read_text(encoding="utf-8")
    not_made: set[str] = set()
    for step in steps(text):
        if alone and (step.kind != "console" or not_made.intersection(step.source.split())):
            continue
        started = _cpu_seconds()
        if step.kind == "console":
            status, output = _run_command(step.source, folder, environment)
        else:
            status, output = _run_python(step.source, folder, globals_)
        if times is not None:
            print(f"{_cpu_seconds() - started:6.2f} s  {page.name}: {step.source.splitlines()[0]}", file=times)
        got = _stripped(output.split("\n"))
        failed = status not in (0, _STOPPED_WRITING) and not any(line.startswith("sapwood: ") for line in step.expected)
        if alone and (needed := _EXTRA.search(got[-1])) and f"[{needed[1]}]" in text:
            not_made.update(_WRITTEN.findall(step.source))
        elif failed or not agree(step.expected, got):
            different.append(Difference(page, step, got))
    return different


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process and of those that it started."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _environment(commands: Path) -> dict[str, str]:
    """Return the environment of commands: ``sapwood``, ``sapwood-lab`` and ``python`` are those that run this."""
    commands.mkdir()
    for name, arguments in (("sapwood", "-m sapwood"), ("sapwood-lab", "-m sapwood_lab"), ("python", "")):
        path = commands / name
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        path.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if name not in ("SAPWOOD_DATA", "PYTHONHASHSEED")}
    path = f"{commands}{os.pathsep}{os.environ['PATH']}"
    return kept | {"PATH": path, "COLUMNS": str(WIDTH), "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "PYTHONUTF8": "1"}


def _run_command(source: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Return the status of a command and what it prints: on standard error first, then on a terminal."""
    terminal, inside = pty.openpty()
    termios.tcsetwinsize(inside, (40, WIDTH))
    attributes = termios.tcgetattr(inside)
    attributes[1] &= ~termios.OPOST  # line ends stay as they are
    termios.tcsetattr(inside, termios.TCSANOW, attributes)
    with (
        tempfile.TemporaryFile() as errors,
        os.fdopen(terminal, "rb", buffering=0) as output,
        subprocess.Popen(
            ["bash", "-c", f"set -o pipefail\n{source}"],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=inside,
            stderr=errors,
        ) as process,
    ):
        os.close(inside)
        printed = b"".join(_read(output))
        process.wait()
        errors.seek(0)
        return process.returncode, (errors.read() + printed).decode()


def _read(terminal: io.FileIO) -> Iterator[bytes]:
    """Yield what is written to a terminal until nobody has it open any more."""
    with contextlib.suppress(OSError):  # EIO, the end
        while part := terminal.read(1 << 16):
            yield part


def _run_python(source: str, folder: Path, globals_: dict[str, Any]) -> tuple[int, str]:
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        try:
            exec(compile(source + "\n", "<page>", "single"), globals_)
        except Exception as error:
            print("".join(traceback.format_exception_only(error)), end="")
            return 1, printed.getvalue()
    return 0, printed.getvalue()


def update(different: list[Difference]) -> None:
    """Write what was printed into the pages."""
    for page in {difference.page for difference in different}:
        lines = page.read_text(encoding="utf-8").split("\n")
        for difference in reversed([each for each in different if each.page == page]):
            step = difference.step
            lines[step.begin : step.end] = [line for line in masked(difference.got) if difference.got != [""]]
        page.write_text("\n".join(lines), encoding="utf-8")


def main() -> None:
    """Compare or update the pages that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="write the outputs into the pages")
    parser.add_argument(
        "--alone", action="store_true", help="only commands, which may need an extra that the page names"
    )
    parser.add_argument("--times", action="store_true", help="print the CPU seconds of each command")
    parser.add_argument("pages", metavar="PAGE", nargs="*", type=Path)
    given = parser.parse_args()
    different = []
    for page in given.pages or pages():
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "page")
            folder.mkdir()
            different += run(page, folder, sys.stdout if given.times else None, given.alone)
    print(*different, sep="\n")
    if given.update:
        update(different)
    elif different:
        sys.exit(1)


if __name__ == "__main__":
    main()
