#!/usr/bin/env bash
# PYEVALB 0.1.3: a tree that is compared with itself has a score below 1, if a phrase stands right over another one of its label.
#
# "Evalb in Python" counts the phrases of each tree as a list, and those that both have as a set of label, begin and end. An NP of nothing
# but an NP, or a sentence in a sentence, as the Penn Treebank has them, and unary chains of parsers, are two in the
# lists and one in the set, so that the best score there is is below 1. evalb counts them one by one. (Nor does it do what evalb does by
# its usual parameters, which leave out TOP, punctuation and the functions in labels such as NP-SBJ: here they all count.)
# Seen: recall and precision 0.75 of (S (NP (NP (NN a))) (VP (VB b))) with itself; 1 without the second NP.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check PYEVALB==0.1.3
"$folder/env/bin/python" - <<'EOF'
from PYEVALB.parser import create_from_bracket_string
from PYEVALB.scorer import Scorer


def scores(gold, guess):
    result = Scorer().score_trees(create_from_bracket_string(gold), create_from_bracket_string(guess))
    print(f"{result.matched_brackets} of {result.gold_brackets}, precision {result.prec:.3f}:", gold, "and", guess)
    return result.recall, result.prec


for tree, score in [
    ("(S (NP (NN a)) (VP (VB b)))", 1),
    ("(S (NP (NP (NN a))) (VP (VB b)))", 0.75),
    ("(S (VP (VB go) (NP (NP (NNP Rome)))))", 0.75),
    ("(S (S (NP (NN a)) (VP (VB b))))", 0.75),
]:
    assert scores(tree, tree) == (score, score)
plain = "(S (NP (NN a)) (VP (VB b)) (. .))"
for other in ("(S (NP-SBJ (NN a)) (VP (VB b)) (. .))", "(S (NP (NN a)) (VP (VB b) (. .)))"):
    assert round(scores(plain, other)[0], 3) == 0.667
EOF
