"""The system's errors about files, as errors of ours that say what to do."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from sapwood.errors import DataError, SapwoodError, shown

_REMEDIES = {
    errno.ENOTDIR: "its parent is not a directory; choose another path",
    errno.EISDIR: "it is a directory; name a file in it",
    errno.EACCES: "permission denied; change the permissions or choose another path",
    errno.EPERM: "permission denied; change the permissions or choose another path",
    errno.EROFS: "the file system is read-only; choose another path",
    errno.ENOSPC: "the disk is full; free some space or choose another path",
    errno.EDQUOT: "the disk quota is used up; free some space or choose another path",
    errno.EFBIG: "it would be larger than a file may be here (ulimit -f); allow more or choose another path",
}
_MISSING = {"written": "no such directory; make it first", "read": "no such file; check the path"}


@contextmanager
def explained(path: str | os.PathLike[str], done: str, raised: type[SapwoodError] = DataError) -> Iterator[None]:
    """Turn an OSError of the block into a `raised` that names the path and says what to do.

    done : "written" or "read", what the block does with the file
    """
    try:
        yield
    except OSError as error:
        remedies = _REMEDIES | {errno.ENOENT: _MISSING[done]}
        why = remedies.get(error.errno or 0, f"{error.strerror or error}; choose another path")
        raise raised(f"{shown(path)}: cannot be {done}: {why}") from error
