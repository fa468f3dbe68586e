"""Taggers of rows: what sequence labelling has in common, whatever the rows are made of.

Rows are columns of text (core/text/columns.hpp); a template makes features of them, a search gives each row a label.
A `SequenceTagger` is given its rows by the user; a segmenter, a splitter and a lemmatizer make them of text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from sapwood import _core
from sapwood.errors import ModelError
from sapwood.io.conllu import read_conllu, read_treebank
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, NamedWeights, Output, feature_name
from sapwood.tasks.tagging.answers import explain_rows
from sapwood.tasks.tagging.lexicon import PACKED, unpacked
from sapwood.tasks.tagging.options import RowOptions
from sapwood.training.learner import Learner

R = TypeVar("R", bound=RowOptions)


class RowTagger(Learner[R]):
    """A learner of labels for rows.

    The averaging clock ticks once a row in argmax, greedy and easiest-first search, once a sequence in Viterbi.
    Template lines that look at labels which the search does not know when it scores a row are left out: labels to the
    right (``%y[+1]``) but in easiest-first search, two labels to the left in Viterbi of order 1, all in argmax.
    """

    # The arrays that the model file has beside every tagger's, with what they belong to.
    _extra_arrays: ClassVar[Mapping[str, str]] = {}

    @property
    def contents(self) -> Contents:
        """The labels and the weights of the fitted model."""
        self.check_fitted()
        model = self.model_
        arrays = {
            f"extra.{name}": what for name, what in {"dictionary": "tag dictionary", **self._extra_arrays}.items()
        }
        labels = [Output(label, label) for label in model.labels]
        return Contents(
            model,
            tables=["label", "label pair", "label triple"][: len(model.tables)],
            outputs=[labels] * len(model.tables),
            weights=self._weights,
            arrays=arrays,
        )

    def _weights(self) -> NamedWeights:
        """Yield the weights; before the last label of a pair or triple stand, in the feature, those that precede it."""
        history = [*self.model_.labels, "<start>"]
        for table, row, labels, weight in self.tagger_.weights():
            after = f" after {' '.join(history[y] for y in labels[:-1])}" if len(labels) > 1 else ""
            label = self.model_.labels[labels[-1]]
            yield Output(label, label), weight, feature_name(self.model_, table, row) + after

    def _rows_of(self, data: _core.Conllu) -> _core.Columns:
        """Return the rows of a treebank that the tagger labels. Raises DataError."""
        raise NotImplementedError

    def _encode_input(self, treebank: Any) -> _core.Columns:
        return self._rows_of(read_treebank(treebank))

    def _parsed(self, data: bytes, name: str) -> _core.Columns:
        return self._rows_of(read_conllu(data, name))

    def _explain(self, rows: _core.Columns, asked: _core.Question) -> Iterator[bytes]:
        return explain_rows(self.tagger_, self.threads, rows, asked)

    def _install(self, model: ModelFile) -> None:
        wanted = {*self._extra_arrays, *(PACKED if model.options.get("dictionary") is not None else ())}
        if foreign := set(model.extra) - wanted:
            raise ModelError(f"it has an array that does not belong there: 'extra.{min(foreign)}'")
        super()._install(model)
        self.tagger_: _core.Tagger = build_tagger(model, self._lexicon_in(model))
        self.labels_ = list(dict.fromkeys(self.tagger_.labels))

    def _lexicon_in(self, model: ModelFile) -> _core.Lexicon | None:
        return None


def build_tagger(model: ModelFile, lexicon: _core.Lexicon | None) -> _core.Tagger:
    """Return the tagger in a model file, with its lexicon. Raises ModelError if it does not hold one."""
    options = model.options
    if missing := [name for name in _core.Tagger.options if name not in options]:
        raise ModelError(f"its options lack {', '.join(missing)}")
    template = _core.Template(model.template, "template", model.columns, model.label)
    if template.word_lists != [name for name, _ in model.word_lists]:
        raise ModelError("its word lists are not those that its template asks for")
    return _core.Tagger(
        {name: options[name] for name in _core.Tagger.options},
        model.labels,
        template,
        [words for _, words in model.word_lists],
        unpacked(model),
        [table.packed for table in model.tables],
        model.bits,
        model.scale,
        model.clusters,
        lexicon,
    )
