"""Running a command as a process of its own and reading what the kernel says it used.

A child's CPU seconds (user + system) and peak resident memory come from ``os.wait4``. Linux counts towards the
peak what the parent held when it started the child; so between the two stands a bare Python (launch.py), which
is smaller than anything that is measured. Every child gets one thread for whatever BLAS or OpenMP it may load.

Systems are run in turn, A B A B, and a ratio is the median of the rounds' ratios: a machine whose speed drifts
slows down both sides of a round alike.

Work in this process is measured by a `Clock`, of CPU seconds if nothing else is said.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple, Self

__all__ = ["PYTHON", "SAPWOOD", "Clock", "Job", "Runs", "Usage", "here", "in_turn", "run", "timed", "timed_in_turn"]

PYTHON = [sys.executable]
_SCRIPT = Path(sys.executable).with_name("sapwood")
SAPWOOD = [str(_SCRIPT)] if _SCRIPT.exists() else [*PYTHON, "-m", "sapwood"]

_ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")}


class Usage(NamedTuple):
    """The time and memory of one run of a process."""

    cpu_s: float
    wall_s: float
    peak_mb: float


class Job(NamedTuple):
    """A command under a name; what it prints goes to `output`."""

    name: str
    command: Sequence[str | Path]
    output: Path | None = None


class Runs:
    """The usage of each job in each round."""

    def __init__(self, rounds: list[dict[str, Usage]]) -> None:
        self.rounds = rounds

    def cpu(self, name: str) -> float:
        """Median CPU seconds of a job."""
        return median(r[name].cpu_s for r in self.rounds)

    def wall(self, name: str) -> float:
        """Median wall-clock seconds of a job."""
        return median(r[name].wall_s for r in self.rounds)

    def peak(self, name: str) -> float:
        """Median peak of resident memory of a job, in MB."""
        return median(r[name].peak_mb for r in self.rounds)

    def over_rounds(self, figures: Callable[[dict[str, float]], Sequence[float]]) -> list[float]:
        """Medians of figures that are worked out in each round from the CPU seconds of its jobs by name."""
        found = [figures({name: usage.cpu_s for name, usage in used.items()}) for used in self.rounds]
        return [median(column) for column in zip(*found, strict=True)]


class Clock:
    """The seconds that a block takes in this process: ``with Clock() as clock: ...``, and then ``clock.seconds``."""

    seconds: float

    def __init__(self, now: Callable[[], float] = process_time) -> None:
        self._now = now

    def __enter__(self) -> Self:
        """Start."""
        self._started = self._now()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop."""
        self.seconds = self._now() - self._started


def timed(work: Callable[[], object], now: Callable[[], float] = process_time) -> float:
    """Return the seconds that work in this process takes, by default those of the CPU."""
    with Clock(now) as clock:
        work()
    return clock.seconds


def timed_in_turn(
    runs: int, *works: Callable[[int], object], now: Callable[[], float] = process_time
) -> list[list[float]]:
    """Return the seconds [runs][works] of several works, each given the round's number; a first round warms up."""
    return [[timed(partial(work, k), now) for work in works] for k in range(runs + 1)][1:]


def here(name: str) -> str:
    """Return the path of a script beside this one."""
    return str(Path(__file__).with_name(name))


def run(command: Sequence[str | Path], output: Path | None = None) -> Usage:
    """Run a command to its end. Raises CalledProcessError if it fails."""
    launch = [*PYTHON, "-I", "-S", here("launch.py"), output or os.devnull, *command]
    environment = {**os.environ, **_ONE_THREAD}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its bytecode
    done = subprocess.run(launch, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return Usage(*map(float, done.stdout.split()))


def in_turn(jobs: Sequence[Job], runs: int) -> Runs:
    """Run all jobs once, in order, then again, `runs` times; say on standard error how far it is."""
    rounds = []
    for k in range(runs):
        used = {}
        for job in jobs:
            _show(f"round {k + 1} of {runs}: {job.name}")
            used[job.name] = run(job.command, job.output)
        rounds.append(used)
    _show("")
    return Runs(rounds)


def _show(state: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{state}", end="", file=sys.stderr, flush=True)
