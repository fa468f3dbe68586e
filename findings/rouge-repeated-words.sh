#!/usr/bin/env bash
# rouge 1.0.1: "no no no no" for "no" is a perfect summary by ROUGE-1 and ROUGE-L, and 5.3 million is 3.5 million.
#
# ROUGE counts how many of the words of the two texts are the same, each as often as it stands there. `Rouge()` puts them into sets,
# `exclusive=True`, so that repetition costs nothing, though it is what bad summaries are known for. `exclusive=False` counts. Points are taken out,
# and what is between them is taken for a sentence, also in 3.5, which is two words of which the order does not count. ROUGE-L
# compares each of these pieces with all pieces of the other text. rouge-score, another package, counts repetition, and has 3.5 as two words, whose
# order counts in its ROUGE-L.
# Seen, ROUGE-1 and ROUGE-L (F1): 1.00 and 1.00 for "no no no no" and for "the firm made 5.3 million"; rouge-score has 0.40 and 0.40, 1.00 and 0.83.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check rouge==1.0.1 rouge-score==0.1.2
"$folder/env/bin/python" - <<'EOF'
from rouge import Rouge
from rouge_score.rouge_scorer import RougeScorer

other = RougeScorer(["rouge1", "rougeL"])
for guess, gold, counted in (
    ("no no no no", "no", (0.4, 0.4)),
    ("the dog barks the dog barks the dog barks", "the dog barks", (0.5, 0.5)),
    ("the firm made 5.3 million", "the firm made 3.5 million", (1, 0.83)),
    ("sales rose. profits fell.", "profits fell. sales rose.", (1, 0.5)),
):
    scores = Rouge().get_scores(guess, gold)[0]
    found = tuple(round(scores[name]["f"], 2) for name in ("rouge-1", "rouge-l"))
    values = other.score(gold, guess)
    right = tuple(round(values[name].fmeasure, 2) for name in ("rouge1", "rougeL"))
    print(guess, "|", gold, "|", found, "rouge-score", right)
    assert found == (1, 1) and right == counted
counting = Rouge(exclusive=False).get_scores("no no no no", "no")[0]
assert round(counting["rouge-1"]["f"], 2) == 0.4
EOF
