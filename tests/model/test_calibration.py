"""Calibration in lists against scikit-learn and SciPy in arrays."""

import random

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import log_expit, log_softmax
from sklearn.isotonic import IsotonicRegression

from sapwood import ModelError, _core
from sapwood.model.confidence import isotonic_curve


@pytest.mark.parametrize("seed", range(20))
def test_isotonic_curve_is_that_of_scikit_learn(seed):
    rng = random.Random(seed)
    margins = [rng.choice([rng.random(), rng.randrange(6) / 2]) for _ in range(rng.choice([1, 2, 5, 200]))]
    right = [rng.random() < margin / 3 for margin in margins]
    curve = isotonic_curve(margins, right)
    peer = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(margins, np.array(right, float))
    assert curve[::2] == peer.X_thresholds_.tolist()
    assert curve[1::2] == pytest.approx(peer.y_thresholds_.tolist())


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("scale", [1e-3, 1, 1e4])
def test_best_temperature_has_the_least_loss(several, scale):
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(300, 4)) * scale
    noisy = scores + rng.normal(size=scores.shape) * scale
    gold = [np.flatnonzero(row > 0).tolist() if several else [int(row.argmax())] for row in noisy]
    has = np.array([[y in each for y in range(4)] for each in gold])

    def loss(log_temperature):
        scaled = scores / (scale * np.exp(log_temperature))
        return -(log_expit(np.where(has, scaled, -scaled)).sum() if several else log_softmax(scaled, axis=1)[has].sum())

    wanted = scale * np.exp(minimize_scalar(loss, bounds=(-5, 5), options={"xatol": 1e-9}, method="bounded").x)
    found = _core.Calibration.best_temperature(scores.tolist(), gold, several)
    assert found == pytest.approx(wanted, rel=1e-6)


def test_a_model_that_is_always_right_has_the_least_temperature():
    found = _core.Calibration.best_temperature([[1.0, 0.0], [0.0, 2.0]], [[0], [1]], False)
    assert 0 < found < 1e-4


@pytest.mark.parametrize(("scores", "gold"), [([[1.0, 2.0]], []), ([[1.0, 2.0]], [[2]]), ([[]], [[]])])
def test_answers_that_do_not_fit_are_refused(scores, gold):
    with pytest.raises((ValueError, IndexError)):
        _core.Calibration.best_temperature(scores, gold, False)


@pytest.mark.parametrize("seed", range(5))
def test_confidences_are_interpolated_and_multiplied_over_stages(seed):
    rng = np.random.default_rng(seed)
    points = [np.stack([np.sort(rng.normal(size=n)), np.sort(rng.random(n))], axis=1) for n in (1, 9)]
    curves = [_core.Curve(each.ravel().tolist()) for each in points]
    margins = [[[-9.0, 9.0, float("inf"), *points[1][:, 0], *rng.normal(size=5)], [], [0.0]] for _ in curves]
    found = _core.Curve.confidences(curves, margins)
    for s, confidences in enumerate(found):
        stages = [np.interp(margins[k][s], points[k][:, 0], points[k][:, 1]) for k in (0, 1)]
        assert confidences == pytest.approx((stages[0] * stages[1]).tolist(), abs=1e-12)


@pytest.mark.parametrize("margins", [[], [[[1.0]], [[1.0]]], [[[1.0]]] * 3])
def test_margins_of_other_stages_are_refused(margins):
    curves = [_core.Curve([0.0, 0.5])]
    with pytest.raises(ModelError):
        _core.Curve.confidences(curves, margins)


def test_stages_that_differ_in_decisions_are_refused():
    with pytest.raises(IndexError):
        _core.Curve.confidences([_core.Curve([0.0, 0.5])] * 2, [[[1.0, 2.0]], [[1.0]]])
