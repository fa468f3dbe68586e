#!/usr/bin/env bash
# udtools 0.2.9: enhanced graphs are scored by what stands in DEPS, whatever trees stand beside them.
#
# A tool that writes new heads and leaves DEPS as they came gets ELAS 100 where its LAS is 0: the official scorer compares
# DEPS of one file with DEPS of the other. Who parses a treebank again has to empty the column.
# Seen: LAS 0.00, ELAS 100.00 for a file with wrong heads and the gold graph.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check udtools==0.2.9
"$folder/env/bin/python" - <<'EOF'
import pathlib
import subprocess
import sys
import tempfile

GOLD = "1\tBirds\tbird\tNOUN\t_\t_\t{0}\t{1}\t2:nsubj\t_\n2\tsing\tsing\tVERB\t_\t_\t{2}\t{3}\t0:root\t_\n\n"
HEAD = "# sent_id = 1\n# text = Birds sing\n"
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "gold.conllu").write_text(HEAD + GOLD.format(2, "nsubj", 0, "root"))
(folder / "system.conllu").write_text(HEAD + GOLD.format(0, "root", 1, "dep"))
program = [sys.executable.rpartition("/")[0] + "/udeval", "-v", folder / "gold.conllu", folder / "system.conllu"]
run = subprocess.run(program, capture_output=True, text=True, check=True)
scores = {row.split("|")[0].strip(): row.split("|")[3].strip() for row in run.stdout.splitlines() if "|" in row}
print({name: scores[name] for name in ("UAS", "LAS", "ELAS")})
assert float(scores["LAS"]) == 0 and float(scores["ELAS"]) == 100
EOF
