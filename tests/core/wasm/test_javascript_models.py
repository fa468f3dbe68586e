"""Explanations, confidences, classifiers, taggers and streams in JavaScript: the answers are those of Python."""

import json
from itertools import pairwise

import pytest
from javascript import EN, MISSING, SCALE, answers_of, in_batches, random_texts, raw_texts
from named_texts import noisy, records, write
from treebanks import ONE_EPOCH, treebank

import sapwood
from sapwood import Classifier, DependencyParser, ModelError, OptionError, Pipeline, SequenceTagger
from sapwood.model.explanation import question
from sapwood.model.file.bundled import FOLDER

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)
TEXT = "Ada Lovelace wrote it. Don't go to London!"


@pytest.fixture(scope="module")
def english():
    return sapwood.load("en")


def explained(model, data, **asked):
    """The explanations of Python, as objects."""
    part = asked.pop("part", "")
    more = {"part": part} if part else {}
    blocks = model.reasons.of_bytes(data.encode(), "text", question(**asked), **more)
    return [json.loads(line) for block in blocks for line in block.splitlines()]


def test_explanations_are_those_of_python(english):
    texts = [TEXT, *(text[:3_000] for text in raw_texts()), *random_texts(20)]
    texts = [text for text in texts if english(text).sentences]
    answers = answers_of([{"model": EN, "text": text, "explain": {}} for text in texts])
    for text, answer in zip(texts, answers, strict=True):
        assert answer == explained(english, text)


@pytest.mark.slow
def test_random_texts_have_the_documents_confidences_and_reasons_of_python(english):
    for texts in in_batches(random_texts(1_000 * SCALE), 250):
        asked = {"analysis": {"confidence": True}, "options": {"offsets": "code points"}}
        answers = answers_of([{"model": EN, "text": text, **asked} for text in texts])
        for text, answer in zip(texts, answers, strict=True):
            doc = english(text, confidence=True)
            assert answer["conllu"] == doc.to_conllu()
            assert answer["sentences"] == [json.loads(line) for line in doc._core.to_json_lines(0).splitlines()]
        texts = [text for text in texts if english(text).sentences]
        for text, answer in zip(
            texts, answers_of([{"model": EN, "text": text, "explain": {}} for text in texts]), strict=True
        ):
            assert answer == explained(english, text)


def test_there_is_nothing_to_explain_in_a_text_without_words():
    assert answers_of([{"model": EN, "text": " \n", "explain": {}}]) == [[]]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOLDER.glob("??.sap")), ids=lambda path: path.stem)
def test_each_bundled_pipeline_says_what_it_says_in_python(path):
    model = sapwood.load(path)
    texts = [*raw_texts(f"languages/{path.stem}/*test*"), *random_texts(1000)]
    options = {"options": {"offsets": "code points"}, "analysis": {"confidence": model.confidence.calibrated}}
    answers = answers_of([{"model": str(path), "text": text, **options} for text in texts])
    for text, answer in zip(texts, answers, strict=True):
        assert answer["conllu"] == model(text, confidence=model.confidence.calibrated).to_conllu()
    shorter = [text[:2_000] for text in texts[:50] if model(text[:2_000]).sentences]
    answers = answers_of([{"model": str(path), "text": text, "explain": {}} for text in shorter])
    assert answers == [explained(model, text) for text in shorter]


@pytest.mark.parametrize(
    "asked",
    [
        {"sentence": 2},
        {"sentence": 2, "token": 2},  # n't, a part of a token
        {"token": 1, "against": "NOUN NN"},
        {"against": "0"},
        {"part": "segmenter", "sentence": 1, "token": 3},
        {"part": "parser", "token": 3, "against": "shift"},
        {"part": "splitter"},
    ],
)
def test_a_question_has_the_same_answers_as_in_python(english, asked):
    [answer] = answers_of([{"model": EN, "text": TEXT, "explain": asked}])
    assert answer == explained(english, TEXT, **asked)
    assert answer or "against" in asked


@pytest.mark.parametrize(
    "asked", [{"sentence": 9}, {"against": "no such answer"}, {"part": "no"}, {"part": "splitter", "sentence": 7}]
)
def test_a_question_that_cannot_be_answered_is_refused_in_the_words_of_python(english, asked):
    [refused] = answers_of([{"model": EN, "text": TEXT, "explain": asked}])
    with pytest.raises(OptionError) as error:
        explained(english, TEXT, **asked)
    assert (refused["name"], refused["error"]) == ("OptionError", str(error.value))


def test_confidences_are_those_of_python(english):
    texts = [TEXT, *raw_texts(), *random_texts(50)]
    sure = {"analysis": {"confidence": True}, "options": {"offsets": "code points"}}
    answers = answers_of([{"model": EN, "text": text, **sure} for text in texts])
    for text, answer in zip(texts, answers, strict=True):
        doc = english(text, confidence=True)
        assert answer["conllu"] == doc.to_conllu()
        assert answer["sentences"] == [json.loads(line) for line in doc._core.to_json_lines(0).splitlines()]
    assert any("NameConfidence=" in answer["conllu"] for answer in answers)


def test_a_committee_votes_as_in_python(tmp_path):
    pipeline = Pipeline(parts=["segment", "tag", "parse"], committee="always")
    pipeline.fit(treebank(60, 1), model_options=ONE_EPOCH).calibrate(treebank(60, 2)).save(tmp_path / "vote.sap")
    model, texts = (
        sapwood.load(tmp_path / "vote.sap"),
        [TEXT, *(treebank(5, k).text().text.decode() for k in range(3, 6))],
    )
    path = str(tmp_path / "vote.sap")
    answers = answers_of([{"model": path, "text": text, "analysis": {"confidence": True}} for text in texts])
    assert [answer["conllu"] for answer in answers] == [model(text, confidence=True).to_conllu() for text in texts]
    answers = answers_of([{"model": path, "text": text, "explain": {}} for text in texts])
    assert answers == [explained(model, text) for text in texts]
    assert any("outvoted" in decision for answer in answers for decision in answer)


@pytest.mark.filterwarnings("ignore:.* training data:sapwood.SapwoodWarning")
def test_names_that_are_not_sure_enough_stand_apart_as_in_python(tmp_path):
    pipeline = Pipeline(base=None).fit(write(tmp_path / "train.jsonl", noisy(records(150, 1), 0.3, 1)))
    pipeline.calibrate(write(tmp_path / "dev.jsonl", noisy(records(200, 5), 0.2, 2)), coverage=0.5)
    path, texts = tmp_path / "names.sap", [row["text"] for row in records(60, 7)]
    pipeline.save(path)
    model = sapwood.load(path)
    for confidence in (False, True):
        asked = {"options": {"offsets": "code points"}, "analysis": {"confidence": confidence}}
        answers = answers_of([{"model": str(path), "text": text, **asked} for text in texts])
        docs = list(model.pipe(texts, confidence=confidence))
        assert [answer["conllu"] for answer in answers] == [doc.to_conllu() for doc in docs]
        assert [len(answer["entities"]) for answer in answers] == [len(doc.entities) for doc in docs]
    assert any(doc.abstained for doc in docs) and any(doc.entities for doc in docs)


def test_a_stream_is_read_in_parts_whatever_its_chunks_are(english):
    text = "Ada Lovelace wrote the first program.\r\nIt’s 😀 in London.\n\n" * 3_000
    assert len(text.encode()) > 2 << 16
    cuts = [*range(0, len(text), 7_001), len(text)]
    chunks = [text[a:b] for a, b in pairwise(cuts)]
    [docs] = answers_of([{"model": EN, "stream": chunks}])
    assert len(docs) > 1
    assert "".join(doc["text"] for doc in docs) == text
    assert "".join(doc["conllu"] for doc in docs) == english(text).to_conllu()
    units = text.encode("utf-16-le")
    for doc in docs:
        assert units[2 * doc["start"] :].startswith(doc["text"].encode("utf-16-le"))


@pytest.fixture(scope="module")
def taggers(tmp_path_factory, bank):
    """A tagger of words and their tags, its file, and sentences."""
    treebank = sapwood.io.conllu.read_treebank(bank / "train.conllu")
    words, tags, labels = (treebank.column(name) for name in ("form", "upos", "deprel"))
    rows = [list(zip(*sentence, strict=True)) for sentence in zip(words, tags, strict=True)]
    tagger = SequenceTagger(template="chunking", epochs=3, seed=7, search="viterbi").fit(rows[:60], labels[:60])
    tagger.calibrate(rows[60:], labels[60:])
    path = tmp_path_factory.mktemp("taggers") / "tagger.sap"
    tagger.save(path)
    return sapwood.load(path), str(path), [*rows[60:70], []]


def test_a_tagger_answers_as_in_python(taggers):
    tagger, path, rows = taggers
    asked = [("predict", [rows]), ("confidences", [rows]), ("explain", [rows, {"sentence": 2}])]
    labels, sure, why = answers_of([{"model": path, "method": name, "args": args} for name, args in asked])
    assert labels == tagger.predict(rows)
    assert sure == tagger.confidences(rows)
    assert why == [each.to_dict() for each in tagger.explain(rows, sentence=2)]
    assert why


def test_what_a_tagger_cannot_read_is_an_error(taggers):
    _, path, _ = taggers
    few, word, away = answers_of(
        [
            {"model": path, "method": "predict", "args": [[["Ada"]]]},
            {"model": path, "method": "predict", "args": [["Ada wrote"]]},
            {"model": path, "method": "explain", "args": [[[["Ada", "PROPN"]]], {"sentence": 2}]},
        ]
    )
    assert few["error"] == "input: sentence 1, token 1: it has 1 columns, and the model reads 2"
    assert (word["name"], word["error"]) == ("DataError", "a sentence is a list of tokens, not a string")
    assert (away["name"], away["error"]) == ("OptionError", "there is no sentence 2; there are 1")


REVIEWS = ["good fun", "dull and bad", "great fun", "bad", "good plot", "a dull plot", "great", "not good", "", "X"]
HELD_OUT = ["fun", "dull", "great plot", "bad fun", "good", "bad plot", "great", "not bad"]
GOLD = ["+", "-", "+", "-", "+", "-", "+", "-"]


def lines_of(model, texts):
    """The lines that `sapwood annotate` writes, each with all labels and scores behind it."""
    data = sapwood.tasks.classifying.data.examples_in(texts, None, model.params)
    best, scores = (model._scorer.lines(data, 1, top)[0].decode().splitlines() for top in (0, len(model.labels_)))
    return list(zip(best, scores, strict=True))


@pytest.fixture(params=["two", "three", "calibrated", "abstains", "several"])
def classifier(request, tmp_path):
    """A classifier of one of the kinds, and its file."""
    three = [*GOLD[:6], "o", "o"]
    if request.param == "two":
        model = Classifier(min_updates=1).fit(REVIEWS[:8], GOLD)
    elif request.param == "several":
        model = Classifier(min_updates=1, multi_label=True)
        model.fit(REVIEWS[:8], [[y] if k % 2 else [y, "even"] for k, y in enumerate(GOLD)])
    else:
        model = Classifier(min_updates=1).fit(REVIEWS[:8], three)
        if request.param != "three":
            model.calibrate(HELD_OUT, three, **({"precision": 0.99} if request.param == "abstains" else {}))
    model.save(tmp_path / "classifier.sap")
    return sapwood.load(tmp_path / "classifier.sap"), str(tmp_path / "classifier.sap")


def test_a_classifier_answers_as_in_python(classifier):
    model, path = classifier
    answers, why = answers_of(
        [
            {"model": path, "method": "predict", "args": [REVIEWS]},
            {"model": path, "method": "explain", "args": [REVIEWS]},
        ]
    )
    for answer, (best, scores) in zip(answers, lines_of(model, REVIEWS), strict=True):
        labels, number = best.split("\t")
        assert answer["labels"] == ([] if labels in ("_", "") else labels.split("|"))
        assert answer["label"] == (answer["labels"] or [None])[0]
        assert answer["confidence" if model._scorer.confidence.calibrated else "margin"] == float(number)
        cells = scores.split("\t")
        if scores == "_\t0":  # no feature is known
            assert answer["labels"] == []
            continue
        assert [each["label"] for each in answer["scores"]] == cells[::2]
        assert [each["score"] for each in answer["scores"]] == list(map(float, cells[1::2]))
    assert why == [each.to_dict() for each in model.explain(REVIEWS)]
    assert why


def test_a_classifier_is_asked_about_an_answer(classifier):
    model, path = classifier
    call = {"model": path, "method": "explain"}
    against, unknown, text, token = answers_of(
        [
            call | {"args": [REVIEWS, {"against": "+"}]},
            call | {"args": [REVIEWS, {"against": "no label"}]},
            call | {"args": [REVIEWS, {"sentence": 11}]},
            call | {"args": [REVIEWS, {"token": 2}]},
        ]
    )
    assert against == [each.to_dict() for each in model.explain(REVIEWS, against="+")]
    for refused, asked in ((unknown, {"against": "no label"}), (text, {"sentence": 11}), (token, {"token": 2})):
        with pytest.raises(OptionError) as error:
            model.explain(REVIEWS, **asked)
        assert (refused["name"], refused["error"]) == ("OptionError", str(error.value))


def test_what_only_python_can_use_is_refused(tmp_path, bank):
    Classifier(min_updates=1).fit([{"a": 1.0}, {"b": 2.0}], ["+", "-"]).save(tmp_path / "features.sap")
    Classifier(min_updates=1, voted=True).fit(REVIEWS[:8], GOLD).save(tmp_path / "voted.sap")
    parser = DependencyParser(min_updates=1, epochs=1, tags="predicted")
    parser.fit(bank / "train.conllu").save(tmp_path / "parser.sap")
    for answer in answers_of([{"model": str(path)} for path in sorted(tmp_path.glob("*.sap"))]):
        assert answer["name"] == ModelError.__name__
        assert "which JavaScript cannot use; it can" in answer["error"]


def test_a_model_without_confidences_says_so(classifier, tmp_path, taggers):
    tagger, _, rows = taggers
    plain = SequenceTagger(template="chunking", epochs=1).fit([row for row in rows if row], tagger.predict(rows)[:10])
    plain.save(tmp_path / "plain.sap")
    [refused] = answers_of([{"model": str(tmp_path / "plain.sap"), "method": "confidences", "args": [rows]}])
    with pytest.raises(ModelError) as error:
        plain.confidences(rows)
    assert refused["error"] == str(error.value)
