"""Corpora that are generated, so that they are always available."""

from sapwood.datasets.treebank import FORMATS, GeneratedSentence, generate, write_treebank

__all__ = ["FORMATS", "GeneratedSentence", "generate", "write_treebank"]
