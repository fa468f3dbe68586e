"""How a model was made small: the sizes and scores on the way, and what was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sapwood._core import PackedModel

if TYPE_CHECKING:
    from sapwood.events import Shrunk


class Small(NamedTuple):
    """The small model, and how it was found."""

    weights: PackedModel
    curve: list[Shrunk]  # the whole model, then that of each round
    chosen: int  # whose weights these are
    reason: str  # why rounds ended, in words
    lines: tuple[str, ...] = ()  # of the template, that were left out before

    def provenance(self) -> dict[str, Any]:
        """Return what a model file keeps of this."""
        whole, kept = self.curve[0], self.curve[self.chosen]
        facts: dict[str, Any] = {"shrunk_from": whole.bytes, "shrunk_by": self.reason}
        if whole.score is not None and kept.score is not None:
            facts |= {"score_before": round(whole.score, 4), "score_after": round(kept.score, 4)}
        return facts
