"""The records of a lemmatizer: words with their lemmas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sapwood.io.conllu import read_conllu
from sapwood.model.records import INPUT, Records, as_lines, sentence_record, texts_of_sentences


class LemmaRecords(Records):
    """Answers of a lemmatizer about the words of CoNLL-U."""

    inputs = ("conllu",)
    decided: Mapping[str, str] = {"lemma": ""}
    decider = "lemmatizer"

    def labels(self, part: str) -> Sequence[str]:
        """Return nothing: edit scripts are not chosen from a list."""
        return ()

    def _written(self, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
        treebank = read_conllu(data, INPUT)
        lemmas = self._model.predict(treebank)
        if format != "json":
            yield treebank.replace({"lemma": lemmas})
            return
        columns = texts_of_sentences(treebank), treebank.column("form"), treebank.column("upos"), lemmas
        yield as_lines(
            sentence_record(text, words, {"upos": tags, "lemma": found})
            for text, words, tags, found in zip(*columns, strict=True)
        )
