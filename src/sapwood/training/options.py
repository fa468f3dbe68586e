"""The options of all models that the perceptron family trains, and what contradicts what."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypedDict

from sapwood._core import WordClusters
from sapwood.errors import OptionError
from sapwood.io.lexicons import read_clusters
from sapwood.options import Options, Values, option

if TYPE_CHECKING:
    from sapwood.events import Callback
    from sapwood.training.shards import Workers

_PATH = (str, os.PathLike)


class FitKeywords(TypedDict, total=False):
    """Keyword arguments of `fit`, which `Learner.fit` describes."""

    dev: Any
    dev_fraction: float | None
    on_event: Callback | None
    checkpoint: str | os.PathLike[str] | None
    every: float
    resume: str | os.PathLike[str] | None
    from_checkpoint: str | os.PathLike[str] | None
    workers: Workers | None
    stream: bool
    scratch: str | os.PathLike[str] | None


class Mixing(NamedTuple):
    """The rule by which the weights of shards are mixed (core/learner/mixing.hpp)."""

    weights: Literal["features", "errors", "uniform"] = (
        "features"  # a shard counts by its updates of each feature, or by all
    )
    times: int = 1  # in an epoch, each after another part of every shard


class LearnerOptions(Options):
    """The options of training."""

    first: ClassVar[tuple[str, ...]] = ("min_updates", "epochs")
    python_only: ClassVar[tuple[str, ...]] = ("aggressiveness", "drop_below", "false_matches", "batch", "average")
    trainer: ClassVar[Any]  # the core's class that learns
    mixing: Mixing | None = None  # if it is not the one that the number of shards asks for: for experiments
    clusters: Any = None  # an option, CLUSTERS below, where templates may look at word clusters
    clusters_limit: int | None = None  # the same

    update: Literal["perceptron", "margin", "pa"] = option(default="margin", kept=True).described(
        "what happens at a mistake: a step (perceptron, Collins 2002), one that has to win by gamma (margin), or "
        "the smallest that does (pa: passive-aggressive, PA-I of Crammer et al. 2006)"
    )
    gamma: float = option(
        default=1.0, least=0, most=1e6, metavar="G", kept=True, help="cost of a mistake, for margin and pa"
    )
    aggressiveness: float = option(default=1.0, above=0, most=1e6, metavar="C", kept="given").described(
        "C of passive-aggressive updates: the largest step that one of them takes, times the example's weight"
    )
    average: bool = option(
        default=True, kept=True, help="average the weights over all examples (Freund & Schapire 1999)"
    )
    min_updates: int = option(default=5, least=1, metavar="K", kept=True).described(
        "updates in which a feature must have taken part to count (the sparse averaged perceptron, Goldberg & "
        "Elhadad 2011)"
    )
    epochs: int = option(
        kept="training", default=10, core=False, least=1, metavar="N", help="passes over the data, at most"
    )
    patience: int | None = option(kept="training", group="long", default=None, least=1, metavar="N").described(
        "stop after so many epochs without a better score on held-out data"
    )
    seed: int = option(
        kept="training", default=1, least=0, most=(1 << 64) - 1, metavar="S", help="seed of the shuffling"
    )
    bits: Literal[8, 16, 32] = option(group="size", default=8, help="bits of a weight in the model; 32 is float")
    drop_below: float = option(group="size", default=0.0, least=0, below=1, metavar="F", kept=True).described(
        "drop the weights that are smaller than this part of the largest"
    )
    false_matches: float = option(
        group="size", default=0.001, least=1e-6, most=0.125, metavar="P", kept="given"
    ).described(
        "how often, at most, the model may mistake a feature that it does not know for one that it knows: 0.01 "
        "takes 3 bits less for each feature in the file than the default"
    )
    max_bytes: int | None = option(kept="training", group="size", default=None, least=1, metavar="N").described(
        "make the model small after the epochs, to at most so many bytes: drop the smallest weights and, if at most "
        "half of the bytes stay, learn the others anew, in this process and without shards"
    )
    runs: int = option(kept="training", group="long", default=1, least=1, most=100, metavar="N").described(
        "train N times, each time with the examples in another order, and average the weights: N times the work, "
        "for a model that depends less on chance, and keeps more of its score when it is made small"
    )
    shards: int = option(kept="training", group="machines", default=1, least=1, most=1 << 16, metavar="N").described(
        "cut the training data into N shards, train each by itself, on other machines if wanted, and mix their "
        "weights after each epoch (iterative parameter mixing, McDonald, Hall & Mann 2010)"
    )
    batch: int = option(kept="training", group="machines", default=1, least=1, most=1 << 16, metavar="N").described(
        "search N examples with the same weights, on `threads` cores, and then learn from one after the other "
        "(minibatches, Zhao & Huang 2013)"
    )
    names: bool = option(kept="training", group="size", flag="--feature-names", default=False).described(
        "keep the features' texts in the model, for 'inspect'"
    )
    threads: int = option(group="machines", default=1, least=1, metavar="N").described(
        "work on so many cores, for scoring and prediction; the results are the same"
    )

    def for_core(self, **changed: object) -> Values:
        """Return the options that the core's trainer takes, and how often the weights of shards are mixed in an epoch.

        Options of learning go there in any case: the core refuses what it does not know (core/bindings/options.hpp).
        """
        taken: Collection[str] = self.trainer.options
        sent = {
            name: getattr(self, name)
            for name, declared in self._declared.items()
            if name in taken or (declared.core and declared.group == "learning")
        }
        return sent | {"mixings": self.chosen_mixing().times} | changed

    def check_options(self) -> None:
        super().check_options()
        if self.update == "pa" and self.gamma == 0:
            raise OptionError("passive-aggressive updates need a gamma above 0")
        if self.shards > 1 and (found := self.needs_all_data()) is not None:
            raise OptionError(f"{found}; leave shards out")
        if self.runs > 1 and (found := self.needs_all_data()) is not None:
            raise OptionError(f"{found}; leave runs out")
        if self.runs > 1 and self.shards > 1:
            raise OptionError("runs train with all data, and shards with parts of them; leave out one of both")
        if self.batch > 1 and (found := self.needs_each_update()) is not None:
            raise OptionError(f"{found}; leave batch out")
        if self.clusters_limit is not None and not isinstance(self.clusters, _PATH):
            raise OptionError("clusters_limit is about a file of word clusters; clusters names it")

    def needs_each_update(self) -> str | None:
        """Return the reason against batches, if there is one."""
        return "names are kept by training on one example after the other" if self.names else None

    def chosen_mixing(self) -> Mixing:
        """Return the rule by which the weights of shards are mixed."""
        return self.mixing or Mixing()

    def needs_all_data(self) -> str | None:
        """Return the reason against shards, if there is one."""
        return "names are kept by training on all data at once" if self.names else None

    def word_clusters(self, used: bool) -> WordClusters | None:
        """Return the word clusters, if they are given; whether the template has lines that they are used for.

        Raises OptionError if it has none, DataError if they cannot be read.
        """
        if self.clusters is not None and not used:
            raise OptionError("clusters are given, but the template has no line that looks at them")
        if isinstance(self.clusters, _PATH):
            return read_clusters(self.clusters, self.clusters_limit)
        found: WordClusters | None = self.clusters
        return found

    def check_training(self, how: FitKeywords) -> None:
        """Raise OptionError as check_options does, or if they do not go with the keyword arguments of `fit`."""
        self.check_options()
        has_held_out = check_held_out(how)
        if self.patience is not None and not has_held_out:
            raise OptionError("patience needs held-out data: give dev or dev_fraction")
        if how.get("workers") is not None:
            self.check_shards()
        if not how.get("stream"):
            if how.get("scratch") is not None:
                raise OptionError("scratch is the folder where stream keeps the examples; give stream, too")
        elif how.get("dev_fraction") is not None:
            raise OptionError("dev_fraction needs all data in memory; with stream give dev, a file")
        elif self.shards > 1:
            raise OptionError("shards are parts of data in memory, and a stream is not; leave out one of both")
        elif self.runs > 1:
            raise OptionError("runs need all examples in memory, a stream keeps them on disk; leave out one of both")

    def check_shards(self) -> None:
        """Raise OptionError if there are no shards that workers could train."""
        if self.shards == 1:
            raise OptionError("workers train shards; shards is how many there are, 2 or more")


def check_held_out(how: FitKeywords) -> bool:
    """Return true if there are held-out data. Raises OptionError if they are given in two ways, or no fraction."""
    dev, fraction = how.get("dev"), how.get("dev_fraction")
    if dev is not None and fraction is not None:
        raise OptionError("dev and dev_fraction exclude each other")
    if fraction is not None and not 0 < fraction < 1:
        raise OptionError(f"dev_fraction lies between 0 and 1, not {fraction!r}")
    return dev is not None or fraction is not None


# Options that several tasks have, each declared once.
COUNT_UPDATES = option(default="feature", choices=("feature", "weight"), command=False, kept="given").described(
    "what min_updates is about where whole structures are searched (Viterbi, Eisner, a beam above 1): the updates "
    "of a feature, counted once for all its outputs, or the updates of each weight by itself"
)
GUIDED = option(command=False, default="once", kept="given").described(
    "present a decision that was wrong once, or again until it is right, 100 times at most (Shen, Satta & Joshi "
    "2007; Goldberg & Elhadad 2010); for easiest-first search of taggers and easy-first search of parsers"
)
CLUSTERS = option(group="reading", default=None, metavar="FILE").described(
    "word clusters that the template may look at: a file with bits, word and count a line, which 'train "
    "clusters' and Liang's program write; the model keeps them"
)
CLUSTERS_LIMIT = option(group="reading", command=False, default=None, least=1, metavar="N").described(
    "keep the clusters of the N most frequent words only"
)
COST = option(default="hamming", kept="given").described(
    "what margin and pa add in training: gamma for each wrong part (hamming; Taskar, Guestrin & Koller 2003, "
    "McDonald, Crammer & Pereira 2005), or gamma once for any structure that is not gold (constant; Dyer 2015)"
)
HASH_BITS = option(group="size", default=None, least=10, most=32, metavar="N", kept="given").described(
    "have at most 2^N features: those whose keys have the same first N bits share their weights (the hash "
    "kernel, Shi et al. 2009), which bounds memory and costs accuracy"
)
WORD_LISTS = option(group="reading", command=False, default=None, metavar="DIR").described(
    "folder that the template's word lists are in, if not the template's own; nothing outside of it is read"
)
SILVER = option(group="reading", default=(), metavar="FILE,...").described(
    "files like TRAIN that another model or person labelled, to learn from beside it: so a small model learns "
    "from a large one (Weiss et al. 2015)"
)
GOLD_TIMES = option(group="reading", command=False, default=2, least=1, most=100, kept="given").described(
    "with silver data, learn N times in an epoch from each sentence of TRAIN, and once from each of silver"
)
LEAST_SURENESS = option(group="reading", command=False, default=80.0, least=0, most=100, kept="given").described(
    "leave out sentences of silver whose words have a lower mean of P= (percent) or ArcConfidence= (fraction) in "
    "MISC: how sure their labeller was"
)


def check_count_updates(count_updates: str, search: str | None) -> None:
    """Raise OptionError if updates are counted by weight, but `search` makes multiclass decisions one by one."""
    if count_updates == "weight" and search is not None:
        raise OptionError(
            f"count_updates 'weight' is for structures; {search} makes multiclass decisions, which share a count"
        )


def check_guided(guided: str, search: str, needed: Collection[str]) -> None:
    """Raise OptionError if decisions are presented repeatedly, but `search` is none of the task's guided searches."""
    if guided == "repeat" and search not in needed:
        raise OptionError(f"guided 'repeat' needs search {' or '.join(needed)}, not {search}")


def check_cost(cost: str, update: str, searches: bool, where: str) -> None:
    """Raise OptionError for a constant cost without a margin, or in a search that has none; `where` says which have."""
    if cost == "constant" and (update not in ("margin", "pa") or not searches):
        raise OptionError(f"a constant cost needs {where}, and update margin or pa")


def check_hash_bits(hash_bits: int | None, names: bool) -> None:
    """Raise OptionError if the names of features are wanted that share their weights."""
    if hash_bits is not None and names:
        raise OptionError("features that share their weights by hash_bits have no names; leave out names")
