"""What the tests of silver data share: sentences as rows, as trees in memory, and as CoNLL-U."""

from sapwood._core import Columns, Conllu
from sapwood.io.conllu import treebank_in_memory

TAGS = ("xpos", "upos", "feats")


def treebank(words, trees, name="silver"):
    return treebank_in_memory(words, TAGS, trees, name)


def rows(*sentences, name="silver"):
    return Columns.build(
        [[tuple(token.split("/")) for token in sentence.split()] for sentence in sentences], None, name
    )


def conllu(*sentences):
    """Sentences of cells: form, upos, head, deprel, misc, with blanks between."""
    lines = []
    for words in sentences:
        for number, word in enumerate(words.split("; "), 1):
            form, upos, head, deprel, misc = word.split()
            lines.append(f"{number}\t{form}\t_\t{upos}\t_\t_\t{head}\t{deprel}\t_\t{misc}\n")
        lines.append("\n")
    return Conllu.read("".join(lines).encode(), "silver")
