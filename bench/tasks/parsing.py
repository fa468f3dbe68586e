"""How fast, small and good is dependency parsing, beside UDPipe and beside what the machine can do?

    python -m bench.tasks.parsing [--data DIR] [--json FILE] [--runs N] [--only NAME]

On UD English EWT (from --data or SAPWOOD_DATA) with gold tags, or a generated treebank: each parser is trained and
run on the same files in the same run, each training (CoNLL-U in, model out) and parsing (CoNLL-U in, CoNLL-U out) as
a process of its own on one thread. "words/s" is marginal: a long text, the test set ten times over, less the test
set, so that nobody pays for the start of Python; "whole" charges all of one run over the test set. Sapwood reads the
columns xpos, upos and feats; UDPipe 1 by its own defaults upos and feats, in 4 passes (its training takes
many minutes).

CPU seconds are user + system (measure/processes.py). Medians over --runs rounds; training once.
"""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from measure.layout import command_line, print_rows, write_rows
from measure.processes import PYTHON, SAPWOOD, Job, here, in_turn, timed_in_turn
from measure.report import Row
from measure.texts import REPEATS, treebank
from sapwood import _core
from sapwood.io.source import read_bytes
from sapwood.loading import load_as
from sapwood.metrics import tree_scores
from sapwood.tasks.parsing.model import DependencyParser

_SYSTEMS = {
    "eisner": "--search eisner",
    "eisner order 2": "--search eisner --order 2",
    "easy-first": "--search easy-first",
    "beam 1": "--beam 1",
    "beam 8": "--beam 8",
}
_UDPIPE = "UDPipe 1"


@dataclass(frozen=True, slots=True)
class System:
    """A parser as two commands."""

    name: str
    model: Path

    def train(self, treebank: Path) -> list[str | Path]:
        if self.name == _UDPIPE:
            return [*PYTHON, here("peers.py"), "udpipe-train", treebank, self.model, "4"]
        return [*SAPWOOD, "train", "parse", treebank, "-o", self.model, "--quiet", *_SYSTEMS[self.name].split()]

    def parse(self, text: Path) -> list[str | Path]:
        if self.name == _UDPIPE:
            return [*PYTHON, here("peers.py"), "udpipe-parse", self.model, text]
        return [*SAPWOOD, "parse", self.model, text]


def measure(system: System, files: Mapping[str, Path], words: int, runs: int) -> Row:
    """Train a system, parse the test set and the long text in turn, and score the trees."""
    name, parsed = system.name, files["test"].with_name("parsed.conllu")
    trained = in_turn([Job("train", system.train(files["train"]))], 1)
    jobs = [
        Job(f"{name}: test", system.parse(files["test"]), parsed),
        Job(f"{name}: long", system.parse(files["long"])),
    ]
    used = in_turn(jobs, runs)
    (marginal,) = used.over_rounds(lambda cpu: [cpu[f"{name}: long"] - cpu[f"{name}: test"]])
    gold, guess = (_core.Conllu.read(read_bytes(path), "trees") for path in (files["test"], parsed))
    scores = tree_scores(gold.trees(False), guess.trees(False), gold.column("upos"))
    row = {
        "name": name,
        "uas": scores.uas,
        "las": scores.las,
        "words_per_cpu_s": (REPEATS - 1) * words / marginal,
        "whole_words_per_cpu_s": words / used.cpu(f"{name}: test"),
        "train_cpu_s": trained.cpu("train"),
        "train_peak_mb": trained.peak("train"),
        "bytes": system.model.stat().st_size,
    }
    return row if name == _UDPIPE else {**row, **_inside(system.model, files["test"], runs)}


def _inside(model: Path, text: Path, runs: int) -> dict[str, float]:
    """Time loading, reading and parsing inside this process, in turn."""
    parser, data = load_as(DependencyParser, model), read_bytes(text)
    rounds = timed_in_turn(
        runs,
        lambda _: load_as(DependencyParser, model),
        lambda _: _core.Conllu.read(data, "text"),
        lambda _: list(parser.annotate([data])),
    )
    return {
        "load_ms": 1000 * median(load for load, *_ in rounds),
        "reading_share": median(read / annotate for _, read, annotate in rounds),
    }


_COLUMNS = {
    "UAS": ("uas", ".2f"),
    "LAS": ("las", ".2f"),
    "words/s": ("words_per_cpu_s", ",.0f"),
    "whole": ("whole_words_per_cpu_s", ",.0f"),
    "train s": ("train_cpu_s", ".0f"),
    "train MB": ("train_peak_mb", ",.0f"),
    "bytes": ("bytes", ","),
    "load ms": ("load_ms", ".1f"),
    "reading": ("reading_share", ".0%"),
}


def main() -> None:
    arguments = command_line(__doc__, runs=3)
    arguments.add_argument("--only", action="append", choices=[*_SYSTEMS, _UDPIPE])
    given = arguments.parse_args()
    wanted = given.only or [*_SYSTEMS, _UDPIPE]
    if importlib.util.find_spec("ufal") is None and _UDPIPE in wanted:
        print("ufal.udpipe is not installed: pip install '.[bench]'")
        wanted.remove(_UDPIPE)
    with treebank(given.data) as (name, files):
        systems = [System(wanted_name, files["train"].with_name(f"{k}.model")) for k, wanted_name in enumerate(wanted)]
        words = _core.Conllu.read(read_bytes(files["test"]), "test").words
        rows = [measure(system, files, words, given.runs) for system in systems]
    print(f"{name}, gold tags, {words:,} test words; one thread, CPU seconds")
    print_rows(rows, _COLUMNS)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
