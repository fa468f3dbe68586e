"""A reader of coded bytes, written from docs/model-format.md: slow, and as plain as the page."""

import json

from .coded_tables import Bits, Stream, read_keys, read_tables


class ByteStream(Stream):
    def __init__(self, data):
        bits = Bits(data)
        self.runs, self.lengths, self.distances = (read_tables(bits, 496) for _ in range(3))
        self.literals = read_tables(bits, 256, 256)
        self.begin(data, bits)

    def number_by(self, tables):
        self.tables = tables
        return self.number()

    def literal(self, before):
        self.tables = self.literals
        return self.symbol(before)


def read_bytes(data, size):
    """Return the bytes that are coded."""
    stream, out = ByteStream(data), []
    while len(out) < size:
        for _ in range(stream.number_by(stream.runs)):
            out.append(stream.literal(out[-1] if out else 0))
        if len(out) < size:
            length = stream.number_by(stream.lengths) + 4
            distance = stream.number_by(stream.distances) + 1
            for _ in range(length):
                out.append(out[-distance])
    assert len(out) == size
    assert stream.is_done()
    return bytes(out)


def elias_fano(keys, b):
    """Return the top bits of the keys in unary, and their low bits."""
    low, top, below = b - len(keys).bit_length() + 1, 0, 0
    for k, key in enumerate(keys):
        top |= 1 << (key >> low) + k
        below |= (key & (1 << low) - 1) << k * low
    return top.to_bytes((top.bit_length() + 7) // 8, "little"), below.to_bytes((len(keys) * low + 7) // 8, "little")


def read_file(metadata, arrays):
    """Return metadata and arrays decoded, arrays as bytes."""
    arrays = {name: bytes(array.data) for name, array in arrays.items()}
    metadata = dict(metadata)
    sizes = json.loads(metadata.pop("coded", "{}"))
    for name, size in sorted(sizes.items(), key=lambda item: item[1][0] == "same"):
        if size[0] == "same":
            arrays[name] = arrays[size[1]]
        elif size[0] == "keys":
            begin = name.removesuffix("high")
            arrays[f"{begin}high"], arrays[f"{begin}low"] = elias_fano(read_keys(arrays[name], *size[1:]), size[2])
        else:
            arrays[name] = read_bytes(arrays[name], size[1])
    return metadata | json.loads(arrays.pop("metadata", "{}")), arrays
