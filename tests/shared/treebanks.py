"""Generated treebanks with every column that the parts of a pipeline learn from."""

from sapwood._core import Conllu
from sapwood.datasets.treebank import generate
from sapwood.parts import PARTS

ONE_EPOCH = {part.name: {"epochs": 1} for part in PARTS if part.name != "morphology"}  # of a pipeline's models


def treebank(sentences: int, seed: int) -> Conllu:
    return Conllu.read(treebank_text(sentences, seed).encode(), "generated")


def treebank_text(sentences: int, seed: int) -> str:
    text = "".join(s.conllu(f"s{k}", "attached") for k, s in enumerate(generate(sentences, seed)))
    lines = []
    for line in text.split("\n"):
        cells = line.split("\t")
        if len(cells) == 10 and "-" not in cells[0]:
            cells[2] = cells[1].lower()
            cells[9] = "|".join(filter(None, [cells[9].strip("_"), "NER=B-NAME" if cells[3] == "PROPN" else ""])) or "_"
        lines.append("\t".join(cells))
    return "\n".join(lines)
