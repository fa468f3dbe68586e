"""A reader of coded bytes, written from docs/model-format.md: slow, and as plain as the page."""

import json

from .coded_tables import Bits, Stream, read_tables


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


def read_file(metadata, arrays):
    """Return metadata and arrays decoded, arrays as bytes."""
    arrays = {name: bytes(array.data) for name, array in arrays.items()}
    metadata = dict(metadata)
    for name, (_, size) in json.loads(metadata.pop("coded", "{}")).items():
        arrays[name] = read_bytes(arrays[name], size)
    return metadata | json.loads(arrays.pop("metadata", "{}")), arrays
