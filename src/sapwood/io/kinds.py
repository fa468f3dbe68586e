"""What kind of file is there, by its first bytes: a command writes only over files of the kind that it makes.

===========  ==================================================================
model        a container of sapwood's, of any version
checkpoint   the state of a training, in the same container
HTML         a page
picture      SVG or PNG
JSON         one value, or one on each line
text         any other: columns, CoNLL-U, trees in brackets, a template
other        what is no text: an archive, a document, another program's model
===========  ==================================================================
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

_START = 1 << 12  # bytes that are looked at
_CONTAINER = re.compile(rb'.{8}\{"__metadata__":\{"checksum":', re.DOTALL)
_CHECKPOINT = re.compile(rb'"format":"sapwood checkpoint/')
_BEGINNINGS = {
    "picture": re.compile(rb"\x89PNG|\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg\b", re.DOTALL),
    "HTML": re.compile(rb"\s*(<!--.*?-->\s*)*<(!doctype html|html)\b", re.DOTALL | re.IGNORECASE),
    "JSON": re.compile(rb'\s*(\{\s*["}]|\[\s*["{\[\]])'),
}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def kind_of(path: str | os.PathLike[str]) -> str:
    """Return the kind of a file, or "" where there is none: no file, an empty one, a device, pipe or folder.

    Raises OSError if the file cannot be read.
    """
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            return ""
        with Path(path).open("rb") as file:
            start = file.read(_START)
            if _CONTAINER.match(start):
                header = start[8:] + file.read(int.from_bytes(start[:8], "little") % (1 << 24))
                return "checkpoint" if _CHECKPOINT.search(header) else "model"
    except FileNotFoundError:
        return ""
    start = start.removeprefix(_BYTE_ORDER_MARK)
    if not start:
        return ""
    text = "other" if b"\0" in start else "text"
    return next((kind for kind, beginning in _BEGINNINGS.items() if beginning.match(start)), text)
