#!/usr/bin/env bash
# polars 2.1.0: a member of records that the first ones do not have is left out, and what it held is lost without a word.
#
# `read_ndjson` and `scan_ndjson` take the members of the first 100 lines for those of the file. A member, or a member of an object
# inside, that comes up later is no column: labels as the names of an object (spaCy's `cats`), of which each text has one or two,
# lose all that no text of the first hundred has. `read_json` of the same records as a list refuses them and says what to do. In memory it
# is the first 100 rows for a frame, and the first dict alone for a series, or a column, of dicts; the row is there then,
# with null in place of what it had.
# Seen: 300 lines, each with a category of its own: 100 categories, all null in line 300; [{a: 1}, {a: null}] from [{a: 1}, {b: 2}].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0
cd "$folder"
env/bin/python - <<'EOF'
import json
from pathlib import Path

import polars

records = [{"text": f"text {k}", "cats": {f"label {k}": 1.0}} for k in range(300)]
Path("texts.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
Path("texts.json").write_text(json.dumps(records))
for name, frame in {
    "read_ndjson": polars.read_ndjson("texts.jsonl"),
    "scan_ndjson": polars.scan_ndjson("texts.jsonl").collect(),
    "DataFrame": polars.DataFrame(records),
}.items():
    labels = len(frame.schema["cats"].fields)
    last = {value for value in frame["cats"][299].values()}
    print(f"{name}: {len(frame)} rows, {labels} categories, those of the last row {last}")
    assert (len(frame), labels, last) == (300, 100, {None})
try:
    polars.read_json("texts.json")
    raise SystemExit("read_json takes them")
except polars.exceptions.ComputeError as error:
    print("read_json:", str(error)[:60])
late = [{"text": "a"}] * 100 + [{"text": "b", "note": "c"}]
Path("late.jsonl").write_text("".join(json.dumps(record) + "\n" for record in late))
assert polars.read_ndjson("late.jsonl").columns == ["text"] == polars.DataFrame(late).columns
assert polars.read_ndjson("late.jsonl", infer_schema_length=None).columns == ["text", "note"]
series = polars.Series([{"a": 1}, {"b": 2}]).to_list()
column = polars.DataFrame({"features": [{"a": 1}, {"b": 2}]})["features"].to_list()
print("a series of two dicts:", series)
assert series == column == [{"a": 1}, {"a": None}]
EOF
