"""A command line from its words to its exit status, whatever its verbs are. Every error is one line."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import TextIO

from ...errors import SapwoodError
from ..writing import discard_output, escape_controls, finish_writes
from .files import check_files
from .terminal import paint, show, show_drawn
from .verb import Parser, Verb


def run_command(program: str, do: Callable[[], int], out_of_memory: str) -> int:
    """Do what a command line says, and return the exit status. Errors and warnings begin with the program's name.

    out_of_memory : what to do where memory did not suffice
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the shell, as in `sapwood ... >&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
    finish_writes()
    fail = partial(_fail, program)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = partial(_warn, program)
            status = do()
        sys.stdout.flush()
        return status
    except SapwoodError as error:
        return fail(str(error), error.exit_code)
    except KeyboardInterrupt as interrupt:  # in training it has the signal's number
        return fail("interrupted", 128 + next(iter(interrupt.args), 2))
    except BrokenPipeError:  # the reader had enough, as in `sapwood tag ... | head`: not an error to speak of
        discard_output()
        return 141
    except MemoryError:
        return fail(f"out of memory; {out_of_memory}", 1)
    except OSError as error:  # a full disk behind standard output, say
        discard_output()
        where = f"{error.filename}: " if error.filename else ""
        return fail(f"{where}{error.strerror or error}", 1)


def perform(program: str, parser: Parser, verb: Verb, words: list[str]) -> int:
    """Read a verb's arguments, check its files, and run it, or show its help. Raises what the verb raises."""
    if "-h" in words or "--help" in words:
        show(parser.format_help(), end="")
        return 0
    values = parser.read(words)
    if sys.stdin.isatty() and parser.reads_standard_input(values):
        show(f"{program}: reading from the terminal; end with Ctrl-D on a line of its own", sys.stderr)
    check_files(values, values.pop("force", False))
    verb.run(**values)
    return 0


def _warn(
    program: str,
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning as errors are printed: on one line, without the place in the program."""
    show_drawn(f"{paint(f'{program}: warning:', 'yellow', sys.stderr)} {escape_controls(str(message))}", sys.stderr)


def _fail(program: str, message: str, status: int) -> int:
    show_drawn(f"{paint(f'{program}:', 'error', sys.stderr)} {escape_controls(message)}", sys.stderr)
    return status
