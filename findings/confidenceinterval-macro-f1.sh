#!/usr/bin/env bash
# confidenceinterval 1.0.5: the interval of macro F1 is nearly twice as wide as it should be for two classes, and too narrow for twenty.
#
# `f1_score(gold, guess, average="macro")` returns the score of scikit-learn, and an interval by a formula, unless a bootstrap is asked for.
# The formula's variance is off by a factor that depends on the number of classes. With 1,000 examples and four of five right, the interval
# for two classes is as wide as 300 examples would have it, and that for twenty misses the score of the population in about a fifth of
# all samples, where an interval of 95 % may miss it in a twentieth. For answers that are all right it ends above 1. The intervals of
# accuracy and micro F1 are as they should be.
# Seen: 1.9 times (2 classes), 1.6 (3), 0.8 (10) and 0.6 times (20) as wide as 1.96 deviations of resampled scores; all right: to 1.08.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check confidenceinterval==1.0.5 numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 scikit-learn==1.9.1
"$folder/env/bin/python" - <<'EOF'
import confidenceinterval
import numpy as np
from sklearn.metrics import f1_score

draw = np.random.default_rng(0)


def sample(classes, examples=1000):
    """Return gold and guesses, of which four in five are right, and the others are drawn from all classes but the right one."""
    gold = draw.integers(0, classes, examples)
    wrong = (gold + draw.integers(1, classes, examples)) % classes
    return gold, np.where(draw.random(examples) < 0.8, gold, wrong)


def resampled(gold, guess):
    """Return 1.96 standard deviations of macro F1 in samples drawn from these examples."""
    draws = (draw.integers(0, len(gold), len(gold)) for _ in range(400))
    return 1.96 * np.std([f1_score(gold[rows], guess[rows], average="macro") for rows in draws])


ratios = []
for classes in (2, 3, 10, 20):
    gold, guess = sample(classes)
    score, (low, high) = confidenceinterval.f1_score(gold, guess, average="macro")
    assert abs(score - f1_score(gold, guess, average="macro")) < 1e-6
    ratios.append((high - low) / 2 / resampled(gold, guess))
    print(f"{classes} classes: F1 {score:.3f}, {low:.3f} to {high:.3f}, {ratios[-1]:.2f} times as wide as it should be")
assert ratios == sorted(ratios, reverse=True) and ratios[0] > 1.7 and ratios[-1] < 0.7

covered = {way: 0 for way in ("macro", "micro")}
for _ in range(300):  # the classes are alike, so that both scores are 0.8 in the population
    gold, guess = sample(20)
    for way in covered:
        low, high = confidenceinterval.f1_score(gold, guess, average=way)[1]
        covered[way] += bool(low <= 0.8 <= high)
print("of 300 samples, the interval has the score of the population in", covered)
assert covered["macro"] < 0.86 * 300 < 0.92 * 300 < covered["micro"]

right = np.arange(200) % 3
_, (low, high) = confidenceinterval.f1_score(right, right, average="macro")
print(f"all right: {low:.3f} to {high:.3f}")
assert high > 1.05
EOF
