"""Labels that are hardly learned, texts with two labels, and weights of examples in records."""

import json

import pytest

from sapwood import Classifier, DataError, OptionError, SapwoodWarning

LONG = "a text of eight words or more so that it counts as one"


def written(path, rows):
    path.write_text("".join(f"__label__{label} {text}\n" for text, label in rows))
    return path


def test_a_label_of_few_examples_is_named(tmp_path):
    rows = [(f"word{k} {k % 3}", "rare" if k in (10, 20) else "xy"[k % 2]) for k in range(300)]
    with pytest.warns(SapwoodWarning) as said:
        Classifier(min_updates=1, epochs=1).fit(written(tmp_path / "t.txt", rows))
    assert [str(each.message) for each in said] == [
        "a label has fewer than 5 examples, and will hardly be learned: 'rare' (2)"
    ]


def test_nothing_is_said_of_small_data_and_of_five_examples(tmp_path, recwarn):
    Classifier(min_updates=1, epochs=1).fit(written(tmp_path / "few.txt", [("a", "x"), ("b", "y"), ("c", "z")]))
    rows = [(f"word{k}", "rare" if k < 5 else "xy"[k % 2]) for k in range(300)]
    Classifier(min_updates=1, epochs=1).fit(written(tmp_path / "five.txt", rows))
    assert not recwarn.list


def test_a_text_with_two_labels_is_named_with_both_places(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text(f"__label__a {LONG}\n__label__b other\n__label__b {LONG}\n__label__a {LONG}\n")
    with pytest.warns(SapwoodWarning) as said:
        Classifier(min_updates=1, epochs=1).fit(path)
    [message] = [str(each.message) for each in said]
    assert message.startswith("a text stands there twice with different labels, as at ")
    assert f"{path}:1 and {path}:3" in message


def rows(weights):
    texts = ["same words"] * 4
    return "".join(
        json.dumps({"text": text, "label": label, "w": weight}) + "\n"
        for text, label, weight in zip(texts, ["a", "a", "a", "b"], weights, strict=True)
    )


def test_a_member_of_records_is_their_weight(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(rows([1, 1, 1, 50]))
    options = {"min_updates": 1, "epochs": 1, "shuffle": False}
    weighed = Classifier(weight="w", **options).fit(path)
    given = Classifier(**options).fit(["same words"] * 4, ["a", "a", "a", "b"], sample_weight=[1, 1, 1, 50])
    assert weighed.predict(["same words"]).tolist() == given.predict(["same words"]).tolist() == ["b"]
    assert weighed.decision_function(["same words"]) == given.decision_function(["same words"])
    plain = Classifier(**options).fit(path)
    assert plain.decision_function(["same words"]) != weighed.decision_function(["same words"])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1, 1, None], r"t.jsonl:4: there is no weight in 'w'"),
        ([1, 0, 1, 1], r"t.jsonl:2: 'w' is 0; a weight is a number over 0"),
        ([1, "x", 1, 1], r"t.jsonl:2: 'w' is 'x'"),
    ],
)
def test_what_is_no_weight_is_an_error_with_its_line(tmp_path, weights, message):
    (tmp_path / "t.jsonl").write_text(rows(weights))
    with pytest.raises(DataError, match=message):
        Classifier(weight="w").fit(tmp_path / "t.jsonl")


def test_weights_need_records(tmp_path):
    (tmp_path / "t.txt").write_text("__label__a b\n__label__b c\n")
    (tmp_path / "t.jsonl").write_text(rows([1, 1, 1, 1]))
    with pytest.raises(OptionError, match="weight names a member of records"):
        Classifier(weight="w").fit(tmp_path / "t.txt")
    with pytest.raises(OptionError, match="weight needs the examples in memory"):
        Classifier(weight="w").fit(tmp_path / "t.jsonl", stream=True)
