#!/usr/bin/env bash
# udtools 0.2.9: its evaluator leaves out features that its validator calls universal, among them the noun classes of Bantu languages.
#
# UFeats, AllTags and MLAS compare the universal features alone. Which these are stands in a list of 21 that is as old as the shared task of
# 2018; the guidelines, and the data by which the validator of the same package judges, have three more by now: NounClass, Clusivity
# and Typo. A tagger whose noun classes, on which all agreement of a Bantu language hangs, are wrong throughout has UFeats 100,
# and so has one that writes none. Subtypes of relations, and lemmas whose gold is `_`, are not compared either.
# Seen: 100.00 for NounClass=Bantu2 where gold has Bantu1, for no Clusivity and for Typo; 50.00 for a wrong Number of two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check udtools==0.2.9
cd "$folder"
env/bin/python - <<'EOF'
import json
import subprocess
import sys
from pathlib import Path

import udtools
from udtools import udeval

ROWS = "1\tAbantu\t{lemma}\tNOUN\t_\t{feats}\t2\t{deprel}\t_\t_\n2\tbahamba\thamba\tVERB\t_\t_\t0\troot\t_\t_\n\n"
usual = {"lemma": "umuntu", "feats": "Number=Plur", "deprel": "nsubj"}


def scores(gold, system):
    """Return the F1 scores of a file in which a few cells differ from the gold file."""
    for name, cells in (("gold", gold), ("system", system)):
        text = "# sent_id = 1\n# text = Abantu bahamba\n" + ROWS.format(**usual | cells)
        Path(f"{name}.conllu").write_text(text, encoding="utf-8")
    command = [Path(sys.executable).parent / "udeval", "-v", "gold.conllu", "system.conllu"]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split("|") for line in table.splitlines() if line.count("|") == 4]
    found = {row[0].strip(): row[3].strip() for row in rows}
    print(gold, system, *(f"{name} {found[name]}" for name in ("UFeats", "Lemmas", "LAS", "MLAS")))
    return found


listed = json.loads((Path(udtools.__file__).parent / "data" / "feats.json").read_text())["features"]
universal = {name for of_language in listed.values() for name, each in of_language.items() if each["type"] == "universal"}
left_out = universal - udeval.UNIVERSAL_FEATURES
print("universal to the validator, not to the evaluator:", *sorted(left_out))
assert left_out == {"Clusivity", "NounClass", "Typo"} and len(udeval.UNIVERSAL_FEATURES) == 21
for gold, system in [("NounClass=Bantu1", "NounClass=Bantu2"), ("Clusivity=In", "_"), ("_", "Typo=Yes")]:
    assert scores({"feats": gold}, {"feats": system})["UFeats"] == "100.00"
assert scores({}, {"feats": "Number=Sing"})["UFeats"] == "50.00"
assert scores({"lemma": "_"}, {"lemma": "wrong"})["Lemmas"] == "100.00"
assert scores({}, {"deprel": "nsubj:pass"})["LAS"] == "100.00"
EOF
