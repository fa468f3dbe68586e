"""Model files of lemmatizers and splitters that lie: an error of one line, or words that are not empty; never a crash.

The container of each file is sound and its checksum right, but what it says cannot be (see test_model_attacks.py).
"""

import json
from array import array

import pytest
from forged import attacked, changed, contents, random_bytes
from hypothesis import given
from hypothesis import strategies as st

from sapwood import Lemmatizer, Splitter
from sapwood.model.file.container import Array

TREEBANK = """1-2	adogs	_	_	_	_	_	_	_	_
1	a	a	DET	_	_	2	det	_	_
2	dogs	dog	NOUN	_	_	0	root	_	_
3	foxes	fox	NOUN	_	_	2	x	_	_
4	be	be	VERB	_	_	2	x	_	_

"""
WORDS = [[("foxies", "NOUN", "_", "_"), ("s", "NOUN", "_", "_"), ("Be", "VERB", "_", "_"), ("é", "X", "_", "_")]]
SCRIPTS = ["", "[", "[:", "[9:3]", "[-1:-2]", "[:-0]", " ", "a ", "\\", "[x:]", "[:99999999999]", "[:]" * 20000]


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Metadata and arrays of an honest model of each kind."""
    folder = tmp_path_factory.mktemp("honest")
    (folder / "train.conllu").write_text(TREEBANK * 4)
    (folder / "words.csv").write_text("boxers,noun,boxer\n")
    models = {}
    for cls, options in ((Lemmatizer, {"lexicon": folder / "words.csv"}), (Splitter, {})):
        path = folder / f"{cls.task}.sap"
        cls(min_updates=1, epochs=3, **options).fit(folder / "train.conllu").save(path)
        models[cls.task] = contents(path)
    assert "extra.lexicon.keys" in models["lemmatize"].arrays
    assert "extra.known" in models["split"].arrays
    return models


@pytest.fixture
def attack(honest, tmp_path):
    """attack(task, metadata changes, array changes): write, load, rewrite; the ModelError, or None."""

    def run(task, metadata=None, arrays=None):
        return attacked(tmp_path / "bad.sap", honest[task], metadata, arrays, check_words)

    return run


def check_words(model):
    """Each word has a lemma, each token has words, and none is empty."""
    if model.task == "lemmatize":
        (lemmas,) = model.predict(WORDS)
        assert len(lemmas) == len(WORDS[0])
        assert all(lemmas)
    else:
        (tokens,) = model.predict([[form for form, *_ in WORDS[0]]])
        assert len(tokens) == len(WORDS[0])
        assert all(words and all(words) for words in tokens)


@pytest.mark.parametrize("task", ["lemmatize", "split"])
def test_the_honest_models_work(attack, task):
    assert attack(task) is None


@pytest.mark.parametrize("task", ["lemmatize", "split"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_labels_that_are_no_scripts(honest, attack, task, script):
    labels = json.loads(honest[task].metadata["labels"])
    assert attack(task, {"labels": json.dumps([script, *labels[1:]])}) is not None


def test_a_lemma_of_two_words_is_refused(honest, attack):
    labels = json.loads(honest["lemmatize"].metadata["labels"])
    assert "makes 2 words" in attack("lemmatize", {"labels": json.dumps(["[:1] [1:]", *labels[1:]])})
    assert "makes 65 words" in attack("split", {"labels": json.dumps([" ".join(["a"] * 65), "[:]"])})


@pytest.mark.few(30)
@pytest.mark.parametrize("task", ["lemmatize", "split"])
@pytest.mark.parametrize("key", ["labels", "template", "columns", "options", "extra"])
@pytest.mark.parametrize("text", [None, "", "null", "[]", "{}", "3", '""', "[" * 5000, '{"a":1}'])
def test_metadata_that_is_something_else(attack, task, key, text):
    attack(task, {key: text})


@pytest.mark.parametrize("search", ["viterbi", "greedy", "easiest-first"])
def test_another_search_is_refused(honest, attack, search):
    assert attack("lemmatize", changed(honest["lemmatize"], "options", search=search)) is not None


@pytest.mark.parametrize("name", ["search", "order", "encoding", "dictionary"])
def test_options_of_another_kind_are_refused(honest, attack, name):
    error = attack("lemmatize", changed(honest["lemmatize"], "options", **{name: 1.5}))
    assert name in error
    assert "1.5" in error or name == "dictionary"  # which is no option of lemmatizers


@pytest.mark.parametrize("tags", [None, "upos", ["form"], [["upos"]], {}])
def test_other_tag_columns_are_refused(honest, attack, tags):
    found = attack("lemmatize", changed(honest["lemmatize"], "options", tag_columns=tags))
    assert found is not None


@pytest.mark.parametrize(
    ("name", "code", "numbers", "message"),
    [
        ("lexicon.keys", "I", None, "does not have all of its lexicon"),
        ("lexicon.keys", "H", [1], "is not a list of U32"),
        ("lexicon.keys", "I", [2, 1], "a script for each word"),
        ("lexicon.scripts", "H", [60000], "scripts that the model does not have"),
        ("script_lists", "I", [1], "is not a list of U8"),
        ("script_lists", "B", [0xFF], "not UTF-8"),
        ("script_lists", "B", [10] * 99, "a list of forms for each"),
        ("lexicon.sizes", "I", [1], "is not a list of U64"),
        ("lexicon.tags", "B", [0xFF], "not UTF-8"),
        ("known", "I", [2, 1], "not sorted"),
        ("known", "I", [1, 1], "not sorted"),
        ("known", "H", [1, 2], "is not a list of U32"),
    ],
)
def test_arrays_that_are_something_else(attack, name, code, numbers, message):
    kind = {"I": "U32", "H": "U16", "B": "U8"}[code]
    data = None if numbers is None else Array.of(kind, array(code, numbers).tobytes())
    found = attack("split" if name == "known" else "lemmatize", {}, {f"extra.{name}": data})
    assert found is not None
    assert message in found or numbers is None


def test_any_lists_of_forms_are_refused_or_work(honest, attack):
    labels = json.loads(honest["lemmatize"].metadata["labels"])
    lists = len(bytes(honest["lemmatize"].arrays["extra.script_lists"].data).split(b"\n"))
    assert 0 < lists < len(labels) + 1
    for text in (b"\n" * (lists - 1), b"\n".join([b"\0\t\0s\ts\0\t\t\0\0"] * lists), b"\n".join([b"a" * 9999] * lists)):
        attack("lemmatize", {}, {"extra.script_lists": Array.of("U8", text)})


@given(data=st.data(), task=st.sampled_from(["lemmatize", "split"]))
def test_random_damage_is_refused_or_works(honest, tmp_path_factory, data, task):
    path = tmp_path_factory.mktemp("damaged") / "bad.sap"
    attacked(path, honest[task], None, random_bytes(data, honest[task].arrays), check_words)
