#!/usr/bin/env bash
# editdistance 0.8.1, rapidfuzz 3.14.6: -1 and -2 are the same, so that sequences of ratings that differ everywhere have the distance 0.
#
# Both take sequences of anything that has a hash, and compare the hashes in place of the elements. In CPython the hash of -1 is -2, as -1
# means an error inside, and the hash of -2 is -2, too. So a bad and a very bad rating, or two numbers that mark what is left out, are one; so are
# floats, numpy's arrays, and tuples with one of the two. Whether they are equal is never asked. rapidfuzz knows -1 in a list of Python's
# whole numbers, and there only. NLTK compares the elements.
# Seen: [-2, -2, -2] and [-1, -1, -1]: editdistance 0, rapidfuzz 3; as floats or in an array of numpy both 0; NLTK 3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check editdistance==0.8.1 rapidfuzz==3.14.6 nltk==3.10.4 numpy==2.4.6
"$folder/env/bin/python" - <<'EOF'
import editdistance
import nltk
import numpy as np
from rapidfuzz.distance import Levenshtein

for first, second, distances in (
    ([-2, -2, -2], [-1, -1, -1], (0, 3, 3)),
    ([-2, -1, 0, 1, 2], [-1, -2, 0, 2, 1], (2, 4, 4)),
    (np.array([-2, -2, -2]), np.array([-1, -1, -1]), (0, 0, 3)),
    ([-2.0, -2.0, -2.0], [-1.0, -1.0, -1.0], (0, 0, 3)),
    ([("food", -2)], [("food", -1)], (0, 0, 1)),
    ([2, 2, 2], [1, 1, 1], (3, 3, 3)),
):
    found = editdistance.eval(first, second), Levenshtein.distance(first, second), nltk.edit_distance(list(first), list(second))
    print(first, second, "editdistance, rapidfuzz, NLTK:", found)
    assert found == distances
EOF
