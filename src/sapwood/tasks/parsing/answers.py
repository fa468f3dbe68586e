"""The answers of parsers and grammars, for reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import TYPE_CHECKING

from sapwood.model.answers import Answers, Explain, Place, Property, Tree, ask
from sapwood.tasks.parsing.data import Trees, shown_tags

if TYPE_CHECKING:
    from sapwood import _core
    from sapwood.metrics.brackets import Bracket
    from sapwood.metrics.trees import TreeReport
    from sapwood.model.explanation_records import ExplanationRecord

_NONE = "no constituent"


def tree_report(gold: Trees, guess: Trees, data: _core.Conllu) -> TreeReport:
    """Return the scores of trees; the tags in `data` say what is punctuation."""
    from sapwood.metrics import tree_scores

    return tree_scores(gold, guess, shown_tags(data))


def tree_answers(
    words: list[list[str]], tags: list[list[str]], gold: Sequence[Tree], guess: Sequence[Tree], explain: Explain
) -> Answers:
    """Return the answers of a parser. Reasons are those of the head if the head is wrong, else of the relation."""

    def reasons(places: Sequence[Place]) -> list[ExplanationRecord | None]:
        found: list[ExplanationRecord | None] = []
        for s, t in places:
            wrong_head = gold[s][0][t] != guess[s][0][t]
            against = str(gold[s][0][t]) if wrong_head else gold[s][1][t]
            records = ask(explain, (s, t), against)
            relations = [record for record in records if record["decision"] == "relation"]
            chosen = records if wrong_head or not relations else relations
            found.append(chosen[0] if chosen else None)
        return found

    pairs = [((list(g[0]), list(g[1])), (list(h[0]), list(h[1]))) for g, h in zip(gold, guess, strict=True)]
    relations = [g[1] for g, _ in pairs], [h[1] for _, h in pairs]
    return Answers("trees", "sentence", words, *relations, reasons, tags, pairs)


def bracket_answers(gold: Sequence[str], guess: Sequence[str]) -> Answers:
    """Return a grammar's answers: its category for the words of each gold constituent, or none.

    There are no reasons, as a grammar has no features.
    """
    from sapwood.metrics.brackets import brackets_of

    words, gold_labels, guess_labels, marked, lengths = [], [], [], [], []
    for number, trees in enumerate(zip(gold, guess, strict=True), 1):
        wanted, found = starmap(brackets_of, zip(trees, (f"gold, tree {number}", f"guess, tree {number}"), strict=True))
        for (label, begin, end), answer in _aligned(wanted.brackets, found.brackets):
            words.append(wanted.words)
            gold_labels.append([label])
            guess_labels.append([answer])
            marked.append(range(begin, end))
            lengths.append([_length(end - begin)])

    def reasons(places: Sequence[Place]) -> list[ExplanationRecord | None]:
        return [None] * len(places)

    return Answers(
        "constituents",
        "constituent",
        words,
        gold_labels,
        guess_labels,
        reasons,
        marked=marked,
        whole=True,
        properties=[Property("words of the constituent", lengths)],
        own_scores=True,
    )


def _aligned(gold: Counter[Bracket], guess: Counter[Bracket]) -> Iterator[tuple[Bracket, str]]:
    """Yield each gold bracket with the category that the guess has for the same words, or _NONE."""
    wrong = sorted((guess - gold).elements())
    missing = gold - guess
    for bracket in sorted(gold.elements(), key=lambda b: (b[1], -b[2], b[0])):
        if missing[bracket] == 0:
            yield bracket, bracket[0]
            continue
        missing[bracket] -= 1
        other = next((b for b in wrong if b[1:] == bracket[1:]), None)
        if other is not None:
            wrong.remove(other)
        yield bracket, _NONE if other is None else other[0]


def _length(words: int) -> Sequence[str]:
    if words >= 10:
        return ("10 words or more",)
    return ("4 to 9 words" if words >= 4 else f"{words} words" if words > 1 else "1 word",)
