"""The options of all taggers of rows (RowOptions), and of SequenceTagger (TaggerOptions)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar, Literal, Self

from sapwood._core import Columns, Lexicon, TaggerTrainer, WordClusters, label_searches
from sapwood.errors import OptionError
from sapwood.io.lexicons import LEXICON_LINES, LexiconEntry
from sapwood.options import option
from sapwood.training import options as shared

SEARCHES = label_searches()  # over label sequences, by name
PYTHON_ONLY = (  # options of taggers that make their rows of text, and that the command line does not have
    "search", "order", "prune_below", "update", "gamma", "patience", "bits", "names", "shards", "clusters", "seed",
)  # fmt: skip


def _searches_with(ability: str) -> list[str]:
    return [name for name, search in SEARCHES.items() if getattr(search, ability)]


class RowOptions(shared.LearnerOptions):
    """The options of a learner of labels for rows."""

    first: ClassVar[tuple[str, ...]] = ("template", "min_updates", "epochs")
    python_only: ClassVar[tuple[str, ...]] = ("history", "encoding", "dictionary", "hash_bits", "runs", "cost")

    trainer = TaggerTrainer

    template: str | os.PathLike[str] | None = option(default=None, metavar="NAME|FILE", core=False).described(
        "name of a shipped template (chunking, pos, ner, crfsuite-chunking), path of a CRF++ or Wapiti file, or "
        "the text itself; without one chunking, and for words without tags ner or pos, as the labels are"
    )
    search: str = option(default="viterbi", choices=tuple(reversed(SEARCHES)), kept=True).described(
        "; ".join(f"{name}: {search.about}" for name, search in reversed(SEARCHES.items()))
    )
    order: Literal[1, 2] = option(default=1, kept=True, help="labels of history in Viterbi")
    prune_below: int = option(default=1, least=1, metavar="N", kept=True).described(
        "drop features that occur less often in the training data, the usual alternative to min_updates"
    )
    history: Literal["gold", "own"] = option(default="gold", kept=True, help="labels to the left in greedy training")
    encoding: Literal["bio", "iobes"] = option(
        default="bio", kept=True, help="learn BIO chunks as they are, or as IOBES and give them back as BIO"
    )
    dictionary: str | None = option(default=None, metavar="COLUMN+...", core=False, kept=True).described(
        "names of columns; labels are chosen among those that training has with the same values in them (a tag "
        f"dictionary, Ratnaparkhi 1996); {' and '.join(_searches_with('takes_dictionary'))} search"
    )
    gamma: float = option(default=20.0, help="cost of a wrong label, for margin and pa")
    cost: Literal["hamming", "constant"] = shared.COST
    hash_bits: int | None = shared.HASH_BITS
    word_lists: str | os.PathLike[str] | None = shared.WORD_LISTS
    clusters: str | os.PathLike[str] | WordClusters | None = shared.CLUSTERS
    clusters_limit: int | None = shared.CLUSTERS_LIMIT

    def check_options(self) -> None:
        super().check_options()
        search = SEARCHES[self.search]
        shared.check_cost(self.cost, self.update, search.whole, f"search {' or '.join(_searches_with('whole'))}")
        shared.check_hash_bits(self.hash_bits, self.names)
        if self.prune_below > 1 and (self.history == "own" or search.joins_late):
            late = " or ".join(_searches_with("joins_late"))
            raise OptionError(
                f"prune_below needs history 'gold' and not {late} search: features of labels that are only known in "
                "training's search cannot be counted beforehand"
            )
        if self.dictionary is not None and not search.takes_dictionary:
            searches = " or ".join(map(repr, _searches_with("takes_dictionary")))
            raise OptionError(f"a tag dictionary needs search {searches}")

    def needs_all_data(self) -> str | None:
        return "prune_below counts features in all data" if self.prune_below > 1 else super().needs_all_data()

    def needs_each_update(self) -> str | None:
        search = SEARCHES[self.search]
        if search.joins and (search.joins_late or self.history == "own"):
            return "features of labels that the search gives become known one after the other"
        return super().needs_each_update()


class TaggerOptions(RowOptions):
    """The options of a tagger."""

    python_only = ("lexicon",)

    guided: Literal["once", "repeat"] = shared.GUIDED
    columns: Sequence[str] | None = option(group="reading", default=None, metavar="NAME,...").described(
        "names of the data's columns, one of them 'label', '_' for one to skip; without, the last is the label"
    )
    lexicon: str | os.PathLike[str] | list[LexiconEntry] | Lexicon | None = option(
        group="reading", default=None, metavar="FILE"
    ).described(
        f"tags that words may have, which the template may look at: {LEXICON_LINES}, as a lemmatizer's lexicon; "
        "the model keeps words and tags"
    )
    silver: Sequence[str] | Columns | Sequence[Sequence[tuple[str, ...]]] = shared.SILVER
    gold_times: int = shared.GOLD_TIMES
    least_sureness: float = shared.LEAST_SURENESS
    count_updates: Literal["feature", "weight"] = shared.COUNT_UPDATES
    gamma: float | None = option(default=None).described(  # type: ignore[assignment]
        "cost of a wrong label, for margin and pa; 20 if it is not given, 3 for features of tokens (in Python)"
    )

    def chosen(self, *, features: bool) -> Self:
        """Return the options for these data, tokens with columns or features, with a gamma if none is given."""
        from copy import copy

        result = copy(self)
        if self.gamma is None:
            result.gamma = 3.0 if features else 20.0
        return result

    def check_options(self) -> None:
        super().check_options()
        shared.check_count_updates(self.count_updates, None if SEARCHES[self.search].whole else f"{self.search} search")
        shared.check_guided(self.guided, self.search, _searches_with("repeats"))
