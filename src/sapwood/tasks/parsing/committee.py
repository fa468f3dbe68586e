"""The other members of a parser's committee, which make different mistakes; core/parsing/committee.hpp has the vote.

One reads sentences from their end, one searches easy-first (docs/decisions/committees.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sapwood._core as _core
from sapwood.errors import OptionError
from sapwood.model.file.schema import ModelFile
from sapwood.options import Values
from sapwood.parts import TAGS
from sapwood.tasks.parsing.options import ParserOptions
from sapwood.training.learner import Learner, fit_part

if TYPE_CHECKING:
    from sapwood.training.run import Fitted, Run

_MEMBERS = ("backward", "easy-first")  # beside the parser itself, by their names in the model file
_EPOCHS = 10  # of easy-first search, at most: it learns from each decision, a beam once from a sentence


def run_of_member(run: Run) -> Run:
    """Return the run of each member, whose goal is its part of the bytes. Raises OptionError if it goes on."""
    if run.known is not None or run.one_pass:
        raise OptionError("a parser with a committee cannot go on with other data; train it on all of them")
    if run.goal is None or run.goal.bytes is None:
        return run
    return replace(run, goal=run.goal._replace(bytes=run.goal.bytes // (1 + len(_MEMBERS))))


def other_members(parser: Learner[ParserOptions], first: Fitted[Any], run: Run) -> dict[str, ModelFile]:
    """Return the models of the other members, which learn from the same data as the first one.

    A checkpoint has the first member alone. Raises KeyboardInterrupt after Ctrl-C, as a committee without one of its
    members cannot be kept.
    """
    if first.model.provenance["stopped_by"] == "interrupted":
        raise KeyboardInterrupt
    data, held_out = first.data, first.held_out
    quiet, found = replace(run, saver=None), {}
    for name in _MEMBERS:
        member = type(parser)(**parser.get_params() | {"committee": False, "max_bytes": None, **_options(parser, name)})
        taught, dev = data, held_out
        if name == "backward":
            taught, dev = turned(data), None if held_out is None else turned(held_out)
        fit_part(member, taught, dev=dev, what=f"training the {name} parser", run=quiet, goal=run.goal)
        found[name] = member.model_.replaced(provenance={})
    return found


def _options(parser: Learner[ParserOptions], name: str) -> Values:
    if name == "backward":
        return {}
    options = parser.params
    epochs, least = min(options.epochs, _EPOCHS), max(options.min_updates - 1, 1)
    return {"search": name, "template": None, "labelling": None, "epochs": epochs, "min_updates": least}


def turned(data: _core.Conllu) -> _core.Conllu:
    """Return a treebank in which the last word of each sentence is the first."""
    columns = {name: [cells[::-1] for cells in data.column(name)] for name in ("form", *TAGS, "deprel")}
    columns["head"] = [_turned_heads(heads) for heads in data.column("head")]
    return _core.Conllu.build(columns, data.name)


def _turned_heads(heads: Sequence[str]) -> list[str]:
    """Return the heads of a sentence that is turned round: those that are words count from the other end."""
    return [head if head.strip("0") in ("", "_") else str(len(heads) + 1 - int(head)) for head in reversed(heads)]
