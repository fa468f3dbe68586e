#!/usr/bin/env bash
# NLTK 3.10.4, chrF: a word of three letters that is right has 0.5, a corpus with short answers that are all right has less than 1.
#
# `sentence_chrf` and `corpus_chrf` compare the sequences of one to six letters of two texts. "dog" has no sequences of four, five and six;
# they count as wrong, in place of being left out, so that a text of n letters without blanks, n up to 5, reaches n / 6. `corpus_chrf` is not the score
# of the corpus, in which all letters are counted together, but the mean over its sentences, so that each short answer that is
# right pulls it down. sacrebleu leaves out sequences that neither text has, and adds up the counts of the sentences.
# Seen: "no" 0.33, "dog" 0.50, "Thanks" 1.00; "yes" and a sentence, both right: 0.75. sacrebleu has 100 of 100 each time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4 sacrebleu==2.6.0 numpy==2.4.6
"$folder/env/bin/python" - <<'EOF'
from nltk.translate.chrf_score import corpus_chrf
from sacrebleu.metrics import CHRF

sacrebleu = CHRF()
for texts, score in (
    (["no"], 0.33),
    (["dog"], 0.5),
    (["Thanks"], 1),
    (["yes", "the dog barks at night"], 0.75),
    (["yes"] * 9 + ["the dog barks at night"], 0.55),
):
    found = corpus_chrf(texts, texts)
    other = sacrebleu.corpus_score(texts, [texts]).score
    print(texts, "NLTK", round(found, 2), "sacrebleu", round(other, 2))
    assert round(found, 2) == score and round(other, 6) == 100
EOF
