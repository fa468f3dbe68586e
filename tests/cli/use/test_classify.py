"""train classify, classify, calibrate, eval and inspect from the command line."""

import json
import re
import signal
from pathlib import Path

import pytest
from processes import HANG, wait_for_work
from reviews import FORMATS, MARKED, TEXTS, fasttext, options_for
from scores import label_scores

import sapwood
from sapwood import Classifier

WORDS = "".join(f"{text}\n" for _, text in TEXTS)
VERBS = ["train classify", "classify", "calibrate"]


def flags(name):
    return f"--min-updates 1 --template {options_for(name)['template']}"


def rows(out):
    return [line.split("\t") for line in out.splitlines()]


@pytest.mark.parametrize("verb", VERBS)
def test_examples_of_the_help_parse(run_cli, tmp_path, monkeypatch, verb):
    """Each example parses: whatever fails then is a missing file."""
    monkeypatch.chdir(tmp_path)
    run = run_cli([*verb.split(), "--help"])
    assert (run.status, run.err) == (0, "")
    examples = re.findall(rf"^  (?:echo .* \| )?sapwood ({verb} .*)$", run.out, re.MULTILINE)
    assert len(examples) >= 2
    for line in examples:
        run = run_cli(re.split("[<>|]", line)[0])
        assert run.status == 1, line
        assert "no such file" in run.err.lower()


@pytest.mark.parametrize("name", FORMATS)
def test_train_writes_the_model_that_python_writes(run_cli, folder, tmp_path, name):
    run = run_cli(f"train classify {name} -o {tmp_path / 'm.sap'} {flags(name)}")
    assert (run.status, run.out) == (0, "")
    assert (tmp_path / "m.sap").read_bytes() == (folder / f"{name}.sap").read_bytes()
    lines = run.err.splitlines()
    count = 12 if name in MARKED else 60
    assert lines[0].startswith(f"{count} examples, {2 if name in MARKED else 3} labels")
    assert [line.split()[:2] for line in lines[1:11]] == [["epoch", f"{k}/10"] for k in range(1, 11)]
    assert lines[11].startswith(f"{tmp_path / 'm.sap'}: ")
    assert len(lines) == 12
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize("name", FORMATS)
def test_train_reads_standard_input_and_compressed_files(run_cli, folder, tmp_path, name):
    import gzip

    form = {"t.txt": "fasttext", "t.svm": "svmlight", "t.pos": "senseval", "t.csv": "csv"}.get(name, "jsonl")
    content = (folder / name).read_bytes()
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content))
    assert run_cli(f"train classify {tmp_path / name}.gz -o {tmp_path / 'z.sap'} {flags(name)} -q") == (0, "", "")
    assert (tmp_path / "z.sap").read_bytes() == (folder / f"{name}.sap").read_bytes()
    if name != "t.tsv":
        options = f"--format {form} -o {tmp_path / 'p.sap'} -q"
        assert run_cli(f"train classify - {options} {flags(name)}", stdin=content) == (0, "", "")
        assert (tmp_path / "p.sap").read_bytes() == (folder / f"{name}.sap").read_bytes()


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
def test_train_takes_every_option(run_cli, folder, tmp_path):
    out = tmp_path / "m.sap"
    options = (
        "--format csv --label label --text text --template characters --class-weight balanced "
        "--prune-below 2 --update pa --gamma 0.5 --min-updates 2 --epochs 7 --patience 3 --seed 9 --bits 16 "
        "--feature-names --threads 2"
    )
    run = run_cli(f"train classify t.csv -o {out} --dev t.csv {options}")
    assert run.status == 0, run.err
    model = sapwood.load(out).model_
    assert model.options == {
        "update": "pa", "gamma": 0.5, "average": True, "voted": False, "min_updates": 2, "penalty": 1.0, "eta": 0.1,
        "prune_below": 2, "class_weight": "balanced", "shuffle": True, "tag_in_label": False, "drop_below": 0.0,
        "format": "csv", "fields": [], "label": "label", "text": "text",
        "epochs": 7, "names": True, "patience": 3, "seed": 9,
    }  # fmt: skip
    assert (model.bits, model.provenance["seed"]) == (16, 9)
    assert " dev " in run.err


TRIGRAMS = "U:bias\nA1:%X[0,0]\nA2:%X[0,0]/%X[1,0]\nA3:%X[0,0]/%X[1,0]/%X[2,0]\n"


@pytest.mark.parametrize(
    "given, template",
    [
        ("--ngrams 2", "text"),
        ("--characters 4", "characters"),
        ("--ngrams 1 --characters 4", "characters"),
        ("--ngrams 3", TRIGRAMS),
        ("--ngrams 2 --characters 3", "U:bias\nA1:%X[0,0]\nA2:%X[0,0]/%X[1,0]\nA3:%CHARS[0,0,2]\nA4:%CHARS[0,0,3]\n"),
    ],
)
def test_ngrams_and_characters_are_those_of_a_template(run_cli, folder, tmp_path, given, template):
    """The same features, spelled alike, with the same weights."""
    common = ["train", "classify", "t.txt", "--min-updates", "1", "--feature-names", "-q"]
    files = [str(tmp_path / name) for name in ("flags.sap", "template.sap")]
    if "\n" in template:
        (tmp_path / "own.tpl").write_text(template)
        template = str(tmp_path / "own.tpl")
    for file, options in zip(files, [given.split(), ["--template", template]], strict=True):
        run = run_cli([*common, "-o", file, *options])
        assert run.status == 0, run.err
    flags, own = (sapwood.load(file) for file in files)
    assert list(flags.contents.weights()) == list(own.contents.weights())
    texts = [text for _, text in TEXTS]
    assert flags.predict(texts).tolist() == own.predict(texts).tolist()
    assert flags.recipe.untrained().fit(Path("t.txt")).predict(texts).tolist() == own.predict(texts).tolist()


def test_ngrams_stand_in_place_of_a_template(run_cli, folder, tmp_path):
    run = run_cli(["train", "classify", "t.txt", "-o", tmp_path / "a.sap", "--ngrams", "2", "--template", "wsd"])
    assert (run.status, "stand in place of a template" in run.err) == (2, True)
    with pytest.raises(sapwood.OptionError, match="are taken from texts"):
        Classifier(ngrams=2).fit([{"a": 1.0}, {"b": 1.0}], ["A", "B"])


def test_cv_says_how_many_passes(run_cli, folder, tmp_path):
    run = run_cli(f"train classify t.txt -o {tmp_path / 'm.sap'} --cv 5 --min-updates 1 --epochs 4")
    assert (run.status, run.out) == (0, "")
    [(accuracy, passes)] = re.findall(r"^5-fold cross-validation: (\S+)% after (\d) passes$", run.err, re.MULTILINE)
    facts = sapwood.load(tmp_path / "m.sap").model_.provenance
    assert facts["cv_accuracy"] == pytest.approx(float(accuracy), abs=0.01)
    assert facts["epochs"] == int(passes)


def test_held_out_examples_stop_the_training(run_cli, folder, tmp_path):
    options = "--dev 20% --patience 2 --min-updates 1 --epochs 50"
    run = run_cli(f"train classify t.txt -o {tmp_path / 'm.sap'} {options}")
    assert run.status == 0
    assert run.err.startswith("48 examples, 3 labels")
    facts = sapwood.load(tmp_path / "m.sap").model_.provenance
    assert facts["stopped_by"] == "patience"
    assert facts["epochs"] == facts["dev_scores"].index(max(facts["dev_scores"])) + 3 < 50
    assert run.err.count("\nepoch ") == facts["epochs"]


@pytest.mark.parametrize("update", ["l1-cumulative", "truncated-gradient"])
def test_a_stronger_penalty_of_a_rival_leaves_fewer_features(run_cli, folder, tmp_path, update):
    """A stronger penalty leaves fewer features."""
    features = []
    for penalty in (0.01, 0.5, 1000):
        Classifier(update=update, penalty=penalty, names=True).fit(Path("t.txt")).save(tmp_path / "m.sap")
        features.append(sapwood.load(tmp_path / "m.sap").model_.tables[0].packed.features)
    assert features[0] > features[1] > features[2] == 0
    assert run_cli(f"classify {tmp_path / 'm.sap'} t.txt").out == "_\t0\n" * 60
    assert run_cli(f"inspect {tmp_path / 'm.sap'}").status == 0


def test_tags_may_stand_in_the_label(run_cli, folder, tmp_path):
    Classifier(tag_in_label=True, names=True, **options_for("t.pos")).fit(Path("t.pos")).save(tmp_path / "m.sap")
    assert {row[0] for row in rows(run_cli(f"classify {tmp_path / 'm.sap'} t.pos").out)} == {"k:bank_1", "k:bank_2"}
    assert "12 of 12" in run_cli(f"eval {tmp_path / 'm.sap'} t.pos").out
    assert run_cli(f"calibrate {tmp_path / 'm.sap'} t.pos -q") == (0, "", "")


def start_training(spawn_cli, folder, target, *options):
    return spawn_cli(["train", "classify", folder / "t.txt", "-o", target, "--min-updates", 1, *options])


def test_ctrl_c_keeps_the_model(spawn_cli, folder, tmp_path):
    process = start_training(spawn_cli, folder, tmp_path / "m.sap", "--epochs", 10_000_000)
    while b"epoch" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=HANG)
    assert process.returncode in (0, 130)
    classifier = sapwood.load(tmp_path / "m.sap")
    assert classifier.model_.provenance["stopped_by"] == "interrupted"
    assert classifier.score(folder / "t.txt") == 1


@pytest.mark.slow
def test_ctrl_c_in_cross_validation_stops(spawn_cli, folder, tmp_path):
    process = start_training(spawn_cli, folder, tmp_path / "m.sap", "--epochs", 10_000_000, "--cv", 3)
    while b"fold" not in process.stderr.readline():
        assert process.poll() is None
    wait_for_work(process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert err.endswith(b"sapwood: interrupted\n")
    assert b"Traceback" not in err
    assert not (tmp_path / "m.sap").exists()


def test_top_gives_so_many_labels(run_cli, folder):
    classifier = sapwood.load("t.txt.sap")
    scores = label_scores(classifier, [text for _, text in TEXTS]).tolist()
    for top in (1, 2, 3, 100):
        run = run_cli(f"classify t.txt.sap --top {top}", stdin=WORDS)
        assert (run.status, run.err) == (0, "")
        for row, values in zip(rows(run.out), scores, strict=True):
            assert len(row) == 2 * min(top, 3)
            best = sorted(zip(values, classifier.labels_, strict=True), key=lambda pair: -pair[0])[:top]
            assert row[::2] == [label for _, label in best]
            assert [float(score) for score in row[1::2]] == pytest.approx([score for score, _ in best], rel=1e-5)


@pytest.mark.parametrize("order", ["{m} {o} {f} {f}", "{o} {m} {f} {f}", "{m} {f} {o} {f}", "{m} {f} {f} {o}"])
def test_options_stand_anywhere(run_cli, folder, order, tiny_model, tiny_file):
    run = run_cli("classify " + order.format(m="t.txt.sap", f="t.txt", o="--top 1"))
    assert (run.status, run.out.count("\n")) == (0, 120)
    run = run_cli("tag " + order.format(m=tiny_model, f=tiny_file, o="--threads 2"))
    assert (run.status, run.err) == (0, "")


def test_a_file_is_checked_before_anything_is_written(run_cli, folder, tmp_path):
    (tmp_path / "bad.txt").write_bytes(b"good\n" * 1000 + b"\xff\n")
    run = run_cli(f"classify t.txt.sap {tmp_path / 'bad.txt'}")
    assert (run.status, run.out) == (1, "")
    assert "bad.txt:1001: invalid UTF-8" in run.err


def test_models_of_another_task_are_refused_with_the_right_verb(run_cli, folder, tiny_model, tiny_file, tmp_path):
    for arguments, message in (
        (f"classify {tiny_model} t.txt", "a model for tagging, not for classification; see 'sapwood tag'"),
        (f"tag t.txt.sap {tiny_file}", "a model for classification, not for tagging; see 'sapwood classify'"),
        ("parse t.txt.sap t.txt", "a model for classification, not for parsing; see 'sapwood classify'"),
    ):
        run = run_cli(arguments)
        assert (run.status, run.out) == (1, "")
        assert message in run.err
        assert run.err.count("\n") == 1


@pytest.mark.filterwarnings("ignore:.*stands in the model's training data")
@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_calibrate_changes_the_model_and_prints_its_error(run_cli, folder, tmp_path, method):
    model = tmp_path / "m.sap"
    model.write_bytes((folder / "t.txt.sap").read_bytes())
    run = run_cli(f"calibrate {model} t.txt --method {method}")
    assert (run.status, run.out) == (0, "")
    [numbers] = re.findall(
        rf"calibrated on t.txt; {method}: log loss (\S+), Brier (\S+), calibration error (\S+) %$", run.err, re.M
    )
    assert all(0 <= float(number) <= 100 for number in numbers)
    run = run_cli(f"classify {model} --top 3", stdin=WORDS)
    for row in rows(run.out):
        assert sum(map(float, row[1::2])) == pytest.approx(1, abs=1e-4)
        assert [float(p) for p in row[1::2]] == sorted(map(float, row[1::2]), reverse=True)
    best = [row[:2] for row in rows(run.out)]
    assert rows(run_cli(f"classify {model}", stdin=WORDS).out) == best
    assert "3 labels" not in run_cli(f"inspect {model}").err


@pytest.mark.filterwarnings("ignore:.*stands in the model's training data")
def test_calibrate_from_a_pipe_writes_another_file(run_cli, folder, tmp_path):
    before = (folder / "t.txt.sap").read_bytes()
    run = run_cli(f"calibrate t.txt.sap - -o {tmp_path / 'c.sap'}", stdin=fasttext())
    assert run.status == 0, run.err
    assert run.err.count("\n") == 1
    assert (folder / "t.txt.sap").read_bytes() == before
    assert run_cli(f"calibrate t.txt.sap t.txt -o {tmp_path / 'd.sap'} -q") == (0, "", "")
    assert (tmp_path / "c.sap").read_bytes() == (tmp_path / "d.sap").read_bytes()
    assert sapwood.load(tmp_path / "c.sap").confidence.calibrated


def test_eval_prints_and_writes_the_scores(run_cli, folder, tmp_path):
    run = run_cli(f"eval t.txt.sap t.txt --json {tmp_path / 'scores.json'}")
    assert (run.status, run.err) == (0, "")
    assert "60 of 60" in run.out
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["rows"][0]["accuracy"] == 100
    assert run_cli("eval t.txt.sap -", stdin=fasttext()).out == run.out
    assert run_cli("eval t.txt.sap t.txt --threads 3").out == run.out
    (tmp_path / "half.txt").write_text("__label__+ good\n__label__+ bad\n")
    assert "1 of 2" in run_cli(f"eval t.txt.sap {tmp_path / 'half.txt'}").out


def test_inspect_shows_the_features_of_each_class(run_cli, folder, tmp_path):
    run = run_cli("inspect t.txt.sap")
    assert (run.status, run.err) == (0, "")
    assert "train with --feature-names" in run.out
    assert run_cli(f"train classify t.txt -o {tmp_path / 'n.sap'} --min-updates 1 --feature-names -q") == (0, "", "")
    run = run_cli(f"inspect {tmp_path / 'n.sap'} --top 20 --label +")
    assert "A1:lovely" in run.out
    assert "\n-\n" not in run.out
    run = run_cli(f"inspect {tmp_path / 'n.sap'} --template")
    assert "A2:%X[0,0]/%X[1,0]" in run.out


def test_inspect_shows_two_classes_as_one_weight(run_cli, folder, tmp_path):
    """One weight speaks for the second class and against the first."""
    (tmp_path / "two.txt").write_text("__label__no bad\n__label__yes good\n" * 5)
    train = f"train classify {tmp_path / 'two.txt'} -o {tmp_path / 'n.sap'} --min-updates 1 --feature-names -q"
    assert run_cli(train).status == 0
    run = run_cli(f"inspect {tmp_path / 'n.sap'}")
    assert re.search(r"^yes$", run.out, re.M)
    assert not re.search(r"^no$", run.out, re.M)
    [good], [bad] = (re.findall(rf"^ +([+-]\d\S*)  A1:{word}$", run.out, re.M) for word in ("good", "bad"))
    assert float(good) > 0 > float(bad)


def test_inspect_calls_features_by_their_indices(run_cli, folder, tmp_path):
    assert run_cli(f"train classify t.svm -o {tmp_path / 'n.sap'} --min-updates 1 --feature-names -q") == (0, "", "")
    run = run_cli(f"inspect {tmp_path / 'n.sap'}")
    assert run.status == 0
    weights = [line for line in run.out.splitlines() if re.match(r" +[+-]\d", line)]
    assert len(weights) > 20
    assert all(re.fullmatch(r" +[+-]\d\S*  [1-9]\d*", line) for line in weights)
