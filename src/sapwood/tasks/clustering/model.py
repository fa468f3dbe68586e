"""Word clusters learned from text: classes of words that occur beside the same classes, in a binary tree.

The classes are found by the exchange algorithm over class bigrams (Martin, Liermann & Ney 1998), and merged to a tree
by least loss of average mutual information (Brown et al. 1992). The work is done in the core (core/clustering); this
file reads text, reports progress and writes the file that models take as their option ``clusters``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

import sapwood._core as _core
from sapwood.base.signals import Interrupt
from sapwood.base.writing import write_bytes
from sapwood.errors import DataError, not_fitted
from sapwood.events import Callback, Preparing, ignore
from sapwood.io.formats import check_format
from sapwood.io.lexicons import EVERY_WORD
from sapwood.io.source import chunks, encoded, lines_of, shown, whole_blocks, with_lines
from sapwood.options import THREADS, Options, option

Texts = os.PathLike[str] | Iterable[os.PathLike[str]] | Iterable[Sequence[str]]

_BATCHES = 16  # batches of words between two events
_PAIRS = 20  # merged pairs of classes between two events


class ClusteredWord(NamedTuple):
    """A word, its class and how often it occurs."""

    bits: str
    word: str
    occurrences: int


class WordClusterer(Options):
    """Learns word clusters from raw or tokenised text.

    Words that are rarer than `min_count` get no cluster. They count as the form by which a model looks them up, the
    lower-cased one or that with each digit replaced by 1, if this is frequent enough.

    The clusters are the same for any number of threads. A round takes time in proportion to the classes and to the
    different neighbours of the words, and the tree to the cube of the number of classes.

    >>> from sapwood import WordClusterer
    >>> text = [["a", "dog", "barks"], ["a", "cat", "sleeps"], ["the", "dog", "sleeps"], ["the", "cat", "barks"]]
    >>> clusterer = WordClusterer(classes=3, min_count=1).fit(text)
    >>> for word in clusterer.words_:
    ...     print(*word)
    00 a 2
    00 the 2
    01 barks 2
    01 sleeps 2
    1 cat 2
    1 dog 2
    """

    classes: int = option(default=1000, least=2, most=4096, metavar="N", help="classes")
    min_count: int = option(default=3, least=1, metavar="N", help="how often a word with a cluster occurs at least")
    iterations: int = option(command=False, default=10, least=1, metavar="N").described(
        "rounds, in which each word may change its class once, at most"
    )
    tokenised: bool = option(
        default=False, help="read tokens between spaces, a sentence a line, instead of cutting raw text into words"
    )
    threads: int = THREADS

    def fit(self, texts: Texts, *, on_event: Callback | None = None) -> Self:
        """Learn from a text file or several, whose paths are pathlib.Path, or from sentences, lists of tokens.

        The first Ctrl-C ends the rounds, and the classes that there are become a tree; the second raises
        KeyboardInterrupt. Raises OptionError, or DataError with the place.
        """
        self.check_options()
        report = on_event or ignore
        with Interrupt() as interrupt:
            clustering = self._read(texts, report)
            report(Preparing("counting", 0, 1))
            clustering.begin(self.classes, self.min_count)
            for done in range(self.iterations):
                report(Preparing("round", done, self.iterations))
                while not clustering.exchange(_BATCHES, self.threads) and not interrupt.requested:
                    report(Preparing("round", done, self.iterations, clustering.looked_at / clustering.words))
                if clustering.moved == 0 or interrupt.requested:
                    break
            classes = clustering.classes_left
            report(Preparing("merging classes", 0, 1))
            while clustering.merge(_PAIRS):
                report(Preparing("merging classes", 0, 1, 1 - clustering.classes_left / classes))
        self.paths_ = clustering.paths()
        self.likelihood_ = clustering.likelihood
        return self

    @property
    def words_(self) -> list[ClusteredWord]:
        """The words with their clusters, in the file's order: by bits, and then the most frequent first."""
        fields = (line.split("\t") for line in self._fitted().decode().splitlines())
        return [ClusteredWord(bits, word, int(count)) for bits, word, count in fields]

    def table(self) -> _core.WordClusters:
        """Return the clusters as models take them for their option ``clusters``."""
        return _core.WordClusters.read(self._fitted(), "clusters", EVERY_WORD)

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write bits, word and count a line, whole or not at all; return the bytes. Raises DataError."""
        return write_bytes(path, self._fitted())

    def _fitted(self) -> bytes:
        if not hasattr(self, "paths_"):
            raise not_fitted("these clusters are not learned yet; call fit")
        return self.paths_

    def _read(self, texts: Texts, report: Callback) -> _core.Clustering:
        if isinstance(texts, (str, bytes)):
            raise DataError("texts are files, whose paths are pathlib.Path, or sentences; a string is neither")
        items = [texts] if isinstance(texts, os.PathLike) else list(texts)
        paths = [each for each in items if isinstance(each, os.PathLike)]
        if len(paths) < len(items):
            clustering = _core.Clustering(True)
            report(Preparing("reading", 0, 1))
            clustering.add(b"".join(map(_line, items)), "data", 1)
            return clustering
        clustering = _core.Clustering(self.tokenised)
        for number, path in enumerate(paths):
            report(Preparing("reading", number, len(paths)))
            self._read_file(clustering, path)
        return clustering

    def _read_file(self, clustering: _core.Clustering, path: os.PathLike[str]) -> None:
        name = shown(path)
        text = check_format(lines_of(chunks(path, name)), name, "tokens" if self.tokenised else "text")
        for lines, first in with_lines(whole_blocks(text, "line", name)):
            clustering.add(lines, name, first)
        clustering.end_text()


def _line(sentence: object) -> bytes:
    """Return a sentence as a line of tokenised text. Raises DataError if it is none."""
    if isinstance(sentence, (str, bytes)) or not isinstance(sentence, Sequence):
        raise DataError(f"a sentence is a list of tokens, not {sentence!r:.60}")
    for token in sentence:
        if not isinstance(token, str) or token.split() != [token]:
            raise DataError(f"a token is a string without spaces, not {token!r:.60}")
    return encoded(" ".join(sentence), "a sentence") + b"\n"
