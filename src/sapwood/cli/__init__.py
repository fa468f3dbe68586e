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
    import click

    from sapwood.cli.app import sapwood
    from sapwood.errors import SapwoodError

    try:
        with sapwood.make_context("sapwood", list(arguments)) as context:
            sapwood.invoke(context)
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as end:  # --help, --version
        return _flushed(end.exit_code)
    except SapwoodError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except BrokenPipeError:
        return _reader_left()
    except MemoryError:
        return _fail("out of memory; use less data, a smaller template or a lower order", 1)
    except OSError as error:  # a full disk behind standard output, say
        _discard_output()
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", 1)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return 2
    except click.ClickException as error:
        message = " ".join(error.format_message().split())
        verb = getattr(error, "ctx", None)
        return _fail(f"{message} See '{verb.command_path if verb else 'sapwood'} --help'.", error.exit_code)


def _flushed(status: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_left()
    return status


def _reader_left() -> int:
    """The reader of our output had enough, as in ``sapwood tag ... | head``: not an error to speak of."""
    _discard_output()
    return 141


def _discard_output() -> None:
    """Let Python's last flush of standard output go nowhere instead of failing again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> int:
    print(f"sapwood: {message}", file=sys.stderr)
    return status
