"""What the attacks on model files share: sound containers, their checksums right, that hold what cannot be."""

import json
from typing import NamedTuple

from hypothesis import strategies as st

import sapwood
from sapwood import ModelError
from sapwood.model.file import container
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile


class Contents(NamedTuple):
    """What a model file holds."""

    metadata: dict
    arrays: dict


def contents(path):
    """Read a file, and let go of it; metadata and arrays are decoded."""
    metadata, arrays = container.read(path)
    if "coded" in metadata:
        file = ModelFile.load(path)
        metadata, arrays = file.metadata(), file.arrays()
    return Contents(metadata, {name: Array(a.dtype, a.shape, bytes(a.data)) for name, a in arrays.items()})


def changed(honest, key, /, **fields):
    """The entry of the metadata with some of its fields changed."""
    return {key: json.dumps({**json.loads(honest.metadata[key]), **fields})}


def attacked(path, honest, metadata, arrays, check):
    """Write the contents with these changes (None: left out), load and check the model: the ModelError, or None."""
    changed_metadata = {**honest.metadata, **(metadata or {})}
    changed_arrays = {**honest.arrays, **(arrays or {})}
    container.write(
        path,
        {name: array for name, array in changed_arrays.items() if array is not None},
        {name: text for name, text in changed_metadata.items() if text is not None},
    )
    try:
        model = sapwood.load(path)
    except ModelError as error:
        assert str(error).startswith(f"{path}: ")
        assert "\n" not in str(error)
        assert str(error).isprintable()
        return str(error)
    check(model)
    return None


def random_bytes(data, arrays):
    """Draw a few arrays with a few of their bytes changed."""
    broken = {}
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(name for name in arrays if arrays[name].data)))
        array = broken.get(name, arrays[name])
        content = bytearray(array.data)
        for _ in range(data.draw(st.integers(1, 8))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        broken[name] = Array(array.dtype, array.shape, bytes(content))
    return broken
