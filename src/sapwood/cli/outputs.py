"""What the outputs of a model's tables are called, for ``sapwood inspect``.

=============  ======================================================================================
tagger         labels; before the last one of a pair or triple, the labels that go before it
eisner         ``arc``, then ``arc left 1`` ... ``arc right 11+``: direction and distance of the modifier;
               ``sibling`` ...: the same, of a modifier beside another one
easy-first     ``attach left obj`` ... ``attach right nsubj``: the head is the left or the right neighbour
beam           ``shift``, ``root root``, ``left nsubj`` ... ``right obj``: arcs from the root, to the left, to the right
second stage   labels
classifier     labels; of two, one weight speaks for the second and against the first; of a voted one, all labels,
               for what the examples of its support speak after the last update
reranker       ``better``; in dual form, for the alphas of its support candidates
=============  ======================================================================================
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sapwood.models.classifier import Classifier
from sapwood.models.grammar import PhraseParser
from sapwood.models.parser import DependencyParser
from sapwood.models.reranker import Reranker
from sapwood.models.tagger import SequenceTagger

__all__ = ["Output", "learned_by", "outputs_of", "tables_of", "weights_of"]

_DISTANCES = ("1", "2", "3", "4", "5", "6-10", "11+")  # core/features/arc_features.hpp


Model = SequenceTagger | DependencyParser | Classifier | Reranker | PhraseParser


class Output(NamedTuple):
    """Something that a feature speaks for or against."""

    name: str
    label: str | None = None  # the label in it, if there is one


def tables_of(model: Model) -> list[str]:
    """Return what the weights of each table of a model are about."""
    if isinstance(model, PhraseParser):
        return []
    if isinstance(model, Classifier):
        return ["label"]
    if isinstance(model, Reranker):
        return ["candidate"]
    if isinstance(model, SequenceTagger):
        return ["label", "label pair", "label triple"][: len(model.model_.tables)]
    structure = {"eisner": ["arc", "sibling"][: model.order], "easy-first": ["attachment"], "beam": ["transition"]}
    return structure[model.search] + ["label"] * (_labelling(model) == "second-stage")


def learned_by(model: Model) -> str:
    """Return what a model has learned, and how much of it."""
    if isinstance(model, (Classifier, Reranker)) and (support := model.support_) is not None:
        return f"{len(support):,} support {'candidates' if isinstance(model, Reranker) else 'examples'}"
    if isinstance(model, PhraseParser):
        return f"{model.parser_.rules:,} rules, {model.parser_.states:,} states"
    return f"{sum(table.packed.features for table in model.model_.tables):,} features"


def outputs_of(model: Model) -> list[list[Output]]:
    """Return the outputs of each table, in the order of their numbers."""
    if isinstance(model, PhraseParser):
        return []
    labels = [Output(label, label) for label in model.model_.labels]
    if isinstance(model, (Classifier, Reranker)):
        voted = isinstance(model, Classifier) and model.support_ is not None
        return [labels[1:] if len(labels) == 2 and not voted else labels]
    if isinstance(model, SequenceTagger):
        return [labels] * len(model.model_.tables)
    joint = _labelling(model) == "joint"
    if model.search == "eisner":
        kinds = [f" {side} {distance}" for distance in _DISTANCES for side in ("left", "right")]
        tables = [[Output(part + kind) for kind in ("", *kinds)] for part in ("arc", "sibling")[: model.order]]
    elif model.search == "easy-first":
        searched = model.model_.labels if joint else [""]
        tables = [_directed("attach left", searched) + _directed("attach right", searched)]
    else:
        arcs = []
        for side in ("root", "left", "right"):
            arcs += _directed(side, model.model_.options[f"{side}_labels"] if joint else [""])
        tables = [[Output("shift"), *arcs]]
    return [*tables, labels] if _labelling(model) == "second-stage" else tables


def weights_of(model: Model) -> Iterator[tuple[Output, float, str]]:
    """Yield output, weight and feature of every weight that is not zero."""
    tables, outputs = model.model_.tables, outputs_of(model)

    def feature(table: int, row: int) -> str:
        names = tables[table].names
        return (names[row] if names is not None else "") or f"feature {row}"

    if isinstance(model, PhraseParser):  # it has no weights
        return
    if isinstance(model, DependencyParser):
        for table, row, output, weight in model.parser_.weights():
            yield outputs[table][output], weight, feature(table, row)
        return
    if isinstance(model, Reranker):
        for weight, name in model.ranker_.weights():
            yield outputs[0][0], weight, name
        return
    if isinstance(model, Classifier) and model.support_ is not None:
        names = model.labels_
        for k, alpha in enumerate(model.support_.alphas(len(names))):
            if alpha != 0:
                label = names[k % len(names)]
                yield Output(label, label), alpha, f"example {k // len(names) + 1} of the support"
        return
    if isinstance(model, Classifier):
        for row, output, weight in model.classifier_.weights():
            yield outputs[0][output], weight, feature(0, row)
        return
    history = [*model.model_.labels, "<start>"]
    for table, row, labels, weight in model.tagger_.weights():
        after = f" after {' '.join(history[y] for y in labels[:-1])}" if len(labels) > 1 else ""
        yield outputs[table][labels[-1]], weight, feature(table, row) + after


def _labelling(parser: DependencyParser) -> str:
    labelling: str = parser.model_.options["labelling"]
    return labelling


def _directed(move: str, labels: Sequence[str]) -> list[Output]:
    return [Output(f"{move} {label}".rstrip(), label or None) for label in labels]
