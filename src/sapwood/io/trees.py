"""Gold trees of treebanks: which sentences have none, and relations of an older version of Universal Dependencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from sapwood._core import Conllu
from sapwood.base.heads import check_heads
from sapwood.errors import DataError, warn

_DIGITS = 9  # the number of a word has fewer
# Relations of version 1 of Universal Dependencies that version 2 has not, and what they are there.
_OLD_RELATIONS = {
    "dobj": "obj",
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "neg": "advmod",
    "mwe": "fixed",
    "name": "flat",
    "remnant": "orphan",
    "foreign": "flat:foreign",
}
_NEW_RELATIONS = ("obj", "obl", "fixed", "flat", "orphan")  # relations of version 2 that version 1 has not
_FEW = 2  # old relations, of which one may be a treebank's own


def tree_flaw(heads: Sequence[str], *, single_root: bool) -> str:
    """Return the reason why heads of a sentence's words are no tree, with one root or several; else nothing.

    >>> tree_flaw(["2", "0", "2"], single_root=True), tree_flaw(["2", "1"], single_root=True)
    ('', 'without a root')
    """
    if "_" in heads:
        return "without heads" if set(heads) == {"_"} else "with words that have no head"
    if not all(head.isascii() and head.isdigit() and len(head) < _DIGITS for head in heads):
        return "with heads that are no numbers"
    numbers = [*map(int, heads)]
    if max(numbers, default=0) > len(numbers):
        return "with heads outside of the sentence"
    if 0 not in numbers:
        return "without a root"
    if single_root and numbers.count(0) > 1:
        return "with several roots"
    try:
        check_heads(numbers, "")
    except DataError:
        return "with a cycle"
    return ""


def with_trees(data: Conllu, *, single_root: bool, skip_bad: bool) -> Conllu:
    """Return the sentences that have a tree; see `trees_in`."""
    chosen = trees_in(data, single_root=single_root, skip_bad=skip_bad)
    return data if len(chosen) == data.sentences else data.select(chosen)


def trees_in(data: Conllu, *, single_root: bool, skip_bad: bool) -> list[int]:
    """Return the numbers of the sentences that have a tree, with one word that is its root or several.

    Where others have none, it warns if they are to be skipped, and raises DataError if not, or if no sentence is left.
    Both name the first of them with its line, and count them by what is wrong.
    """
    found = enumerate(tree_flaw(heads, single_root=single_root) for heads in data.column("head"))
    flaws = {s: flaw for s, flaw in found if flaw}
    if not flaws:
        return list(range(data.sentences))
    first = min(flaws)
    try:
        data.select([first]).trees(single_root)
        message = data.name
    except DataError as error:
        message = str(error)
    count = f"{len(flaws):,} of {data.sentences:,} sentences {'has' if len(flaws) == 1 else 'have'} no usable tree"
    kinds = ", ".join(f"{number:,} {flaw}" for flaw, number in Counter(flaws.values()).most_common())
    message = f"{message}; {count} ({kinds})"
    if len(flaws) == data.sentences:
        raise DataError(message)
    if not skip_bad:
        raise DataError(f"{message}; --skip-bad (skip_bad=True) leaves such out")
    warn(f"{message}; {'it is' if len(flaws) == 1 else 'they are'} left out")
    return [s for s in range(data.sentences) if s not in flaws]


def warn_of_old_relations(data: Conllu) -> None:
    """Warn if relations are those of version 1 of Universal Dependencies, but for a few that a conversion has left."""
    counts = Counter(chain.from_iterable(data.column("deprel")))
    old = [name for name in _OLD_RELATIONS if name in counts]
    if len(old) >= _FEW and sum(counts[name] for name in old) > sum(counts[name] for name in _NEW_RELATIONS):
        names = ", ".join(f"{name} ({counts[name]:,}; now {_OLD_RELATIONS[name]})" for name in old[:3])
        message = f"{data.name}: relations of version 1 of Universal Dependencies, such as {names}"
        warn(f"{message}; models and scores of version 2 do not go with them, so convert them first")
