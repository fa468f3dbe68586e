"""Aspects of decisions: the word, its tag, its shape, the distance of its head and so on.

An aspect gives each decision values, or none. Errors that share a value may show that a feature is missing, or that
annotation is inconsistent.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import chain, groupby, pairwise

from sapwood.metrics.chunks import OUTSIDE, looks_like_chunks
from sapwood.metrics.trees import DISTANCE_STARTS, DISTANCES
from sapwood.model.answers import Answers, Property, Sets

_LENGTHS = (1, 6, 11, 21, 41)  # words at which intervals of sentence lengths begin
_RUNS = 4  # runs of characters that a shape shows
_ENDING = 3  # letters
_TEXT = 400  # words of an example that count as its text

Values = list[list[Sequence[str]]]  # [units][decisions]


def aspects(answers: Answers, known_words: Collection[str] | None = None) -> list[Property]:
    """Return the aspects of the decisions in the answers.

    known_words : those of the training data, lower-cased
    """
    if answers.whole:
        return [*_of_examples(answers), *(answers.properties or ())]
    of_task = _of_trees(answers) if answers.trees is not None else _of_labels(answers)
    return [*of_task, *(_of_words(answers, known_words) if answers.properties is None else answers.properties)]


def shape(word: str) -> str:
    """Return a word's shape: X for capital letters, x for small ones, d for digits; runs are one.

    >>> shape("McDonald's"), shape("1,024"), shape("EWT")
    ('XxXx…', 'd,d', 'X')
    """
    kinds = ("X" if c.isupper() else "d" if c.isdigit() else "x" if c.isalpha() else c for c in word)
    runs = [kind for kind, _ in groupby(kinds)]
    return "".join(runs[:_RUNS]) + ("…" if len(runs) > _RUNS else "")


def _each(answers: Answers, value: Callable[[int, int], Sequence[str]]) -> Values:
    return [[value(s, t) for t in range(len(labels))] for s, labels in enumerate(answers.gold)]


def _errors(answers: Answers, value: Callable[[str, str], str]) -> Values:
    """Return value(gold label, guess) for each error."""
    return [
        [() if gold == guess else (value(gold, guess),) for gold, guess in zip(*pair, strict=True)]
        for pair in zip(answers.gold, answers.guess, strict=True)
    ]


def _taken_for(gold: str, guess: str) -> str:
    return f"{gold} taken for {guess}"


def _of_words(answers: Answers, known_words: Collection[str] | None) -> list[Property]:
    words = answers.words
    lower = [[word.lower() for word in sentence] for sentence in words]
    shape_of = cache(shape)

    def ending(s: int, t: int) -> Sequence[str]:
        word = lower[s][t]
        return (f"-{word[-_ENDING:]}",) if len(word) > _ENDING + 1 and word.isalpha() else ()

    found = [Property("word", _each(answers, lambda s, t: (lower[s][t],)))]
    if answers.tags is not None:
        tags = answers.tags
        found.append(Property("tag", _each(answers, lambda s, t: (tags[s][t],))))
    found += [
        Property("shape of the word", _each(answers, lambda s, t: (shape_of(words[s][t]),))),
        Property("ending", _each(answers, ending)),
    ]
    if known_words is not None:
        names = ("a word of the training data",), ("not a word of the training data",)
        found.append(Property("unseen words", _each(answers, lambda s, t: names[lower[s][t] not in known_words])))
    first, last = ("first word",), ("last word",)
    ends = _each(answers, lambda s, t: first if t == 0 else last if t == len(words[s]) - 1 else ())
    return [*found, Property("place in the sentence", ends), Property("length of the sentence", _lengths(answers))]


def _lengths(answers: Answers) -> Values:
    names = [(f"{a} to {b - 1} words",) for a, b in pairwise(_LENGTHS)]
    names.append((f"{_LENGTHS[-1]} words or more",))
    return _each(answers, lambda s, t: names[max(bisect_right(_LENGTHS, len(answers.words[s])) - 1, 0)])


def _of_labels(answers: Answers) -> list[Property]:
    found = [Property("labels", _errors(answers, _taken_for), of_errors=True)]
    if looks_like_chunks(chain.from_iterable(answers.gold)):
        found.append(Property("kind of mistake", _errors(answers, _chunk_mistake), of_errors=True))
    gold = answers.gold
    before = _each(answers, lambda s, t: (gold[s][t - 1] if t else f"the beginning of the {answers.unit}",))
    return [*found, Property("gold label", _each(answers, lambda s, t: (gold[s][t],))), Property("after", before)]


def _chunk_mistake(gold: str, guess: str) -> str:
    """Return the mistake in the label of a chunk.

    >>> _chunk_mistake("B-NP", "I-NP"), _chunk_mistake("O", "B-NP"), _chunk_mistake("B-NP", "B-VP")
    ('where it begins or ends', 'found where there is none', 'its type')
    """
    if guess in OUTSIDE:
        return "not found"
    if gold in OUTSIDE:
        return "found where there is none"
    return "where it begins or ends" if gold.partition("-")[2] == guess.partition("-")[2] else "its type"


def _of_trees(answers: Answers) -> list[Property]:
    assert answers.trees is not None
    trees, tags = answers.trees, answers.tags
    mistakes = {
        (False, False): ("head and relation",),
        (False, True): ("head only",),
        (True, False): ("relation only",),
        (True, True): (),
    }

    def mistake(s: int, t: int) -> Sequence[str]:
        (heads, relations), (guessed, said) = trees[s]
        return mistakes[heads[t] == guessed[t], relations[t] == said[t]]

    def tag_of(s: int, head: int) -> str:
        assert tags is not None
        return tags[s][head - 1] if head else "the root"

    def attached(s: int, t: int) -> Sequence[str]:
        (heads, _), (guessed, _) = trees[s]
        if heads[t] == guessed[t]:
            return ()
        return (f"{tags[s][t]} under {tag_of(s, guessed[t])}, not {tag_of(s, heads[t])}",) if tags else ()

    def distance(s: int, t: int) -> Sequence[str]:
        head = trees[s][0][0][t]
        if head == 0:
            return ("the root",)
        side = "left" if head < t + 1 else "right"
        return (f"head {DISTANCES[bisect_right(DISTANCE_STARTS, abs(head - t - 1))]} to the {side}",)

    gold = answers.gold
    found = [
        Property("what is wrong", _each(answers, mistake), of_errors=True),
        Property("relations", _errors(answers, _taken_for), of_errors=True),
        Property("gold relation", _each(answers, lambda s, t: (gold[s][t],))),
        Property("distance to the gold head", _each(answers, distance)),
    ]
    if tags is not None:
        found.insert(2, Property("attached to", _each(answers, attached), of_errors=True))
    return found


def _of_examples(answers: Answers) -> list[Property]:
    gold, words, marked = answers.gold, answers.words, answers.marked
    if answers.sets is None:
        found = [Property("labels", _errors(answers, _taken_for), of_errors=True)]
    else:
        found = _of_sets(answers, answers.sets)
    found.append(Property("gold label", _each(answers, lambda s, t: (gold[s][t],))))
    if not any(words):
        return found

    text = [tuple(sorted({w.lower() for w in some[:_TEXT] if re.search(r"\w", w)})) for some in words]
    found.append(Property("word in the text", _each(answers, lambda s, t: text[s])))
    if marked is not None and any(marked):
        for title in ("word before", "word after"):

            def beside(s: int, t: int, title: str = title) -> Sequence[str]:
                at = marked[s]
                k = at.start - 1 if title == "word before" else at.stop
                return (words[s][k].lower(),) if at and 0 <= k < len(words[s]) else ()

            found.append(Property(title, _each(answers, beside)))
    return [*found, Property("length of the text", _lengths(answers))]


def _of_sets(answers: Answers, sets: Sets) -> list[Property]:
    """Return the aspects of examples with any number of labels: the label, and the one given in its place."""

    def mistake(s: int, t: int) -> Sequence[str]:
        if answers.gold[s][t] == answers.guess[s][t]:
            return ()
        label = sets.names[t]
        return (f"{label} is {'missing' if label in sets.gold[s] else 'given and wrong'}",)

    def instead(s: int, t: int) -> Sequence[str]:
        label = sets.names[t]
        if label not in sets.gold[s] or label in sets.guess[s]:
            return ()
        others = [other for other in sets.guess[s] if other not in sets.gold[s]]
        return [f"{label} is missing, {other or 'nothing'} is given" for other in others or [""]]

    def number(s: int, t: int) -> Sequence[str]:
        count = len(sets.gold[s])
        return (f"{count} gold label{'' if count == 1 else 's'}",)

    return [
        Property("labels", _each(answers, mistake), of_errors=True),
        Property("what is given instead", _each(answers, instead), of_errors=True),
        Property("number of gold labels", _each(answers, number)),
    ]
