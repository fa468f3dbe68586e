"""Corpora that are always at hand: the generated treebank."""

from sapwood.datasets.treebank import FORMATS, Sentence, generate, write_treebank

__all__ = ["FORMATS", "Sentence", "generate", "write_treebank"]
