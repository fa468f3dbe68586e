"""Inner loops by themselves: adding rows of weights, and comparing trees and sequences.

    python -m bench.core.kernels [--json FILE] [--runs N] [--data DIR]

First, nanoseconds to add one row of weights to a token's scores. A tagger is made, without training, whose table has
just so many rows; `Tagger.gather` draws pseudo-random row numbers and adds the rows up as scoring does
(core/base/sum_rows.cpp). One table fits a second-level cache (256 KB of rows), the other is larger than caches are
(64 MB). Drawing a number takes about 2 ns of each row.

Scores stay in registers while a token's rows stream by. If a compiler interchanges the loop, or spills the
scores, a row in cache becomes about 4 times slower, at all widths. The column "alone" shows the price: one row
a token, so scores go to memory after every row. In cache, "30 a token" should stay 3 times below it, and should
hardly grow with the bits of a weight; out of cache it counts how many rows the machine fetches at once.

Then kernels, on one core, on the trees of a treebank as they are read: DIR or SAPWOOD_DATA has
treebank/wsj_0001-0179.mrg, or else trees are generated. The tree kernel is compared with Collins & Duffy's
algorithm over all pairs of nodes, on the same trees, which are prepared beforehand for both. The weighted sum of trees
of a dual learner (core/kernel/tree_sum.hpp) is compared with the sum of one kernel after the other; the candidates
that it scores are variants of a tree.
"""

import re
import struct
from collections.abc import Callable, Sequence
from random import Random
from statistics import median

import numpy as np

from measure.layout import command_line, print_rows, write_rows
from measure.phrase_trees import candidates, treebank
from measure.processes import timed_in_turn
from measure.report import Row
from sapwood import SubsequenceKernel, _core
from sapwood.model.file.schema import ModelFile, TableInfo

_TABLES = (("256 KB", 1 << 18), ("64 MB", 1 << 26))
_LABELS = (22, 50)
_BITS = (8, 16, 32)
_ROWS_A_TOKEN = (1, 30)
_COUNT = 3_000_000  # rows a run
_DECAY = 0.4
_COMPARED = 500  # trees of the Gram matrices
_SUPPORT = 1000  # pairs of a right and a wrong tree in a sum
_LISTS, _CANDIDATES = 20, 20  # of them are scored


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
    return _core.Tagger(
        ModelFile(
            task="tag",
            labels=[str(label) for label in range(labels)],
            template="U:%x[0,0]\n",
            columns=["word", "label"],
            label=1,
            options={"search": "argmax", "order": 1, "encoding": "bio"},
            bits=bits,
            tables=[TableInfo(table)],
        )
    )


def measure(labels: int, bits: int, name: str, size: int, runs: int) -> Row:
    width = stride(labels, bits)
    model = tagger(labels, bits, size // width)
    works = [lambda seed, rows=rows: model.gather(_COUNT, rows, seed) for rows in _ROWS_A_TOKEN]
    alone, together = (median(column) / _COUNT for column in zip(*timed_in_turn(runs, *works), strict=True))
    return {
        "name": f"sum_rows {labels} labels, {bits} bits, {name}",
        "row_bytes": width,
        "alone_ns": alone * 1e9,
        "together_ns": together * 1e9,
        "gb_per_s": width / together / 1e9,
    }


def in_turn(runs: int, first: Callable[[int], object], second: Callable[[int], object]) -> tuple[float, float, float]:
    """Return the median seconds of two works and of the ratio of the second to the first."""
    rounds = timed_in_turn(runs, first, second)
    ours, theirs = (median(column) for column in zip(*rounds, strict=True))
    return ours, theirs, median(slow / fast for fast, slow in rounds)


def prepared(texts: Sequence[str], table: _core.TreeTable) -> _core.KernelTrees:
    return _core.KernelTrees([text.encode() for text in texts], "trees", table)


def nodes(trees: Sequence[str]) -> float:
    return sum(len(re.findall(r"\([^\s()]", text)) for text in trees) / len(trees)


def measure_tree_kernel(name: str, trees: Sequence[str], runs: int) -> Row:
    table = _core.TreeTable()
    fast = prepared(trees, table)
    slow = _core.AllPairsTrees([text.encode() for text in trees], "trees", table)
    kernels = len(trees) * (len(trees) + 1) / 2  # one half of the matrix
    ours, theirs, ratio = in_turn(
        runs,
        lambda _: _core.tree_gram(fast, None, _DECAY, False, 1),
        lambda _: _core.all_pairs_gram(slow, _DECAY),
    )
    return {
        "name": f"tree kernel, {name}",
        "nodes": nodes(trees),
        "us": ours / kernels * 1e6,
        "per_minute": 60 * kernels / ours,
        "plain_us": theirs / kernels * 1e6,
        "ratio": ratio,
    }


def measure_tree_sum(name: str, trees: Sequence[str], runs: int) -> Row:
    random, table = Random(1), _core.TreeTable()
    lists = [candidates(text, _CANDIDATES, random) for text in trees[:_LISTS]]
    support = [text for gold in trees[_LISTS:][:_SUPPORT] for text in _pair(candidates(gold, 4, random))]
    alphas = np.tile([1.0, -1.0], len(support) // 2)
    none = dict.fromkeys(("oracles", "guesses", "steps", "times"), b"")
    weights = _core.DualWeights(voted=False, clock=1, alphas=alphas.tobytes(), **none)
    scorer = _core.DualScorer(_core.KernelItems.of_trees(prepared(support, table), _DECAY, True), weights)
    items = [_core.KernelItems.of_trees(prepared(each, table), _DECAY, True) for each in lists]
    known, asked = prepared(support, table), [prepared(each, table) for each in lists]
    scored = sum(map(len, lists))

    def sums(_: int) -> list[object]:
        return [scorer.scores(each, [0, len(each)], [0.0] * len(each), 1) for each in items]

    def naive(_: int) -> list[object]:
        return [_core.tree_gram(each, known, _DECAY, True, 1) @ alphas for each in asked]

    ours, theirs, ratio = in_turn(runs, sums, naive)
    return {
        "name": f"sum of {len(support):,} trees, {name}",
        "nodes": nodes(support),
        "us": ours / scored * 1e6,
        "per_minute": 60 * scored / ours,
        "plain_us": theirs / scored * 1e6,
        "ratio": ratio,
    }


def _pair(listed: Sequence[str]) -> tuple[str, str]:
    return listed[0], listed[-1]


def measure_subsequences(unit: str, sentences: Sequence[str], runs: int) -> Row:
    kernel = SubsequenceKernel(length=3, unit=unit)
    kernels = len(sentences) * (len(sentences) + 3) / 2  # one half of the matrix, and its diagonal to normalise it
    time = median(used for [used] in timed_in_turn(runs, lambda _: kernel(sentences)))
    symbols = sum(len(text.split() if unit == "word" else text) for text in sentences)
    return {
        "name": f"subsequences of 3 {unit}s",
        "nodes": symbols / len(sentences),
        "us": time / kernels * 1e6,
        "per_minute": 60 * kernels / time,
    }


def measure_kernels(data: str | None, runs: int) -> list[Row]:
    name, trees = treebank(data)
    chosen = trees[:: max(1, len(trees) // _COMPARED)][:_COMPARED]
    sentences = [" ".join(re.findall(r"([^\s()]+)\)", text)) for text in chosen[:100]]
    return [
        measure_tree_kernel(name, chosen, runs),
        measure_tree_sum(name, trees, runs),
        *(measure_subsequences(unit, sentences, runs) for unit in ("word", "character")),
    ]


_ROWS = {
    "row bytes": ("row_bytes", ""),
    "alone, ns": ("alone_ns", ".1f"),
    "30 a token, ns": ("together_ns", ".2f"),
    "GB/s": ("gb_per_s", ".1f"),
}
_KERNELS = {
    "nodes or symbols": ("nodes", ".1f"),
    "us": ("us", ".3f"),
    "a minute": ("per_minute", ",.0f"),
    "plain, us": ("plain_us", ".3f"),
    "ratio": ("ratio", ".1f"),
}


def main() -> None:
    given = command_line(__doc__, runs=5).parse_args()
    rows = [measure(labels, bits, *table, given.runs) for table in _TABLES for labels in _LABELS for bits in _BITS]
    print_rows(rows, _ROWS)
    print("a loop interchange or a spill of the scores shows as a row in cache about 4 times slower\n")
    kernels = measure_kernels(given.data, given.runs)
    print_rows(kernels, _KERNELS)
    if given.json:
        write_rows(given.json, rows + kernels)


if __name__ == "__main__":
    main()
