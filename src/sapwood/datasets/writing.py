"""The writing of the generated language: spaces between words, and words that share a token.

A real treebank says in CoNLL-U how its text is put together. So do generated ones, in four ways of writing:

=============  ==================================================================================
``plain``      a space between all words, punctuation too; nothing is said in MISC
``attached``   as European languages: punctuation next to its word, several words in one token, of
               which some are spelled otherwise than their words (French *du* is *de le*)
``unspaced``   no spaces, as Chinese
``syllables``  a space between any two syllables, so also within words, as Vietnamese
=============  ==================================================================================

All but ``plain`` have paragraphs and documents. The words and trees are the same in all of them.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

WRITINGS = ("plain", "attached", "unspaced", "syllables")

_OPENING = frozenset(("(", "``"))
_CLOSING = frozenset((",", ".", "?", "!", ";", ":", ")", "''"))
_AMALGAMS = {"of": "ofe", "in": "ine", "at": "ate", "by": "bye", "from": "frome"}  # with "the" behind
_VOWELS = "aeiouyéåö"
# Before a consonant with a vowel behind it, if a vowel is before it: sa|ny, hib|laint.
_SYLLABLE = re.compile(rf"(?<=[{_VOWELS}])(?=[^\W\d_{_VOWELS}][{_VOWELS}])|"
                       rf"(?<=[{_VOWELS}][^\W\d_{_VOWELS}])(?=[^\W\d_{_VOWELS}]+[{_VOWELS}])")  # fmt: skip


class WrittenToken(NamedTuple):
    """A token of raw text: how it is written, its words, and whether a space follows."""

    form: str
    words: list[str]
    space: bool


def tokens_of(words: Sequence[str], writing: str) -> list[WrittenToken]:
    """Return the tokens that the words of a sentence are written as."""
    if writing in ("plain", "unspaced"):
        return [WrittenToken(word, [word], writing == "plain") for word in words]
    groups = _together(words) if writing == "attached" else [[_SYLLABLE.sub(" ", word)] for word in words]
    found = []
    for group, after in zip(groups, [*groups[1:], [""]], strict=True):
        space = group[-1] not in _OPENING and not _leans(after[0])
        form = _AMALGAMS[group[0]] if group[1:] == ["the"] else "".join(group)
        found.append(WrittenToken(form, group, space))
    return found


def paragraph(number: int) -> str:
    """Return the comments before a sentence that begins a document or a paragraph; sentences count from 1.

    >>> [number for number in range(1, 16) if paragraph(number)]
    [1, 2, 7, 8, 9, 14, 15]
    """
    k = number - 1
    if k % 50 == 0:
        return f"# newdoc id = d{number}\n# newpar\n"
    return "# newpar\n" if k * k % 7 < 2 else ""


def _together(words: Sequence[str]) -> list[list[str]]:
    """Return the words token by token: 's and 'll go to the word before them, "the" to some prepositions."""
    groups: list[list[str]] = []
    for word in words:
        clitic = _leans(word) and word not in _CLOSING
        amalgam = word == "the" and groups and groups[-1][-1] in _AMALGAMS
        if groups and len(groups[-1]) == 1 and (clitic or amalgam):
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def _leans(word: str) -> bool:
    """Return true if no space is before the word: closing punctuation, and words that begin with an apostrophe."""
    return word in _CLOSING or word.startswith("'")
