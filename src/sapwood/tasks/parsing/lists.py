"""Lists of the best trees of sentences, for a reranker."""

from __future__ import annotations

from collections.abc import Sequence

from sapwood import _core
from sapwood.base.candidates import Candidate, CandidateList
from sapwood.errors import DataError
from sapwood.io.conllu import read_conllu
from sapwood.model.file.schema import ModelFile


def read_trees(
    data: bytes, name: str, train: bool, line: int, before: _core.Conllu | None, *, single_root: bool
) -> _core.Conllu:
    """Return the sentences of CoNLL-U, with trees if they are to train on. Raises DataError."""
    treebank = read_conllu(data, name, line, before)
    if train:
        treebank.trees(single_root)
    return treebank


def tree_lists(parser: _core.Parser, model: ModelFile, data: _core.Conllu, n: int) -> list[CandidateList]:
    """Return a list of trees for each sentence, with its words and their tags. Raises OptionError."""
    columns = [data.column(field) for field in ("form", *model.columns[: model.label])]
    tokens = [[list(row) for row in zip(*sentence, strict=True)] for sentence in zip(*columns, strict=True)]
    gold: Sequence[tuple[list[int], list[str]] | None]
    try:
        gold = data.trees(False)
    except DataError:  # without trees, or with broken ones, there is no gold
        gold = [None] * len(tokens)
    return [
        CandidateList("heads", [Candidate(tree, score) for tree, score in found], rows, answer, data.name)
        for found, rows, answer in zip(parser.n_best(data, n), tokens, gold, strict=True)
    ]
