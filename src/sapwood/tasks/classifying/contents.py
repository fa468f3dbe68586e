"""The contents of a classifier: its labels and weights, or its support examples with their alphas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapwood.model.contents import Contents, Output, Weights, feature_name
from sapwood.tasks.classifying.multi_label import thresholds_of

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile
    from sapwood.tasks.classifying.scorer import Scorer
    from sapwood.tasks.classifying.training import CrossValidation


def classifier_contents(
    model: ModelFile, scorer: Scorer, folds: int | None, cross_validation: CrossValidation | None
) -> Contents:
    """Return the contents of a fitted classifier; folds : number of those of the cross-validation."""
    labels, support = [Output(label, label) for label in model.labels], scorer.support
    # One weight speaks for the second of two labels and against the first.
    outputs = labels[1:] if len(labels) == 2 and support is None and not scorer.several else labels

    def weights() -> Weights:
        if support is None:
            for row, output, weight in scorer.core.weights():
                yield outputs[output], weight, feature_name(model, 0, row)
            return
        # A voted model has a weight for each example of its support and each label: the one after the last update.
        for k, alpha in enumerate(support.alphas(len(outputs))):
            if alpha != 0:
                yield outputs[k % len(outputs)], alpha, f"example {k // len(outputs) + 1} of the support"

    remarks = []
    if scorer.several and not any(thresholds_of(model)):
        remarks.append("the thresholds of all labels are 0; held-out data (--dev) would choose them")
    if cross_validation is not None:
        best = f"{max(cross_validation.accuracies):.2f}% after {cross_validation.best_epochs} passes"
        remarks.append(f"{folds}-fold cross-validation: {best}")
    return Contents(
        model,
        support=support,
        tables=["label"],
        outputs=[outputs],
        weights=weights,
        arrays={"extra": "multi-label" if scorer.several else "support examples"},
        remarks=remarks,
    )
