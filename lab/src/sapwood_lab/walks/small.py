"""The laboratory's examples, small enough to be followed by eye: six English sentences, and points of two classes.

>>> for sentence in small_treebank()[:2]:
...     print(" ".join(sentence.words), sentence.heads, sentence.chunks)
the old dog barks [3, 3, 4, 0] ['B-NP', 'I-NP', 'I-NP', 'B-VP']
she saw a bird in the garden [2, 0, 4, 2, 7, 7, 2] ['B-NP', 'B-VP', 'B-NP', 'I-NP', 'B-PP', 'B-NP', 'I-NP']
"""

from pathlib import Path
from typing import NamedTuple

from sapwood_lab.base.candidates import Candidate, CandidateList

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


_POINTS = {  # x1 and x2, by whether the classes overlap; negative and positive ones in turn
    False: "-.54 .03 .17 .89 -.94 -.86 .69 -.73 -.81 .95 .5 .09 -.78 -.55 .01 .56 -.45 -.79 .55 -.59 "
    "-.77 -.5 .22 .42 -.43 -.77 .5 .14 .16 -.66 .43 -.63 -.4 .15 .88 -.95 .3 -.93 .55 -.27",
    True: "2.1 -.2 2.3 2.7 1.3 .9 2.8 2.7 1.3 -.5 2.9 1.9 2.3 1.7 2.7 1.5 1 .6 1.1 1.4 .9 .5 1.7 2 .3 1.2 4.2 3.3 "
    "1.5 .4 2.1 1 0 1.3 2.2 1.7 -.1 .9 4.2 1.6 1.3 .5 .2 2.2 2.2 .4 2.7 2.5",
}


def small_points(overlap: bool) -> tuple[list[tuple[float, ...]], list[str]]:
    """Return points of two classes, and their labels; a line through the origin separates them.

    With overlap no line does, and a third number, always 1, lets lines pass the origin.

    >>> points, labels = small_points(overlap=False)
    >>> len(points), list(zip(points, labels))[:2]
    (20, [((-0.54, 0.03), '-'), ((0.17, 0.89), '+')])
    """
    numbers = list(map(float, _POINTS[overlap].split()))
    points = [(*pair, *[1.0] * overlap) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
    return points, ["-", "+"] * (len(points) // 2)
