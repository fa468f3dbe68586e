"""Sentences and tokens out of text, learned from a treebank.

A segmenter is a tagger of the places between characters at which there is a choice (core/segmenting/places.hpp): it
says whether nothing, a token or a sentence begins there. At all other places it does as the treebank always did.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import sapwood._core as _core
from sapwood.errors import DataError, OptionError, warn
from sapwood.io.conllu import Treebank, checked_text, read_treebank, treebank_in_memory, with_words
from sapwood.io.formats import warn_of_format
from sapwood.io.source import encoded, plain_text
from sapwood.model.answers import Answers
from sapwood.model.explanation import in_batches
from sapwood.model.familiarity import familiar_in
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.options import option
from sapwood.tasks.segmenting.answers import SegmenterRecords, place_answers
from sapwood.tasks.tagging.options import PYTHON_ONLY, RowOptions
from sapwood.tasks.tagging.row_tagger import RowTagger

if TYPE_CHECKING:
    from sapwood.metrics.conll2018 import Conll2018Report
    from sapwood.tasks.tagging.training import Labels
    from sapwood.training.run import Run
    from sapwood.training.task import InMemory, Trainer

NO_SPACES = "it does not tell where there are no spaces, neither by SpaceAfter=No in MISC nor by '# text'"
PLACES = "places"  # name of the array with the table of places
_COLUMNS = ["kind", "gap", "head", "tail", "before", "after", "later", "label"]  # core/segmenting/segment_rows.hpp


class SegmenterOptions(RowOptions):
    """The options of a segmenter."""

    python_only = PYTHON_ONLY
    template: str | os.PathLike[str] = option(default="segment")
    search: str = option(default="greedy")
    history: Literal["gold", "own"] = option(default="own")
    min_updates: int = 3
    drop_below: float = 0.02


class Segmenter(RowTagger[SegmenterOptions]):
    """Cuts raw text into sentences and tokens, kept small by `min_updates`.

    Offsets into the text are kept, so nothing of it is lost. Scripts without spaces and spaces inside of words are
    learned from the treebank's `SpaceAfter`, paragraphs are its ``# newpar`` and ``# newdoc``: they end sentences, in
    text as empty lines do. Tokens are not split into words; that is what a `Splitter` is for.

    `fit` takes a treebank in CoNLL-U, a file or several. Every k-th paragraph is held out by `dev_fraction`. It raises
    DataError if neither MISC nor ``# text`` tells where no space follows a token.
    """

    _params_type = SegmenterOptions
    task = "segment"
    _noun = "segmenter"
    _records_type = SegmenterRecords
    _extra_arrays: ClassVar = {PLACES: "table of places"}

    def _learn(self, run: Run, treebank: Treebank, *, dev: Treebank | None = None) -> Self:
        """Train on a treebank that says where spaces are. Raises DataError if it does not."""
        whole = with_words(read_treebank(treebank))
        if run.monitors_data:
            checked_text(whole)
        text = whole.text(apart=True)
        if not text.told:
            raise DataError(f"{whole.name}: {NO_SPACES}, so a segmenter cannot be learned")
        if text.told == "forms":
            warn(f"{whole.name}: {NO_SPACES}; a space is taken to stand between all tokens")
        places, data = _core.segment_examples(text, b"")
        held_out = (
            None if dev is None else _core.segment_examples(with_words(read_treebank(dev)).text(apart=True), places)[1]
        )
        start = partial(segmenter_trainer, places=places, words=whole)
        self._train(run, start, data, held_out, unit="paragraphs", look=None)
        return self

    def predict(self, text: str) -> list[list[tuple[int, int]]]:
        """Return the begin and end of each token in the text, by sentence: ``text[begin:end]`` is the token.

        Raises DataError for text that is not Unicode.
        """
        self.check_fitted()
        data = encoded(text)
        [doc] = self._pipeline().read_each([data], 1)
        if not warn_of_format(data, "text", "text", self.familiarity_.on_warning):
            self.familiarity_.check(doc, "text")
        tokens = doc.tokens
        return [tokens[begin:end] for (begin, *_), (end, *_) in pairwise(doc.sentences)]

    def documents(self, data: bytes, name: str) -> list[_core.Doc]:
        """Return a text as documents, cut into sentences and tokens. Raises DataError."""
        return self._pipeline().read(data, name, threads=self.threads)

    def _pipeline(self) -> _core.Pipeline:
        return _core.Pipeline(self.segmenter_, familiarity=self.familiarity_.core)

    def _encode_input(self, text: str) -> _core.Columns:
        return self._parsed(encoded(text), "text")

    def _explain(self, rows: _core.Columns, asked: _core.Question) -> Iterator[bytes]:
        return in_batches(partial(_core.explain_places, self.tagger_, rows, asked), rows.sentences, asked)

    def _parsed(self, data: bytes, name: str) -> _core.Columns:
        warn_of_format(data, name, "text", self.familiarity_.on_warning)
        return self.segmenter_.rows(plain_text(data, name).encode())

    def evaluate(self, source: os.PathLike[str]) -> Conll2018Report:
        """Cut the text of a treebank and compare with its sentences and tokens. Raises DataError."""
        from sapwood.metrics.conll2018 import Conll2018Report, conll2018_scores

        self.check_fitted()
        treebank = read_treebank(source)
        checked_text(treebank)
        text = treebank.text(apart=True).text.decode()
        guess = [[text[begin:end] for begin, end in sentence] for sentence in self.predict(text)]
        scores = conll2018_scores(treebank, treebank_in_memory(guess, (), None, "output"))
        return Conll2018Report((scores["Tokens"], scores["Sentences"]))

    def _answers(self, source: Treebank) -> list[Answers]:
        self.check_fitted()
        _, rows = _core.segment_examples(read_treebank(source).text(apart=True), bytes(self.model_.extra[PLACES].data))
        return [place_answers(partial(self._explain, rows), rows, self.tagger_.predict(rows, self.threads))]

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self.segmenter_: _core.Segmenter = _core.Segmenter(model, self.tagger_)


def segmenter_trainer(
    options: SegmenterOptions,
    data: InMemory[_core.Columns],
    held_out: _core.Columns | None,
    run: Run,
    *,
    places: bytes,
    words: _core.Conllu,
) -> Trainer:
    """Return the trainer of a segmenter: rows of places, the table of places, and the text as words."""
    from sapwood.tasks.tagging.training import Rows, row_trainer

    if run.known is not None:
        raise OptionError("a segmenter cannot go on with other data, by which it chose what it decides; train anew")
    rows = Rows(
        task="segment",
        data=data,
        held_out=held_out,
        names=_COLUMNS,
        label=len(_COLUMNS) - 1,
        extra={PLACES: Array.of("U8", places)},
        score=_begins_f1,
    )
    trainer = row_trainer(rows, options)
    trainer.familiar = lambda: familiar_in([words], {"form": 0})  # rows are places, not words
    return trainer


def _begins_f1(gold: Labels, guess: Labels) -> float:
    """Return the F1 of places at which a token or sentence begins, in percent."""
    pairs = [(g, p) for gs, ps in zip(gold, guess, strict=True) for g, p in zip(gs, ps, strict=True)]
    right = sum(g == p != "." for g, p in pairs)
    begins = sum((g != ".") + (p != ".") for g, p in pairs)
    return 200 * right / begins if begins else 100.0
