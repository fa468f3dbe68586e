#!/usr/bin/env bash
# nervaluate 1.2.1: of two spans that touch, the right one counts as wrong, in every way of scoring, if offsets end behind a span.
#
# The evaluator takes spans as dicts, such as Prodigy's and spaCy's, whose end is the place behind the last character. It counts
# the end in, so that (0, 2) and (2, 4) share a place. Guesses are gone through from left to right, and each takes the first gold
# span that it shares a place with: a wrong guess just before a name takes it away from the right one. Names touch in every
# script without spaces. Where tags or numbers of tokens are given, ends are counted in, and all is well. The scores by label
# are not those of all labels together, as each label is compared by itself there.
# Seen: gold LOC (2, 4), guesses PER (0, 2) and LOC (2, 4): strict F1 0 for all, 1 for LOC; with ends counted in, 2/3 for all.
# Also: gold PER (0, 2), guess PER (2, 4), which share no character: half a point (partial), and a right type (ent_type).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nervaluate==1.2.1
"$folder/env/bin/python" - <<'EOF'
from nervaluate import Evaluator

TEXT = "安娜罗马"  # Anna, Rome


def scores(gold, guess, less=0):
    """Return the F1 of all labels, and of each, by each way of scoring; `less` is taken from the end of each span."""
    documents = [
        [[{"start": start, "end": end - less, "label": label} for start, end, label in spans]] for spans in (gold, guess)
    ]
    found = Evaluator(*documents, tags=["PER", "LOC"], loader="dict").evaluate()
    results = {"all": found["overall"], **found["entities"]}
    return {label: {way: round(score.f1, 3) for way, score in each.items()} for label, each in results.items()}


gold, guess = [(2, 4, "LOC")], [(0, 2, "PER"), (2, 4, "LOC")]
print("gold", [TEXT[a:b] for a, b, _ in gold], "guess", [(TEXT[a:b], label) for a, b, label in guess])
behind, counted_in = scores(gold, guess), scores(gold, guess, less=1)
print("ends behind the span: all", behind["all"], "LOC", behind["LOC"])
print("ends counted in:      all", counted_in["all"], "LOC", counted_in["LOC"])
assert behind["all"]["strict"] == 0 and behind["LOC"]["strict"] == 1
assert counted_in["all"]["strict"] == 0.667 and counted_in["LOC"]["strict"] == 1
apart, apart_in = (scores([(0, 2, "PER")], [(2, 4, "PER")], less)["all"] for less in (0, 1))
print("spans that share no character:", apart, apart_in)
assert (apart["partial"], apart["ent_type"]) == (0.5, 1) and (apart_in["partial"], apart_in["ent_type"]) == (0, 0)
EOF
