#!/usr/bin/env bash
# NLTK 3.10.4: its approximate randomisation forgets which answers are to the same question.
#
# `nltk.metrics.scores.approxrand` is named after the test by which two systems are compared on one test set (Noreen 1989,
# Yeh 2000): each of its rounds swaps the two answers to a question, or leaves them. Here all answers of both systems are put
# into one heap, which is dealt out anew. How hard the questions are is noise then, as if each system had had questions of
# its own, and the p-value of systems that agree on most of them is many times too large; nothing names the pairing or its lack.
# Seen: of 1,000 answers A has 862 right, B 850, and B none that A has not: p = 0.47. By swaps it is 2 / 2**12 = 0.0005.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" - <<'EOF'
import random

import numpy as np
from nltk.metrics.scores import approxrand
from scipy.stats import permutation_test

a, b = [1.0] * 862 + [0.0] * 138, [1.0] * 850 + [0.0] * 150
random.seed(1)
heap, _, _ = approxrand(a, b, shuffles=999)


def difference(x, y, axis):
    return np.mean(x, axis=axis) - np.mean(y, axis=axis)


def p(kind):
    return permutation_test((a, b), difference, permutation_type=kind, n_resamples=9999, rng=1, vectorized=True).pvalue


print(f"approxrand {heap:.4f}; SciPy, independent samples {p('independent'):.4f}, swaps {p('samples'):.4f}")
assert 0.4 < heap < 0.55 and 0.4 < p("independent") < 0.55
assert p("samples") < 0.002
b.reverse()  # now most of B's mistakes are where A is right: swaps tell that, the heap does not
random.seed(1)
turned, _, _ = approxrand(a, b, shuffles=999)
print(f"B's answers the other way round: approxrand {turned:.4f}, swaps {p('samples'):.4f}")
assert abs(turned - heap) < 0.06 and p("samples") > 0.3
EOF
