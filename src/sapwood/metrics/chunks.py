"""Chunks in label sequences, and their scores as the CoNLL-2000 script ``conlleval`` counts them.

A label is ``tag-type``, split at the first hyphen, or a bare tag with the empty type. ``B_X``, ``B.X``, ``b-X`` and
``X-B`` are read as ``B-X``. ``conlleval`` (Erik Tjong Kim Sang, 2004-01-26) looks at two neighbouring labels at a
time, with an O before and after each sentence, and asks whether a chunk ends or starts between them. Nothing is
malformed: an I-NP after O, or after I-VP, starts a chunk. The published chunking and NER scores rest on these rules,
so they are followed here, also where they are odd:

* between labels of different types, a chunk ends (unless the left is O or ``.``) and a chunk starts
  (unless the right is O or ``.``);
* between labels of the same type, B and I end before B and O; B starts after B, I and O; I and E start
  after O;
* ``[`` and ``]`` are chunks of one token each. They do not end an open chunk of their type: both chunks
  are found, but at most one of the two can be correct.

One thing is added, for IOBES: E and S always end a chunk, S always starts one, and after E or S any label
but O and ``.`` does. ``conlleval`` does not know S, and lets E-NP B-NP be one chunk. L and U of BILUO, which
is also called BILOU, are E and S; M of BMES is I. Other tags have no meaning of their own; they start and end chunks by
their types alone.

Left out are the script's slips that no sane data shows: it takes the type ``0`` for the empty type, prints
the row of the empty type twice and takes ``B-`` for ``B``; it pads non-ASCII types by their bytes; and a last
chunk of a sentence that no rule ends (``I .``, with ``.`` as a label) runs into the next sentence.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from sapwood.metrics.labels import LabelScore, Matches, Report, aligned, percent, scored, table

OUTSIDE = ("O", ".")
_SINGLE = ("S", "U")  # tags of a chunk of one token
_LAST = ("E", "L", *_SINGLE)
_BEGINS = re.compile(r"[Bb][-_:].+")
_SPELLED = re.compile(r"([BIESLUM])([-_.:/])(.+)|(.+)([-_.:/])([BIESLUM])", re.IGNORECASE)  # B-X or X-B
_OUTSIDE = {"O", "o"}
_BARE = (set("BIES"), set("BMES"), set("BILU"))  # tags without a type, as in word segmentation
Found = tuple[Hashable, Hashable, str]  # begin, end and label


class Chunk(NamedTuple):
    """A chunk of a sentence. Its labels are ``labels[start:end]``."""

    type: str
    start: int
    end: int


@lru_cache(1 << 16)  # pairs of labels; few occur, and often
def boundary(left: str, right: str) -> tuple[bool, bool, str]:
    """Return true if a chunk ends with the left label, true if one starts with the right one, and the latter's type."""
    (left_tag, left_type), (tag, type) = _tag_and_type(left), _tag_and_type(right)
    other_type = left_type != type
    ends = (
        left_tag in (*_LAST, "[", "]")
        or (left_tag in ("B", "I") and tag in ("B", *_SINGLE, "O"))
        or (left_tag not in OUTSIDE and other_type)
    )
    starts = (
        tag in (*_SINGLE, "[", "]")
        or (tag == "B" and left_tag in ("B", "I", "O"))
        or (tag in ("I", "E", "L") and left_tag == "O")
        or (tag not in OUTSIDE and (other_type or left_tag in _LAST))
    )
    return ends, starts, type


def _tag_and_type(label: str) -> tuple[str, str]:
    match = _SPELLED.fullmatch(label)
    tag, type = (match[1] or match[6], match[3] or match[4]) if match else label.partition("-")[::2]
    tag = tag.upper() if match or len(label) == 1 else tag
    return ("I" if tag == "M" else tag), type


@dataclass(frozen=True, slots=True)
class ChunkReport(Matches, Report):
    """The result of ``chunk_scores``. ``types`` is sorted and has every gold or guessed type of chunk.

    ``precision``, ``recall`` and ``f1`` are over all chunks; ``conlleval`` calls the last one FB1.
    """

    figures = ("tokens", "correct_tokens", "accuracy", *Matches.columns.values(), "types")

    tokens: int
    correct_tokens: int
    gold: int
    guessed: int
    correct: int
    types: tuple[LabelScore, ...]

    @property
    def accuracy(self) -> float:
        """Percent of the tokens whose label is correct."""
        return percent(self.correct_tokens, self.tokens)

    def format(self) -> str:
        """Return exactly what ``conlleval`` prints, without the newline at the end.

        The last column is the number of guessed chunks.

        >>> print(chunk_scores([["B-NP", "B-VP"]], [["B-NP", "B-NP"]]).format())
        processed 2 tokens with 2 phrases; found: 2 phrases; correct: 1.
        accuracy:  50.00%; precision:  50.00%; recall:  50.00%; FB1:  50.00
                       NP: precision:  50.00%; recall: 100.00%; FB1:  66.67  2
                       VP: precision:   0.00%; recall:   0.00%; FB1:   0.00  0
        """
        lines = [
            f"processed {self.tokens} tokens with {self.gold} phrases; "
            f"found: {self.guessed} phrases; correct: {self.correct}."
        ]
        if self.tokens:
            lines.append(f"accuracy: {self.accuracy:6.2f}%; {precision_recall_fb1(self)}")
        lines += [f"{score.label:>17}: {precision_recall_fb1(score)}  {score.guessed}" for score in self.types]
        return "\n".join(lines)


def precision_recall_fb1(score: Matches) -> str:
    """Return the three columns that all of ``conlleval``'s lines have."""
    return f"precision: {score.precision:6.2f}%; recall: {score.recall:6.2f}%; FB1: {score.f1:6.2f}"


def extract_chunks(labels: Iterable[str]) -> list[Chunk]:
    """Return the chunks that the labels of one sentence spell, from left to right.

    >>> extract_chunks(["B-NP", "I-NP", "B-NP", "O", "I-VP"])
    [Chunk(type='NP', start=0, end=2), Chunk(type='NP', start=2, end=3), Chunk(type='VP', start=4, end=5)]
    """
    chunks: list[Chunk] = []
    left = "O"
    chunk_type = ""
    start = -1  # -1: no chunk is open
    position = -1
    for position, label in enumerate(labels):
        ends, starts, type = boundary(left, label)
        if start >= 0 and (ends or starts):
            chunks.append(Chunk(chunk_type, start, position))
            start = -1
        if starts:
            chunk_type, start = type, position
        left = label
    if start >= 0:
        chunks.append(Chunk(chunk_type, start, position + 1))
    return chunks


def chunk_scores(gold: Iterable[Sequence[str]], guess: Iterable[Sequence[str]]) -> ChunkReport:
    """Compare the chunks of two labellings of the same sentences, each sentence a list of labels.

    A chunk is correct if gold and guess start it at the same token with the same type and end it at the
    same token. Raises ``DataError`` if there are not as many sentences, or labels in a sentence, in both.
    """
    pairs: Counter[tuple[str, str]] = Counter()
    gold_chunks: Counter[str] = Counter()
    guess_chunks: Counter[str] = Counter()
    correct_chunks: Counter[str] = Counter()
    for gold_labels, guess_labels in aligned(gold, guess):
        pairs.update(zip(gold_labels, guess_labels, strict=True))
        gold_left = guess_left = "O"
        chunk_type = ""
        agree = False  # gold and guess are in a chunk that they started together
        for gold_label, guess_label in zip(gold_labels, guess_labels, strict=True):
            gold_ends, gold_starts, gold_type = boundary(gold_left, gold_label)
            guess_ends, guess_starts, guess_type = boundary(guess_left, guess_label)
            if agree and (gold_ends or guess_ends or gold_type != guess_type):
                agree = False
                if gold_ends and guess_ends:
                    correct_chunks[chunk_type] += 1
            if gold_starts:
                gold_chunks[gold_type] += 1
                if guess_starts and gold_type == guess_type:
                    agree = True
                    chunk_type = gold_type
            if guess_starts:
                guess_chunks[guess_type] += 1
            gold_left, guess_left = gold_label, guess_label
        if agree:
            correct_chunks[chunk_type] += 1

    return ChunkReport(
        tokens=pairs.total(),
        correct_tokens=sum(n for (a, b), n in pairs.items() if a == b),
        gold=gold_chunks.total(),
        guessed=guess_chunks.total(),
        correct=correct_chunks.total(),
        types=scored(gold_chunks, guess_chunks, correct_chunks),
    )


def chunk_counts(gold: Iterable[str], guesses: Iterable[Iterable[str]]) -> list[tuple[int, int]]:
    """Return two counts for each guess: the chunks of gold plus those of the guess, and twice the common ones.

    F1 over sentences is the sum of the second counts divided by the sum of the first.

    >>> chunk_counts(["B-NP", "O", "B-VP"], [["B-NP", "O", "O"]])
    [(3, 2)]
    """
    wanted = set(extract_chunks(gold))
    found = [set(extract_chunks(guess)) for guess in guesses]
    return [(len(wanted) + len(chunks), 2 * len(wanted & chunks)) for chunks in found]


def looks_like_chunks(labels: Iterable[str], *others: Iterable[str]) -> bool:
    """Return true if chunk scores make sense: all labels are O or in one scheme, and not all are O.

    Schemes are BIO, IOBES, BILUO and BMES, spelled ``B-X``, ``B_X`` or the like, ``X-B``, or without types.
    others : guesses, or a model's labels; the first of these with another label than O decides where gold has none

    >>> looks_like_chunks(["B-NP", "I-NP", "O"]), looks_like_chunks(["DT", "NN"]), looks_like_chunks(["O"])
    (True, False, False)
    >>> looks_like_chunks(["O"], ["O", "B-NP"]), looks_like_chunks(["B", "M", "E", "S"])
    (True, True)
    """
    gold = list(labels)
    typed: set[str] = next(filter(None, (set(each) - _OUTSIDE for each in (gold, *others))), set())
    # Bare tags may be other classes: then many of those inside of a chunk would follow its end, or O.
    before = [left for left, tag in pairwise(map(str.upper, gold)) if tag in ("I", "M", "E", "L")]
    return _is_scheme(typed) and 10 * sum(left in (*_LAST, "O") for left in before) <= len(before)


def _is_scheme(labels: set[str]) -> bool:
    """Return true if labels are spelled in one scheme; if not as usual, B-X, a chunk of several tokens is needed."""
    if all(len(label) == 1 for label in labels):
        tags = {label.upper() for label in labels}
        return tags >= {"B"} and any(map(tags.issubset, _BARE)) and (bool(tags & {"I", "M"}) or tags >= {"E", "S"})
    spelled = [_SPELLED.fullmatch(label) for label in labels]
    kinds = {match and (match[2], match[5], (match[1] or match[6]).isupper()) for match in spelled}
    usual = kinds == {("-", None, True)} and not any(label[0] == "M" for label in labels)
    return None not in kinds and len(kinds) == 1 and (usual or _go_on(labels))


def _go_on(labels: Iterable[str]) -> bool:
    """Return true if some type has labels for the beginning and for the rest of a chunk."""
    chunks = set(map(_tag_and_type, labels))
    return any(type and tag in ("I", "E", "L") and ("B", type) in chunks for tag, type in chunks)


def unknown_scheme(labels: Iterable[str]) -> str:
    """Return a label of no known scheme if some label looks like the beginning of a chunk; else the empty string.

    >>> unknown_scheme(["B-NP", "X-NP", "O"]), unknown_scheme(["B-NP", "I-NP", "O"]), unknown_scheme(["DT", "NN"])
    ('X-NP', '', '')
    """
    typed = set(labels) - _OUTSIDE
    if _is_scheme(typed) or not (_go_on(typed) or any(map(_BEGINS.fullmatch, typed))):
        return ""
    return min(label for label in typed if not re.fullmatch("[BIESLU]-.+", label))


def bio_to_iobes(labels: Iterable[str]) -> list[str]:
    """Mark the last label of each chunk with E, and the only one with S.

    ``iobes_to_bio`` turns the result back into the same labels if they were well-formed. Malformed labels are
    repaired: the chunks are those of ``extract_chunks``, so an I-X that starts a chunk becomes B-X or S-X. Labels
    outside chunks are kept.

    >>> bio_to_iobes(["B-NP", "I-NP", "I-NP", "B-NP", "O", "I-VP"])
    ['B-NP', 'I-NP', 'E-NP', 'S-NP', 'O', 'S-VP']
    """
    return spell_chunks(labels, single="S", first="B", inner="I", last="E")


def iobes_to_bio(labels: Iterable[str]) -> list[str]:
    """Mark the first label of each chunk with B, the others with I.

    Malformed labels are repaired as by ``bio_to_iobes``. Well-formed BIO is returned unchanged.

    >>> iobes_to_bio(["B-NP", "I-NP", "E-NP", "S-NP", "O", "S-VP"])
    ['B-NP', 'I-NP', 'I-NP', 'B-NP', 'O', 'B-VP']
    >>> iobes_to_bio(["E-NP", "I-NP", "E-NP"])
    ['B-NP', 'B-NP', 'I-NP']
    """
    return spell_chunks(labels, single="B", first="B", inner="I", last="I")


def spell_chunks(labels: Iterable[str], *, single: str, first: str, inner: str, last: str) -> list[str]:
    """Return the same chunks, spelled with other tags."""
    spelled = list(labels)
    for type, start, end in extract_chunks(spelled):
        n = end - start
        tags = [single] if n == 1 else [first, *[inner] * (n - 2), last]
        spelled[start:end] = [f"{tag}-{type}" if type else tag for tag in tags]
    return spelled


@dataclass(frozen=True, slots=True)
class SpanReport(Matches, Report):
    """The result of ``span_scores``. ``labels`` is sorted and has every gold or guessed label."""

    figures = ("texts", *Matches.columns.values(), "labels")

    texts: int
    gold: int
    guessed: int
    correct: int
    labels: tuple[LabelScore, ...]

    def format(self) -> str:
        """Return the table of all labels and of each.

        >>> print(span_scores([[(0, 3, "PER")]], [[(0, 3, "PER"), (4, 6, "LOC")]]).format())
        spans of 1 texts; begin, end and label are to be right
        <BLANKLINE>
        label  gold  guessed  correct  precision  recall      F1
        all       1        2        1      50.00  100.00   66.67
        LOC       0        1        0       0.00    0.00    0.00
        PER       1        1        1     100.00  100.00  100.00
        """
        all_of_them = LabelScore("all", self.gold, self.guessed, self.correct)
        rows = [score.row() for score in (all_of_them, *self.labels)]
        heading = f"spans of {self.texts:,} texts; begin, end and label are to be right"
        return "\n".join([heading, "", *table([["label", *Matches.columns], *rows])])


def span_scores(gold: Sequence[Iterable[Found]], guess: Sequence[Iterable[Found]]) -> SpanReport:
    """Compare the spans of texts. The same span counts once in a text."""
    counts: list[Counter[str]] = [Counter(), Counter(), Counter()]
    for wanted, found in zip(map(set, gold), map(set, guess), strict=True):
        for count, spans in zip(counts, (wanted, found, wanted & found), strict=True):
            count.update(label for _, _, label in spans)
    in_gold, guessed, correct = (count.total() for count in counts)
    return SpanReport(len(gold), in_gold, guessed, correct, scored(*counts))
