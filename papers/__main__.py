"""``python -m papers NAME``: measure a table or figure of the papers and lectures."""

import sys

from measure import experiment
from papers.contents import EXPERIMENTS
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import nearest
from sapwood.errors import OptionError

PROGRAM = "python -m papers"
VERBS = {name: each.verb(f"{PROGRAM} {name}") for name, each in EXPERIMENTS.items()}


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit status. Every error is one line on standard error."""
    return experiment.run(_dispatch, arguments)


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        show(_overview(), None if arguments else sys.stderr)
        return 0 if arguments else 2
    name, *rest = arguments
    if name not in VERBS:
        kind = "option" if name.startswith("-") else "table or figure"
        meant = nearest(name, {each: each for each in VERBS})
        raise OptionError(f"No such {kind} {name!a}{meant or '.'} See '{PROGRAM} --help'.")
    return experiment.perform(f"{PROGRAM} {name}", VERBS[name], rest)


def _overview() -> str:
    """Return the list of what can be measured."""
    lines = [f"Usage: {PROGRAM} NAME ...", "", "Measure the tables and figures of the papers and lectures.", ""]
    lines += [f"  {name:16} {verb.title}" for name, verb in VERBS.items()]
    return "\n".join([*lines, "", f"'{PROGRAM} NAME --help' shows the options and examples of one."])


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
