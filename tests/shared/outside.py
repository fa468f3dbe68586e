"""The public API as a user's program has it. It runs, and type checkers find nothing in it: tests/test_types.py."""

from pathlib import Path
from typing import assert_type

import sapwood
from sapwood import (
    Classifier,
    DependencyParser,
    Doc,
    OptionError,
    PerceptronClassifier,
    PhraseParser,
    Pipeline,
    PolynomialKernel,
    Reranker,
    SapwoodError,
    SequenceTagger,
    SubsequenceKernel,
    TreeKernel,
    WordClusterer,
)
from sapwood.events import EpochDone, Event
from sapwood.model.base import Model


def readme() -> None:
    """The README's first lines."""
    nlp = sapwood.load("en")
    assert_type(nlp, Pipeline)
    doc = nlp("Ada Lovelace wrote the first program in 1843.")
    assert_type(doc, Doc)
    rows = [(token.text, token.lemma, token.upos, token.head) for token in doc][:3]
    assert_type(rows, list[tuple[str, str | None, str | None, int | None]])
    assert [(name.text, name.label) for name in doc.entities] == [("Ada Lovelace", "PER")]
    assert doc.draw() and doc.to_conllu() and doc.to_json()
    for sentence in doc.sentences:
        assert sentence.text.startswith(sentence[0].text)
    for each in nlp.pipe(["One.", "Two."], confidence=False):
        assert_type(each, Doc)
    assert nlp.only("segment")("One. Two.").sentences
    assert_type(Pipeline.load("en"), Pipeline)
    by_language = sapwood.load("auto")
    assert_type(by_language.language_of("She was at home when they came."), str)
    assert_type(by_language("She was at home when they came."), Doc)
    assert_type(sapwood.load("language"), Classifier)


def tag(folder: Path) -> None:
    """Columns, and features as CRFsuite has them."""
    (folder / "train.txt").write_text("the DT\ndog NN\n\na DT\ncat NN\n")
    seen: list[float] = []

    def note(event: Event) -> None:
        if isinstance(event, EpochDone):
            seen.append(event.epoch)

    tagger = SequenceTagger(template="pos", epochs=3, min_updates=1).fit(folder / "train.txt", on_event=note)
    assert_type(tagger, SequenceTagger)
    assert_type(tagger.predict([["the", "cat"]]), list[list[str]])
    assert_type(tagger.predict_single(["a", "dog"]), list[str])
    assert_type(tagger.save(folder / "tag.sap"), int)
    assert_type(SequenceTagger.load(folder / "tag.sap"), SequenceTagger)
    assert_type(tagger.score(folder / "train.txt"), float)
    assert tagger.evaluate(folder / "train.txt").labels.accuracy > 0
    assert_type(tagger.n_best([["the", "cat"]], 2), list[list[tuple[list[str], float]]])
    assert_type(tagger.margins([["the", "cat"]]), list[list[float]])
    assert_type(tagger.params.epochs, int)
    assert tagger.set_params(threads=2).get_params()["threads"] == 2
    assert tagger.explain([["the", "cat"]]).rows()
    dicts = [[{"word": "the", "length": 3.0}, {"word": "dog", "last": True}]] * 4
    crf = SequenceTagger(min_updates=1, names=True).fit(dicts, [["D", "N"]] * 4, dev=(dicts, [["D", "N"]] * 4))
    assert_type(crf.predict(dicts), list[list[str]])
    assert_type(crf.classes_, list[str])
    assert_type(crf.state_features_, dict[tuple[str, str], float])
    lists = [[["w=the"], ["w=dog", "last"]]] * 4
    assert SequenceTagger(min_updates=1).fit(lists, [["D", "N"]] * 4).predict(lists)


def classify(folder: Path) -> None:
    """Texts, dicts and matrices."""
    texts, labels = ["good fun", "bad", "great fun", "dull"] * 4, ["+", "-", "+", "-"] * 4
    classifier = Classifier(min_updates=1, ngrams=2).fit(texts, labels, sample_weight=[1.0] * 16)
    assert_type(classifier, Classifier)
    assert classifier.predict(["fun"]) == ["+"]
    assert classifier.classes_.tolist() == ["+", "-"]
    assert classifier.decision_function(texts).shape == (16,)
    assert classifier.calibrate(texts, labels).predict_proba(texts).shape == (16, 2)
    assert_type(classifier.score(texts, labels), float)
    assert classifier.save(folder / "c.sap")
    assert_type(Classifier.load(folder / "c.sap"), Classifier)
    assert Classifier(min_updates=1).partial_fit([{"f": 1.0}, {"g": "x"}], [0, 1]).predict([{"f": 1.0}]) == [0]
    model = PerceptronClassifier(min_updates=1, early_stopping=False, random_state=0).fit([[0.0], [1.0]], [0, 1])
    assert_type(model, PerceptronClassifier)
    assert model.predict([[1.0]]).tolist() == [1]
    assert model.save(folder / "m.sap")
    assert_type(PerceptronClassifier.load(folder / "m.sap"), PerceptronClassifier)


def parse(folder: Path) -> None:
    """Trees, and what is compared."""
    words = [[("a", "DT", "DET", "_"), ("dog", "NN", "NOUN", "_")]] * 4
    parser = DependencyParser(beam=1)
    assert_type(parser.fit(words, [([2, 0], ["det", "root"])] * 4), DependencyParser)
    [tree] = parser.predict([[("a", "DT", "DET", "_"), ("dog", "NN", "NOUN", "_")]])
    assert (tree.heads, tree.deprels) == ([2, 0], ["det", "root"])
    assert parser.save(folder / "p.sap")
    model = sapwood.load(folder / "p.sap")
    assert isinstance(model, Model)
    if isinstance(model, DependencyParser):
        assert model.predict([[("a", "DT", "DET", "_"), ("dog", "NN", "NOUN", "_")]]) == [tree]
    (folder / "t.mrg").write_text("(TOP (S (N a) (V b)))\n" * 2)
    assert_type(PhraseParser().fit(folder / "t.mrg"), PhraseParser)
    assert TreeKernel(decay=0.5)(["(S (N a))"]).shape == (1, 1)
    assert SubsequenceKernel(length=2)(["a b"]).shape == (1, 1)
    assert PolynomialKernel(degree=2)([{"a": 1.0}]).shape == (1, 1)
    assert Reranker(epochs=2).get_params()["epochs"] == 2
    assert WordClusterer(classes=2) is not None


def refuse() -> None:
    """What goes wrong is one of few errors."""
    try:
        Classifier(epochs=0).fit(["a"], ["b"])
    except OptionError as error:
        assert_type(error, OptionError)
    except SapwoodError:
        raise


def use(folder: Path) -> None:
    """Run all of it."""
    readme()
    tag(folder)
    classify(folder)
    parse(folder)
    refuse()
