"""The classifier from Python: sources of examples, what is learned, determinism, the model file."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reviews import FORMATS, MARKED, SENSES, TEXTS, TWO, features, options_for, write_formats
from scores import label_scores

import sapwood
from sapwood import Classifier, DataError, ModelError
from sapwood.events import EpochDone, Finished
from sapwood.io.example_files import read_examples
from sapwood.io.examples import take_examples

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*stands in the model's training data"),
    pytest.mark.filterwarnings("ignore:.*stand there several times"),
]
LABELS = [label for label, _ in TEXTS]
TEXT = [text for _, text in TEXTS]
MARKED_WORDS = [(text.split(), marked) for _, text, marked in SENSES]
SENSE_LABELS = [sense for sense, _, _ in SENSES]
LECTURE = {
    "Wall Street vets raise concerns about interest rates , politics": {
        "U:bias": 1, "N1:#wordsBefore %before": 6, "N2:#wordsAfter %after": 3,
        "N3:relativeOffset %offset": 6 / 9, "U2:leftWord=about": 1, "U3:rightWord=rates": 1,
    },
    "Pet 's best interest in mind , but vets must follow law": {
        "U:bias": 1, "N1:#wordsBefore %before": 3, "N2:#wordsAfter %after": 8,
        "N3:relativeOffset %offset": 3 / 11, "U2:leftWord=best": 1, "U3:rightWord=in": 1,
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("examples")
    write_formats(path)
    return path


def saved(classifier, path):
    classifier.save(path)
    return path.read_bytes()


def named_weights(classifier):
    """Feature name -> weight of each label; of two labels that of the second."""
    weights = {}
    for output, weight, name in classifier.contents.weights():
        weights.setdefault(name, {})[output.name] = weight
    return weights


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_learned(folder, name):
    classifier = Classifier(**options_for(name)).fit(folder / name)
    assert classifier.score(folder / name) == 1
    labels = SENSE_LABELS if name in MARKED else LABELS
    assert classifier.predict(folder / name).tolist() == labels
    assert classifier.labels_ == list(dict.fromkeys(labels))


def test_the_same_texts_in_any_format_give_the_same_weights(folder):
    """Fields and layout differ, not what was learned."""
    models = [Classifier(**options_for(name)).fit(folder / name) for name in ("t.txt", "t.jsonl", "t.csv", "t.tsv")]
    models.append(Classifier(min_updates=1).fit(TEXT, LABELS))
    assert len({tuple(model.contents.weights()) for model in models}) == 1
    marked = [Classifier(**options_for(name)).fit(folder / name) for name in MARKED]
    assert list(marked[0].contents.weights()) == list(marked[1].contents.weights())


def test_examples_from_memory_are_learned():
    by_text = Classifier(min_updates=1).fit(TEXT, LABELS)
    assert by_text.predict(["a great plot", "an awful plot"]).tolist() == ["+", "-"]
    by_dict = Classifier(min_updates=1).fit([features(text) for text in TEXT], LABELS)
    assert by_dict.predict([{"first": "great"}, {"awful": True}]).tolist() == ["+", "-"]
    assert by_dict.predict([{"length": 2.5, "unknown": -3}])[0] in LABELS
    by_word = Classifier(template="lecture", min_updates=1).fit(MARKED_WORDS, SENSE_LABELS)
    assert by_word.predict([(["my", "bank", "lent", "money"], 1)]).tolist() == ["bank_2"]
    tagged = [([(word, word[-1]) for word in words], marked) for words, marked in MARKED_WORDS]
    assert Classifier(template="wsd", min_updates=1).fit(tagged, SENSE_LABELS).score(tagged, SENSE_LABELS) == 1


@pytest.mark.parametrize("source", ["texts", "dicts", "marked"])
def test_a_model_from_memory_reads_files_that_say_the_same(tmp_path, source):
    """Texts as fasttext, dicts and marked words as jsonl."""
    from reviews import fasttext, features_jsonl, tokens_jsonl

    examples, labels, content = {
        "texts": (TEXT, LABELS, fasttext()),
        "dicts": ([features(text) for text in TEXT], LABELS, features_jsonl()),
        "marked": ([([(w, w[-1]) for w in ws], m) for ws, m in MARKED_WORDS], SENSE_LABELS, tokens_jsonl()),
    }[source]
    classifier = Classifier(template="wsd" if source == "marked" else "text", min_updates=1).fit(examples, labels)
    classifier.save(tmp_path / "m.sap")
    (tmp_path / "examples").write_text(content)
    assert (
        sapwood.load(tmp_path / "m.sap").predict(tmp_path / "examples").tolist()
        == classifier.predict(examples).tolist()
        == labels
    )


def test_the_columns_of_csv_and_jsonl_are_read(tmp_path):
    (tmp_path / "t.csv").write_text(
        'stars,review,genre,price\n5,"good, ""very"" good",drama,3\n1,"bad\nbad",horror,4\n'
    )
    template = "U:bias\nA1:%X[0,0]\nU2:genre=%d[genre]\nN3:%d[price]\n"
    classifier = Classifier(template=template, label="stars", text="review", names=True, min_updates=1)
    classifier.fit(tmp_path / "t.csv")
    assert classifier.score(tmp_path / "t.csv") == 1
    assert {"A1:very", "U2:genre=drama", "N3:%d[price]"} <= set(classifier.model_.tables[0].names)
    classifier.save(tmp_path / "m.sap")
    assert sapwood.load(tmp_path / "m.sap").score(tmp_path / "t.csv") == 1
    (tmp_path / "t.jsonl").write_text('{"stars": 1, "review": "bad bad", "price": 4}\n')  # no genre: empty
    assert sapwood.load(tmp_path / "m.sap").set_params(format="jsonl").predict(tmp_path / "t.jsonl").tolist() == ["1"]


def test_numbers_of_two_fields_are_two_features(tmp_path):
    rows = ["x,0,1,t", "y,1,0,t"] * 5
    (tmp_path / "t.csv").write_text("label,a,b,text\n" + "\n".join(rows) + "\n")
    classifier = Classifier(template="N:%d[a]\nN:%d[b]\n", names=True, min_updates=1).fit(tmp_path / "t.csv")
    weights = named_weights(classifier)
    assert set(weights) == {"N:%d[a]", "N:%d[b]"}
    assert weights["N:%d[a]"]["y"] > 0 > weights["N:%d[b]"]["y"]


def test_the_tag_in_the_label(folder, tmp_path):
    classifier = Classifier(template="wsd", min_updates=1, tag_in_label=True).fit(folder / "t.pos")
    assert classifier.labels_ == ["k:bank_1", "k:bank_2"]
    classifier.save(tmp_path / "m.sap")
    assert sapwood.load(tmp_path / "m.sap").score(folder / "t.pos") == 1


def test_features_are_those_of_the_table_of_the_lecture(tmp_path):
    """All but two cells, as the template says. Each feature alone decides between two labels, so that its weight tells
    its value."""
    for sentence, of_the_slide in LECTURE.items():
        words = sentence.split()
        example = (words, words.index("interest"))
        of_the_slide = of_the_slide | {f"A1:{word}": 1 for word in words}
        of_the_slide |= {f"A2:{left} {right}": 1 for left, right in pairwise(words)}
        two_more = {"U1:capitalized?=false": 1, f"A2:{words[-1]} _B+1": 1}  # the slide has 0, and has none
        template = "lecture"
        classifier = Classifier(
            template=template, update="perceptron", average=False, min_updates=1, epochs=1, bits=32, names=True
        )
        # The score of no weights is 0, a tie that label 0 wins: the first example is right, the second one wrong.
        classifier.set_params(shuffle=False).fit([(["x"], 0), example], ["no", "yes"])
        found = {name: weight["yes"] for name, weight in named_weights(classifier).items()}
        assert found == pytest.approx(of_the_slide | two_more, abs=1e-6)


def test_templates_characters_and_text_have_their_features():
    characters = Classifier(template="characters", min_updates=1, names=True).fit(["Ab", "cd"], ["x", "y"])
    assert {"A1:ab", "A2:<a", "A2:ab", "A3:<ab", "A3:ab>", "A4:<ab>"} <= set(characters.model_.tables[0].names)
    text = Classifier(min_updates=1, names=True).fit(["It's A-b 3.5 !", "dull"], ["x", "y"])
    assert {"A1:it's", "A1:a-b", "A1:3.5", "A1:!", "A2:it's/a-b", "A2:!/_B+1"} <= set(text.model_.tables[0].names)


def test_counts_are_values():
    examples = [{"n": k} for k in range(-5, 6) if k]
    classifier = Classifier(min_updates=1, epochs=20).fit(examples, ["+" if e["n"] > 0 else "-" for e in examples])
    assert classifier.predict([{"n": 100}, {"n": -0.5}]).tolist() == ["+", "-"]
    scores = label_scores(classifier, [{"n": 1}, {"n": 2}, {"n": 3}])
    assert scores[2, 1] - scores[1, 1] == pytest.approx(scores[1, 1] - scores[0, 1])


def test_a_feature_may_be_called_bias():
    classifier = Classifier(min_updates=1).fit([{"bias": 3}, {"bias": -3}] * 5, ["a", "b"] * 5)
    assert classifier.predict([{"bias": 2}, {"bias": -2}]).tolist() == ["a", "b"]


@pytest.mark.parametrize("update", ["perceptron", "margin", "pa", "l1-cumulative", "truncated-gradient"])
@pytest.mark.parametrize("examples", [TEXTS, TWO], ids=["three", "two"])
def test_every_update_learns(update, examples):
    texts, labels = [text for _, text in examples], [label for label, _ in examples]
    classifier = Classifier(update=update, min_updates=1, epochs=20, penalty=0.1).fit(texts, labels)
    assert classifier.score(texts, labels) == 1


def test_shuffle_of_labels_changes_their_order_only():
    a = Classifier(min_updates=1).fit(TEXT, LABELS)
    b = Classifier(min_updates=1).fit(TEXT[::-1], LABELS[::-1])
    assert a.labels_ == ["+", "-", "neutral"]
    assert b.labels_ == ["neutral", "-", "+"]
    assert a.predict(TEXT).tolist() == b.predict(TEXT).tolist()


def test_balanced_weights_let_the_rare_class_win_more_often():
    """Nine examples against one that look alike: balanced, the rare class wins more often."""
    texts = ["a b"] * 90 + ["a b", "a c"] * 5
    labels = ["often"] * 90 + ["rare"] * 10
    options = {"min_updates": 1, "epochs": 5}
    plain = Classifier(**options).fit(texts, labels)
    balanced = Classifier(class_weight="balanced", **options).fit(texts, labels)
    margin = [label_scores(c, ["a b"]) @ [-1, 1] for c in (plain, balanced)]
    assert margin[0] < 0
    assert margin[1] > margin[0]


def test_held_out_data_stop_the_training():
    events = []
    random.Random(1).shuffle(noisy := [(text, label) for text, label in zip(TEXT, LABELS, strict=True)])
    texts, labels = [t for t, _ in noisy], [y if k % 4 else "-" for k, (_, y) in enumerate(noisy)]
    classifier = Classifier(min_updates=1, epochs=50, patience=3)
    classifier.fit(texts, labels, dev_fraction=0.3, on_event=events.append)
    scores = [event.dev_score for event in events if isinstance(event, EpochDone)]
    [finished] = [event for event in events if isinstance(event, Finished)]
    assert finished.reason == "patience"
    assert len(scores) == finished.epochs == scores.index(max(scores)) + 4 < 50
    assert classifier.model_.provenance["examples"] == 42
    # The model kept is that of the last epoch: trained for so many passes it comes out the same.
    again = Classifier(min_updates=1, epochs=finished.best_epoch).fit(texts, labels, dev_fraction=0.3)
    assert list(again.contents.weights()) == list(classifier.contents.weights())


def test_cross_validation_finds_the_number_of_epochs():
    classifier = Classifier(min_updates=1, epochs=6, cv=5).fit(TEXT, LABELS)
    found = classifier.cross_validation_
    assert len(found.accuracies) == len(found.mistakes) == 6
    assert found.best_epochs == 1 + found.accuracies.index(max(found.accuracies))
    assert classifier.model_.provenance["cv_accuracy"] == round(max(found.accuracies), 4)
    plain = Classifier(min_updates=1, epochs=found.best_epochs).fit(TEXT, LABELS)
    assert list(plain.contents.weights()) == list(classifier.contents.weights())
    with pytest.raises(DataError, match="3 examples, too few for 5 folds"):
        Classifier(cv=5).fit(TEXT[:3], LABELS[:3])


def test_ctrl_c_in_cross_validation_stops():
    """There is no model yet that could be kept."""
    import signal

    seen = []

    def interrupt(event):
        seen.append(event)
        if len(seen) == 2:  # the second fold
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        Classifier(min_updates=1, cv=5).fit(TEXT, LABELS, on_event=interrupt)
    assert len(seen) == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_keeps_the_model_so_far():
    import signal

    def interrupt(event):
        if isinstance(event, EpochDone) and event.epoch == 2:
            signal.raise_signal(signal.SIGINT)

    classifier = Classifier(min_updates=1, epochs=1000).fit(TEXT, LABELS, on_event=interrupt)
    facts = classifier.model_.provenance
    assert (facts["epochs"], facts["stopped_by"]) == (3, "interrupted")
    assert list(classifier.contents.weights()) == list(
        Classifier(min_updates=1, epochs=3).fit(TEXT, LABELS).contents.weights()
    )


@pytest.mark.parametrize("name", FORMATS)
def test_training_twice_gives_the_same_bytes(folder, tmp_path, name):
    first = saved(Classifier(names=True, **options_for(name)).fit(folder / name), tmp_path / "a.sap")
    assert saved(Classifier(names=True, **options_for(name)).fit(folder / name), tmp_path / "b.sap") == first
    assert saved(sapwood.load(tmp_path / "a.sap"), tmp_path / "c.sap") == first
    other = Classifier(seed=2, **options_for(name)).fit(folder / name)
    assert saved(other, tmp_path / "d.sap") != first


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_save_and_load(folder, tmp_path, bits):
    classifier = Classifier(bits=bits, min_updates=1, update="pa", gamma=0.5, class_weight="balanced").fit(
        folder / "t.txt"
    )
    classifier.save(tmp_path / "m.sap")
    loaded = sapwood.load(tmp_path / "m.sap")
    assert type(loaded) is Classifier
    assert (label_scores(loaded, TEXT) == label_scores(classifier, TEXT)).all()
    wanted = {name: getattr(classifier, name) for name in ("update", "gamma", "class_weight", "bits", "min_updates")}
    assert {name: getattr(loaded, name) for name in wanted} == wanted


@pytest.mark.parametrize("threads", [2, 7])
def test_threads_change_nothing(threads):
    texts, labels = TEXT * 20, LABELS * 20
    one = Classifier(min_updates=1).fit(texts, labels, dev_fraction=0.1)
    more = Classifier(min_updates=1, threads=threads).fit(texts, labels, dev_fraction=0.1)
    assert list(one.contents.weights()) == list(more.contents.weights())
    assert (label_scores(one, texts) == label_scores(more, texts)).all()
    blocks = ["".join(f"{text}\n" for text in texts).encode()]
    assert list(one.annotate(blocks)) == list(more.annotate(blocks))


def test_a_classifier_that_is_not_fitted_says_so():
    assert not hasattr(Classifier(), "labels_")  # fitting sets it, as everywhere in scikit-learn
    for call in (lambda c: c.predict(["a"]), lambda c: c.save("m.sap"), lambda c: c.score([], [])):
        with pytest.raises(ModelError, match="not fitted"):
            call(Classifier())


def test_texts_where_features_are_wanted_and_the_reverse():
    by_text = Classifier(min_updates=1).fit(TEXT, LABELS)
    by_dict = Classifier(min_updates=1).fit([features(text) for text in TEXT], LABELS)
    with pytest.raises(DataError, match="these are features, but the model was trained on texts"):
        by_text.predict([{"a": 1}])
    with pytest.raises(DataError, match="these are texts, but the model was trained on features"):
        by_dict.predict(["a"])


LABEL = st.text(min_size=1).filter(lambda text: not set(text) & set("\t\n\r\0"))


@given(st.lists(LABEL, min_size=2, max_size=2, unique=True))
def test_labels_with_odd_unicode_survive(tmp_path_factory, labels):
    import json

    path = tmp_path_factory.getbasetemp() / "odd.jsonl"
    examples = [{"label": label, "text": word} for label, word in zip(labels, ["good", "bad"], strict=True)]
    try:
        "".join(labels).encode()
    except UnicodeEncodeError:
        path.write_text("".join(json.dumps(example) + "\n" for example in examples))
        with pytest.raises(DataError, match="half of a Unicode character"):
            read_examples(path)
        with pytest.raises(DataError, match="its label is not a string of valid Unicode"):
            take_examples(["a", "b"], labels, None)
        return
    lines = [json.dumps(example, ensure_ascii=False) for example in examples]
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    Classifier(min_updates=1).fit(path).save(model := path.with_suffix(".sap"))
    loaded = sapwood.load(model)
    assert loaded.predict(path).tolist() == labels
    [block] = loaded.annotate([path.read_bytes()])
    assert [line.split("\t")[0] for line in block.decode().split("\n")[:-1]] == labels
