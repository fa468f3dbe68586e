"""Stop words: texts from which words are left out are like texts that never had them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reviews import TEXTS, fasttext
from scores import label_scores

import sapwood
from sapwood import Classifier, DataError, OptionError, TemplateError

pytestmark = pytest.mark.filterwarnings("ignore:.*stands in the model's training data")

LABELS = [label for label, _ in TEXTS]
TEXT = [text for _, text in TEXTS]
ONCE = {"epochs": 1, "min_updates": 1, "average": False, "bits": 32, "names": True}


@pytest.fixture
def stop(tmp_path):
    """Write a file of stop words and return its path."""
    file = tmp_path / "stop.txt"

    def write(*words):
        file.write_text("".join(f"{word}\n" for word in words))
        return file

    return write


def names(classifier):
    return sorted(classifier.model_.tables[0].names)


@pytest.mark.parametrize(
    "given, template",
    [
        ("", "U:bias\nA1:%X[0,0]\nA2:%X[0,0]/%X[1,0]\n"),
        ("--ngrams 1", "U:bias\nA1:%X[0,0]\n"),
        ("--ngrams 3", "U:bias\nA1:%X[0,0]\nA2:%X[0,0]/%X[1,0]\nA3:%X[0,0]/%X[1,0]/%X[2,0]\n"),
        ("--ngrams 2 --characters 2", "U:bias\nA1:%X[0,0]\nA2:%X[0,0]/%X[1,0]\nA3:%CHARS[0,0,2]\n"),
    ],
)
def test_the_flag_is_a_line_of_the_template(run_cli, tmp_path, stop, given, template):
    """The same features, spelled alike, with the same weights; the saved models say the same."""
    (tmp_path / "own.tpl").write_text(f'{template}S:%IN[0,0,"stop.txt"]\n')
    (tmp_path / "t.txt").write_text(fasttext())
    file = stop("a", "what", "film", "!")
    common = ["train", "classify", str(tmp_path / "t.txt"), "--min-updates", "1", "--feature-names", "-q"]
    flags, own = tmp_path / "flags.sap", tmp_path / "own.sap"
    assert run_cli([*common, "-o", str(flags), "--stop-words", str(file), *given.split()]).status == 0
    assert run_cli([*common, "-o", str(own), "--template", str(tmp_path / "own.tpl")]).status == 0
    flags, own = sapwood.load(flags), sapwood.load(own)
    assert list(flags.contents.weights()) == list(own.contents.weights())
    assert flags.predict(TEXT).tolist() == own.predict(TEXT).tolist()
    assert not any("film" in name for name in names(flags))


WORD = st.sampled_from(["the", "The", "of", "film", "Old", "plot"])


@given(st.lists(st.lists(WORD, max_size=6), min_size=2, max_size=6), st.sets(WORD), st.integers(1, 3))
def test_texts_are_as_if_the_words_had_never_been_there(tmp_path_factory, texts, left_out, n):
    file = tmp_path_factory.getbasetemp() / "some.txt"
    file.write_text("\n".join([*left_out, "unheard"]))
    out = {word.lower() for word in left_out}
    stripped = [" ".join(word for word in text if word.lower() not in out) for text in texts]
    whole = [" ".join(text) for text in texts]
    labels = ["AB"[k % 2] for k in range(len(texts))]
    a = Classifier(ngrams=n, stop_words=file, **ONCE).fit(whole, labels)
    b = Classifier(ngrams=n, **ONCE).fit(stripped, labels)
    assert list(a.contents.weights()) == list(b.contents.weights())
    assert label_scores(a, whole).tolist() == label_scores(b, stripped).tolist()


def test_the_features_are_those_of_count_vectorizer(stop):
    """Words and pairs of scikit-learn, whose pairs are of the words that stay, too."""
    from sklearn.feature_extraction.text import CountVectorizer

    texts, words = ["the good old film of the year", "A dull play , a dull year"], ["a", "of", "the", ","]
    vectors = CountVectorizer(ngram_range=(1, 2), stop_words=words, token_pattern=None, tokenizer=str.split)
    wanted = set(vectors.fit(texts).get_feature_names_out()) - {"year"}  # which is in both and tells nothing
    classifier = Classifier(stop_words=stop(*words), **ONCE | {"gamma": 100}).fit(texts, ["+", "-"])
    found = [name.partition(":")[2].replace("/", " ") for name in names(classifier) if "_B+" not in name]
    assert set(found) - {"bias", "year"} == wanted


def test_phrases_are_left_out_whole_and_lines_may_test_words(stop):
    """A phrase of the list is left out whole; an S line may test a word itself, here for punctuation."""
    file = stop("of course", "the")
    classifier = Classifier(ngrams=1, stop_words=file, **ONCE).fit(["Of course the film", "of dull course"], ["+", "-"])
    assert names(classifier) == ["A1:course", "A1:dull", "A1:film", "A1:of"]
    template = 'A:%x[0,0]\nS:%t[0,0,"^\\p"]\nN:n %tokens\n'
    classifier = Classifier(template=template, **ONCE).fit(["no , no .", "so !"], ["bad", "fair"])
    assert names(classifier) == ["A:no", "A:so", "N:n %tokens"]


def test_the_marked_word_stays(tmp_path, stop):
    """Lines look from the marked word at words that stay."""
    stop("bank", "the")
    template = tmp_path / "own.tpl"
    template.write_text('U0:%x[0,0]\nU1:%x[-1,0]\nU2:%x[1,0]\nN3:%before\nS:%IN[0,0,"stop.txt"]\n')
    examples = [(["sat", "on", "the", "bank", "the", "river"], 3), (["the", "bank", "lent"], 1)]
    classifier = Classifier(template=template, **ONCE).fit(examples, ["river", "money"])
    assert set(names(classifier)) <= {"U0:bank", "U1:on", "U1:_B-1", "U2:river", "U2:lent", "N3:%before", ""}
    [first, _] = classifier.explain(examples, sentence=1), None
    assert {"U1:on", "U2:river"} <= {feature["text"] for feature in first[0].features}


def test_a_model_with_stop_words_is_saved_explained_and_trained_again(tmp_path, stop):
    classifier = Classifier(stop_words=stop("A", "What"), min_updates=1, names=True).fit(TEXT, LABELS)
    classifier.save(tmp_path / "m.sap")
    loaded = sapwood.load(tmp_path / "m.sap")
    assert label_scores(loaded, TEXT).tolist() == label_scores(classifier, TEXT).tolist()
    [explanation] = loaded.explain(["what a good film"])
    assert all("what" not in feature["text"] for feature in explanation.features)
    with pytest.raises(OptionError, match="word_lists names their folder"):
        loaded.recipe.untrained()
    again = loaded.set_params(word_lists=tmp_path).recipe.untrained().fit(TEXT, LABELS)
    assert label_scores(again, TEXT).tolist() == label_scores(classifier, TEXT).tolist()


@pytest.mark.parametrize(
    "line",
    ["S:%x[0,0]", 'S:%IN[1,0,"s.txt"]', "S:%digit[@1,0]", "S:word", "S:%digit[0,0]%hyphen[0,0]"],
)
def test_what_is_no_test(line):
    with pytest.raises(TemplateError, match=":2: an S line has one macro, a test of the token itself"):
        Classifier(template=f"U:bias\n{line}\n").fit(TEXT, LABELS)


def test_files_that_are_no_stop_words(tmp_path, stop):
    (tmp_path / "bytes.txt").write_bytes(b"\xff\n")
    odd = tmp_path / 'a"b.txt'
    odd.write_text("a\n")
    (tmp_path / "blank.txt").write_text(" \n")
    (tmp_path / "long.txt").write_text("a " * 65)
    for name, what in [
        ("none.txt", ""),
        ("bytes.txt", ":1: invalid UTF-8"),
        ("blank.txt", ": there is no word in it"),
        ("long.txt", ": a phrase has more than 64 words"),
    ]:
        with pytest.raises(DataError, match=f"stop words .*{name}{what}"):
            Classifier(stop_words=tmp_path / name).fit(TEXT, LABELS)
    with pytest.raises(OptionError, match="give it a simpler name"):
        Classifier(stop_words=odd).fit(TEXT, LABELS)
    with pytest.raises(OptionError, match="stop_words: these are taken from texts"):
        Classifier(stop_words=stop("a")).fit([{"a": 1.0}, {"b": 1.0}], ["A", "B"])
    with pytest.raises(OptionError, match=r"names a word list stop\.txt, too"):
        Classifier(stop_words=stop("a"), template='A:%in[0,0,"stop.txt"]\n', word_lists=tmp_path).fit(TEXT, LABELS)


# Class weights


def test_the_weight_of_a_class_multiplies_the_steps_of_its_examples():
    """The weights that balanced counts, given by label, do the same; a weight of 1 does nothing."""
    texts, labels = ["a b"] * 9 + ["a c"] * 3, ["often"] * 9 + ["rare"] * 3
    options = {"min_updates": 1, "epochs": 3, "bits": 32}
    balanced = Classifier(class_weight="balanced", **options).fit(texts, labels)
    for given_weights in ({"often": 12 / 18, "rare": 2}, f"often={12 / 18!r},rare=2"):
        same = Classifier(class_weight=given_weights, **options).fit(texts, labels)
        assert list(same.contents.weights()) == list(balanced.contents.weights())
    plain = Classifier(**options).fit(texts, labels)
    assert list(Classifier(class_weight={"rare": 1}, **options).fit(texts, labels).contents.weights()) == list(
        plain.contents.weights()
    )


def test_class_weights_are_kept_and_go_on(tmp_path):
    classifier = Classifier(class_weight={"+": 2, "-": 0.5}).fit(TEXT, LABELS)
    classifier.save(tmp_path / "m.sap")
    assert sapwood.load(tmp_path / "m.sap").class_weight == {"+": 2.0, "-": 0.5}
    classifier = Classifier(class_weight={1: 2, 2: 3}, min_updates=1)
    assert classifier.partial_fit(["a", "b"], [1, 2]).partial_fit(["b", "a"], [2, 1]).predict(["a"]).tolist() == [1]


def test_the_command_line_takes_class_weights(run_cli, tmp_path):
    (tmp_path / "t.txt").write_text(fasttext())
    train = ["train", "classify", str(tmp_path / "t.txt"), "-o", str(tmp_path / "m.sap"), "--class-weight"]
    run = run_cli([*train, "+=2"])
    assert run.status == 0
    assert sapwood.load(tmp_path / "m.sap").model_.options["class_weight"] == {"+": 2.0}
    run = run_cli([*train, "x=2"])
    assert (run.status, run.err.count("\n")) == (1, 1)
    assert "class_weight has the label 'x', and the training data do not; they have +, -, neutral" in run.err


@pytest.mark.parametrize(
    "wrong",
    ["heavy", "", "a=", "=2", "a=0", "a=-1", "a=nan", "a=inf", "a=1e7", "a=1,a=2",
     {}, {"a": "2"}, {"a": None}, 7, [], {"a": True}],
)  # fmt: skip
def test_class_weights_that_are_none(wrong):
    with pytest.raises(OptionError, match=r"class_weight is balanced, or LABEL=WEIGHT"):
        Classifier(class_weight=wrong).fit(TEXT, LABELS)


@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_confidences_go_with_all_of_these(stop, method):
    """Calibrated, rows add up to 1, and the surest label is the one that is predicted."""
    options = {"ngrams": 2, "characters": 3, "stop_words": stop("a", "what"), "class_weight": {"+": 2}}
    classifier = Classifier(min_updates=1, **options).fit(TEXT, LABELS).calibrate(TEXT, LABELS, method=method)
    confident = classifier.predict_proba(TEXT)
    assert confident.sum(axis=1) == pytest.approx(1)
    assert [classifier.classes_[y] for y in confident.argmax(axis=1)] == classifier.predict(TEXT).tolist()
