"""A list of candidates: what one model proposes for an input, and a reranker chooses from."""

from dataclasses import dataclass, field
from typing import Any

Structure = Any  # a tree in brackets, a list of labels, (heads, deprels), or a dict of features

KINDS = ("tree", "labels", "heads", "features")


@dataclass(slots=True)
class Candidate:
    """A structure that was proposed; its list says of which kind it is."""

    structure: Structure
    score: float = 0.0  # the base model's
    loss: float | None = None  # how far from gold, 0 the best


@dataclass(slots=True)
class CandidateList:
    """The candidates for one sentence."""

    kind: str  # one of KINDS
    candidates: list[Candidate]
    tokens: list[list[str]] = field(default_factory=list)  # [tokens][columns]
    gold: Structure | None = None
    where: str = "input"  # for messages
