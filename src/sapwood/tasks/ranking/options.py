"""The options of a reranker."""

from __future__ import annotations

from typing import Any, Literal

from sapwood._core import DualTrainer, RankerTrainer
from sapwood.errors import OptionError
from sapwood.options import Values, option
from sapwood.training.options import HASH_BITS, FitKeywords, LearnerOptions

_SMALLEST = 1e-200  # least weight of a subsequence without gaps

# Defaults: for weights of features and kernels that count, and for normalised kernels, which are 1 at most.
_DEFAULTS = {"gamma": (10.0, 0.03), "base_weight": (30.0, 0.1)}


def check_decay(decay: float, length: int) -> None:
    """Raise OptionError if a kernel's decay is too small for subsequences of `length` symbols; 0 is every length."""
    length = max(length, 1)  # the shortest subsequences weigh most
    if decay ** (2 * length) < _SMALLEST:
        raise OptionError(f"a decay of {decay!r} is too small for a length of {length}")


class RerankerOptions(LearnerOptions):
    """The options of a reranker."""

    first = ("kernel", "min_updates", "epochs")
    python_only = ("hash_bits", "cache", "bits", "names", "shards", "runs")

    kernel: Literal["linear", "tree", "subsequence", "polynomial"] = option(
        default="linear", core=False, kept=True
    ).described(
        "what compares candidates: weights of features (linear), or kernels of trees, of subsequences (of labels, "
        "of relations with the distance of the head, or of brackets and tags), or of the features (polynomial)"
    )
    decay: float = option(default=0.4, core=False, above=0, most=1, metavar="L", kept=True).described(
        "decay of the kernels tree and subsequence"
    )
    length: int = option(default=3, core=False, least=0, metavar="N", kept=True).described(
        "symbols of a subsequence; 0: subsequences of every length"
    )
    degree: int = option(default=2, core=False, least=1, most=100, metavar="P", kept=True).described(
        "degree of the polynomial of the features"
    )
    normalise: bool = option(default=True, core=False, off="--no-normalise", kept="given").described(
        "a kernel is divided by the root of the product of both candidates' kernels with themselves; with "
        "--no-normalise it counts, and large candidates are more like any other than small ones"
    )
    voted: bool = option(default=False, core=False, kept=True).described(
        "let every vector of training vote for its best candidate, as often as it stood, instead of averaging "
        "(Freund & Schapire 1999)"
    )
    cache: int = option(default=512, core=False, least=1, metavar="MB").described(
        "memory for kernels that are used again, at most; the result does not depend on it"
    )
    base_weight: float | None = option(default=None, core=False, least=0, most=1e6, metavar="W", kept=True).described(
        "what the base model's score weighs, 30 if it is not given, with a normalised kernel 0.1; a weight of a "
        "feature is learned on from there"
    )
    gamma: float | None = option(default=None).described(  # type: ignore[assignment]
        "cost of a unit of loss, for margin and pa; 10 if it is not given, with a normalised kernel 0.03"
    )
    hash_bits: int | None = HASH_BITS
    min_updates: int = 1
    bits: Literal[8, 16, 32] = 16

    def check_options(self) -> None:
        super().check_options()
        of_features = ("min_updates", "drop_below", "hash_bits", "false_matches")
        if self.is_dual() and any(getattr(self, name) != self.options()[name].default for name in of_features):
            raise OptionError(f"{', '.join(of_features)} are of features; a reranker with a kernel, or voted, has none")
        if self.names:
            raise OptionError("a reranker keeps no names of its features, which `explain` finds again; leave out names")
        if self.kernel in ("tree", "subsequence"):
            check_decay(self.decay, self.length if self.kernel == "subsequence" else 1)

    def check_training(self, how: FitKeywords) -> None:
        super().check_training(how)
        if how.get("stream") and self.is_dual():
            raise OptionError("a reranker with a kernel, or voted, keeps its candidates in memory; leave out stream")

    def needs_all_data(self) -> str | None:
        if self.is_dual():
            return "a reranker with a kernel, or voted, compares each candidate with the candidates of all lists"
        return super().needs_all_data()

    def needs_each_update(self) -> str | None:
        if self.is_dual():
            return "a reranker with a kernel, or voted, learns from one list after the other"
        return super().needs_each_update()

    def value(self, name: str) -> Any:
        """Return a parameter, or its default for this kernel if it is not given."""
        value = getattr(self, name)
        if value is not None or name not in _DEFAULTS:
            return value
        counting, normalised = _DEFAULTS[name]
        return normalised if self.kernel != "linear" and self.normalise else counting

    @property
    def trainer(self) -> Any:
        """The core's trainer: of kernels and votes, or of weights."""
        return DualTrainer if self.is_dual() else RankerTrainer

    def for_core(self, **changed: object) -> Values:
        """Return the core's options, with the gamma for this kernel if it is not given."""
        return super().for_core(gamma=self.value("gamma")) | changed

    def is_dual(self) -> bool:
        """Return true if the model keeps candidates, not weights of features."""
        return self.kernel != "linear" or self.voted
