"""Files of word clusters: ``bits TAB word TAB count`` a line, as the `paths` of Percy Liang's program."""

import os

from sapwood import _core
from sapwood.errors import shown
from sapwood.io.text import read_bytes

EVERY_WORD = (1 << 64) - 1


def read_clusters(path: str | os.PathLike[str], limit: int | None = None) -> _core.WordClusters:
    """Return the word clusters of a file, plain or compressed; '-' is standard input.

    limit : keep so many of the most frequent words, which have the largest third column

    Raises DataError, with the line, if it is not such a file.
    """
    return _core.WordClusters.read(read_bytes(path), shown(path), EVERY_WORD if limit is None else limit)
