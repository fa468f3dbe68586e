"""Facts about models: of their files, of their training data, notes of one's own, and a table for notebooks."""

import hashlib
import json

import pytest
from reviews import TEXTS, fasttext

import sapwood
from sapwood import Classifier, OptionError
from sapwood.model.facts import file_facts, notes_of, training_facts


def reviews(texts=TEXTS[:40], **options):
    labels, bodies = zip(*texts, strict=True)
    return Classifier(min_updates=1, **options).fit(list(bodies), list(labels))


def test_the_checksum_is_that_of_the_file(tmp_path):
    path = tmp_path / "m.sap"
    size = reviews().save(path)
    assert file_facts(path) == {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": size}


def test_notes_are_kept_by_all_that_is_made_of_the_model(tmp_path):
    path = tmp_path / "m.sap"
    reviews().save(path, notes={"prompt": "v3", "who": "Ada"})
    loaded = sapwood.load(path)
    assert notes_of(loaded.model_) == {"prompt": "v3", "who": "Ada"}
    loaded.save(path, notes={"who": "", "run": "7"})
    kept = {"prompt": "v3", "run": "7"}
    again = sapwood.load(path)
    assert training_facts(again.model_)["notes"] == kept
    labels, others = zip(*TEXTS[40:], strict=True)
    assert notes_of(again.calibrate([f"{text} yes" for text in others], labels).model_) == kept


def test_a_smaller_model_has_the_notes_of_the_whole_one(tmp_path):
    (tmp_path / "r.txt").write_text(fasttext(TEXTS[:60]))
    model = Classifier(min_updates=1).fit(tmp_path / "r.txt")
    model.save(tmp_path / "m.sap", notes={"prompt": "v3"})
    small = sapwood.load(tmp_path / "m.sap").shrink(tmp_path / "r.txt", below=0.1)
    assert notes_of(small.model_) == {"prompt": "v3"}


@pytest.mark.parametrize("notes", [{"prompt": 3}, {"": "x"}, {7: "x"}])
def test_notes_are_texts(tmp_path, notes):
    with pytest.raises(OptionError, match="notes are texts"):
        reviews().save(tmp_path / "m.sap", notes=notes)
    assert not (tmp_path / "m.sap").exists()


def test_the_checksum_of_training_data_says_who_is_in_them():
    """What is asked of a model by law: without one customer it is another one, and with all of them the same again."""
    whole, again = training_facts(reviews().model_), training_facts(reviews().model_)
    without = training_facts(reviews(TEXTS[1:40]).model_)
    assert whole == again
    assert whole["data_checksum"] != without["data_checksum"]


def test_a_notebook_shows_what_the_model_is(tagger):
    table = tagger._repr_html_()
    assert "<td>tag</td>" in table
    assert f"{len(tagger.labels_)}: {' '.join(tagger.labels_)}" in table
    assert Classifier()._repr_html_() is None
    hostile = Classifier(min_updates=1).fit(["good", "bad"], ["<b>&", "y"])
    assert "&lt;b&gt;&amp;" in hostile._repr_html_()
    assert "<b>" not in hostile._repr_html_()


def test_train_and_inspect_show_notes_and_checksums(run_cli, tmp_path):
    (tmp_path / "r.txt").write_text(fasttext(TEXTS[:40]))
    path = tmp_path / "m.sap"
    run = run_cli(["train", "classify", tmp_path / "r.txt", "-o", path, "-q", "--note", "prompt=v3", "--note", "a=b=c"])
    assert (run.status, run.err) == (0, "")
    run = run_cli(["inspect", path, "--top", 0, "--json", tmp_path / "facts.json"])
    assert "notes     prompt=v3, a=b=c\n" in run.out
    [facts] = json.loads((tmp_path / "facts.json").read_text())["rows"]
    assert facts["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert facts["notes"] == {"prompt": "v3", "a": "b=c"}
    assert facts["data_checksum"] == facts["provenance"]["data_checksum"]
    assert facts["labels"] == ["+", "-", "neutral"]
    run = run_cli(["inspect", "--json", tmp_path / "facts.json"])
    assert (run.status, run.err) == (2, "sapwood: --json is about one model; name it\n")
    run = run_cli(["train", "classify", tmp_path / "r.txt", "-o", path, "-q", "--note", "prompt"])
    assert run.status == 2
    assert "'prompt' is not a name and a text, such as prompt=v3" in run.err


@pytest.mark.parametrize("notes", [("a=1", "a=2"), ("a=1", "b=2", "a=1"), ("a=1=2", "a=")])
def test_a_note_is_given_once_on_the_command_line(run_cli, tmp_path, notes):
    (tmp_path / "t.txt").write_text("__label__x good\n__label__y bad\n" * 3)
    flags = [each for note in notes for each in ("--note", note)]
    run = run_cli(["train", "classify", str(tmp_path / "t.txt"), "-o", str(tmp_path / "m.sap"), "-q", *flags])
    assert run.status == 2
    assert "--note" in run.err
    assert not (tmp_path / "m.sap").exists()
