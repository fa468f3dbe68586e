"""Tag dictionaries: the labels that training has with the same values in some columns (Ratnaparkhi 1996)."""

from __future__ import annotations

from sapwood import _core
from sapwood.errors import ModelError, OptionError
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
