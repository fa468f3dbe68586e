"""Phrase-structure trees to measure kernels on: a treebank's, and lists of candidates like those of a parser."""

import re
from collections.abc import Iterator
from random import Random

from measure.corpora import phrase_corpus
from sapwood.io.source import read_bytes

__all__ = ["candidates", "treebank"]

_PHRASES = ("NP", "VP", "PP", "S", "ADJP")

Tree = list  # [label, word] or [label, child, ...]


def treebank(data: str | None) -> tuple[str, list[str]]:
    """Return a name and the bracketed trees of the Penn Treebank's sample as they are read, or generated ones."""
    with phrase_corpus(data) as corpus:
        return corpus.name, list(_brackets(read_bytes(corpus.train).decode()))


def candidates(text: str, count: int, random: Random) -> list[str]:
    """Return a tree and variants of it, as a parser would list them: phrases attached elsewhere or called otherwise."""
    found = {text: None}  # in order
    for _ in range(20 * count):
        if len(found) == count:
            break
        changed = _nested(random.choice(list(found)))
        _change(changed, random)
        found[_written(changed)] = None
    return list(found)


def _change(tree: Tree, random: Random) -> None:
    phrase = random.choice(list(_phrases(tree)))
    inner = [k for k in range(1, len(phrase)) if _is_phrase(phrase[k])]
    how, k = random.random(), random.choice(inner) if inner else 0
    if k and how < 0.4 and len(phrase[k]) > 2:
        phrase.insert(k + 1, phrase[k].pop())  # the last child of a child is raised
    elif k and how < 0.8 and k + 1 < len(phrase):
        phrase[k].append(phrase.pop(k + 1))  # the sibling of a child is lowered
    else:
        phrase[0] = random.choice(_PHRASES)


def _is_phrase(tree: Tree) -> bool:
    return not isinstance(tree[1], str)


def _phrases(tree: Tree) -> Iterator[Tree]:
    if _is_phrase(tree):
        yield tree
        for child in tree[1:]:
            yield from _phrases(child)


def _brackets(text: str) -> Iterator[str]:
    """Yield the outermost brackets of a text."""
    depth = start = 0
    for found in re.finditer(r"[()]", text):
        if found[0] == "(":
            start = found.start() if depth == 0 else start
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                yield text[start : found.end()]


def _nested(text: str) -> Tree:
    open_brackets: list[Tree] = [[]]
    for part in re.findall(r"[()]|[^()\s]+", text):
        if part == "(":
            open_brackets.append([])
        elif part == ")":
            closed = open_brackets.pop()
            open_brackets[-1].append(closed)
        else:
            open_brackets[-1].append(part)
    tree = open_brackets[0][0]
    return tree if isinstance(tree[0], str) else tree[0]  # without the bracket that has no label


def _written(tree: Tree) -> str:
    return f"({' '.join(part if isinstance(part, str) else _written(part) for part in tree)})"
