#!/usr/bin/env bash
# Vowpal Wabbit 9.11.9: nothing is learned from a text that has none of the labels, so that it gets all of them.
#
# `--multilabel_oaa` takes lines such as `0,2 |w text`, and answers with a set of labels, which can be empty. A text in which no label
# applies, as most have where a label marks something rare (a kind of abuse, a topic out of ten), is written without labels,
# ` |w text`; but that is also how a text to be predicted is written, and it is passed over in training. The model is as if these lines were
# not there: words that stand in them alone have no weight, and a text of such words gets what the labelled texts make likely. An additional
# label for "nothing", which is dropped from the answers, teaches it.
# Seen: labels 0 and 1 for words of unlabelled texts, with 0, 2 and 20 of them; no other label with one for "nothing".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check vowpalwabbit==9.11.9
"$folder/env/bin/python" - <<'EOF'
from vowpalwabbit import Workspace


def answers(train, options):
    model = Workspace(f"{options} --quiet")
    for _ in range(50):
        for line in train:
            model.learn(line)
    found = [model.predict(line) for line in ("|w good", "|w bad", "|w table", "|w chair")]
    model.finish()
    return found


SOME = ["0 |w good fun", "1 |w bad dull", "0,1 |w good bad"]
NONE = [" |w table chair", " |w table lamp"]
without = answers(SOME, "--multilabel_oaa 2")
for times in (1, 10):
    found = answers(SOME + NONE * times, "--multilabel_oaa 2")
    print(len(NONE) * times, found)
    assert found == without == [[0], [1], [0, 1], [0, 1]]
found = answers(SOME + ["2" + line for line in NONE], "--multilabel_oaa 3")
print("as a label:", found)
assert found == [[0], [1], [2], [2]]
EOF
