"""The forms of the answers of lemmatizers and splitters: the material of reports, and records."""

from collections.abc import Iterator, Mapping, Sequence

import sapwood._core as _core
from sapwood.errors import DataError
from sapwood.io.conllu import has_values, read_conllu
from sapwood.model.answers import Answers, Explain, row_reasons
from sapwood.model.records import INPUT, Records, as_lines, sentence_record, texts_of_sentences


def gold_lemmas(data: _core.Conllu) -> list[list[str]]:
    """Return the lemmas of a treebank. Raises DataError if there is none."""
    if not has_values(data, ["lemma"]):
        raise DataError(f"{data.name}: no word has a lemma to compare with (column 3 is _ everywhere)")
    return data.column("lemma")


def lemma_answers(data: _core.Conllu, guess: Sequence[Sequence[str]], explain: Explain) -> Answers:
    """Return the answers of a lemmatizer, with reasons of the edit scripts. Raises DataError without gold.

    Where the gold lemma is `_` (unknown), any guess is right, so `_` takes its place.
    """
    gold = gold_lemmas(data)
    said = [[g if g == "_" else h for g, h in zip(*pair, strict=True)] for pair in zip(gold, guess, strict=True)]
    reasons = row_reasons(explain, None)
    return Answers("lemmas", "sentence", data.column("form"), gold, said, reasons, data.column("upos"))


def word_answers(
    tokens: list[list[str]], gold: list[list[list[str]]], guess: list[list[list[str]]], explain: Explain
) -> Answers:
    """Return the words of each token, with reasons of the edit scripts."""
    wanted, said = ([[" ".join(words) for words in sentence] for sentence in side] for side in (gold, guess))
    return Answers("words of tokens", "sentence", tokens, wanted, said, row_reasons(explain, None), own_scores=True)


class LemmaRecords(Records):
    """Answers of a lemmatizer about the words of CoNLL-U."""

    inputs = ("conllu",)
    decided: Mapping[str, str] = {"lemma": ""}
    decider = "lemmatizer"
    lists_labels = False  # edit scripts are not chosen from a list

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
