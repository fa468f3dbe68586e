"""What the attacks on model files share: sound containers, their checksums right, that hold what cannot be."""

import json
from typing import NamedTuple

from hypothesis import strategies as st

import sapwood
from sapwood import ModelError, _core
from sapwood.model.file import container
from sapwood.model.file.coding import decoded
from sapwood.model.file.container import Array


class Contents(NamedTuple):
    """What a model file holds."""

    metadata: dict
    arrays: dict


def contents(path):
    """Read a file, and let go of it; metadata and arrays are decoded, as older files have them."""
    metadata, arrays = container.read(path)
    arrays, metadata = decoded(arrays, metadata)
    return Contents(metadata, {name: Array(a.dtype, a.shape, bytes(a.data)) for name, a in arrays.items()})


def in_format_1(honest):
    """The same model with its tables packed, as files of format 1 have them."""
    bits = json.loads(honest.metadata["weights"])["bits"]
    arrays, records = dict(honest.arrays), []
    for n, record in enumerate(json.loads(honest.metadata["tables"])):
        lengths = record.pop("lengths")
        coded = _core.PackedTable.of_coded(*record.values(), arrays.pop(f"{n}.table").data, lengths)
        packed = coded.uncoded(bits)
        records.append({**record, "size_bits": packed.size_bits, "output_bits": packed.output_bits})
        parts = {"keys.high": packed.high, "keys.low": packed.low, "sizes": packed.sizes, "outputs": packed.outputs}
        arrays |= {f"{n}.{name}": Array.of("U8", data) for name, data in parts.items()}
        arrays[f"{n}.weights"] = Array.of({8: "I8", 16: "I16", 32: "F32"}[bits], packed.values)
    return Contents({**honest.metadata, "format": "sapwood/1", "tables": json.dumps(records)}, arrays)


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
