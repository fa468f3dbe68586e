"""``sapwood train entities``: texts with spans in, a pipeline out that finds spans in raw text."""

import json
import warnings

import pytest
from named_texts import records, write

import sapwood
from sapwood import Pipeline
from sapwood.errors import DataError, ModelError, OptionError

pytestmark = pytest.mark.filterwarnings("ignore:.* stand in the training data:sapwood.SapwoodWarning")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spans")
    return write(folder / "train.jsonl", records(150, 1)), write(folder / "dev.jsonl", records(60, 2))


@pytest.fixture(scope="module", params=["auto", "none"])
def model(request, files, tmp_path_factory):
    base = None if request.param == "none" else request.param
    path = tmp_path_factory.mktemp("model") / "names.sap"
    Pipeline(base=base).fit(files[0], dev=files[1]).save(path)
    return path


def test_texts_of_a_known_language_are_cut_and_tagged_by_its_pipeline(model):
    found, has_tags = sapwood.load(model), "tag" in sapwood.load(model).parts
    assert found.parts == (["segment", "tag", "entities"] if has_tags else ["segment", "entities"])
    [remark] = found.contents.remarks
    assert remark == (
        "tokens or tags are those of the pipeline en" if has_tags else "names go by words alone, without tags"
    )
    if has_tags:
        text = "Ada isn't here. Is she?"
        [ours], [theirs] = (list(nlp.pipe([text])) for nlp in (found, sapwood.load("en")))
        assert [(t.text, t.upos, t.start) for t in ours] == [(t.text, t.upos, t.start) for t in theirs]


def test_records_come_back_with_offsets_of_characters(model, tmp_path, run_cli):
    rows = [
        {"text": "\N{PARTY POPPER} Then Ada Lovelace went to Rome.", "id": 5, "more": [None]},
        {"text": "", "id": 6},
    ]
    run = run_cli(["annotate", model, write(tmp_path / "in.jsonl", rows), "--to", "jsonl"])
    found = [json.loads(line) for line in run.out.splitlines()]
    assert [{name: row[name] for name in ("text", "id")} for row in found] == [
        {name: row[name] for name in ("text", "id")} for row in rows
    ]
    assert found[0]["more"] == [None]
    assert [(e["label"], rows[0]["text"][e["start"] : e["end"]]) for e in found[0]["entities"]] == [
        ("PER", "Ada Lovelace"),
        ("LOC", "Rome"),
    ]
    assert found[1]["entities"] == []


def test_eval_scores_spans_by_label(model, files, run_cli, tmp_path):
    run = run_cli(["eval", model, files[1], "--json", tmp_path / "scores.json"])
    assert run.status == 0, run.err
    [scores] = json.loads((tmp_path / "scores.json").read_text())["rows"]
    assert scores["f1"] > 95
    gold = [span["label"] for row in records(60, 2) for span in row["spans"]]
    assert {label: each["gold"] for label, each in scores["labels"].items()} == {
        label: gold.count(label) for label in ("LOC", "PER")
    }
    assert [line.split()[:2] for line in run.out.splitlines()[3:]] == [
        ["all", str(len(gold))],
        ["LOC", str(gold.count("LOC"))],
        ["PER", str(gold.count("PER"))],
    ]


def test_a_wrong_offset_counts_as_wrong(model, tmp_path):
    text = "Then Ada Lovelace went to Rome."
    gold = [{"start": 5, "end": 17, "label": "PER"}, {"start": 26, "end": 28, "label": "LOC"}]
    report = sapwood.load(model).evaluate(write(tmp_path / "gold.jsonl", [{"text": text, "spans": gold}]))
    assert (report.gold, report.guessed, report.correct) == (2, 2, 1)


def test_what_annotate_writes_is_learned_from(model, files, tmp_path, run_cli):
    silver = tmp_path / "silver.jsonl"
    silver.write_text(run_cli(["annotate", model, files[1], "--to", "jsonl"]).out, encoding="utf-8")
    rows = [json.loads(line) for line in silver.read_text(encoding="utf-8").splitlines()]
    write(silver, [{name: row[name] for name in ("text", "entities")} for row in rows])
    again = Pipeline().fit(silver)
    assert again.labels_ == [] and again.evaluate(files[1]).f1 > 90


def test_words_alone_find_names_in_scripts_without_spaces(tmp_path):
    rows = [
        {
            "text": f"{who}は{where}に住んでいます。",
            "spans": [[0, len(who), "PER"], [len(who) + 1, len(who) + 1 + len(where), "LOC"]],
        }
        for who in ("田中", "山田太郎", "鈴木", "佐藤花子")
        for where in ("東京", "大阪", "京都市", "札幌")
    ]
    nlp = Pipeline().fit(write(tmp_path / "ja.jsonl", rows))
    assert nlp.parts == ["segment", "entities"]
    assert [(e.text, e.label, e.start) for e in nlp("山田太郎は京都市に住んでいます。").entities] == [
        ("山田太郎", "PER", 0),
        ("京都市", "LOC", 5),
    ]


def test_faults_are_said_once_with_their_number(tmp_path, run_cli, files):
    rows = records(40, 3)
    warnings.simplefilter("always")
    for row in rows:
        row["spans"] = [{**span, "end": span["end"] - 1} for span in row["spans"]]
    run = run_cli(["train", "entities", write(tmp_path / "off.jsonl", rows), "-o", tmp_path / "m.sap", "-q"])
    spans = sum(len(row["spans"]) for row in rows)
    assert run.status == 0
    [line] = run.err.splitlines()
    assert "off.jsonl:" in line and "inside of a token, and is widened" in line and f"(so {spans:,} times)" in line
    assert sapwood.load(tmp_path / "m.sap").evaluate(files[1]).f1 > 90


def test_a_base_is_named_kept_and_checked(files, tmp_path, run_cli):
    model = Pipeline(base="de").fit(files[0])
    assert model.model_.options["base"] == "de"
    Pipeline(parts=["segment", "entities"], base=None).fit(files[0]).save(tmp_path / "names.sap")
    with pytest.raises(ModelError, match="a base cuts texts and tags words; this one has segment, entities"):
        Pipeline(base=tmp_path / "names.sap").fit(files[0])
    run = run_cli(["train", "entities", files[0], "-o", tmp_path / "m.sap", "--base", "nowhere"])
    assert (run.status, "nowhere: there is no such file" in run.err) == (1, True)


def test_treebanks_without_tags_have_names_by_the_same_door(tmp_path, files):
    nlp = Pipeline(base=None).fit(files[0])
    treebank = nlp.fill(nlp("Then Ada Lovelace went to Rome.").to_conllu().encode())
    path = tmp_path / "names.conllu"
    path.write_bytes(treebank * 20)
    names = Pipeline(parts=["segment", "tag", "entities"]).fit(path)
    assert names.parts in (["segment", "tag", "entities"], ["segment", "entities"])
    assert [e.text for e in names("Then Ada Lovelace went to Rome.").entities] == ["Ada Lovelace", "Rome"]


@pytest.mark.slow
@pytest.mark.parametrize("base", ["auto", None])
def test_names_are_made_smaller_and_the_base_stays(files, base):
    model = Pipeline(base=base).fit(files[0])
    small = model.shrink(files[0], below=0.1)
    assert small.parts == model.parts
    sizes = [each.model_.parts["entities"].weight_bytes() for each in (small, model)]
    assert sizes[0] < sizes[1]
    assert small.evaluate(files[1]).f1 > 90
    if base == "auto":
        assert small.models_["tagger"].model_.dump() == model.models_["tagger"].model_.dump()


@pytest.mark.slow
def test_suspects_are_those_of_a_model_like_another(files, tmp_path, run_cli):
    Pipeline().fit(files[0]).save(tmp_path / "names.sap")
    runs = [run_cli(["suspects", files[1], "-q", *like]) for like in ([], ["--like", tmp_path / "names.sap"])]
    assert [run.status for run in runs] == [0, 0]
    assert runs[0].out == runs[1].out


def test_files_of_names_are_not_for_spans(files):
    with pytest.raises(OptionError, match="names are for treebanks"):
        Pipeline(names=["names.iob2"]).fit(files[0])


def test_names_of_a_model_with_tags_need_tags():
    with pytest.raises(OptionError, match="add the part tag"):
        sapwood.load("en").only("segment", "entities")


def test_a_model_without_names_has_no_spans(files):
    with pytest.raises(ModelError, match="finds no names; its parts are segment, tag"):
        sapwood.load("en").only("segment", "tag").evaluate(files[1])


def test_a_docbin_of_spacy_is_named(tmp_path, run_cli):
    (tmp_path / "train.spacy").write_bytes(b"x\x9c\0\0")
    run = run_cli(["train", "entities", tmp_path / "train.spacy", "-o", tmp_path / "m.sap"])
    assert (run.status, "a DocBin of spaCy teaches the component" in run.err) == (1, True)


def test_a_folder_without_annotations_is_refused(tmp_path, run_cli):
    (tmp_path / "a.txt").write_text("Ada")
    run = run_cli(["train", "entities", tmp_path, "-o", tmp_path.parent / "m.sap"])
    assert (run.status, "no file in this folder is called .ann" in run.err) == (1, True)


@pytest.mark.parametrize("rows", [[{"text": "", "spans": []}], [{"text": "Ada went.", "spans": []}] * 2])
def test_training_says_that_there_are_no_spans(tmp_path, rows):
    with pytest.raises(DataError, match=r"none\.jsonl:1: from here on no text has a span"):
        Pipeline().fit(write(tmp_path / "none.jsonl", rows))


def test_training_says_that_nothing_is_annotated(tmp_path):
    with pytest.raises(DataError, match="no text in it is annotated"):
        Pipeline().fit(write(tmp_path / "none.jsonl", [{"text": "Ada", "spans": None}]))
