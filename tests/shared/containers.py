"""What the tests of the model file's container share: arrays of every type, and what a file or folder has."""

import struct

from sapwood.model.file.container import Array

ARRAYS = {
    "keys": Array("U32", (3,), struct.pack("<3I", 1, 2, 2**32 - 1)),
    "weights": Array("I8", (2, 32), bytes(range(64))),
    "labels": Array("U8", (0,), b""),
    "scales": Array("F32", (), struct.pack("<f", 0.5)),
    "names": Array("U8", (5,), "na\xefv".encode()),
}
METADATA = {"task": "tag", "format": "1", "template": 'U00:%x[0,0]\n"\\\u2028', "": "\N{EVERGREEN TREE}"}


def plain(arrays):
    return {name: (array.dtype, array.shape, bytes(array.data)) for name, array in arrays.items()}


def names_in(directory):
    return sorted(path.name for path in directory.iterdir())
