"""Taggers of rows: what sequence labelling has in common, whatever the rows are made of.

Rows are columns of text (core/text/columns.hpp); a template makes features of them, a search gives each row a label.
A `SequenceTagger` is given its rows by the user; a segmenter, a splitter and a lemmatizer make them of text.

A tagger may have a dictionary: the labels that training has with the same values in some columns (Ratnaparkhi 1996).
It may have a lexicon. core/making/row_tagger.hpp describes their arrays in the model file.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, TypeVar

import sapwood._core as _core
from sapwood.errors import warn
from sapwood.io.conllu import read_conllu, read_treebank
from sapwood.io.lexicons import LexiconEntry, read_lemma_lexicon
from sapwood.io.source import shown
from sapwood.model.explanation import in_batches
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, NamedWeights, Output, feature_name
from sapwood.tasks.tagging.options import RowOptions
from sapwood.training.learner import Learner

R = TypeVar("R", bound=RowOptions)


Given = str | os.PathLike[str] | list[LexiconEntry] | _core.Lexicon

_MOST_OWN = 0.9  # share of the distinct words of training data that a lexicon may have
_FEWEST_WORDS = 500  # distinct words of training data; in fewer, the share means nothing
_TABLE = ("high", "low", "classes", "tree")
LEXICON_ARRAYS = {f"lexicon.{name}": "U8" for name in _TABLE} | {"lexicon.sizes": "U64", "lexicon.tags": "U8"}


def tag_lexicon(given: Given, forms: Iterable[str] = ()) -> _core.Lexicon:
    """Return a lexicon of tags as it is, or build it of a file or its entries: their forms, and lemmas that are none.

    forms : the words of the training data. If the lexicon has nearly all of them, a tagger does not learn how words
    that it lacks are tagged (of EWT's own words: UPOS 89.6, 92.4 without a lexicon). So it is built without those that
    training has once (92.6), with a warning.

    Raises DataError, with the line, for a file that is not a lexicon, and for one without words.
    """
    match given:
        case _core.Lexicon():
            return given
        case str() | os.PathLike():
            name, entries = shown(given), read_lemma_lexicon(given)
        case _:
            name, entries = "the lexicon", given
    words = [(entry[0], entry[1]) for entry in entries]
    known = {(form.lower(), tag) for form, tag in words}
    lemmas = {(lemma, entry[1]): None for entry in entries for lemma in entry[2]}
    words += [(lemma, tag) for lemma, tag in lemmas if (lemma.lower(), tag) not in known]
    times = Counter(map(str.lower, forms))
    own = len(times.keys() & {form.lower() for form, _ in words}) / max(len(times), _FEWEST_WORDS)
    if own > _MOST_OWN:
        words = [(form, tag) for form, tag in words if times[form.lower()] != 1]
        message = f"{name}: it has {own:.0%} of the words of the training data, which then show nothing of new words"
        warn(f"{message}; those that training has once are left out of it")
    return _core.Lexicon.build([form for form, _ in words], [tag for _, tag in words], name)


def packed_tag_lexicon(lexicon: _core.Lexicon) -> dict[str, Array]:
    """Return the arrays of a model file."""
    table = {f"lexicon.{name}": getattr(lexicon, name) for name in _TABLE}
    sizes = b"".join(size.to_bytes(8, "little") for size in (len(lexicon), lexicon.key_bits))
    data = table | {"lexicon.sizes": sizes, "lexicon.tags": "\n".join(lexicon.tags).encode()}
    return {name: Array.of(dtype, data[name]) for name, dtype in LEXICON_ARRAYS.items()}


class RowTagger(Learner[R]):
    """A learner of labels for rows.

    The averaging clock ticks once a row in argmax, greedy and easiest-first search, once a sequence in Viterbi.
    Template lines that look at labels which the search does not know when it scores a row are left out: labels to the
    right (``%y[+1]``) but in easiest-first search, two labels to the left in Viterbi of order 1, all in argmax.
    """

    # The subjects of the arrays that the model file has beside every tagger's, by the beginnings of their names.
    _extra_arrays: ClassVar[Mapping[str, str]] = {}

    @property
    def contents(self) -> Contents:
        self.check_fitted()
        model = self.model_
        subjects = {"dictionary": "tag dictionary", "lexicon": "lexicon", **self._extra_arrays}
        arrays = {f"extra.{name}": what for name, what in subjects.items()}
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
        return in_batches(partial(self.tagger_.explain, rows, asked, threads=self.threads), rows.sentences, asked)

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self.tagger_: _core.Tagger = _core.Tagger(model)
        self.labels_ = list(dict.fromkeys(self.tagger_.labels))
