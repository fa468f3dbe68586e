"""Suspects: labels that were made wrong on purpose are found, first of all, in texts, tags, chunks and trees."""

import csv
import io
import json
import random

import pytest
from named_texts import records, write
from treebanks import treebank

from sapwood import Classifier, DataError, DependencyParser, Pipeline, SequenceTagger, suspects

WORDS = {"bug": ["crash", "error", "broken", "freeze"], "bill": ["refund", "invoice", "price", "charge"]}


def tickets(n, seed=1):
    generator = random.Random(seed)
    rows = []
    for k in range(n):
        label = ("bug", "bill")[k % 2]
        words = generator.sample(WORDS[label], 2) + generator.sample(["the", "my", "a", "it", "is", "now", "why"], 3)
        rows.append((f"{' '.join(words)} {k}", label))
    return rows


def with_mistakes(rows, wrong):
    return [(text, {"bug": "bill", "bill": "bug"}[y] if k in wrong else y) for k, (text, y) in enumerate(rows)]


def test_wrong_labels_of_texts_stand_first():
    wrong = {7, 30, 55, 81}
    texts, labels = zip(*with_mistakes(tickets(100), wrong), strict=True)
    found = suspects(Classifier(min_updates=1), texts, labels)
    assert {suspect.number for suspect in found[:4]} == wrong
    assert all((s.given, s.proposed) == (labels[s.number], {"bug": "bill", "bill": "bug"}[s.given]) for s in found)
    confidences = [suspect.confidence for suspect in found]
    assert confidences == sorted(confidences, reverse=True)
    assert 0.5 < confidences[0] <= 1
    assert found[0].text == texts[found[0].number]


def test_equal_texts_are_seen_by_no_model_that_judges_them():
    """A text that stands twice with the same wrong label would teach it to the model that looks at the other one."""
    rows = tickets(60)
    rows += [("crash error broken freeze the my now why a", "bill")] * 3
    found = suspects(Classifier(min_updates=1), *zip(*rows, strict=True))
    assert {60, 61, 62} <= {suspect.number for suspect in found}


def test_sets_of_labels():
    rows = tickets(80)
    sets = [[y, "long"] if k % 4 < 2 else [y] for k, (_, y) in enumerate(rows)]
    texts = [f"{text} long long" if "long" in labels else text for (text, _), labels in zip(rows, sets, strict=True)]
    sets[10] = ["bill", *sets[10]]
    found = suspects(Classifier(min_updates=1, multi_label=True), texts, sets)
    assert found[0].number == 10
    assert set(found[0].given.split("|")) == set(sets[10])
    assert "bill" not in found[0].proposed.split("|")


def test_too_few_examples_are_an_error():
    with pytest.raises(DataError, match="there are 4 different examples, too few for 5 folds"):
        suspects(Classifier(), ["a", "b", "c", "d"], ["x", "y", "x", "y"])


@pytest.fixture(scope="module")
def trees():
    return treebank(150, 1)


def test_a_wrong_tag_and_a_wrong_relation_are_among_the_first(trees):
    sentences = list(zip(trees.column("form"), trees.column("upos"), strict=True))
    wrong = next(k for k, tag in enumerate(sentences[40][1]) if tag == "PUNCT")
    tags = [list(each) for _, each in sentences]
    tags[40][wrong] = "DET"
    found = suspects(SequenceTagger(template="pos", min_updates=1), [words for words, _ in sentences], tags)
    number = sum(len(words) for words, _ in sentences[:40]) + wrong
    [suspect] = [each for each in found[:5] if each.number == number]
    assert (suspect.given, suspect.proposed, suspect.text) == ("DET", "PUNCT", sentences[40][0][wrong])
    deprels = [list(each) for each in trees.column("deprel")]
    at = next(k for k, relation in enumerate(deprels[20]) if relation == "det")
    deprels[20][at] = "obj"
    found = suspects(DependencyParser(beam=1, min_updates=1), trees.with_columns({"deprel": deprels}))
    number = sum(map(len, deprels[:20])) + at
    [first] = [each for each in found[: len(found) // 10] if each.number == number]
    assert (first.given.split()[1], first.proposed.split()[1]) == ("obj", "det")
    assert first.given.split()[0] == first.proposed.split()[0]


def test_a_wrong_chunk_is_one_suspect():
    generator = random.Random(2)
    sentences, labels = [], []
    for _ in range(60):
        name = generator.choice(["Ada Lovelace", "Alan Turing", "Grace Hopper"]).split()
        sentences.append(["yesterday", *name, "wrote", generator.choice(["code", "proofs"])])
        labels.append(["O", "B-PER", "I-PER", "O", "O"])
    labels[33] = ["O", "O", "O", "O", "O"]
    [first, *_] = suspects(SequenceTagger(template="pos", min_updates=1), sentences, labels)
    assert (first.number, first.given, first.proposed) == (33 * 5 + 1, "O O", "B-PER I-PER")
    assert first.text == " ".join(sentences[33][1:3])


# The command


@pytest.fixture
def folder(tmp_path, monkeypatch, trees):
    monkeypatch.chdir(tmp_path)
    rows = with_mistakes(tickets(100), {7, 30})
    records = [{"id": f"t{k}", "body": {"text": text}, "label": y} for k, (text, y) in enumerate(rows)]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (tmp_path / "t.txt").write_text("".join(f"__label__{y} {text}\n" for text, y in rows))
    (tmp_path / "t.conllu").write_bytes(trees.to_bytes())
    tokens = zip(trees.column("form"), trees.column("upos"), strict=True)
    (tmp_path / "tags.txt").write_text(
        "".join("".join(f"{word} {tag}\n" for word, tag in zip(*s, strict=True)) + "\n" for s in tokens)
    )
    return tmp_path


def test_the_surest_come_with_their_lines(run_cli, folder):
    run = run_cli("suspects t.txt --top 2")
    assert run.status == 0, run.err
    rows = [line.split("\t") for line in run.out.splitlines()]
    assert {row[0] for row in rows} == {"t.txt:8", "t.txt:31"}
    assert [len(row) for row in rows] == [5, 5]
    assert run.err.splitlines()[-1].endswith(" suspects")
    assert run_cli("suspects t.txt --top 2 -q").err == ""


def test_records_keep_their_members(run_cli, folder):
    run = run_cli("suspects t.jsonl --text body.text --top 2 --to jsonl -q")
    records = [json.loads(line) for line in run.out.splitlines()]
    assert {record["id"] for record in records} == {"t7", "t30"}
    assert list(records[0]) == ["id", "body", "label", "place", "given", "proposed", "confidence"]
    run = run_cli("suspects t.jsonl --text body.text --top 2 --to csv -q")
    header, *rows = csv.reader(io.StringIO(run.out))
    assert (header[0], len(rows)) == ("id", 2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:tags.txt. there are no tags")
def test_the_kind_of_data_is_told_or_that_of_a_model(run_cli, folder):
    assert run_cli("suspects t.conllu -q --folds 2 --top 1").status == 0
    found = run_cli("suspects tags.txt -q --folds 2")
    assert found.status == 0
    SequenceTagger(template="pos", epochs=1, min_updates=1).fit(folder / "tags.txt").save("m.sap")
    like = run_cli("suspects tags.txt --like m.sap -q --folds 2")
    assert like.status == 0
    assert like.out != found.out
    wrong = run_cli("suspects t.conllu --text body")
    assert (wrong.status, "this is no data of examples" in wrong.err) == (2, True)


def test_wrong_spans_stand_first_with_their_record_and_place(tmp_path, run_cli):
    rows, wrong = records(150, 1), set()
    for row in rows[::10]:
        for span in row["spans"][:1]:
            wrong.add((row["id"], span["start"], span["end"]))
            span["label"] = {"PER": "LOC", "LOC": "PER"}[span["label"]]
    path = write(tmp_path / "spans.jsonl", rows)
    found = suspects(Pipeline(base=None), path)
    first = {(s.record["id"], s.record["start"], s.record["end"]) for s in found[: len(wrong)]}
    assert len(first & wrong) > 0.8 * len(wrong)
    assert all(s.text == s.record["text"][s.record["start"] : s.record["end"]] for s in found)
    lines = [int(s.place.rpartition(":")[2]) for s in found]
    assert [rows[line - 1]["id"] for line in lines] == [s.record["id"] for s in found]
    run = run_cli(["suspects", path, "--to", "jsonl", "--top", 3, "-q"])
    written = [json.loads(line) for line in run.out.splitlines()]
    assert len(written) == 3
    assert all(rows[int(row["place"].rpartition(":")[2]) - 1]["source"] == row["source"] for row in written)
    assert all({"given", "proposed", "confidence", "start", "end"} < row.keys() for row in written)
    assert run_cli(["suspects", path, "--label", "x"]).status == 2


def test_records_with_labels_of_texts_are_no_spans(tmp_path, run_cli):
    rows = [{"text": text, "label": label} for text, label in tickets(40)]
    assert run_cli(["suspects", write(tmp_path / "texts.jsonl", rows), "-q"]).status == 0
