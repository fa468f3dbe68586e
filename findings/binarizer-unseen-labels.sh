#!/usr/bin/env bash
# scikit-learn 1.9.1: a label that is none of two classes is the first of them to LabelBinarizer.
#
# For two classes `LabelBinarizer` and `label_binarize` write one column, 1 for the second class and 0 for everything else. A label
# that they do not know, of a new class or in another spelling (Spam, spam), is 0, which is what the first class is. It counts as
# that where a score is computed of the column: log loss, the area under a curve, Brier's. If both classes stand beside it, there are
# two columns all at once, with zeros in its row, so that how many columns there are depends on the labels of the test data. Of three
# classes it is a row of zeros, which comes back as the first class. LabelEncoder refuses such labels, MultiLabelBinarizer
# warns of them; nothing is said here.
# Seen: ham, Spam: [[0], [0]], back: ham, ham; ham, spam, Spam: [[1, 0], [0, 1], [0, 0]]; area under the curve 1 where Spam was missed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1
"$folder/env/bin/python" -W error - <<'EOF'
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import LabelBinarizer, LabelEncoder, MultiLabelBinarizer, label_binarize

two = LabelBinarizer().fit(["ham", "spam"])


def columns(*labels):
    """Return what a list of labels becomes."""
    found = two.transform(labels)
    assert (found == label_binarize(labels, classes=["ham", "spam"])).all()
    back = two.inverse_transform(found).tolist() if found.shape[1] == 1 else "nothing"
    print(*labels, "->", found.tolist(), "and back:", back)
    return found.tolist(), back


assert columns("ham", "spam") == ([[0], [1]], ["ham", "spam"])
assert columns("ham", "Spam") == ([[0], [0]], ["ham", "ham"])
assert columns("spam", "Spam") == ([[1], [0]], ["spam", "ham"])
assert columns("ham", "spam", "Spam") == ([[1, 0], [0, 1], [0, 0]], "nothing")
gold, shares = ["Spam", "spam"], [0.1, 0.9]  # both are spam, and a model is sure that the first is not
area = roc_auc_score(two.transform(gold), shares)
print("area under the curve of two mails that are spam, of which one is found:", area)
assert area == 1
three = LabelBinarizer().fit(["ham", "news", "spam"])
assert three.transform(["Spam"]).tolist() == [[0, 0, 0]] and three.inverse_transform(three.transform(["Spam"])).tolist() == ["ham"]
for model, labels, error in [
    (LabelEncoder().fit(["ham", "spam"]), ["Spam"], ValueError),
    (MultiLabelBinarizer().fit([["ham", "spam"]]), [["Spam"]], UserWarning),
]:
    try:
        model.transform(labels)
        raise SystemExit("it is taken")
    except error as said:
        print(type(model).__name__, said)
EOF
