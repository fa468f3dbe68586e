"""What models know of the data that they were made for, and what they say of others."""

import json
import re
import warnings
from functools import partial

import pytest
from heard import heard

import sapwood
from sapwood import Classifier, DataError, Pipeline, SequenceTagger, UnfamiliarWarning, _core
from sapwood.datasets import generate
from sapwood.errors import warn_unfamiliar
from sapwood.model.base import with_listener
from sapwood.model.familiarity import Familiarity, ShortTexts
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.tagging.data import read_columns

ENGLISH = (
    "She was at home when they came, and nobody had told her about the letter. There was not much to say about it "
    "after all, because the people who had written it did not know where she lived, and they would not have asked."
)
GERMAN = (
    "Sie war zu Hause, als sie kamen, und niemand hatte ihr von dem Brief erzählt. Es gab nicht viel darüber zu sagen, "
    "weil die Leute, die ihn geschrieben hatten, nicht wussten, wo sie wohnte, und sie hätten auch nicht gefragt."
)
WORDS = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(60)]
SENTENCES = [[(WORDS[(7 * s + 3 * t) % 60], "AB"[t % 2], "XY"[t % 2]) for t in range(8)] for s in range(200)]
OTHERS = [[(f"other{n}{s}", "AB"[n % 2]) for n in range(8)] for s in range(20)]


@pytest.fixture(scope="module")
def english():
    return sapwood.load("en")


@pytest.fixture(scope="module")
def tagger():
    template = "U1:%x[0,word]\nU2:%x[0,kind]\n"
    return SequenceTagger(template=template, epochs=1, columns=["word", "kind", "label"]).fit(SENTENCES)


said_of = partial(heard, category=UnfamiliarWarning)


def test_another_language_is_warned_of_once(english):
    assert said_of(lambda: english(ENGLISH))[1] == []
    doc, said = said_of(lambda: english(GERMAN))
    [message] = said
    assert "another language" in message
    assert message.endswith("; it looks like the language 'de'")
    assert doc.familiarity < 0.2 < 0.5 < english(ENGLISH).familiarity
    _, said = said_of(lambda: list(english.pipe([GERMAN] * 5)))
    assert len(said) == 1


def test_a_pipeline_knows_the_words_of_its_treebank(tmp_path):
    """Whatever other data it learned from: the treebank alone says which words are frequent."""
    sentences = [sentence.conllu(f"s{k}", "attached") for k, sentence in enumerate(generate(300, 1))]
    (tmp_path / "bank.conllu").write_text("".join(sentences))
    pipeline = Pipeline(parts=["segment"]).fit(tmp_path / "bank.conllu")
    own = " ".join(re.findall("^# text = (.*)$", "".join(sentences), re.MULTILINE))
    assert pipeline(own).familiarity > 0.5
    assert pipeline(GERMAN).familiarity < 0.1


def test_a_warning_points_at_the_call(english):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        english(GERMAN)
    assert found[0].filename == __file__


@pytest.mark.parametrize(
    "text", ["Ada Lovelace", "Q3, 1843", "Kubernetes.", "", "1 2 3 4 5", "Xyzzy plugh frobs quux!"]
)
def test_little_is_said_of_short_texts(english, text):
    assert said_of(lambda: english(text))[1] == []


def test_a_short_text_of_which_nothing_is_known_is_named(english):
    assert len(said_of(lambda: english("Der Hund bellt laut, weil niemand kommt."))[1]) == 1


SHORT = {
    "German": "Der Hund bellt.|Die Katze schläft.|Es regnet heute.|Wir gehen nach Hause.|Das Kind spielt.",
    "Dutch": "De kat zit op de mat.|Het regent vandaag.|Wij gaan naar huis.|Zij leest een boek.|De trein komt straks.",
    "Spanish": "El perro ladra.|Llueve mucho hoy.|Vamos a casa.|Ella lee un libro.|Los niños juegan.|Él toma café.",
    "the same": "|".join(["Der Hund bellt jetzt laut."] * 10),
}
SHORT_ENGLISH = (
    "The dog barks.|It rains today.|We go home.|She reads a book.|I am hungry.|Ada Lovelace|Q3, 1843|Thanks!"
)


def in_pipe(model, texts):
    return list(model.pipe(texts))


def in_views(model, texts):
    short = ShortTexts()  # as a request of several texts has
    return [with_listener(model, warn_unfamiliar, short=short)(text) for text in texts]


def in_a_file(model, texts):
    return list(model.annotate(["\n\n".join(texts).encode()]))


@pytest.mark.parametrize("language", SHORT)
@pytest.mark.parametrize("read", [in_pipe, in_a_file])
def test_short_texts_are_counted_together(english, language, read):
    [message] = said_of(lambda: read(english, SHORT[language].split("|")))[1]
    assert "another language" in message
    assert "come with the package: en, ca, de, es, fr, it, pt, ro, sv; 'sapwood train pipeline" in message


@pytest.mark.parametrize("read", [in_pipe, in_a_file, in_views])
def test_short_texts_of_its_language_are_not_warned_of(english, read):
    assert said_of(lambda: read(english, SHORT_ENGLISH.split("|") * 3))[1] == []


def test_views_of_a_request_count_short_texts_together(english):
    [message] = said_of(lambda: in_views(english, ["Der Hund bellt."] * 10))[1]
    assert "together with the short texts before it" in message


def test_other_models_name_no_pipelines(tagger):
    [message] = said_of(lambda: tagger.predict([[(word, "X") for word, _ in row] for row in OTHERS]))[1]
    assert "another language, or not plain text?" in message
    assert "package" not in message


DUTCH = (
    "De grootste bloei van de werf kwam echter na de oorlog, en toen nam ook het aantal werknemers toe. In die tijd "
    "was er niemand die zei dat men te veel schepen bouwde, of dat had iemand"
)


def test_space_around_a_text_makes_it_no_shorter(english):
    text = " " * (200 - len(DUTCH)) + DUTCH
    assert len(DUTCH) < 200
    assert len(said_of(lambda: english(text))[1]) == 1


def test_sentences_say_how_familiar_they_are(english):
    doc = english(ENGLISH)
    shares = [record["familiarity"] for record in json.loads(doc.to_json())]
    assert shares == [round(sentence.familiarity, 4) for sentence in doc.sentences]
    assert english("1 + 1 = 2.").sentences[0].familiarity is None
    assert english("1 + 1 = 2.").familiarity is None


def test_strict_refuses_before_anything_is_written(run_cli, tmp_path):
    (tmp_path / "de.txt").write_text(GERMAN)
    (tmp_path / "en.txt").write_text(ENGLISH)
    run = run_cli(["annotate", "en", "--strict", tmp_path / "de.txt"])
    assert (run.status, run.out) == (1, "")
    assert "another language" in run.err
    run = run_cli(["annotate", "en", "--strict", tmp_path / "en.txt"])
    assert (run.status, run.err) == (0, "")
    assert run.out == run_cli(["annotate", "en", tmp_path / "en.txt"]).out
    run = run_cli(["annotate", "en", "--strict", tmp_path / "en.txt", "--output", tmp_path / "out", "--workers", "1"])
    assert (run.status, "--strict" in run.err) == (2, True)


@pytest.mark.slow
def test_later_windows_end_a_strict_run(run_cli):
    run = run_cli(["annotate", "en", "--strict"], (ENGLISH + "\n\n") * 400 + (GERMAN + "\n\n") * 400)
    assert run.status == 1
    assert run.out.startswith("# newpar")
    assert "another language" in run.err


def test_columns_in_another_order_are_named(tagger):
    swapped = [[(kind, word) for word, kind, _ in sentence] for sentence in SENTENCES[:40]]
    assert len(said_of(lambda: tagger.predict(swapped))[1]) == 1
    same = [[token[:2] for token in sentence] for sentence in SENTENCES[:40]]
    assert said_of(lambda: tagger.predict(same))[1] == []
    other_kinds = [[(word, "QZ"[t % 2]) for t, (word, _) in enumerate(sentence)] for sentence in same]
    [message] = said_of(lambda: tagger.predict(other_kinds))[1]
    assert "column 2 (kind)" in message


def test_of_a_long_file_one_window_in_four_is_looked_at(tagger):
    own = [[token[:2] for token in sentence] for sentence in SENTENCES]
    familiarity = Familiarity(tagger.model_)
    windows = familiarity.core.count(read_columns(own, None, "rows", 0), 1000)
    words = [words for words, _ in (window.words for window in windows)]
    assert 1600 / 5 < sum(words) < 1600 / 3
    cells = familiarity.core.count_cells(read_columns(own, None, "rows", 0), 500)
    assert cells == [[(500, 500, 0)]] + [[(125, 125, 0)]] * 2 + [[(25, 25, 0)]]  # rows all over the file
    assert said_of(lambda: tagger.predict(own * 10))[1] == []
    assert len(said_of(lambda: tagger.predict(own * 10 + OTHERS * 100))[1]) == 1


def test_labels_in_the_place_of_words_are_refused(tmp_path):
    rows = [("the", "DT"), ("dog", "NN"), ("and", "CC"), ("cats", "NNS"), (".", ".")]
    tagger = SequenceTagger(template="pos", epochs=1, min_updates=1).fit([rows] * 5)
    (file := tmp_path / "in.txt").write_text("".join(f"{word} {tag}\n" for word, tag in rows))
    assert tagger.predict(file) == [["DT", "NN", "CC", "NNS", "."]]
    file.write_text("".join(f"{tag} {word}\n" for word, tag in rows))
    with pytest.raises(DataError, match="the first column has the model's labels"):
        tagger.predict(file)
    with pytest.raises(DataError, match="the first column has the model's labels"):
        list(tagger.annotate([file.read_bytes()]))


def test_a_single_row_of_words_is_plain_text(tmp_path):
    tagger = SequenceTagger(template="pos", epochs=1, min_updates=1).fit([[("the", "DT"), ("dog", "NN")]] * 5)
    (file := tmp_path / "in.txt").write_text("http://a.org http://b.org http://c.org\n")
    with pytest.raises(DataError, match="none of the model's labels"):
        tagger.predict(file)
    file.write_text("dog _ _\n")
    assert tagger.predict(file) == [["NN"]]


def test_capitals_are_no_other_language(tagger):
    shouted = [[(word.upper(), kind) for word, kind, _ in sentence] for sentence in SENTENCES[:40]]
    assert said_of(lambda: tagger.predict(shouted))[1] == []


def test_a_file_keeps_what_a_model_was_made_for(tagger, tmp_path):
    tagger.save(tmp_path / "m.sap")
    loaded = sapwood.load(tmp_path / "m.sap")
    assert loaded.model_.familiar == tagger.model_.familiar
    assert len(said_of(lambda: loaded.predict(OTHERS))[1]) == 1


def test_a_file_without_it_is_used_as_before(tagger, tmp_path, run_cli):
    tagger.model_.replaced(familiar=None).save(tmp_path / "m.sap")
    loaded = sapwood.load(tmp_path / "m.sap")
    assert said_of(lambda: loaded.predict(OTHERS))[1] == []
    assert "not known" in run_cli(["inspect", tmp_path / "m.sap"]).out
    (tmp_path / "in.txt").write_text("worda\tA\n")
    run = run_cli(["tag", tmp_path / "m.sap", tmp_path / "in.txt", "--strict"])
    assert (run.status, "--strict" in run.err) == (2, True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("share", 1.5),
        ("sentences", [0.1]),
        ("windows", [0.1, 0.2, 0.3, 2.0]),
    ],
)
def test_shares_that_are_none_are_refused(tagger, name, value):
    metadata, arrays = tagger.model_.metadata(), tagger.model_.arrays()
    kinds = json.loads(metadata["familiarity"])
    kinds[0][name] = value
    with pytest.raises(sapwood.ModelError, match="familiarity"):
        ModelFile.parse(metadata | {"familiarity": json.dumps(kinds)}, arrays, "m.sap")


def test_more_columns_than_the_data_had_are_refused(tagger):
    metadata, arrays = tagger.model_.metadata(), tagger.model_.arrays()
    kinds = json.loads(metadata["familiarity"]) * 3
    with pytest.raises(sapwood.ModelError, match="other columns"):
        ModelFile.parse(metadata | {"familiarity": json.dumps(kinds)}, arrays, "m.sap")


def test_another_value_in_a_column_that_was_constant_is_named():
    rows = [[(word, "1", label) for word, _, label in row] for row in SENTENCES]
    tagger = SequenceTagger(template="U1:%x[0,0]\nU2:%x[0,1]\n", epochs=1).fit(rows)
    assert said_of(lambda: tagger.predict([row[:2] for row in rows]))[1] == []
    [message] = said_of(lambda: tagger.predict([[(word, "Q") for word, *_ in row] for row in rows]))[1]
    assert "0% of the values in column 2 (1)" in message


@pytest.mark.parametrize("keys", [[2, 1], [1, 1], [0, 1], list(range(1, 2000))])
def test_keys_that_are_none_are_refused(keys):
    with pytest.raises(sapwood.ModelError, match="ascending"):
        _core.Familiarity(b"".join(key.to_bytes(4, "little") for key in keys), [0])


def test_few_words_say_nothing():
    assert SequenceTagger(template="pos", epochs=1).fit([[("a", "X"), ("b", "Y")]] * 20).model_.familiar.columns == []


def test_an_example_without_a_known_feature_has_no_label(tmp_path, run_cli):
    texts, labels = ["good film", "good day", "nice day", "bad film", "bad day"], ["+", "+", "+", "-", "-"]
    classifier = Classifier(min_updates=1, epochs=3).fit(texts, labels)
    guess, said = said_of(lambda: classifier.predict(["zzz", "bad film", "qqq qqq"]))
    assert (guess.tolist(), len(said)) == (["+", "-", "+"], 1)
    assert "2 examples have no feature" in said[0]
    classifier.save(tmp_path / "m.sap")
    (tmp_path / "new.txt").write_text("zzz\nbad film\n")
    for options in ([], ["--top", "2"]):
        run = run_cli(["classify", tmp_path / "m.sap", tmp_path / "new.txt", *options])
        assert run.out.split("\n")[0] == "_\t0"
        assert run.out.split("\n")[1].startswith("-\t")


def test_refusals_end_with_a_verb(run_cli, tmp_path, english):
    (tmp_path / "de.txt").write_text(GERMAN)
    assert run_cli(["annotate", "en", "--strict", tmp_path / "de.txt"]).status == 1
    with pytest.warns(UnfamiliarWarning):
        english(GERMAN)


def test_rows_of_other_features_are_named():
    rows = [{f"f{(7 * n + k) % 40}": 1.0 for k in range(10)} for n in range(200)]
    classifier = Classifier(min_updates=1, epochs=2).fit(rows, ["+-"[n % 2] for n in range(200)])
    assert said_of(lambda: classifier.predict(rows[:50]))[1] == []
    found = said_of(lambda: classifier.predict([{f"g{k}": 1.0 for k in range(10)}] * 50))[1]
    assert "of the features of these examples" in found[0]


def test_strict_is_for_a_data_error_in_python(english):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnfamiliarWarning)
        with pytest.raises(UnfamiliarWarning):
            english(GERMAN)
    with pytest.raises(DataError):
        english("\0")


def test_the_language_of_columns_is_named_if_it_is_sure(tagger):
    sentences = [[(word, "A") for word in sentence.split()] for sentence in GERMAN.split(". ")]
    _, [message] = said_of(lambda: tagger.predict(sentences))
    assert "another language" in message
    assert message.endswith("; it looks like the language 'de'")
    numbers = [[(f"{n}{s}", "A") for n in range(8)] for s in range(20)]
    _, [message] = said_of(lambda: tagger.predict(numbers))
    assert "another language" in message
    assert "it looks like" not in message
