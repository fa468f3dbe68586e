"""What people type in Python: missing values, one text for a list, scikit-learn's and crfsuite's habits."""

import inspect
import os
import pickle
import subprocess
import sys
import warnings
from collections import OrderedDict
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

import sapwood
from kinds import kind
from sapwood import Classifier, DataError, ModelError, SequenceTagger, load
from sapwood.explain import answers_to

TEXTS = ["good fun", "dull", "great fun", "bad and dull"] * 5
LABELS = ["pos", "neg"] * 10
SENTENCES = [["the", "dog"], ["a", "cat"]] * 5
TAGS = [["DT", "NN"]] * 10
DICTS = [[{"w": word, "bias": 1.0} for word in sentence] for sentence in SENTENCES]
WORDS = "U00:%x[0,0]\nB\n"


@cache
def classifier(**options):
    """Return a classifier of texts."""
    return Classifier(min_updates=1, **options).fit(TEXTS, [[y] for y in LABELS] if options else LABELS)


@cache
def of_features():
    """Return a classifier of dicts."""
    return Classifier(min_updates=1).fit([{"a": 1}, {"b": "x"}] * 5, LABELS[:10])


@cache
def tagger():
    """Return a tagger of words."""
    return SequenceTagger(template=WORDS, min_updates=1).fit(SENTENCES, TAGS)


@cache
def crf():
    """Return a tagger of dicts of features."""
    return SequenceTagger(min_updates=1, names=True).fit(DICTS, TAGS)


def part(name):
    """Return a part of the bundled pipeline."""
    return load("en").models_[name]


def message(call, *args, **options):
    """Return the one line that a call is refused with, or fail if it is not."""
    try:
        found = call(*args, **options)
        found = list(found) if inspect.isgenerator(found) else found
    except DataError as error:
        assert "\n" not in str(error)
        return str(error)
    raise AssertionError(f"{found!r} came")


def of_pandas(name):
    """Return what makes a missing value of pandas."""

    def make():
        import pandas

        return getattr(pandas, name)

    return make


_NO_TEXTS = {  # what makes it, and what messages call it
    "NaN": (lambda: float("nan"), "nan, a missing value"),
    "NumPy's NaN": (lambda: np.float64("nan"), "nan, a missing value"),
    "None": (lambda: None, "None"),
    "pandas' NA": (of_pandas("NA"), "<NA>, a missing value"),
    "pandas' NaT": (of_pandas("NaT"), "NaT, a missing value"),
    "a number": (lambda: 3, "the number 3"),
    "bytes": (lambda: b"abc", "bytes"),
    "a list": (lambda: ["a", "b"], "a list"),
    "a path": (lambda: Path("x.txt"), "Path"),
}
_NO_SENTENCES = {name: case for name, case in _NO_TEXTS.items() if name != "a list"} | {
    "a dict": (lambda: {"w": "a"}, "a dict")
}


def refused(call, *words):
    """Return a check that a call is refused with a line that has these words."""

    def check(folder):
        found = message(call)
        assert all(word in found for word in words), found
        return True

    return check


@kind("what is no text among texts is named, with its number")
def no_text():
    models = {
        "predict": lambda texts: classifier().predict(texts),
        "decision_function": lambda texts: classifier().decision_function(texts),
        "explain": lambda texts: classifier().explain(texts),
        "n_best": lambda texts: classifier().n_best(texts, 1),
        "fit": lambda texts: Classifier().fit(texts, ["a", "b"]),
        "score": lambda texts: classifier().score(texts, ["pos", "neg"]),
        "pipe": lambda texts: load("en").pipe(texts),
    }
    alone = {
        "nlp": lambda text: load("en")(text),
        "nlp.explain": lambda text: load("en").explain(text),
        "segmenter": lambda text: part("segmenter").predict(text),
        "classifier": lambda text: classifier().predict([text]),
    }
    for name, (make, called) in _NO_TEXTS.items():
        for method, call in models.items():
            if (name, method) != ("a list", "pipe"):  # a list may be words that are given
                where = "text 2" if method == "pipe" else "example 2"
                said = f"{where} (counted from 1)", called
                yield f"{name}, {method}", refused(lambda call=call, make=make: call(["fine", make()]), *said)
        for method, call in alone.items():
            if (name, method) != ("a list", "nlp"):
                yield f"{name} alone, {method}", refused(lambda call=call, make=make: call(make()), called)


@kind("what is no dict among dicts of features is named, with its number")
def no_features():
    for name, (make, called) in (_NO_TEXTS | {"a string": (lambda: "abc", "a string")}).items():
        call = lambda make=make: of_features().predict([{"a": 1}, make()])  # noqa: E731
        yield name, refused(call, "example 2 (counted from 1)", called)
    yield "a dict among texts", refused(lambda: classifier().predict(["a", {"a": 1}]), "example 2", "a dict")


@kind("what is no sentence among sentences is named, with its number")
def no_sentence():
    models = {
        "tagger": lambda sentences: tagger().predict(sentences),
        "tagger of dicts": lambda sentences: crf().predict(sentences),
        "margins": lambda sentences: tagger().margins(sentences),
        "parser": lambda sentences: part("parser").predict(sentences),
        "lemmatizer": lambda sentences: part("lemmatizer").predict(sentences),
        "splitter": lambda sentences: part("splitter").predict(sentences),
    }
    for model, predict in models.items():
        for name, (make, called) in _NO_SENTENCES.items():
            call = lambda predict=predict, make=make: predict([[], make()])  # noqa: E731
            yield f"{name}, {model}", refused(call, "sentence 2", called, "(counted from 1)")
        yield f"a string, {model}", refused(lambda predict=predict: predict(["abc"]), "sentence 1 is a string")
        call = lambda predict=predict: predict([[None]])  # noqa: E731
        yield f"None for a token, {model}", refused(call, "sentence 1", " 1", "None")


@kind("one thing where a list is wanted is refused")
def one_for_a_list():
    models = {
        "classifier": classifier,
        "dicts": of_features,
        "tagger": tagger,
        "tagger of dicts": crf,
        "parser": lambda: part("parser"),
        "lemmatizer": lambda: part("lemmatizer"),
    }
    for name, value in {"a string": "abc", "bytes": b"abc", "None": None, "a number": 3, "a dict": {"a": 1}}.items():
        for noun, model in models.items():
            call = lambda model=model, value=value: model().predict(value)  # noqa: E731
            yield f"{name}, {noun}", refused(call, "data are", name.removeprefix("a "))
        yield f"{name}, pipe", refused(lambda value=value: load("en").pipe(value), "a list is wanted")
        if value is not None:
            call = lambda value=value: Classifier().fit(["a", "b", "c"], value)  # noqa: E731
            yield f"{name}, labels", refused(call, "labels", "a list is wanted")
            call = lambda value=value: SequenceTagger().fit(SENTENCES, value)  # noqa: E731
            yield f"{name}, labels of sentences", refused(call, "labels", "a list is wanted")
    yield "one text", refused(lambda: classifier().predict("one text"), "a list of texts")
    lost = [1.0, None] * 10
    yield "a weight", refused(lambda: Classifier().fit(TEXTS, LABELS, sample_weight=lost), "example 2", "not None")
    yield "a list of candidates", refused(lambda: sapwood.Reranker().fit(["x"]), "list 1 (counted from 1) is a string")
    yield "classes", refused(lambda: Classifier().partial_fit(TEXTS, LABELS, classes="pos"), "classes: a list")
    yield "weights", refused(lambda: Classifier().fit(TEXTS, LABELS, sample_weight=2.0), "sample_weight", "a list")


@kind("a string as the labels of a sentence is refused")
def labels_in_a_string():
    three = [["a", "b", "c"]] * 2
    for name, labels in {
        "strings": ["POL"] * 2,
        "the second": [["P", "O", "L"], "POL"],
        "bytes": [b"POL"] * 2,
        "NaN": [["P", "O", "L"], float("nan")],
        "a dict": [["P", "O", "L"], {0: "P"}],
    }.items():
        for kind_of, X in {"words": three, "dicts": [[{"w": w} for w in s] for s in three]}.items():
            call = lambda X=X, labels=labels: SequenceTagger().fit(X, labels)  # noqa: E731
            yield f"{name}, {kind_of}", refused(call, "labels of sentence", "(counted from 1)")
    yield "score", refused(lambda: tagger().score([["the", "dog"]], ["DT"]), "labels of sentence 1")
    yield "several labels", refused(lambda: Classifier(multi_label=True).fit(["a", "b", "c"], ["POL"] * 3), "'POL'")


@kind("a label of a token that is no text is named as a label")
def no_label_of_a_token():
    labels = {"None": None, "NaN": float("nan"), "a number": 1, "bytes": b"P", "a list": ["P"], "nothing": ""}
    for name, label in labels.items():
        for kind_of, X in {"words": [["a", "b"]] * 2, "dicts": [[{"w": "a"}, {"w": "b"}]] * 2}.items():
            call = lambda X=X, label=label: SequenceTagger(template=WORDS).fit(X, [["P", "P"], ["P", label]])  # noqa: E731
            yield f"{name}, {kind_of}", refused(call, "sentence 2, token 2 has a label that is ")


@kind("a sentence of dicts one level too flat is said")
def too_flat():
    flat = DICTS[0]
    for method in ("predict", "margins", "explain", "evaluate", "score", "confidences", "fit", "calibrate",
                   "chunk_confidences", "partial_fit"):  # fmt: skip
        model = SequenceTagger if method == "partial_fit" else crf
        call = lambda model=model, method=method: getattr(model(), method)(flat)  # noqa: E731
        yield method, refused(call, "sentence 1 is a dict", "list")
    yield "answers", refused(lambda: answers_to(flat, crf()), "sentence 1 is a dict", "list")
    yield "n_best", refused(lambda: crf().n_best(flat, 2), "sentence 1 is a dict")
    yield "fit with labels", refused(lambda: SequenceTagger().fit(flat, TAGS[0]), "sentence 1 is a dict")
    yield "dev", refused(lambda: SequenceTagger().fit(DICTS, TAGS, dev=(flat, TAGS[0])), "sentence 1 is a dict")


@kind("the labels of a classifier are an array, as in scikit-learn")
def arrays():
    whole = np.array([1, 2] * 10)
    for name, y in {
        "texts": LABELS, "array": np.array(LABELS), "whole numbers": whole, "truth values": whole == 1,
        "numbers": whole / 2, "several types": [1, "a"] * 10,
    }.items():  # fmt: skip

        def right(folder, y=y):
            found = Classifier(min_updates=1).fit(TEXTS, y).predict(TEXTS)
            return isinstance(found, np.ndarray) and np.mean(found == np.array(y, dtype=found.dtype)) == 1.0

        yield name, right
    yield "one label of two", lambda folder: classifier().predict(["dull"]).dtype == classifier().classes_.dtype
    yield "nothing", lambda folder: classifier().predict([]).shape == (0,)
    sets = lambda: classifier(multi_label=True)  # noqa: E731
    yield "sets", lambda folder: sets().predict(["dull", "fun"]).tolist() == [("neg",), ("pos",)]
    yield "sets of one size", lambda folder: sets().predict(["dull", "fun"]).shape == (2,)
    yield "chosen by a mask", lambda folder: classifier().predict(TEXTS)[np.array(LABELS) == "neg"].tolist()[0] == "neg"


@kind("a model that is not fitted says so as scikit-learn's do, and has no attributes of fitted ones")
def not_fitted():
    calls = {"predict": [["a"]], "parse": [["a"]], "explain": "a", "evaluate": Path("x"), "save": "x.sap"}
    models = {
        "Classifier": ("predict", "explain", "evaluate", "save"), "PerceptronClassifier": ("predict", "save"),
        "SequenceTagger": ("predict", "explain", "evaluate", "save"), "DependencyParser": ("predict", "save"),
        "Pipeline": ("explain", "evaluate", "save"), "Segmenter": ("explain", "evaluate", "save"),
        "Lemmatizer": ("predict", "save"), "Splitter": ("predict", "save"), "PhraseParser": ("parse", "save"),
        "WordClusterer": (),
    }  # fmt: skip
    for name, methods in models.items():
        make = lambda name=name: getattr(sapwood, name)()  # noqa: E731

        def absent(folder, make=make):
            names = ("labels_", "classes_", "state_features_", "transition_features_", "coef_", "support_x_", "words_")
            return not any(hasattr(make(), each) or getattr(make(), each, None) for each in names)

        yield f"{name}, hasattr", absent
        yield f"{name}, getmembers", lambda folder, make=make: inspect.getmembers(make())
        for method in methods:

            def raises(folder, make=make, method=method):
                from sklearn.exceptions import NotFittedError

                try:
                    getattr(make(), method)(calls[method])
                except NotFittedError as error:
                    same = pickle.loads(pickle.dumps(error))
                    return (
                        isinstance(error, ModelError) and isinstance(same, NotFittedError) and str(same) == str(error)
                    )
                return False

            yield f"{name}, {method}", raises
    yield "not calibrated", lambda folder: not hasattr(tagger(), "predict_proba") and not hasattr(classifier(), "x_")
    yield "without names", lambda folder: getattr(tagger(), "state_features_", None) is None
    yield "fitted", lambda folder: len(crf().state_features_) > 0 and hasattr(crf(), "classes_")


@kind("NumPy's numbers and texts are options")
def numpy_options():
    for name, value in {
        "epochs": np.int64(2), "min_updates": np.uint8(1), "gamma": np.float32(0.5), "names": np.bool_(True),
        "search": np.str_("greedy"), "order": np.int32(1), "drop_below": np.float64(0), "seed": np.array(3),
    }.items():  # fmt: skip

        def fits(folder, name=name, value=value):
            fitted = SequenceTagger(template=WORDS, **{name: value}).fit(SENTENCES, TAGS)
            fitted.set_params(**{name: value}).fit(SENTENCES, TAGS).save(folder / "m.sap")
            return type(fitted.get_params()[name]) in (int, float, bool, str) and fitted.get_params()[name] == value

        yield name, fits

    def searched(folder):
        from sklearn.model_selection import GridSearchCV

        from sapwood.sklearn.models import Classifier

        grid = {"epochs": np.arange(2, 4), "gamma": np.linspace(0.5, 1, 2), "update": np.array(["pa", "margin"])}
        return GridSearchCV(Classifier(min_updates=1), grid, cv=2, error_score="raise").fit(TEXTS, LABELS).best_score_

    def of_matrices(folder):
        return (
            sapwood.PerceptronClassifier(max_iter=np.int64(3), gamma=np.float32(1)).fit(np.eye(2), [0, 1]).n_iter_ == 3
        )

    yield "a grid", searched
    yield "matrices", of_matrices
    yield (
        "an attribute",
        lambda folder: setattr(m := Classifier(), "epochs", np.int64(2)) or type(m.get_params()["epochs"]) is int,
    )
    yield "n", lambda folder: len(tagger().n_best(SENTENCES[:1], np.int64(2))[0]) == 2
    yield (
        "a marked word",
        lambda folder: Classifier(min_updates=1).fit([(["a", "b"], np.int64(k % 2)) for k in range(20)], LABELS),
    )


@kind("a sentence without tokens has no labels, and is left out of training and scores")
def empty_sentences():
    def with_gaps(rows):
        return [[], *rows[:1], [], *rows[1:], []]

    for name, X, model in (("words", SENTENCES, tagger), ("dicts", DICTS, crf)):
        gaps, tags = with_gaps(X), with_gaps(TAGS)

        def aligned(method, empty, X=X, gaps=gaps, model=model):
            def check(folder):
                fitted = model().calibrate(X, TAGS)
                call = getattr(fitted, method)
                found = call(gaps, 1) if method == "n_best" else call(gaps)
                plain = call(X, 1) if method == "n_best" else call(X)
                return [each for each in found if each != empty] == plain and found[0] == found[2] == found[-1] == empty

            return check

        for method in ("predict", "margins", "confidences", "predict_marginals"):
            yield f"{method}, {name}", aligned(method, [])
        yield f"n_best, {name}", aligned("n_best", [([], 0.0)])

        def explained(folder, gaps=gaps, model=model):
            return sorted({each.sentence for each in model().explain(gaps)}) == [2, *range(4, 13)]

        def scored(folder, X=X, gaps=gaps, tags=tags, model=model):
            return model().score(gaps, tags) == model().score(X, TAGS) == 1.0 and str(
                model().evaluate(gaps, tags)
            ) == str(model().evaluate(X, TAGS))

        def fitted(folder, X=X, gaps=gaps, tags=tags, model=model):
            same = SequenceTagger(**model().get_params())
            same.fit(gaps, tags, dev=(gaps, tags)).save(folder / "a.sap")
            same.fit(X, TAGS, dev=(X, TAGS)).save(folder / "b.sap")
            return (folder / "a.sap").read_bytes() == (folder / "b.sap").read_bytes()

        yield f"explain, {name}", explained
        yield f"score, {name}", scored
        yield f"fit, {name}", fitted
        yield f"only empty ones, {name}", lambda folder, model=model: model().predict([[], []]) == [[], []]
        yield f"nothing, {name}", lambda folder, model=model: model().predict([]) == []
        yield (
            f"labels of none, {name}",
            refused(lambda gaps=gaps, X=X, model=model: model().score([[]], [["DT"]]), "label"),
        )
    yield "nothing to fit", refused(lambda: SequenceTagger().fit([[]], [[]]), "no sentence to train on")
    yield "nothing to score", refused(lambda: tagger().score([[], []], [[], []]), "no sentence to score")


@kind("features of tokens are taken as crfsuite takes them")
def crfsuite_features():
    plain = crf().predict(DICTS)
    for name, of in {
        "keys of a dict": lambda d: dict.fromkeys(f"{k}:{v}" for k, v in d.items()).keys(),
        "a set": lambda d: {f"{k}:{v}" for k, v in d.items()},
        "a frozenset": lambda d: frozenset(f"{k}:{v}" for k, v in d.items()),
        "a generator": lambda d: (f"{k}:{v}" for k, v in d.items()),
        "values of a dict": lambda d: {k: f"{k}:{v}" for k, v in d.items()}.values(),
        "a list": lambda d: [f"{k}:{v}" for k, v in d.items()],
        "a list of bytes": lambda d: [f"{k}:{v}".encode() for k, v in d.items()],
        "bytes as values": lambda d: {"w": d["w"].encode(), "bias": 1.0},
        "bytes as names": lambda d: {b"w": d["w"], b"bias": 1.0},
        "a collection as value": lambda d: {"w": {d["w"]: 1}.keys(), "bias": 1.0},
        "an ordered dict": OrderedDict,
        "a mapping": MappingProxyType,
    }.items():

        def same(folder, of=of):
            X = lambda: [[of(token) for token in sentence] for sentence in DICTS]  # noqa: E731
            fitted = SequenceTagger(min_updates=1, names=True).fit(X(), TAGS)
            return fitted.predict(X()) == plain and ("w:dog", "NN") in fitted.state_features_

        yield name, same

    def always_the_same(folder):
        script = (
            "import hashlib; from sapwood import SequenceTagger\n"
            "X = [[{'w': {w, w + 'x', w + 'y', b'k'}} for w in ('the', 'dog')]] * 5\n"
            "X += [[{w, w + 'x', w + 'y'} for w in 'ab']] * 5\n"
            "model = SequenceTagger(min_updates=1, names=True).fit(X, [['D', 'N']] * 10).model_\n"
            "print(hashlib.md5(model.dump()).hexdigest())"
        )
        found = {
            subprocess.run(
                [sys.executable, "-c", script],
                env=os.environ | {"PYTHONHASHSEED": seed},
                check=True,
                capture_output=True,
            ).stdout
            for seed in "12"
        }
        return len(found) == 1

    yield "sets in whatever order", always_the_same
    yield "bytes that are no text", refused(lambda: crf().predict([[{"w": b"\xff"}]]), "sentence 1, token 1")
    yield "an object as value", refused(lambda: crf().predict([[{"w": object()}]]), "sentence 1, token 1")


@kind("the k best classes of a text")
def best_classes():
    def all_of(model, k, texts=TEXTS[:4]):
        return [[label for label, _ in best] for best in model.n_best(texts, k)]

    yield "one", lambda folder: [[y] for y in classifier().predict(TEXTS[:4])] == all_of(classifier(), 1)
    yield "two", lambda folder: all(set(best) == {"pos", "neg"} for best in all_of(classifier(), 2))
    yield "more than there are", lambda folder: all(len(best) == 2 for best in all_of(classifier(), 9))
    yield "of sets", lambda folder: all_of(classifier(multi_label=True), 1, ["dull", "fun"]) == [["neg"], ["pos"]]
    yield "of features", lambda folder: all_of(of_features(), 1, [{"a": 1}]) == [["pos"]]
    yield "nothing known", lambda folder: all_of(classifier(), 1, ["zzz"])[0][0] == classifier().predict(["zzz"])[0]

    def sure(folder):
        model = Classifier(min_updates=1).fit(TEXTS, [1, 2] * 10).calibrate(TEXTS, [1, 2] * 10)
        [[(label, first), (_, second)]] = model.n_best(["dull"], 2)
        return label == 2 and first == model.predict_proba(["dull"]).max() and abs(first + second - 1) < 1e-9

    yield "calibrated", sure

    def no_number(n):
        def check(folder):
            try:
                classifier().n_best(["a"], n)
            except sapwood.OptionError as error:
                return "n is a whole number from 1" in str(error)
            return False

        return check

    yield from ((f"n = {n!r}", no_number(n)) for n in (0, -1, True, 1.5, "2", None))


@kind("weights of examples go through scikit-learn's metadata routing")
def routing():
    from sapwood.sklearn.models import Classifier

    def routed(check):
        def run(folder):
            import sklearn

            with sklearn.config_context(enable_metadata_routing=True), warnings.catch_warnings():
                return check()

        return run

    weights = np.array([1.0, 0.0] * 10)

    def cross_validated(**request):
        from sklearn.model_selection import cross_validate

        model = Classifier(min_updates=1).set_fit_request(**request).set_score_request(sample_weight=False)
        name = request["sample_weight"] if isinstance(request["sample_weight"], str) else "sample_weight"
        return cross_validate(model, TEXTS, LABELS, cv=2, params={name: weights + 1}, error_score="raise")["test_score"]

    def cloned():
        from sklearn.base import clone

        asked = Classifier().set_fit_request(sample_weight="w").set_partial_fit_request(classes=True)
        requests = [model.get_metadata_routing() for model in (asked, clone(asked), pickle.loads(pickle.dumps(asked)))]
        return all(r.fit.requests == {"sample_weight": "w"} and r.partial_fit.requests["classes"] for r in requests)

    def piped():
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import FunctionTransformer

        model = make_pipeline(FunctionTransformer(), Classifier(min_updates=1).set_fit_request(sample_weight=True))
        return model.fit(TEXTS, LABELS, sample_weight=weights + 1).predict(["dull"])[0] == "neg"

    def unasked():
        from sklearn.exceptions import UnsetMetadataPassedError
        from sklearn.model_selection import cross_validate

        try:
            cross_validate(Classifier(), TEXTS, LABELS, cv=2, params={"sample_weight": weights})
        except UnsetMetadataPassedError:
            return True
        return False

    yield "asked for", routed(lambda: cross_validated(sample_weight=True).min() == 1)
    yield "by another name", routed(lambda: cross_validated(sample_weight="w").min() == 1)
    yield "copies", routed(cloned)
    yield "in a pipeline", routed(piped)
    yield "not said", routed(unasked)
    yield "matrices", routed(lambda: sapwood.PerceptronClassifier().set_fit_request(sample_weight=True))


@kind("annotate, which reads the bytes of files, says what texts are for")
def texts_to_annotate():
    models = {
        "a pipeline": lambda: load("en"),
        "a classifier": classifier,
        "a tagger": tagger,
        "a parser": lambda: part("parser"),
    }
    given = {
        "a text": "A dog barks.",
        "texts": ["A dog barks.", "A cat."],
        "a path": Path("text.txt"),
        "a missing text": [None],
        "nothing": None,
        "sentences": [["A", "dog"]],
        "bytes that change": bytearray(b"A dog barks."),
    }
    for kind_of_model, model in models.items():
        for name, blocks in given.items():

            def refused(_, model=model, blocks=blocks):
                said = message(lambda: list(model().annotate(blocks)))
                return "annotate reads bytes" in said and "nlp(text)" in said and "number" not in said

            yield f"{kind_of_model}, {name}", refused
    for data in (b"A dog barks.\n", [b"A dog", b" barks.\n"], iter([b"A dog barks.\n"])):
        yield (
            f"bytes: {type(data).__name__}",
            lambda _, data=data: next(iter(load("en").annotate(data))).text == "A dog barks.\n",
        )
