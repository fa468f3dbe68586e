#!/usr/bin/env bash
# pandas 3.1.1: `to_excel` writes a text that begins with = as a formula, and read again it is gone, or is 0.
#
# Short texts begin with =) or =D, and lists of signs with =. With either writer such a cell, a string in the frame, becomes a formula that is none.
# It has no value: openpyxl's comes back as an empty cell, xlsxwriter's as the number 0, without a word from writer or reader; with
# the label in the next cell it is an example of another text. xlsxwriter, which pandas takes where it is installed, also takes mailto: off
# in front of addresses, and openpyxl reads its \r\n as _x000D_ and \n, so that a word is in the text that nobody wrote. polars writes =) as it is.
# Seen: '' with openpyxl, 0 with xlsxwriter; the text itself with polars.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 openpyxl==3.1.5 xlsxwriter==3.3.1 python-calamine==0.9.1 polars==2.1.0 fastexcel==0.21.0
"$folder/env/bin/python" - "$folder/texts.xlsx" <<'EOF'
import sys

import pandas
import polars

TEXTS = ["=) nice one", "=D great", "plain = text", "mailto:a@example.org", "one\r\ntwo"]
ADDRESS, LINES = "a@example.org", "one_x000D_\ntwo"
name = sys.argv[1]
for writer, reader, seen in [
    ("openpyxl", "openpyxl", ["", "", *TEXTS[2:4], "one\ntwo"]),
    ("openpyxl", "calamine", ["", "", *TEXTS[2:4], "one\ntwo"]),
    ("xlsxwriter", "openpyxl", ["0", "0", TEXTS[2], ADDRESS, LINES]),
    ("xlsxwriter", "calamine", ["0", "0", TEXTS[2], ADDRESS, TEXTS[4]]),
    (None, None, ["0", "0", TEXTS[2], ADDRESS, LINES]),
]:
    pandas.DataFrame({"text": TEXTS, "label": "pos"}).to_excel(name, engine=writer, index=False)
    found = pandas.read_excel(name, engine=reader, dtype=str, keep_default_na=False)["text"].tolist()
    print(writer, reader, found)
    assert found == seen
polars.DataFrame({"text": TEXTS, "label": ["pos"] * 5}).write_excel(name)
found = polars.read_excel(name)["text"].to_list()
print("polars", found)
assert found[:3] == TEXTS[:3]
EOF
