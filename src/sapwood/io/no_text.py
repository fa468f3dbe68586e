"""Files that are no text: well known ones are told by their first bytes, and the message says what to do with them."""

import re

from sapwood.base.writing import MODEL as MODEL

_AS_TEXT = "write what is in it as CSV or as lines of JSON"


def _no_text() -> dict[re.Pattern[bytes], str]:
    """Return the beginnings of well known files that are no text, with what they are and what to do."""
    return {
        MODEL: "a model of sapwood or a checkpoint, not data; the model comes first, then the data",
        re.compile(b"PAR1"): (
            f"a Parquet file; classifiers read it as .parquet; for others {_AS_TEXT} (pandas.read_parquet)"
        ),
        re.compile(b"ARROW1|FEA1"): f"an Arrow or Feather file; {_AS_TEXT} (pandas.read_feather(...).to_csv(...))",
        re.compile(rb"(?s)PK\x03\x04.{26}(?:\[Content_Types\]|_rels/|docProps/|xl/|word/|mimetype)"): (
            "a document of an office program (.xlsx, .docx, .odt); save its table as CSV, or its text as .txt"
        ),
        re.compile(rb"\xd0\xcf\x11\xe0"): "a document of an office program; save its table as CSV, or its text as .txt",
        re.compile(rb"PK(?:\x03\x04|\x05\x06)"): "a zip archive; unzip it first",
        re.compile(rb"7z\xbc\xaf|Rar!"): "an archive; unpack it first",
        re.compile(rb"\x28\xb5\x2f\xfd"): "compressed by zstd; decompress it first (zstd -d)",
        re.compile(rb"(?s).{257}ustar"): "a tar archive; unpack it first (tar -xf)",
        re.compile(b"%PDF-"): "a PDF; take the text out of it first (pdftotext)",
        re.compile(rb"\x80[\x02-\x05]"): f"a pickle of Python; {_AS_TEXT}",
        re.compile(rb"\x93NUMPY|\x89HDF"): f"an array of numbers (NumPy, HDF5); {_AS_TEXT}",
        re.compile(rb"SQLite format 3"): f"an SQLite database; {_AS_TEXT} (sqlite3 -csv)",
        re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8"): "a picture; only text can be read",
    }


def what_no_text_is(start: bytes, name: str = "") -> str:
    """Return the kind of a file that is no text, by its first bytes, and what to do; empty if it is not well known.

    name : of the file; a table that is named .parquet is read as what it is
    """
    seen = start[:4096]
    if (seen.isascii() and b"\0" not in seen) or (seen.startswith(b"PAR1") and name.rstrip("'").endswith(".parquet")):
        return ""
    return next((what for beginning, what in _no_text().items() if beginning.match(seen)), "")


def is_text(data: bytes) -> bool:
    """Return true if bytes are UTF-8 without NUL."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False
