"""Scores of phrase-structure trees, as evalb counts them with COLLINS.prm (Sekine & Collins 1997; PARSEVAL).

A bracket is a category with the words that it spans; part-of-speech tags are not brackets. The root TOP (S1, ROOT or no
label), punctuation, and brackets that span nothing else are deleted. PRT counts as ADVP; functional tags are cut off.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sapwood.errors import DataError
from sapwood.metrics.labels import Matches, Report, percent

Bracket = tuple[str, int, int]

_ROOTS = frozenset(("TOP", "S1", "ROOT", ""))
_DELETED_TAGS = frozenset((",", ":", "``", "''", ".", "-NONE-"))
_SAME = {"PRT": "ADVP"}


@dataclass(frozen=True, slots=True)
class BracketReport(Matches, Report):
    """The result of ``bracket_scores``: counts over sentences. ``precision``, ``recall`` and ``f1`` are of brackets."""

    figures = (
        "sentences", "skipped", "gold", "guessed", "matched", "exact", "crossing", "no_crossing", "words", "tags",
        "precision", "recall", "f1",
    )  # fmt: skip

    sentences: int
    skipped: int  # sentences whose words differ between guess and gold
    gold: int  # brackets
    guessed: int
    matched: int
    exact: int  # sentences with all brackets right
    crossing: int  # guessed brackets that cross a gold one
    no_crossing: int  # sentences without such a bracket
    words: int
    tags: int  # words with the right tag

    @property
    def correct(self) -> int:  # type: ignore[override]
        """The brackets that are in gold and in guess."""
        return self.matched

    def format(self) -> str:
        """Return the figures in evalb's order, one a line."""
        scored = self.sentences - self.skipped
        figures = [
            ("sentences", f"{self.sentences}"),
            ("skipped", f"{self.skipped}"),
            ("bracketing recall", f"{self.recall:.2f}"),
            ("bracketing precision", f"{self.precision:.2f}"),
            ("bracketing F1", f"{self.f1:.2f}"),
            ("complete match", f"{percent(self.exact, scored):.2f}"),
            ("average crossing", f"{self.crossing / max(scored, 1):.2f}"),
            ("no crossing", f"{percent(self.no_crossing, scored):.2f}"),
            ("tagging accuracy", f"{percent(self.tags, self.words):.2f}"),
        ]
        return "\n".join(f"{name:<22}{value:>8}" for name, value in figures)


def bracket_scores(gold: Sequence[str], guess: Sequence[str]) -> BracketReport:
    """Compare bracketed trees, sentence by sentence. Raises DataError if their numbers differ or one is malformed.

    >>> report = bracket_scores(["(S (NP (N a)) (VP (V b) (NP (N c))))"], ["(S (NP (N a)) (VP (V b)) (NP (N c)))"])
    >>> report.matched, report.gold, report.guessed
    (3, 4, 4)
    """
    if len(gold) != len(guess):
        raise DataError(f"gold has {len(gold)} trees, guess {len(guess)}")
    totals: Counter[str] = Counter(sentences=len(gold))
    for number, (g, h) in enumerate(zip(gold, guess, strict=True), 1):
        wanted, gold_words, gold_tags, _ = brackets_of(g, f"gold, tree {number}")
        found, guess_words, guess_tags, _ = brackets_of(h, f"guess, tree {number}")
        if gold_words != guess_words:
            totals["skipped"] += 1
            continue
        crossing = sum(any(_cross(bracket, other) for other in wanted) for bracket in found.elements())
        totals["gold"] += wanted.total()
        totals["guessed"] += found.total()
        totals["matched"] += (wanted & found).total()
        totals["exact"] += wanted == found
        totals["crossing"] += crossing
        totals["no_crossing"] += crossing == 0
        totals["words"] += len(gold_words)
        totals["tags"] += sum(map(str.__eq__, gold_tags, guess_tags))
    return BracketReport(**{name: totals[name] for name in BracketReport.__slots__})


def bracket_counts(gold: str, guesses: Sequence[str]) -> list[tuple[int, int]]:
    """Return two counts for each guess: the brackets of gold plus those of the guess, and twice the common ones.

    Their difference is the number of brackets that are wrong or missing. Raises DataError for a malformed tree, and for
    one with more or fewer words than gold. Traces are not words.

    >>> bracket_counts("(S (NP (N a)) (VP (V b)))", ["(S (NP (N a)) (V b))"])
    [(5, 4)]
    """
    wanted = brackets_of(gold, "gold")
    counts = []
    for number, guess in enumerate(guesses, 1):
        found = brackets_of(guess, f"candidate {number}")
        if found.length != wanted.length:
            raise DataError(f"gold has {wanted.length} words, but candidate {number} has {found.length}")
        both = wanted.brackets.total() + found.brackets.total()
        counts.append((both, 2 * (wanted.brackets & found.brackets).total()))
    return counts


class Brackets(NamedTuple):
    """The parts of a tree that are scored."""

    brackets: Counter[Bracket]
    words: list[str]  # without punctuation
    tags: list[str]  # one a word
    length: int  # words with punctuation, but without traces


def brackets_of(tree: str, name: str) -> Brackets:
    """Return the parts of a tree that are scored. Raises DataError with its name if it is malformed."""
    from sapwood._core import read_tree

    categories, tagged = read_tree(tree, name)
    kept = [tag not in _DELETED_TAGS for tag, _ in tagged]
    place = [0]  # [words + 1] number of scored words before each word
    for keep in kept:
        place.append(place[-1] + keep)
    brackets: Counter[Bracket] = Counter()
    for full, begin, end in categories:
        label = full if full.startswith("-") else full.split("-")[0].split("=")[0]
        start, stop = place[begin], place[end]
        if label not in _ROOTS and start < stop:
            brackets[_SAME.get(label, label), start, stop] += 1
    scored = [pair for pair, keep in zip(tagged, kept, strict=True) if keep]
    length = sum(tag != "-NONE-" for tag, _ in tagged)
    return Brackets(brackets, [word for _, word in scored], [tag for tag, _ in scored], length)


def _cross(a: Bracket, b: Bracket) -> bool:
    return a[1] < b[1] < a[2] < b[2] or b[1] < a[1] < b[2] < a[2]
