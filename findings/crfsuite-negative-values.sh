#!/usr/bin/env bash
# python-crfsuite 0.9.12: an attribute whose values are negative is not in the model, whatever it would tell.
#
# Attributes may have values (`{"v": -1.0}`), as numbers from word vectors, scores and differences. What the trainer counts of an attribute
# beside a label, to leave out rare ones, is the sum of its values: one attribute of value 10 is as frequent as ten of value 1,
# and a negative sum is below the least frequency of 0 that is the default. Half of the numbers of a word vector are negative,
# and which of them are learned beside which label depends on the signs. No algorithm and no option says so; a least
# frequency below every sum, `min_freq=-1e9`, keeps them.
# Seen: two labels that v alone tells apart (-1 in all of B, not there in A) get one answer for all by each of five algorithms; with
# min_freq=-1e9 all are right. feature.minfreq=5 keeps what is there once with the value 10, and drops four times 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check python-crfsuite==0.9.12
cd "$folder"
env/bin/python - <<'EOF'
import pycrfsuite


def trained(algorithm, items, labels, **options):
    """Return the attributes that a model has, and its labels of all items, each a sequence."""
    trainer = pycrfsuite.Trainer(algorithm, verbose=False)
    trainer.set_params({name.replace("_", "."): value for name, value in options.items()})
    for item, label in zip(items, labels):
        trainer.append([item], [label])
    trainer.train("model")
    tagger = pycrfsuite.Tagger()
    tagger.open("model")
    return {attribute for attribute, _ in tagger.info().state_features}, [tagger.tag([item])[0] for item in items]


B, A = {"v": -1.0, "bias": 1.0}, {"bias": 1.0}
items, labels = [B] * 20 + [A] * 20, ["B"] * 20 + ["A"] * 20
for algorithm in ("lbfgs", "l2sgd", "ap", "pa", "arow"):
    attributes, answers = trained(algorithm, items, labels)
    kept, right = trained(algorithm, items, labels, feature_minfreq=-1e9)
    print(algorithm, "answers", {*answers}, "has", attributes, "| with feature.minfreq=-1e9 right:", right == labels, "has", kept)
    assert "v" not in attributes and len({*answers}) == 1
    assert "v" in kept and right == labels
turned = trained("lbfgs", [{**item, "v": -item.get("v", 0)} for item in items], labels)
print("with v = 1 in place of -1: right", turned[1] == labels)
assert turned[1] == labels

items = [{"once": 10.0, "often": 1.0}] + [{"often": 1.0}] * 3 + [{"bias": 1.0}] * 9
attributes, _ = trained("lbfgs", items, ["A"] * 4 + ["B"] * 9, feature_minfreq=5)
print("feature.minfreq=5 keeps", attributes)
assert attributes == {"once", "bias"}
EOF
