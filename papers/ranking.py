"""Reranking (Collins & Duffy 2002; Clark 2015): trees of a treebank grammar, and the tagger's chunks of CoNLL-2000.

The lists to train on are cross-parsed: each fold is listed by a model of the other folds. Scores are labelled F1 of
brackets (PARSEVAL) or of chunks over the test set. Rerankers have their default options. The oracle takes the best
candidate of each list. The p-values are of the difference from the base model's first candidates (approximate
randomisation).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from measure.corpora import chunking_corpus, phrase_corpus
from measure.processes import Clock
from measure.report import Data, OnStart, Report, Row, by_corpus
from sapwood.base.candidates import CandidateList, Structure
from sapwood.base.drawing.figure import label_axes, log_ticks, save_figure
from sapwood.io.source import read_bytes, shown
from sapwood.metrics.brackets import bracket_counts
from sapwood.metrics.chunks import chunk_counts
from sapwood.metrics.labels import percent, table
from sapwood.metrics.significance import compare_f1
from sapwood.tasks.parsing.grammar import PhraseParser
from sapwood.tasks.ranking.model import Reranker
from sapwood.tasks.tagging.model import SequenceTagger

TREES, TREE_FOLDS = 100, 20  # candidates of a list, folds of cross-parsing
CHUNKINGS, CHUNK_FOLDS = 20, 10
PARTS = (16, 8, 4, 2, 1)  # for the learning curve: every 16th training list, and so on
_SHORT = 20  # candidates of a list for the tree kernel
_LENGTHS = (1, 2, 5, 10, 20, 50, 100)  # of the lists

Counts = Sequence[tuple[int, int]]  # brackets or chunks of gold and guess together, and those in common, twice


@dataclass(frozen=True, slots=True)
class Problem:
    """Lists to train on and to choose from, with the counts of each candidate of the latter."""

    name: str
    unit: str
    train: list[CandidateList]
    test: list[CandidateList]
    counts: Sequence[Counts]  # [test lists][candidates]

    def shortened(self, n: int) -> "Problem":
        """The same lists with their first n candidates."""
        both = self.train, self.test
        train, test = ([replace(each, candidates=each.candidates[:n]) for each in lists] for lists in both)
        return replace(self, train=train, test=test, counts=[counts[:n] for counts in self.counts])

    def chosen(self, picks: Sequence[int]) -> Counts:
        """The counts of the picked candidates, one of each list."""
        return [counts[k] for counts, k in zip(self.counts, picks, strict=True)]

    def first(self) -> Counts:
        """The counts of the first candidates, which the base model prefers."""
        return [counts[0] for counts in self.counts]

    def oracle(self) -> Counts:
        """The counts of the best candidates."""
        return [min(counts, key=lambda c: c[0] - c[1]) for counts in self.counts]


def run(data: Data, on_start: OnStart) -> Report:
    """Return the tables as text, and their rows. Raises DataError if a corpus is not there."""
    lines: list[str] = []
    rows: list[Row] = []
    for problem in (tree_problem(data, TREES, TREE_FOLDS, on_start), _chunk_problem(data, on_start)):
        measured = list(_systems(problem, on_start))
        curve = list(_learning_curve(problem, on_start))
        longest = max(len(each.candidates) for each in problem.test)
        lines += [
            f"{problem.name}: {len(problem.train):,} lists to train on, {len(problem.test):,} to choose from, of up to "
            f"{longest} candidates; F1 of {problem.unit}",
            *format_systems(measured),
            "",
            *_across(curve, "lists", "lists to train on", "f1"),
            "",
            *_across(curve, "candidates", "candidates", "f1", "oracle"),
            "",
        ]
        rows += [{"corpus": problem.name, **row} for row in (*measured, *curve)]
    return Report("\n".join(lines).rstrip(), rows)


def format_systems(rows: Sequence[Row]) -> list[str]:
    """Return the lines of a table of rerankers."""
    forms = {"f1": ".2f", "gain": "+.2f", "p": ".4f", "features": ",", "support": ",", "cpu_s": ".1f"}
    cells = [
        [row["name"], *(f"{row[key]:{form}}" if key in row else "" for key, form in forms.items())] for row in rows
    ]
    return table([("", "F1", "gain", "p", "features", "support", "train, CPU s"), *cells])


def _across(rows: Sequence[Row], size: str, title: str, *figures: str) -> list[str]:
    """Return the lines of a table with a column for each size."""
    here = [row for row in rows if size in row]
    cells = [(name, *(row[name] for row in here)) for name in figures]
    return table([(title, *(f"{row[size]:,}" for row in here)), *cells])


def tree_problem(data: Data, n: int, folds: int, on_start: OnStart) -> Problem:
    """Return the n best trees of a treebank grammar. Raises DataError if the corpus is not there."""
    with phrase_corpus(data) as corpus:
        on_start(corpus.name, f"{n} best trees in {folds} folds")
        grammar = PhraseParser().fit(corpus.train)
        train = list(grammar.lists.cross_validated(corpus.train, n, folds))
        test = list(grammar.lists.of_blocks([read_bytes(corpus.test)], shown(corpus.test), n))
    return _problem(f"{corpus.name}, trees", "brackets", train, test, bracket_counts)


def _chunk_problem(data: Data, on_start: OnStart) -> Problem:
    with chunking_corpus(data) as corpus:
        on_start(corpus.name, f"{CHUNKINGS} best chunkings in {CHUNK_FOLDS} folds")
        tagger = SequenceTagger(min_updates=5).fit(corpus.train)
        train = list(tagger.lists.cross_validated(corpus.train, CHUNKINGS, CHUNK_FOLDS))
        test = list(tagger.lists.of_blocks([read_bytes(corpus.test)], shown(corpus.test), CHUNKINGS))
    return _problem(f"{corpus.name}, chunks", "chunks", train, test, chunk_counts)


def _problem(
    name: str,
    unit: str,
    train: list[CandidateList],
    test: list[CandidateList],
    counts_of: Callable[[Structure, Sequence[Structure]], list[tuple[int, int]]],
) -> Problem:
    def counts(each: CandidateList) -> list[tuple[int, int]]:
        return counts_of(each.gold, [candidate.structure for candidate in each.candidates])

    for each in train:
        for candidate, (both, common) in zip(each.candidates, counts(each), strict=True):
            candidate.loss = float(both - common)
    return Problem(name, unit, train, test, [counts(each) for each in test])


def _systems(problem: Problem, on_start: OnStart) -> Iterator[Row]:
    base = _f1(problem.first())
    yield {"name": "base model's first", "f1": base, "gain": 0.0}
    systems = {
        "features, perceptron": Reranker(update="perceptron"),
        "features, margin": Reranker(),
        "features, margin, SAP3": Reranker(min_updates=3),
    }
    yield from measure(problem, systems, on_start)
    if problem.train[0].kind == "tree":
        kernels = {
            f"tree kernel, {_SHORT} candidates": Reranker(kernel="tree"),
            "the same, voted": Reranker(kernel="tree", voted=True),
        }
        yield from measure(problem.shortened(_SHORT), kernels, on_start)
    oracle = _f1(problem.oracle())
    yield {"name": "oracle", "f1": oracle, "gain": oracle - base}


def measure(problem: Problem, systems: Mapping[str, Reranker], on_start: OnStart) -> Iterator[Row]:
    """Yield the `score` of each reranker."""
    for name, reranker in systems.items():
        on_start(problem.name, name)
        yield score(problem, name, reranker)


def score(problem: Problem, name: str, reranker: Reranker) -> Row:
    """Train a reranker. Return its F1, its gain over the base model's first candidates, its size and CPU seconds."""
    with Clock() as clock:
        model, support = reranker.fit(problem.train).model_, reranker.support_
    counts = problem.chosen(reranker.predict(problem.test))
    difference = compare_f1(problem.first(), counts)
    return {
        "name": name,
        "f1": _f1(counts),
        "gain": difference.difference,
        "low": difference.low,
        "high": difference.high,
        "p": round(difference.randomisation_p, 4),
        **({"support": len(support)} if support is not None else {"features": model.tables[0].packed.features}),
        "cpu_s": clock.seconds,
    }


def _learning_curve(problem: Problem, on_start: OnStart) -> Iterator[Row]:
    """Yield F1 over the number of training lists of full length, then over the length of all lists."""
    for part in PARTS:
        train = problem.train[::part]
        on_start(problem.name, f"{len(train):,} lists")
        yield {"name": "curve", "lists": len(train), "f1": _reranked(problem, train)}
    longest = max(len(each.candidates) for each in problem.test)
    for n in (n for n in _LENGTHS if n <= longest):
        on_start(problem.name, f"lists of {n}")
        short = problem.shortened(n)
        yield {"name": "curve", "candidates": n, "f1": _reranked(short, short.train), "oracle": _f1(short.oracle())}


def _reranked(problem: Problem, train: Sequence[CandidateList]) -> float:
    return _f1(problem.chosen(Reranker().fit(train).predict(problem.test)))


def _f1(counts: Counts) -> float:
    return percent(sum(common for _, common in counts), sum(both for both, _ in counts))


def draw(rows: Sequence[Row], path: str) -> None:
    """Write the learning curves of both corpora, .png, .svg or .pdf. Raises OptionError or DataError."""
    corpora = by_corpus(rows)
    curves = (("lists", "lists to train on"), ("candidates", "candidates in a list"))
    with save_figure(path, (9.6, 3.4 * len(corpora)), columns=2, rows=len(corpora)) as panels:
        shown = [(corpus, here, *curve) for corpus, here in corpora.items() for curve in curves]
        for axes, (corpus, here, size, label) in zip(panels, shown, strict=True):
            first = next(row["f1"] for row in here if row["name"] == "base model's first")
            points = [row for row in here if size in row]
            sizes = [row[size] for row in points]
            if size == "candidates":
                axes.plot(sizes, [row["oracle"] for row in points], "^-", color="#b5482a", label="oracle")
            axes.plot(sizes, [row["f1"] for row in points], "o-", color="#1f5f8b", label="reranked")
            axes.axhline(first, color="#8a8a8a", linestyle=(0, (4, 2)), label="base model's first")
            log_ticks(axes, sizes, ",")
            label_axes(axes, corpus, label, "F1, %")
            axes.legend(fontsize=8)
