"""What is odd about data to train on: labels, sentences, and held-out data that were trained on. A warning for each.

Tasks say what they train on by `Trainable.label_hint` and, where data are not the core's sentences, `Compared`.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sapwood import _core
from sapwood.errors import SapwoodWarning

if TYPE_CHECKING:
    from sapwood.events import Started

# More labels than this, with fewer examples of each than that, hint at a wrong column.
_MANY_LABELS, _FEW_EXAMPLES = 100, 50
_FEW = 20  # examples, of which each may well have a label of its own
_LONG = 2000  # tokens; what is longer is no sentence
_REPEATED = 0.01  # share of the held-out sentences that may stand in the training data by chance


@runtime_checkable
class Compared(Protocol):
    """Data whose items can be compared with those of other data."""

    def sentence_hashes(self) -> Sequence[int]:
        """Return the hash of each item, 0 for those that are too short to be compared."""


def look_at_labels(labels: Collection[str], hint: str | None, beginning: Started) -> None:
    """Warn if labels are probably not those that were meant.

    hint : what to look at if there are oddly many; empty: there may be any number; None: the user did not name them
    """
    if hint is None:
        return
    warn_of_alike(labels)
    count, units, unit = beginning.labels, beginning.tokens, beginning.unit
    if hint and unit == "tokens" and (spaced := [label for label in labels if " " in label]):
        _warn(f"the label {spaced[0]!a} has a space in it: where spaces separate columns it would stand in two of them")
    if hint and units >= _FEW and 10 * count > 9 * units:
        _warn(f"nearly every one of {units:,} {unit} has a label of its own: {hint}")
    elif hint and count > _MANY_LABELS and count * _FEW_EXAMPLES > units:
        _warn(f"{count:,} labels in {units:,} {unit}: {hint}")


def warn_of_alike(labels: Iterable[str]) -> None:
    """Warn if labels differ in case or blanks only."""
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault("".join(label.casefold().split()), []).append(label)
    groups = [each for each in alike.values() if len(each) > 1]
    if groups:
        more = f" (and {len(groups) - 1:,} more such groups)" if len(groups) > 1 else ""
        names = " and ".join(ascii(label) for label in groups[0])
        _warn(f"the labels {names} differ in case or blanks only, and count as different{more}; are they one label?")


def look_at_treebank(data: _core.Conllu, held_out: _core.Conllu | None, *, apart: bool) -> None:
    """Warn of what is odd about a treebank, and the one held out, which may be data apart or a part of the treebank."""
    look_at_sentences(data)
    if held_out is not None:
        look_at_held_out(data, held_out, "sentences", same=apart and is_same(data, held_out))


def look_at_sentences(data: object) -> None:
    """Warn if a sentence has thousands of tokens."""
    if isinstance(data, (_core.Columns, _core.Conllu)):
        tokens, first = data.longest
        if tokens > _LONG:
            _warn(f"{data.where(first)}: a sentence of {tokens:,} tokens; are the blank lines after sentences lost?")


def look_at_held_out(data: object, held_out: object, unit: str, label: int = 0, *, same: bool) -> None:
    """Warn if held-out data were trained on.

    unit : what the data consist of; label : number of the column of the labels, where there are columns
    same : whether they have the same content
    """
    if same:
        _warn("the held-out data are the training data, so that their scores say nothing about other data")
        return
    hashes = _hashes(held_out, label)
    known = set(hashes).intersection(_hashes(data, label))
    compared = sum(map(bool, hashes))
    repeated = sum(each in known for each in hashes if each)
    if repeated > _REPEATED * compared:
        share = f"{repeated:,} of the {compared:,} held-out {unit} of 8 tokens or more"
        percent = f"{100 * repeated / compared:.1f} %"
        _warn(f"{share} ({percent}) stand in the training data, too, so that scores are too high; take them out of one")


def is_same(data: object, held_out: object) -> bool:
    """Whether two data have the same content."""
    checksum = getattr(data, "checksum", None)
    return checksum is not None and checksum == getattr(held_out, "checksum", None)


def _hashes(data: object, label: int) -> Sequence[int]:
    match data:
        case _core.Columns():
            return memoryview(data.sentence_hashes(label)).cast("Q")
        case _core.Conllu():
            return memoryview(data.sentence_hashes()).cast("Q")
        case Compared():
            return data.sentence_hashes()
    return ()


def _warn(message: str) -> None:
    warnings.warn(message, SapwoodWarning, stacklevel=3)
