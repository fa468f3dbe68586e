"""The contents of a fitted model in words and numbers, as `inspect` and `features` show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.support import Support


class Output(NamedTuple):
    """An output that a weight counts for: a label, an arc of a direction and distance, a transition."""

    name: str
    label: str | None = None  # the label that is part of it, if one is


Weights = Iterator[tuple[Output, float, str]]  # output, weight and feature of every weight that is not 0


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
        weights: Callable[[], Weights] = lambda: iter(()),
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
