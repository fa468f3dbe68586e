#!/usr/bin/env bash
# shap 0.51.0, LinearExplainer: of the background data that it is given, it looks at 100 rows.
#
# The explanation of a linear model is the weight times the distance from the mean, as its documentation says: `coef[i] * (x[i] - X.mean(0)[i])`.
# `X` is the second argument, usually all training data. The explainer puts them into a masker, which draws 100
# rows, without a warning. Most words are rare: one that 2 % of the texts have is in 0 to 6 of 100 rows as a rule, so that its mean
# may be 0 or three times too large, and the base value, said to be the mean of the model's answers, is that of the 100 rows. Shuffled rows give
# other explanations of the same text by the same model. The values still add up to the model's answer, so that no check by their sum finds it.
# `shap.maskers.Independent(X, max_samples=len(X))` in place of `X` takes all rows.
# Seen: 1,000 rows, of which 20 have the rare word: for three orders of the rows its mean is 0.05, 0.01 and 0.00, the base value 0.26, 0.33 and
# 0.76; over all rows they are 0.02 and 0.29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check shap==0.51.0 scikit-learn==1.9.1 numpy==2.4.6
"$folder/env/bin/python" -W error::UserWarning - <<'EOF'
import numpy as np
import shap
from sklearn.linear_model import LogisticRegression

frequent, rare = np.zeros(1000), np.zeros(1000)
frequent[::2] = 1
rare[:20] = 1
counts = np.stack([frequent, rare], axis=1)
model = LogisticRegression().fit(counts, counts.sum(axis=1) > 0)
whole = model.decision_function(counts).mean()
print("all rows: means", counts.mean(axis=0), "base value", round(whole, 2))
text = np.array([[1.0, 1.0]])
bases = []
for seed in (1, 2, 3):
    rows = np.random.default_rng(seed).permutation(counts)
    explainer = shap.LinearExplainer(model, rows)
    values = explainer.shap_values(text)
    print(f"order {seed}: {len(explainer.masker.data)} rows, means", explainer.mean, "base value", round(explainer.expected_value, 2))
    assert explainer.masker.data.shape == (100, 2)
    assert np.allclose(values, model.coef_ * (text - explainer.mean))
    assert not np.allclose(values, model.coef_ * (text - counts.mean(axis=0)), atol=0.01)
    assert np.allclose(values.sum() + explainer.expected_value, model.decision_function(text))
    bases.append(explainer.expected_value)
assert max(bases) - min(bases) > 0.1
explainer = shap.LinearExplainer(model, shap.maskers.Independent(counts, max_samples=len(counts)))
assert np.allclose(explainer.mean, counts.mean(axis=0)) and np.allclose(explainer.expected_value, whole)
EOF
