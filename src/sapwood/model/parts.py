"""The parts that only some models have, the error if a model lacks one, and the types of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import sapwood._core as _core
from sapwood.errors import ModelError

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.support import Support

_LACKING = {  # messages about a model without the part
    "reasons": "has no weights of features to explain; taggers, parsers, classifiers, rerankers and pipelines have",
    "lists": "has no n best lists; taggers, parsers and grammars have",
    "confidence": "has no confidences; taggers, parsers, classifiers and pipelines have",
    "_answers": "has no answers to report on; taggers, parsers, classifiers, rerankers, grammars and pipelines have",
    "_observed": "has no drift that could be measured; taggers, parsers, classifiers and pipelines have",
    "writer": "annotates nothing; taggers, parsers, classifiers and pipelines do",
    "recipe": "has no weights that could be dropped; taggers, parsers and the like have",
}


def require_capability(model: Any, part: str) -> Any:
    """Return a part of a fitted model. Raises ModelError if its class has no such part, and NotFittedError."""
    found = getattr(model, part)
    if found is None:
        raise ModelError(f"a {model._noun} {_LACKING[part]}")
    return found


class FileWriter(NamedTuple):
    """A writer that reads a file to its end before it annotates, so that errors come first."""

    annotate: Callable[..., Iterator[bytes]]  # takes the blocks of a file, its `name` and the options of the verb
    format: str  # "columns", "conllu" or "labels": the format of the annotated file
    reads_tables: bool = False  # whether its input may be Parquet

    def written(self, chunks: Iterable[bytes], *, name: str = "input", **options: Any) -> Iterator[bytes]:
        """Yield the annotated bytes of a file, which is called `name` in errors. Raises OptionError and DataError."""
        return self.annotate([b"".join(chunks)], name=name, **options)

    def output_format(self, **options: Any) -> str:
        return self.format


class Observed(NamedTuple):
    """The findings of a model in texts: in sentences, examples, or whole documents."""

    counts: list[_core.FamiliarityCounts]  # [sentences or examples] words, and those that are frequent in training
    labels: list[list[str]]  # [texts] the labels that the model gave
    text: Callable[[int, int], str]  # gives a text by its number, or of a sentence one of its words
    confidences: list[list[float]]  # [texts] the confidences in them, if the model is calibrated


class Output(NamedTuple):
    """An output that a weight counts for: a label, an arc of a direction and distance, a transition."""

    name: str
    label: str | None = None  # the label that is part of it, if one is


NamedWeights = Iterator[tuple[Output, float, str]]  # output, weight and feature of every weight that is not 0


class Contents:
    """The contents of a model file.

    learned : the number of features, rules or support examples, in words
    storage : the format of the weights, in words
    tables : the kind of output of each table of weights, such as "label"
    outputs : the outputs of each table, in the order of their numbers
    weights : yields output, weight and feature of every weight that is not 0
    arrays : a description of arrays of the file, by the beginning of their names
    remarks : sentences about the training
    """

    def __init__(
        self,
        model: ModelFile,
        *,
        learned: str = "",
        storage: str = "",
        support: Support | None = None,
        tables: Sequence[str] = (),
        outputs: Sequence[list[Output]] = (),
        weights: Callable[[], NamedWeights] = lambda: iter(()),
        arrays: Mapping[str, str] | None = None,
        remarks: Sequence[str] = (),
    ) -> None:
        self.learned = learned or f"{sum(table.packed.features for table in model.tables):,} features"
        self.storage = storage or model.described_weights()
        if support is not None:
            self.learned, self.storage = f"{len(support):,} support {support.unit}s", support.storage
        self.tables, self.outputs, self.weights, self.remarks = tables, outputs, weights, remarks
        numbered = {str(n): f"{table} weights" for n, table in enumerate(tables)}
        self.arrays = {"clusters": "word clusters"} | numbered | dict(arrays or {})


def feature_name(model: ModelFile, table: int, row: int) -> str:
    """Return the text of a feature, or its number if the model keeps no texts."""
    names = model.tables[table].names
    return (names[row] if names is not None else "") or f"feature {row}"
