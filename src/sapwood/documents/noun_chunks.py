"""Base noun phrases of a tree in Universal Dependencies: noun phrases without other ones in them.

A word belongs to its head if its relation builds the phrase of a noun (*the* and *old* of *the old dog*); else it
stands for itself. So each word has an owner. A chunk is a row of words with one owner, a noun, name or pronoun among
them; prepositions, conjunctions and punctuation at its ends are left out. Chunks can neither overlap nor nest.
"""

from collections.abc import Sequence
from itertools import groupby

LABEL = "NP"

_NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
_NEVER_AT_ENDS = frozenset({"ADP", "CCONJ", "SCONJ", "PUNCT", "PART", "INTJ"})
# Relations that build noun phrases. One without a subtype stands for all of its subtypes.
_OF_NOUNS = frozenset({"compound", "flat", "nmod:poss", "nmod:desc", "nmod:unmarked"})
_BEFORE = _OF_NOUNS | {"det", "amod", "nummod", "advmod", "punct"}  # words before their head, the noun
_BEHIND = frozenset({"det", "flat", "compound"})  # words behind it
_TO_PARTS = _OF_NOUNS | {"conj", "obl:unmarked"}  # nouns whose head is another word of the phrase
_NO_PHRASES = frozenset({"expl", "obl:unmarked", "obl:tmod", "obl:npmod"})  # *there*, adverbs such as *today*


def noun_chunks(heads: Sequence[int], relations: Sequence[str], tags: Sequence[str]) -> list[tuple[int, int]]:
    """Return for each noun chunk its first word and the word after its last.

    heads : counted from 1; 0 is a root
    tags : universal ones

    >>> heads, relations = [3, 3, 7, 6, 6, 3, 0], ["det", "amod", "nsubj", "case", "det", "nmod", "root"]
    >>> noun_chunks(heads, relations, ["DET", "ADJ", "NOUN", "ADP", "DET", "NOUN", "VERB"])  # the old man of the sea
    [(0, 3), (4, 6)]
    """
    owners = _owners(heads, relations, tags)
    found = []
    for owner, words in groupby(range(len(owners)), key=owners.__getitem__):
        if tags[owner] not in _NOMINAL or _is(relations[owner], _NO_PHRASES):
            continue
        inner = list(words)
        while inner and tags[inner[0]] in _NEVER_AT_ENDS:
            del inner[0]
        while inner and tags[inner[-1]] in _NEVER_AT_ENDS:
            del inner[-1]
        if any(tags[word] in _NOMINAL for word in inner):
            found.append((inner[0], inner[-1] + 1))
    return found


def _owners(heads: Sequence[int], relations: Sequence[str], tags: Sequence[str]) -> list[int]:
    """Return for each word the word whose phrase it belongs to, often itself."""
    owners = [-1] * len(heads)
    with_right_children = {head - 1 for word, head in enumerate(heads) if head <= word}
    for start in range(len(heads)):
        path = []
        word = start
        while word >= 0 and owners[word] < 0:  # up to a root, or to a word whose owner is known
            owners[word] = word
            path.append(word)
            word = heads[word] - 1
        for word in reversed(path):
            head = heads[word] - 1
            if head < 0:
                continue
            relation = relations[word]
            if owners[head] != head:
                belongs = tags[word] not in _NOMINAL or _is(relation, _TO_PARTS)
            elif tags[head] not in _NOMINAL:
                belongs = False
            elif word < head:
                belongs = _is(relation, _BEFORE)
            else:
                belongs = _is(relation, _BEHIND) or (
                    relation == "amod" and tags[head] == "NOUN" and word not in with_right_children
                )
            if belongs:
                owners[word] = owners[head]
    return owners


def _is(relation: str, some: frozenset[str]) -> bool:
    return relation in some or relation.partition(":")[0] in some
