"""Where experiments find their data: real corpora in a folder that the user has, or generated ones.

Real corpora are never downloaded nor shipped. The folder is given or named by SAPWOOD_DATA; it holds

==================  ==============================================================================
``conll2000/``      ``train.txt`` and ``test.txt``: text chunking
``ewt/``            ``en_ewt-ud-train.conllu`` and ``-test.conllu``: Universal Dependencies, English EWT
``wsj_sample/``     ``wsj_sample-train.conllu`` and ``-test.conllu``: Penn Treebank as unlabelled trees
``interest/``       ``interest.pos``: the senses of "interest", in Senseval's format
``treebank/``        ``wsj_0001-0179.mrg`` and ``wsj_0180-0199.mrg``: Penn Treebank sample as trees in brackets
``movie_reviews/``  ``movie_reviews.txt``: reviews as ``__label__pos`` or ``__label__neg``, 1,000 of each in turn
==================  ==============================================================================

each file plain or compressed (.xz, .gz), or is one of those folders itself.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sapwood.datasets.documents import generate_reviews, generate_senses
from sapwood.datasets.treebank import write_treebank
from sapwood.errors import DataError, shown
from sapwood.io.examples import Examples, read_examples, take_examples

__all__ = [
    "ColumnCorpus",
    "TreeCorpus",
    "chunking_corpus",
    "data_folder",
    "phrase_corpus",
    "review_corpus",
    "sense_corpus",
    "tree_corpora",
]

_SENTENCES = 10_000  # generated for chunking, about as many tokens as CoNLL-2000
_TREES = 5_000  # generated for parsing
_PHRASES = 1_000  # generated trees, for reranking
_SENSES = 600  # generated examples of a word
_REVIEWS = 400  # generated


class PhraseCorpus(NamedTuple):
    """A treebank of phrase-structure trees."""

    name: str
    train: Path
    test: Path


class ColumnCorpus(NamedTuple):
    """A corpus of column files (word, tag, chunk)."""

    name: str
    train: Path
    test: Path


class TreeCorpus(NamedTuple):
    """A treebank in CoNLL-U."""

    name: str
    train: Path
    test: Path
    tag_columns: list[str]  # the columns that have tags, the finest first
    labelled: bool  # whether arcs have relations


_TREEBANKS = {  # name for users: name, folder, files up to the split, tags, labelled
    "ewt": ("UD English EWT", "ewt", "en_ewt-ud-", ["xpos", "upos", "feats"], True),
    "wsj": ("Penn Treebank sample", "wsj_sample", "wsj_sample-", ["xpos"], False),
}


@contextmanager
def chunking_corpus(folder: str | os.PathLike[str] | None = None) -> Iterator[ColumnCorpus]:
    """Give CoNLL-2000 from `folder` or SAPWOOD_DATA, or else a generated corpus of the same size.

    Raises DataError if a folder is given, either way, and CoNLL-2000 is not in it.
    """
    if given := data_folder(folder):
        found = _find(given, "conll2000", "train.txt", "test.txt")
        if found is None:
            raise _missing(given, "conll2000/train.txt and test.txt")
        train, test = found
        yield ColumnCorpus("CoNLL-2000", train, test)
        return
    with tempfile.TemporaryDirectory(prefix="sapwood-") as directory:
        write_treebank(directory, _SENTENCES, seed=1, formats=("txt",))
        yield ColumnCorpus("generated treebank", Path(directory, "train.txt"), Path(directory, "test.txt"))


@contextmanager
def phrase_corpus(folder: str | os.PathLike[str] | None = None) -> Iterator[PhraseCorpus]:
    """Give the Penn Treebank sample from `folder` or SAPWOOD_DATA, or else generated trees.

    Raises DataError if a folder is given, either way, and the sample is not in it.
    """
    if given := data_folder(folder):
        files = ("wsj_0001-0179.mrg", "wsj_0180-0199.mrg")
        found = _find(given, "treebank", *files)
        if found is None:
            raise _missing(given, f"treebank/{files[0]} and {files[1]}")
        train, test = found
        yield PhraseCorpus("Penn Treebank sample", train, test)
        return
    with tempfile.TemporaryDirectory(prefix="sapwood-") as directory:
        write_treebank(directory, _PHRASES, seed=1, formats=("mrg",))
        yield PhraseCorpus("generated treebank", Path(directory, "train.mrg"), Path(directory, "test.mrg"))


@contextmanager
def tree_corpora(folder: str | os.PathLike[str] | None = None, wanted: str | None = None) -> Iterator[list[TreeCorpus]]:
    """Give the treebanks that `folder` or SAPWOOD_DATA has, of which one may be `wanted`, or else a generated one.

    Raises DataError if a folder is given, either way, and none of them is in it, or if one is wanted and is not there.
    """
    given = data_folder(folder)
    if given is None and wanted is None:
        with tempfile.TemporaryDirectory(prefix="sapwood-") as directory:
            write_treebank(directory, _TREES, seed=1, formats=("conllu",))
            train, test = Path(directory, "train.conllu"), Path(directory, "test.conllu")
            yield [TreeCorpus("generated treebank", train, test, ["xpos", "upos"], True)]
        return
    names = list(_TREEBANKS) if wanted is None else [wanted]
    if given is None:
        raise DataError(f"the treebank {names[0]} is not shipped; name the folder that has it, or SAPWOOD_DATA")
    corpora = []
    for name in names:
        title, place, start, tags, labelled = _TREEBANKS[name]
        if found := _find(given, place, f"{start}train.conllu", f"{start}test.conllu"):
            train, test = found
            corpora.append(TreeCorpus(title, train, test, tags, labelled))
    if not corpora:
        places = [f"{_TREEBANKS[name][1]}/{_TREEBANKS[name][2]}train.conllu and -test.conllu" for name in names]
        raise _missing(given, " nor ".join(places))
    yield corpora


def sense_corpus(folder: str | os.PathLike[str] | None = None, *, tag_in_label: bool = False) -> tuple[str, Examples]:
    """Return Senseval's "interest" from `folder` or SAPWOOD_DATA, or else generated senses, with a name for users.

    tag_in_label : the labels are tag and sense, "NN:interest_6"

    Raises DataError if a folder is given, either way, and the corpus is not in it.
    """
    if given := data_folder(folder):
        path = _one_file(given, "interest", "interest.pos")
        return 'Senseval "interest"', read_examples(path, format="senseval", tag_in_label=tag_in_label)
    generated = list(generate_senses(_SENSES, seed=1))
    examples = [(tokens, marked) for tokens, marked, _ in generated]
    labels = [f"{tokens[marked][1]}:{sense}" if tag_in_label else sense for tokens, marked, sense in generated]
    return "generated senses", take_examples(examples, labels, None, "generated senses")


def review_corpus(folder: str | os.PathLike[str] | None = None) -> tuple[str, Examples]:
    """Return the movie reviews from `folder` or SAPWOOD_DATA, or else generated ones, with a name for users.

    Raises DataError if a folder is given, either way, and the corpus is not in it.
    """
    if given := data_folder(folder):
        return "movie reviews", read_examples(_one_file(given, "movie_reviews", "movie_reviews.txt"))
    texts, labels = zip(*generate_reviews(_REVIEWS, seed=1), strict=True)
    return "generated reviews", take_examples(texts, labels, None, "generated reviews")


def _one_file(folder: Path, place: str, name: str) -> Path:
    found = _find(folder, place, name)
    if found is None:
        raise _missing(folder, f"{place}/{name}")
    return found[0]


def data_folder(folder: str | os.PathLike[str] | None) -> Path | None:
    """Return `folder`, or that which SAPWOOD_DATA names, or None."""
    given = folder or os.environ.get("SAPWOOD_DATA")
    return Path(given) if given else None


def _find(folder: Path, place: str, *files: str) -> list[Path] | None:
    for parent in (folder / place, folder):
        for ending in ("", ".xz", ".gz"):
            paths = [parent / f"{file}{ending}" for file in files]
            if all(path.is_file() for path in paths):
                return paths
    return None


def _missing(folder: Path, files: str) -> DataError:
    return DataError(f"{shown(folder)}: no {files} here (.xz and .gz will do); name another folder")
