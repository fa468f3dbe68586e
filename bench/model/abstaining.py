"""Do thresholds hold, and do wrong labels in development data cost coverage?

    python -m bench.model.abstaining --data DIR [--precision P] [--share S] [--json FILE]

DIR is the folder of the corpora. A classifier is trained on half of each, and a threshold for the precision (0.95) is
fitted on a quarter, once with its labels and once with a share of them (6 %) made wrong. A row for each of both, and
one of the wrong labels without correction:

noise       share of wrong labels that is estimated, in percent
answered    share of the answers to the last quarter that are given, in percent
precision   share of these that is right, in percent
"""

import random
import sys
import warnings
from pathlib import Path
from typing import Any

from bench.training.suspects import planted
from measure.layout import command_line, print_rows, write_rows
from sapwood import Classifier, DataError
from sapwood.io.example_files import instances
from sapwood.io.source import read_bytes

_COLUMNS = {"noise": ("noise", ".1f"), "answered": ("answered", ".1f"), "precision": ("precision", ".1f")}
_LETTERS, _SENTENCES = 25, 12_000  # of languages


def _lines(path: Path) -> list[str]:
    return read_bytes(path).decode().splitlines()


def corpora(folder: Path) -> dict[str, tuple[Classifier, list[tuple[Any, str]]]]:
    """Return classifiers that are not trained, and examples with their labels."""
    text = read_bytes(folder / "interest" / "interest.pos.xz").decode()
    senses = [((each.tokens, each.marked), each.sense) for each in instances(text, "interest.pos")]
    rows = [line.split("\t") for line in _lines(folder / "languages" / "sentences.tsv.xz")]
    languages = [(row[-1][:_LETTERS], row[0]) for row in random.Random(1).sample(rows, _SENTENCES)]
    reviews = [line.split(" ", 1)[::-1] for line in _lines(folder / "movie_reviews" / "movie_reviews.txt.xz")]
    return {
        "senses": (Classifier(template="wsd"), senses),  # type: ignore[dict-item]
        "languages": (Classifier(characters=3), languages),
        "reviews": (Classifier(), [(text, label) for text, label in reviews]),
    }


def measured(name: str, learner: Classifier, rows: list[tuple[Any, str]], given: Any) -> list[dict[str, Any]]:
    """Return the rows of a corpus."""
    random.Random(3).shuffle(rows)
    half, rest = len(rows) // 2, 3 * len(rows) // 4
    examples, labels = zip(*rows, strict=True)
    learner.fit(list(examples[:half]), list(labels[:half]))
    wrong, _ = planted(labels[half:rest], given.share)
    found = []
    for kind, dev, noise in (
        ("clean", list(labels[half:rest]), None),
        ("noisy", wrong, None),
        ("as it is", wrong, 0.0),
    ):
        row: dict[str, Any] = {"name": f"{name}, {kind}"}
        found.append(row)
        try:
            learner.calibrate(list(examples[half:rest]), dev, precision=given.precision, noise=noise)
        except DataError:  # no answers reach it
            continue
        assert learner.model_.calibration is not None
        row["noise"] = 100 * learner.model_.calibration["abstention"]["noise"]
        answers = list(zip(learner.predict(list(examples[rest:]), abstain=True), labels[rest:], strict=True))
        right = [answer == label for answer, label in answers if answer is not None]
        row |= {"answered": 100 * len(right) / len(answers), "precision": 100 * sum(right) / max(len(right), 1)}
    return found


def main() -> None:
    """Print the rows, and write them."""
    parser = command_line(__doc__)
    parser.add_argument("--precision", type=float, default=0.95)
    parser.add_argument("--share", type=float, default=0.06)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = [row for name, each in corpora(Path(given.data)).items() for row in measured(name, *each, given)]
    print_rows(rows, _COLUMNS)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    sys.exit(main())
