"""Why classifiers and rerankers chose as they did, and the parts of a pipeline."""

import pytest
from reasons import check_sums
from reranking import as_features, as_heads, as_labels, attachments
from reviews import TEXTS, TWO, fasttext
from scores import label_scores
from treebanks import ONE_EPOCH

import sapwood
from sapwood import Classifier, ModelError, OptionError, Pipeline, Reranker, _core
from sapwood.datasets.treebank import generate


def texts_of(examples):
    return [text for _, text in examples]


@pytest.fixture(scope="module")
def classifiers():
    options = {"min_updates": 1, "epochs": 3, "names": True}
    return {
        "two": Classifier(**options).fit(texts_of(TWO), [label for label, _ in TWO]),
        "three": Classifier(**options).fit(texts_of(TEXTS), [label for label, _ in TEXTS]),
    }


@pytest.mark.parametrize("kind", ["two", "three"])
def test_a_label_is_explained_by_weights_of_the_model(classifiers, kind):
    model = classifiers[kind]
    examples = texts_of(TEXTS)
    weights = {(text, output.label): weight for output, weight, text in model.contents.weights()}
    scores = label_scores(model, examples)
    for e, label, row in zip(model.explain(examples), model.predict(examples), scores, strict=True):
        best, second = sorted(row, reverse=True)[:2]
        assert (e.chosen, e.token, e.decision) == (label, 1, "label")
        assert e.margin == pytest.approx(best - second)
        assert sum(f["contribution"] for f in e.features) == pytest.approx(e.margin)
        for f in e.features:
            assert weights[f["text"], f["label"]] == pytest.approx(f["weight"])


def test_a_classifier_is_asked_about_one_example_and_one_label(classifiers):
    model = classifiers["three"]
    examples = texts_of(TEXTS)
    [one] = model.explain(examples, sentence=2, against="neutral")
    assert (one.sentence, one.against) == (2, "neutral")
    assert len(model.explain(examples, against="+")) == sum(label != "+" for label in model.predict(examples))
    with pytest.raises(OptionError, match="the model has no label 'FOO'"):
        model.explain(examples, against="FOO")
    with pytest.raises(OptionError, match="there is no example 99"):
        model.explain(examples, sentence=99)
    with pytest.raises(OptionError, match="there is one decision for each example, so there is no token 2"):
        model.explain(examples, token=2)


def test_votes_are_no_sums():
    voted = Classifier(voted=True, min_updates=1, epochs=1).fit(texts_of(TWO), [label for label, _ in TWO])
    with pytest.raises(ModelError, match="a voted model counts votes"):
        voted.explain(["good film"])
    with pytest.raises(ModelError, match="a voted model counts votes"):
        Reranker(voted=True, epochs=1).fit(attachments(20, 1)).explain(attachments(5, 2))


MAKE = {
    "tree": attachments,
    "labels": lambda n, s: as_labels(attachments(n, s)),
    "heads": lambda n, s: as_heads(attachments(n, s)),
    "features": lambda n, s: as_features(attachments(n, s)),
}
CASES = [
    *[({}, kind) for kind in MAKE],
    ({"kernel": "tree"}, "tree"),
    ({"kernel": "subsequence", "length": 2}, "labels"),
    ({"kernel": "polynomial"}, "features"),
]


@pytest.mark.parametrize(("options", "kind"), CASES)
def test_a_candidate_is_explained_by_features_or_by_the_support(options, kind):
    lists, test = MAKE[kind](40, 1), MAKE[kind](15, 2)
    ranker = Reranker(epochs=3, **options).fit(lists)
    for e, ranked in zip(ranker.explain(test), ranker.rank(test), strict=True):
        best, second = ranked.order[:2]
        assert (e.chosen, e.against) == (f"candidate {best + 1}", f"candidate {second + 1}")
        assert e.margin == pytest.approx(ranked.scores[best] - ranked.scores[second])
        assert sum(f["contribution"] for f in e.features) == pytest.approx(e.margin, abs=1e-4)
        assert not [f for f in e.features if f["text"].startswith("feature ")]  # all are spelled
    [other] = ranker.explain(test, sentence=3, against=str(ranker.rank(test)[2].order[1] + 1))
    assert other.sentence == 3
    with pytest.raises(OptionError, match="a candidate is given by its number in the list, from 1, not 'NN'"):
        ranker.explain(test, against="NN")


def test_features_of_trees_are_spelled():
    lists = attachments(40, 1)
    texts = {f["text"] for e in Reranker(epochs=2).fit(lists).explain(lists) for f in e.features}
    assert "rule VP VBD NP PP" in texts
    assert "score" in texts
    assert any(text.startswith("rule under (rule NP NP PP)") for text in texts)


@pytest.fixture(scope="module")
def treebank():
    """A treebank with lemmas and names, and with several words in some tokens."""
    lines = []
    for line in "".join(s.conllu(str(k), "attached") for k, s in enumerate(generate(120, 1))).split("\n"):
        cells = line.split("\t")
        if len(cells) == 10 and "-" not in cells[0]:
            name = "NER=B-NAME" if cells[3] == "PROPN" else ""
            cells[2] = cells[1].lower().removesuffix("s") or cells[1]
            cells[9] = "|".join(filter(None, [cells[9].strip("_"), name])) or "_"
        lines.append("\t".join(cells))
    return _core.Conllu.read("\n".join(lines).encode(), "generated")


@pytest.fixture(scope="module")
def pipeline(treebank):
    return Pipeline(beam=1).fit(treebank, model_options=ONE_EPOCH)


@pytest.mark.parametrize("part", ["lemmatizer", "splitter"])
def test_edit_scripts_are_explained(treebank, pipeline, part):
    model = pipeline.models_[part]
    found = model.explain(treebank, sentence=1)
    assert [e.token for e in found] == list(range(1, len(found) + 1))
    assert any(e.against is not None for e in found)
    for e in found:
        if e.against is not None:
            assert e.chosen.count("[") > 0
            check_sums(e)


def test_places_of_a_text_are_explained(treebank, pipeline):
    found = pipeline.models_["segmenter"].explain(treebank.text().text.decode()[:400])
    assert found
    for e in found:
        assert e.chosen in (".", "T", "S")
        assert "|" in e.word
        check_sums(e)


def test_a_pipeline_explains_its_parts(treebank, pipeline):
    text = treebank.text().text.decode()[:300]
    found = pipeline.explain(text)
    assert {e.part for e in found} == set(pipeline.models_)
    doc = pipeline(text)
    for part in ("tagger", "lemmatizer", "entities", "parser"):
        assert sum(e.part == part for e in found) == len(doc), part
    assert [e.chosen for e in found if e.part == "entities"] == doc.values("entity")
    assert [e.chosen for e in found if e.part == "tagger"] == [f"{token.upos} {token.xpos}" for token in doc]
    tag = next(e for e in pipeline.explain(text, sentence=1, token=1) if e.part == "tagger")
    assert tag.rows()[0]["part"] == "tagger"
    assert str(tag).startswith("tagger: sentence 1, token 1: ")
    with pytest.raises(OptionError, match="has no label 'FOO'"):
        pipeline.explain(text, against="FOO")
    assert {e.part for e in pipeline.explain(text, against="B-NAME")} == {"entities"}


def test_the_parts_of_a_pipeline_are_asked_about_the_same_word():
    nlp = sapwood.load("en")
    text = "You don't know. I can't forget his cat."
    for sentence, words in enumerate(nlp(text).sentences, 1):
        for number, word in enumerate(words, 1):
            found = nlp.explain(text, sentence=sentence, token=number)
            by_part = {e.part: e.word for e in found}
            assert "segmenter" not in by_part
            assert {by_part[part] for part in ("tagger", "parser", "lemmatizer")} == {word.text}
            token = by_part.get("splitter", word.text)
            assert token == word.text or token in ("don't", "can't")


def test_the_command_explains_examples(classifiers, run_cli, tmp_path):
    classifiers["two"].save(tmp_path / "two.sap")
    (tmp_path / "new.txt").write_text(fasttext(TWO[:3]))
    run = run_cli(["explain", tmp_path / "two.sap", tmp_path / "new.txt", "--sentence", "1"])
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("sentence 1, token 1\n")


def test_a_grammar_says_that_it_has_no_features(run_cli, tmp_path):
    from sapwood import PhraseParser

    path = tmp_path / "trees.txt"
    path.write_text("(S (NP (DT the) (NN dog)) (VP (VBD saw)))\n")
    PhraseParser().fit(path).save(tmp_path / "grammar.sap")
    run = run_cli(["explain", tmp_path / "grammar.sap", path])
    assert run.status != 0
    assert "a grammar has no weights of features to explain" in run.err
