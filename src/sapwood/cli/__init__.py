"""The command line: ``sapwood VERB ...``; verbs that belong together are in one file.

A folder for each heading of the overview; each file in it has a table VERBS. What only some verbs need is imported
inside the functions.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import TextIO

from sapwood.cli.app import find_verb, is_group, overview
from sapwood.cli.base.files import check_files
from sapwood.cli.base.terminal import paint
from sapwood.cli.base.verb import parser_of
from sapwood.errors import SapwoodError
from sapwood.io.writing import discard_output, finish_writes

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 data or model at fault, 2 usage, 128 + n stopped by signal n."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit status. Every error is one line on standard error."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the shell, as in `sapwood ... >&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
    finish_writes()

    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            status = _dispatch(arguments)
        sys.stdout.flush()
        return status
    except SapwoodError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt as interrupt:  # in training it has the signal's number
        return _fail("interrupted", 128 + next(iter(interrupt.args), 2))
    except BrokenPipeError:  # the reader had enough, as in `sapwood tag ... | head`: not an error to speak of
        discard_output()
        return 141
    except MemoryError:
        return _fail("out of memory; use less data, a smaller template or a lower order, or train with --stream", 1)
    except OSError as error:  # a full disk behind standard output, say
        discard_output()
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", 1)


def _dispatch(arguments: list[str]) -> int:
    if not arguments or (len(arguments) == 1 and is_group(arguments[0])):
        print(overview(*arguments), file=sys.stderr)
        return 2
    if arguments[0] in ("-V", "--version"):
        arguments = ["version", *arguments[1:]]
    if arguments[0] in ("-h", "--help"):
        arguments = ["help", *arguments[1:]]
    if arguments[1:2] in (["-h"], ["--help"]) and is_group(arguments[0]):
        print(overview(arguments[0]))
        return 0
    name, verb, rest = find_verb(arguments)
    parser = parser_of(name, verb)
    if "-h" in rest or "--help" in rest:
        print(parser.format_help(), end="")
        return 0
    values = parser.read(rest)
    if sys.stdin.isatty() and parser.reads_standard_input(values):
        print("sapwood: reading from the terminal; end with Ctrl-D on a line of its own", file=sys.stderr)
    check_files(values, values.pop("force", False))
    verb.run(**values)
    return 0


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning as errors are printed: on one line, without the place in the program."""
    print(f"{paint('sapwood: warning:', 'yellow', sys.stderr)} {message}", file=sys.stderr)


def _fail(message: str, status: int) -> int:
    print(f"{paint('sapwood:', 'error', sys.stderr)} {message}", file=sys.stderr)
    return status
