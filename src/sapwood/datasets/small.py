"""Six English sentences with all annotations, small enough to be followed by eye: the laboratory's examples.

>>> for sentence in small_treebank()[:2]:
...     print(" ".join(sentence.words), sentence.heads, sentence.chunks)
the old dog barks [3, 3, 4, 0] ['B-NP', 'I-NP', 'I-NP', 'B-VP']
she saw a bird in the garden [2, 0, 4, 2, 7, 7, 2] ['B-NP', 'B-VP', 'B-NP', 'I-NP', 'B-PP', 'B-NP', 'I-NP']
"""

from pathlib import Path
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
