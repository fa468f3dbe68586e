"""A parser's own tagger, and jackknifing: training data get tags as good as those of new data will be.

A word's tags are predicted together, as one label: the tags of the columns that the parser reads, joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import DataError, ModelError
from sapwood.io.conllu import has_values
from sapwood.tasks.tagging.joint import learnable_tags, split_tags, with_joint_tags
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.training.cross_validation import Items, folds_in_turn, splits
from sapwood.training.learner import fit_part

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile
    from sapwood.tasks.parsing.options import ParserOptions
    from sapwood.training.run import Run


_FOLDS = 10


def fit_tagger(
    data: _core.Conllu, parser: ParserOptions, clusters: _core.WordClusters | None, run: Run
) -> SequenceTagger:
    """Train a tagger on the tags of a treebank. Raises DataError for a tag with a space."""
    tagger = _tagger(parser, clusters)
    fit_part(tagger, data.column("form"), learnable_tags(data, parser.tag_columns), what="training the tagger", run=run)
    return tagger


def jackknife(data: _core.Conllu, parser: ParserOptions, clusters: _core.WordClusters | None, run: Run) -> _core.Conllu:
    """Return the treebank with predicted tags: each of ten folds is tagged by a tagger trained on the other nine."""
    forms, gold = Items(data.column("form")), Items(learnable_tags(data, parser.tag_columns))
    if len(forms) < _FOLDS:
        raise DataError(f"{data.name}: jackknifing needs {_FOLDS} sentences at least, here are {len(forms)}")
    tags: list[list[str]] = [[] for _ in forms]
    what = "tagging the training data in folds"
    for fold, (others, inside) in enumerate(splits(folds_in_turn(len(forms), _FOLDS))):
        # Greedy search takes half the time of Viterbi search over hundreds of joint labels; parsers get as good.
        tagger = _tagger(parser, clusters, search="greedy")
        fit_part(tagger, forms.select(others), gold.select(others), what=what, run=run, done=fold, parts=_FOLDS)
        for sentence, found in zip(inside, tagger.predict(forms.select(inside)), strict=True):
            tags[sentence] = found
    return with_joint_tags(data, parser.tag_columns, tags)


def tagger_of(model: ModelFile, columns: Sequence[str]) -> SequenceTagger:
    """Return the tagger in a parser's model file. Raises ModelError if it does not give each word all its tags."""
    tags = list(map(split_tags, model.labels))
    if model.task != "tag" or len(model.columns) != 2 or any(len(t) != len(columns) or not all(t) for t in tags):
        raise ModelError(f"its tagger is not one for {', '.join(columns)}")
    return SequenceTagger._of_file(model)


def with_predicted_tags(data: _core.Conllu, columns: Sequence[str], tagger: SequenceTagger) -> _core.Conllu:
    """Return the treebank with tags that the tagger predicts."""
    return with_joint_tags(data, columns, tagger.predict(data.column("form")))


def shown_tags(data: _core.Conllu) -> list[list[str]]:
    """Return the UPOS tags, or the XPOS tags where there are no others."""
    return data.column("upos" if has_values(data, ["upos"]) else "xpos")


def _tagger(parser: ParserOptions, clusters: _core.WordClusters | None, **options: str) -> SequenceTagger:
    shared = {name: getattr(parser, name) for name in ("seed", "bits", "threads")}
    return SequenceTagger(template="pos", clusters=clusters, **shared, **options)
