#!/usr/bin/env bash
# seqeval 1.2.2: in IOE1 a name of which the next one begins right behind it is lost, where labels are scored by their scheme.
#
# In IOE1 all words of a name have I, and E stands at the end of one that another of the same type touches: `E-LOC I-LOC I-LOC` are a name of
# one word and one of two. With mode="strict" and scheme=IOE1 an E that begins a name is none, so that names of one word that
# touch the next one are in neither the gold names nor the guesses, and a system that misses them all has F1 1. Names of several
# words are found. Without the mode the names are right, and so are they in the five other schemes with it: IOB1, the
# mirror image, has B at such beginnings, and finds all.
# Seen: names (1, 3) of (0, 1), (1, 3); F1 1 where one of two names is missed, 2/3 without the mode.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check seqeval==1.2.2 numpy==2.4.6 scikit-learn==1.9.1
"$folder/env/bin/python" -W ignore - <<'EOF'
from seqeval.metrics import f1_score
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.scheme import BILOU, IOB1, IOB2, IOBES, IOE1, IOE2, Entities


def names(labels, scheme):
    """Return begin and end of each name, the end behind it."""
    return [entity.to_tuple()[2:] for entity in Entities([labels.split()], scheme).entities[0]]


for scheme, one_and_two, two_and_one in [
    (IOB1, "I-LOC B-LOC I-LOC", "I-LOC I-LOC B-LOC"),
    (IOB2, "B-LOC B-LOC I-LOC", "B-LOC I-LOC B-LOC"),
    (IOE1, "E-LOC I-LOC I-LOC", "I-LOC E-LOC I-LOC"),
    (IOE2, "E-LOC I-LOC E-LOC", "I-LOC E-LOC E-LOC"),
    (IOBES, "S-LOC B-LOC E-LOC", "B-LOC E-LOC S-LOC"),
    (BILOU, "U-LOC B-LOC L-LOC", "B-LOC L-LOC U-LOC"),
]:
    print(scheme.__name__, one_and_two, names(one_and_two, scheme), two_and_one, names(two_and_one, scheme))
    assert names(one_and_two, scheme) == ([(1, 3)] if scheme is IOE1 else [(0, 1), (1, 3)])
    assert names(two_and_one, scheme) == [(0, 2), (2, 3)]
gold, guess = ["E-LOC I-LOC I-LOC O".split()], ["O I-LOC I-LOC O".split()]
assert [(begin, end + 1) for _, begin, end in get_entities(gold[0])] == [(0, 1), (1, 3)]
strict, usual = f1_score(gold, guess, mode="strict", scheme=IOE1), f1_score(gold, guess)
print(f"F1 of a guess that misses the first name: {strict:.3f} by the scheme, {usual:.3f} without it")
assert (strict, round(usual, 3)) == (1, 0.667)
EOF
