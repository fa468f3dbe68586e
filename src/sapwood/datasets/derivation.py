"""Compiling the grammar, and deriving sentences from it.

A sentence is represented by its leftmost derivation: the rules in the order of their use, and the words. Tags, chunks,
heads, relations and brackets can be read off the derivation later. So the loop, which has to generate millions of
tokens, only keeps a stack of items that are still to be rewritten:

    take the topmost item;  a symbol?  draw one of its rules, push the rule's items
                            a leaf?    draw a word

A rule is a small tree. Its annotation is computed once, when the grammar is compiled: the item that each item is
attached to, the relation, the brackets before it and its chunk.

Weights are summed by ``accumulate``. The result of ``sum`` for fractions changed in Python 3.12, and a corpus has to be
the same in every version.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import accumulate, product

from sapwood.datasets.grammar import FEATURES, OBJECTS, PREPOSITIONS, TABLE
from sapwood.datasets.lexicon import CLOSED, FORMS, SCALE, weights

LONGEST = 80  # tokens; a longer sentence is discarded and drawn again
_REMEMBERED = 4096  # spelled words that are kept, of each leaf


@dataclass(slots=True, eq=False)
class Leaf:
    """A place for a word: its tag, its chunk label, and the words that may stand there."""

    tag: str
    chunk: str
    ending: str  # the rest of the word's line: " tag chunk\n"
    rules: None = None  # tells a leaf from a symbol
    words: list[str] = field(default_factory=list)  # a closed class: its words ...
    bounds: list[float] = field(default_factory=list)  # ... and their cumulative shares
    offset: float = 0.0  # an open class: Mandelbrot's q ...
    spell: Callable[[int], str] = str  # ... and the word of a rank


@dataclass(slots=True, eq=False)
class Rule:
    """A small tree with items at its leaves. Index i is the i-th item from the left."""

    items: list["Symbol | Leaf"] = field(default_factory=list)  # [I]
    head: int = 0  # the item that all others are attached to, directly or indirectly
    governors: list[int] = field(default_factory=list)  # [I] the item that it is attached to; for the head, itself
    relations: list[str] = field(default_factory=list)  # [I] the relation of the attachment; "" for the head
    brackets: list[str] = field(default_factory=list)  # [I + 1] the brackets before each item, and at the end
    pending: list["Symbol | Leaf"] = field(default_factory=list)  # [I] the items from right to left


@dataclass(slots=True, eq=False)
class Symbol:
    """A symbol that is rewritten by one of its rules."""

    rules: list[Rule] = field(default_factory=list)
    bounds: list[float] = field(default_factory=list)  # [rules] cumulative shares


def derive(start: Symbol, random: Callable[[], float]) -> tuple[list[str], list[Leaf], list[Rule]]:
    """Draw one sentence: its words, their leaves, and the rules of its leftmost derivation."""
    while True:
        words: list[str] = []
        leaves: list[Leaf] = []
        rules: list[Rule] = []
        pending: list[Symbol | Leaf] = [start]
        while pending:
            item = pending.pop()
            if item.rules is not None:
                rule = item.rules[bisect(item.bounds, random())]
                rules.append(rule)
                pending += rule.pending
            else:
                leaves.append(item)
                if item.words:
                    words.append(item.words[bisect(item.bounds, random())])
                else:
                    u = 1.0 - random()
                    rank = int(item.offset / (u * u) - item.offset)
                    words.append(item.spell(rank))
                    if len(words) > LONGEST:  # it is enough to check here: every sentence has words of open classes
                        break
        if not pending and len(words) <= LONGEST:
            return words, leaves, rules


@cache
def start_symbol() -> Symbol:
    """Compile the table, once, and return the symbol that sentences are derived from."""
    bodies = _bodies()
    leaves: dict[tuple[str, str], Leaf] = {}
    symbols = {name: Symbol() for name in bodies}
    for name, symbol in symbols.items():
        alternatives = _without_chains(name, bodies)
        symbol.bounds = _bounds([weight for weight, _ in alternatives])
        symbol.rules = [_Reader(name, symbols, leaves).read(body) for _, body in alternatives]
    return symbols["text"]


def _bounds(shares: list[float]) -> list[float]:
    """Return cumulative shares: ``bisect(bounds, u)`` draws by weight for a uniform u in [0, 1)."""
    *sums, total = accumulate(shares)
    return [*(bound / total for bound in sums), 1.0]


def _lines() -> list[str]:
    """Return the lines of the table, and those that follow from the preferences of words."""
    lines = TABLE.split("\n")
    for governor, preferences in PREPOSITIONS.items():
        lines.append(f"PP.{governor}")
        for word, weight in weights(preferences):
            governed = "when" if governor == "time" else word
            lines.append(f"  {weight} {word}:IN/case *object.{governed}")
    for governor, preferences in OBJECTS.items():
        lines.append(f"object.{governor}")
        lines += [f"  {weight} *np.{{n}}.{noun}" for noun, weight in weights(preferences)]
        lines.append("  8 (NP *PRP.object)" if "person" in preferences else "  1 (NP *DT.alone)")
    return lines


def _bodies() -> dict[str, list[tuple[float, str]]]:
    """Return the weighted bodies of each symbol of the table, with every feature replaced by its values."""
    bodies: dict[str, list[tuple[float, str]]] = {}
    symbols: list[tuple[str, dict[str, str], float]] = []
    for line in _lines():
        name, _, alternatives = line.partition(" ")
        symbols = _instances(name, {}) if name else symbols
        for weight, body in (text.split(None, 1) for text in alternatives.split(" | ") if text):
            for symbol, features, _ in symbols:
                for text, _, share in _instances(body, features):
                    bodies.setdefault(symbol, []).append((float(weight) * share, text))
    return bodies


def _instances(text: str, features: dict[str, str]) -> list[tuple[str, dict[str, str], float]]:
    """Replace the features in a text in every way. Return each text, its values of the features, and its share."""
    free = [name for name in FEATURES if f"{{{name}}}" in text and name not in features]
    instances = []
    for choice in product(*(FEATURES[name].items() for name in free)):
        values, share = dict(features), 1.0
        for name, (value, weight) in zip(free, choice, strict=True):
            values[name] = value
            share *= weight / sum(FEATURES[name].values())
        instances.append((text.format_map(values), values, share))
    return instances


def _without_chains(name: str, bodies: dict[str, list[tuple[float, str]]]) -> list[tuple[float, str]]:
    """Return the bodies of a symbol; a body that only names a symbol without a node is replaced by its bodies."""
    found = []
    for weight, body in bodies[name]:
        other = body.lstrip("*")
        if other in bodies and other[0].islower():
            below = _without_chains(other, bodies)
            *_, total = accumulate(share for share, _ in below)
            found += [(weight * share / total, text) for share, text in below]
        else:
            found.append((weight, body))
    return found


_TOKEN = re.compile(
    r"""(?P<head>\*?)
        (?: \( (?P<label>[A-Z]+|&)
          | (?P<close>\))        (?: / (?P<attached>\S+?) (?=[\s)]|$) )?
          | (?P<goes_on>\+?) (?P<name>[^\s()/]+) (?: / (?P<relation>[^\s()]+) )? )""",
    re.VERBOSE,
)
_CHUNKS = {
    "NP": "NP", "WHNP": "NP", "VP": "VP", "PP": "PP", "ADJP": "ADJP", "ADVP": "ADVP", "WHADVP": "ADVP",
    "SBAR": "SBAR", "PRT": "PRT", "INTJ": "INTJ",
}  # fmt: skip
_OUTSIDE = {".", ",", ":", "``", "''", "-LRB-", "-RRB-"}


class _Reader:
    """A recursive-descent reader of the body of one rule."""

    def __init__(self, name: str, symbols: dict[str, Symbol], leaves: dict[tuple[str, str], Leaf]) -> None:
        self.label = name.partition(".")[0] if name[0].isupper() else ""
        self.symbols, self.leaves = symbols, leaves
        self.rule = Rule()
        self.written = ""  # brackets since the last item

    def read(self, body: str) -> Rule:
        tokens = _TOKEN.finditer(f"{body})")
        self.rule.head, _ = self.node(self.label, (), tokens)
        self.rule.brackets.append(self.written)
        self.rule.pending = self.rule.items[::-1]
        return self.rule

    def node(self, label: str, above: tuple[str, ...], tokens: Iterator[re.Match[str]]) -> tuple[int, str]:
        """Read up to the closing bracket. Return the item that is the head, and the relation of the node."""
        path = (*above, label) if label else above
        self.written += f" ({label}" if label else ""
        head, others = -1, []
        for token in tokens:
            if token["close"]:
                break
            if token["name"]:
                item, relation = self.item(token, path), token["relation"]
            else:
                item, relation = self.node(token["label"].strip("&"), path, tokens)
            if token["head"]:
                head = item
            else:
                others.append((item, relation))
        self.written += ")" if label else ""
        if head < 0:  # a single item has no star
            ((head, _),) = others
        for item, relation in others:
            self.rule.governors[item] = head
            self.rule.relations[item] = relation
        return head, token["attached"] or ""

    def item(self, token: re.Match[str], path: tuple[str, ...]) -> int:
        """Add an item, attached to itself for now, and return its index."""
        rule, name = self.rule, token["name"]
        number = len(rule.items)
        rule.items.append(self.symbols.get(name) or self.leaf(name, path, goes_on=bool(token["goes_on"])))
        rule.governors.append(number)
        rule.relations.append("")
        rule.brackets.append(self.written)
        self.written = ""
        return number

    def leaf(self, name: str, path: tuple[str, ...], goes_on: bool) -> Leaf:
        """Return the leaf of a name such as ``NN.person`` or ``of:IN`` in its chunk."""
        word, tag = "", "." if name[0] == "." else name.partition(".")[0]
        if name not in CLOSED and ":" in name:
            word, _, tag = name.rpartition(":")
        chunk = self.chunk(tag, path, goes_on)
        leaf = self.leaves.get((name, chunk))
        if leaf is None:
            leaf = self.leaves[name, chunk] = Leaf(tag, chunk, f" {tag} {chunk}\n")
            if word or name in CLOSED:
                entries = weights(CLOSED[name]) if name in CLOSED else [(word, 1.0)]
                leaf.words = [entry for entry, _ in entries]
                leaf.bounds = _bounds([weight for _, weight in entries])
            else:
                word_class = name.partition(".")[2]
                leaf.offset = SCALE[word_class]
                leaf.spell = lru_cache(_REMEMBERED)(partial(FORMS[tag], word_class))
        return leaf

    def chunk(self, tag: str, path: tuple[str, ...], goes_on: bool) -> str:
        """Return the chunk label of a tag. `path` has the labels of the nodes above it, from the top."""
        before = self.rule.items[-1] if self.rule.items else None
        last = "" if before is None or before.rules is not None else before.chunk[2:]
        if tag in _OUTSIDE:
            return "O"
        if tag == "CC":  # within a base phrase only
            return f"I-{last}" if last else "O"
        within_noun_phrase = "NP" in path and path[-1] in {"NP", "ADJP", "QP"}
        kind = "NP" if within_noun_phrase else _CHUNKS[path[-1] if path else "VP"]
        if tag == "POS":
            return f"B-{kind}"
        return f"I-{kind}" if goes_on or last == kind else f"B-{kind}"
