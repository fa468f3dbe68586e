"""The tags by which scikit-learn knows what an estimator takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sklearn.utils import Tags


def tags_of_lists() -> Tags:
    """Return the tags of an estimator that learns from lists of anything and their answers."""
    from sklearn.utils import InputTags, Tags, TargetTags

    inputs = InputTags(two_d_array=False, string=True)
    return Tags(estimator_type=None, target_tags=TargetTags(required=True), input_tags=inputs)
