"""How fast, small and good is raw text to trees, beside UDPipe 1 trained on the same treebank?

    python -m bench.tasks.pipeline TEST.conllu [MODEL] [--udpipe MODEL] [--profile] [--long TREEBANK...] [--repeats N]
                                   [--runs N] [--json FILE]

MODEL is a pipeline of sapwood, or `en`, the one that comes with it. UDPipe's is one of bench/tasks/train_udpipe.py,
named by --udpipe or UDPIPE_MODEL; without it, or without ufal.udpipe, sapwood runs alone. The text is that of the
test set, wrapped at 80 characters with --wrap. Every run is a process of its own on one thread, raw text in,
CoNLL-U out:

words/s   marginal: of a long text, the test set --repeats times over (3 times as long for sapwood, which would be done
          before it can be timed), less the test set; nobody pays for start-up. With --long the long text is that of
          these treebanks, once, so that words are new at the rate of other text, less the test set's first sentence
whole     charges all of one run over the test set
start ms  CPU of a run over the text's first sentence: start-up, loading the model, the first answer
load ms   CPU of loading the model in a process that has the library imported already
wall ms   the same by the clock
peak MB   resident memory at most, on the long text

With --profile sapwood is also run with its first part alone, with two of them and so on, and without its parser: the
difference of the microseconds a word ("us/word") between two rows is what a part costs.

The scores are F1 of the CoNLL-2018 shared task, from raw text. CPU seconds are user + system (measure/processes.py).
Medians over --runs rounds, in which the systems take turns; "times" is the median of the rounds'
ratios of marginal words/s to UDPipe's.
"""

import argparse
import importlib.util
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from measure.layout import print_rows, write_rows
from measure.processes import PYTHON, SAPWOOD, Job, Runs, here, in_turn, timed_in_turn
from measure.report import Row
from measure.texts import REPEATS
from sapwood._core import Conllu
from sapwood.io.source import read_bytes
from sapwood.metrics import conll2018_scores
from sapwood.model.file.bundled import model_path

_METRICS = ("Tokens", "Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "MLAS", "BLEX")
_LOADS = 5  # rounds of loading
_SAPWOOD, _UDPIPE = "sapwood", "UDPipe 1"


@dataclass(frozen=True, slots=True)
class System:
    """A pipeline as a command that takes one more argument, a text."""

    name: str
    model: str
    command: Sequence[str | Path]
    load: Callable[[], object]
    factor: int = 1  # its long text is so many times as long

    def on(self, kind: str, text: Path, output: Path | None = None) -> Job:
        return Job(f"{self.name}: {kind}", [*self.command, text], output)


def sapwood(model: str) -> System:
    import sapwood

    command = [*SAPWOOD, "annotate", "--threads", "1", model]
    return System(_SAPWOOD, model, command, lambda: sapwood.load(model), factor=3)


def profile(whole: System) -> list[System]:
    """Return sapwood with ever more parts, up to all but one, and with all but the parser."""
    parts = list(whole.load().parts)
    chosen = [parts[:k] for k in range(1, len(parts))]
    without_parser = [part for part in parts if part != "parse"]
    if without_parser not in [*chosen, parts]:
        chosen.append(without_parser)

    def some(names: str) -> System:
        return replace(whole, name=names, command=[*whole.command[:-1], "--parts", names, whole.command[-1]])

    return [some(",".join(names)) for names in chosen]


def udpipe(model: str) -> System:
    from ufal.udpipe import Model

    return System(_UDPIPE, model, [*PYTHON, here("peers.py"), "udpipe-annotate", model], lambda: Model.load(model))


@dataclass(frozen=True, slots=True)
class Texts:
    """Files of raw text: a test set's first sentence, the test set, and a long text with its words."""

    first: Path
    test: Path
    long: Path
    long_words: int  # of the long text; of a repeated test set, those of all copies but one
    less: str  # the run that is taken off that over the long text


def raw_text(treebank: bytes, width: int, *, first: bool = False) -> bytes:
    """Return a treebank's raw text, or that of its first sentence."""
    found = Conllu.read(treebank, "gold").text(width)
    return found.text[: found.tokens[found.sentences[1] - 1][1]] if first else found.text


def written(gold: bytes, folder: Path, repeats: int, given: argparse.Namespace) -> Texts:
    """Write the texts that a system reads. Without --long the long text is the test set, `repeats` times."""
    width = 80 if given.wrap else 0
    test = raw_text(gold, width) + b"\n"
    if given.long:
        treebanks = [bytes(read_bytes(name)) for name in given.long]
        long, less = b"\n".join(raw_text(treebank, width) for treebank in treebanks), "start"
        words = sum(Conllu.read(treebank, "long").words for treebank in treebanks)
    else:
        long, less, words = test * repeats, "test", Conllu.read(gold, "gold").words * (repeats - 1)
    texts = Texts(*(folder / f"{name} {repeats}" for name in ("first", "test", "long")), words, less)
    first = raw_text(gold, width, first=True) + b"\n"
    for path, text in ((texts.first, first), (texts.test, test), (texts.long, long)):
        path.write_bytes(text)
    return texts


def measured(systems: Sequence[System], gold: bytes, given: argparse.Namespace) -> list[Row]:
    """Run all systems on the texts in turn, and score what they make of the test set."""
    words = Conllu.read(gold, "gold").words
    with TemporaryDirectory(prefix="sapwood-bench-") as scratch:
        texts = {s.name: written(gold, Path(scratch), given.repeats * s.factor, given) for s in systems}
        outputs = {system.name: Path(scratch, f"output {k}") for k, system in enumerate(systems)}
        jobs = []
        for system in systems:
            jobs.append(system.on("start", texts[system.name].first))
            jobs.append(system.on("test", texts[system.name].test, outputs[system.name]))
            jobs.append(system.on("long", texts[system.name].long))
        used = in_turn(jobs, given.runs)
        scores = [conll2018_scores(gold, outputs[s.name].read_bytes(), system_name=s.name) for s in systems]
    works = [lambda _, system=system: system.load() for system in systems]
    loads, walls = timed_in_turn(_LOADS, *works), timed_in_turn(_LOADS, *works, now=perf_counter)

    rates = {system.name: _marginal(used, system, texts[system.name]) for system in systems}
    rows: list[Row] = []
    for k, (system, report) in enumerate(zip(systems, scores, strict=True)):
        row: Row = {
            "name": system.name,
            "words_per_cpu_s": median(rates[system.name]),
            "us_per_word": 1e6 / median(rates[system.name]),
            "whole_words_per_cpu_s": words / used.cpu(f"{system.name}: test"),
            "start_ms": 1000 * used.cpu(f"{system.name}: start"),
            "load_ms": 1000 * median(times[k] for times in loads),
            "load_wall_ms": 1000 * median(times[k] for times in walls),
            "peak_mb": used.peak(f"{system.name}: long"),
        }
        if _UDPIPE in rates:
            row["times"] = median(a / b for a, b in zip(rates[system.name], rates[_UDPIPE], strict=True))
        if (path := Path(model_path(system.model))).is_file():
            row["bytes"] = path.stat().st_size
        rows.append(row | {metric: report[metric].f1 for metric in _METRICS if metric in report})
    return rows


def _marginal(used: Runs, system: System, texts: Texts) -> list[float]:
    """Words per CPU second in each round, start-up not counted."""
    cpu = [(r[f"{system.name}: long"].cpu_s, r[f"{system.name}: {texts.less}"].cpu_s) for r in used.rounds]
    return [texts.long_words / (long - less) for long, less in cpu]


_COLUMNS = {
    "words/s": ("words_per_cpu_s", ",.0f"),
    "us/word": ("us_per_word", ".2f"),
    "times": ("times", ".1f"),
    "whole": ("whole_words_per_cpu_s", ",.0f"),
    "start ms": ("start_ms", ".0f"),
    "load ms": ("load_ms", ".1f"),
    "wall ms": ("load_wall_ms", ".1f"),
    "peak MB": ("peak_mb", ",.0f"),
    "bytes": ("bytes", ","),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("test", metavar="TEST.conllu")
    parser.add_argument("model", nargs="?", default="en", metavar="MODEL")
    parser.add_argument("--udpipe", default=os.environ.get("UDPIPE_MODEL"), metavar="MODEL")
    parser.add_argument("--profile", action="store_true", help="also run sapwood with some of its parts only")
    repeats = "test sets in the long text; the more, the less noise where a test set takes less than a second"
    parser.add_argument("--repeats", type=int, default=REPEATS, metavar="N", help=repeats)
    parser.add_argument("--long", nargs="+", metavar="TREEBANK", help="the long text is that of these, once")
    parser.add_argument("--wrap", action="store_true", help="wrap the text at 80 characters")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="rounds, of which the median counts")
    parser.add_argument("--only", choices=[_SAPWOOD, _UDPIPE], help="run one of the two")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    given = parser.parse_args()
    if given.repeats < 2 or given.runs < 1:
        parser.error("--repeats is at least 2, --runs at least 1")

    systems = [sapwood(given.model)] if given.only != _UDPIPE else []
    if given.profile:
        systems += [part for system in systems for part in profile(system)]
    if given.only != _SAPWOOD and given.udpipe and importlib.util.find_spec("ufal"):
        systems.append(udpipe(given.udpipe))
    elif given.only != _SAPWOOD:
        print("without UDPipe: pip install '.[bench]', and name a model of bench/tasks/train_udpipe.py by --udpipe")
    gold = bytes(read_bytes(given.test))
    rows = measured(systems, gold, given) if systems else []
    print(f"{Path(given.test).name.partition('.')[0]} from raw text; one thread, CPU seconds")
    print_rows(rows, _COLUMNS)
    print()
    print_rows(rows, {metric: (metric, ".2f") for metric in _METRICS})
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
