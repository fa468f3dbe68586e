"""Bad input: one line on standard error that says where, exit 1 or 2, nothing written."""

import re
from functools import cache

import pytest
from bad_files import LATIN_1, NUL, write_files
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuse

import sapwood
from sapwood import DataError


@pytest.fixture
def folder(tmp_path, tiny_file, tiny_template, tiny_model, monkeypatch):
    """A working directory with good and bad files by the names that the tables below use."""
    write_files(tmp_path, tiny_file, tiny_template, tiny_model)
    monkeypatch.chdir(tmp_path)
    return tmp_path


DATA = [
    ("ragged.txt", "ragged.txt:4: ", "2 columns, the lines before it 3"),
    ("ragged_more.txt", "ragged_more.txt:2: ", "4 columns, the lines before it 3"),
    ("tabs_ragged.txt", "tabs_ragged.txt:2: ", "column 2 is empty"),
    ("latin_1.txt", "latin_1.txt:3: ", "invalid UTF-8"),
    ("cut_utf8.txt", "cut_utf8.txt:2: ", "invalid UTF-8"),
    ("surrogate.txt", "surrogate.txt:2: ", "invalid UTF-8"),
    ("nul.txt", "nul.txt:2: ", "NUL byte"),
    ("utf16.txt", "utf16.txt:1: ", "it looks like UTF-16; convert it first"),
    ("broken.xz", "broken.xz: ", "cannot decompress"),
    ("not.gz", "not.gz: ", "cannot decompress"),
    ("flipped.gz", "flipped.gz: ", "cannot decompress"),
    ("cut.bz2", "cut.bz2: ", "cannot decompress"),
    ("directory", "directory: ", "it is a folder"),
    ("missing.txt", "missing.txt: ", "No such file"),
]
NO_SENTENCE = [
    ("empty.txt", "empty.txt: ", "no sentence"),
    ("bom.txt", "bom.txt: ", "no sentence"),
    ("blank.txt", "blank.txt: ", "no sentence"),
]
LEARNED = "train tag {} -o new.sap --template good.tpl"
HELD_OUT = "train tag good.txt --dev {} -o new.sap --template good.tpl -q"
SCORED = "eval good.sap {} --json new.json"


@pytest.mark.parametrize(
    ("command", "name", "where", "what"),
    [
        *((command, *each) for command in (LEARNED, HELD_OUT, SCORED) for each in [*DATA, *NO_SENTENCE]),
        (LEARNED, "one_column.txt", "one_column.txt:1: ", "no label column"),
        (HELD_OUT, "two_columns.txt", "two_columns.txt:1: ", "no label column"),
        (SCORED, "two_columns.txt", "two_columns.txt:1: ", "no label column"),
    ],
)
def test_bad_data_with_labels_are_refused(run_cli, folder, command, name, where, what):
    refuse(run_cli, folder, command.format(name), 1, where, what)


TO_TAG = [
    *(each for each in DATA if each[0] != "directory"),
    ("directory", "directory: ", "there is no file in it"),
    ("one_column.txt", "one_column.txt:1: ", "2 columns"),
]


@pytest.mark.parametrize(("name", "where", "what"), TO_TAG)
def test_bad_data_to_tag_are_refused(run_cli, folder, name, where, what):
    assert refuse(run_cli, folder, f"tag good.sap {name}", 1, where, what).out == ""


@pytest.mark.parametrize("verb", ["train tag - -o new.sap --template good.tpl", "tag good.sap", "eval good.sap -"])
@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (NUL, 2, "NUL byte"),
        (LATIN_1, 3, "invalid UTF-8"),
        (b"the DT B-NP\ndog NN I-NP x\n", 2, "4 columns, the lines before it 3"),
    ],
)
def test_bad_data_from_a_pipe_are_refused(run_cli, folder, verb, data, line, what):
    run = refuse(run_cli, folder, verb, 1, "", what, stdin=data)
    assert f":{line}: " in run.err


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("second", "what"),
    [
        (b"dog\n", "column"),
        (b"cat NN extra\n", "3 columns, the lines before it 2"),
        (b"\xff NN\n", "invalid UTF-8"),
        (b"a\0 NN\n", "NUL byte"),
    ],
)
def test_a_stream_that_goes_wrong_later(spawn_cli, folder, second, what):
    """What was good is out already; the line is counted from the stream's beginning."""
    process = spawn_cli(["tag", "good.sap"])
    process.stdin.write(b"the DT\nsaw NN\n\n")
    process.stdin.flush()
    assert [process.stdout.readline() for _ in range(3)] == [b"the DT B-NP\n", b"saw NN I-NP\n", b"\n"]
    process.stdin.write(b"she PRP\n" + second if what == "NUL byte" else second)
    process.stdin.close()
    err = process.stderr.read().decode()
    assert process.wait() == 1
    assert err.startswith(f"sapwood: standard input:{5 if what == 'NUL byte' else 4}: ")
    assert what in err
    assert err.count("\n") == 1
    assert process.stdout.read() == b""


def test_a_label_unseen_in_training_is_wrong_and_reported(run_cli, folder):
    (folder / "test.txt").write_text("the DT B-NP\ndog NN I-NP\nbarks VBZ B-ODD\n")
    run = run_cli(["eval", "good.sap", "test.txt"])
    assert run.status == 0
    assert "labels that training never saw, scored as wrong: B-ODD (1)" in run.out
    assert "tokens:    2 of 3 correct" in run.out


@given(
    st.lists(st.sampled_from([b"a", b"the", b" ", b" ", b"\t", b"\n", b"\n", b"\r\n", b"\0", b"\xff", "é".encode()]))
)
def test_any_bytes_are_tagged_or_an_error(tiny_model, pieces):
    """The output without its last column is the input; or the error names a line that is there."""
    data = b"".join(pieces)
    tagger = _load_once(tiny_model)
    try:
        tagged = b"".join(tagger.annotate([data], name="in.txt"))
    except DataError as error:
        [line] = re.findall(r"^in\.txt:(\d+): [^\n]+$", str(error))
        assert 1 <= int(line) <= data.count(b"\n") + 1
        return
    labels = {label.encode() for label in tagger.labels_}
    for before, after in zip(data.splitlines(), tagged.splitlines(), strict=True):
        words = before.split()
        assert after.split()[: len(words)] == words
        assert {*after.split()[len(words) :]} <= labels
        assert len(after.split()) == len(words) + bool(words)


@cache
def _load_once(path):
    return sapwood.load(path)


@pytest.mark.parametrize(
    ("name", "where", "what"),
    [
        ("column_7.tpl", "column_7.tpl:2: ", "there is no column 7; the data has 0, 1, 2 = the label"),
        ("named.tpl", "named.tpl:1: ", "there is no column 'lemma'"),
        ("label.tpl", "label.tpl:2: ", "column 2 is the label"),
        ("nonsense.tpl", "nonsense.tpl:1: ", "a line starts with U, B or *"),
        ("empty.tpl", "empty.tpl: ", "the template has no line"),
        ("binary.tpl", "binary.tpl:1: ", "invalid UTF-8"),
        ("missing.tpl", "missing.tpl: ", "no such template file, and the shipped ones are"),
        ("directory", "directory: ", "it is a folder"),
        ("cities.tpl", "word list cities.txt: ", "No such file"),
        ("bad_list.tpl", "word list prose.txt: ", "more than 64 words"),
        ("damaged_list.tpl", "word list cut.bz2: ", "cannot decompress"),
        ("good.sap", "good.sap", ""),
    ],
)
def test_bad_templates_are_refused(run_cli, folder, name, where, what):
    refuse(run_cli, folder, f"train tag good.txt -o new.sap --template {name}", 1, where, what)


TRAIN = "train tag good.txt --template good.tpl -q -o"


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("nonsense", "No such command 'nonsense'"),
        ("--nonsense", "No such option"),
        ("train nonsense good.txt -o m.sap", "No such command 'nonsense'"),
        ("train tag", "required: -o/--output"),
        ("train tag good.txt", "required: -o/--output"),
        ("tag", "required: MODEL"),
        ("eval good.sap", "required: FILE"),
        ("eval good.sap good.txt another.txt", "Unrecognized arguments: another.txt"),
        ("inspect good.sap --top -1", "--top"),
        ("inspect good.sap --top many", "--top"),
        ("inspect good.sap --label X", "no label 'X'; it has B-NP"),
        ("generate treebank", "required: -o/--output"),
        ("generate treebank -o corpus --sentences 0", "--sentences"),
        ("generate treebank -o corpus --seed -1", "--seed"),
        ("tag good.sap good.txt --threads 0", "--threads"),
        ("tag good.sap good.txt --threads 99999999999999999999999", "threads"),
        (f"{TRAIN} m.sap --search beam", "--search"),
        (f"{TRAIN} m.sap --update mira", "--update"),
        (f"{TRAIN} m.sap --order 3", "--order"),
        (f"{TRAIN} m.sap --order two", "--order"),
        (f"{TRAIN} m.sap --gamma -1", "gamma"),
        (f"{TRAIN} m.sap --gamma nan", "gamma"),
        (f"{TRAIN} m.sap --gamma inf", "gamma"),
        (f"{TRAIN} m.sap --min-updates 0", "--min-updates"),
        (f"{TRAIN} m.sap --min-updates 99999999999", "--min-updates"),
        (f"{TRAIN} m.sap --prune-below 0", "--prune-below"),
        (f"{TRAIN} m.sap --epochs 0", "--epochs"),
        (f"{TRAIN} m.sap --epochs 1.5", "--epochs"),
        (f"{TRAIN} m.sap --seed -1", "--seed"),
        (f"{TRAIN} m.sap --seed 18446744073709551616", "seed"),
        (f"{TRAIN} m.sap --bits 4", "--bits"),
        (f"{TRAIN} m.sap --patience 2", "patience needs held-out data"),
        (f"{TRAIN} m.sap --patience 0 --dev good.txt", "--patience"),
        (f"{TRAIN} m.sap --dev 100%", "'100%' is not a part of the training data, such as 10%"),
        (f"{TRAIN} m.sap --dev 0%", "'0%' is not a part of the training data, such as 10%"),
        (f"{TRAIN} m.sap --dev nan%", "'nan%' is not a part of the training data, such as 10%"),
        (f"{TRAIN} m.sap --dev x%", "'x%' is not a part of the training data, such as 10%; a file is ./x%"),
        (f"{TRAIN} m.sap --columns word,pos,chunk", "called 'label'"),
        (f"{TRAIN} m.sap --columns word,word,label", "distinct"),
    ],
)
def test_wrong_usage_is_refused(run_cli, folder, arguments, what):
    refuse(run_cli, folder, arguments, 2, "", what)


def test_columns_that_the_data_do_not_have_are_refused(run_cli, folder):
    refuse(run_cli, folder, f"{TRAIN} m.sap --columns word,label", 1, "good.txt:1: ", "3 columns, but columns names 2")
