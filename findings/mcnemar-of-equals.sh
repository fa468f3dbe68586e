#!/usr/bin/env bash
# mlxtend 0.25.0 and statsmodels 0.15.0: McNemar's test with the correction, p = 0 for two systems whose answers are the same.
#
# The correction takes 1 off the difference of the two counts, also where that is 0. Systems that answer everything alike have (0 - 1)² / 0,
# which is infinite: p = 0, the surest difference that there is. With five answers each that the other had wrong, no difference at all,
# p is 0.75, and with two and one it is 1: a greater difference has the greater p. mlxtend does so without options (NumPy warns of the
# division), statsmodels with `exact=False`. The exact test has p = 1 each time.
# Seen: 0.0 for equal answers, 0.4795 for 1 and 1, 0.7518 for 5 and 5, 1.0 for 2 and 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check mlxtend==0.25.0 numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 scikit-learn==1.9.1 statsmodels==0.15.0
"$folder/env/bin/python" - <<'EOF'
import warnings

import numpy as np
from mlxtend.evaluate import mcnemar, mcnemar_table
from statsmodels.stats.contingency_tables import mcnemar as of_statsmodels

warnings.simplefilter("ignore")
gold, answers = np.array([1, 0, 1, 1, 0, 1]), np.array([1, 0, 1, 0, 0, 1])
tables = [mcnemar_table(gold, answers, answers), *(np.array([[90, a], [b, 8]]) for a, b in ((1, 1), (5, 5), (2, 1)))]
for table, p in zip(tables, [0.0, 0.4795, 0.7518, 1.0]):
    found = mcnemar(table)[1], of_statsmodels(table, exact=False).pvalue
    exact = mcnemar(table, exact=True)[1], of_statsmodels(table).pvalue
    print(table.tolist(), *found, "exact:", *exact)
    assert all(abs(each - p) < 1e-4 for each in found)
    assert exact == (1, 1)
EOF
