"""Is a second week of labelled examples learned without losing the first?

    python -m bench.training.weeks --data DIR [--json FILE]

DIR is the folder of the corpora. Three quarters of each are dealt to two weeks, so that every other label has nine
tenths of its examples in the first week, the others in the second; of more than two labels the last one comes in the
second week only. The rest is dealt in the same way for tests. A row for each way to learn:

first, second   accuracy on the tests of the two weeks, in percent
"""

import random
import sys
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.model.abstaining import corpora
from measure.layout import command_line, print_rows, write_rows
from sapwood import Classifier

Rows = Sequence[tuple[Any, str]]

_COLUMNS = {"first": ("first", ".1f"), "second": ("second", ".1f")}
_EPOCHS = (5, 10, 20)  # over the second week; the first has those of the default
_EARLY = 0.9  # share of a label's examples in its own week


def dealt(rows: Rows, labels: Sequence[str], dice: random.Random) -> tuple[Rows, Rows]:
    """Return the examples of both weeks."""
    early, late = set(labels[::2]), labels[-1] if len(labels) > 2 else None
    first, second = list[tuple[Any, str]](), list[tuple[Any, str]]()
    for row in rows:
        is_first = (row[1] in early) == (dice.random() < _EARLY) and row[1] != late
        (first if is_first else second).append(row)
    return first, second


def measured(name: str, learner: Classifier, rows: list[tuple[Any, str]]) -> list[dict[str, Any]]:
    """Return the rows of a corpus."""
    dice = random.Random(3)
    dice.shuffle(rows)
    labels = sorted({label for _, label in rows})
    first, second = dealt(rows[len(rows) // 4 :], labels, dice)
    tests = dealt(rows[: len(rows) // 4], labels, dice)
    found: list[dict[str, Any]] = []

    def learn(how: str, data: Rows, **more: Any) -> None:
        learner.fit(*map(list, zip(*data, strict=True)), **more)
        scores = [100 * learner.score(*map(list, zip(*test, strict=True))) for test in tests]
        found.append({"name": f"{name}, {how}", "first": scores[0], "second": scores[1]})

    with tempfile.TemporaryDirectory() as folder:
        checkpoint, epochs = Path(folder) / "first", learner.get_params()["epochs"]
        learn("first week", first, checkpoint=checkpoint)
        for each in _EPOCHS:
            learner.set_params(epochs=each)
            learn(f"then the second, {each} epochs", second, from_checkpoint=checkpoint)
        learner.set_params(epochs=epochs)
    learn("both at once", [*first, *second])
    return found


def main() -> None:
    """Print the rows, and write them."""
    given = command_line(__doc__).parse_args()
    warnings.simplefilter("ignore")
    rows = [row for name, each in corpora(Path(given.data)).items() for row in measured(name, *each)]
    print_rows(rows, _COLUMNS)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    sys.exit(main())
