"""Reranking (Collins & Duffy 2002; Clark 2015): trees of a treebank grammar, and CoNLL-2000's chunks by the tagger.

The lists to train on are cross-parsed: each fold is listed by a model of the others. Scores are labelled F1, of
brackets (PARSEVAL) or chunks, over the test set. The rerankers' options are their defaults, the oracle takes the best
candidate of each list, and p is that of the difference to the base model's first (approximate randomisation).
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sapwood.datasets.corpora import chunking_corpus, phrase_corpus
from sapwood.errors import shown
from sapwood.io.lists import CandidateList
from sapwood.io.text import read_bytes
from sapwood.metrics.brackets import bracket_counts
from sapwood.metrics.chunks import extract_chunks
from sapwood.metrics.labels import table
from sapwood.metrics.significance import compare_f1
from sapwood.models.grammar import PhraseParser
from sapwood.models.nbest import cross_lists, n_best_lists
from sapwood.models.reranker import Reranker
from sapwood.models.tagger import SequenceTagger

__all__ = ["Problem", "draw", "format_systems", "run", "score", "tree_problem"]

_TREES, _TREE_FOLDS = 100, 20
_CHUNKINGS, _CHUNK_FOLDS = 20, 10
_SHORT = 20  # candidates of a list for the tree kernel
_PARTS = (16, 8, 4, 2, 1)  # of the training lists, for the learning curve
_LENGTHS = (1, 2, 5, 10, 20, 50, 100)  # of the lists

Counts = Sequence[tuple[int, int]]  # brackets or chunks of gold and guess together, and those that both have


@dataclass(frozen=True, slots=True)
class Problem:
    """Lists to train on and to choose from, with what each candidate of the latter scores."""

    name: str
    unit: str
    train: list[CandidateList]
    test: list[CandidateList]
    counts: Sequence[Counts]  # [test lists][candidates]

    def shortened(self, n: int) -> "Problem":
        """The same lists with their first n candidates."""
        return Problem(
            self.name,
            self.unit,
            [_shortened(each, n) for each in self.train],
            [_shortened(each, n) for each in self.test],
            [counts[:n] for counts in self.counts],
        )

    def chosen(self, picks: Sequence[int]) -> Counts:
        """The counts of the candidates that were picked, one of each list."""
        return [counts[k] for counts, k in zip(self.counts, picks, strict=True)]

    def oracle(self) -> Counts:
        """The counts of the best candidates."""
        return [min(counts, key=lambda c: c[0] - c[1]) for counts in self.counts]


def run(data: str | None, on_start: Callable[[str, str], None]) -> tuple[str, list[dict[str, Any]]]:
    """Return the tables as text, and their rows for ``--json``. Raises DataError if a corpus is not there."""
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    for problem in _problems(data, on_start):
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
    return "\n".join(lines).rstrip(), rows


def format_systems(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The lines of a table of rerankers."""
    forms = {"f1": ".2f", "gain": "+.2f", "p": ".4f", "features": ",", "support": ",", "cpu_s": ".1f"}
    cells = [
        [row["name"], *(f"{row[key]:{form}}" if key in row else "" for key, form in forms.items())] for row in rows
    ]
    return table([("", "F1", "gain", "p", "features", "support", "train, CPU s"), *cells])


def _across(rows: Sequence[dict[str, Any]], size: str, title: str, *figures: str) -> list[str]:
    """The lines of a table with a column for each size."""
    here = [row for row in rows if size in row]
    return table(
        [(title, *(f"{row[size]:,}" for row in here)), *[(name, *(row[name] for row in here)) for name in figures]]
    )


def _problems(data: str | None, on_start: Callable[[str, str], None]) -> Iterator[Problem]:
    yield tree_problem(data, _TREES, _TREE_FOLDS, on_start)
    with chunking_corpus(data) as columns:
        on_start(columns.name, f"{_CHUNKINGS} best chunkings in {_CHUNK_FOLDS} folds")
        tagger = SequenceTagger(min_updates=5).fit(columns.train)
        train = list(cross_lists(tagger, columns.train, _CHUNKINGS, _CHUNK_FOLDS))
        test = n_best_lists(tagger, read_bytes(columns.test), shown(columns.test), _CHUNKINGS)
    yield _problem(f"{columns.name}, chunks", "chunks", train, test, _chunk_counts)


def tree_problem(data: str | None, n: int, folds: int, on_start: Callable[[str, str], None]) -> Problem:
    """Return the n best trees of a treebank grammar. Raises DataError if the corpus is not there."""
    with phrase_corpus(data) as corpus:
        on_start(corpus.name, f"{n} best trees in {folds} folds")
        grammar = PhraseParser().fit(corpus.train)
        train = list(cross_lists(grammar, corpus.train, n, folds))
        test = n_best_lists(grammar, read_bytes(corpus.test), shown(corpus.test), n)
    return _problem(f"{corpus.name}, trees", "brackets", train, test, bracket_counts)


def _problem(
    name: str,
    unit: str,
    train: list[CandidateList],
    test: list[CandidateList],
    counts_of: Callable[[Any, list[Any]], list[tuple[int, int]]],
) -> Problem:
    for each in train:
        structures = [candidate.structure for candidate in each.candidates]
        for candidate, (both, common) in zip(each.candidates, counts_of(each.gold, structures), strict=True):
            candidate.loss = float(both - common)
    counts = [counts_of(each.gold, [candidate.structure for candidate in each.candidates]) for each in test]
    return Problem(name, unit, train, test, counts)


def _chunk_counts(gold: list[str], guesses: list[list[str]]) -> list[tuple[int, int]]:
    wanted = set(extract_chunks(gold))
    found = [set(extract_chunks(guess)) for guess in guesses]
    return [(len(wanted) + len(chunks), 2 * len(wanted & chunks)) for chunks in found]


def _systems(problem: Problem, on_start: Callable[[str, str], None]) -> Iterator[dict[str, Any]]:
    base = problem.chosen([0] * len(problem.test))
    yield {"name": "base model's first", "f1": _f1(base), "gain": 0.0}
    for name, reranker in (
        ("features, perceptron", Reranker(update="perceptron")),
        ("features, margin", Reranker()),
        ("features, margin, SAP3", Reranker(min_updates=3)),
    ):
        on_start(problem.name, name)
        yield score(problem, name, reranker)
    if problem.train[0].kind == "tree":
        short = problem.shortened(_SHORT)
        for name, voted in ((f"tree kernel, {_SHORT} candidates", False), ("the same, voted", True)):
            on_start(problem.name, name)
            yield score(short, name, Reranker(kernel="tree", voted=voted))
    oracle = problem.oracle()
    yield {"name": "oracle", "f1": _f1(oracle), "gain": _f1(oracle) - _f1(base)}


def score(problem: Problem, name: str, reranker: Reranker) -> dict[str, Any]:
    """Train a reranker; return its F1, its gain over the base model's first candidates, its size and CPU seconds."""
    started = time.process_time()
    model, support = reranker.fit(problem.train).model_, reranker.support_
    seconds = time.process_time() - started
    counts = problem.chosen(reranker.predict(problem.test))
    difference = compare_f1(problem.chosen([0] * len(problem.test)), counts)
    return {
        "name": name,
        "f1": _f1(counts),
        "gain": difference.difference,
        "low": difference.low,
        "high": difference.high,
        "p": round(difference.randomisation_p, 4),
        **({"support": len(support)} if support is not None else {"features": model.tables[0].packed.features}),
        "cpu_s": seconds,
    }


def _learning_curve(problem: Problem, on_start: Callable[[str, str], None]) -> Iterator[dict[str, Any]]:
    """F1 over the number of training lists, of their full length, and over the length of all of them."""
    for part in _PARTS:
        train = problem.train[::part]
        on_start(problem.name, f"{len(train):,} lists")
        yield {"name": "curve", "lists": len(train), "f1": _f1(_reranked(problem, train))}
    longest = max(len(each.candidates) for each in problem.test)
    for n in _LENGTHS:
        if n > longest:
            break
        on_start(problem.name, f"lists of {n}")
        short = problem.shortened(n)
        yield {
            "name": "curve",
            "candidates": n,
            "f1": _f1(_reranked(short, short.train)),
            "oracle": _f1(short.oracle()),
        }


def _reranked(problem: Problem, train: Sequence[CandidateList]) -> Counts:
    return problem.chosen(Reranker().fit(train).predict(problem.test))


def _shortened(each: CandidateList, n: int) -> CandidateList:
    return CandidateList(each.kind, each.candidates[:n], each.tokens, each.gold, each.where)


def _f1(counts: Counts) -> float:
    both = sum(b for b, _ in counts)
    return 100 * sum(common for _, common in counts) / both if both else 0.0


def draw(rows: Sequence[dict[str, Any]], path: str) -> None:
    """Write the learning curves of both corpora, .png or .svg. Raises OptionError or DataError."""
    from sapwood.draw.figure import save_figure

    corpora = list(dict.fromkeys(row["corpus"] for row in rows))
    with save_figure(path, (9.6, 3.4 * len(corpora)), columns=2, rows=len(corpora)) as panels:
        for corpus, pair in zip(corpora, (panels[:2], panels[2:]), strict=True):
            here = [row for row in rows if row["corpus"] == corpus]
            first = next(row["f1"] for row in here if row["name"] == "base model's first")
            for axes, what, label in zip(
                pair, ("lists", "candidates"), ("lists to train on", "candidates in a list"), strict=True
            ):
                points = [row for row in here if what in row]
                sizes = [row[what] for row in points]
                if what == "candidates":
                    axes.plot(sizes, [row["oracle"] for row in points], "^-", color="#b5482a", label="oracle")
                axes.plot(sizes, [row["f1"] for row in points], "o-", color="#1f5f8b", label="reranked")
                axes.axhline(first, color="#8a8a8a", linestyle=(0, (4, 2)), label="base model's first")
                axes.set_xscale("log")
                axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
                axes.minorticks_off()
                axes.set_title(corpus, fontsize=10)
                axes.set_xlabel(label)
                axes.set_ylabel("F1, %")
                axes.grid(alpha=0.3)
                axes.legend(fontsize=8)
