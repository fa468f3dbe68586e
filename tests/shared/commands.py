"""The command line, run in this process as a shell would run it."""

import os
import sys
import tempfile
from typing import NamedTuple


class Run(NamedTuple):
    """What a run of the command line gave."""

    status: int
    out: str
    err: str


def run_command(args, stdin=b""):
    """Run `sapwood` in this process; what it writes is caught at the file descriptors.

    `args` is a list, or a string that is split at its spaces.
    """
    from sapwood import cli

    args = args.split() if isinstance(args, str) else [str(arg) for arg in args]
    stdin = stdin.encode() if isinstance(stdin, str) else stdin
    kept = sys.stdin, sys.stdout, sys.stderr
    saved = [os.dup(descriptor) for descriptor in (0, 1, 2)]
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        source.write(stdin)
        source.seek(0)
        for file, descriptor in ((source, 0), (out, 1), (err, 2)):
            os.dup2(file.fileno(), descriptor)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        try:
            status = cli.run(args)
        finally:
            for stream in (sys.stderr, sys.stdout, sys.stdin):
                stream.close()
            sys.stdin, sys.stdout, sys.stderr = kept
            for descriptor in (0, 1, 2):
                os.dup2(saved[descriptor], descriptor)
                os.close(saved[descriptor])
        err.seek(0)
        out.seek(0)
        return Run(status, out.read().decode(), err.read().decode())
