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
    import click

    from sapwood.cli.app import sapwood
    from sapwood.errors import SapwoodError

    try:
        result = sapwood.main(args=arguments, prog_name="sapwood", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except SapwoodError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted; nothing was written", 130)
    except BrokenPipeError:  # the reader had enough, as in `sapwood tag ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except MemoryError:
        return _fail("out of memory; use less data, a smaller template or a lower order", 1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", 1)
    except click.Abort:
        return _fail("interrupted; nothing was written", 130)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return 2
    except click.ClickException as error:
        message = " ".join(error.format_message().split())
        context = getattr(error, "ctx", None)
        return _fail(f"{message} See '{context.command_path if context else 'sapwood'} --help'.", error.exit_code)


def _fail(message: str, status: int) -> int:
    print(f"sapwood: {message}", file=sys.stderr)
    return status
