"""How long does `sapwood` take before it does anything, beside Python alone?

    python -m bench.cli.startup [--data DIR] [--json FILE] [--runs N]

Whole processes on one sentence, in turn, medians of the runs; CPU seconds are user + system (measure/processes.py).
`import argparse` says how fast the machine is just now: a ratio to it can be compared between machines and days. The
tagger is of CoNLL-2000 from --data or SAPWOOD_DATA, else of generated text; `annotate` reads with the bundled English
pipeline. Loading is timed within this process.
"""

from pathlib import Path
from statistics import median

from measure.layout import command_line, print_rows, write_rows
from measure.processes import PYTHON, SAPWOOD, Job, in_turn, run, timed
from measure.texts import prepared
from sapwood.loading import load
from sapwood.model.file.bundled import model_path

_COLUMNS = {"CPU ms": ("cpu_ms", ".1f"), "x": ("ratio", ".2f"), "wall ms": ("wall_ms", ".1f"), "MB": ("peak_mb", ".0f")}
_YARDSTICK = "python -c 'import argparse'"


def _load_seconds(model: Path) -> float:
    """CPU seconds that loading a model takes, a median."""
    return median(timed(lambda: load(model)) for _ in range(20))


def main() -> None:
    given = command_line(__doc__, runs=25).parse_args()
    with prepared(given.data, quick=True) as texts:
        model, text = texts.folder / "model.sap", texts.folder / "text.txt"
        text.write_text("Ada Lovelace wrote the first program in 1843.\n", encoding="utf-8")
        template = ["--template", "crfsuite-chunking", "--min-updates", "10", "--quiet"]
        run([*SAPWOOD, "train", "tag", texts.train.path, "-o", model, *template])
        jobs = [
            Job("python -c pass", [*PYTHON, "-c", "pass"]),
            Job(_YARDSTICK, [*PYTHON, "-c", "import argparse"]),
            Job("sapwood --version", [*SAPWOOD, "--version"]),
            Job("sapwood tag", [*SAPWOOD, "tag", model, texts.one.path]),
            Job("sapwood annotate", [*SAPWOOD, "annotate", "en", text]),
        ]
        used = in_turn(jobs, given.runs)
        loads = {"tagger": model, "English pipeline": Path(model_path("en"))}
        load_s = {name: _load_seconds(path) for name, path in loads.items()}
    rows = [
        {
            "name": job.name,
            "cpu_ms": 1000 * used.cpu(job.name),
            "ratio": median(r[job.name].cpu_s / r[_YARDSTICK].cpu_s for r in used.rounds),
            "wall_ms": 1000 * used.wall(job.name),
            "peak_mb": used.peak(job.name),
        }
        for job in jobs
    ] + [{"name": f"load: {name}", "cpu_ms": 1000 * seconds} for name, seconds in load_s.items()]
    print(f"Start-up on one sentence, medians of {given.runs} runs; x: times 'import argparse'")
    print_rows(rows, _COLUMNS)
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
