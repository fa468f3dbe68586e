"""The options of a dependency parser."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal

from sapwood._core import Conllu, ParserTrainer, WordClusters
from sapwood.errors import OptionError
from sapwood.options import SKIP_BAD, option
from sapwood.parts import TAGS
from sapwood.training import options as shared

# More shards than this lose up to a point if their weights are mixed once an epoch (docs/training.md).
_FEW_SHARDS, _MIXINGS = 7, 64


# Options of a committee with the values that all of its members can have, also the one that searches easy-first.
_OF_ALL_MEMBERS = {
    "search": "beam", "labelling": "joint", "tags": "gold", "cost": "hamming", "count_updates": "feature",
}  # fmt: skip


class ParserOptions(shared.LearnerOptions):
    """The options of a parser."""

    first = ("search", "beam", "tags")
    python_only = ("update_strategy", "non_projective", "k_best", "cost")

    trainer = ParserTrainer

    search: Literal["beam", "easy-first", "eisner"] = option(default="beam", kept=True).described(
        "arc-hybrid transitions with a beam (Zhang & Clark 2011), the surest attachment first (Goldberg & Elhadad "
        "2010), or the best of all trees (McDonald et al. 2005)"
    )
    order: Literal[1, 2] = option(default=1, kept=True, help="2 scores neighbouring children, too (eisner)")
    beam: int = option(default=8, least=1, most=4096, metavar="N", kept=True).described(
        "configurations kept; 1 is greedy, fast, and learns from its own mistakes by a dynamic oracle (Goldberg & "
        "Nivre 2012)"
    )
    committee: bool = option(default=False, core=False, command=False, kept="given").described(
        "train a parser that reads sentences from their end and an easy-first one, too, and take of their three trees "
        "the one whose arcs the others have most: better trees, in about three times the time and bytes (beam)"
    )
    gap: float = option(default=0.0, least=0, most=1e9, command=False, kept="given").described(
        "drop from the beam what is further behind its best configuration than this, in units of the weights; 0 "
        "keeps all; `fit_gap` finds one"
    )
    labelling: Literal["joint", "second-stage", "none"] | None = option(default=None, kept=True).described(
        "labels given by the search (not in eisner) or by a classifier behind it; without, joint in beam search "
        "and second-stage in the others"
    )
    tags: Literal["gold", "predicted", "jackknife"] = option(group="reading", default="gold", kept=True).described(
        "read from the data, predicted by a tagger that is trained first and comes with the parser, or the same "
        "with training data tagged in ten folds, so that they are tagged as well as new data will be"
    )
    tag_columns: Sequence[str] = option(
        group="reading", default=("xpos", "upos", "feats"), metavar="COLUMN,..."
    ).described("the columns of tags that are read, of xpos, upos and feats, the one that most features use first")
    fill_tags: bool = option(default=False, command=False, kept="given").described(
        "in the place of the first of `tag_columns` the second is read, with Case, Definite, Mood, PronType and "
        "VerbForm of the third"
    )
    template: str | os.PathLike[str] | None = option(default=None, core=False, metavar="NAME|FILE").described(
        "name of a shipped template, path of a file, or the text itself; without, the one shipped for the search"
    )
    k_best: int = option(default=1, least=1, metavar="K", kept=True).described(
        "trees of a sentence to learn from at once, for pa in eisner of order 1 (k-best MIRA, McDonald et al. 2005)"
    )
    guided: Literal["once", "repeat"] = shared.GUIDED
    update_strategy: Literal["max", "early"] = option(default="max", kept=True).described(
        "where a beam is updated: at its max violation, or early, when it loses the gold tree"
    )
    non_projective: Literal["lift", "skip"] = option(default="lift", kept=True).described(
        "lift crossing arcs for training and put them back in parsing (Nivre & Nilsson 2005), or skip their sentences"
    )
    single_root: bool = option(default=True, kept=True, off="--multiple-roots").described(
        "the root has exactly one child; --multiple-roots allows several, as treebanks other than UD do"
    )
    skip_bad: bool = SKIP_BAD
    gamma: float = option(default=10.0, help="cost of a wrong arc, for margin and pa")
    cost: Literal["hamming", "constant"] = shared.COST
    min_updates: int = 10
    count_updates: Literal["feature", "weight"] = shared.COUNT_UPDATES
    drop_below: float = 0.012
    clusters: str | os.PathLike[str] | WordClusters | None = shared.CLUSTERS
    clusters_limit: int | None = shared.CLUSTERS_LIMIT
    silver: Sequence[str] | Sequence[Conllu] | Conllu = shared.SILVER
    gold_times: int = shared.GOLD_TIMES
    least_sureness: float = shared.LEAST_SURENESS

    def check_options(self) -> None:
        super().check_options()
        ranks = (self.search == "beam" and self.beam > 1) or (self.search, self.order, self.k_best) == ("eisner", 1, 1)
        shared.check_cost(
            self.cost, self.update, ranks, "a beam of 2 or more, or search eisner of order 1 and k_best 1"
        )
        if self.committee:
            wanted = _OF_ALL_MEMBERS.items()
            others = [name for name, value in wanted if getattr(self, name) not in (value, None)]
            if others := [*others, *(["silver"] if len(self.silver) else [])]:
                raise OptionError(
                    f"a committee does not go with {', '.join(others)}: leave these options out, or the committee"
                )
        columns = list(self.tag_columns)
        if not columns or len(set(columns)) != len(columns) or not set(columns) <= set(TAGS):
            raise OptionError(f"tag_columns are some of {', '.join(TAGS)}; got {','.join(columns) or 'none'}")
        if self.search == "eisner" and self.labelling == "joint":
            raise OptionError("Eisner search scores arcs without labels; labelling is second-stage or none")
        alone = "easy-first search" if self.search == "easy-first" else "a beam of 1" if self.beam == 1 else None
        shared.check_count_updates(self.count_updates, None if self.search == "eisner" else alone)
        shared.check_guided(self.guided, self.search, ["easy-first"])
        if self.k_best > 1 and (self.search, self.order, self.update) != ("eisner", 1, "pa"):
            raise OptionError("k_best above 1 needs search eisner, order 1 and update pa")

    def chosen_mixing(self) -> shared.Mixing:
        return self.mixing or shared.Mixing(times=_MIXINGS if self.shards > _FEW_SHARDS else 1)

    def needs_each_update(self) -> str | None:
        if self.guided == "repeat":
            return "a decision that is presented again needs the weights of its last update"
        return super().needs_each_update()

    def needs_all_data(self) -> str | None:
        if self.k_best > 1:  # the sums of its fractions depend on which features were seen before
            return "k_best learns from one sentence after the other"
        return super().needs_all_data()
