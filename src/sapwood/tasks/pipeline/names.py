"""The untrained tagger of names, and the word clusters and lists of names that it uses."""

from __future__ import annotations

from collections.abc import Mapping

from sapwood import _core
from sapwood.io.lexicons import read_clusters
from sapwood.model.base import AnyModel
from sapwood.options import Values
from sapwood.parts import Part
from sapwood.tasks.pipeline.options import PipelineOptions
from sapwood.tasks.tagging.lexicon import unpacked_tag_lexicon
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.templates import find_template, without_tags


def label_tagger(part: Part, base: Mapping[str, AnyModel], clusters: Values, *, has_tags: bool) -> SequenceTagger:
    """Return the untrained tagger of a column in MISC. It uses the lists of names of the same part of a base."""
    template = "entities" if has_tags else without_tags(find_template("entities").text)
    tagger = SequenceTagger(template=template, columns=[*part.reads, "label"], **clusters)
    if part.name in base:
        tagger.set_params(lexicon=unpacked_tag_lexicon(base[part.name].model_))
    return tagger.set_params(encoding="iobes") if part.columns[0].has_chunks else tagger


def clusters_of(options: PipelineOptions, base: Mapping[str, AnyModel]) -> Values:
    """Return the word clusters of the options, or else of the base, as an option of models; nothing without any."""
    if isinstance(options.clusters, _core.WordClusters):  # clusters of a model that is trained again
        return {"clusters": options.clusters}
    if options.clusters is not None:
        return {"clusters": read_clusters(options.clusters, options.clusters_limit)}
    found = [model.model_.clusters for model in base.values() if model.model_.clusters is not None]
    return {"clusters": found[0]} if found else {}
