"""Taggers of rows: what sequence labelling has in common, whatever the rows are made of.

Rows are columns of text (core/text/columns.hpp); a template makes features of them, a search gives each row a label.
A `SequenceTagger` is given its rows by the user; a segmenter, a splitter and a lemmatizer make them of text.

A tagger may have a dictionary: the labels that training has with the same values in some columns (Ratnaparkhi 1996).
It may have a lexicon, whose arrays in the model file are

::

    lexicon.high, lexicon.low      fingerprints of the words (core/features/word_clusters.hpp)
    lexicon.classes, lexicon.tree  the set of tags of each word, and the sets (core/features/lexicon.hpp)
    lexicon.sizes                  the number of words, and key_bits
    lexicon.tags                   the tags, ascending, one a line
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from sapwood import _core
from sapwood.errors import ModelError, OptionError, warn
from sapwood.io.conllu import read_conllu, read_treebank
from sapwood.io.lexicons import LexiconEntry, read_lemma_lexicon
from sapwood.io.source import shown
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, NamedWeights, Output, feature_name
from sapwood.tasks.tagging.answers import explain_rows
from sapwood.tasks.tagging.options import RowOptions
from sapwood.training.learner import Learner

R = TypeVar("R", bound=RowOptions)


def dictionary_columns(names: str | None, columns: list[str], label: int) -> list[int]:
    """Return the numbers of the columns that a dictionary is about, given as NAME+NAME. Raises OptionError."""
    found = [] if names is None else names.split("+")
    known = [column for c, column in enumerate(columns) if c != label]
    if unknown := [name for name in found if name not in known]:
        raise OptionError(f"the dictionary's columns are some of {', '.join(known)}; got {unknown[0]}")
    return [columns.index(name) for name in found]


PACKED = {"dictionary.values": "U64", "dictionary.labels": "U32"}  # arrays of the model file


def packed(dictionary: _core.TagDictionary) -> dict[str, Array]:
    """Return the arrays of a model file that hold a tag dictionary."""
    arrays = zip(PACKED.items(), (dictionary.values, dictionary.labels), strict=True)
    return {name: Array.of(dtype, data) for (name, dtype), data in arrays}


def unpacked(model: ModelFile) -> _core.TagDictionary:
    """Return the tag dictionary in a model file. Raises ModelError."""
    names = model.options.get("dictionary")
    if names is None:
        return _core.TagDictionary()
    if not isinstance(names, str):
        raise ModelError(f"its option dictionary is {names!a:.60}, not names of columns")
    if any(name not in model.extra or model.extra[name].dtype != dtype for name, dtype in PACKED.items()):
        raise ModelError("it does not have the tag dictionary that its options speak of")
    try:
        columns = dictionary_columns(names, model.columns, model.label)
    except OptionError as error:
        raise ModelError(str(error)) from None
    values, labels = (bytes(model.extra[name].data) for name in PACKED)
    return _core.TagDictionary.unpack(columns, values, labels, len(model.labels))


Given = str | os.PathLike[str] | list[LexiconEntry] | _core.Lexicon

_MOST_OWN = 0.9  # share of the distinct words of training data that a lexicon may have
_FEWEST_WORDS = 500  # distinct words of training data; in fewer, the share means nothing
_TABLE = ("high", "low", "classes", "tree")
_ARRAYS = {f"lexicon.{name}": "U8" for name in _TABLE} | {"lexicon.sizes": "U64", "lexicon.tags": "U8"}
LEXICON_ARRAYS = dict.fromkeys(_ARRAYS, "lexicon")  # their names in the model file, with their subject


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
    return {name: Array.of(dtype, data[name]) for name, dtype in _ARRAYS.items()}


def unpacked_tag_lexicon(model: ModelFile) -> _core.Lexicon | None:
    """Return the lexicon in a model file, or None if it has none. Raises ModelError."""
    arrays = {name: model.extra[name] for name in _ARRAYS if name in model.extra}
    if not arrays:
        return None
    sizes = arrays.get("lexicon.sizes")
    if {name: a.dtype for name, a in arrays.items()} != _ARRAYS or sizes is None or sizes.shape != (2,):
        raise ModelError("it does not have all of its lexicon")
    words, key_bits = (int.from_bytes(sizes.data[at : at + 8], "little") for at in (0, 8))
    if key_bits > 64:
        raise ModelError("the lexicon: the key_bits are out of range")
    try:
        tags = bytes(arrays["lexicon.tags"].data).decode().split("\n")
    except UnicodeDecodeError:
        raise ModelError("the lexicon: its tags are not UTF-8 text") from None
    high, low, classes, tree = (bytes(arrays[f"lexicon.{name}"].data) for name in _TABLE)
    return _core.Lexicon(words, key_bits, high, low, classes, tree, tags)


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
