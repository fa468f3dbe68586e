"""Training on streams: time and memory by the size of the data, what hashed features cost, and Vowpal Wabbit beside it.

    python -m bench.training.streams [--data DIR] [--json FILE] [--runs N] [--most N] [--folder DIR] [--figure FILE]
                                     [PART ...]

PART is one or more of

sizes   a tagger is trained (3 epochs) on generated text of 10^5, 10^6 ... tokens, up to --most: with all examples in
        memory (up to --most-in-memory), with stream=True (up to --most-unhashed), and with hash_bits=20 besides.
        Each is a process of its own.
        --folder keeps the texts, which take longer to write than to learn from; --figure draws the result.
bits    what hash_bits costs: chunking of CoNLL-2000 (--data or SAPWOOD_DATA; F1) and the movie reviews, or generated
        ones (accuracy), by the number of bits, and without.
vw      a classifier of generated reviews, words as features, in 5 passes of 2 * 10^7 features each: `sapwood train
        classify --stream --hash-bits 18` and Vowpal Wabbit (`pip install vowpalwabbit`) with its cache, 18 bits and no
        example held out.

CPU seconds and peak memory are the kernel's; see measure/processes.py.
"""

import os
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from measure.layout import command_line, print_rows, write_rows
from measure.processes import PYTHON, SAPWOOD, Job, in_turn, run
from measure.report import Row
from measure.texts import Text, labels, prepared, reviews, write_generated
from sapwood import load
from sapwood.base.drawing.figure import check_figure, label_axes, save_figure
from sapwood.datasets.documents import generate_reviews
from sapwood.metrics import chunk_scores

_TRAIN = [*PYTHON, "-m", "measure.train"]
_EPOCHS = 3
_WAYS = {
    "in memory": [],
    "--stream": ["stream"],
    "--stream, hash_bits=20": ["stream", "hash_bits=20"],
}
_BITS = (12, 14, 16, 18, 20, 22, None)
_PASSES = 5
_FEATURES = 20_000_000  # of a pass, Vowpal Wabbit's and ours

_SIZES = {"tokens": ("tokens", ","), "CPU s": ("cpu_s", ".1f"), "MB": ("peak_mb", ",.0f"), "bytes": ("bytes", ",")}
_COST = {"right": ("score", ".2f"), "features": ("features", ","), "bytes": ("bytes", ",")}
_COST |= {"CPU s": ("cpu_s", ".1f"), "MB": ("peak_mb", ",.0f")}
_BESIDE = {"right": ("score", ".2f"), "CPU s": ("cpu_s", ".1f"), "wall s": ("wall_s", ".1f"), "MB": ("peak_mb", ",.0f")}


def measure_sizes(folder: Path, most: int, most_by_way: Mapping[str, int]) -> Iterator[Row]:
    """Yield the row of each way and size, as they are measured."""
    for text in _texts(folder, most):
        for way, options in _WAYS.items():
            if text.tokens > 2 * most_by_way.get(way, most):
                continue
            model = folder / "sizes.sap"
            train = [*_TRAIN, "tag", text.path, model, "template=crfsuite-chunking", f"epochs={_EPOCHS}"]
            used = run([*train, *options])
            row = {"name": way, "tokens": text.tokens, "cpu_s": used.cpu_s, "wall_s": used.wall_s}
            yield row | {"peak_mb": used.peak_mb, "bytes": model.stat().st_size}


def _texts(folder: Path, most: int) -> list[Text]:
    """Return generated texts of 10^5, 10^6 ... tokens; those that are there already are not written again."""
    sizes = [10**k for k in range(5, 10) if 10**k <= most]
    paths = {folder / f"{size}.txt": size for size in sizes}
    if not all(path.exists() for path in paths):
        return write_generated(paths)
    return [Text(path, _lines(path)) for path in paths]


def _lines(path: Path) -> int:
    """Count the lines of a file that are not blank."""
    with path.open("rb") as file:
        return sum(line != b"\n" for line in file)


def draw_sizes(rows: list[Row], path: str) -> None:
    """Draw time and memory over the number of tokens."""
    with save_figure(path, (9, 3.6), columns=2) as panels:
        for axes, figure, title, unit in zip(
            panels, ("cpu_s", "peak_mb"), ("Time", "Peak memory"), ("CPU seconds", "MB"), strict=True
        ):
            for way, marker in zip(_WAYS, "os^", strict=True):
                points = [(row["tokens"], row[figure]) for row in rows if row["name"] == way]
                if points:
                    axes.plot(*zip(*points, strict=True), marker=marker, label=way)
            axes.set_xscale("log")
            axes.set_yscale("log")
            label_axes(axes, f"{title} of training a tagger, {_EPOCHS} epochs", "tokens of training data", unit)
        panels[0].legend(fontsize=8)


def measure_bits(data: str | None, folder: Path, runs: int) -> list[Row]:
    """Return what models lose by the number of bits."""
    rows: list[Row] = []
    with prepared(data, quick=False) as texts:
        gold = list(labels(texts.test.path, 2))
        rows += _by_bits(texts.name, "tag", texts.train.path, folder, runs)
        for row in rows:
            guess = load(folder / f"{row['bits']}.sap").predict(texts.test.path)
            row["score"] = chunk_scores(gold, guess).f1
    with reviews(data) as (count, files):
        found = _by_bits(f"{count:,} reviews", "classify", files["train"], folder, runs)
        for row in found:
            row["score"] = 100 * load(folder / f"{row['bits']}.sap").score(files["test"])
    return rows + found


def _by_bits(corpus: str, task: str, train: Path, folder: Path, runs: int) -> list[Row]:
    jobs = [Job(str(bits), [*_TRAIN, task, train, folder / f"{bits}.sap", f"hash_bits={bits}"]) for bits in _BITS]
    used = in_turn(jobs, runs)
    return [
        {
            "name": f"{corpus}, {'all bits' if bits is None else f'{bits} bits'}",
            "bits": bits,
            "corpus": corpus,
            "cpu_s": used.cpu(str(bits)),
            "peak_mb": used.peak(str(bits)),
            "bytes": (folder / f"{bits}.sap").stat().st_size,
            "features": sum(table.packed.features for table in load(folder / f"{bits}.sap").model_.tables),
        }
        for bits in _BITS
    ]


def measure_vw(folder: Path, runs: int) -> list[Row]:
    """Return the rows of sapwood and of Vowpal Wabbit, if it is installed."""
    (ours, ours_test), (theirs, theirs_test), features = _write_reviews(folder, _FEATURES)
    model, other, cache, guess = (folder / name for name in ("a.sap", "a.model", "a.cache", "b.guess"))
    train = [*SAPWOOD, "train", "classify", ours, "-o", model, "--ngrams", "1", "--epochs", str(_PASSES), "--quiet"]
    jobs = [
        Job("sapwood --stream", [*train, "--stream", "--hash-bits", "18"]),
        Job("sapwood, in memory", train),
    ]
    vw = [*PYTHON, "-m", "vowpalwabbit", "--quiet"]
    if find_spec("vowpalwabbit") is not None:
        options = ["--passes", str(_PASSES), "--holdout_off", "--cache_file", cache, "-k", "-b", "18"]
        options += ["--loss_function", "logistic"]
        jobs.append(Job("Vowpal Wabbit", [*vw, "-d", theirs, "-f", other, *options]))
    used = in_turn(jobs, runs)
    scores = {"sapwood, in memory": 100 * load(model).score(ours_test)}
    run(jobs[0].command)
    scores["sapwood --stream"] = 100 * load(model).score(ours_test)
    if len(jobs) > 2:
        run([*vw, "-t", "-d", theirs_test, "-i", other, "-p", guess])
        gold = [line.startswith("1") for line in theirs_test.read_text().splitlines()]
        signs = [float(line.split()[0]) > 0 for line in guess.read_text().splitlines()]
        scores["Vowpal Wabbit"] = 100 * sum(map(bool.__eq__, gold, signs)) / len(gold)
    return [
        {
            "name": job.name,
            "seen": features * _PASSES,
            "score": scores[job.name],
            "cpu_s": used.cpu(job.name),
            "wall_s": used.wall(job.name),
            "peak_mb": used.peak(job.name),
        }
        for job in jobs
    ]


def _write_reviews(folder: Path, features: int) -> tuple[list[Path], list[Path], int]:
    """Write generated reviews in both formats, files to learn from and, every fiftieth review, to test on.

    Return the files of both, and how many words there are to learn from.
    """
    found = list(generate_reviews(features // 60, seed=1))
    random.Random(1).shuffle(found)  # Vowpal Wabbit learns in the order of the file
    ours, theirs = ([folder / f"{part}.{ending}" for part in ("train", "test")] for ending in ("txt", "vw"))
    count = 0
    for part in range(2):
        with ours[part].open("w", encoding="utf-8") as a, theirs[part].open("w", encoding="utf-8") as b:
            for text, label in (each for k, each in enumerate(found) if (k % 50 == 0) == bool(part)):
                a.write(f"__label__{label} {text}\n")
                b.write(f"{1 if label == 'pos' else -1} | {text}\n")
                count += 0 if part else len(text.split())
    return ours, theirs, count


@contextmanager
def _folder(given: str | None) -> Iterator[Path]:
    """Give the folder for texts and models: the one that is named, or one that is gone afterwards."""
    if given is not None:
        Path(given).mkdir(exist_ok=True)
        yield Path(given)
        return
    with TemporaryDirectory(prefix="sapwood-bench-") as folder:
        yield Path(folder)


def main() -> None:
    parser = command_line(__doc__, runs=1)
    parser.add_argument("part", nargs="*", metavar="PART", help="sizes, bits or vw; without, all")
    parser.add_argument("--most", type=int, default=10**6, metavar="N", help="tokens of the largest text")
    in_memory = "tokens of the largest text that is trained on in memory"
    parser.add_argument("--most-in-memory", type=int, default=10**7, metavar="N", help=in_memory)
    unhashed = "tokens of the largest text that is trained on as a stream with all bits"
    parser.add_argument("--most-unhashed", type=int, default=10**7, metavar="N", help=unhashed)
    parser.add_argument("--folder", metavar="DIR", help="keep texts and models there")
    parser.add_argument("--figure", metavar="FILE", help="draw time and memory by size")
    given = parser.parse_args()
    parts = given.part or ["sizes", "bits", "vw"]
    if given.figure is not None:
        check_figure(given.figure)
    rows: list[Row] = []
    with _folder(given.folder) as folder:
        os.environ["TMPDIR"] = str(folder)  # of trainings, for their scratch files
        if "sizes" in parts:
            found = []
            most = {"in memory": given.most_in_memory, "--stream": given.most_unhashed}
            for row in measure_sizes(folder, given.most, most):
                found.append(row | {"part": "sizes"})
                print_rows([row], _SIZES)
            rows += found
            print_rows(found, _SIZES)
            if given.figure is not None:
                draw_sizes(found, given.figure)
        if "bits" in parts:
            found = [row | {"part": "bits"} for row in measure_bits(given.data, folder, given.runs)]
            print_rows(found, _COST)
            rows += found
        if "vw" in parts:
            found = [row | {"part": "vw"} for row in measure_vw(folder, given.runs)]
            print_rows(found, _BESIDE)
            rows += found
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
