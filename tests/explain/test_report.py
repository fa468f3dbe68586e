"""Reports: errors are grouped as by hand, reasons are those of the errors, and no text gets out of the page."""

import doctest
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from parsers import Made
from reranking import attachments
from reviews import TEXTS, fasttext
from tiny import TINY_CORPUS, TINY_TEMPLATE

import sapwood
from sapwood import (
    Classifier,
    DataError,
    DependencyParser,
    Lemmatizer,
    OptionError,
    PhraseParser,
    Pipeline,
    Reranker,
    Segmenter,
    SequenceTagger,
    Splitter,
)
from sapwood._core import Documents
from sapwood.cli import run
from sapwood.datasets.treebank import generate
from sapwood.events import EpochDone
from sapwood.explain import report
from sapwood.explain import scores as report_parts
from sapwood.explain.collecting import section_of
from sapwood.explain.page import html_report
from sapwood.explain.scores import _reliability
from sapwood.io.lists import format_list
from sapwood.model.answers import Answers
from sapwood.tasks.parsing.answers import bracket_answers
from sapwood.tasks.ranking.model import choice_answers

HOSTILE = "</svg></mark><script>alert(1)</script>\"'&<img src=x onerror=alert(1)>\x1b\u202e"


class Page(HTMLParser):
    """A page as a browser takes it: tags, their attributes, text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.text = Counter(), Counter(), [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        self.attributes.update(name for name, _ in attributes)
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags[tag] += 1
        self.attributes.update(name for name, _ in attributes)

    def handle_endtag(self, tag):
        while self.open[-1] in ("html",) and tag != "html":
            self.open.pop()
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def page_of(found):
    text = "".join(html_report(found))
    page = Page(text)
    assert not {"script", "img", "link", "iframe", "object"} & page.tags.keys()
    assert not any(name.startswith("on") or name in ("src", "srcset", "data") for name in page.attributes)
    assert set(re.findall(r"https?://[^\"' <]*", text)) <= {"http://www.w3.org/2000/svg"}
    assert "url(" not in text
    assert "@import" not in text
    return page


def columns(corpus):
    return "\n\n".join("\n".join(" ".join(token) for token in sentence) for sentence in corpus) + "\n"


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebank")
    for name, sentences, seed in (("train", 150, 1), ("test", 60, 2)):
        text = "".join(s.conllu(f"s{k}", "attached") for k, s in enumerate(generate(sentences, seed)))
        odd = "s" if name == "test" else ""  # so that there are wrong lemmas
        text = re.sub(
            r"(?m)^(\d+\t)(\S+)\t_", lambda m, odd=odd: f"{m[1]}{m[2]}\t{m[2].lower().removesuffix(odd)}", text
        )
        (folder / f"{name}.conllu").write_text(text)
        (folder / f"{name}.mrg").write_text("".join(s.bracketed() + "\n" for s in generate(sentences, seed)))
        rows = re.sub(r"(?m)^(#.*|\d+-.*)\n", "", text)
        (folder / f"{name}.txt").write_text(re.sub(r"(?m)^\d+\t(\S+)\t\S+\t(\S+)\t.*$", r"\1 \2", rows))
    return folder


@pytest.fixture(scope="module")
def models(treebank):
    train = treebank / "train.conllu"
    texts, gold = [text for _, text in TEXTS], [label for label, _ in TEXTS]
    makers = {
        "tagger": lambda: SequenceTagger(template="pos", epochs=1).fit(treebank / "train.txt"),
        "iobes": lambda: SequenceTagger(template=TINY_TEMPLATE, encoding="iobes", epochs=1, min_updates=1).fit(
            [[tuple(line.split()) for line in part.split("\n") if line] for part in TINY_CORPUS.split("\n\n")]
        ),
        "beam": lambda: DependencyParser(epochs=1, beam=2, min_updates=2).fit(train),
        "eisner": lambda: DependencyParser(search="eisner", epochs=1, min_updates=2).fit(train),
        "easy-first": lambda: DependencyParser(search="easy-first", epochs=1, min_updates=2).fit(train),
        "lemmatizer": lambda: Lemmatizer(epochs=1).fit(train),
        "pipeline": lambda: Pipeline(beam=2, parts=["segment", "tag", "lemmatize", "parse"]).fit(train),
        "classifier": lambda: Classifier(min_updates=1, epochs=1).fit(texts, gold),
        "voted": lambda: Classifier(voted=True, epochs=1, min_updates=1).fit(texts, gold),
        "segmenter": lambda: Segmenter(epochs=1).fit(train),
        "splitter": lambda: Splitter(epochs=1).fit(train),
        "grammar": lambda: PhraseParser().fit(treebank / "train.mrg"),
        "reranker": lambda: Reranker(epochs=1).fit(attachments(20, seed=1)),
        "dual": lambda: Reranker(epochs=1, kernel="tree", voted=True).fit(attachments(20, seed=1)),
    }
    return Made(lambda kind: makers[kind]())


@pytest.fixture(scope="module")
def gold_files(treebank):
    (treebank / "chunks.txt").write_text(TINY_CORPUS.replace("B-NP", "I-NP"))
    swapped = [(TEXTS[-k - 1][0], text) for k, (_, text) in enumerate(TEXTS)]
    (treebank / "reviews.txt").write_text(fasttext(swapped))
    special = {"tagger": "test.txt", "iobes": "chunks.txt", "classifier": "reviews.txt", "voted": "reviews.txt"}
    lists = [each for each in attachments(60, seed=2) if each.candidates[0].loss]  # the base model's first is wrong
    for each in lists[::2]:  # and here nobody can know
        for candidate in each.candidates:
            candidate.loss = 2.0 - candidate.loss
    (treebank / "lists.jsonl").write_text("".join(map(format_list, lists)))
    special |= {"grammar": "test.mrg", "reranker": "lists.jsonl", "dual": "lists.jsonl"}
    return {name: treebank / special.get(name, "test.conllu") for name in KINDS}


KINDS = ["tagger", "iobes", "beam", "eisner", "easy-first", "lemmatizer", "pipeline", "classifier", "voted"]


KINDS += ["segmenter", "splitter", "grammar", "reranker", "dual"]


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_model_has_a_page(kind, models, gold_files):
    found = report(models[kind], gold_files[kind], models[kind])
    assert sum(section.errors for section in found.sections) > 0
    page = page_of(found)
    for section in found.sections:
        assert section.changes.fixed == section.changes.broken == 0
        if section.errors:
            assert section.aspects[0].groups[0].examples
            assert f"{section.errors:,} errors in {section.decisions:,}" in page.text


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", KINDS)
def test_reasons_are_those_of_the_errors(kind, models, gold_files):
    sections = report(models[kind], gold_files[kind]).sections
    for section in sections:
        first = [group.examples[0] for aspect in section.aspects for group in aspect.groups]
        if kind in ("voted", "dual", "grammar"):
            assert not any(example.reason for example in first)
            continue
        for example in first:
            reason = example.reason
            assert reason is not None
            assert f"{reason['sentence']}" == example.place.split()[1]
            if kind in ("tagger", "classifier"):
                assert (reason["chosen"], reason["against"]) == (example.guess, example.gold)
            if kind not in ("classifier", "reranker"):
                assert example.words[example.marked.start] == reason["word"] or not reason["word"]


def test_constituents_are_those_of_gold_with_the_category_that_the_guess_has():
    gold = ["(S (NP (DT the) (NN dog)) (VP (VB saw) (NP (NP (NN it)) (PP (IN in) (NN may)))))"]
    guess = ["(S (NP (DT the) (NN dog)) (VP (VB saw) (NX (NN it)) (PP (IN in) (NN may))))"]
    found = bracket_answers(gold, guess)
    assert [(g, h, at) for [g], [h], at in zip(found.gold, found.guess, found.marked, strict=True)] == [
        ("S", "S", range(6)),
        ("NP", "NP", range(2)),
        ("VP", "VP", range(2, 6)),
        ("NP", "no constituent", range(3, 6)),
        ("NP", "NX", range(3, 4)),
        ("PP", "PP", range(4, 6)),
    ]
    section = section_of(found)
    assert (section.errors, section.decisions) == (2, 6)
    assert "<mark>it in may</mark>" in "".join(html_report(report_parts.Page("", [], "", [section])))


def test_choices_of_a_reranker_are_ranks_and_any_of_the_best_is_right():
    lists = attachments(6, seed=3)
    losses = [[c.loss for c in each.candidates] for each in lists]
    losses[0] = [1.0, 1.0]  # either is right
    found = choice_answers(lists, losses, [1] * len(lists), None)
    for number, (loss, gold, guess) in enumerate(zip(losses, found.gold, found.guess, strict=True)):
        assert (gold == guess) == (loss[1] == min(loss)), number
        assert gold == ["rank 1" if loss[0] <= loss[1] else "rank 2"]
    [what, _] = found.properties
    assert {v for [values] in what.values for v in values} <= {"the base model's first was the best, and was left"}


def test_the_learning_curve_is_that_of_training(treebank):
    train, test = treebank / "train.txt", treebank / "test.txt"
    seen = []
    tagger = SequenceTagger(template="pos", epochs=3).fit(train, dev=test, on_event=seen.append)
    scores = [event.dev_score for event in seen if isinstance(event, EpochDone)]
    page = report(tagger, test)
    kept = tagger.model_.provenance["best_epoch"]
    assert page.curves == [("the model", [round(score, 4) for score in scores], kept)]
    assert f"the model: {scores[kept - 1]:.2f} after {kept} of 3 epochs" in "".join(html_report(page))
    for lie in (0, 4, "3", None):
        tagger.model_.provenance["best_epoch"] = lie
        assert report(tagger, test).curves == []
    tagger.model_.provenance["best_epoch"] = 1
    for lie in ("<b>", None, 10**400, float("nan")):  # of a file that lies
        tagger.model_.provenance |= {"dev_scores": [1.0, lie], "dev_score": lie, "tokens": []}
        assert report(tagger, test).curves == []


def test_places_of_a_text_are_named(models, gold_files):
    [answers] = models["segmenter"]._answers(gold_files["segmenter"])
    assert {label for labels in answers.gold for label in labels} <= {"nothing", "a token", "a sentence"}
    pairs = enumerate(zip(answers.gold, answers.guess, strict=True))
    s, t = next((s, t) for s, (gold, guess) in pairs for t, y in enumerate(gold) if y != guess[t])
    [reason] = answers.reasons([(s, t)])
    assert (reason["chosen"], reason["against"]) == (answers.guess[s][t], answers.gold[s][t])
    assert reason["word"] == answers.words[s][t] and "|" in reason["word"]


def test_documents_have_their_words_and_their_marked_one():
    data = Documents.build([("good fun", None, "+", [], 0), (["a", "dull", "day"], 1, "-", [], 0)], 1, 0, "x")
    assert [data.words(k) for k in range(2)] == [["good", "fun"], ["a", "dull", "day"]]
    assert [data.marked(k) for k in range(2)] == [None, 1]
    with pytest.raises(IndexError):
        data.words(2)


def test_hostile_text_stays_text(models, treebank, tmp_path):
    word = HOSTILE.replace(" ", "")
    labels = ["NOUN", word]
    path = tmp_path / "gold.txt"
    path.write_text("".join(f"{word} {label}\nruns VERB\n\n" for label in labels for _ in range(3)))
    page = page_of(report(models["tagger"], path, names=(HOSTILE, "")))
    assert "alert(1)" in page.text
    assert "\x1b" not in page.text
    conllu = f"1\t{word}\t_\tNOUN\tNN\t_\t2\t{word}\t_\t_\n2\truns\t_\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "gold.conllu").write_text(conllu * 3)
    page = page_of(report(models["beam"], tmp_path / "gold.conllu"))
    assert page.tags["svg"] >= 2


def test_the_command_line_writes_reports(models, treebank, tmp_path, capsys):
    model, other, page = tmp_path / "a.sap", tmp_path / "b.sap", tmp_path / "report.html"
    models["tagger"].save(model)
    sapwood.SequenceTagger(template="U00:%x[0,0]\n", epochs=1).fit(treebank / "train.txt").save(other)
    command = ["report", str(model), str(treebank / "test.txt"), "-o", str(page)]
    assert run([*command, "--against", str(other), "--train", str(treebank / "train.txt")]) == 0
    first = page.read_bytes()
    text = Page(first.decode()).text
    assert "Sign test: p" in text
    assert "Beside the other model" in text
    assert run([*command, "--against", str(other), "--train", str(treebank / "train.txt"), "--threads", "2"]) == 0
    assert page.read_bytes() == first
    assert run(["report", str(model), str(treebank / "test.txt")]) == 2
    assert "-o" in capsys.readouterr().err


def test_what_cannot_be_reported_is_refused(models, treebank, tmp_path):
    with pytest.raises(OptionError, match="cannot be compared"):
        report(models["lemmatizer"], treebank / "test.conllu", models["beam"])
    (tmp_path / "reviews.txt").write_text(fasttext(TEXTS))
    with pytest.raises(OptionError, match="not of examples"):
        report(models["classifier"], tmp_path / "reviews.txt", train=treebank / "train.txt")
    (tmp_path / "words.txt").write_text("only\nwords\n")
    with pytest.raises(DataError):
        report(models["tagger"], tmp_path / "words.txt")


def test_examples_of_the_page_are_right():
    page = Path(__file__).parents[2] / "docs" / "report.md"
    if not page.is_file():
        pytest.skip("the documentation is not here")
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@pytest.mark.filterwarnings("ignore:nearly")
def test_the_page_of_a_calibrated_classifier_says_how_far_its_confidences_can_be_trusted():
    texts, labels = [text for text, _ in TEXTS], [label for _, label in TEXTS]
    classifier = Classifier(min_updates=1, epochs=3).fit(texts, labels)
    assert [each.confidences for each in classifier._answers(texts, labels)] == [None]
    classifier.calibrate(texts, labels)
    [found] = classifier._answers(texts, labels)
    sure = classifier.predict_proba(texts).max(axis=1).tolist()
    assert found.confidences == [[p] for p in sure]
    tables = section_of(found).tables
    [table] = [each for each in tables if each.caption.startswith("How far confidences can be trusted")]
    assert sum(row[1] for row in table.rows[1:-1]) == len(texts) and table.rows[-1][0] == "the surest 90 %"


def test_confidences_in_sets_of_labels_are_those_of_each_label_given_or_not():
    texts = [text for text, _ in TEXTS]
    labels = [[label] if k % 2 else [label, "odd"] for k, (_, label) in enumerate(TEXTS)]
    classifier = Classifier(min_updates=1, epochs=3, multi_label=True).fit(texts, labels).calibrate(texts, labels)
    gold = [[*labels[0], "unknown"], *labels[1:]]
    [found] = classifier._answers(texts, gold)
    probabilities = classifier.predict_proba(texts)
    place = {label: y for y, label in enumerate(classifier.classes_)}
    for k, (said, sure) in enumerate(zip(found.sets.guess, found.confidences, strict=True)):
        for name, p in zip(found.sets.names, sure, strict=True):
            if name == "unknown":
                assert p != p
            else:
                has = probabilities[k, place[name]]
                assert p == pytest.approx(has if name in said else 1 - has)
    [table] = [each for each in section_of(found).tables if each.caption.startswith("How far")]
    assert sum(row[1] for row in table.rows[1:-1]) == len(texts) * len(place)


@pytest.mark.parametrize("count", [1, 2, 3, 43, 109])
@pytest.mark.parametrize("tenth", range(10))
def test_a_row_of_confidences_is_called_after_its_decisions(tenth, count):
    """The mean of three confidences of 0.7 is a little less than 0.7."""
    answers = Answers("labels", "example", [[]] * count, [["a"]] * count, [["a"]] * count, lambda places: [])
    table = _reliability(answers, [[tenth / 10]] * count)
    named = int(tenth / 10 * 10) / 10
    assert table.rows[1][:3] == [f"{named:.1f} to {named + 0.1:.1f}", count, count]
