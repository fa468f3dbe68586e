"""How well and how fast are taggers learned from dicts of features, beside crfsuite on the same dicts?

    python -m bench.tasks.crfsuite_dicts [--data DIR] [--json FILE] [--runs N]

The feature function is that of sklearn-crfsuite's tutorial, unchanged; its corpus, the Spanish names of CoNLL-2002, may
not be copied, so the task is another one of the same layout (word, tag, label in BIO): the chunks of CoNLL-2000 from
--data or SAPWOOD_DATA, else generated text. crfsuite is trained as in the tutorial (L-BFGS, c1 = c2 = 0.1, 100
iterations, all transitions), and as an averaged perceptron. CPU seconds of this process from the dicts on, medians of
the runs, in which the systems take turns; "times" is the median of the rounds' ratios to sapwood's training.
"""

from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import pycrfsuite

from bench.shared.layout import command_line, print_rows, write_rows
from bench.shared.measure import timed
from bench.shared.texts import prepared
from bench.shared.tutorial import Sentence, dicts_of
from sapwood import SequenceTagger
from sapwood.metrics import chunk_scores

_COLUMNS = {
    "F1": ("f1", ".2f"),
    "train s": ("train_s", ".2f"),
    "times": ("times", ".1f"),
    "tokens/s": ("speed", ",.0f"),
}
_TUTORIAL = {"c1": 0.1, "c2": 0.1, "max_iterations": 100, "feature.possible_transitions": True}


def _sentences(path: Path) -> list[Sentence]:
    blocks = path.read_text(encoding="utf-8").strip("\n").split("\n\n")
    return [[tuple(row.split()) for row in block.split("\n")] for block in blocks]


class Sapwood:
    def fit(self, X: list, y: list) -> None:
        self.tagger = SequenceTagger().fit(X, y)

    def predict(self, X: list) -> list[list[str]]:
        return self.tagger.predict(X)


class Crfsuite:
    def __init__(self, model: Path, algorithm: str, **options: object) -> None:
        self.model, self.algorithm, self.options = str(model), algorithm, options

    def fit(self, X: list, y: list) -> None:
        trainer = pycrfsuite.Trainer(self.algorithm, self.options, verbose=False)
        for features, labels in zip(X, y, strict=True):
            trainer.append(features, labels)
        trainer.train(self.model)
        self.tagger = pycrfsuite.Tagger()
        self.tagger.open(self.model)

    def predict(self, X: list) -> list[list[str]]:
        return [self.tagger.tag(features) for features in X]


def main() -> None:
    given = command_line(__doc__, runs=3).parse_args()
    with prepared(given.data, quick=False) as texts, TemporaryDirectory() as folder:
        (X, y), (X_test, y_test) = (dicts_of(_sentences(text.path)) for text in (texts.train, texts.test))
        systems: dict[str, Callable[[], Sapwood | Crfsuite]] = {
            "sapwood": Sapwood,
            "crfsuite, L-BFGS": lambda: Crfsuite(Path(folder, "lbfgs"), "lbfgs", **_TUTORIAL),
            "crfsuite, averaged perceptron": lambda: Crfsuite(Path(folder, "ap"), "ap"),
        }
        tokens = sum(map(len, X_test))
        rounds, scores = [], {}
        for _ in range(given.runs):
            used = {}
            for name, make in systems.items():
                system, guess = make(), []
                train = timed(lambda system=system: system.fit(X, y))
                predict = timed(lambda system=system, guess=guess: guess.extend(system.predict(X_test)))
                used[name], scores[name] = (train, predict), chunk_scores(y_test, guess).f1
            rounds.append(used)
        rows = [
            {
                "name": name,
                "f1": scores[name],
                "train_s": median(used[name][0] for used in rounds),
                "times": median(used[name][0] / used["sapwood"][0] for used in rounds),
                "speed": tokens / median(used[name][1] for used in rounds),
            }
            for name in systems
        ]
        print(f"{texts.name}: {sum(map(len, X)):,} tokens to train on, medians of {given.runs} runs")
    print_rows(rows, _COLUMNS)
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
