#!/usr/bin/env bash
# polars 2.1.0, pyarrow 26.0.1: the place where a text is found counts bytes, and what cuts texts by places counts characters.
#
# `str.find` and `str.find_many` of polars, and `find_substring` of pyarrow answer where a name begins; `str.slice`, `str.len_chars` and
# `utf8_slice_codeunits` take and give characters. So a slice at the place that was found is right in plain English, and moves by one for
# each letter with an accent in front of it, by two for each Chinese one: spans that are made in a frame are of other words, or empty. pandas and
# DuckDB find characters.
# Seen: 16 for Zürich in "naïve café in Zürich" with polars and pyarrow, where the slice is "rich"; 14 with pandas, and 15 with DuckDB, from 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0 pyarrow==26.0.1 numpy==2.4.6 pandas==3.1.1 duckdb==2.0.1
"$folder/env/bin/python" - <<'EOF'
import duckdb
import pandas
import polars
import pyarrow
import pyarrow.compute

WORD = "Zürich"
for text, word, place, cut in [
    ("naive cafe in Zurich", "Zurich", 14, "Zurich"),
    ("naïve café in Zürich", WORD, 16, "rich"),
    ("他在德国住过, in Zürich", WORD, 23, ""),
]:
    series = polars.Series([text])
    at = series.str.find(word, literal=True)[0]
    column = pyarrow.array([text])
    also = pyarrow.compute.find_substring(column, word)[0].as_py()
    piece = pyarrow.compute.utf8_slice_codeunits(column, also, also + len(word))[0].as_py()
    print(text, at, also, repr(series.str.slice(at, len(word))[0]))
    assert at == also == series.str.find_many([word])[0][0] == place
    assert series.str.slice(at, len(word))[0] == piece == cut
    begin = pandas.Series([text]).str.find(word)[0]
    assert begin == text.index(word) == duckdb.execute("select strpos(?, ?)", [text, word]).fetchone()[0] - 1
    assert pandas.Series([text]).str.slice(begin, begin + len(word))[0] == word
EOF
