"""The tag dictionary and the lexicon of a tagger, with their arrays.

The dictionary has the labels that training has with the same values in some columns (Ratnaparkhi 1996). The lexicon:

::

    lexicon.high, lexicon.low      fingerprints of the words (core/features/word_clusters.hpp)
    lexicon.classes, lexicon.tree  the set of tags of each word, and the sets (core/features/lexicon.hpp)
    lexicon.sizes                  the number of words, and key_bits
    lexicon.tags                   the tags, ascending, one a line
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

from sapwood import _core
from sapwood.errors import ModelError, OptionError, warn
from sapwood.io.lexicons import LexiconEntry, read_lemma_lexicon
from sapwood.io.source import shown
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile


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
