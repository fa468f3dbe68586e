"""How fast and how small is tagging, beside the peers and beside what the machine can do?

    python -m bench.tasks.tagging [--data DIR] [--json FILE] [--runs N] [--quick] [--scale MAX_TOKENS]

1. Chunking (CoNLL-2000 from --data or SAPWOOD_DATA, else a generated corpus of its size): sapwood and
   python-crfsuite on the same features, its averaged perceptron and its default, a CRF. Part-of-speech tags from words
   alone, same files: sapwood and NLTK's PerceptronTagger. Each training (file in, model out) and tagging (file in,
   labels out) is a process of its own on one thread. "Whole" figures charge all of it. "Marginal" ones are the
   difference of two sizes, so that nobody pays for the start of Python: training less that on one sentence, tagging a
   long text less tagging the test set. Sapwood's long text is the training text repeated to 2 million tokens; the
   peers' is the training text, once. "One" and "small" are whole commands that tag a sentence and the first 100 of the
   test set. Each round has a seed, from 1 to --runs, and scores are medians over them, as all figures are; a CRF, whose
   training does not depend on an order, is trained in the first round alone.
2. Tagging inside one process beside a raw gather: as many pseudo-random rows of the model's table, summed by the
   same loop, without text, hashing, look-up and search.
3. Training and tagging of 10^4, 10^5 ... generated tokens (see scale.py).

CPU seconds are user + system (measure/processes.py). Medians over --runs rounds.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from measure.layout import command_line, print_rows, write_rows
from measure.processes import PYTHON, SAPWOOD, Job, Runs, Usage, here, in_turn, run
from measure.report import Row, over_seeds
from measure.scale import measure_scale
from measure.texts import Text, Texts, labels, prepared
from sapwood.loading import load_as
from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.templates import shipped_templates

Command = list[str | Path]


@dataclass(frozen=True, slots=True)
class System:
    """A tagger as two commands, and the folder and texts it works on."""

    name: str
    model: Path
    train_command: Command  # with "TEXT", "MODEL" and "SEED" to be put in
    tag_command: Command
    long: Text
    once: bool = False  # whether one training will do for all seeds

    def train(self, text: Text, seed: int, model: Path | None = None) -> Command:
        filled = _fill(self.train_command, text, model or self.model)
        return [part.replace("SEED", str(seed)) if isinstance(part, str) else part for part in filled]

    def tag(self, text: Text) -> Command:
        return _fill(self.tag_command, text, self.model)

    @property
    def labelled(self) -> Path:
        return self.model.with_suffix(".labelled")

    def is_sapwood(self) -> bool:
        return self.model.suffix == ".sap"


def _fill(command: Command, text: Text, model: Path) -> Command:
    return [{"TEXT": text.path, "MODEL": model}.get(str(part), part) for part in command]


def _sapwood(name: str, texts: Texts, options: str, epochs: int) -> System:
    train = [*SAPWOOD, "train", "tag", "TEXT", "-o", "MODEL", "--quiet", "--epochs", str(epochs), *options.split()]
    train += ["--seed", "SEED"]
    model = texts.folder / f"{name.replace(' ', '-')}.sap"
    return System(name, model, train, [*SAPWOOD, "tag", "MODEL", "TEXT"], texts.long)


def _peer(name: str, command: str, texts: Texts, *options: str, once: bool = False) -> System:
    train = [*PYTHON, here("peers.py"), f"{command}-train", "TEXT", "MODEL", *options, "SEED"]
    tag = [*PYTHON, here("peers.py"), f"{command}-tag", "MODEL", "TEXT"]
    return System(name, texts.folder / f"{name.replace(' ', '-')}.model", train, tag, texts.train, once)


# 1. Sapwood and a peer


def compare(title: str, systems: Sequence[System], texts: Texts, column: int, runs: int, bars: str) -> list[Row]:
    """Measure systems, the last of which is the peer of the ratios; print two tables and return the rows."""
    gold = list(labels(texts.test.path, column))
    scores: dict[str, list[Row]] = {system.name: [] for system in systems}
    rounds: list[dict[str, Usage]] = []
    for seed in range(1, runs + 1):
        trained = [system for system in systems if seed == 1 or not system.once]
        jobs = [
            *(Job(f"{s.name} train", s.train(texts.train, seed)) for s in trained),
            *(Job(f"{s.name} train one", s.train(texts.one, seed, s.model.with_suffix(".one"))) for s in trained),
            *(Job(f"{s.name} tag one", s.tag(texts.one)) for s in systems),
            *(Job(f"{s.name} tag small", s.tag(texts.small)) for s in systems),
            *(Job(f"{s.name} tag test", s.tag(texts.test), s.labelled) for s in systems),
            *(Job(f"{s.name} tag long", s.tag(s.long)) for s in systems),
        ]
        [used_now] = in_turn(jobs, 1).rounds
        rounds.append({**(rounds[0] if rounds else {}), **used_now})
        for system in systems:
            scores[system.name].append(_scores(gold, system.labelled))
    used = Runs(rounds)
    rows = [_row(s, texts, scores[s.name], used) for s in systems]
    print(f"\n{title}: {texts.name}, {texts.train.tokens:,} training and {texts.test.tokens:,} test tokens")
    print_rows(rows, _SYSTEMS)
    _print_ratios(systems, texts, used, bars)
    return rows


def _scores(gold: list[list[str]], labelled: Path) -> Row:
    guess = list(labels(labelled, -1))
    found = {"accuracy": label_scores(gold, guess).accuracy}
    if looks_like_chunks(label for sentence in gold for label in sentence):
        found["f1"] = chunk_scores(gold, guess).f1
    return found


def _row(system: System, texts: Texts, scores: list[Row], used: Runs) -> Row:
    name = system.name
    of_seeds: Row = {}
    for metric in scores[0]:
        of_seeds |= over_seeds(metric, [each[metric] for each in scores])
    sizes = None
    if system.is_sapwood():
        sizes = [table.packed for table in load_as(SequenceTagger, system.model).model_.tables]
    return {
        "name": name,
        **of_seeds,
        "features": sizes and sum(table.features for table in sizes),
        "weights": sizes and sum(table.weights for table in sizes),
        "bytes": system.model.stat().st_size,
        "train_cpu_s": used.cpu(f"{name} train"),
        "train_startup_cpu_s": used.cpu(f"{name} train one"),
        "tag_one_cpu_s": used.cpu(f"{name} tag one"),
        "tag_small_cpu_s": used.cpu(f"{name} tag small"),
        "tag_test_cpu_s": used.cpu(f"{name} tag test"),
        "tag_test_tokens_per_cpu_s": texts.test.tokens / used.cpu(f"{name} tag test"),
        "tag_long_tokens": system.long.tokens,
        "tag_long_cpu_s": used.cpu(f"{name} tag long"),
        "tag_long_tokens_per_cpu_s": system.long.tokens / used.cpu(f"{name} tag long"),
        "tag_tokens_per_cpu_s": used.over_rounds(lambda cpu: [_marginal_rate(system, texts, cpu)])[0],
        "peak_mb": used.peak(f"{name} train"),
        "tag_peak_mb": used.peak(f"{name} tag test"),
    }


def _marginal_rate(system: System, texts: Texts, cpu: dict[str, float]) -> float:
    """Return the tokens that one more CPU second would tag."""
    seconds = cpu[f"{system.name} tag long"] - cpu[f"{system.name} tag test"]
    return (system.long.tokens - texts.test.tokens) / max(seconds, 1e-3)


def _times_faster(ours: System, peer: System, texts: Texts, cpu: dict[str, float]) -> list[float]:
    """Return the seven ratios of one round; above 1 where ours is faster."""
    a, b = ours.name, peer.name
    marginal_a, marginal_b = (max(cpu[f"{name} train"] - cpu[f"{name} train one"], 1e-3) for name in (a, b))
    long_a, long_b = (system.long.tokens / cpu[f"{system.name} tag long"] for system in (ours, peer))
    return [
        cpu[f"{b} train"] / cpu[f"{a} train"],
        marginal_b / marginal_a,
        cpu[f"{b} tag one"] / cpu[f"{a} tag one"],
        cpu[f"{b} tag small"] / cpu[f"{a} tag small"],
        cpu[f"{b} tag test"] / cpu[f"{a} tag test"],
        long_a / long_b,
        _marginal_rate(ours, texts, cpu) / _marginal_rate(peer, texts, cpu),
    ]


_SYSTEMS = {
    "train s": ("train_cpu_s", ".2f"),
    "start-up": ("train_startup_cpu_s", ".2f"),
    "one": ("tag_one_cpu_s", ".3f"),
    "small": ("tag_small_cpu_s", ".3f"),
    "tag s": ("tag_test_cpu_s", ".3f"),
    "tok/s": ("tag_test_tokens_per_cpu_s", ",.0f"),
    "long: tok/s": ("tag_long_tokens_per_cpu_s", ",.0f"),
    "marginal": ("tag_tokens_per_cpu_s", ",.0f"),
    "accuracy": ("accuracy", ".2f"),
    "F1": ("f1", ".2f"),
    "from": ("f1_least", ".2f"),
    "to": ("f1_most", ".2f"),
    "features": ("features", ","),
    "model bytes": ("bytes", ","),
    "train MB": ("peak_mb", ".0f"),
    "tag MB": ("tag_peak_mb", ".0f"),
}
_RATIOS = ("train", "marginal", "tag one", "tag small", "tag test set", "tag long text", "marginal of tagging")


def _print_ratios(systems: Sequence[System], texts: Texts, used: Runs, bars: str) -> None:
    *others, peer = systems
    ours = [system for system in others if system.is_sapwood()]
    print(f"times faster ({bars})")
    rows = [
        {
            "name": f"{system.name} : {peer.name}",
            **dict(zip(_RATIOS, used.over_rounds(partial(_times_faster, system, peer, texts)), strict=True)),
        }
        for system in ours
    ]
    print_rows(rows, {name: (name, ".1f") for name in _RATIOS})


def chunkers(texts: Texts, epochs: int) -> list[System]:
    features = "--template crfsuite-chunking"
    return [
        _sapwood("sapwood AP", texts, f"{features} --update perceptron --min-updates 1", epochs),
        _sapwood("sapwood SAP10", texts, f"{features} --update perceptron --min-updates 10", epochs),
        _sapwood("sapwood margin SAP10", texts, f"{features} --update margin --min-updates 10", epochs),
        _peer("crfsuite lbfgs", "crfsuite", texts, "lbfgs", str(10 * epochs), once=True),
        _peer("crfsuite ap", "crfsuite", texts, "ap", str(epochs)),
    ]


def taggers(texts: Texts, epochs: int) -> list[System]:
    columns = "--columns word,label,_"
    same = [f"template={here('nltk-pos.tpl')}", "search=greedy", "history=own", "update=perceptron", "min_updates=1"]
    train = [*PYTHON, "-m", "measure.train", "tag", "TEXT", "MODEL", "seed=SEED", f"epochs={epochs}", *same]
    model = texts.folder / "sapwood-nltk-features.sap"
    tag = [*SAPWOOD, "tag", "MODEL", "TEXT"]
    systems = [System("sapwood nltk features", model, [*train, "columns=['word', 'label', '_']"], tag, texts.long)]
    if "pos" in shipped_templates():
        systems.insert(0, _sapwood("sapwood pos", texts, f"{columns} --template pos", epochs))
    return [*systems, _peer("nltk", "nltk", texts, str(epochs))]


# 2. Limits


def _inside(folder: Path, *arguments: str | Path) -> dict[str, float]:
    output = folder / "inside.json"
    run([*PYTHON, "-m", "measure.inside", *arguments], output)
    return json.loads(output.read_text(encoding="utf-8"))


_LIMIT = {
    "lines": ("lines", ""),
    "tok/s": ("tokens_per_s", ",.0f"),
    "reading": ("reading_share", ".0%"),
    "M lines/s": ("million_lines_per_s", ".0f"),
    "gather, M rows/s": ("million_rows_gathered_per_s", ".0f"),
    "share": ("share", ".0%"),
    "share without reading": ("share_without_reading", ".0%"),
}


def measure_limit(systems: Sequence[System], texts: Texts, runs: int) -> list[Row]:
    """Compare tagging with a gather of as many rows of the same table."""
    ours = [system for system in systems if system.is_sapwood()]
    inside = [_inside(texts.folder, system.model, texts.long.path, str(runs)) for system in ours]
    rows: list[Row] = [{"name": f"gather, {s.name}", **found} for s, found in zip(ours, inside, strict=True)]
    print(f"\nShare of the machine's gather rate: {texts.long.tokens:,} tokens in one process, bytes in, bytes out")
    print_rows(rows, _LIMIT)
    return rows


def main() -> None:
    parser = command_line(__doc__, runs=5)
    parser.add_argument("--quick", action="store_true", help="little data, two epochs: does it run?")
    parser.add_argument("--scale", type=int, default=1_000_000, help="tokens of the largest generated text; 0: none")
    given = parser.parse_args()
    epochs = 2 if given.quick else 10
    most = min(given.scale, 100_000) if given.quick else given.scale
    with prepared(given.data, given.quick) as texts:
        chunking, pos = chunkers(texts, epochs), taggers(texts, epochs)
        rows = compare("Chunking", chunking, texts, 2, given.runs, "bar 8, reach 15")
        rows += compare("Parts of speech", pos, texts, 1, given.runs, "bar 25, reach 50")
        rows += measure_limit([*chunking, *pos], texts, given.runs)
        if most:
            rows += measure_scale(texts.folder, most, given.runs)
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
