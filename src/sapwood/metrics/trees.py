"""Attachment scores of dependency trees.

======================  ==============================================================================
UAS                     words with the right head (Eisner 1996)
label accuracy          words with the right deprel, whatever the head
LAS                     words with both (Nivre et al. 2004), the deprel in full: ``nmod:poss`` is not
                        ``nmod``, as in the shared tasks CoNLL-X (2006) to 2009
universal LAS           the same with subtypes cut off at the colon: what the scripts of the CoNLL 2017
                        and 2018 shared tasks, and so most papers on Universal Dependencies, call LAS
CLAS                    F1 of the arcs to content words (Nivre & Fang 2017), by universal deprels as in
                        those scripts: an arc counts unless its deprel is one of ``FUNCTION_DEPRELS``
======================  ==============================================================================

Each score is given over all words, as is usual for Universal Dependencies, and without punctuation, as for the Penn
Treebank. A word is punctuation if its gold tag is in ``PUNCTUATION_TAGS``: UPOS ``PUNCT``, or the five tags of quotes,
commas, full stops and colons that published Penn Treebank scores leave out. Brackets, ``$`` and ``#`` are scored there.

By distance (after McDonald & Nivre 2007), recall is over the gold arcs of a length and precision over the guessed
arcs of that length; the heads must agree, not the deprels.

A word belongs to a cell: its two deprels, the lengths of its two arcs and so on. The words of each cell are counted,
and all scores are sums over the few thousand cells.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from sapwood.base.heads import NO_DEPREL, check_heads
from sapwood.errors import DataError
from sapwood.metrics.evaluation import unseen_text
from sapwood.metrics.labels import Figures, LabelScore, Report, in_step, percent, score_rows, scored_pairs, table

PUNCTUATION_TAGS = frozenset(["PUNCT", "``", "''", ",", ".", ":"])
FUNCTION_DEPRELS = frozenset(["aux", "case", "cc", "clf", "cop", "det", "mark", "punct"])

DISTANCES = ("root", "1", "2", "3-6", "7+")
DISTANCE_STARTS = (1, 2, 3, 7)
LENGTHS = ("1-10 words", "11-20 words", "21-30 words", "31-40 words", "41+ words")
LENGTH_STARTS = (11, 21, 31, 41)


class ParsedSentence(NamedTuple):
    """The tree of a sentence of n words. ``heads`` are word numbers from 1, or 0 for the root."""

    heads: Sequence[int]  # [n]
    deprels: Sequence[str]  # [n] "_" where there are none


class Cell(NamedTuple):
    """The properties of a word that the scores depend on."""

    gold_deprel: str
    guess_deprel: str
    gold_distance: int  # index into DISTANCES
    guess_distance: int
    same_head: bool
    punctuation: bool
    length: int  # index into LENGTHS


@dataclass(frozen=True, slots=True)
class AttachmentScore(Figures):
    """The scores of all words, or of some, in percent. Labelled ones are None without deprels."""

    key = "name"
    columns: ClassVar[Mapping[str, str]] = {
        "words": "words", "UAS": "uas", "LAS": "las", "universal": "universal_las", "label": "label_accuracy",
        "CLAS": "clas",
    }  # fmt: skip

    name: str
    words: int
    uas: float  # words with the right head
    las: float | None  # with the right head and deprel
    universal_las: float | None  # with the right head, and the right deprel up to the colon
    label_accuracy: float | None  # with the right deprel
    clas: float | None  # F1 of the arcs to content words, with subtypes cut off


@dataclass(frozen=True, slots=True)
class TreeReport(Report):
    """The result of ``tree_scores``.

    ``deprels`` is sorted and has every gold or guessed deprel; an arc counts as correct if head and deprel are.
    ``distances`` has an entry for each of ``DISTANCES``; an arc counts as correct if the head is. ``lengths`` has the
    scores by the length of the sentence.
    """

    figures = (
        "sentences", "unlabelled_exact", "labelled_exact", "non_projective", "all_words", "no_punctuation", "lengths",
        "distances", "deprels",
    )  # fmt: skip

    sentences: int
    exact_heads: int  # sentences whose heads are all right
    exact_trees: int  # sentences whose heads and deprels are all right
    non_projective: int  # gold arcs
    all_words: AttachmentScore
    no_punctuation: AttachmentScore
    lengths: tuple[AttachmentScore, ...]
    distances: tuple[LabelScore, ...]
    deprels: tuple[LabelScore, ...]
    unseen: Mapping[str, int] = field(default_factory=dict)  # gold deprels that the model does not have -> how often

    @property
    def labelled(self) -> bool:
        """True if gold and guess have deprels."""
        return self.all_words.las is not None

    @property
    def uas(self) -> float:
        """Percent of all words that have the right head."""
        return self.all_words.uas

    @property
    def las(self) -> float | None:
        """Percent of all words that have the right head and deprel; None without deprels."""
        return self.all_words.las

    @property
    def unlabelled_exact(self) -> float:
        """Percent of the sentences whose heads are all right."""
        return percent(self.exact_heads, self.sentences)

    @property
    def labelled_exact(self) -> float | None:
        """Percent of the sentences whose heads and deprels are all right; None without deprels."""
        return percent(self.exact_trees, self.sentences) if self.labelled else None

    def as_dict(self) -> dict[str, object]:
        return Report.as_dict(self) | ({} if self.labelled else {"deprels": None})

    def format(self) -> str:
        """Return totals and aligned tables, without a newline at the end; labelled scores only if there are deprels.

        >>> gold = [ParsedSentence([2, 0], ["nsubj", "root"])]
        >>> guess = [ParsedSentence([2, 0], ["obj", "root"])]
        >>> print(tree_scores(gold, guess, [["PRON", "VERB"]]).format())
        trees:          1 of 1 correct, 100.00%
        labelled trees: 0 of 1 correct, 0.00%
        non-projective: 0 of 2 gold arcs, 0.00%
        <BLANKLINE>
                        words     UAS    LAS  universal  label   CLAS
        all words           2  100.00  50.00      50.00  50.00  50.00
        no punctuation      2  100.00  50.00      50.00  50.00  50.00
        1-10 words          2  100.00  50.00      50.00  50.00  50.00
        <BLANKLINE>
        distance  gold  guessed  correct  precision  recall      F1
        root         1        1        1     100.00  100.00  100.00
        1            1        1        1     100.00  100.00  100.00
        <BLANKLINE>
        deprel  gold  guessed  correct  precision  recall      F1
        nsubj      1        0        0       0.00    0.00    0.00
        obj        0        1        0       0.00    0.00    0.00
        root       1        1        1     100.00  100.00  100.00
        """
        arcs = self.all_words.words
        lines = [f"trees:          {self.exact_heads} of {self.sentences} correct, {self.unlabelled_exact:.2f}%"]
        if self.labelled:
            lines.append(f"labelled trees: {self.exact_trees} of {self.sentences} correct, {self.labelled_exact:.2f}%")
        share = percent(self.non_projective, arcs)
        lines += [f"non-projective: {self.non_projective} of {arcs} gold arcs, {share:.2f}%", ""]

        lengths = (length for length in self.lengths if length.words)
        rows = score_rows("", (self.all_words, self.no_punctuation, *lengths), AttachmentScore)
        lines += table(row if self.labelled else row[:3] for row in rows)

        lines += ["", *table(score_rows("distance", [s for s in self.distances if s.gold or s.guessed]))]
        if self.labelled:
            lines += ["", *table(score_rows("deprel", self.deprels))]
        return "\n".join(lines) + unseen_text(relations=self.unseen if self.labelled else {})


def tree_scores(
    gold: Iterable[tuple[Sequence[int], Sequence[str]]],
    guess: Iterable[tuple[Sequence[int], Sequence[str]]],
    tags: Iterable[Sequence[str]],
) -> TreeReport:
    """Compare two parses of the same sentences. A parse is a ``ParsedSentence`` or a pair like it.

    ``tags`` are the gold UPOS tags of each sentence, or XPOS where UPOS is missing; they decide what is punctuation.
    If all deprels of gold or of guess are ``_``, labelled scores are None. Raises ``DataError`` if gold, guess and tags
    have different numbers of sentences, or of words in a sentence, or if heads are not a tree.
    """
    from sapwood._core import non_projective_words

    cells: Counter[tuple[str, str, int, int, bool, bool, int]] = Counter()
    sentences = exact_heads = exact_trees = crossing = 0
    for number, (gold_tree, guess_tree, upos) in in_step(gold=gold, guess=guess, tags=tags):
        gold_heads, gold_deprels = gold_tree
        guess_heads, guess_deprels = guess_tree
        others = {
            "gold deprels": gold_deprels,
            "guess heads": guess_heads,
            "guess deprels": guess_deprels,
            "tags": upos,
        }
        _check_sentence(number, gold_heads, others)
        check_heads(gold_heads, f"sentence {number}, gold")
        check_heads(guess_heads, f"sentence {number}, guess")
        sentences += 1
        same_heads = [h == g for h, g in zip(gold_heads, guess_heads, strict=True)]
        exact_heads += all(same_heads)
        exact_trees += all(same_heads) and list(gold_deprels) == list(guess_deprels)
        crossing += len(non_projective_words(gold_heads))
        length = bisect_right(LENGTH_STARTS, len(gold_heads))
        distances = _distances(gold_heads), _distances(guess_heads)
        punctuation = [tag in PUNCTUATION_TAGS for tag in upos]
        lengths = [length] * len(gold_heads)
        cells.update(zip(gold_deprels, guess_deprels, *distances, same_heads, punctuation, lengths, strict=True))

    counts = [(Cell(*cell), n) for cell, n in cells.items()]
    gold_names, guess_names = {cell.gold_deprel for cell, _ in counts}, {cell.guess_deprel for cell, _ in counts}
    labelled = bool(gold_names - {NO_DEPREL} and guess_names - {NO_DEPREL})
    by_distance = [(DISTANCES[c.gold_distance], DISTANCES[c.guess_distance], c.same_head, n) for c, n in counts]
    return TreeReport(
        sentences=sentences,
        exact_heads=exact_heads,
        exact_trees=exact_trees,
        non_projective=crossing,
        all_words=_attachment("all words", counts, labelled),
        no_punctuation=_attachment("no punctuation", [(c, n) for c, n in counts if not c.punctuation], labelled),
        lengths=tuple(
            _attachment(name, [(c, n) for c, n in counts if c.length == length], labelled)
            for length, name in enumerate(LENGTHS)
        ),
        distances=scored_pairs(by_distance, DISTANCES),
        deprels=scored_pairs((c.gold_deprel, c.guess_deprel, c.same_head, n) for c, n in counts) if labelled else (),
    )


def _check_sentence(number: int, gold_heads: Sequence[int], others: Mapping[str, Sequence[object]]) -> None:
    for name, column in others.items():
        if isinstance(column, str):
            raise TypeError(f"sentence {number}: {name} is a string; it is one entry a word")
        if len(column) != len(gold_heads):
            counted = f"{len(gold_heads)} gold heads, but {len(column)} {name}"
            raise DataError(f"sentence {number}: {counted}; there must be one of each a word")


def _distances(heads: Sequence[int]) -> list[int]:
    """Return the index into ``DISTANCES`` of each word's arc."""
    return [h and bisect_right(DISTANCE_STARTS, abs(h - m)) for m, h in enumerate(heads, start=1)]


def _attachment(name: str, counts: Iterable[tuple[Cell, int]], labelled: bool) -> AttachmentScore:
    words = heads = arcs = universal_arcs = labels = 0
    content = [0, 0, 0]  # arcs to content words: in gold, guessed, and right
    for cell, n in counts:
        gold, guess = (deprel.partition(":")[0] for deprel in (cell.gold_deprel, cell.guess_deprel))
        same_label, same_universal = cell.gold_deprel == cell.guess_deprel, cell.same_head and gold == guess
        words += n
        heads += n * cell.same_head
        arcs += n * (cell.same_head and same_label)
        universal_arcs += n * same_universal
        labels += n * same_label
        content[0] += n * (gold not in FUNCTION_DEPRELS)
        content[1] += n * (guess not in FUNCTION_DEPRELS)
        content[2] += n * (same_universal and gold not in FUNCTION_DEPRELS)
    if not labelled:
        return AttachmentScore(name, words, percent(heads, words), None, None, None, None)
    uas, las, universal_las, accuracy = (percent(right, words) for right in (heads, arcs, universal_arcs, labels))
    return AttachmentScore(name, words, uas, las, universal_las, accuracy, LabelScore("content", *content).f1)
