#!/usr/bin/env bash
# datasets 5.2.0: ratings as class labels: 10 comes behind 1, and a 4 that is a number is the fifth class, a "4" the fourth.
#
# `class_encode_column` makes texts of a column's values and sorts them: of ratings from 1 to 10 the classes are 1, 10, 2, ..., so that an error
# between 10 and 1 counts as one step in what reads the numbers (a mean, a weighted kappa). A column that is cast to
# `ClassLabel(names=["1", ..., "5"])` takes texts by their names, but whole numbers as places from 0: the same ratings are other classes when they
# come from JSON or Parquet than from a reader that keeps texts, and nothing is said: a 5 is taken, too, and is the number of no class.
# Seen: 0, 2 and 1 for 1, 2 and 10; "2", "3" and "5" for 1, 2 and 4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check datasets==5.2.0 pyarrow==26.0.1 numpy==2.4.6 pandas==3.1.1
"$folder/env/bin/python" - <<'EOF'
from datasets import ClassLabel, Dataset, disable_progress_bars

disable_progress_bars()
encoded = Dataset.from_dict({"rating": list(range(1, 11))}).class_encode_column("rating")
print(encoded.features["rating"].names, encoded["rating"][:])
assert encoded.features["rating"].names == ["1", "10", *"23456789"]
assert encoded["rating"][:] == [0, 2, 3, 4, 5, 6, 7, 8, 9, 1]
stars = ClassLabel(names=["1", "2", "3", "4", "5"])
for ratings, classes in ((["1", "2", "4"], ["1", "2", "4"]), ([1, 2, 4], ["2", "3", "5"])):
    cast = Dataset.from_dict({"rating": ratings}).cast_column("rating", stars)["rating"][:]
    print(ratings, "->", stars.int2str(cast))
    assert stars.int2str(cast) == classes
cast = Dataset.from_dict({"rating": [1, 5]}).cast_column("rating", stars)["rating"][:]
print(cast, "of", stars.num_classes, "classes")
assert cast == [1, 5]
EOF
