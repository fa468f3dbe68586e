"""Silver trees, which a parser learns from beside gold ones."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.io.conllu import read_treebank
from sapwood.tasks.parsing.options import ParserOptions
from sapwood.training.silver import SilverFilter, labels_of, read_silver, silver_source

if TYPE_CHECKING:
    from sapwood.training.run import Run


def read_silver_trees(
    options: ParserOptions, gold: _core.Conllu, held_out: _core.Conllu | None, run: Run
) -> _core.Conllu | None:
    """Return the silver sentences that a parser learns from beside gold ones, as `read_silver` does."""
    known = [] if run.known is None else run.known.labels
    rules = partial(choose_trees, gold=gold, least=options.least_sureness, single_root=options.single_root, known=known)
    return read_silver(silver_source(options.silver, _core.Conllu), read_treebank, run, "parser", gold, held_out, rules)


def choose_trees(
    choice: SilverFilter[_core.Conllu],
    gold: _core.Conllu,
    least: float,
    *,
    single_root: bool,
    known: Iterable[str] = (),
) -> None:
    """Leave out silver sentences that do not teach a parser.

    Crossing arcs are lifted in training, and the relation of a lifted word tells where it came from. A teacher whose
    arcs cross by mistake makes hundreds of such relations; each is one more output that every decision has to weigh.

    least : mean sureness, in percent; known : relations beside those of the gold data
    """
    silver = choice.silver
    choice.trees(silver.column("head"), single_root=single_root)
    choice.sure(silver.column("misc"), least)
    choice.known(silver.column("deprel"), labels_of(gold.column("deprel")).union(known), "relations")
    of_gold = [_core.projectivise(*tree)[1] for tree in gold.trees(single_root)]
    heads, relations = silver.column("head"), silver.column("deprel")
    lifted: list[list[str]] = [[] for _ in heads]
    for s in choice.left:
        lifted[s] = _core.projectivise([*map(int, heads[s])], relations[s])[1]
    choice.known(lifted, labels_of(of_gold).union(known), "relations of lifted words")
