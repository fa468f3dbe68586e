"""Classifiers and taggers for scikit-learn's searches, pipelines and validation: the models, with scikit-learn's tags.

They learn from lists of texts, of dicts of features or of sentences, where scikit-learn's own estimators have matrices.
A model that such an estimator has saved is loaded by `sapwood.load`, and one of any origin by its `load`.

>>> from sklearn.model_selection import cross_val_score
>>> texts, labels = ["good fun", "dull", "great fun", "bad"] * 6, ["+", "-", "+", "-"] * 6
>>> cross_val_score(Classifier(min_updates=1), texts, labels, cv=3).tolist()
[1.0, 1.0, 1.0]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sapwood.base.optional import require

require("sklearn", "a model in scikit-learn's tools")

from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402

import sapwood.tasks.classifying.model as classifying  # noqa: E402
import sapwood.tasks.tagging.model as tagging  # noqa: E402

if TYPE_CHECKING:
    from sklearn.utils import Tags


def _of_lists(tags: Tags) -> Tags:
    """Return the tags of an estimator that learns from lists of anything and their answers."""
    tags.input_tags.two_d_array, tags.input_tags.string, tags.target_tags.required = False, True, True
    return tags


class Classifier(classifying.Classifier, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A `sapwood.Classifier` as an estimator; metadata routing may give it the weights of examples, and classes."""

    def fit(self, X: Any, y: Any = None, *, sample_weight: Any = None, **settings: Any) -> Self:  # type: ignore[override]
        return super().fit(X, y, sample_weight=sample_weight, **settings)

    def partial_fit(  # type: ignore[override]
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None, **settings: Any
    ) -> Self:
        return super().partial_fit(X, y, classes=classes, sample_weight=sample_weight, **settings)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        return super().score(X, y, sample_weight)

    def __sklearn_tags__(self) -> Tags:
        tags = _of_lists(super().__sklearn_tags__())
        tags.input_tags.dict, tags.classifier_tags.multi_label = True, self.params.multi_label
        return tags


class SequenceTagger(tagging.SequenceTagger, BaseEstimator):  # type: ignore[misc]
    """A `sapwood.SequenceTagger` as an estimator."""

    def __sklearn_tags__(self) -> Tags:
        return _of_lists(super().__sklearn_tags__())
