"""Phrase-structure trees in brackets, for the kernel and the grammar of the laboratory.

>>> read_tree("(NP (DT the) (NN dog))")
('NP', (('DT', 'the'), ('NN', 'dog')))
"""

import re
from collections.abc import Iterator

from sapwood_lab.errors import DataError

Tree = tuple[str, "str | tuple[Tree, ...]"]  # a label, and a word or a tuple of trees

_TOKEN = re.compile(r"[()]|[^\s()]+")


def read_tree(text: str) -> Tree:
    """Return the tree that a text has in brackets. Raises DataError unless it is one whole tree."""
    tokens = iter(_TOKEN.findall(text))
    try:
        if next(tokens) != "(":
            raise DataError(f"a tree begins with a bracket: {text[:40]!a}")
        tree = _node(tokens)
    except StopIteration:
        raise DataError(f"a bracket does not close: {text[:40]!a}") from None
    if next(tokens, None) is not None:
        raise DataError(f"there is more than one tree: {text[:40]!a}")
    return tree


def bracketed(tree: Tree) -> str:
    """Return a tree as text."""
    label, below = tree
    return f"({label} {below if isinstance(below, str) else ' '.join(map(bracketed, below))})"


def nodes(tree: Tree) -> Iterator[Tree]:
    """Yield a tree and all trees below it."""
    yield tree
    if not isinstance(tree[1], str):
        for child in tree[1]:
            yield from nodes(child)


def _node(tokens: Iterator[str]) -> Tree:
    """Read what stands behind an opening bracket, up to the closing one."""
    label, children = next(tokens), []
    while (token := next(tokens)) == "(":
        children.append(_node(tokens))
    if label in "()" or (children and token != ")"):
        raise DataError("in a tree stands a label, then a word or trees in brackets")
    if children:
        return label, tuple(children)
    if token == ")" or next(tokens) != ")":
        raise DataError(f"the label {label!a} has nothing below it, or more than one word")
    return label, token
