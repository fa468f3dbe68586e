"""Explanations as tables: the decision and its features by what they contribute."""

from sapwood.model.explanation_records import html_explanation, text_explanation

EXAMPLE = {
    "sentence": 1,
    "token": 2,
    "word": "saw",
    "decision": "label",
    "chosen": "VBD",
    "against": "NN",
    "margin": 2.5,
    "features": [
        {"text": "word=saw", "label": "VBD", "value": 1, "weight": 2.0, "contribution": 2.0},
        {"text": "word=saw", "label": "NN", "value": -1, "weight": -1.0, "contribution": 1.0},
        {"text": "suffix=w", "label": "NN", "value": -1, "weight": 0.5, "contribution": -0.5},
    ],
}

TABLE = """\
sentence 1, token 2: saw
VBD, not NN, by 2.500
   +3.000  word=saw                                            VBD +2.0, NN -1.0
   -0.500  suffix=w                                            NN +0.5"""


def test_a_table_for_a_terminal():
    assert text_explanation(EXAMPLE) == TABLE


def test_other_features_are_summed():
    assert text_explanation(EXAMPLE, top=1).splitlines()[3] == "   -0.500  1 other features"


def test_a_table_for_a_browser_is_escaped():
    table = html_explanation(EXAMPLE | {"word": "<saw>"})
    assert table.count("<tr>") == 3
    assert "token 2: &lt;saw&gt;" in table
