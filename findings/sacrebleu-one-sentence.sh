#!/usr/bin/env bash
# sacrebleu 2.6.0, approximate randomization: two systems that differ in one sentence of a hundred have p = 0.001, the least there is.
#
# The test swaps the answers of the two systems to each sentence at random, and counts how often the difference of the scores is greater
# than the real one. It has to count as well how often it is as great. If one system is better in a few sentences, and worse in none,
# no swap makes the difference greater, so that the count is 0, and p = 1 / (trials + 1). With one such sentence each swap gives the same
# difference: p should be 1; with two it should be 0.5, with five 1 / 16, here 62 of 1,000. A comment in the source says that equal systems
# get this p on purpose; of those that are nearly equal nobody says so. More trials make p smaller still. The paired bootstrap of the same
# class has 0.16, 0.09 and 0.01, and 0.001 for equal systems.
# Seen: p = 0.000999 for 0, 1, 2 and 5 better sentences of 100 in BLEU, chrF and TER; 0.0001 for one with 10,000 trials.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check sacrebleu==2.6.0 numpy==2.4.6
"$folder/env/bin/python" - <<'EOF'
import random

import numpy as np
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

draw = random.Random(1)
words = "the old dog sees a red house and hears birds in green trees".split()
gold = [[draw.choice(words) for _ in range(12)] for _ in range(100)]


def spoiled(sentence):
    """Return the sentence with three of its words changed."""
    places = draw.sample(range(len(sentence)), 3)
    return ["thing" if place in places else word for place, word in enumerate(sentence)]


base = [spoiled(sentence) for sentence in gold]


def texts(sentences):
    return [" ".join(sentence) for sentence in sentences]


def p_value(metric, better, trials, way):
    """Return p of two systems, of which the second has the first `better` sentences right, and else the answers of the first."""
    systems = [("first", texts(base)), ("second", texts(gold[:better] + base[better:]))]
    test = PairedTest(systems, {"score": metric(references=[texts(gold)])}, None, test_type=way, n_samples=trials)
    return next(results[1].p_value for name, results in test()[1].items() if name != "System")


def with_ties(better, trials=1000):
    """Return p of the same test on the mean of a score for each sentence, where a difference as great as the real one counts."""
    swaps = np.random.default_rng(1).choice([-1, 1], size=(trials, better))
    return (1 + np.sum(np.abs(swaps.sum(axis=1)) >= better)) / (trials + 1)


for better in (0, 1, 2, 5):
    found = [p_value(metric, better, 1000, "ar") for metric in (BLEU, CHRF, TER)]
    bootstrap = p_value(BLEU, better, 1000, "bs")
    print(f"{better} better: {found}, with ties {with_ties(better):.3f}, bootstrap {bootstrap:.3f}")
    assert found == [1 / 1001] * 3
    assert bootstrap == 1 / 1001 if better == 0 else bootstrap > 0.005
assert [round(with_ties(better), 1) for better in (0, 1, 2, 5)] == [1, 1, 0.5, 0.1]
assert p_value(BLEU, 1, 10_000, "ar") == 1 / 10_001
EOF
