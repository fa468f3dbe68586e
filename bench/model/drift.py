"""How often does `sapwood drift` speak of drift where there is none, and does it see drift that was planted?

    python -m bench.model.drift FOLDER [--splits N] [--json FILE]

FOLDER has the corpora as data/README.md names them. Models are trained on a third of the movie reviews, the senses of
interest and EWT's training part, and calibrated on held-out data; `en` comes with the package. The texts that a model
did not see are divided in two halves at random, N times, and the halves compared: whatever is said beyond chance is a
false alarm. Each half is also compared with the model's file alone. Then come texts of another kind in place of the
second half, or in a part of it.

compared     what is compared with what
of the file  the same with no old texts, beside what the model's file keeps of its training data
drift        comparisons in which a change beyond chance was not small; beyond chance: those with any change
size         the largest distance or index, mean of all comparisons: familiarity, confidence, labels
"""

import argparse
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import sapwood
from measure.layout import print_rows, write_rows
from measure.report import Row
from sapwood import Classifier, SequenceTagger
from sapwood.explain.drift import CHANCE, DriftReport, Sample, of_training, sample
from sapwood.io.conllu import read_treebank
from sapwood.io.source import read_bytes
from sapwood.model.base import AnyModel

_COLUMNS = {
    "texts": ("texts", ",d"),
    "comparisons": ("comparisons", "d"),
    "drift": ("drift", "d"),
    "beyond chance": ("beyond", "d"),
    "familiarity": ("familiarity", ".3f"),
    "confidence": ("confidence", ".3f"),
    "labels": ("labels", ".3f"),
}
Texts = list[Any]


def compared(name: str, pairs: Sequence[tuple[Sample, Any]]) -> Row:
    """Return a row about comparisons of new texts with old ones."""
    reports = [DriftReport(new, old) for new, old in pairs]
    sizes = {
        measure: [each.size for report in reports for each in report.changes if each.measure == measure]
        for measure in ("familiarity", "confidence", "labels")
    }
    beyond = sum(any(each.p < CHANCE for each in report.changes) for report in reports)
    return {
        "name": name,
        "texts": pairs[0][0].texts,
        "comparisons": len(pairs),
        "drift": sum(report.drifted for report in reports),
        "beyond": beyond,
        **{measure: fmean(found) for measure, found in sizes.items() if found},
    }


def rows_of(
    kind: str, model: AnyModel, texts: Texts, others: dict[str, Callable[[Texts, random.Random], Texts]], splits: int
) -> list[Row]:
    """Return the rows of one model.

    texts : those that it did not see; others : name -> makes texts of another kind of the second half
    """
    halves: list[tuple[Texts, Texts]] = []
    for seed in range(splits):
        mixed = texts[:]
        random.Random(seed).shuffle(mixed)
        halves.append((mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]))
    old = [sample(model, first, "old") for first, _ in halves]
    new = [sample(model, second, "new") for _, second in halves]
    training = of_training(model)
    found = [
        compared(f"{kind}: halves", [*zip(new, old, strict=True)]),
        compared(f"{kind}: halves, of the file", [(each, training) for each in new]),
    ]
    for name, make in others.items():
        planted = [sample(model, make(second, random.Random(s)), "new") for s, (_, second) in enumerate(halves[:5])]
        found.append(compared(f"{kind}: {name}", [*zip(planted, old[:5], strict=True)]))
        found.append(compared(f"{kind}: {name}, of the file", [(each, training) for each in planted]))
    return found


def part_of(other: Texts, share: float) -> Callable[[Texts, random.Random], Texts]:
    """Return what puts texts of another kind in place of a share of the texts."""

    def made(texts: Texts, chance: random.Random) -> Texts:
        n = min(round(share * len(texts)), len(other))
        return texts[n:] + chance.sample(other, n)

    return made


def labelled(path: Path) -> list[tuple[str, str]]:
    """Return the labels and texts of a file of fastText's lines."""
    lines = read_bytes(path).decode().splitlines()
    return [(label.removeprefix("__label__"), text) for label, _, text in (line.partition(" ") for line in lines)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--json")
    asked = parser.parse_args()
    folder: Path = asked.folder
    german = read_treebank(next((folder / "languages/de").glob("de-train*")))
    in_german = [" ".join(words) for words in german.column("form")]
    found: list[Row] = []

    reviews = labelled(next((folder / "movie_reviews").glob("*.txt*")))
    random.Random(0).shuffle(reviews)
    third = len(reviews) // 3
    classifier = Classifier().fit(*[[pair[k] for pair in reviews[:third]] for k in (1, 0)])
    half = reviews[third : third + 200]
    classifier.calibrate([text for _, text in half], [label for label, _ in half])
    unseen = reviews[third + 200 :]
    bodies = [text for _, text in unseen]
    praise = [text for label, text in unseen if label == "pos"]
    planted = {
        "a tenth German": part_of(in_german, 0.1),
        "German": part_of(in_german, 1),
        "80 % praise": lambda texts, chance: (
            chance.sample(praise, 5 * len(praise) // 8)
            + chance.sample([text for label, text in unseen if label == "neg"], len(praise) // 6)
        ),
        "first 20 words": lambda texts, chance: [" ".join(text.split()[:20]) for text in texts],
    }
    found += rows_of("reviews", classifier, bodies, planted, asked.splits)

    treebanks = {
        name: read_treebank(next((folder / name.split("/")[0]).glob(f"*{name.split('/')[1]}.conllu*")))
        for name in ("ewt/train", "ewt/dev", "ewt/test", "gum/dev", "gum/test")
    }
    pairs = {
        name: [
            [*zip(words, tags, strict=True)]
            for words, tags in zip(bank.column("form"), bank.column("upos"), strict=True)
        ]
        for name, bank in treebanks.items()
    }
    words = {name: [[word for word, _ in sentence] for sentence in sentences] for name, sentences in pairs.items()}
    train = random.Random(0).sample(pairs["ewt/train"], 4000)
    tagger = SequenceTagger(template="pos").fit(*[[[pair[k] for pair in s] for s in train] for k in (0, 1)])
    tagger.calibrate(words["ewt/dev"], [[tag for _, tag in s] for s in pairs["ewt/dev"]])
    genre = words["gum/dev"] + words["gum/test"]
    german_words = german.column("form")
    planted = {
        "GUM": part_of(genre, 1),
        "a tenth German": part_of(german_words, 0.1),
        "German": part_of(german_words, 1),
    }
    found += rows_of("tags", tagger, words["ewt/test"], planted, asked.splits)

    found += rows_of("en", sapwood.load("en"), words["ewt/test"], planted, asked.splits)
    print_rows(found, _COLUMNS)
    if asked.json:
        write_rows(asked.json, found)


if __name__ == "__main__":
    main()
