"""Lists of the n best structures by a tagger or parser, for a reranker to choose from.

A reranker must learn from lists of test quality: those of a model that has not seen the sentences. So training data are
cut into folds, and each is listed by a model trained on the others, with the options of the model that is given.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import DataError, OptionError, shown
from sapwood.io.lists import Candidate, CandidateList
from sapwood.io.text import read_bytes

if TYPE_CHECKING:
    from sapwood.models.grammar import PhraseParser
    from sapwood.models.parser import DependencyParser
    from sapwood.models.tagger import SequenceTagger

    Model = SequenceTagger | DependencyParser | PhraseParser

__all__ = ["cross_lists", "n_best_lists"]

_BLANK_LINES = re.compile(rb"\r?\n[ \t]*\r?\n")


def n_best_lists(model: "Model", data: bytes, name: str, n: int) -> list[CandidateList]:
    """Return a list for each sentence of a column file, of CoNLL-U, or of trees or text, with gold where it has it.

    Raises OptionError if the model has no exact n best (Viterbi and Eisner of order 1 have), DataError with the place.
    """
    from sapwood.models.grammar import PhraseParser
    from sapwood.models.parser import DependencyParser

    if isinstance(model, PhraseParser):
        return _of_grammar(model, data, name, n)
    return _of_parser(model, data, name, n) if isinstance(model, DependencyParser) else _of_tagger(model, data, name, n)


def cross_lists(model: "Model", path: str | os.PathLike[str], n: int, folds: int) -> Iterator[CandidateList]:
    """Yield a list for each sentence of a training file, fold by fold, by a model trained on the other folds.

    Raises DataError if there are fewer sentences than folds, OptionError if the model cannot be trained again.
    """
    if model.model_.word_lists:
        raise OptionError("the model has word lists, whose words it does not keep: it cannot be trained again in folds")
    blocks = _sentences(model, read_bytes(path), shown(path))
    if len(blocks) < folds:
        raise DataError(f"{shown(path)}: {len(blocks)} sentences are too few for {folds} folds")
    options = model.get_params()
    if "columns" in options:
        options["columns"] = _column_names(model)
    with TemporaryDirectory(prefix="sapwood-") as scratch:
        for fold in range(folds):
            others = Path(scratch, "others.txt")
            others.write_bytes(b"\n\n".join(block for k, block in enumerate(blocks) if k % folds != fold) + b"\n\n")
            again = type(model)(**options).fit(others)
            inside = b"\n\n".join(blocks[fold::folds]) + b"\n\n"
            yield from n_best_lists(again, inside, shown(path), n)


def _sentences(model: "Model", data: bytes, name: str) -> list[bytes]:
    """Return the sentences of a training file, as they are in it; of trees, normalised.

    Raises DataError with name and line, which the folds' files have no longer.
    """
    from sapwood.models.grammar import PhraseParser
    from sapwood.models.parser import DependencyParser

    if isinstance(model, PhraseParser):
        return [tree.encode() for tree in _core.normalised_trees(data, name)]
    if isinstance(model, DependencyParser):
        _core.Conllu.read(data, name).trees(model.single_root)
    elif (width := _core.Columns.read(data, name).width) != len(model.model_.columns):
        raise DataError(f"{name}: {width} columns, but the model was trained on {len(model.model_.columns)}")
    return [block for block in _BLANK_LINES.split(data) if block.strip()]


def _column_names(model: "Model") -> list[str]:
    names = list(model.model_.columns)
    names[model.model_.label] = "label"
    return names


def _of_tagger(tagger: "SequenceTagger", data: bytes, name: str, n: int) -> list[CandidateList]:
    columns = _core.Columns.read(data, name)
    label = tagger.model_.label
    has_gold = columns.width == len(tagger.model_.columns)
    cells = [columns.column(c) for c in range(columns.width) if not (has_gold and c == label)]
    gold = columns.column(label) if has_gold else [None] * columns.sentences
    tokens = [[list(row) for row in zip(*sentence, strict=True)] for sentence in zip(*cells, strict=True)]
    best = tagger._tagger().n_best(columns, n)
    return [
        CandidateList("labels", [Candidate(labels, score) for labels, score in found], rows, answer, name)
        for found, rows, answer in zip(best, tokens, gold, strict=True)
    ]


def _of_parser(parser: "DependencyParser", data: bytes, name: str, n: int) -> list[CandidateList]:
    treebank = parser._input(_core.Conllu.read(data, name))
    columns = [treebank.column(field) for field in ("form", *parser.model_.columns[: parser.model_.label])]
    tokens = [[list(row) for row in zip(*sentence, strict=True)] for sentence in zip(*columns, strict=True)]
    try:
        gold: list[tuple[list[int], list[str]] | None] = [(list(h), list(d)) for h, d in treebank.trees(False)]
    except DataError:  # no trees, or broken ones: there is nothing to learn from them
        gold = [None] * len(tokens)
    best = parser._parser().n_best(treebank, n)
    return [
        CandidateList("heads", [Candidate((list(h), list(d)), score) for (h, d), score in found], rows, answer, name)
        for found, rows, answer in zip(best, tokens, gold, strict=True)
    ]


def _of_grammar(parser: "PhraseParser", data: bytes, name: str, n: int) -> list[CandidateList]:
    from sapwood.models.grammar import read_sentences

    words, gold = read_sentences(data, name)
    return [
        CandidateList("tree", [Candidate(tree, score) for tree, score in found], [[w] for w in sentence], answer, name)
        for found, sentence, answer in zip(
            parser.n_best(words, n), words, gold if gold is not None else [None] * len(words), strict=True
        )
    ]
