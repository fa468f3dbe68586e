"""The writer of a model: annotates files for the command line, the server and Dask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


class FileWriter:
    """A writer that reads a file to its end before it annotates, so that errors come first.

    annotate : takes the blocks of a file, its `name` and the options of the verb; yields annotated blocks
    format : "columns", "conllu" or "labels", the format of the annotated file
    """

    def __init__(self, annotate: Callable[..., Iterator[bytes]], format: str) -> None:
        self._annotate, self._format = annotate, format

    def written(self, chunks: Iterable[bytes], *, name: str = "input", **options: Any) -> Iterator[bytes]:
        """Yield the annotated bytes of a file, which is called `name` in errors. Raises OptionError and DataError."""
        return self._annotate([b"".join(chunks)], name=name, **options)

    def output_format(self, **options: Any) -> str:
        """Return the format that `written` gives with these options."""
        return self._format
