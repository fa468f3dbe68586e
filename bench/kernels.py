"""The hot loop by itself: nanoseconds to add one row of weights to a token's scores.

    python bench/kernels.py [--json FILE] [--runs N]

A tagger is made, without training, whose table has just so many rows; `Tagger.gather` draws pseudo-random row
numbers and adds the rows up as scoring does (core/learner/sum_rows.cpp). One table fits a second-level cache
(256 KB of rows), the other is larger than caches are (64 MB). Drawing a number takes about 2 ns of each row.

Scores stay in registers while a token's rows stream by. If a compiler interchanges the loop, or spills the
scores, a row in cache becomes about 4 times slower, at all widths. The column "alone" shows the price: one row
a token, so scores go to memory after every row. In cache, "30 a token" should stay 3 times below it, and should
hardly grow with the bits of a weight; out of cache it counts how many rows the machine fetches at once.
"""

import argparse
import struct
from statistics import median
from time import process_time
from typing import Any

from layout import print_table

from sapwood import _core
from sapwood.io.rows import write_rows

_TABLES = (("256 KB", 1 << 18), ("64 MB", 1 << 26))
_LABELS = (22, 50)
_BITS = (8, 16, 32)
_ROWS_A_TOKEN = (1, 30)
_COUNT = 3_000_000  # rows a run


def stride(labels: int, bits: int) -> int:
    """Return the bytes of a dense row: labels are padded to a multiple of 16."""
    return -(-labels // 16) * 16 * bits // 8


def tagger(labels: int, bits: int, rows: int) -> _core.Tagger:
    """Make a tagger of `rows` features, a power of two, that each have the weight 1 for label 0.

    Keys of log2(rows) bits that take every value have the simplest packed form: no low bits, every other
    bit of the high ones set.
    """
    key_bits, output_bits = rows.bit_length() - 1, max(1, (labels - 1).bit_length())
    one = {8: b"\1", 16: b"\1\0", 32: struct.pack("<f", 1.0)}[bits]
    table = _core.PackedTable(
        features=rows,
        weights=rows,
        width=labels,
        key_bits=key_bits,
        size_bits=1,
        output_bits=output_bits,
        high=b"\x55" * (rows // 4),
        low=b"",
        sizes=b"\xff" * (rows // 8),
        outputs=bytes(rows * output_bits // 8),
        values=one * rows,
    )
    template = _core.Template("U:%x[0,0]\n", "template", ["word", "label"], 1)
    names = [str(label) for label in range(labels)]
    return _core.Tagger("argmax", 1, names, False, template, [], [table], bits, 1.0)


def seconds_a_row(model: _core.Tagger, rows_a_token: int, seed: int) -> float:
    started = process_time()
    model.gather(_COUNT, rows_a_token, seed)
    return (process_time() - started) / _COUNT


def measure(labels: int, bits: int, name: str, size: int, runs: int) -> dict[str, Any]:
    width = stride(labels, bits)
    model = tagger(labels, bits, size // width)
    rounds = [[seconds_a_row(model, rows, seed) for rows in _ROWS_A_TOKEN] for seed in range(runs + 1)][1:]
    alone, together = (median(column) for column in zip(*rounds, strict=True))
    return {
        "name": f"sum_rows {labels} labels, {bits} bits, {name}",
        "row_bytes": width,
        "alone_ns": alone * 1e9,
        "together_ns": together * 1e9,
        "gb_per_s": width / together / 1e9,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", help="write the figures here")
    parser.add_argument("--runs", type=int, default=5, help="rounds, of which the median counts")
    options = parser.parse_args()
    rows = [measure(labels, bits, *table, options.runs) for table in _TABLES for labels in _LABELS for bits in _BITS]
    print_table(
        ["", "row bytes", "alone, ns", "30 a token, ns", "GB/s"],
        [
            [
                row["name"],
                str(row["row_bytes"]),
                f"{row['alone_ns']:.1f}",
                f"{row['together_ns']:.2f}",
                f"{row['gb_per_s']:.1f}",
            ]
            for row in rows
        ],
    )
    print("a loop interchange or a spill of the scores shows as a row in cache about 4 times slower")
    if options.json:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
