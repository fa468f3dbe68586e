#!/usr/bin/env bash
# pandas 3.1.1, pyarrow 26.0.1, datasets 5.2.0: strings of JSON come out as numbers and times.
#
# JSON says of each value whether it is a string, so one expects strings as they were; it is CSV where types are guessed. `pandas.read_json`
# makes numbers of a column in which all strings look like numbers: the codes "01", "1" and "1.0", as labels of occupations,
# sections or diseases are written, are one label then, and long numbers lose digits. `dtype=False` keeps them. pyarrow's
# reader, and by it `load_dataset("json")`, leaves numbers alone and makes times of a column whose strings all look like
# dates, among them texts that are a date and nothing else, which come out with a time of day. Polars keeps both.
# Seen: labels "01", "1", "1.0" are all 1.0; "12345678901234567890123" is 1.2345678901234568e+22; "2020-01-01" is a timestamp.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 pyarrow==26.0.1 datasets==5.2.0 polars==2.1.0
cd "$folder"
HF_HUB_OFFLINE=1 env/bin/python - <<'EOF'
import json
from pathlib import Path

import datasets
import pandas
import polars
import pyarrow.json

datasets.disable_progress_bars()


def readers(label, text):
    """Return the labels and texts of two columns of strings, by each reader."""
    Path("rows.jsonl").write_text("".join(json.dumps({"label": a, "text": b}) + "\n" for a, b in zip(label, text)))
    read = {
        "pandas": pandas.read_json("rows.jsonl", lines=True).to_dict("list"),
        "pandas, dtype=False": pandas.read_json("rows.jsonl", lines=True, dtype=False).to_dict("list"),
        "pyarrow": pyarrow.json.read_json("rows.jsonl").to_pydict(),
        "datasets": datasets.load_dataset("json", data_files="rows.jsonl", cache_dir="cache", split="train").to_dict(),
        "polars": polars.read_ndjson("rows.jsonl").to_dict(as_series=False),
    }
    for name, columns in read.items():
        print(f"{name}: {columns['label']} {[str(text) for text in columns['text']]}")
    return {name: (columns["label"], columns["text"]) for name, columns in read.items()}


codes, dates = ["01", "1", "1.0"], ["2020-01-01", "1999-12-31", "2001-02-03"]
found = readers(codes, dates)
assert found["pandas"] == ([1.0, 1.0, 1.0], dates)
assert found["pandas, dtype=False"] == found["polars"] == (codes, dates)
for name in ("pyarrow", "datasets"):
    label, text = found[name]
    assert label == codes and [f"{day:%Y-%m-%d %H:%M}" for day in text] == [f"{day} 00:00" for day in dates]
found = readers(["12345678901234567890123", "1"], ["a", "2020-01-01"])
assert found["pandas"][0] == [1.2345678901234568e22, 1.0]
assert found["pyarrow"][1] == ["a", "2020-01-01"]
EOF
