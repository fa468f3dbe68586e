"""Runs the fuzzing targets of build/fuzz on their corpora, and prints what each did.

    python fuzz/run.py run [--inputs N] [--jobs N] [TARGET...]       new inputs; what ends a program is kept
    python fuzz/run.py pack [--most BYTES] [TARGET...]               the corpus of fuzz/corpus, out of what was found

A corpus is a file of records without names (fuzz/records.hpp). `run` works on folders in build/fuzz/corpus.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build/fuzz"
CORPUS = HERE / "corpus"
LIMITS = ["-rss_limit_mb=1500", "-malloc_limit_mb=1000", "-max_len=4096"]


def program(target: str) -> Path:
    """Return the path of a target's program."""
    return BUILD / "fuzz" / f"fuzz_{target}"


def targets() -> list[str]:
    """Return the names of all targets that are built."""
    return sorted(
        path.name.removeprefix("fuzz_") for path in (BUILD / "fuzz").glob("fuzz_*") if os.access(path, os.X_OK)
    )


def unpack(target: str) -> Path:
    """Put the seeds and the inputs of the corpus into a folder, beside what is there, and return it."""
    folder = BUILD / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([program(target), f"--seeds={folder}"], check=True)
    packed = CORPUS / f"{target}.records"
    data, number = packed.read_bytes() if packed.exists() else b"", 0
    while data:
        size = int.from_bytes(data[1:5], "little")
        (folder / f"corpus{number}").write_bytes(data[5 : 5 + size])
        data, number = data[5 + size :], number + 1
    return folder


def run(target: str, inputs: int, seconds: int, limit: int) -> dict[str, str]:
    """Run a target on so many inputs, or so long, and return its row of the table."""
    folder = unpack(target)
    log = BUILD / f"{target}.log"
    began = time.monotonic()
    command = [
        program(target),
        f"-runs={inputs}",
        *LIMITS,
        f"-timeout={limit}",
        "-print_final_stats=1",
        f"-artifact_prefix={BUILD}/crash-{target}-",
    ]
    if seconds:
        command.append(f"-max_total_time={seconds}")
    with log.open("w") as out:
        code = subprocess.run([*command, folder], stdout=out, stderr=out, check=False).returncode
    text = log.read_text(errors="replace")

    def last(pattern: str) -> str:
        found = re.findall(pattern, text)
        return found[-1] if found else "-"

    return {
        "target": target,
        "inputs": last(r"number_of_executed_units:\s*(\d+)"),
        "seconds": f"{time.monotonic() - began:.0f}",
        "edges": last(r"cov: (\d+)"),
        "corpus": last(r"corp: (\S+)"),
        "slowest, s": last(r"slowest_unit_time_sec:\s*(\d+)"),
        "memory, MB": last(r"peak_rss_mb:\s*(\d+)"),
        "found": "nothing" if code == 0 else f"see {log}",
    }


def pack(target: str, most: int) -> None:
    """Write the smallest inputs that reach everything, up to so many bytes, as the target's corpus."""
    folder, small = unpack(target), BUILD / "small" / target
    shutil.rmtree(small, ignore_errors=True)
    small.mkdir(parents=True)
    subprocess.run([program(target), "-merge=1", *LIMITS, small, folder], check=True, capture_output=True)
    inputs = sorted((path.read_bytes() for path in small.iterdir()), key=lambda data: (len(data), data))
    records = bytearray()
    for data in inputs:
        if len(records) + 5 + len(data) > most:
            break
        records += b"\0" + len(data).to_bytes(4, "little") + data
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / f"{target}.records").write_bytes(records)
    print(f"{target}: {len(inputs)} inputs, {len(records)} bytes kept")


def main() -> int:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "pack"])
    parser.add_argument("targets", nargs="*", help="(default: all)")
    parser.add_argument("--inputs", type=int, default=10_000_000, help="of all targets together (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=0, help="most seconds of a target (default: no limit)")
    parser.add_argument("--limit", type=int, default=10, help="seconds that an input may take (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at a time (default: %(default)s)")
    parser.add_argument("--most", type=int, default=16384, help="bytes of a packed corpus (default: %(default)s)")
    given = parser.parse_intermixed_args()
    chosen = given.targets or targets()
    if given.what == "pack":
        for target in chosen:
            pack(target, given.most)
        return 0
    each = -(-given.inputs // len(chosen))
    with ThreadPoolExecutor(given.jobs) as pool:
        rows = list(pool.map(lambda target: run(target, each, given.seconds, given.limit), chosen))
    print("| " + " | ".join(rows[0]) + " |\n" + "|---" * len(rows[0]) + "|")
    for row in rows:
        print("| " + " | ".join(row.values()) + " |", flush=True)
    print(f"{sum(int(row['inputs']) for row in rows if row['inputs'] != '-'):,} inputs")
    return int(any(row["found"] != "nothing" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
