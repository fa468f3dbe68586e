#!/usr/bin/env bash
# OpenCV 4.12.0: an iteration of its averaged stochastic gradient descent is one example, not one pass over the data.
#
# `cv2.ml.SVMSGD` of the type ASGD averages the vectors after each step, its shift as well, and stops after so many steps
# as `setTermCriteria` has iterations: with the usual 10 or 100 most rows of a data set are never looked at. (OpenCV 5.0.0
# has no `cv2.ml` any more.)
# Seen on two examples, (1, 0) and (-1, 0): the first weight is 2, 3, 10/3, 7/2 after 1, 2, 3, 4 iterations: the last vector is 4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check opencv-python-headless==4.12.0.88
"$folder/env/bin/python" - <<'EOF'
import cv2
import numpy as np

X, y = np.array([[1, 0], [-1, 0]], np.float32), np.array([1, -1], np.float32)
for iterations, wanted in ((1, 2), (2, 3), (3, 10 / 3), (4, 7 / 2), (8, 15 / 4)):
    model = cv2.ml.SVMSGD_create()
    model.setSvmsgdType(cv2.ml.SVMSGD_ASGD)
    model.setMarginType(cv2.ml.SVMSGD_SOFT_MARGIN)
    model.setMarginRegularization(1e-7)
    model.setInitialStepSize(1.0)
    model.setStepDecreasingPower(0.0)
    model.setTermCriteria((cv2.TERM_CRITERIA_COUNT, iterations, 0))
    model.train(X, cv2.ml.ROW_SAMPLE, y)
    print(iterations, "iterations:", model.getWeights())
    assert abs(model.getWeights()[0, 0] - wanted) < 1e-4
EOF
