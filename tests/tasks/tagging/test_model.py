"""The tagger from Python: fitting, predicting, n best, saving and loading."""

import os
import subprocess
import sys
from collections import Counter
from itertools import chain, pairwise

import pytest
from sklearn.base import clone
from tiny import TINY_CORPUS, TINY_TEMPLATE, gold_of, inputs_of, sentences_of, train_tiny

import sapwood
from sapwood import ModelError, OptionError, SequenceTagger, TemplateError

WORDS = "U00:%x[0,0]\nU01:%x[-1,0]\nB\n"


# Fitting and predicting


def test_fit_on_a_path_on_tuples_and_on_x_and_y_give_the_same_model(tagger, tiny, tiny_file, tmp_path):
    ways = {
        "path": train_tiny(tiny_file),
        "tuples": train_tiny(tiny),
        "lists": train_tiny([[list(row) for row in sentence] for sentence in tiny]),
        "x and y": SequenceTagger(**tagger.get_params()).fit(inputs_of(tiny), gold_of(tiny)),
    }
    for name, way in ways.items():
        assert way.predict(tiny) == gold_of(tiny), name
        assert way.labels_ == tagger.labels_ == ["B-NP", "I-NP", "B-VP", "O", "I-VP", "B-PP"], name
        assert list(way.contents.weights()) == list(tagger.contents.weights()), name


def test_predict_takes_a_file_tokens_with_a_label_and_tokens_without(tagger, tiny, tiny_file):
    assert tagger.predict(tiny_file) == tagger.predict(tiny) == tagger.predict(inputs_of(tiny)) == gold_of(tiny)


def test_predict_strings():
    tagger = SequenceTagger(template=WORDS, min_updates=1).fit([["the", "dog"], ["a", "cat"]], [["D", "N"], ["D", "N"]])
    assert tagger.predict([["a", "dog"], ["the"]]) == [["D", "N"], ["D"]]
    assert tagger.predict([[("a",), ("dog",)]]) == [["D", "N"]]
    assert tagger.predict([]) == []


def test_score_is_accuracy_as_a_fraction(tagger, tiny, tiny_file):
    assert tagger.score(tiny_file) == tagger.score(tiny) == tagger.score(inputs_of(tiny), gold_of(tiny)) == 1.0
    assert tagger.score([[("the", "DT", "B-NP"), ("dog", "NN", "B-NP")]]) == 0.5


def test_evaluate_reports_labels_that_training_never_saw(tagger):
    found = tagger.evaluate([[("the", "DT", "B-NP"), ("dog", "NN", "B-ADJP"), ("ran", "VBD", "B-ADJP")]])
    assert found.unseen == {"B-ADJP": 2}
    assert found.gold[0][1:] == ["B-ADJP", "B-ADJP"]
    assert "B-ADJP" not in found.guess[0]


@pytest.mark.parametrize("search", ["viterbi", "greedy", "argmax"])
@pytest.mark.parametrize("update", ["perceptron", "margin", "pa"])
def test_every_search_and_update_learns_the_tiny_corpus(tiny, search, update):
    tagger = train_tiny(tiny, search=search, update=update, epochs=15)
    assert tagger.score(tiny) > 0.9
    assert tagger.score(tiny) == 1.0 or search == "argmax"


def test_argmax_ignores_labels_to_the_left(tiny):
    one = train_tiny(tiny, search="argmax", bits=32)
    other = train_tiny(
        tiny, search="argmax", bits=32, template=TINY_TEMPLATE.replace("B\n", "U09:%y[-1]\nU00b:%x[0,0]\n")
    )
    same = train_tiny(tiny, search="argmax", bits=32, template=TINY_TEMPLATE.replace("B\n", "U00b:%x[0,0]\n"))
    assert len(one.model_.tables) == 1
    assert sorted(w for _, w, _ in other.contents.weights()) == sorted(w for _, w, _ in same.contents.weights())


def test_a_template_of_label_bigrams_alone_learns(tiny):
    tagger = train_tiny(tiny, template="B\n")
    assert {len(labels) for labels in tagger.predict(tiny)} == {len(sentence) for sentence in tiny}


def test_min_updates_gates_and_prune_below_drops(tiny):
    def features(**options):
        tagger = train_tiny(tiny, names=True, bits=32, **options)
        return {name for table in tagger.model_.tables for name in table.names}

    everything = features()
    assert features(min_updates=3) < everything
    seen = Counter(f"U00:{row[0]}" for sentence in tiny for row in sentence)
    twice = {name for name in features(prune_below=2) if name.startswith("U00:")}
    assert twice
    assert all(seen[name] >= 2 for name in twice)
    assert any(seen[name] == 1 for name in everything)


@pytest.mark.filterwarnings("ignore:300 labels in 600 tokens")
def test_more_labels_than_dense_rows_hold():
    """300 labels: rows of weights are sparse, in training and in the model."""
    corpus = [[(f"w{k}", f"L{k}"), (f"w{(7 * k + 1) % 300}", f"L{(7 * k + 1) % 300}")] for k in range(300)]
    for search in ("greedy", "viterbi"):
        tagger = SequenceTagger(template="U:%x[0,0]\nB\n", search=search, min_updates=1, epochs=4).fit(corpus)
        assert len(tagger.labels_) == 300
        assert tagger.score(corpus) == 1.0


def test_labels_of_any_script_are_learned():
    corpus = [[("le", "Dét"), ("chat", "名詞"), ("🐈", "🏷️")], [("l'", "Dét"), ("été", "名詞")]]
    tagger = SequenceTagger(template=WORDS, min_updates=1).fit(corpus)
    assert tagger.labels_ == ["Dét", "名詞", "🏷️"]
    assert tagger.predict([["l'", "chat", "🐈"]]) == [["Dét", "名詞", "🏷️"]]


def test_order_2_tells_what_order_1_cannot():
    """After `q`, the label is that of the token two before it: only a label trigram says so."""
    corpus = [[("x", "A"), ("p", "P"), ("q", "A")], [("y", "C"), ("p", "P"), ("q", "C")]]
    template = "U00:%x[0,0]\nB\nU01:%y[-2]/%y[-1]\n"
    options = {"template": template, "min_updates": 1, "epochs": 10}
    assert SequenceTagger(order=2, **options).fit(corpus).score(corpus) == 1.0
    assert SequenceTagger(order=1, **options).fit(corpus).score(corpus) < 1.0
    assert SequenceTagger(search="greedy", **options).fit(corpus).score(corpus) == 1.0


def test_greedy_can_train_on_its_own_history(tiny):
    own = train_tiny(tiny, search="greedy", history="own", names=True)
    assert own.score(tiny) == 1.0
    assert all(name for table in own.model_.tables for name in table.names)


def test_easiest_first_sees_labels_to_the_right():
    """`p` has the label of the token behind it: only a search that has decided that one before can tell."""
    corpus = [[("p", "A"), ("x", "A")], [("p", "C"), ("y", "C")]]
    options = {"template": "U00:%x[0,0]\nU01:%y[+1]\n", "min_updates": 1, "epochs": 10}
    for seed in range(5):
        assert SequenceTagger(search="easiest-first", seed=seed, **options).fit(corpus).score(corpus) == 1.0
        assert SequenceTagger(search="greedy", seed=seed, **options).fit(corpus).score(corpus) < 1.0


def test_easiest_first_model_is_the_same_everywhere(tiny, tmp_path):
    """Names do not change the weights, threads and a saved file not the labels."""
    options = {"search": "easiest-first", "template": TINY_TEMPLATE + "U08:%y[-1]/%y[+1]\nU09:%y[+1]/%y[+2]\n"}
    tagger = train_tiny(tiny, names=True, **options)
    assert tagger.score(tiny) == 1.0
    assert all(name for table in tagger.model_.tables for name in table.names)
    unnamed = train_tiny(tiny, **options)
    assert [weight[:2] for weight in unnamed.contents.weights()] == [weight[:2] for weight in tagger.contents.weights()]
    tagger.save(tmp_path / "m.sap")
    loaded = sapwood.load(tmp_path / "m.sap")
    assert loaded.search == "easiest-first"
    many = tiny * 40
    assert loaded.set_params(threads=3).predict(many) == tagger.predict(many)
    with pytest.raises(OptionError, match="Viterbi"):
        loaded.n_best(tiny, 2)


def test_easiest_first_goes_on_with_two_alike_tokens_of_different_labels():
    """No weights tell them apart, and the training goes on all the same."""
    corpus = [[("a", "X"), ("a", "Y"), ("a", "X"), ("a", "Y")]] * 3
    for update in ("perceptron", "margin", "pa"):
        tagger = SequenceTagger(template="U:%x[0,0]\n", search="easiest-first", update=update, epochs=3).fit(corpus)
        assert len(tagger.predict(corpus)) == 3


# n-best


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_n_best_is_sorted_without_doubles_and_starts_with_predict(tiny, order, bits):
    tagger = train_tiny(tiny, order=order, bits=bits, template=TINY_TEMPLATE + "U09:%y[-2]/%y[-1]\n")
    for sentence, ranked in zip(tiny, tagger.n_best(tiny, 20), strict=True):
        scores = [score for _, score in ranked]
        assert len(ranked) == len({tuple(labels) for labels, _ in ranked}) == 20
        assert all(a >= b - 1e-4 * (bits == 32) for a, b in pairwise(scores))
        assert ranked[0][0] == tagger.predict([sentence])[0]


def test_n_best_of_iobes_labels_has_no_doubles(tiny):
    """They are shown as BIO, where S-NP and B-NP are the same."""
    tagger = train_tiny(tiny, encoding="iobes")
    for ranked in tagger.n_best(tiny, 20):
        assert len(ranked) == len({tuple(labels) for labels, _ in ranked}) == 20
        assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
    assert [best[0][0] for best in tagger.n_best(tiny, 20)] == tagger.predict(tiny)


def test_n_best_gives_all_there_are(tiny):
    tagger = SequenceTagger(template=WORDS, min_updates=1).fit([[("a", "X"), ("b", "Y")]])
    [ranked] = tagger.n_best([["a", "b"]], 100)
    assert sorted(labels for labels, _ in ranked) == [["X", "X"], ["X", "Y"], ["Y", "X"], ["Y", "Y"]]


def test_n_best_needs_viterbi(tiny):
    with pytest.raises(OptionError, match="Viterbi"):
        train_tiny(tiny, search="greedy").n_best(tiny, 2)
    with pytest.raises(OptionError, match="a whole number from 1"):
        train_tiny(tiny).n_best(tiny, 0)


def test_n_best_of_ties_does_not_enumerate_all_paths():
    """Unknown words score 0 for every label: 3^40 sequences tie, and one of them is asked for."""
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "import sapwood\n"
        "corpus = [[('a', 'X'), ('b', 'Y'), ('c', 'Z')]]\n"
        "tagger = sapwood.SequenceTagger(template='U:%x[0,0]\\n', min_updates=1).fit(corpus)\n"
        "print(len(tagger.n_best([['?'] * 40], 5)[0]), tagger.n_best([['?'] * 40], 1)[0][0][0] == ['X'] * 40)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "5 True\n", done.stderr[-300:]


# Saving and loading


@pytest.mark.parametrize("search", ["viterbi", "greedy", "argmax"])
@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize("names", [False, True])
def test_a_loaded_model_is_the_saved_one(tiny, tmp_path, search, bits, names):
    tagger = train_tiny(tiny, search=search, bits=bits, names=names)
    assert tagger.save(tmp_path / "model.sap") == (tmp_path / "model.sap").stat().st_size
    loaded = sapwood.load(tmp_path / "model.sap")
    assert loaded.predict(tiny) == tagger.predict(tiny)
    assert list(loaded.contents.weights()) == list(tagger.contents.weights())
    assert loaded.labels_ == tagger.labels_
    loaded.save(tmp_path / "again.sap")
    assert (tmp_path / "again.sap").read_bytes() == (tmp_path / "model.sap").read_bytes()
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".sap"] == []


def test_a_loaded_model_has_its_parameters(tiny, tmp_path):
    options = {"search": "greedy", "update": "pa", "gamma": 2.5, "min_updates": 2, "average": False, "bits": 16}
    train_tiny(tiny, **options).save(tmp_path / "model.sap")
    loaded = sapwood.load(str(tmp_path / "model.sap"))
    assert {name: loaded.get_params()[name] for name in options} == options
    assert loaded.template == TINY_TEMPLATE
    assert loaded.fit(tiny).score(tiny) == 1.0


def test_quantised_models_are_smaller_and_close(tiny):
    exact = train_tiny(tiny, bits=32, names=True)
    weights = {(output, name): weight for output, weight, name in exact.contents.weights()}
    largest = max(map(abs, weights.values()))
    for bits in (8, 16):
        scale = largest / (2 ** (bits - 1) - 1)
        tagger = train_tiny(tiny, bits=bits, names=True)
        assert tagger.model_.scale == pytest.approx(scale)
        quantised = {(output, name): weight for output, weight, name in tagger.contents.weights()}
        for key, weight in weights.items():
            assert abs(quantised.get(key, 0.0) - weight) <= scale / 2 + 1e-6


def test_saving_leaves_an_old_model_whole_when_it_fails(tagger, tmp_path, monkeypatch):
    path = tmp_path / "model.sap"
    tagger.save(path)
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ModelError, match="the disk is full"):
        tagger.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_loading_imports_nothing_that_runs_code_from_a_file(tagger, tmp_path):
    """Loading imports no module that can run code from a file."""
    tagger.save(tmp_path / "model.sap")
    program = f"import sys, sapwood; sapwood.load({str(tmp_path / 'model.sap')!r}); print('pickle' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


def test_word_lists_are_part_of_the_model(tmp_path):
    cities = tmp_path / "cities.txt"
    cities.write_text("Paris\nNew York\nRio de Janeiro\n")
    (tmp_path / "city.tpl").write_text('U00:%in[0,0,"cities.txt"]\nU01:%in[-1,0,"cities.txt"]\n')
    corpus = [
        [("in", "O"), ("Paris", "B"), (".", "O")],
        [("in", "O"), ("New", "B"), ("York", "I"), (".", "O")],
    ]
    tagger = SequenceTagger(template=tmp_path / "city.tpl", min_updates=1).fit(corpus)
    tagger.save(tmp_path / "model.sap")
    cities.unlink()
    (tmp_path / "city.tpl").unlink()
    loaded = sapwood.load(tmp_path / "model.sap")
    sentence = ["to", "Rio", "de", "Janeiro", "and", "New", "Delhi"]
    assert loaded.predict([sentence]) == [["O", "B", "I", "I", "O", "O", "O"]]


# scikit-learn's conventions


def test_parameters_are_those_of_scikit_learns_conventions():
    tagger = SequenceTagger(epochs=3, min_updates=2)
    assert tagger.get_params()["epochs"] == 3
    assert tagger.set_params(epochs=4, names=True) is tagger
    assert (tagger.epochs, tagger.names) == (4, True)
    assert repr(tagger) == "SequenceTagger(min_updates=2, epochs=4, names=True)"
    assert repr(SequenceTagger()) == "SequenceTagger()"
    with pytest.raises(OptionError, match=r"no parameter 'epoch'.*epochs"):
        tagger.set_params(epoch=1)
    with pytest.raises(TypeError):
        SequenceTagger(epoch=1)


def test_a_clone_has_the_options_and_no_weights(tiny):
    tagger = train_tiny(tiny, search="greedy")
    copy = clone(tagger)
    assert copy.get_params() == tagger.get_params()
    with pytest.raises(ModelError, match="not fitted"):
        copy.predict(tiny)
    assert copy.fit(tiny).predict(tiny) == tagger.predict(tiny)


@pytest.mark.parametrize("method", ["predict", "score", "evaluate", "save", "annotate", lambda t: t.n_best([], 1)])
def test_a_tagger_that_is_not_fitted_says_so(method, tmp_path):
    with pytest.raises(ModelError, match="not fitted yet; call fit"):
        if callable(method):
            method(SequenceTagger())
        else:
            argument = {"save": tmp_path / "model.sap", "annotate": b"a b\n"}.get(method, [[("a", "b")]])
            getattr(SequenceTagger(), method)(argument)
    assert list(tmp_path.iterdir()) == []
    assert not hasattr(SequenceTagger(), "labels_")  # fitting sets it, as everywhere in scikit-learn


@pytest.mark.parametrize("template", ["pos", "ner"])
@pytest.mark.parametrize("columns", [None, "word,label", "label,word", "_,label,form"])
def test_templates_of_words_alone(template, columns):
    """They look at words where there are no tags; with tags beside, names are learned from these, too."""
    places = (columns or "word,label").split(",")
    sentences = sentences_of(TINY_CORPUS)
    cells = [dict(zip(("word", "pos", "label"), token, strict=True)) for token in chain(*sentences)]
    rows = [[tuple(token.get(place, token["word"]) for place in places) for token in cells]]
    tagger = SequenceTagger(template=template, columns=columns, min_updates=1).fit(rows)
    assert tagger.score(rows) > 0.9
    assert "pos" not in tagger.model_.template and "# Tags" not in tagger.model_.template
    with_tags = SequenceTagger(template=template, min_updates=1).fit(sentences)
    assert ("%x[0,1]" in with_tags.model_.template) == (template == "ner")
    with pytest.raises(TemplateError, match="these fit the data: ner, pos"):
        SequenceTagger(template="chunking", columns=columns).fit(rows)
