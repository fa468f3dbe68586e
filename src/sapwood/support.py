"""What a model in dual form holds: support candidates with their alphas, or the updates of a voted model.

Metadata ``support``, JSON: {"content": "text" or "rows", "form": "summed" or "voted", "count", "lists"}; `lists` is how
many training saw, over all epochs. Arrays:

=======================================  ====================================================================
support.text                             UTF-8, a candidate a line: a tree in brackets, or a JSON list of symbols
support.sizes, .keys, .values            or rows: features of each, their 64-bit keys, their values
support.alphas                           [count] float64
support.oracles, .guesses, .steps,       or, of each update of a voted model, the candidates that it spoke for and
  .times                                 against, by how much, and how many lists were seen before
=======================================  ====================================================================
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sapwood import _core
from sapwood.io.container import Array

__all__ = ["FORMS", "ROWS", "Support"]

ROWS = {"sizes": "U32", "keys": "U64", "values": "F32"}
FORMS = {
    "summed": {"alphas": "F64"},
    "voted": {"oracles": "U32", "guesses": "U32", "steps": "F64", "times": "U64"},
}
_ITEM_SIZES = {"U32": 4, "F32": 4, "U64": 8, "F64": 8}


@dataclass(slots=True)
class Support:
    """Support candidates and what they count."""

    content: list[str] | _core.FeatureRows  # lines, or rows
    weights: _core.DualWeights

    def __len__(self) -> int:
        """How many candidates there are."""
        return len(self.content)

    def alphas(self) -> list[float]:
        """Return the alpha of each; of a voted model, after the last update."""
        weights = self.weights
        if not weights.voted:
            return list(memoryview(weights.alphas).cast("d"))
        alphas = [0.0] * len(self)
        updates = [memoryview(getattr(weights, name)) for name in ("oracles", "guesses", "steps")]
        for oracle, guess, step in zip(updates[0].cast("I"), updates[1].cast("I"), updates[2].cast("d"), strict=True):
            alphas[oracle] += step
            alphas[guess] -= step
        return alphas

    def arrays(self) -> dict[str, Array]:
        """Return the arrays by their names in the file."""
        return {f"support.{name}": array for name, array in self._arrays()}

    def _arrays(self) -> Iterator[tuple[str, Array]]:
        if isinstance(self.content, list):
            text = "\n".join(self.content).encode()
            yield "text", Array("U8", (len(text),), text)
        else:
            for (name, dtype), data in zip(ROWS.items(), _core.pack_rows(self.content), strict=True):
                yield name, _array(dtype, data)
        for name, dtype in FORMS["voted" if self.weights.voted else "summed"].items():
            yield name, _array(dtype, getattr(self.weights, name))

    def metadata(self) -> dict[str, Any]:
        """Return what the file says of it."""
        return {
            "content": "text" if isinstance(self.content, list) else "rows",
            "form": "voted" if self.weights.voted else "summed",
            "count": len(self),
            "lists": self.weights.clock,
        }


def _array(dtype: str, data: bytes) -> Array:
    return Array(dtype, (len(data) // _ITEM_SIZES[dtype],), data)
