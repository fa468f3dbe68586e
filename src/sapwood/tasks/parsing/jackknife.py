"""A parser's own tagger, and jackknifing: training data get tags as good as those of new data will be.

A word's tags are predicted together, as one label: the tags of the columns that the parser reads, joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.conllu import has_values
from sapwood.tasks.tagging.data import joint_tags, learnable_tags, read_columns, with_joint_tags
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.training.cross_validation import Items, folds_in_turn, splits
from sapwood.training.learner import fit_part
from sapwood.training.silver import SilverFilter, labels_of

if TYPE_CHECKING:
    from sapwood.tasks.parsing.options import ParserOptions
    from sapwood.training.run import Run


_FOLDS = 10


def fit_tagger(
    data: _core.Conllu,
    silver: _core.Conllu | None,
    parser: ParserOptions,
    clusters: _core.WordClusters | None,
    run: Run,
) -> SequenceTagger:
    """Train a tagger on the tags of a treebank, and of silver data. Raises DataError for a tag with a space."""
    of_silver = () if silver is None else _SilverTags(silver, data, parser.tag_columns).of(range(silver.sentences))
    tagger = _tagger(parser, clusters, silver=of_silver)
    fit_part(tagger, data.column("form"), learnable_tags(data, parser.tag_columns), what="training the tagger", run=run)
    return tagger


def jackknife(
    data: _core.Conllu,
    silver: _core.Conllu | None,
    parser: ParserOptions,
    clusters: _core.WordClusters | None,
    run: Run,
) -> tuple[_core.Conllu, _core.Conllu | None]:
    """Return the treebank and silver data with predicted tags.

    Each of ten folds of both is tagged by a tagger trained on the other nine.
    """
    columns, count = parser.tag_columns, data.sentences
    if count < _FOLDS:
        raise DataError(f"{data.name}: jackknifing needs {_FOLDS} sentences at least, here are {count}")
    forms, gold = Items(data.column("form")), Items(learnable_tags(data, columns))
    of_silver = _SilverTags(silver, data, columns)
    everything = Items([*forms, *([] if silver is None else silver.column("form"))])
    tags: list[list[str]] = [[] for _ in everything]
    what = "tagging the training data in folds"
    for fold, (others, inside) in enumerate(splits(folds_in_turn(len(everything), _FOLDS))):
        # Greedy search takes half the time of Viterbi search over hundreds of joint labels; parsers get as good.
        taught = of_silver.of(s - count for s in others if s >= count)
        tagger = _tagger(parser, clusters, search="greedy", silver=taught)
        of_gold = [s for s in others if s < count]
        fit_part(tagger, forms.select(of_gold), gold.select(of_gold), what=what, run=run, done=fold, parts=_FOLDS)
        for sentence, found in zip(inside, tagger.predict(everything.select(inside)), strict=True):
            tags[sentence] = found
    tagged = with_joint_tags(data, columns, tags[:count])
    return tagged, None if silver is None else with_joint_tags(silver, columns, tags[count:])


class _SilverTags:
    """The words of silver data with their tags, for the sentences whose tags are those that gold data have."""

    def __init__(self, silver: _core.Conllu | None, gold: _core.Conllu, columns: Sequence[str]) -> None:
        self._numbers: set[int] = set()
        if silver is None or any(has_values(gold, [name]) != has_values(silver, [name]) for name in columns):
            return
        choice = SilverFilter(silver, "parser's tagger")
        for name in columns:
            choice.known(silver.column(name), labels_of(gold.column(name)), name.upper())
        words = [[(form,) for form in sentence] for sentence in silver.column("form")]
        self._rows, self._numbers = read_columns(words, joint_tags(silver, columns), silver.name), set(choice.left)

    def of(self, sentences: Iterable[int]) -> _core.Columns | tuple[()]:
        """Return the chosen ones of these sentences, as the option `silver` has them."""
        chosen = sorted(self._numbers.intersection(sentences))
        return self._rows.select(chosen) if chosen else ()


def _tagger(parser: ParserOptions, clusters: _core.WordClusters | None, **options: Any) -> SequenceTagger:
    shared = {name: getattr(parser, name) for name in ("seed", "bits", "threads")}
    return SequenceTagger(template="pos", clusters=clusters, **shared, **options)
