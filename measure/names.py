"""The names of EWT as sentences of (word, tag, label)."""

from pathlib import Path

from measure.corpora import corpus_files
from sapwood.errors import DataError
from sapwood.io.conllu import read_treebank
from sapwood.io.entities import read_entities


def ewt_names(folder: Path, part: str) -> list[list[tuple[str, ...]]]:
    """Return the sentences of a part of EWT, "train" or "dev", that have names annotated, with the treebank's tags."""
    [trees] = corpus_files(folder, "ewt", f"en_ewt-ud-{part}.conllu")
    treebank = read_treebank(trees)
    entities = read_entities(treebank, corpus_files(folder, "ewt_names", f"en_ewt-ner-{part}.iob2"))
    if entities is None:
        raise DataError(f"{trees}: there are no names for it")
    columns = zip(treebank.column("form"), treebank.column("xpos"), entities[0], strict=True)
    return [list(zip(*sentence, strict=True)) for sentence in columns if sentence[2] is not None]
