"""The records of a parser: sentences with their trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sapwood import _core
from sapwood.io.columns import given_tokens
from sapwood.io.conllu import treebank_in_memory
from sapwood.model.records import INPUT, Record, Records, sentence_record, texts_of_sentences


class ParserRecords(Records):
    """Answers of a parser about CoNLL-U, or about words alone where it needs no tags."""

    decided: Mapping[str, str] = {"head": "", "deprel": ""}

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        file = model.model_
        self.inputs = ("conllu", "tokens") if file.parts or file.options.get("untagged") else ("conllu",)
        self.tags = file.columns[0]  # the first of its tag columns

    def _file(self, data: bytes, kind: str) -> bytes:
        if kind != "tokens":
            return data
        lines = given_tokens(data, INPUT)
        return treebank_in_memory([line for line in lines if line], (), None, INPUT).to_bytes()

    def _records(self, block: _core.Conllu, confidence: bool) -> Iterator[Record]:
        model = self._model
        trees = model.parser_.predict(block, model.threads)
        sure = model.confidence.of(block, model.threads) if confidence else None
        columns = {name: block.column(name) for name in model.params.tag_columns}
        texts = zip(texts_of_sentences(block), block.column("form"), trees, strict=True)
        for s, (text, words, (heads, relations)) in enumerate(texts):
            values = {name: column[s] for name, column in columns.items()} | {"head": heads, "deprel": relations}
            yield sentence_record(text, words, values, "arc", sure[s] if sure else ())
