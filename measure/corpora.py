"""The corpora of measurements: real ones in a folder that the user has, or generated ones.

Real corpora are never downloaded nor shipped. The folder is given, or SAPWOOD_DATA names it. It has

==================  ==============================================================================
``conll2000/``      ``train.txt`` and ``test.txt``: text chunking
``ewt/``            ``en_ewt-ud-train.conllu`` and ``-test.conllu``: Universal Dependencies, English EWT
``wsj_sample/``     ``wsj_sample-train.conllu`` and ``-test.conllu``: Penn Treebank as unlabelled trees
``interest/``       ``interest.pos``: the senses of "interest", in Senseval's format
``treebank/``       ``wsj_0001-0179.mrg`` and ``wsj_0180-0199.mrg``: Penn Treebank sample as trees in brackets
``movie_reviews/``  ``movie_reviews.txt``: reviews as ``__label__pos`` or ``__label__neg``, 1,000 of each in turn
==================  ==============================================================================

or is itself one of those folders. Each file is plain or compressed (.xz, .gz).

If a folder is given, in either way, and does not have the corpus, every function here raises DataError.
"""

import os
import random
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sapwood.datasets.documents import SHARED, TELLING, frequent_word, generate_reviews, made_words
from sapwood.datasets.treebank import write_treebank
from sapwood.errors import DataError
from sapwood.io.example_files import read_examples
from sapwood.io.examples import Examples, Layout, take_examples
from sapwood.io.source import shown

GENERATED = {  # sizes of the corpora that are generated
    "txt": 10_000,  # sentences for chunking, which have about as many tokens as CoNLL-2000
    "conllu": 5_000,  # sentences for parsing
    "mrg": 1_000,  # trees in brackets, for reranking
    "senses": 600,  # examples of a word
    "reviews": 400,
}

Folder = str | os.PathLike[str] | None


class Corpus(NamedTuple):
    """A corpus of two files."""

    name: str
    train: Path
    test: Path
    tag_columns: Sequence[str] = ()  # columns of CoNLL-U that have tags, the finest first
    labelled: bool = False  # true if arcs of CoNLL-U have relations


_TREEBANKS = {  # by the names that users choose: title, folder, how the files' names begin, tags, labelled
    "ewt": ("UD English EWT", "ewt", "en_ewt-ud-", ["xpos", "upos", "feats"], True),
    "wsj": ("Penn Treebank sample", "wsj_sample", "wsj_sample-", ["xpos"], False),
}


def chunking_corpus(folder: Folder = None) -> AbstractContextManager[Corpus]:
    """Give CoNLL-2000 as column files (word, tag, chunk), or a generated corpus of the same size."""
    return _corpus(folder, "CoNLL-2000", "conll2000", ("train.txt", "test.txt"), "txt")


def phrase_corpus(folder: Folder = None) -> AbstractContextManager[Corpus]:
    """Give the Penn Treebank sample as trees in brackets, or generated trees."""
    files = ("wsj_0001-0179.mrg", "wsj_0180-0199.mrg")
    return _corpus(folder, "Penn Treebank sample", "treebank", files, "mrg")


@contextmanager
def tree_corpora(folder: Folder = None, wanted: str | None = None) -> Iterator[list[Corpus]]:
    """Give all treebanks that the folder has, or a generated one; or only the treebank `wanted`, "ewt" or "wsj".

    A treebank that is wanted is never generated: without it, DataError is raised.
    """
    given = data_folder(folder)
    if given is None and wanted is None:
        with _generated("conllu") as corpus:
            yield [corpus._replace(tag_columns=["xpos", "upos"], labelled=True)]
        return
    names = list(_TREEBANKS) if wanted is None else [wanted]
    if given is None:
        raise DataError(f"the treebank {names[0]} is not shipped; name the folder that has it, or SAPWOOD_DATA")
    corpora = []
    for name in names:
        title, place, start, tags, labelled = _TREEBANKS[name]
        if found := _find(given, place, f"{start}train.conllu", f"{start}test.conllu"):
            corpora.append(Corpus(title, found[0], found[1], tags, labelled))
    if not corpora:
        places = [f"{_TREEBANKS[name][1]}/{_TREEBANKS[name][2]}train.conllu and -test.conllu" for name in names]
        raise _missing(given, " nor ".join(places))
    yield corpora


def sense_corpus(folder: Folder = None, *, tag_in_label: bool = False) -> tuple[str, Examples]:
    """Return the name and the examples of Senseval's "interest", or of generated senses.

    With `tag_in_label` the labels are tag and sense, "NN:interest_6".
    """
    if given := data_folder(folder):
        [path] = corpus_files(given, "interest", "interest.pos")
        return 'Senseval "interest"', read_examples(path, Layout("senseval", [], []), tag_in_label=tag_in_label)
    generated = list(generate_senses(GENERATED["senses"], seed=1))
    examples = [(tokens, marked) for tokens, marked, _ in generated]
    labels = [f"{tokens[marked][1]}:{sense}" if tag_in_label else sense for tokens, marked, sense in generated]
    return "generated senses", take_examples(examples, labels, None, "generated senses")


def generate_senses(count: int, seed: int) -> Iterator[tuple[list[tuple[str, str]], int, str]]:
    """Yield (pairs of token and tag, index of the marked token, sense). The first of the three senses is frequent."""
    generator = random.Random(seed)
    words = made_words(SHARED + 3 * TELLING, generator)
    for _ in range(count):
        sense = generator.choices((0, 1, 2), weights=(6, 3, 1))[0]
        tokens = [(frequent_word(words, generator), "NN") for _ in range(generator.randint(8, 24))]
        marked = generator.randrange(len(tokens))
        tokens[marked] = ("target", "NN")
        start = SHARED + sense * TELLING
        for offset in (-2, -1, 1, 2):
            at = marked + offset
            if 0 <= at < len(tokens) and generator.random() < 0.5:
                telling = words[start + min(int(generator.expovariate(0.1)), TELLING - 1)]
                tokens[at] = telling, ("JJ", "VB", "IN")[sense]
        yield tokens, marked, f"sense_{sense + 1}"


def review_corpus(folder: Folder = None) -> tuple[str, Examples]:
    """Return the name and the examples of the movie reviews, or of generated ones."""
    if given := data_folder(folder):
        [path] = corpus_files(given, "movie_reviews", "movie_reviews.txt")
        return "movie reviews", read_examples(path)
    texts, labels = zip(*generate_reviews(GENERATED["reviews"], seed=1), strict=True)
    return "generated reviews", take_examples(texts, labels, None, "generated reviews")


def data_folder(folder: Folder) -> Path | None:
    """Return `folder`, or else the folder that SAPWOOD_DATA names, or else None."""
    given = folder or os.environ.get("SAPWOOD_DATA")
    return Path(given) if given else None


def _corpus(
    folder: Folder, name: str, place: str, files: tuple[str, str], format: str
) -> AbstractContextManager[Corpus]:
    if given := data_folder(folder):
        train, test = corpus_files(given, place, *files)
        return nullcontext(Corpus(name, train, test))
    return _generated(format)


@contextmanager
def _generated(format: str) -> Iterator[Corpus]:
    """Give the generated treebank in one format, in a folder that is deleted afterwards."""
    with TemporaryDirectory(prefix="sapwood-") as directory:
        write_treebank(directory, GENERATED[format], seed=1, formats=(format,))
        yield Corpus("generated treebank", Path(directory, f"train.{format}"), Path(directory, f"test.{format}"))


def corpus_files(folder: Path, place: str, *files: str) -> list[Path]:
    """Return the paths of these files. Raises DataError if one is missing."""
    found = _find(folder, place, *files)
    if found is None:
        raise _missing(folder, f"{place}/{' and '.join(files)}")
    return found


def _find(folder: Path, place: str, *files: str) -> list[Path] | None:
    for parent in (folder / place, folder):
        for ending in ("", ".xz", ".gz"):
            paths = [parent / f"{file}{ending}" for file in files]
            if all(path.is_file() for path in paths):
                return paths
    return None


def _missing(folder: Path, files: str) -> DataError:
    return DataError(f"{shown(folder)}: no {files} here (.xz and .gz will do); name another folder")
