#!/usr/bin/env bash
# pandas 3.1.1, numpy 2.2.6: a column of numpy arrays (as pandas.read_parquet gives lists of labels) in to_csv.
#
# Seen: a cell is the array as it prints, ['sport' 'money'], without commas. From 1,001 items on the middle is replaced by
# three dots, ['l0' 'l1' 'l2' ... 'l998' 'l999' 'l1000'], and is lost without a warning.
# Why it surprises: lists come out as ['sport', 'money'], so that both look like Python; but Python's own reader joins
# the texts of the first kind into one, ['sportmoney'], and also says nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install pandas==3.1.1 numpy==2.2.6
"$folder/venv/bin/python" - <<'END'
import ast

import numpy
import pandas

labels = ["sport", "money"]


def cell(value):
    text = pandas.DataFrame({"label": [value]}).to_csv(index=False)
    return text.removeprefix("label\n").strip().strip('"')


assert cell(labels) == "['sport', 'money']"
assert cell(numpy.array(labels)) == "['sport' 'money']"
assert ast.literal_eval(cell(numpy.array(labels))) == ["sportmoney"]
long = cell(numpy.array([f"l{k}" for k in range(1001)]))
assert long == "['l0' 'l1' 'l2' ... 'l998' 'l999' 'l1000']", long
print(cell(labels), cell(numpy.array(labels)), long)
END
