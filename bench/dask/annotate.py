"""How much faster do two workers of Dask annotate many files than one, in how much memory, and what does a kill cost?

    python -m bench.dask.annotate [--model MODEL] [--parts PARTS] [--files N] [--times N] [--kilobytes N]
                                  [--kill SECONDS] [--data DIR] [--json FILE] [--runs N]

Files of raw text, each of so many kilobytes, are annotated with MODEL (`en` if none is named), or with some of its
parts, segment,tag: file by file in this process, by one worker, by two, and by two of which one is killed every so
many seconds (--kill 0: none is). The text is that of UD English EWT from --data or SAPWOOD_DATA, else generated, and
repeated. With --times N each file is there N times, under other names: gigabytes, which two workers annotate, and the
other rows a part of them. All rows must give the same bytes. With more runs than one, workers take turns, and the run
of median speed is shown.

MB          of text
seconds     by the clock, without the start of the workers
MB/s        of text, by the clock
ratio       of the speed to that of one worker
peak MB     of a worker's memory, at most, of those that live at the end
kills       of workers
"""

import filecmp
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from distributed import Client

import sapwood
from measure.layout import command_line, print_rows, write_rows
from measure.texts import treebank
from sapwood._core import Conllu
from sapwood.dask import Summary, annotate_files, connected
from sapwood.io.source import read_bytes
from sapwood.tasks.pipeline.model import Pipeline

_COLUMNS = {
    "workers": ("workers", "d"),
    "MB": ("mb", ".0f"),
    "seconds": ("seconds", ".1f"),
    "MB/s": ("mb_per_s", ".3f"),
    "ratio": ("ratio", ".2f"),
    "peak MB": ("peak_mb", ".0f"),
    "kills": ("kills", "d"),
}


def _write_files(folder: Path, count: int, size: int, data: str | None) -> list[Path]:
    """Write files of text, each of which begins elsewhere in it."""
    with treebank(data) as (name, paths):
        text = Conllu.read(read_bytes(paths["train"]), name).text().text
    paragraphs = text.split(b"\n\n")
    files, at = [], 0
    for n in range(count):
        written = 0
        with (folder / f"{n:05}.txt").open("wb") as file:
            while written < size:
                written += file.write(paragraphs[at % len(paragraphs)] + b"\n\n")
                at += 1
        files.append(folder / f"{n:05}.txt")
    return files


@contextmanager
def _killing(client: Client, every: float, kills: list[int]) -> Iterator[None]:
    """Kill one worker after another, every so many seconds, until the block ends."""
    ended = threading.Event()

    def kill() -> None:
        while not ended.wait(every):
            pids = [nanny.pid for nanny in client.cluster.workers.values() if nanny.pid is not None]
            if pids:
                victim = pids[len(kills) % len(pids)]
                os.kill(victim, signal.SIGKILL)
                kills.append(victim)

    thread = threading.Thread(target=kill)
    if every > 0:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if every > 0:
            thread.join()


def _peak_memory() -> int:
    """Return the peak memory of this process. getrusage would include the peak of the process that started it."""
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:")]
    return 1024 * int(line.split()[1])


def _row(name: str, workers: int, summary: Summary, peak: int, kills: int) -> dict[str, object]:
    megabytes = summary.text_bytes / 1e6
    return {
        "name": name,
        "workers": workers,
        "mb": megabytes,
        "seconds": summary.seconds,
        "mb_per_s": megabytes / summary.seconds,
        "peak_mb": peak / 1e6,
        "kills": kills,
    }


def _speed(row: dict[str, object]) -> float:
    return float(str(row["mb_per_s"]))


def _alone(model: Pipeline, files: list[Path], folder: Path) -> Summary:
    """Annotate in this process."""
    folder.mkdir()
    clock, size = time.perf_counter(), 0
    for path in files:
        data = path.read_bytes()
        size += len(data)
        (folder / f"{path.stem}.conllu").write_bytes(b"".join(model.writer.written([data])))
    return Summary(len(files), 0, [], size, time.perf_counter() - clock)


def _repeated(files: list[Path], times: int) -> list[Path]:
    """Link each file beside itself, so that it is there so many times."""
    copies = []
    for number in range(times):
        for path in files:
            copy = path.with_name(f"{path.stem}-{number}.txt")
            copy.hardlink_to(path)
            copies.append(copy)
    return copies


def _same(output: Path, files: list[Path], wanted: Path) -> bool:
    """Are these the outputs of all files, with the bytes of one process?"""
    names = {f"{path.stem}.conllu" for path in files}
    return {path.name for path in output.glob("*.conllu")} == names and all(
        filecmp.cmp(output / name, wanted / f"{name.partition('-')[0]}.conllu", shallow=False) for name in names
    )


def main() -> None:
    parser = command_line(__doc__, runs=1)
    parser.add_argument("--model", default="en", metavar="MODEL")
    parser.add_argument("--parts", metavar="PARTS", help="of the model, with commas between; all of them without")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="how often each file is there for workers")
    parser.add_argument("--files", type=int, default=24, metavar="N")
    parser.add_argument("--kilobytes", type=int, default=200, metavar="N", help="of each file")
    parser.add_argument("--kill", type=float, default=20, metavar="SECONDS")
    arguments = parser.parse_args()
    model = sapwood.load(arguments.model)
    assert isinstance(model, Pipeline)
    if arguments.parts:
        model = model.only(*arguments.parts.split(","))
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "in").mkdir()
        files = _write_files(folder / "in", arguments.files, 1000 * arguments.kilobytes, arguments.data)
        rows = [_row("this process", 1, _alone(model, files, folder / "alone"), 0, 0)]
        copies = _repeated(files, arguments.times)
        some = copies[: max(arguments.files, len(copies) // 4)]
        plans = [("one worker", 1, some, 0.0), ("two workers", 2, copies, 0.0)]
        if arguments.kill > 0:
            half = copies[: max(arguments.files, len(copies) // 2)]
            plans.append((f"two, a kill every {arguments.kill:g} s", 2, half, arguments.kill))
        found: dict[str, list[dict[str, object]]] = {name: [] for name, *_ in plans}
        for run in range(arguments.runs):
            for name, workers, of_plan, every in plans:
                kills: list[int] = []
                output = folder / f"{name} {run}"
                with connected(workers=workers) as client:
                    with _killing(client, every, kills):
                        summary = annotate_files(client, model, of_plan, output)
                    peak = max(client.run(_peak_memory).values())
                found[name].append(_row(name, workers, summary, peak, len(kills)))
                print(found[name][-1], file=sys.stderr, flush=True)
                if summary.failed or not _same(output, of_plan, folder / "alone"):
                    raise SystemExit(f"{name}: not the bytes of one process; {summary.failed}")
                shutil.rmtree(output)
        rows += [sorted(runs, key=_speed)[len(runs) // 2] for runs in found.values()]
        for row in rows:
            row["ratio"] = _speed(row) / _speed(rows[1])
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{os.cpu_count()} CPUs, load of the machine in the last 1, 5 and 15 minutes: {load}; same bytes in all rows")
    print_rows(rows, _COLUMNS)
    if arguments.json:
        write_rows(arguments.json, rows)


if __name__ == "__main__":
    main()
