#!/usr/bin/env bash
# DuckDB 2.0.1: whether a quotation mark alone in a cell swallows rows depends on how far down in the file the first one
# stands.
#
# Column files of words and labels have a word `"` now and then, and no other quotes. DuckDB finds out the dialect from the
# first 20,480 rows. If such a word is among them, it and the next one, wherever that is, are taken for the quotes of one
# cell, and all rows between are that cell, as in pandas, polars and pyarrow. If all are further down, or if there is one
# alone, no mark is a quote, and all rows are there. The same rows in another order, or a file cut in two, have other counts,
# and nothing is said. `quotechar=""` reads every row in each case.
# Seen: of 100,000 rows 90,003 are read with the marks in rows 3 and 10,000; all with them in rows 30,003 and 40,000, or in
# row 3 alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.1 pandas==3.1.1 polars==2.1.0
"$folder/env/bin/python" - "$folder/words.tsv" <<'EOF'
import csv
import sys
from pathlib import Path

import duckdb
import pandas
import polars

NAME, ROWS = sys.argv[1], 100_000


def counts(*marks):
    """Return how many rows each reader finds in a file with lone quotation marks in these rows."""
    Path(NAME).write_text("".join(('"' if k in marks else f"w{k}") + "\tO\n" for k in range(1, ROWS + 1)))
    return {
        "duckdb": len(duckdb.read_csv(NAME, sep="\t", header=False)),
        "duckdb, no quotes": len(duckdb.read_csv(NAME, sep="\t", header=False, quotechar="")),
        "pandas": None if len(marks) < 2 else len(pandas.read_csv(NAME, sep="\t", header=None)),
        "pandas, no quotes": len(pandas.read_csv(NAME, sep="\t", header=None, quoting=csv.QUOTE_NONE)),
        "polars": None if len(marks) < 2 else len(polars.read_csv(NAME, separator="\t", has_header=False)),
    }


for marks, found in ({(3,): ROWS, (3, 10_000): 90_003, (3, 40_000): 60_003, (30_003, 40_000): ROWS}).items():
    seen = counts(*marks)
    print("marks in rows", marks, seen)
    assert seen["duckdb"] == found, marks
    assert seen["duckdb, no quotes"] == seen["pandas, no quotes"] == ROWS
    if len(marks) == 2:
        assert seen["pandas"] == seen["polars"] == ROWS - (marks[1] - marks[0])
EOF
