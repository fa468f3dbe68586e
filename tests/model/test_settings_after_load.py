"""A model that was loaded has the options of its training, and trains the same model again."""

import warnings
from pathlib import Path

import pytest

import sapwood
from sapwood import Classifier, DependencyParser, OptionError, Pipeline, SequenceTagger
from sapwood.tasks.rewriting.model import Splitter
from sapwood.tasks.segmenting.model import Segmenter

ROWS = [
    [("the", "DT", "B"), ("dog", "NN", "I"), ("barks", "VB", "O")],
    [("a", "DT", "B"), ("cat", "NN", "I"), ("runs", "VB", "O")],
] * 20
FEATURES = (
    [[{"word": word, "tag": tag} for word, tag, _ in row] for row in ROWS],
    [[y for *_, y in row] for row in ROWS],
)
TEXTS = ["good film", "bad film", "nice day", "awful day"] * 10, ["+", "-", "+", "-"] * 10
NAMED = "U1:%x[0,word]\nU2:%x[0,pos]\n"
WORD = "{0}\t{1}\t{1}\t{2}\t{2}\t_\t{3}\t{4}\t_\t{5}\n"


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    sentence = "# text = {0}s sell it. \n" + "".join(
        [
            WORD.format(1, "{0}s", "NOUN", 2, "nsubj", "_"),
            WORD.format(2, "sell", "VERB", 0, "root", "_"),
            WORD.format(3, "it", "PRON", 2, "obj", "SpaceAfter=No"),
            WORD.format(4, ".", "PUNCT", 2, "punct", "_"),
        ]
    )
    token = "# text = 3.5 won't\n1\t3.5\t3.5\tNUM\tNUM\t_\t0\troot\t_\t_\n2-3\twon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    token += "2\two\twill\tAUX\tAUX\t_\t1\taux\t_\t_\n3\tn't\tnot\tPART\tPART\t_\t1\tadvmod\t_\t_\n"
    path = tmp_path_factory.mktemp("treebank") / "train.conllu"
    path.write_text(
        "\n".join(sentence.format(word) + "\n" + token for word in ("Cat", "Dog", "Man", "Pan") * 15) + "\n"
    )
    return path


MODELS = [
    (SequenceTagger(epochs=3, seed=7, template=NAMED, columns=["word", "pos", "label"], min_updates=1), ROWS, {}),
    (SequenceTagger(epochs=9, patience=1, names=True, min_updates=1), ROWS, {"dev_fraction": 0.2}),
    (SequenceTagger(runs=2, bits=16, min_updates=1), ROWS, {}),
    (SequenceTagger(shards=2, batch=2, min_updates=1), ROWS, {}),
    (SequenceTagger(max_bytes=3000, min_updates=1), ROWS, {}),
    (SequenceTagger(epochs=2, seed=2, min_updates=1), FEATURES, {}),
    (SequenceTagger(template=NAMED, columns="word,_,label".replace("_", "pos"), min_updates=1), ROWS, {}),
    (Classifier(epochs=3, seed=7, class_weight={"+": 2.0}, min_updates=1), TEXTS, {}),
    (Classifier(seed=(1 << 64) - 1, class_weight="balanced", ngrams=2, batch=2, min_updates=1), TEXTS, {}),
    (Classifier(cv=3, seed=3, characters=3, min_updates=1), TEXTS, {}),
    (Classifier(epochs=20, patience=2, min_updates=1), TEXTS, {"dev_fraction": 0.2}),
    (DependencyParser(epochs=2, seed=3, beam=2, tag_columns=["upos", "xpos"]), None, {}),
    (DependencyParser(search="easy-first", epochs=2, seed=3), None, {}),
    (DependencyParser(search="eisner", tags="predicted", epochs=1, seed=3), None, {}),
    (Pipeline(seed=5, beam=1, parts=["segment", "tag", "parse"]), None, {}),
    (Segmenter(epochs=2, seed=3), None, {}),
    (Splitter(epochs=2, seed=3, known_words="always", min_updates=1), None, {}),
]
# What a file has in another form: the template's text, and what training chose where nothing was given.
CHOSEN = {"template", "ngrams", "characters", "gamma", "labelling", "columns", "tag_columns"}


@pytest.mark.few(6)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("model", "data", "how"), MODELS)
def test_fitting_again_gives_the_same_file(model, data, how, treebank, tmp_path):
    data = data if isinstance(data, tuple) else (treebank if data is None else data,)
    model.fit(*data, **how).save(tmp_path / "a.sap")
    loaded = sapwood.load(tmp_path / "a.sap")
    then, now = model.get_params(), loaded.get_params()
    assert {name for name in then if then[name] != now[name]} <= CHOSEN
    loaded.fit(*data, **how).save(tmp_path / "b.sap")
    assert (tmp_path / "a.sap").read_bytes() == (tmp_path / "b.sap").read_bytes()


@pytest.mark.filterwarnings("ignore")
def test_what_the_command_line_was_given_is_there(run_cli, tmp_path):
    (tmp_path / "train.txt").write_text("".join(f"__label__{y} {text}\n" for text, y in zip(*TEXTS, strict=True)))
    options = ["--epochs", "3", "--seed", "7", "--min-updates", "1", "-q"]
    assert run_cli(["train", "classify", tmp_path / "train.txt", "-o", tmp_path / "m.sap", *options]).status == 0
    params = sapwood.load(tmp_path / "m.sap").get_params()
    assert (params["epochs"], params["seed"], params["threads"]) == (3, 7, 1)


def test_a_loaded_model_is_made_small_without_what_chose_its_epochs(tmp_path):
    SequenceTagger(epochs=9, patience=1, names=True, min_updates=1).fit(ROWS, dev_fraction=0.2).save(tmp_path / "a.sap")
    small = sapwood.load(tmp_path / "a.sap").shrink(ROWS, below=0.1)
    assert small.patience is None
    Classifier(cv=2, min_updates=1).fit(*TEXTS).save(tmp_path / "c.sap")
    (tmp_path / "train.txt").write_text("".join(f"__label__{y} {text}\n" for text, y in zip(*TEXTS, strict=True)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sapwood.load(tmp_path / "c.sap").shrink(tmp_path / "train.txt", bytes=2500).cv is None


def test_patience_still_wants_held_out_data(tmp_path):
    SequenceTagger(patience=1, min_updates=1).fit(ROWS, dev_fraction=0.2).save(tmp_path / "a.sap")
    with pytest.raises(OptionError, match="held-out"):
        sapwood.load(tmp_path / "a.sap").fit(ROWS)


def test_a_file_from_before_has_the_defaults(tmp_path):
    tagger = SequenceTagger(epochs=3, seed=7, min_updates=1).fit(ROWS)
    options = {name: value for name, value in tagger.model_.options.items() if name not in ("epochs", "seed")}
    tagger.model_.replaced(options=options).save(tmp_path / "a.sap")
    loaded = SequenceTagger.load(tmp_path / "a.sap")
    assert (loaded.epochs, loaded.seed) == (10, 1)


@pytest.mark.parametrize(
    "options",
    [
        {"max_iter": 3, "random_state": 7},
        {"class_weight": {0: 1.0, 1: 3.5}, "random_state": 1},
        {"class_weight": "balanced", "random_state": 1, "fit_intercept": False},
        {"early_stopping": True, "n_iter_no_change": 2, "validation_fraction": 0.3, "random_state": 4},
        {"update": "l1-cumulative", "penalty": 0.1, "shuffle": False},
    ],
)
def test_an_estimator_of_scikit_learn_has_its_parameters(options, tmp_path):
    np = pytest.importorskip("numpy")
    base = pytest.importorskip("sklearn.base")
    X = np.random.default_rng(0).random((60, 4))
    y = (X[:, 0] > 0.5).astype(int)
    first = sapwood.PerceptronClassifier(**options).fit(X, y)
    first.save(tmp_path / "a.sap")
    loaded = sapwood.load(tmp_path / "a.sap")
    assert loaded.get_params() == first.get_params()
    base.clone(loaded).fit(X, y).save(tmp_path / "b.sap")
    assert Path(tmp_path / "a.sap").read_bytes() == Path(tmp_path / "b.sap").read_bytes()


@pytest.mark.parametrize("training", [[], {"epochs": 3}, {"max_iter": None}, {"class_weight": [[[1], 2]]}])
def test_parameters_that_are_none_are_refused(training, tmp_path):
    np = pytest.importorskip("numpy")
    pytest.importorskip("sklearn")
    model = sapwood.PerceptronClassifier().fit(np.eye(4), [0, 1, 0, 1])._model_
    model.replaced(options=model.options | {"training": training}, labels=["0", "1"]).save(tmp_path / "a.sap")
    with pytest.raises(sapwood.ModelError):
        sapwood.load(tmp_path / "a.sap")
