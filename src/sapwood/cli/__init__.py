"""The command line: ``sapwood VERB ...``; verbs that belong together are in one file.

A folder for each heading of the overview; each file in it has a table VERBS. What only some verbs need is imported
inside the functions.
"""

import sys

from sapwood.base.signals import HANGUP, handled, too_early

__all__ = ["main", "run"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 data or model at fault, 2 usage, 128 + n stopped by signal n."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit status. Every error is one line on standard error."""
    with handled(too_early, *[HANGUP] * (arguments[:1] == ["serve"])):  # before anything is imported that takes time
        from sapwood.cli.app import run_verb

        return run_verb(arguments)
