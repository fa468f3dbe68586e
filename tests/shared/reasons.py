"""What every explanation has to be."""

import pytest


def check_sums(explanation):
    """The contributions are values times weights, in whole units, and add up to the margin."""
    unit = explanation.scale
    for feature in explanation.features:
        assert feature["contribution"] == pytest.approx(feature["value"] * feature["weight"])
        assert feature["text"]
        assert feature["weight"] != 0
    total = sum(round(feature["contribution"] / unit) for feature in explanation.features)
    assert total == round(explanation.margin / unit)
    sizes = [abs(feature["contribution"]) for feature in explanation.features]
    assert sizes == sorted(sizes, reverse=True)


def by_word(explanations):
    """The explanations of arcs, and those of relations, by sentence and token."""
    found = {"arc": {}, "relation": {}}
    for e in explanations:
        found[e.decision][e.sentence, e.token] = e
    return found
