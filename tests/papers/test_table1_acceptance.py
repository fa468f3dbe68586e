"""What sapwood promises of Table 1 of Goldberg & Elhadad (2011): CoNLL-2000, 10 passes, seed 1.

The figures are those of the measurements, which a slow test of tests/docs/test_measurements.py takes again.
"""

import json
from pathlib import Path

import pytest

TABLE = Path(__file__).parents[2] / "docs" / "measurements" / "table1.json"


@pytest.fixture(scope="module")
def rows():
    """The rows of the table, by name."""
    return {row["name"]: row for row in json.loads(TABLE.read_text())["rows"]}


FEATURES = ["", "chunking: "]  # the paper's features, and ours


@pytest.mark.parametrize(("features", "least"), [("", 95.6), ("chunking: ", 95.8)])
def test_the_averaged_perceptron_is_nearly_as_good_as_the_papers(rows, features, least):
    assert rows[f"{features}Avg. Percep"]["accuracy"] >= least  # the paper: 96.0


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize(("name", "most_lost"), [("SAP5", 0.1), ("SAP10", 0.15)])
def test_sparse_models_lose_little(rows, features, name, most_lost):
    dense, sparse = rows[f"{features}Avg. Percep"], rows[f"{features}{name}"]
    assert sparse["accuracy"] >= dense["accuracy"] - most_lost


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize(("name", "ratio"), [("SAP5", 4), ("SAP10", 7)])
def test_sparse_models_have_few_features(rows, features, name, ratio):
    dense, sparse = rows[f"{features}Avg. Percep"], rows[f"{features}{name}"]
    assert dense["features"] >= ratio * sparse["features"]  # the paper: 4.1 and 7.5


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("k", [5, 10])
def test_sparse_models_are_smaller_than_pruned_ones(rows, features, k):
    sap, pruned = rows[f"{features}SAP{k}"], rows[f"{features}pruned({k})"]
    assert sap["features"] < pruned["features"]
    assert sap["bytes"] < pruned["bytes"]


def test_viterbi_with_margin_is_the_best(rows):
    best_accuracy = max(row["accuracy"] for name, row in rows.items() if name.startswith("Viterbi margin"))
    best_f1 = max(row["f1"] for name, row in rows.items() if name.startswith("Viterbi margin"))
    assert rows["Viterbi margin"]["accuracy"] >= 96.1
    assert rows["Viterbi margin"]["f1"] >= 93.9
    assert (best_accuracy, best_f1) >= (96.1, 93.9)


@pytest.mark.parametrize("features", FEATURES)
def test_a_sparse_model_is_a_small_file_and_as_good_as_with_floats(rows, features):
    sparse = rows[f"{features}SAP10"]
    assert sparse["bytes"] <= 400_000  # the paper: 5.0 MB
    assert sparse["accuracy"] >= sparse["float32"] - 0.05
