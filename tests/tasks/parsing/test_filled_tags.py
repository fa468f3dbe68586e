"""First tags in whose place the second one stands with some of the word's features (`fill_tags`)."""

from itertools import count

import pytest
from parsers import KINDS, QUICK, tagged
from treebanks import treebank

import sapwood
from sapwood import DependencyParser, ModelError
from sapwood.tasks.pipeline.data import fills_tags
from sapwood.tasks.pipeline.model import Pipeline

FEATS = ["Case=Nom|Number=Sing", "Mood=Ind|Tense=Past|VerbForm=Fin", "Number=Plur|PronType=Prs", "Definite=Def", "_"]
FILLED = ["|Case=Nom", "|Mood=Ind|VerbForm=Fin", "|PronType=Prs", "|Definite=Def", ""]


def sentences(count, seed=1):
    """Words without a first tag, the same with the one that stands in its place, and their trees."""
    words, trees = tagged(count, seed)
    missing, filled = [], []
    for sentence in words:
        kinds = [sum(map(ord, xpos)) % len(FEATS) for _, xpos, _, _ in sentence]
        rows = [(form, upos, FEATS[k], FILLED[k]) for (form, _, upos, _), k in zip(sentence, kinds, strict=True)]
        missing.append([(form, "_", upos, feats) for form, upos, feats, _ in rows])
        filled.append([(form, upos + more, upos, feats) for form, upos, feats, more in rows])
    return missing, filled, trees


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", KINDS)
def test_the_first_tag_is_read_as_the_second_one_with_features(tmp_path, kind):
    missing, filled, trees = sentences(60)
    parser = DependencyParser(**QUICK, **KINDS[kind], names=True, fill_tags=True).fit(missing, trees)
    plain = DependencyParser(**QUICK, **KINDS[kind], names=True).fit(filled, trees)
    assert sorted(parser.contents.weights()) == sorted(plain.contents.weights())
    parser.save(tmp_path / "m.sap")
    again = sapwood.load(tmp_path / "m.sap")
    missing, filled, _ = sentences(25, seed=5)
    assert again.predict(missing) == plain.predict(filled)
    others = [[(form, "other", *tags) for form, _, *tags in sentence] for sentence in missing]
    assert again.predict(others) == again.predict(missing)  # a tag that is there is not read
    reasons = [e.features for e in again.explain(missing)]
    assert reasons == [e.features for e in plain.explain(filled)]
    assert any("|Mood=Ind|VerbForm=Fin" in f["text"] for features in reasons for f in features)


def test_the_model_says_so_and_others_say_nothing_of_it(tmp_path):
    missing, _, trees = sentences(60)
    parser = DependencyParser(**QUICK, fill_tags=True).fit(missing, trees)
    assert parser.model_.options["fill_tags"] is True
    plain = DependencyParser(**QUICK).fit(missing, trees)
    assert "fill_tags" not in plain.model_.options
    assert plain.predict(missing) != parser.predict(missing)
    wrong = DependencyParser._of_file(parser.model_.replaced(options=parser.model_.options | {"fill_tags": False}))
    assert wrong.predict(missing) != parser.predict(missing)
    parser.model_.replaced(options=parser.model_.options | {"fill_tags": "yes"}).save(tmp_path / "m.sap")
    with pytest.raises(ModelError, match="fill_tags"):
        sapwood.load(tmp_path / "m.sap")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("left_out", "many", "given", "fills"),
    [
        (["xpos"], 0, {}, True),
        (["xpos", "feats"], 0, {}, False),
        ([], 0, {}, False),
        ([], 300, {}, True),
        (["feats"], 300, {}, False),
        (["xpos"], 0, {"tag_columns": ("upos", "feats")}, False),  # UPOS would give way to FEATS
    ],
)
def test_a_pipeline_fills_xpos_where_a_treebank_lacks_them_or_has_hundreds(left_out, many, given, fills):
    data = treebank(120, 1)
    numbers = [["Number=Sing" if upos == "NOUN" else "_" for upos in each] for each in data.column("upos")]
    data = data.with_columns({"feats": numbers})
    data = data.with_columns({name: [["_"] * len(each) for each in numbers] for name in left_out})
    if many:
        places = count()
        data = data.with_columns({"xpos": [[f"X{next(places) % many}" for _ in each] for each in numbers]})
    options = {"tagger": {"epochs": 1}, "morphology": {"epochs": 1}, "parser": {"epochs": 1, **given}}
    model = Pipeline(beam=1, parts=("segment", "tag", "parse")).fit(data, model_options=options)
    assert model.model_.parts["parser"].options.get("fill_tags", False) is fills


def test_xpos_of_the_treebank_are_counted_and_not_those_that_a_tagger_gives():
    data = treebank(120, 1).with_columns(
        {"feats": [["Case=Nom"] * len(each) for each in treebank(120, 1).column("form")]}
    )
    places = count()
    gold = data.with_columns({"xpos": [[f"X{next(places) % 252}" for _ in each] for each in data.column("form")]})
    assert fills_tags(gold, data)
    assert not fills_tags(data, gold)
