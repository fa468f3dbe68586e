"""spaCy's numbers of tags, features, relations and names, and whether it keeps them as they are."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable
from itertools import pairwise
from typing import Any

from spacy.morphology import Morphology
from spacy.parts_of_speech import IDS, NAMES
from spacy.strings import StringStore
from spacy.vocab import Vocab

BEGIN, INSIDE, OUTSIDE = 3, 1, 2  # ENT_IOB
ROOT = ("root", "ROOT")  # the relation of a root, in treebanks and in spaCy
_UPOS = {*NAMES.values(), "_"} - {"", "SPACE", "EOL"}
_MORPHOLOGY = Morphology(StringStore())
_FEATS = re.compile(r"[^=|]+=[^=|]+(\|[^=|]+=[^=|]+)*")  # morphological features, to spaCy


class Numbers(dict[str, int]):
    """The number of each value that was asked for."""

    def __init__(self, number: Callable[[str], int], keeps: Callable[[str], bool] = bool) -> None:
        super().__init__()
        self._number, self._keeps = number, keeps
        self._changed: set[str] = set()  # values that spaCy does not give back as they are

    def __missing__(self, value: str) -> int:
        if not self._keeps(value):
            self._changed.add(value)
        number = self[value] = self._number(value)
        return number

    def of(self, values: Collection[str]) -> list[int]:
        """Return the number of each value."""
        return list(map(self.__getitem__, values))

    def keep(self, values: Collection[str]) -> bool:
        """Return true if spaCy gives all values back as they are."""
        self.of(values)
        return not self._changed or self._changed.isdisjoint(values)


class Names(dict[tuple[str, str], tuple[int, int]]):
    """ENT_IOB and the number of the type of each label of a name, by the label before it and itself."""

    def __init__(self, kinds: Numbers) -> None:
        super().__init__()
        self._kinds = kinds
        self._changed: set[tuple[str, str]] = set()

    def __missing__(self, labels: tuple[str, str]) -> tuple[int, int]:
        before, label = labels
        kind = label[2:]
        goes_on = label[:1] == "I" and label[1:] == before[1:]
        if not (label == "O" or (label[1:2] == "-" and kind and (label[0] == "B" or goes_on))):
            self._changed.add(labels)
        self[labels] = found = (OUTSIDE, 0) if label == "O" else (INSIDE if goes_on else BEGIN, self._kinds[kind])
        return found

    def of(self, labels: list[str]) -> tuple[list[int], list[int]]:
        """Return ENT_IOB and the number of the type of each label."""
        found = list(map(self.__getitem__, pairwise(["O", *labels])))
        return [iob for iob, _ in found], [kind for _, kind in found]

    def keep(self, labels: list[str]) -> bool:
        """Return true if spaCy gives all labels back as they are: O, B and a name, I and the name before."""
        if labels.count("O") == len(labels):
            return True
        pairs = [*pairwise(["O", *labels])]
        deque(map(self.__getitem__, pairs), 0)
        return not self._changed or self._changed.isdisjoint(pairs)


class Codes:
    """The numbers of one vocabulary, which are looked up once; strings of these closed sets stay in it."""

    def __init__(self, vocab: Vocab) -> None:
        store: Any = vocab.strings

        def add(text: str) -> int:
            number: int = store.add(text, allow_transient=False)
            return number

        self.vocab = vocab
        self.upos = Numbers(lambda tag: IDS.get(tag, 0), _UPOS.__contains__)
        self.xpos = Numbers(lambda tag: 0 if tag == "_" else add(tag))
        self.feats = Numbers(lambda feats: add(_normal(feats)), lambda feats: _normal(feats) == feats)
        self.deprel = Numbers(
            lambda relation: add(ROOT[1] if relation == ROOT[0] else relation), lambda relation: relation != ROOT[1]
        )
        self.kinds = Numbers(add)  # kinds of names
        self.names = Names(self.kinds)

    def lemmas(self, values: Iterable[str]) -> list[int]:
        """Return the numbers of lemmas: words, which spaCy may forget after a document."""
        return list(map(self.vocab.strings.add, values))


def _normal(feats: str) -> str:
    """Return morphological features as spaCy has them: sorted, and none that are not of its kind."""
    return str(_MORPHOLOGY.normalize_features(feats)) if _FEATS.fullmatch(feats) else "_"
