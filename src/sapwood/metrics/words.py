"""The words of two segmentations of a text that are the same, and scores of lemmas and of tokens that are split.

Words are aligned as the CoNLL-2018 shared task does, by their characters; where one side has a token of several words,
the words between the ends of such tokens by their longest common subsequence of forms. Lemmas and split tokens are
scored in the same sentences and tokens.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sapwood.errors import DataError
from sapwood.metrics.labels import LabelScore, Report, aligned, in_step, percent, score_rows, table

_NO_LEMMA = "_"  # in treebanks without lemmas


class Words(NamedTuple):
    """The words of a text."""

    spans: Sequence[tuple[int, int]]  # [words] begin and end of the word's token, in characters
    forms: Sequence[str]  # [words]
    multiword: Sequence[bool]  # [words] whether the word's token has several words


def aligned_words(gold: Words, system: Words) -> list[tuple[int, int]]:
    """Return the pairs (gold word, system word) that are aligned, in order."""
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(gold.spans) and j < len(system.spans):
        (begin, end), (other_begin, other_end) = gold.spans[i], system.spans[j]
        if gold.multiword[i]:
            # One plain word that began before is left out, as by the official script.
            j += not system.multiword[j] and other_begin < begin
            i, j = _align_multiword_span(gold, system, i, j, end, pairs)
        elif system.multiword[j]:
            i += begin < other_begin
            i, j = _align_multiword_span(gold, system, i, j, other_end, pairs)
        elif begin == other_begin and end == other_end:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif begin <= other_begin:
            i += 1
        else:
            j += 1
    return pairs


def _align_multiword_span(
    gold: Words, system: Words, i: int, j: int, end: int, pairs: list[tuple[int, int]]
) -> tuple[int, int]:
    """Add the pairs of the multiword span that begins at gold word i and system word j; return the words after it.

    The span ends at `end`, or at the next place behind it that is not inside a multiword token.
    """

    def inside(words: Words, word: int) -> bool:
        if word == len(words.spans):
            return False
        first, last = words.spans[word]
        return first < end if words.multiword[word] else last <= end

    from_i, from_j = i, j
    while inside(gold, i) or inside(system, j):
        of_gold = i < len(gold.spans) and (j == len(system.spans) or gold.spans[i][0] <= system.spans[j][0])
        words, word = (gold, i) if of_gold else (system, j)
        if words.multiword[word]:
            end = max(end, words.spans[word][1])
        i, j = (i + 1, j) if of_gold else (i, j + 1)
    common = common_subsequence(gold.forms[from_i:i], system.forms[from_j:j])
    pairs += [(from_i + k, from_j + m) for k, m in common]
    return i, j


def common_subsequence(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of indexes of a longest common subsequence.

    L[k][m] is the length of a longest common subsequence of a[k:] and b[m:]: 1 + L[k+1][m+1] if a[k] = b[m], else
    max(L[k+1][m], L[k][m+1]).
    """
    same = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    pairs = [(k, k) for k in range(same)]  # a common beginning belongs to it, and is often all of it
    rows = [[0] * (len(b) + 1)]  # L, the last row first
    for k in reversed(range(same, len(a))):
        row, below = [0] * (len(b) + 1), rows[-1]
        for m in reversed(range(same, len(b))):
            row[m] = 1 + below[m + 1] if a[k] == b[m] else max(below[m], row[m + 1])
        rows.append(row)
    k = m = same
    while k < len(a) and m < len(b):
        if a[k] == b[m]:
            pairs.append((k, m))
            k += 1
            m += 1
        elif rows[len(a) - k][m] == rows[len(a) - k - 1][m]:
            k += 1
        else:
            m += 1
    return pairs


class TagScore(NamedTuple):
    """The number of words with a tag, and how many of them have the right lemma."""

    tag: str
    words: int
    correct: int


@dataclass(frozen=True, slots=True)
class LemmaReport(Report):
    """The result of ``lemma_scores``. ``by_tag`` is sorted."""

    words: int
    correct: int
    by_tag: tuple[TagScore, ...]

    @property
    def accuracy(self) -> float:
        """Percent of the words whose lemma is right."""
        return percent(self.correct, self.words)

    def as_dict(self) -> dict[str, object]:
        tags = {tag: {"words": words, "correct": correct} for tag, words, correct in self.by_tag}
        return {"words": self.words, "correct": self.correct, "accuracy": self.accuracy, "tags": tags}

    def format(self) -> str:
        """Return a line of totals and an aligned table of the tags, without a newline at the end.

        >>> print(lemma_scores([["a", "dog"]], [["a", "dogs"]], [["DET", "NOUN"]]).format())
        lemmas: 1 of 2 correct, 50.00%
        <BLANKLINE>
        tag   words  correct  accuracy
        DET       1        1    100.00
        NOUN      1        0      0.00
        """
        rows = [[tag, words, correct, percent(correct, words)] for tag, words, correct in self.by_tag]
        heading = f"lemmas: {self.correct} of {self.words} correct, {self.accuracy:.2f}%"
        return "\n".join([heading, "", *table([["tag", "words", "correct", "accuracy"], *rows])])


def lemma_scores(
    gold: Iterable[Sequence[str]], guess: Iterable[Sequence[str]], tags: Iterable[Sequence[str]]
) -> LemmaReport:
    """Compare the lemmas of the same sentences, and count them by the words' tags.

    Every guess is right where gold is "_", as in the CoNLL-2018 shared task. Raises DataError if the sentences differ
    in length.
    """
    words: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    for (gold_lemmas, guess_lemmas), sentence_tags in zip(aligned(gold, guess), tags, strict=True):
        words.update(sentence_tags)
        found = zip(gold_lemmas, guess_lemmas, sentence_tags, strict=True)
        correct.update(tag for right, lemma, tag in found if right in (lemma, _NO_LEMMA))
    by_tag = tuple(TagScore(tag, words[tag], correct[tag]) for tag in sorted(words))
    return LemmaReport(words.total(), correct.total(), by_tag)


@dataclass(frozen=True, slots=True)
class SplitReport(Report):
    """The result of ``split_scores``: words of all tokens, and of those that are several words in gold or guess."""

    figures = ("tokens", "exact_tokens", "words", "multiword")

    tokens: int
    exact_tokens: int  # tokens whose words are all right
    words: LabelScore
    multiword: LabelScore

    def format(self) -> str:
        """Return a line of totals and an aligned table, without a newline at the end.

        >>> print(split_scores([[["do", "n't"], ["go"]]], [[["don't"], ["go"]]]).format())
        tokens: 1 of 2 split right, 50.00%
        <BLANKLINE>
        words of          gold  guessed  correct  precision  recall     F1
        all tokens           3        2        1      50.00   33.33  40.00
        multiword tokens     2        1        0       0.00    0.00   0.00
        """
        right = percent(self.exact_tokens, self.tokens)
        heading = f"tokens: {self.exact_tokens} of {self.tokens} split right, {right:.2f}%"
        rows = score_rows("words of", (self.words, self.multiword))
        return "\n".join([heading, "", *table(rows)])


def split_scores(gold: Iterable[Sequence[Sequence[str]]], guess: Iterable[Sequence[Sequence[str]]]) -> SplitReport:
    """Compare the words of the same tokens, [sentences][tokens][words].

    Within a token words are aligned by the longest common subsequence of their lower-cased forms, as in the CoNLL-2018
    shared task. Raises DataError if the sentences differ in length.
    """
    tokens = exact = 0
    counts = {False: [0, 0, 0], True: [0, 0, 0]}  # multiword token or not -> gold, guessed and correct words
    for number, (gold_tokens, guess_tokens) in in_step(gold=gold, guess=guess):
        if len(gold_tokens) != len(guess_tokens):
            raise DataError(f"sentence {number}: gold has {len(gold_tokens)} tokens, guess has {len(guess_tokens)}")
        for right, found in zip(gold_tokens, guess_tokens, strict=True):
            tokens += 1
            exact += list(right) == list(found)
            several = len(right) > 1 or len(found) > 1
            lower = [word.lower() for word in right], [word.lower() for word in found]
            common = len(common_subsequence(*lower)) if several else 1
            for k, count in enumerate((len(right), len(found), common)):
                counts[several][k] += count
    multiword = LabelScore("multiword tokens", *counts[True])
    words = LabelScore("all tokens", *map(sum, zip(*counts.values(), strict=True)))
    return SplitReport(tokens, exact, words, multiword)
