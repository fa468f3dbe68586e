"""Lemmas, the forms that a dictionary has, and the words of multiword tokens, both learned from a treebank."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Self

import sapwood._core as _core
from sapwood.errors import DataError, ModelError, warn
from sapwood.io.conllu import Treebank, checked_text, has_values, read_treebank, with_words
from sapwood.io.lexicons import entries_of
from sapwood.io.memory import COUNTED, has_parts, sentences_in
from sapwood.model.answers import Answers
from sapwood.model.base import is_file
from sapwood.model.file.schema import ModelFile
from sapwood.parts import TAGGED
from sapwood.tasks.rewriting.answers import LemmaRecords, gold_lemmas, lemma_answers, word_answers
from sapwood.tasks.rewriting.options import LemmatizerOptions, SplitterOptions
from sapwood.tasks.tagging.row_tagger import RowTagger

if TYPE_CHECKING:
    from sapwood.metrics.words import LemmaReport, SplitReport
    from sapwood.training.run import Run
    from sapwood.training.task import HeldOutScore


Words = Iterable[Sequence[Sequence[str]]]
_GIVEN = 4  # parts of a word in memory: form, UPOS, XPOS, FEATS


class Lemmatizer(RowTagger[LemmatizerOptions]):
    """Gives words their lemmas, by their forms and tags: UPOS, XPOS and FEATS, as far as the treebank has them.

    `fit` takes a treebank in CoNLL-U, a file or several. A lemma is made by an edit script (Chrupala 2006), which is
    chosen for each word by itself among those that training has with the word's UPOS.

    >>> Lemmatizer(min_updates=3)
    Lemmatizer(min_updates=3)
    """

    _params_type = LemmatizerOptions
    task = "lemmatize"
    _noun = "lemmatizer"
    _records_type = LemmaRecords
    _extra_arrays: ClassVar = {"script_lists": "edit scripts"}

    def predict(self, words: os.PathLike[str] | _core.Conllu | Words) -> list[list[str]]:
        """Return the lemmas of a CoNLL-U file's words, or of words in memory: (form, UPOS, XPOS, FEATS).

        Raises DataError for words without the tags that training data have.
        """
        self.check_fitted()
        if isinstance(words, _core.Conllu) or is_file(words, "sentences, each a list of (form, UPOS, XPOS, FEATS)"):
            return self.lemmatizer_.lemmas(self._rows_of(read_treebank(words)), self.threads)
        given = sentences_in(words, "input", "words")  # type: ignore[arg-type]
        for s, sentence in enumerate(given):
            for w, word in enumerate(sentence):
                if not has_parts(word) or len(word) != _GIVEN:
                    where = f"sentence {s + 1}, word {w + 1}"
                    raise DataError(f"{where}: a word is (form, UPOS, XPOS, FEATS), not {word!r:.60} {COUNTED}")
        return self.lemmatizer_.lemmas(_core.Columns.build(given, None, "input"), self.threads)

    def evaluate(self, source: os.PathLike[str] | _core.Conllu) -> LemmaReport:
        """Lemmatize the words of a CoNLL-U file by its tags, and compare with its lemmas. Raises DataError."""
        from sapwood.metrics.words import lemma_scores

        self.check_fitted()
        data = read_treebank(source)
        checked_text(data)
        gold = gold_lemmas(data)
        return lemma_scores(gold, self.lemmatizer_.lemmas(self._rows_of(data), self.threads), data.column("upos"))

    def _answers(self, source: os.PathLike[str] | _core.Conllu) -> list[Answers]:
        self.check_fitted()
        data = read_treebank(source)
        return [lemma_answers(data, self.predict(data), partial(self._explain, self._rows_of(data)))]

    def _learn(self, run: Run, treebank: Treebank, *, dev: Treebank | None = None) -> Self:
        """Train on a treebank, and keep the words that are got wrong in a lexicon."""
        from sapwood.tasks.rewriting.training import exceptions, lemma_rows, lemmatizer_trainer

        held_out = None if dev is None else with_words(read_treebank(dev))
        start = partial(lemmatizer_trainer, score=_scored_lemmas)
        fitted = self._train(run, start, with_words(read_treebank(treebank)), held_out)
        rows = lemma_rows(self.params, fitted.data)
        if lexicon := exceptions(entries_of(self.params.lexicon), rows, self.model_.labels, self.predict):
            self.model_.extra |= lexicon
            self._install(self.model_)
        most = self.params.max_bytes
        if most is not None and (size := self.model_.size()) > most:
            warn(f"with the exceptions of its lexicon the lemmatizer has {size:,} bytes, more than {most:,}")
        return self

    def _rows_of(self, data: _core.Conllu) -> _core.Columns:
        for name in self.model_.options["tag_columns"]:
            if not has_values(data, [name]):
                raise DataError(f"{data.name}: no word has {name.upper()}, by which lemmas are chosen; tag it first")
        return _core.lemma_rows(data, labelled=False)

    def _install(self, model: ModelFile) -> None:
        tags = model.options.get("tag_columns")
        if not isinstance(tags, list) or not all(name in TAGGED for name in tags):
            raise ModelError("its options lack tag_columns")
        super()._install(model)
        self.lemmatizer_: _core.Lemmatizer = _core.Lemmatizer(model, self.tagger_)


def _scored_lemmas(model: ModelFile, data: _core.Conllu) -> HeldOutScore:
    from sapwood.training.task import HeldOutScore

    lemmatizer = Lemmatizer._of_file(model)
    return HeldOutScore.of(lemmatizer.evaluate(data).accuracy, data.column("lemma"), lemmatizer.predict(data))


class Splitter(RowTagger[SplitterOptions]):
    """Splits tokens into words: French *du* is *de* and *le*, English *don't* is *do* and *n't*.

    `fit` takes a treebank in CoNLL-U, a file or several. The words are made by an edit script, so that tokens which
    training data do not have are split, too.

    >>> Splitter(min_updates=5)
    Splitter(min_updates=5)
    """

    _params_type = SplitterOptions
    task = "split"
    _noun = "splitter"
    _extra_arrays: ClassVar = {"known": "known words"}

    def predict(self, tokens: os.PathLike[str] | _core.Conllu | Iterable[Sequence[str]]) -> list[list[list[str]]]:
        """Return the words of each token of a CoNLL-U file, or of sentences in memory. Raises DataError."""
        self.check_fitted()
        if isinstance(tokens, _core.Conllu) or is_file(tokens, "sentences, each a list of tokens"):
            rows = _core.token_rows(read_treebank(tokens))
            return self.splitter_.words(rows, self.threads)
        given = [[(token,) for token in sentence] for sentence in sentences_in(tokens, "input")]  # type: ignore[arg-type]
        return self.splitter_.words(_core.Columns.build(given, None, "input"), self.threads)

    def evaluate(self, source: os.PathLike[str] | _core.Conllu) -> SplitReport:
        """Split the tokens of a CoNLL-U file, and compare with its words. Raises DataError."""
        from sapwood.metrics.words import split_scores

        self.check_fitted()
        data = read_treebank(source)
        checked_text(data)
        return split_scores(_core.token_words(data), self.predict(data))

    def _answers(self, source: os.PathLike[str] | _core.Conllu) -> list[Answers]:
        self.check_fitted()
        data = read_treebank(source)
        rows = self._rows_of(data)
        explain = partial(self._explain, rows)
        return [word_answers(rows.column(0), _core.token_words(data), self.predict(data), explain)]

    def _learn(self, run: Run, treebank: Treebank, *, dev: Treebank | None = None) -> Self:
        from sapwood.tasks.rewriting.training import splitter_trainer

        held_out = None if dev is None else with_words(read_treebank(dev))
        start = partial(splitter_trainer, score=_scored_words)
        self._train(run, start, with_words(read_treebank(treebank)), held_out)
        return self

    def _rows_of(self, data: _core.Conllu) -> _core.Columns:
        return self.splitter_.rows(_core.token_rows(data))

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self.splitter_: _core.Splitter = _core.Splitter(model, self.tagger_)


def _scored_words(model: ModelFile, data: _core.Conllu) -> HeldOutScore:
    from sapwood.training.task import HeldOutScore

    splitter = Splitter._of_file(model)
    return HeldOutScore.of(splitter.evaluate(data).words.f1, _core.token_words(data), splitter.predict(data))
