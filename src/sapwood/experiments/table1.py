"""Table 1 of Goldberg & Elhadad (2011): multiclass classification, text chunking on CoNLL-2000.

Tokens are classified into chunk labels greedily, from left to right, with ten passes of training: by the averaged
perceptron, by the same after rare features are pruned, and by the sparse averaged perceptron. The last rows are not in
the paper: Viterbi search with margin updates on the same features.
"""

from collections.abc import Iterator, Sequence

from sapwood.datasets.corpora import chunking_corpus
from sapwood.experiments import Data, OnStart, Options, Report, silent
from sapwood.experiments.table import Measured, Paper, Setting, choose, fit, report
from sapwood.metrics import chunk_scores
from sapwood.tasks.tagging.model import SequenceTagger

_GREEDY: Options = {"search": "greedy", "update": "perceptron", "min_updates": 1}
_MARGIN: Options = {"search": "viterbi", "update": "margin"}

SETTINGS = (
    Setting("Avg. Percep", _GREEDY, Paper(96.0, 196_523, 31)),
    Setting("pruned(5)", {**_GREEDY, "prune_below": 5}, Paper(95.9, 77_880, 13)),
    Setting("pruned(10)", {**_GREEDY, "prune_below": 10}, Paper(95.8, 52_072, 9.0)),
    Setting("SAP5", {**_GREEDY, "min_updates": 5}, Paper(95.9, 47_906, 8.4)),
    Setting("SAP10", {**_GREEDY, "min_updates": 10}, Paper(95.9, 26_160, 5.0)),
    Setting("Viterbi margin", {**_MARGIN, "min_updates": 1}),
    Setting("Viterbi margin SAP5", {**_MARGIN, "min_updates": 5}),
    Setting("Viterbi margin SAP10", {**_MARGIN, "min_updates": 10}),
    Setting("Viterbi margin order 2", {**_MARGIN, "min_updates": 5, "order": 2, "encoding": "iobes", "gamma": 40.0}),
)


def measure(
    data: Data = None, on_start: OnStart = silent, *, only: Sequence[str] = (), epochs: int = 10, seed: int = 1
) -> Iterator[Measured]:
    """Yield the rows of the table, or those named in `only`. Raises DataError if `data` does not have the corpus."""
    chosen = choose(SETTINGS, only)
    with chunking_corpus(data) as corpus:
        for setting in chosen:
            on_start(corpus.name, setting.name)
            tagger = SequenceTagger(template="chunking", epochs=epochs, seed=seed, **setting.options)
            fitted = fit(tagger, corpus.train)
            evaluated = (m.evaluate(corpus.test) for m in (fitted.model, fitted.float32))
            int8, float32 = (chunk_scores(each.gold, each.guess) for each in evaluated)
            scores = {"accuracy": int8.accuracy, "F1": int8.f1}
            yield fitted.row(corpus.name, setting, scores, float32.accuracy, fitted.float32.model_.tables)


def run(data: Data, on_start: OnStart, *, only: Sequence[str], epochs: int, seed: int = 1) -> Report:
    """Return the table as text, and its rows. Raises OptionError or DataError."""
    return report(measure(data, on_start, only=only, epochs=epochs, seed=seed), "", epochs, seed)
