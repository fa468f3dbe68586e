"""The scores of a classifier's labels in the order of `labels_`, which its `classes_` reorder."""

import numpy as np


def label_scores(classifier, examples):
    """Return the score of each label, [examples, labels]."""
    scores = classifier._scorer.scores(classifier._rows(examples), classifier.params.threads)
    return np.array(scores).reshape(len(scores), len(classifier.labels_))
