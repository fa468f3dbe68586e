"""Warnings of odd training data: labels, sentences, and held-out data that were trained on.

Data that are not the core's sentences may have `sentence_hashes`, the hash of each item, 0 for those that are too short
to be compared.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain

import sapwood._core as _core
from sapwood.errors import warn
from sapwood.events import Started
from sapwood.io.conllu import checked_text

_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d*)?(?:e[+-]?\d{1,2})?")
Place = Callable[[str], str]  # gives the place of the first token or example with a label, or nothing
# More labels than this, with fewer examples of each than that, hint at a wrong column.
_MANY_LABELS, _FEW_EXAMPLES = 100, 50
_HARDLY, _ENOUGH = 5, 200  # a label of fewer examples is named, in data of so many
_FEW = 20  # examples, of which each may well have a label of its own
_LONG = 2000  # tokens; what is longer is no sentence
_LARGE = 1000  # times a usual value
REPEATED = 0.01  # share of the held-out sentences that may stand in the training data by chance


def first_of(labels: Iterable[Iterable[str]], where: Callable[[int], str], label: str) -> str:
    """Return the place of the first token with a label; nothing if there is none.

    labels : of the tokens of each sentence; where : gives the place of a token by its number
    """
    first = next((number for number, each in enumerate(chain.from_iterable(labels)) if each == label), None)
    return "" if first is None else where(first)


def warn_of_odd_rounding(weights: object, values: Callable[[], Sequence[float]]) -> None:
    """Warn if most features have lost their weights, as one of a large value has a weight beside which they are 0.

    values : of all features
    """
    if not isinstance(weights, _core.PackedModel) or weights.bits == 32:
        return
    kept = sum(table.features for table in weights.tables)
    sizes = sorted(map(abs, values())) if 2 * kept < weights.features else []
    if sizes and sizes[-1] > _LARGE * sizes[len(sizes) // 2]:
        lost = f"{weights.features - kept:,} of {weights.features:,} features have no weight left"
        beside = f"in {weights.bits} bits theirs are 0 beside that of a feature with the value {sizes[-1]:.6g}"
        warn(f"{lost}: {beside}; scale the values, or give --bits 32")


def warn_of_odd_labels(labels: Collection[str], hint: str | None, beginning: Started, place: Place) -> None:
    """Warn if labels are probably not those that were meant.

    hint : what to look at if there are oddly many; empty: there may be any number; None: the user did not name them
    """
    if hint is None:
        return
    warn_of_alike(labels, place)
    count, units, unit = beginning.labels, beginning.tokens, beginning.unit
    if hint and count == 1 and units >= _FEW:
        warn(f"one label only ({next(iter(labels))!a}), so that there is nothing to learn: {hint}")
    if hint and unit == "tokens" and (spaced := [label for label in labels if " " in label]):
        warn(f"the label {spaced[0]!a} has a space in it: where spaces separate columns it would stand in two of them")
    if hint and units >= _FEW and 10 * count > 9 * units:
        warn(f"nearly every one of {units:,} {unit} has a label of its own: {hint}")
    elif hint and count > _MANY_LABELS and count * _FEW_EXAMPLES > units:
        warn(f"{count:,} labels in {units:,} {unit}: {hint}")


def warn_of_few_examples(counts: Mapping[str, int], examples: int) -> None:
    """Warn if some labels have so few examples that they are hardly learned; small data, or most labels, always do."""
    few = {label: count for label, count in counts.items() if count < _HARDLY}
    if examples >= _ENOUGH and 0 < 2 * len(few) <= len(counts):
        named = ", ".join(f"{label!a} ({count})" for label, count in list(few.items())[:3])
        more = ", ..." if len(few) > 3 else ""
        labels = "a label has" if len(few) == 1 else f"{len(few):,} labels have"
        warn(f"{labels} fewer than {_HARDLY} examples, and will hardly be learned: {named}{more}")


def warn_of_two_labels(inputs: Sequence[int], gold: Sequence[int], place: Callable[[int], str]) -> None:
    """Warn if equal texts have different labels.

    inputs : a number for each example, the same for equal ones, 0 for those too short to be compared
    gold : number of the label of each; place : gives the place of an example
    """
    first: dict[int, int] = {}
    found = [k for k, each in enumerate(inputs) if each and gold[first.setdefault(each, k)] != gold[k]]
    if found:
        where = f"{place(first[inputs[found[0]]])} and {place(found[0])}"
        texts = "a text stands" if len(found) == 1 else f"{len(found):,} texts stand"
        warn(f"{texts} there twice with different labels, as at {where}; 'sapwood suspects' finds the wrong ones")


def warn_of_alike(labels: Iterable[str], place: Place = lambda label: "") -> None:
    """Warn if labels differ only in normal form, in case, in blanks, in how a number is written, or by 0 for O.

    Chunks have O for what is outside, also in data that have another label in its place everywhere.
    """
    alike: dict[str | float, list[str]] = {}
    distinct = dict.fromkeys(labels)
    if any(label.startswith(("B-", "I-")) for label in distinct):
        distinct["O"] = None
    for label in distinct:
        plain = "".join(_core.composed(label).casefold().split())
        key = float(plain) if _NUMBER.fullmatch(plain) else plain
        alike.setdefault(0.0 if key == "o" else key, []).append(label)
    groups = [each for each in alike.values() if len(each) > 1]
    if groups:
        more = f" (and {len(groups) - 1:,} more such groups)" if len(groups) > 1 else ""
        names = " and ".join(f"{label!a}{(where := place(label)) and f' ({where})'}" for label in groups[0])
        numbers = [_NUMBER.fullmatch(label.strip().lower()) is not None for label in groups[0]]
        how = "how a number is written" if all(numbers) else "0 for O" if any(numbers) else "case or blanks"
        if len(set(map(_core.composed, groups[0]))) == 1:
            how = "normal form (NFC or NFD)"
        warn(f"the labels {names} differ in {how} only, and count as different{more}; are they one label?")


def warn_of_odd_treebank(data: _core.Conllu, held_out: _core.Conllu | None, *, own_file: bool) -> None:
    """Warn of what is odd about a treebank, and the one held out, which may be data apart or a part of the treebank."""
    warn_of_odd_sentences(data)
    if held_out is not None:
        if own_file:
            checked_text(held_out)
        warn_of_odd_held_out(data, held_out, "sentences", same=own_file and is_same(data, held_out))


def warn_of_odd_sentences(data: object) -> None:
    """Warn if a sentence has thousands of tokens, or if words are not what `# text` has."""
    if isinstance(data, (_core.Columns, _core.Conllu)):
        tokens, first = data.longest
        if tokens > _LONG:
            warn(f"{data.where(first)}: a sentence of {tokens:,} tokens; are the blank lines after sentences lost?")
    if isinstance(data, _core.Conllu):
        checked_text(data)


def warn_of_odd_held_out(data: object, held_out: object, unit: str, label: int = 0, *, same: bool) -> None:
    """Warn if held-out data were trained on.

    unit : what the data consist of; label : number of the column of the labels, where there are columns
    same : whether they have the same content
    """
    if same:
        warn("the held-out data are the training data, so that their scores say nothing about other data")
        return
    hashes = sentence_hashes(held_out, label)
    known = set(hashes).intersection(sentence_hashes(data, label))
    compared = sum(map(bool, hashes))
    repeated = sum(each in known for each in hashes if each)
    if repeated > REPEATED * compared:
        share = f"{repeated:,} of the {compared:,} held-out {unit} of 8 tokens or more"
        percent = f"{100 * repeated / compared:.1f} %"
        warn(f"{share} ({percent}) stand in the training data, too, so that scores are too high; take them out of one")


def is_same(data: object, held_out: object) -> bool:
    """Return true if two data have the same content."""
    checksum = getattr(data, "checksum", None)
    return checksum is not None and checksum == getattr(held_out, "checksum", None)


def sentence_hashes(data: object, label: int = 0) -> Sequence[int]:
    """Return the hash of each item, 0 for one that is too short; label : number of the column of the labels."""
    match data:
        case _core.Columns():
            return memoryview(data.sentence_hashes(label)).cast("Q")
        case _core.Conllu():
            return memoryview(data.sentence_hashes()).cast("Q")
    hashes: Callable[[], Sequence[int]] = getattr(data, "sentence_hashes", tuple)
    return hashes()
