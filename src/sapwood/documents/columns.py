"""The columns of a document, a value for each of its words: text, places, tags, heads, confidences."""

from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import sapwood._core as _core


class Columns:
    """The columns of a document. Each is made of the core's array when it is asked for first."""

    def __init__(self, core: _core.Doc) -> None:
        self._core = core
        self._columns: dict[str, list[Any] | None] = {}

    @cached_property
    def text(self) -> str:
        """The text, as it was given."""
        return self._core.text

    @cached_property
    def sentence_starts(self) -> list[int]:
        """The first word of each sentence, and the number of words."""
        return [word for _, word, _ in self._core.sentences]

    @cached_property
    def forms(self) -> list[str]:
        """The forms of all words."""
        return self._core.column("form") or []

    @property
    def heads(self) -> list[int] | None:
        """The heads of all words, counted from 1 in their sentences, 0 for the root; None without a parser."""
        return self.values("head")

    @cached_property
    def confidences(self) -> dict[str, list[float]]:
        """The confidences in tag, feats, arc and name of each word, NaN where none; empty if not asked for."""
        return self._core.confidences

    @cached_property
    def familiar(self) -> dict[int, tuple[int, int]]:
        """The numbers of words and of familiar words of each sentence, by its first word."""
        return dict(zip(self.sentence_starts, self._core.familiar, strict=False))

    @cached_property
    def token_starts(self) -> list[int]:
        """The first word of each token, and the number of words; most tokens are one word."""
        return self._core.first_words

    @cached_property
    def tokens(self) -> list[tuple[int, int]]:
        """The begin and end of each token in the text, in characters."""
        return self._core.tokens

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The begin and end of each word in the text, in characters.

        Words of a token that do not stand in the text (French *du*: *de*, *le*) have the place of their token.
        """
        found: list[tuple[int, int]] = []
        for (begin, end), (first, after) in zip(self.tokens, pairwise(self.token_starts), strict=True):
            forms = self.forms[first:after]
            if after - first > 1 and "".join(forms) == self.text[begin:end]:
                found += pairwise(accumulate(map(len, forms), initial=begin))
            else:
                found += [(begin, end)] * (after - first)
        return found

    def values(self, column: str) -> list[Any] | None:
        """Return the values of all words in a column, such as lemma (sapwood.parts names all); None without a part."""
        if column not in self._columns:
            self._columns[column] = self._core.column(column)
        return self._columns[column]

    def value(self, column: str, word: int) -> str | None:
        """Return the value of one word, or None."""
        values: list[str] | None = self.values(column)
        return None if values is None else values[word]
