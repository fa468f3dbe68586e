"""Six English sentences with all annotations, small enough to be followed by eye: the laboratory's examples.

>>> for sentence in small_treebank()[:2]:
...     print(" ".join(sentence.words), sentence.heads, sentence.chunks)
the old dog barks [3, 3, 4, 0] ['B-NP', 'I-NP', 'I-NP', 'B-VP']
she saw a bird in the garden [2, 0, 4, 2, 7, 7, 2] ['B-NP', 'B-VP', 'B-NP', 'I-NP', 'B-PP', 'B-NP', 'I-NP']
"""

from typing import NamedTuple

from sapwood.io.lists import Candidate, CandidateList

# Of each sentence the words, tags, chunks, heads and relations; its tree; and, if its prepositional phrase could belong
# to another word, the tree in which it does.
_TABLE = """
the old dog barks
DT JJ NN VBZ
B-NP I-NP I-NP B-VP
3 3 4 0
det amod nsubj root
(S (NP (DT the) (JJ old) (NN dog)) (VP (VBZ barks)))

she saw a bird in the garden
PRP VBD DT NN IN DT NN
B-NP B-VP B-NP I-NP B-PP B-NP I-NP
2 0 4 2 7 7 2
nsubj root det obj case det obl
(S (NP (PRP she)) (VP (VBD saw) (NP (DT a) (NN bird)) (PP (IN in) (NP (DT the) (NN garden)))))
(S (NP (PRP she)) (VP (VBD saw) (NP (NP (DT a) (NN bird)) (PP (IN in) (NP (DT the) (NN garden))))))

a cat slept on the mat
DT NN VBD IN DT NN
B-NP I-NP B-VP B-PP B-NP I-NP
2 3 0 6 6 3
det nsubj root case det obl
(S (NP (DT a) (NN cat)) (VP (VBD slept) (PP (IN on) (NP (DT the) (NN mat)))))

he saw the end of the garden
PRP VBD DT NN IN DT NN
B-NP B-VP B-NP I-NP B-PP B-NP I-NP
2 0 4 2 7 7 4
nsubj root det obj case det nmod
(S (NP (PRP he)) (VP (VBD saw) (NP (NP (DT the) (NN end)) (PP (IN of) (NP (DT the) (NN garden))))))
(S (NP (PRP he)) (VP (VBD saw) (NP (DT the) (NN end)) (PP (IN of) (NP (DT the) (NN garden)))))

she likes the sound of the saw
PRP VBZ DT NN IN DT NN
B-NP B-VP B-NP I-NP B-PP B-NP I-NP
2 0 4 2 7 7 4
nsubj root det obj case det nmod
(S (NP (PRP she)) (VP (VBZ likes) (NP (NP (DT the) (NN sound)) (PP (IN of) (NP (DT the) (NN saw))))))
(S (NP (PRP she)) (VP (VBZ likes) (NP (DT the) (NN sound)) (PP (IN of) (NP (DT the) (NN saw)))))

the dog saw a cat on the mat
DT NN VBD DT NN IN DT NN
B-NP I-NP B-VP B-NP I-NP B-PP B-NP I-NP
2 3 0 5 3 8 8 3
det nsubj root det obj case det obl
(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (DT a) (NN cat)) (PP (IN on) (NP (DT the) (NN mat)))))
(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (NP (DT a) (NN cat)) (PP (IN on) (NP (DT the) (NN mat))))))
"""


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
