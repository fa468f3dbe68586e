"""What is text, and well known files that are not: what these are, by their first bytes, and what to do with them."""

import re

from sapwood.base.writing import MODEL as MODEL

_AS_TEXT = "write what is in it as CSV or as lines of JSON"
_NO_TEXT = {  # beginnings of well known files that are no text -> what they are, and what to do
    MODEL.pattern: "a model of sapwood or a checkpoint, not data; the model comes first, then the data",
    b"PAR1": f"a Parquet file; classifiers read it as .parquet; for others {_AS_TEXT} (pandas.read_parquet)",
    b"ARROW1|FEA1": f"an Arrow or Feather file; {_AS_TEXT} (pandas.read_feather(...).to_csv(...))",
    rb"(?s)PK\x03\x04.{26}(?:\[Content_Types\]|_rels/|docProps/|xl/|word/|mimetype)": (
        "a document of an office program (.xlsx, .docx, .odt); save its table as CSV, or its text as .txt"
    ),
    rb"\xd0\xcf\x11\xe0": "a document of an office program; save its table as CSV, or its text as .txt",
    rb"PK(?:\x03\x04|\x05\x06)": "a zip archive; unzip it first",
    rb"7z\xbc\xaf|Rar!": "an archive; unpack it first",
    rb"\x28\xb5\x2f\xfd": "compressed by zstd; decompress it first (zstd -d)",
    rb"(?s).{257}ustar": "a tar archive; unpack it first (tar -xf)",
    b"%PDF-": "a PDF; take the text out of it first (pdftotext)",
    rb"\x80[\x02-\x05]": f"a pickle of Python; {_AS_TEXT}",
    rb"\x93NUMPY|\x89HDF": f"an array of numbers (NumPy, HDF5); {_AS_TEXT}",
    rb"SQLite format 3": f"an SQLite database; {_AS_TEXT} (sqlite3 -csv)",
    rb"\x89PNG|\xff\xd8\xff|GIF8": "a picture; only text can be read",
}


def what_no_text_is(start: bytes, name: str = "") -> str:
    """Return the kind of a file that is no text, by its first bytes, and what to do; empty if it is not well known.

    name : of the file; a table that is named .parquet is read as what it is
    """
    seen = start[:4096]
    if (seen.isascii() and b"\0" not in seen) or (seen.startswith(b"PAR1") and name.rstrip("'").endswith(".parquet")):
        return ""
    return next((what for beginning, what in _NO_TEXT.items() if re.match(beginning, seen)), "")


def is_text(data: bytes) -> bool:
    """Return true if bytes are UTF-8 without NUL."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False
