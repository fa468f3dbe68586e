"""Are the first suspects mistakes? Labels are made wrong on purpose, and `suspects` looks for them.

    python -m bench.training.suspects --data DIR [--share S] [--folds K] [--only NAME] [--json FILE]

DIR is the folder of the corpora. Of every corpus the same share of labels (4.7 %) is replaced by another one, drawn
with a fixed seed: of reviews, of languages of sentences (4,645 of them), of senses, of chunk tags, of relations. A row
each:

planted     labels that were made wrong
suspects    labels with which models disagree that did not see them
first 50    share of the 50 surest suspects that were made wrong, in percent; the others may be mistakes of the corpus
first 400   share of all wrong labels that the 400 surest suspects hold, in percent
"""

import random
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from measure.layout import command_line, print_rows, write_rows
from measure.processes import Clock
from sapwood import Classifier, DependencyParser, SequenceTagger, suspects
from sapwood.io.conllu import read_treebank
from sapwood.io.example_files import instances
from sapwood.io.source import read_bytes

_COLUMNS = {
    "labels": ("labels", ",d"),
    "planted": ("planted", ",d"),
    "suspects": ("suspects", ",d"),
    "first 50": ("first_50", ".0f"),
    "first 400": ("first_400", ".0f"),
    "CPU s": ("cpu_s", ".1f"),
}
_SENTENCES = 4645  # of other languages
_TAGGED, _PARSED = 1000, 1000  # sentences


def planted(labels: Sequence[str], share: float) -> tuple[list[str], set[int]]:
    """Return labels of which this share is wrong, and the numbers of these."""
    generator = random.Random(1)
    names = sorted(set(labels))
    chosen = set(generator.sample(range(len(labels)), round(share * len(labels))))
    return [
        generator.choice([name for name in names if name != label]) if k in chosen else label
        for k, label in enumerate(labels)
    ], chosen


def _lines(path: Path) -> list[str]:
    return read_bytes(path).decode().splitlines()


def texts(learner: Classifier, rows: Iterable[tuple[str, Any]], given: Any) -> tuple[int, set[int], list[int]]:
    """Return the number of labels, those that are planted, and the suspects in their order."""
    labels, examples = zip(*rows, strict=True)
    noisy, wrong = planted(labels, given.share)
    found = suspects(learner, list(examples), noisy, folds=given.folds)
    return len(labels), wrong, [each.number for each in found]


def reviews(folder: Path, given: Any) -> tuple[int, set[int], list[int]]:
    """Reviews of films, labelled good or bad."""
    rows = [line.split(" ", 1) for line in _lines(folder / "movie_reviews" / "movie_reviews.txt.xz")]
    return texts(Classifier(), rows, given)  # type: ignore[arg-type]


def languages(folder: Path, given: Any) -> tuple[int, set[int], list[int]]:
    """Sentences, labelled by their language."""
    rows = [line.split("\t") for line in _lines(folder / "languages" / "sentences.tsv.xz")]
    chosen = random.Random(1).sample(rows, _SENTENCES)
    return texts(Classifier(characters=4), ((row[0], row[-1]) for row in chosen), given)


def senses(folder: Path, given: Any) -> tuple[int, set[int], list[int]]:
    """Sentences with the word interest, labelled by its sense."""
    text = read_bytes(folder / "interest" / "interest.pos.xz").decode()
    rows = ((each.sense, (each.tokens, each.marked)) for each in instances(text, "interest.pos"))
    return texts(Classifier(template="wsd"), rows, given)


def chunk_tags(folder: Path, given: Any) -> tuple[int, set[int], list[int]]:
    """Of the words of news; neighbours with wrong tags are one suspect, which is right if one of them was planted."""
    rows = [line.split() for line in _lines(folder / "conll2000" / "train.txt.xz")]
    sentences = [list(group) for filled, group in groupby(rows, bool) if filled][:_TAGGED]
    noisy, wrong = planted([row[-1] for sentence in sentences for row in sentence], given.share)
    rest = iter(noisy)
    data = [[(*row[:-1], next(rest)) for row in sentence] for sentence in sentences]
    found = suspects(SequenceTagger(template="chunking"), data, folds=given.folds)
    return (
        len(noisy),
        wrong,
        [
            next((k for k in range(each.number, each.number + len(each.given.split())) if k in wrong), each.number)
            for each in found
        ],
    )


def arcs(folder: Path, given: Any) -> tuple[int, set[int], list[int]]:
    """English trees; the relation is wrong, and heads stay, so that trees stay trees."""
    treebank = read_treebank(folder / "ewt" / "en_ewt-ud-train.conllu.xz")
    treebank = treebank.select(range(_PARSED))
    noisy, wrong = planted(list(chain.from_iterable(treebank.column("deprel"))), given.share)
    rest = iter(noisy)
    deprels = [[next(rest) for _ in sentence] for sentence in treebank.column("form")]
    data = treebank.with_columns({"deprel": deprels})
    found = suspects(DependencyParser(beam=1, single_root=False), data, folds=given.folds)
    return len(noisy), wrong, [each.number for each in found]


CORPORA: dict[str, Callable[[Path, Any], tuple[int, set[int], list[int]]]] = {
    "reviews": reviews,
    "languages": languages,
    "senses": senses,
    "chunk tags": chunk_tags,
    "relations": arcs,
}


def measured(name: str, given: Any) -> dict[str, Any]:
    """Return the row of a corpus."""
    with Clock() as clock:
        labels, wrong, order = CORPORA[name](Path(given.data), given)
    return {
        "name": name,
        "labels": labels,
        "planted": len(wrong),
        "suspects": len(order),
        "first_50": 100 * len(wrong.intersection(order[:50])) / 50,
        "first_400": 100 * len(wrong.intersection(order[:400])) / len(wrong),
        "cpu_s": clock.seconds,
    }


def main() -> None:
    """Print the rows, and write them."""
    parser = command_line(__doc__)
    parser.add_argument("--share", type=float, default=0.047)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--only", choices=tuple(CORPORA))
    given = parser.parse_args()
    rows = [measured(name, given) for name in CORPORA if given.only in (None, name)]
    print_rows(rows, _COLUMNS)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    sys.exit(main())
