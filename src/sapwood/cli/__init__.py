"""The command line: ``sapwood VERB ...``, one file a verb.

Heavy modules are imported inside the verbs, so that ``sapwood tag`` starts quickly.
"""

import os
import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 data or model at fault, 2 usage, 130 interrupted."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit status. Every error is one line on standard error."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the shell, as in `sapwood ... >&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
    if hasattr(sys.stdout, "reconfigure"):  # a terminal that knows no Unicode shows \xe9 and the like
        sys.stdout.reconfigure(errors="backslashreplace")
    from sapwood.errors import SapwoodError

    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
        return status
    except SapwoodError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except BrokenPipeError:  # the reader had enough, as in `sapwood tag ... | head`: not an error to speak of
        _discard_output()
        return 141
    except MemoryError:
        return _fail("out of memory; use less data, a smaller template or a lower order", 1)
    except OSError as error:  # a full disk behind standard output, say
        _discard_output()
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", 1)


def _dispatch(arguments: list[str]) -> int:
    from sapwood.cli.app import VERBS, find_verb, overview

    if not arguments or arguments in [[verb.split()[0]] for verb in VERBS if " " in verb]:
        print(overview(*arguments), file=sys.stderr)
        return 2
    if arguments[0] == "--version":
        from sapwood import __version__

        print(f"sapwood {__version__}")
        return 0
    found = find_verb(arguments)
    if isinstance(found, str):
        print(found)
        return 0
    module, rest = found
    parser = module.parser()
    if "-h" in rest or "--help" in rest:
        print(parser.format_help(), end="")
        return 0
    module.run(**parser.read(rest))
    return 0


def _discard_output() -> None:
    """Let Python's last flush of standard output go nowhere instead of failing again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> int:
    print(f"sapwood: {message}", file=sys.stderr)
    return status
