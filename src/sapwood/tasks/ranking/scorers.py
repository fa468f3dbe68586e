"""The scorers of a reranker's candidates: weights of features, or in dual form support candidates with kernels.

In dual form G(x) = base_weight base_score(x) + sum over support candidates j of alpha_j K(x_j, x).
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

import sapwood._core as _core
from sapwood.base.candidates import CandidateList, Structure
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.events import MemoryNeeded
from sapwood.io.json_text import BadJson, read_json
from sapwood.model.explanation import Feature, LinearRows
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import Content, Support, SupportTrainer, Weights
from sapwood.tasks.ranking.data import (
    Prepared,
    base_scores_of,
    candidate_rows,
    feature_texts,
    losses_of,
    placed,
    starts_of,
)
from sapwood.tasks.ranking.options import RerankerOptions

_TAG = re.compile(r"\(([^ \t\r\n()]+)[ \t\r\n]+[^ \t\r\n()]+[ \t\r\n]*\)")
_BRACKET = re.compile(r"\([^ \t\r\n()]*|\)|[^ \t\r\n()]+")


def prepared(options: RerankerOptions, lists: Sequence[CandidateList], scale: float) -> Prepared:
    """Return the lists as they are learned from and scored. Raises DataError."""
    return Prepared(lists, scale, _content(options, lists, scale), starts_of(lists), base_scores_of(lists, scale))


def _content(options: RerankerOptions, lists: Sequence[CandidateList], scale: float) -> Content:
    """Return the content of each candidate for the kernel: a line of text, or a row of features. Raises DataError."""
    if options.kernel in ("linear", "polynomial"):
        return candidate_rows(lists, scale)
    lines = []
    for each in lists:
        for candidate in each.candidates:
            if options.kernel == "subsequence":
                lines.append(json.dumps(_symbols(each, candidate.structure), ensure_ascii=False))
            elif each.kind == "tree":
                lines.append(candidate.structure.replace("\n", " "))
            else:
                raise DataError(f"{each.where}: the tree kernel compares trees, and the candidates are {each.kind}")
    return lines


class KernelEncoder:
    """Encodes candidates for a kernel. Equal productions or symbols get equal numbers across calls."""

    def __init__(self, options: RerankerOptions) -> None:
        self._options = options
        self._table = _core.TreeTable()
        self._numbers: dict[str, int] = {}

    def copy(self) -> KernelEncoder:
        """Return an encoder that gives the same numbers."""
        other = KernelEncoder(self._options)
        other._table = _core.TreeTable(self._table)
        other._numbers = dict(self._numbers)
        return other

    def encode(self, candidates: Prepared) -> _core.KernelItems:
        """Return the items of lists. Raises DataError with the place of the list that is at fault."""

        def add(part: Sequence[CandidateList], name: str) -> _core.KernelItems:
            whole = part is candidates.lists
            return self.add(candidates.content if whole else _content(self._options, part, candidates.scale), name)

        return placed(add, candidates.lists)

    def add(self, content: Content, name: str) -> _core.KernelItems:
        """Return the items. Raises DataError, ModelError."""
        options = self._options
        if not isinstance(content, list):
            if options.kernel == "linear":  # the dot product
                return _core.KernelItems.of_rows(content, 1, 0.0, False)
            return _core.KernelItems.of_rows(content, options.degree, 1.0, options.normalise)
        if options.kernel == "tree":
            trees = _core.KernelTrees([line.encode() for line in content], name, self._table)
            return _core.KernelItems.of_trees(trees, options.decay, options.normalise)
        sequences = [_read_symbols(line, name) for line in content]
        numbered = [[self._numbers.setdefault(s, len(self._numbers)) for s in symbols] for symbols in sequences]
        packed = [array("I", n).tobytes() for n in numbered]
        return _core.KernelItems.of_sequences(packed, options.length, options.decay, options.normalise)


def _symbols(each: CandidateList, structure: Structure) -> list[str]:
    """Return the symbols for the subsequence kernel: labels; relations and distances of heads; brackets and tags."""
    if each.kind == "labels":
        return list(structure)
    if each.kind == "heads":
        words = enumerate(zip(*structure, strict=True), 1)
        return [f"{deprel} {head - word:+d}" for word, (head, deprel) in words]
    if each.kind == "tree":
        _core.read_tree(structure, f"{each.where}: candidate")
        return _BRACKET.findall(_TAG.sub(r" \1 ", structure))
    raise DataError(f"{each.where}: the subsequence kernel compares labels, heads and trees, not {each.kind}")


def _read_symbols(line: str, name: str) -> list[str]:
    try:
        symbols = read_json(line)
    except BadJson:
        symbols = None
    if not isinstance(symbols, list) or not all(isinstance(symbol, str) for symbol in symbols):
        raise ModelError(f"{name}: a sequence of symbols is not a JSON list of strings")
    return symbols


class SupportScorer:
    """The scores of support candidates. Raises SapwoodError if they cannot be used."""

    def __init__(self, options: RerankerOptions, support: Support) -> None:
        self._base_weight: float = options.value("base_weight")
        if isinstance(support.content, list) != (options.kernel in ("tree", "subsequence")):
            raise ModelError(f"its support candidates are not what the kernel {options.kernel} compares")
        self._support = support
        self._encoder = KernelEncoder(options)
        self._scorer = _core.DualScorer(self._encoder.add(support.content, "support"), support.weights)

    def scores(self, candidates: Prepared, threads: int = 1) -> list[list[float]]:
        """Return the score of each candidate; of a voted model, its part of the votes. Raises DataError."""
        items = self._encoder.copy().encode(candidates)
        bases = [self._base_weight * score for score in candidates.bases]
        scores = self._scorer.scores(items, candidates.starts, bases, threads)
        return [scores[begin:end] for begin, end in pairwise(candidates.starts)]

    def differences(self, candidates: Prepared) -> Callable[[int, int], list[Feature]]:
        """Return a function from two candidates to the differences of base scores, and of kernels with the support."""
        items = self._encoder.copy().encode(candidates)

        def features(chosen: int, against: int) -> list[Feature]:
            bases = candidates.bases[chosen] - candidates.bases[against]
            kernels = [self._scorer.kernels(items, k) for k in (chosen, against)]
            compared = zip(*kernels, self.weights(), strict=True)
            found: list[Feature] = [(text, "better", a - b, alpha) for a, b, (alpha, text) in compared]
            return [("score", "better", bases, self._base_weight), *found]

        return features

    def weights(self) -> Iterator[tuple[float, str]]:
        """Yield the alpha of each support candidate, and its text or number."""
        for k, alpha in enumerate(self._support.alphas()):
            content = self._support.content
            yield alpha, content[k] if isinstance(content, list) else f"candidate {k + 1} of the support"


def dual_trainer(
    options: RerankerOptions, candidates: Prepared, report: Callable[[MemoryNeeded], None]
) -> SupportTrainer:
    """Return a trainer of the candidates. Raises DataError, and OptionError if it would not fit into the memory."""
    items, cache = KernelEncoder(options).encode(candidates), options.cache
    if options.kernel == "subsequence" and items.all_zero:
        raise OptionError(f"no candidate has the {options.length or 1} symbols that the kernel compares: lower length")
    bases = [options.value("base_weight") * score for score in candidates.bases]
    losses = [loss for each in candidates.lists for loss in losses_of(each)]
    least = 8 * len(items)  # two rows
    if cache << 20 < least and options.kernel != "tree":
        raise OptionError(
            f"a cache of {cache} MB does not hold two rows of {len(items):,} candidates: raise cache to "
            f"{(least >> 20) + 1}, or give fewer lists or fewer candidates a list"
        )
    used = _used_bytes()
    needed = _core.DualTrainer.most_bytes(items, len(candidates.lists), options.epochs, options.for_core())
    report(MemoryNeeded(used, needed))
    if used + needed > (most := _machine_bytes()):
        lower = "" if options.kernel == "tree" else f"the cache of {cache} MB, "
        raise OptionError(
            f"training takes {(used + needed) / 1e6:,.0f} MB at most, and this machine has {most / 1e6:,.0f}: "
            f"lower {lower}the number of candidates a list, or of lists"
        )
    trainer = _core.DualTrainer(items, candidates.starts, losses, bases, options.for_core())
    return SupportTrainer(trainer, trainer.freeze, candidates.content)


def _used_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _machine_bytes() -> float:
    """Return the machine's memory, infinity where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return float("inf")


class WeightScorer:
    """The scores of feature weights: a classifier of two classes, the second of which is "better"."""

    def __init__(self, model: ModelFile) -> None:
        self._classifier = _core.Classifier.of_model(model)

    def scores(self, candidates: Prepared, threads: int = 1) -> list[list[float]]:
        scores = self._classifier.scores_of(candidates.rows, threads)
        return [scores[begin:end] for begin, end in pairwise(candidates.starts)]

    def differences(self, candidates: Prepared) -> Callable[[int, int], list[Feature]]:
        """Return a function from two candidates to the features by which they differ."""
        rows = LinearRows(candidates.rows, self._classifier, feature_texts(candidates.lists, candidates.scale))
        return partial(rows.difference, label="better")

    def weights(self) -> Iterator[tuple[float, str]]:
        for row, _, weight in self._classifier.weights():
            yield weight, f"feature {row}"


def scorer_of(options: RerankerOptions, model: ModelFile, weights: Weights | None) -> WeightScorer | SupportScorer:
    """Return the scorer of a model, or of its support."""
    return SupportScorer(options, weights) if isinstance(weights, Support) else WeightScorer(model)
