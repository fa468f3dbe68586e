"""Ten times the text, ten times the time? Generated corpora of 10^4, 10^5 ... tokens.

Training (3 epochs) and tagging of the same text, each as a process of its own. The exponent is the slope of a
line through log CPU seconds (start-up subtracted) over log tokens, from 10^5 on: 1 is a straight line.
"""

import math
from pathlib import Path
from statistics import linear_regression

from measure.layout import print_rows
from measure.processes import SAPWOOD, Job, in_turn
from measure.report import Row
from measure.texts import Text, write_generated

__all__ = ["measure_scale"]

_EPOCHS = 3
_COLUMNS = {
    "train s": ("train_cpu_s", ".2f"),
    "us/token": ("train_us_per_token", ".2f"),
    "MB": ("peak_mb", ".0f"),
    "tag s": ("tag_cpu_s", ".2f"),
    "tag us/token": ("tag_us_per_token", ".3f"),
    "tag MB": ("tag_peak_mb", ".0f"),
    "model bytes": ("bytes", ","),
}
_FIT_FROM = 100_000  # below, what is left after subtracting start-up is noise


def measure_scale(folder: Path, most: int, runs: int) -> list[Row]:
    """Print the table and return its rows."""
    sizes = [10**k for k in range(4, 10) if 10**k <= most]
    one, *texts = write_generated({folder / f"{size}.txt": size for size in [1, *sizes]})
    rows = []
    startup = _measure(one, folder, runs)
    for text in texts:
        row = _measure(text, folder, 1 if text.tokens > 2_000_000 else runs)
        for task in ("train", "tag"):
            row[f"{task}_marginal_cpu_s"] = max(row[f"{task}_cpu_s"] - startup[f"{task}_cpu_s"], 1e-3)
            row[f"{task}_us_per_token"] = row[f"{task}_marginal_cpu_s"] / text.tokens * 1e6
        rows.append(row)
    _print(rows)
    return rows


def _measure(text: Text, folder: Path, runs: int) -> Row:
    model = folder / "scale.sap"
    train = [*SAPWOOD, "train", "tag", text.path, "-o", model, "--template", "crfsuite-chunking", "--quiet"]
    used = in_turn(
        [
            Job(f"train {text.tokens:,}", [*train, "--epochs", str(_EPOCHS)]),
            Job(f"tag {text.tokens:,}", [*SAPWOOD, "tag", model, text.path]),
        ],
        runs,
    )
    return {
        "name": f"scale {text.tokens:,}",
        "tokens": text.tokens,
        "train_cpu_s": used.cpu(f"train {text.tokens:,}"),
        "tag_cpu_s": used.cpu(f"tag {text.tokens:,}"),
        "peak_mb": used.peak(f"train {text.tokens:,}"),
        "tag_peak_mb": used.peak(f"tag {text.tokens:,}"),
        "bytes": model.stat().st_size,
    }


def _print(rows: list[Row]) -> None:
    print(f"\nScale: generated text, {_EPOCHS} epochs; 'us' is microseconds of CPU a token, start-up subtracted")
    print_rows(rows, _COLUMNS)
    rows = [row for row in rows if row["tokens"] >= _FIT_FROM]
    if len(rows) > 1:
        train, tag = (_exponent(rows, f"{task}_marginal_cpu_s") for task in ("train", "tag"))
        print(f"exponents: training {train:.2f}, tagging {tag:.2f}, peak memory {_exponent(rows, 'peak_mb'):.2f}")


def _exponent(rows: list[Row], figure: str) -> float:
    """Return the slope of the least-squares line through (log tokens, log figure)."""
    return linear_regression([math.log(row["tokens"]) for row in rows], [math.log(row[figure]) for row in rows]).slope
