"""The laboratory's examples, small enough to be followed by eye: six English sentences, and points of two classes.

>>> for sentence in small_treebank()[:2]:
...     print(" ".join(sentence.words), sentence.heads, sentence.chunks)
the old dog barks [3, 3, 4, 0] ['B-NP', 'I-NP', 'I-NP', 'B-VP']
she saw a bird in the garden [2, 0, 4, 2, 7, 7, 2] ['B-NP', 'B-VP', 'B-NP', 'I-NP', 'B-PP', 'B-NP', 'I-NP']
"""

from pathlib import Path
from random import Random
from typing import NamedTuple

from sapwood.io.lists import Candidate, CandidateList

# Of each sentence the words, tags, chunks, heads and relations; its tree; and, if its prepositional phrase could belong
# to another word, the tree in which it does.
_TABLE = Path(__file__).with_name("small.txt").read_text(encoding="utf-8")


class SmallSentence(NamedTuple):
    """A sentence of n words with its annotations."""

    words: list[str]  # [n]
    tags: list[str]  # [n] Penn Treebank tags
    chunks: list[str]  # [n]
    heads: list[int]  # [n] words count from 1, 0 is the root
    deprels: list[str]  # [n]
    tree: str  # in brackets
    other_tree: str | None  # the tree of the other reading, if there is one


def small_treebank() -> list[SmallSentence]:
    """Return the six sentences."""
    sentences = []
    for block in _TABLE.strip().split("\n\n"):
        lines = block.split("\n")
        words, tags, chunks, heads, deprels = (line.split() for line in lines[:5])
        other = lines[6] if len(lines) > 6 else None
        sentences.append(SmallSentence(words, tags, chunks, [int(h) for h in heads], deprels, lines[5], other))
    return sentences


def small_lists() -> list[CandidateList]:
    """Return the two trees of each sentence with two readings; the loss of the wrong one is 1.

    The scores are those of a base model that always prefers to attach the phrase to the verb.

    >>> for each in small_lists()[:2]:
    ...     print([(candidate.score, candidate.loss) for candidate in each.candidates])
    [(-1.0, 0.0), (-2.0, 1.0)]
    [(-1.0, 1.0), (-2.0, 0.0)]
    """
    lists = []
    for sentence in small_treebank():
        if sentence.other_tree is None:
            continue
        pair = sorted([sentence.tree, sentence.other_tree], key=lambda tree: "(NP (NP " in tree)
        candidates = [
            Candidate(tree, score, float(tree != sentence.tree)) for tree, score in zip(pair, (-1.0, -2.0), strict=True)
        ]
        tokens = [list(row) for row in zip(sentence.words, sentence.tags, strict=True)]
        lists.append(CandidateList("tree", candidates, tokens, sentence.tree, "small lists"))
    return lists


def small_points(overlap: bool) -> tuple[list[tuple[float, ...]], list[str]]:
    """Return points of two classes in turn, and their labels.

    Without overlap a line through the origin separates them. With it no line does, and a third number, always 1, lets
    lines pass the origin.

    >>> points, labels = small_points(overlap=False)
    >>> len(points), list(zip(points, labels))[:2]
    (20, [((-0.54, 0.03), '-'), ((0.17, 0.89), '+')])
    """
    number = Random(6 if overlap else 46).random
    points: list[tuple[float, ...]] = []
    size = 24 if overlap else 20
    while len(points) < size:
        y = len(points) % 2 * 2 - 1
        if overlap:
            x1, x2 = (round(1.5 + y * s + 2 * (number() + number() + number() - 1.5), 1) for s in (0.6, 0.5))
            points.append((x1, x2, 1))
        else:
            x1, x2 = round(2 * number() - 1, 2), round(2 * number() - 1, 2)
            points += [(x1, x2)] if y * (2 * x1 + x2) > 0.2 else []
    return points, ["-", "+"] * (size // 2)
