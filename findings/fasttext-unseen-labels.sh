#!/usr/bin/env bash
# fastText (fasttext-wheel 0.9.2): examples whose label training never saw are left out of the score, and F1 by label can be 2.
#
# `test` and `fasttext test` pass over labels that are not in the model. An example that has no other is no example: it is neither in the
# number of examples nor a mistake, though every answer to it is wrong. Test data with new classes, or with labels that are spelled
# in another way than those of training (Sport, sport), score higher than they are, and only the first of three numbers tells,
# for those who know how many lines there are. (Beside it: `test_label` of this build has the recall nan for every label, with
# known ones as well, and twice the precision as f1score.)
# Seen: of 50 examples 20 are right; test says 30 examples, 0.667; test_label says precision 1, recall nan, f1score 2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check fasttext-wheel==0.9.2 numpy==1.26.4
cd "$folder"
env/bin/python -W ignore - <<'EOF'
from pathlib import Path

import fasttext

fasttext.FastText.eprint = lambda text: None
Path("train.txt").write_text("__label__a good nice\n__label__b bad poor\n" * 200)
model = fasttext.train_supervised("train.txt", epoch=50, lr=1.0, thread=1, verbose=0)
lines = ["__label__a good", "__label__b bad", "__label__a bad", "__label__A good", "__label__B bad"] * 10
Path("test.txt").write_text("".join(f"{line}\n" for line in lines))
answers = [model.predict(line.split()[1])[0][0] for line in lines]
right = sum(answer == line.split()[0] for answer, line in zip(answers, lines))
examples, precision, recall = model.test("test.txt")
by_label = model.test_label("test.txt")
print(f"{right} of {len(lines)} are right; test says {examples} examples, {precision:.3f}, {recall:.3f}; by label {by_label}")
assert (right, len(lines)) == (20, 50)
assert examples == 30 and round(precision, 3) == round(recall, 3) == 0.667
assert by_label["__label__a"]["precision"] == 1 and by_label["__label__a"]["f1score"] == 2
assert all(scores["recall"] != scores["recall"] for scores in by_label.values())
EOF
