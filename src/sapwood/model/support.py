"""The support of a model that keeps examples in place of weights: candidates with their alphas, or updates of a vote.

The support of a reranker are candidates. That of a voted classifier are examples; its candidates are example * labels +
label. Arrays of the model file, each ``extra.NAME``:

================================  ==================================================================================
text                              UTF-8, a candidate a line: a tree in brackets, or a JSON list of symbols
sizes, keys, values               in place of text, rows: number of features, their 64-bit keys, their float32 values
                                  (none: all are 1)
alphas                            float64, one a candidate
oracles, guesses, steps, times    in place of alphas, the updates of a voted model: the candidate that gained, the one
                                  that lost, the amount, and the number of lists seen before
================================  ==================================================================================

The option ``examples_seen`` is the number of lists or examples that training saw, over all epochs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sapwood._core as _core
from sapwood.errors import ModelError, OptionError
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile

Content = list[str] | _core.FeatureRows  # a line of text, or a row of features, for each candidate or example
_ROWS = {"sizes": "U32", "keys": "U64", "values": "F32"}
_SUMMED = {"alphas": "F64"}
_VOTED = {"oracles": "U32", "guesses": "U32", "steps": "F64", "times": "U64"}


@dataclass(slots=True)
class Support:
    """Support candidates, or examples, and their alphas or updates."""

    content: Content
    weights: _core.DualWeights
    unit: str = ""  # noun for a support candidate or example
    training_unit: str = ""  # noun for the training data, in the plural

    def __len__(self) -> int:
        return len(self.content)

    @property
    def storage(self) -> str:
        """The number of support candidates and of training examples, in words."""
        return f"{len(self):,} support {self.unit}s, {self.weights.clock:,} {self.training_unit} seen, alphas float64"

    @property
    def features(self) -> int:
        """The number of distinct features in rows; 0 for lines of text."""
        return 0 if isinstance(self.content, list) else len(set(memoryview(_core.pack_rows(self.content)[1]).cast("Q")))

    def alphas(self, labels: int = 1) -> list[float]:
        """Return the alpha of each candidate; for a voted model, that after the last update."""
        weights = self.weights
        if not weights.voted:
            return list(memoryview(weights.alphas).cast("d"))
        alphas = [0.0] * (len(self) * labels)
        updates = [memoryview(getattr(weights, name)) for name in ("oracles", "guesses", "steps")]
        for oracle, guess, step in zip(updates[0].cast("I"), updates[1].cast("I"), updates[2].cast("d"), strict=True):
            alphas[oracle] += step
            alphas[guess] -= step
        return alphas

    def put_in(self, model: ModelFile) -> ModelFile:
        options = {**model.options, "examples_seen": self.weights.clock}
        return model.replaced(options=options, extra=self._arrays())

    def _arrays(self) -> dict[str, Array]:
        if isinstance(self.content, list):
            arrays = {"text": Array.of("U8", "".join(f"{line}\n" for line in self.content).encode())}
        else:
            rows = zip(_ROWS.items(), _core.pack_rows(self.content), strict=True)
            arrays = {name: Array.of(dtype, data) for (name, dtype), data in rows}
        for name, dtype in (_VOTED if self.weights.voted else _SUMMED).items():
            arrays[name] = Array.of(dtype, getattr(self.weights, name))
        return arrays

    @classmethod
    def of_model(cls, model: ModelFile, unit: str, training_unit: str) -> "Support | None":
        """Return the support in a model file; None if there is none. Raises SapwoodError if it is malformed."""
        arrays, clock = model.extra, model.options.get("examples_seen")
        if not arrays:
            return None
        if not isinstance(clock, int) or not 0 <= clock < 1 << 62:
            raise ModelError("its options lack examples_seen")
        parts = {"text": "U8"} if "text" in arrays else _ROWS
        columns = _VOTED if "oracles" in arrays else _SUMMED
        if more := arrays.keys() - parts.keys() - columns.keys():
            raise ModelError(f"it has an array that does not belong there: 'extra.{min(more)}'")
        data = [_data(arrays, *part) for part in parts.items()]
        numbers = dict.fromkeys((*_SUMMED, *_VOTED), b"")
        numbers |= {name: _data(arrays, name, dtype) for name, dtype in columns.items()}
        weights = _core.DualWeights(voted=columns is _VOTED, clock=clock, **numbers)
        return cls(_lines(*data) if "text" in arrays else _core.unpack_rows(*data), weights, unit, training_unit)


@dataclass
class SupportTrainer:
    """A trainer of the core that keeps examples, with the methods of one that keeps weights. It freezes a Support."""

    trainer: _core.DualTrainer | _core.ClassifierTrainer
    weights: Callable[[], _core.DualWeights]  # returns the alphas or updates so far
    content: Content

    def step(self, tokens: int) -> bool:
        """Train on so many lists or examples; return true at the end of an epoch."""
        return self.trainer.step(tokens)

    @property
    def progress(self) -> _core.Progress:
        """Counts of the current epoch."""
        return self.trainer.progress

    def state(self) -> dict[str, tuple[str, bytes]]:
        return self.trainer.state()

    def resume(self, state: Mapping[str, tuple[str, bytes | memoryview]]) -> None:
        """Go on as the trainer whose state this is. Raises ModelError."""
        self.trainer.resume(state)

    def go_on_from(self, state: Mapping[str, tuple[str, bytes | memoryview]]) -> None:
        """Raise OptionError: support candidates are those of one training's data."""
        raise OptionError("a model that keeps examples cannot go on with others")

    def freeze(self, bits: int, shrink: float) -> Support:
        """Return the support so far; nothing of it is rounded or dropped."""
        weights, content = self.weights(), self.content
        kept = [content[k] for k in weights.support] if isinstance(content, list) else content.select(weights.support)
        return Support(kept, weights)


Weights = _core.PackedModel | Support  # results of training


def _data(arrays: Mapping[str, Array], name: str, dtype: str) -> bytes:
    if name not in arrays:
        raise ModelError(f"it has no array 'extra.{name}'")
    array = arrays[name]
    if array.dtype != dtype or len(array.shape) != 1:
        raise ModelError(f"its array 'extra.{name}' is not a list of {dtype}")
    return bytes(array.data)


def _lines(data: bytes) -> list[str]:
    try:
        *lines, rest = data.decode().split("\n")
    except UnicodeDecodeError:
        raise ModelError("its array 'extra.text' is not UTF-8") from None
    if rest:
        raise ModelError("its array 'extra.text' does not end with the end of a line")
    return lines
