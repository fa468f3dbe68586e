"""What the tests of bad input share: good files, and bad ones by names that say what is wrong with them."""

import bz2
import gzip
import lzma

from tiny import TINY_CORPUS

NUL = b"the DT B-NP\ndog\0 NN I-NP\n"
LATIN_1 = "the DT B-NP\n\ncafé NN I-NP\n".encode("latin-1")
FILES = {
    "ragged.txt": b"the DT B-NP\ndog NN I-NP\n\nshe PRP\n",
    "ragged_more.txt": b"the DT B-NP\ndog NN I-NP extra\n",
    "tabs_ragged.txt": b"the\tDT\tB-NP\ndog\t\tI-NP\n",
    "empty.txt": b"",
    "bom.txt": b"\xef\xbb\xbf",
    "blank.txt": b"\n\n \n\t\n\r\n",
    "one_column.txt": b"the\ndog\n",
    "two_columns.txt": b"the DT\ndog NN\n",
    "latin_1.txt": LATIN_1,
    "cut_utf8.txt": b"the DT B-NP\nd\xe2\x82",
    "surrogate.txt": b"the DT B-NP\n\xed\xa0\x80 NN I-NP\n",
    "nul.txt": NUL,
    "utf16.txt": "the DT B-NP\n".encode("utf-16"),
    "broken.xz": lzma.compress(TINY_CORPUS.encode())[:-20],
    "not.gz": b"the DT B-NP\n",
    "flipped.gz": gzip.compress(TINY_CORPUS.encode())[:30] + b"\xff" * 40,
    "cut.bz2": bz2.compress(TINY_CORPUS.encode())[:60],
    "column_7.tpl": b"U00:%x[0,0]\nU01:%x[0,7]\n",
    "named.tpl": b"U00:%x[0,lemma]\n",
    "label.tpl": b"\nU00:%x[0,2]\n",
    "nonsense.tpl": b"once upon a time\n",
    "empty.tpl": b"\n# nothing\n",
    "binary.tpl": b"U00:\xff\xfe\n",
    "cities.tpl": b'U00:%in[0,0,"cities.txt"]\n',
    "bad_list.tpl": b'U00:%in[0,0,"prose.txt"]\n',
    "damaged_list.tpl": b'U00:%in[0,0,"cut.bz2"]\n',
    "prose.txt": b"word " * 100 + b"\n",
    "foreign.sap": b"PK\x03\x04 this is a zip file, or says so" * 10,
    "text.sap": TINY_CORPUS.encode(),
    "empty.sap": b"",
}


def write_files(folder, corpus, template, model):
    """Write good.txt, good.tpl and good.sap, all bad files, and a directory."""
    good = {"good.txt": corpus, "good.tpl": template, "good.sap": model}
    for name, data in (FILES | {name: path.read_bytes() for name, path in good.items()}).items():
        (folder / name).write_bytes(data)
    (folder / "directory").mkdir()
