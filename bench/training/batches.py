"""What do minibatches cost and give: accuracy and speed by the number of examples that are searched at once?

    python -m bench.training.batches --data DIR [--task chunk|parse|reviews] [--batches 1,2,4,...] [--epochs N]
                                     [--threads M] [--json FILE]

DIR is the folder of the corpora, as in bench/training/mixing.py. A row for each size of batches, after the same epochs:

score       on held-out data, and the best of an epoch; of EWT it is the development set
CPU s       of an epoch with one thread
1 thread    examples (tokens, words) in a second by the clock
M threads   the same with --threads threads, and their ratio: 1 without batches
"""

import argparse
import sys
from statistics import median
from typing import Any

from bench.training.mixing import corpus, option
from measure.layout import command_line, print_rows, write_rows
from measure.processes import Clock
from sapwood.events import EpochDone

_COLUMNS = {
    "score": ("score", ".2f"),
    "best": ("best", ".2f"),
    "CPU s": ("cpu_s", ".2f"),
    "1 thread": ("one_thread", ",.0f"),
    "M threads": ("m_threads", ",.0f"),
    "ratio": ("ratio", ".2f"),
}


def train(given: argparse.Namespace, batch: int, threads: int, epochs: int, held_out: bool) -> list[EpochDone]:
    """Train; return the epochs."""
    model, data, dev = corpus(given.task, given.data, trees="dev")
    model.set_params(batch=batch, threads=threads, epochs=epochs, **dict(given.option))
    done: list[EpochDone] = []
    model.fit(
        data,
        on_event=lambda event: done.append(event) if isinstance(event, EpochDone) else None,
        **(dev if held_out else {}),
    )
    return done


def measured(given: argparse.Namespace, batch: int) -> dict[str, Any]:
    """Return the row of a size of batches."""
    done = train(given, batch, given.threads, given.epochs, held_out=True)
    row: dict[str, Any] = {"name": f"{batch}", "score": done[-1].dev_score}
    row["best"] = max(event.dev_score or 0 for event in done)
    with Clock() as clock:
        one = train(given, batch, 1, 3, held_out=False)
    row["cpu_s"] = clock.seconds / 3
    row["one_thread"] = median(event.tokens_per_second for event in one)
    many = train(given, batch, given.threads, 3, held_out=False)
    row["m_threads"] = median(event.tokens_per_second for event in many)
    row["ratio"] = row["m_threads"] / row["one_thread"]
    return row


def main() -> None:
    """Print the rows, and write them."""
    parser = command_line(__doc__)
    parser.add_argument("--task", choices=("chunk", "parse", "reviews"), default="chunk")
    parser.add_argument("--batches", default="1,2,4,8,16,32,64", metavar="N,...")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    rows = []
    for batch in map(int, given.batches.split(",")):
        rows.append(measured(given, batch))
        print(rows[-1], file=sys.stderr, flush=True)
    print_rows(rows, _COLUMNS)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
