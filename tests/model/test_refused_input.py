"""Input that a model was not made for is refused, never answered."""

import pickle
from pathlib import Path

import pytest

import sapwood
from sapwood import Classifier, DataError, DependencyParser, OptionError, SequenceTagger, TemplateError

WORDS = "U00:%x[0,0]\nU01:%x[-1,0]\nB\n"
SENTENCES = [[("the", "DT"), ("dog", "NN")], [("a", "DT"), ("cat", "NN")]] * 3
TEXTS, LABELS = ["good fun", "dull", "great fun", "bad"], ["+", "-", "+", "-"]


@pytest.fixture(scope="module")
def tagger():
    return SequenceTagger(template=WORDS, epochs=5, min_updates=1).fit(SENTENCES)


def test_a_string_is_no_file_and_no_data(tagger):
    for model, data in ((tagger, "the dog"), (Classifier(), "good"), (DependencyParser(), "train.conllu")):
        with pytest.raises(DataError, match=r"a string is neither that nor a file, whose path is a pathlib\.Path"):
            model.fit(data)
    classifier = Classifier(min_updates=1).fit(TEXTS, LABELS)
    for use in (classifier.predict, classifier.decision_function, tagger.predict):
        with pytest.raises(DataError, match="a string is neither"):
            use("good")


def test_labels_are_given_back_as_they_were_given(tmp_path):
    classifier = Classifier(min_updates=1).fit(TEXTS, [1, 0, 1, 0])
    assert classifier.predict(["fun", "dull"]).tolist() == [1, 0]
    assert classifier.classes_.tolist() == [0, 1]
    assert classifier.score(TEXTS, [1, 0, 1, 0]) == 1
    assert pickle.loads(pickle.dumps(classifier)).predict(["fun"]) == [1]
    classifier.save(tmp_path / "m.sap")
    assert sapwood.load(tmp_path / "m.sap").predict(["fun"]) == ["1"]


@pytest.mark.parametrize("label", [["x", "y"], ("x",), {"x": 1}, {"x"}])
def test_a_list_is_no_label(label):
    with pytest.raises(DataError, match="input: example 2: a label is a string or a number, not a"):
        Classifier().fit(TEXTS, ["+", label, "+", "-"])


def test_an_empty_sentence_does_not_fail_its_batch(tagger):
    assert tagger.predict([["a", "dog"], [], ["the"]]) == [["DT", "NN"], [], ["DT"]]
    assert tagger.predict([[]]) == [[]]
    words = [[(word, "_", "X", "_") for word, _ in sentence] for sentence in SENTENCES]
    parser = DependencyParser(min_updates=1, epochs=2).fit(words, [([2, 0], ["det", "root"])] * 6)
    assert [len(heads) for heads, _ in parser.predict([words[0], [], words[1]])] == [2, 0, 2]


def test_generators_are_read_once_and_whole(tagger):
    assert tagger.predict(sentence for sentence in [["a", "dog"]]) == [["DT", "NN"]]
    classifier = Classifier(min_updates=1).fit((text for text in TEXTS), (label for label in LABELS))
    assert classifier.predict(text for text in ["fun", "dull"]).tolist() == ["+", "-"]


def test_reprs_are_short(tagger, tmp_path):
    big = SequenceTagger(template=WORDS + "#\n" * 10000, min_updates=1).fit(SENTENCES)
    big.save(tmp_path / "m.sap")
    loaded = sapwood.load(tmp_path / "m.sap")
    assert max(len(repr(each)) for each in (big, big.model_, loaded, loaded.model_, loaded.model_.tables)) < 500


def test_public_names_are_listed():
    assert set(sapwood.__all__) <= set(dir(sapwood))


@pytest.mark.parametrize("template", ["chunking", "chunking-2011"])
def test_words_with_labels_name_the_template_that_fits(template):
    with pytest.raises(TemplateError, match=r"of the shipped templates these fit the data: ner, pos$"):
        SequenceTagger(template=template).fit(SENTENCES)


def test_plain_text_is_no_column_file(tagger, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the old dog barks\nat every cat here\n")
    with pytest.raises(DataError, match=r"text\.txt:1: 4 columns, .* is this plain text\?"):
        tagger.predict(text)
    with pytest.raises(DataError, match="is this plain text"):
        list(tagger.annotate([text.read_bytes()]))
    text.write_text("the _\ndog _\n")  # a placeholder
    assert tagger.predict(text) == [["DT", "NN"]]


def test_a_parser_of_gold_tags_wants_tags(tmp_path):
    words = [[(word, tag, tag, "_") for word, tag in sentence] for sentence in SENTENCES]
    parser = DependencyParser(min_updates=1, epochs=2).fit(words, [([2, 0], ["det", "root"])] * 6)
    file = tmp_path / "untagged.conllu"
    rows = ["1\tthe\t_\t_\t_\t_\t2\tdet\t_\t_", "2\tdog\t_\t_\t_\t_\t0\troot\t_\t_", "", ""]
    file.write_text("\n".join(rows))
    for use in (parser.predict, parser.evaluate, lambda path: list(parser.annotate([path.read_bytes()]))):
        with pytest.raises(DataError, match="the parser reads the tags of the data"):
            use(Path(file))
    untagged = DependencyParser(min_updates=1, epochs=2).fit(file)  # made for words alone
    assert len(untagged.predict(file)) == 1


def test_fit_knows_its_arguments():
    with pytest.raises(OptionError, match=r"fit has no argument 'text'; options are given to the class"):
        Classifier().fit(TEXTS, LABELS, text="message")


@pytest.mark.parametrize("template", ["ner", "pos", "chunking"])
def test_shipped_templates_find_words_and_tags_by_name(template):
    """In whatever order the columns are, the features are the same."""
    rows = [[(word, tag, tag) for word, tag in sentence] for sentence in SENTENCES]
    plain = SequenceTagger(template=template, min_updates=1, names=True, columns=["word", "pos", "label"]).fit(rows)
    moved = [[(str(i), label, word, tag) for i, (word, tag, label) in enumerate(sentence)] for sentence in rows]
    by_name = SequenceTagger(template=template, min_updates=1, names=True, columns="id,label,word,pos").fit(moved)
    assert sorted(map(str, weights_of(by_name))) == sorted(map(str, weights_of(plain)))


def weights_of(tagger):
    return [(output.name, weight, feature) for output, weight, feature in tagger.contents.weights()]


def test_a_shipped_template_looks_at_no_numbers_for_words():
    rows = [[(str(i), tag, word) for i, (word, tag) in enumerate(sentence)] for sentence in SENTENCES]
    with pytest.raises(
        TemplateError, match=r"there is no column 'word'; .* they look at columns named 'word' and 'pos'"
    ):
        SequenceTagger(template="pos", columns=["id", "label", "w"]).fit(rows)
    with pytest.raises(TemplateError, match="there is no column 'pos'"):
        SequenceTagger(template="ner", columns=["id", "label", "word"]).fit(rows)


def test_evaluations_say_it_in_few_words(tagger):
    found = tagger.evaluate(SENTENCES * 50)
    assert str(found) == found.format()
    assert repr(found) == "<SequenceEvaluation: accuracy 100.00; print it for more>"
