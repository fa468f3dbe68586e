"""The answers of models that decide about more than one word: segmenters, splitters, rerankers and grammars."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import starmap
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.io.lists import CandidateList
from sapwood.model.answers import Answers, Explain, Place, Property, row_reasons
from sapwood.model.explanation import question

if TYPE_CHECKING:
    from sapwood.draw.explanation import Record
    from sapwood.metrics.brackets import Bracket


_BEGINS = {".": "nothing", "T": "a token", "S": "a sentence"}
_NONE = "no constituent"


def place_answers(explain: Explain, rows: _core.Columns, guess: list[list[str]]) -> Answers:
    """Return what begins at the places of a text where a segmenter has a choice.

    explain : in which `word` shows a place, as shown_place does
    rows : the places with their gold labels (core/segmenting/segment_rows.hpp)
    """
    kinds, gaps, heads, tails, *_, gold = (rows.column(c) for c in range(rows.width))
    words = [list(map(shown_place, *each)) for each in zip(gaps, heads, tails, strict=True)]
    why = row_reasons(explain, gold)

    def reasons(places: Sequence[Place]) -> list[Record | None]:
        found = why(places)
        for record in found:
            if record is not None:
                record["chosen"] = _BEGINS.get(record["chosen"], record["chosen"])
                record["against"] = _BEGINS.get(record["against"] or "", record["against"])
        return found

    def named(labels: list[list[str]]) -> list[list[str]]:
        return [[_BEGINS[label] for label in each] for each in labels]

    def values(cells: list[list[str]]) -> list[list[Sequence[str]]]:
        return [[(cell.lower(),) for cell in each] for each in cells]

    properties = [
        Property("text before the place", values(heads)),
        Property("text after the place", values(tails)),
        Property("characters around the place", values(kinds)),
    ]
    return Answers(
        "places", "paragraph", words, named(gold), named(guess), reasons, properties=properties, own_scores=True
    )


def shown_place(gap: str, head: str, tail: str) -> str:
    """Return a place in a text as one reads it.

    >>> shown_place("_", "Dr.", "Who"), shown_place("-", "do", "n't")
    ('Dr. |Who', "do|n't")
    """
    return f"{head}{'' if gap == '-' else ' '}|{tail}"


def word_answers(
    tokens: list[list[str]], gold: list[list[list[str]]], guess: list[list[list[str]]], explain: Explain
) -> Answers:
    """Return the words of each token. The reasons are those of the edit script."""
    wanted, said = ([[" ".join(words) for words in sentence] for sentence in side] for side in (gold, guess))
    return Answers("words of tokens", "sentence", tokens, wanted, said, row_reasons(explain, None), own_scores=True)


def choice_answers(
    lists: Sequence[CandidateList],
    losses: Sequence[Sequence[float]],
    choices: Sequence[int],
    explain: Callable[[list[CandidateList], _core.Question], Iterator[bytes]] | None,
) -> Answers:
    """Return which candidates a reranker chose, by their ranks by the base model's score.

    losses : [lists][candidates]
    choices : [lists] the number of the candidate that was chosen

    Right is a candidate with the least loss of its list. Gold is the first one of these. `explain` yields why the best
    candidate of each list was chosen; None for a model without reasons.
    """
    gold, guess, said, extra, sizes = [], [], [], [], []
    for each, loss, choice in zip(lists, losses, choices, strict=True):
        order = sorted(range(len(loss)), key=lambda k: (-each.candidates[k].score, k))
        best = min(order, key=lambda k: loss[k])
        chosen = choice if loss[choice] > loss[best] else best
        gold.append(best)
        guess.append(chosen)
        said.append((_rank(order.index(best)), _rank(order.index(chosen))))
        extra.append(_what_happened(order[0], best, chosen))
        sizes.append((f"{len(loss)} candidates",))

    def reasons(places: Sequence[Place]) -> list[Record | None]:
        found: list[Record | None] = []
        for s, _ in places:
            against = str(gold[s] + 1) if gold[s] != guess[s] else None
            lines = b"".join(explain([lists[s]], question(against=against)) if explain is not None else ())
            found.append(json.loads(lines) | {"sentence": s + 1} if lines else None)
        return found

    right, chosen_ranks = ([[pair[side]] for pair in said] for side in (0, 1))
    properties = [
        Property("what happened", [[value] for value in extra], of_errors=True),
        Property("size of the list", [[value] for value in sizes]),
    ]
    words = [_words_of(each) for each in lists]
    return Answers(
        "choices", "list", words, right, chosen_ranks, reasons, whole=True, properties=properties, own_scores=True
    )


def _rank(k: int) -> str:
    return f"rank {k + 1}"


def _what_happened(first: int, best: int, chosen: int) -> Sequence[str]:
    if chosen == best:
        return ()
    if chosen == first:
        return ("the base model's first was kept, and another is better",)
    if best == first:
        return ("the base model's first was the best, and was left",)
    return ("the base model's first was left for one that is not the best",)


def _words_of(each: CandidateList) -> list[str]:
    if each.tokens:
        return [row[0] for row in each.tokens]
    if each.kind == "tree":
        return [word for _, word in _core.read_tree(each.candidates[0].structure, each.where)[1]]
    return []


def bracket_answers(gold: Sequence[str], guess: Sequence[str]) -> Answers:
    """Return what a grammar made of each constituent of gold trees: the category that it gave the same words, or none.

    A grammar counts rules, so there are no reasons.
    """
    from sapwood.metrics.brackets import brackets_of

    words, gold_labels, said, marked, lengths = [], [], [], [], []
    for number, trees in enumerate(zip(gold, guess, strict=True), 1):
        wanted, found = starmap(brackets_of, zip(trees, (f"gold, tree {number}", f"guess, tree {number}"), strict=True))
        for (label, begin, end), answer in _aligned(wanted.brackets, found.brackets):
            words.append(wanted.words)
            gold_labels.append([label])
            said.append([answer])
            marked.append(range(begin, end))
            lengths.append([_length(end - begin)])

    def reasons(places: Sequence[Place]) -> list[Record | None]:
        return [None] * len(places)

    return Answers(
        "constituents",
        "constituent",
        words,
        gold_labels,
        said,
        reasons,
        marked=marked,
        whole=True,
        properties=[Property("words of the constituent", lengths)],
        own_scores=True,
    )


def _aligned(gold: Counter[Bracket], guess: Counter[Bracket]) -> Iterator[tuple[Bracket, str]]:
    """Yield gold's brackets with the category that the guess has for the same words, if it has another one."""
    wrong = sorted((guess - gold).elements())
    left = gold - guess
    for bracket in sorted(gold.elements(), key=lambda b: (b[1], -b[2], b[0])):
        if left[bracket] == 0:
            yield bracket, bracket[0]
            continue
        left[bracket] -= 1
        other = next((b for b in wrong if b[1:] == bracket[1:]), None)
        if other is not None:
            wrong.remove(other)
        yield bracket, _NONE if other is None else other[0]


def _length(words: int) -> Sequence[str]:
    if words >= 10:
        return ("10 words or more",)
    return ("4 to 9 words" if words >= 4 else f"{words} words" if words > 1 else "1 word",)
