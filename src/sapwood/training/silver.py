"""Silver data: sentences that another model or person labelled, from which a model learns beside its gold data.

A small model learns so from a large one [Weiss et al. 2015], or from others that agree [Zhou & Li 2005]. Gold data
weigh more: each of their sentences is there several times, each of silver's once. These sentences of silver are left
out:

* those that stand in the gold or the held-out data: gold's answers count, and what a model is scored on is not learned;
* those whose labeller was not sure: the mean of what MISC says of their words is too low, ``P=`` in percent, or
  ``ArcConfidence=`` as a fraction, which sapwood's models write;
* those with a label that the gold data do not have, such as a rare mistake, or one for what is missing;
* for the tagger of a pipeline, those with a word that the gold data have often, and never with the tag it has here.

Weiss, Alberti, Collins and Petrov: Structured Training for Neural Network Transition-Based Parsing (ACL 2015).
Zhou and Li: Tri-Training: Exploiting Unlabeled Data Using Three Classifiers (IEEE TKDE 17, 2005).
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar

import sapwood._core as _core
from sapwood.errors import DataError, OptionError, warn
from sapwood.io.conllu import tree_flaw
from sapwood.training.odd_data import REPEATED, sentence_hashes
from sapwood.training.run import Run

Data = TypeVar("Data", _core.Columns, _core.Conllu)
Cells = Sequence[Sequence[str]]  # a column, by sentence

# Items of MISC that say how sure the labeller was of a word's head, or of its name: in percent, or as a fraction of 1.
SURE_HEAD, SURE_NAME = ("P", "ArcConfidence"), ("Q", "NameConfidence")
_SHOWN = 3  # labels in a warning
_OFTEN = 20  # a word that gold data have so many times has there all the labels that it can have
_NUMBERS = re.compile(r"(?:^|\|)(\w{1,40})=(\d{1,9}(?:\.\d{1,9})?)(?=\||$)")  # items of MISC whose value is a number


def silver_source(silver: Any, kind: type[Data]) -> Any:
    """Return the value of the option `silver` as readers of data take it; None if there are no silver data.

    kind : of data in memory. Rows may be lists of sentences, too. Raises OptionError for what is no data.
    """
    if isinstance(silver, kind):
        return silver
    given: Any = [silver] if isinstance(silver, (str, os.PathLike)) else silver
    parts = (str, os.PathLike, _core.Conllu) if kind is _core.Conllu else (str, os.PathLike)
    if isinstance(given, Sequence) and all(isinstance(each, parts) for each in given):
        return [each if isinstance(each, _core.Conllu) else Path(each) for each in given] or None
    if kind is _core.Columns and isinstance(given, Sequence):
        return given
    in_memory = "sentences" if kind is _core.Columns else "treebanks"
    raise OptionError(f"silver is a list of files, or {in_memory} in memory, not {given!r:.60}")


def read_silver(
    source: Any,
    read: Callable[[Any], Data],
    run: Run,
    noun: str,
    gold: Data,
    held_out: Data | None,
    choose: Callable[[SilverFilter[Data]], object],
    label: int = 0,
) -> Data | None:
    """Return the silver sentences that a model learns from beside gold ones, None if there are none.

    source : as `silver_source` gives it; noun : the model is called; label : number of the column of the labels
    choose : leaves out sentences that do not teach it

    Larger work has chosen the sentences for its parts. Raises OptionError for a training that does not have all its
    data at once, DataError if there are files, and nothing in them to learn.
    """
    if source is None:
        return None
    if run.scratch is not None or run.one_pass:
        raise OptionError("silver data are learned beside all gold data: use fit, and leave stream out")
    silver = read(source)
    if not run.monitors_data:
        return silver
    choice = SilverFilter(silver, noun)
    choice.apart_from(gold, held_out, label)
    choose(choice)
    return choice.chosen()


class SilverFilter(Generic[Data]):
    """The sentences of silver data that are left, as rules take some away, each with its reason.

    noun : what learns from them
    """

    def __init__(self, silver: Data, noun: str) -> None:
        self.silver: Data = silver
        self.noun = noun
        self.left = list(range(silver.sentences))  # numbers of sentences
        self._reasons: list[str] = []

    def apart_from(self, gold: Data, held_out: Data | None, label: int = 0) -> None:
        """Leave out what stands in the gold or the held-out data; warn if that are more than chance would have.

        label : number of the column of the labels, where there are columns
        """
        hashes = sentence_hashes(self.silver, label)
        for other, what in ((gold, "training"), (held_out, "held-out")):
            if other is None:
                continue
            known = {each for each in sentence_hashes(other, label) if each}
            alike = {s for s in self.left if hashes[s] in known}
            reason = f"stand in the {what} data, too"
            self.leave_out(alike, reason)
            if len(alike) > REPEATED * min(len(known), sum(map(bool, hashes))):
                self._warn(f"{len(alike):,} of its {self.silver.sentences:,} sentences {reason}, and are left out")

    def sure(self, misc: Cells, least: float, items: tuple[str, str] = SURE_HEAD) -> None:
        """Leave out sentences that are not sure enough.

        least : the least mean of the words that have one of the items, in percent
        """
        if least > 0:
            unsure = {s for s in self.left if _mean(misc[s], items) < least}
            self.leave_out(unsure, f"have a mean {items[0]}= below {least:g}")

    def known(self, labels: Cells, known: Collection[str], what: str) -> None:
        """Leave out sentences with labels that gold data do not have, and warn; what : the labels are called."""
        foreign = Counter(label for s in self.left for label in labels[s] if label not in known)
        unknown = {s for s in self.left if not foreign.keys().isdisjoint(labels[s])}
        if not unknown:
            return
        counts = ((label.replace("↑", " lifted from "), count) for label, count in foreign.most_common(_SHOWN))
        shown = ", ".join(f"{label!a} ({count:,})" for label, count in counts)
        more = f" and {len(foreign) - _SHOWN:,} more" if len(foreign) > _SHOWN else ""
        reason = f"have {what} that the training data do not have: {shown}{more}"
        self._leave_out_and_warn(unknown, reason)

    def agree(self, silver: tuple[Cells, Cells], gold: tuple[Cells, Cells], what: str) -> None:
        """Leave out sentences in which a frequent word of gold data has a label that gold never gives it, and warn.

        Capitals and small letters count as the same. silver, gold : words and their labels; what : these are called
        """
        words, labels = silver
        pairs = zip(*map(chain.from_iterable, gold), strict=True)
        given = Counter((word.lower(), label) for word, label in pairs)
        count: Counter[str] = Counter()
        for (word, _), times in given.items():
            count[word] += times
        wrong: Counter[tuple[str, str]] = Counter()
        contradicting = set()
        for s in self.left:
            for pair in zip(map(str.lower, words[s]), labels[s], strict=True):
                if count[pair[0]] >= _OFTEN and pair not in given:
                    wrong[pair] += 1
                    contradicting.add(s)
        if not contradicting:
            return
        shown = ", ".join(f"{word!a} as {label!a} ({n:,})" for (word, label), n in wrong.most_common(_SHOWN))
        self._leave_out_and_warn(contradicting, f"have {what} that the training data do not have for words: {shown}")

    def trees(self, heads: Cells, *, single_root: bool) -> None:
        """Leave out sentences whose heads are no tree."""
        broken = {s for s in self.left if tree_flaw(heads[s], single_root=single_root)}
        self.leave_out(broken, "have no trees")

    def chosen(self) -> Data:
        """Return the sentences that are left. Raises DataError if there is none."""
        if not self.left:
            message = f"{self.silver.name}: no sentence of these silver data teaches the {self.noun}"
            raise DataError(f"{message}: of {self.silver.sentences:,}, {'; '.join(self._reasons)}")
        chosen: Data = self.silver.select(self.left)
        return chosen

    def leave_out(self, sentences: Collection[int], reason: str) -> None:
        """Leave out sentences for a reason, such as "have no trees"."""
        if sentences:
            self.left = [s for s in self.left if s not in sentences]
            self._reasons.append(f"{len(sentences):,} {reason}")

    def _leave_out_and_warn(self, sentences: Collection[int], reason: str) -> None:
        self.leave_out(sentences, reason)
        if self.left:
            self._warn(f"{len(sentences):,} of its {self.silver.sentences:,} sentences are left out, which {reason}")

    def _warn(self, message: str) -> None:
        warn(f"{self.silver.name}, for the {self.noun}: {message}")


def _mean(misc: Sequence[str], items: tuple[str, str]) -> float:
    """Return the mean of an item of MISC over the words that have it, in percent; 100 if none has.

    >>> _mean(["P=90|NER=O", "SpaceAfter=No|P=70", "_"], SURE_HEAD), _mean(["ArcConfidence=0.75"], SURE_HEAD)
    (80.0, 75.0)
    """
    percent, fraction = items
    scales = {percent: 1.0, fraction: 100.0}
    found = [float(value) * scales[name] for cell in misc for name, value in _NUMBERS.findall(cell) if name in scales]
    return sum(found) / len(found) if found else 100.0


def labels_of(column: Cells) -> set[str]:
    """Return the labels in a column."""
    return set(chain.from_iterable(column))
