#!/usr/bin/env bash
# NLTK 3.10.4: who gives weighted kappa the greatest distance between two labels, as it asks for, gets a wrong one.
#
# `AnnotationTask.weighted_kappa(max_distance=1.0)` is one minus the distance that was observed, divided by that which chance would make. Both are
# to be measured by the greatest distance that there can be, which then does not matter. It is taken for the second only: of grades from 1 to
# 5, whose greatest distance is 4, the quotient is four times what it should be, and annotators who mostly agree seem to agree less than by
# chance. With the default, which is no distance of these grades, kappa is right, and equal to scikit-learn's.
# Seen: 0.7 with max_distance 1, 0.4 with 2, -0.2 with 4; 0.7 in scikit-learn 1.9.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4 scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" -W error - <<'EOF'
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score

a, b = [1, 2, 3, 4, 5, 3], [1, 2, 4, 4, 5, 1]
triples = [(coder, item, grade) for coder, grades in (("a", a), ("b", b)) for item, grade in enumerate(grades)]
task = AnnotationTask(triples, distance=lambda one, other: abs(one - other))
wanted = cohen_kappa_score(a, b, weights="linear")
print("scikit-learn:", wanted)
for greatest in (1, 2, 4):
    found = task.weighted_kappa(greatest)
    print(greatest, found)
    assert abs(found - (1 - greatest * (1 - wanted))) < 1e-9
EOF
