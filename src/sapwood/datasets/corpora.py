"""Where experiments find their data: real corpora in a folder that the user has, or the generated one.

Real corpora are never downloaded nor shipped. The folder is given or named by SAPWOOD_DATA; it holds
``conll2000/train.txt[.xz]`` and ``test.txt[.xz]``, or is that folder itself.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sapwood.datasets.treebank import write_treebank
from sapwood.errors import DataError, shown

__all__ = ["ColumnCorpus", "chunking_corpus"]

_GENERATED = 10_000  # sentences, about as many tokens as CoNLL-2000


class ColumnCorpus(NamedTuple):
    """A corpus of column files (word, tag, chunk)."""

    name: str
    train: Path
    test: Path


@contextmanager
def chunking_corpus(folder: str | os.PathLike[str] | None = None) -> Iterator[ColumnCorpus]:
    """Give CoNLL-2000 from `folder` or SAPWOOD_DATA, or else a generated corpus of the same size.

    Raises DataError if a folder is given, either way, and CoNLL-2000 is not in it.
    """
    given = folder or os.environ.get("SAPWOOD_DATA")
    if given:
        yield _conll2000(Path(given))
        return
    with tempfile.TemporaryDirectory(prefix="sapwood-") as directory:
        write_treebank(directory, _GENERATED, seed=1, formats=("txt",))
        yield ColumnCorpus("generated treebank", Path(directory, "train.txt"), Path(directory, "test.txt"))


def _conll2000(folder: Path) -> ColumnCorpus:
    for place in (folder / "conll2000", folder):
        for ending in (".txt", ".txt.xz", ".txt.gz"):
            train, test = place / f"train{ending}", place / f"test{ending}"
            if train.is_file() and test.is_file():
                return ColumnCorpus("CoNLL-2000", train, test)
    raise DataError(
        f"{shown(folder)}: no conll2000/train.txt and test.txt here (.xz and .gz will do); name another folder"
    )
