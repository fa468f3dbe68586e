#!/usr/bin/env bash
# scikit-learn 1.9.1: weighted kappa counts the steps between grades by the alphabet, and over grades that nobody gave.
#
# `cohen_kappa_score` with weights is for grades, where low is further from high than from medium. How far is told by a grade's place among
# those that occur, sorted: of texts that is the alphabet, high, low, medium, so that what annotators called low and
# medium is one step, and medium and high two. "10" stands before "2". Of numbers a step is from one to the next that
# somebody gave: 2 and 5 are neighbours where there is no 3 and no 4, and their distance, which is in the data, is not looked at, so
# that kappa changes with one item more. `labels` with all grades in order gives what is meant; without it nothing is said.
# Seen: 0.118 (linear) for low, medium, high, and 0.4 for the same as 0, 1, 2; 0.5 for 1, 2, 5 and 0.49 with labels from 1 to 5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" -W error - <<'EOF'
from sklearn.metrics import cohen_kappa_score

GRADES = ["low", "medium", "high"]
a = ["low", "low", "medium", "high", "high", "medium"]
b = ["low", "medium", "medium", "high", "medium", "high"]
for weights, wanted in (("linear", (0.118, 0.4)), ("quadratic", (0.0, 0.571))):
    by_alphabet = cohen_kappa_score(a, b, weights=weights)
    by_grade = cohen_kappa_score(a, b, weights=weights, labels=GRADES)
    print(weights, by_alphabet, by_grade)
    assert (round(by_alphabet, 3), round(by_grade, 3)) == wanted
    numbers = [[GRADES.index(grade) for grade in grades] for grades in (a, b)]
    assert abs(cohen_kappa_score(*numbers, weights=weights) - by_grade) < 1e-9

a, b = [1, 1, 2, 2, 5, 5, 1, 5], [1, 2, 2, 5, 5, 1, 1, 5]
gaps = cohen_kappa_score(a, b, weights="quadratic"), cohen_kappa_score(a, b, weights="quadratic", labels=range(1, 6))
print("1, 2, 5:", *gaps)
assert [round(value, 2) for value in gaps] == [0.5, 0.49]
a, b = ["2", "10", "9", "10", "10"], ["2", "9", "9", "10", "9"]
texts = cohen_kappa_score(a, b, weights="linear"), cohen_kappa_score(a, b, weights="linear", labels=["2", "9", "10"])
print("texts of numbers:", *texts)
assert texts[0] != texts[1]
EOF
