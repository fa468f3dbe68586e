"""Corpora: the generated treebank, which is always available, and real ones in a folder of the user."""

from sapwood.datasets.treebank import FORMATS, GeneratedSentence, generate, write_treebank

__all__ = ["FORMATS", "GeneratedSentence", "generate", "write_treebank"]
