"""Bad input: one line on standard error that says where, exit 1 or 2, nothing written."""

import bz2
import gzip
import lzma
import os
import re
import stat
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuse
from tiny import TINY_CORPUS, train_tiny

import sapwood
from sapwood import DataError, ModelError

NUL = b"the DT B-NP\ndog\0 NN I-NP\n"
LATIN_1 = "the DT B-NP\n\ncafé NN I-NP\n".encode("latin-1")


@pytest.fixture
def folder(tmp_path, tiny_file, tiny_template, tiny_model, monkeypatch):
    """A working directory with good and bad files by the names that the tables below use."""
    files = {
        "good.txt": tiny_file.read_bytes(),
        "good.tpl": tiny_template.read_bytes(),
        "good.sap": tiny_model.read_bytes(),
        "ragged.txt": b"the DT B-NP\ndog NN I-NP\n\nshe PRP\n",
        "ragged_more.txt": b"the DT B-NP\ndog NN I-NP extra\n",
        "tabs_ragged.txt": b"the\tDT\tB-NP\ndog\t\tI-NP\n",
        "empty.txt": b"",
        "bom.txt": b"\xef\xbb\xbf",
        "blank.txt": b"\n\n \n\t\n\r\n",
        "one_column.txt": b"the\ndog\n",
        "two_columns.txt": b"the DT\ndog NN\n",
        "latin_1.txt": LATIN_1,
        "cut_utf8.txt": b"the DT B-NP\nd\xe2\x82",
        "surrogate.txt": b"the DT B-NP\n\xed\xa0\x80 NN I-NP\n",
        "nul.txt": NUL,
        "utf16.txt": "the DT B-NP\n".encode("utf-16"),
        "broken.xz": lzma.compress(TINY_CORPUS.encode())[:-20],
        "not.gz": b"the DT B-NP\n",
        "flipped.gz": gzip.compress(TINY_CORPUS.encode())[:30] + b"\xff" * 40,
        "cut.bz2": bz2.compress(TINY_CORPUS.encode())[:60],
        "column_7.tpl": b"U00:%x[0,0]\nU01:%x[0,7]\n",
        "named.tpl": b"U00:%x[0,lemma]\n",
        "label.tpl": b"\nU00:%x[0,2]\n",
        "nonsense.tpl": b"once upon a time\n",
        "empty.tpl": b"\n# nothing\n",
        "binary.tpl": b"U00:\xff\xfe\n",
        "cities.tpl": b'U00:%in[0,0,"cities.txt"]\n',
        "bad_list.tpl": b'U00:%in[0,0,"prose.txt"]\n',
        "damaged_list.tpl": b'U00:%in[0,0,"cut.bz2"]\n',
        "prose.txt": b"word " * 100 + b"\n",
        "foreign.sap": b"PK\x03\x04 this is a zip file, or says so" * 10,
        "text.sap": TINY_CORPUS.encode(),
        "empty.sap": b"",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "directory").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Column files


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


# Templates


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


# Models


MODEL_VERBS = ["tag {} good.txt", "eval {} good.txt", "inspect {}"]


@pytest.mark.parametrize("verb", MODEL_VERBS)
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("foreign.sap", "not a sapwood model"),
        ("text.sap", "not a sapwood model"),
        ("empty.sap", "not a sapwood model"),
        ("missing.sap", "no such file"),
        ("directory", "is a directory"),
        ("good.txt/x.sap", "cannot be read"),
        ("/dev/null", "device"),
    ],
)
def test_bad_models_are_refused(run_cli, folder, verb, name, what):
    refuse(run_cli, folder, verb.format(name), 1, f"{name}: ", what)


def refused(path):
    with pytest.raises(ModelError, match=re.escape(f"{path}: ")) as caught:
        sapwood.load(path)
    assert "\n" not in str(caught.value)


def test_a_model_cut_anywhere_is_refused(tiny_model, tmp_path):
    """Every length, from all but one byte to nothing."""
    path = tmp_path / "cut.sap"
    path.write_bytes(tiny_model.read_bytes())
    for length in reversed(range(path.stat().st_size)):
        os.truncate(path, length)
        refused(path)


def test_a_model_altered_anywhere_is_refused(tiny_model, tmp_path):
    """Every byte, with one bit turned over and with all bits turned over."""
    whole = tiny_model.read_bytes()
    path = tmp_path / "altered.sap"
    path.write_bytes(whole)
    with path.open("r+b", buffering=0) as file:
        for at, byte in enumerate(whole):
            for other in (byte ^ 1, byte ^ 0xFF, byte):
                file.seek(at)
                file.write(bytes([other]))
                if other != byte:
                    refused(path)
    assert sapwood.load(path).labels_


def test_a_model_with_something_behind_it_is_refused(tiny_model, tmp_path):
    path = tmp_path / "longer.sap"
    for tail in (b"\0", b"\n", b" ", bytes(64), tiny_model.read_bytes()):
        path.write_bytes(tiny_model.read_bytes() + tail)
        with pytest.raises(ModelError):
            sapwood.load(path)


def test_another_format_and_another_task_are_refused(tiny_file, tmp_path):
    from sapwood.model.file import container

    train_tiny(tiny_file).save(tmp_path / "m.sap")
    metadata, arrays = container.read(tmp_path / "m.sap")
    for change, message in (({"format": "sapwood/9"}, "sapwood/9"), ({"task": "sing"}, "for the task 'sing'")):
        container.write(tmp_path / "other.sap", arrays, {**metadata, **change})
        with pytest.raises(ModelError, match=message):
            sapwood.load(tmp_path / "other.sap")


# Where to write


TRAIN = "train tag good.txt --template good.tpl -q -o"


@pytest.mark.parametrize(
    ("output", "what"),
    [
        ("directory", "is a directory"),
        ("no/such/folder/m.sap", "no such directory"),
        ("good.txt/m.sap", "cannot be written"),
        ("/proc/m.sap", "cannot be written"),
    ],
)
def test_outputs_that_cannot_be_written_are_refused(run_cli, folder, output, what):
    refuse(run_cli, folder, f"{TRAIN} {output}", 1, f"{output}: ", what)


def test_an_output_is_tried_before_training(run_cli, folder):
    """The training data are not even opened: minutes of work would be lost."""
    refuse(run_cli, folder, "train tag missing.txt -o directory", 1, "directory: ", "is a directory")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_line(run_cli, folder):
    refuse(run_cli, folder, f"{TRAIN} /dev/full", 1, "/dev/full: ", "the disk is full")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)  # noqa: PTH116
    refuse(run_cli, folder, "eval good.sap good.txt --json /dev/full", 1, "/dev/full: ", "the disk is full")


@pytest.mark.few(1)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("verb", ["tag good.sap good.txt", "eval good.sap good.txt", "inspect good.sap", "--help"])
def test_standard_output_on_a_full_disk_is_an_error(folder, verb):
    for start in (["-m", "sapwood"], ["-c", "from sapwood.cli import main; main()"]):
        with Path("/dev/full").open("w") as full:
            command = [sys.executable, *start, *verb.split()]
            run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        assert run.returncode == 1
        assert run.stderr == "sapwood: No space left on device\n"


def test_a_write_protected_place_is_named(run_cli, folder, tiny):
    """Even where the tests run as root, who may write everywhere."""
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        closed = Path(name, "closed")
        closed.mkdir()
        (closed / "m.sap").touch()
        train_tiny(tiny)  # imports what it needs while it may
        (closed / "m.sap").chmod(0o444)
        Path(name).chmod(0o755)
        closed.chmod(0o555)
        data = Path(name, "t.txt")
        data.write_text(TINY_CORPUS)
        try:
            if root:
                os.seteuid(65534)
            for target in ("m.sap", "new.sap"):
                run = run_cli(["train", "tag", data, "-o", closed / target, "--template", "crfsuite-chunking", "-q"])
                assert run.status == 1
                assert run.err.startswith(f"sapwood: {closed / target}: cannot be written: ")
                assert run.err.count("\n") == 1
                run = run_cli(["generate", "treebank", "--sentences", 10, "-o", closed / "corpus"])
                assert run.status == 1
                assert run.err.count("\n") == 1
        finally:
            if root:
                os.seteuid(0)
            closed.chmod(0o755)
        assert [path.name for path in closed.iterdir()] == ["m.sap"]
        assert (closed / "m.sap").read_text() == ""


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ("eval good.sap good.txt --json directory", "directory: "),
        ("eval good.sap good.txt --json no/such/folder.json", "no/such/folder.json: "),
        ("generate treebank --sentences 10 -o good.txt", "good.txt: "),
        ("generate treebank --sentences 10 -o good.txt/x", "good.txt/x: "),
    ],
)
def test_other_outputs_that_cannot_be_written_are_refused(run_cli, folder, arguments, where):
    refuse(run_cli, folder, arguments, 1, where, "")


# Usage


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


# Odd surroundings


def test_closed_standard_streams_do_no_harm(folder):
    """As a shell does for `>&-` and `<&-`."""
    for redirection in (">&-", "<&-"):
        for verb in ("tag good.sap" + (" good.txt" if redirection == ">&-" else ""), "eval good.sap good.txt"):
            command = f'"{sys.executable}" -m sapwood {verb} {redirection}'
            run = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            assert "Traceback" not in run.stderr
            assert run.stderr.count("\n") <= 1


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [b"odd\xff.txt", b"odd\nname.txt", "ödd.txt".encode()])
def test_odd_file_names_work(folder, name):
    """Not UTF-8, or with a line end in it: good files are tagged, bad ones named on one line."""
    command = [sys.executable, "-m", "sapwood", "tag", "good.sap", os.fsdecode(name)]
    missing = subprocess.run(command, capture_output=True)
    assert missing.returncode == 1
    assert missing.stderr.count(b"\n") == 1, missing.stderr
    Path(os.fsdecode(name)).write_bytes(b"the DT\n")
    assert subprocess.run(command, capture_output=True).stdout == b"the DT B-NP\n"
    Path(os.fsdecode(name)).write_bytes(b"the DT\ndog\n")
    ragged = subprocess.run(command, capture_output=True)
    assert ragged.returncode == 1
    assert ragged.stderr.count(b"\n") == 1, ragged.stderr
    assert b"columns" in ragged.stderr


@pytest.mark.slow
def test_a_terminal_that_knows_no_unicode(folder):
    (folder / "unicode.txt").write_text("le Dét\nchat 名詞\n", encoding="utf-8")
    (folder / "w.tpl").write_text("U:%x[0,0]\n")
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }
    for arguments in (
        "train tag unicode.txt -o u.sap --template w.tpl --min-updates 1",
        "tag u.sap unicode.txt",
        "eval u.sap unicode.txt",
        "inspect u.sap",
    ):
        command = [sys.executable, "-m", "sapwood", *arguments.split()]
        run = subprocess.run(command, env=environment, capture_output=True)
        assert run.returncode == 0, run.stderr
        assert b"Traceback" not in run.stderr


# What must simply work


FORMS = {
    "spaces": TINY_CORPUS,
    "tabs": TINY_CORPUS.replace(" ", "\t"),
    "runs of spaces": TINY_CORPUS.replace(" ", "   "),
    "space behind": TINY_CORPUS.replace("\n", "  \n"),
    "CRLF": TINY_CORPUS.replace("\n", "\r\n"),
    "no last newline": TINY_CORPUS.rstrip("\n"),
    "many blank lines": "\n\n" + TINY_CORPUS.replace("\n\n", "\n\n\n \n\n") + "\n\n",
    "byte order mark": "\ufeff" + TINY_CORPUS,
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_one_corpus_give_one_model(run_cli, folder, form):
    (folder / "form.txt").write_bytes(FORMS[form].encode())
    options = ["--template", "good.tpl", "--min-updates", 1, "--epochs", 8, "-q"]
    run = run_cli(["train", "tag", "form.txt", "-o", "form.sap", *options])
    assert run == (0, "", "")
    form_model, good_model = sapwood.load("form.sap"), sapwood.load("good.sap")
    assert list(form_model.contents.weights()) == list(good_model.contents.weights())
    assert form_model.labels_ == good_model.labels_
    run = run_cli(["eval", "form.sap", "form.txt"])
    assert "FB1: 100.00" in run.out


def test_labels_of_any_script_work(run_cli, folder):
    data = "le Dét\nchat 名詞\n🐈 🏷️\n"
    (folder / "u.txt").write_text(data, encoding="utf-8")
    (folder / "w.tpl").write_text("U:%x[0,0]\n")
    run = run_cli("train tag u.txt -o u.sap --template w.tpl --min-updates 1 -q")
    assert run == (0, "", "")
    assert run_cli(["tag", "u.sap"], stdin="chat\n🐈\n").out == "chat\t名詞\n🐈\t🏷️\n"
    assert "名詞" in run_cli(["eval", "u.sap", "u.txt"]).out
    assert "🏷️" in run_cli(["inspect", "u.sap"]).out


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* a sentence of 100,000 tokens:sapwood.SapwoodWarning")
def test_a_sentence_of_100_000_tokens_is_learned_and_tagged(run_cli, folder):
    long = TINY_CORPUS.replace("\n\n", "\n") * 3125
    (folder / "long.txt").write_text(long)
    assert run_cli("train tag long.txt -o long.sap --template good.tpl --epochs 3 -q") == (0, "", "")
    run = run_cli(["tag", "long.sap", "long.txt"])
    assert run.status == 0
    assert run.out.count("\n") == 100_000
    assert run_cli(["tag", "long.sap"], stdin=long).out == run.out


def test_a_very_long_word_is_tagged(run_cli, folder):
    word = "x" * 1_000_000
    run = run_cli(["tag", "good.sap"], stdin=f"{word} NN\n")
    assert run.status == 0
    assert run.out.startswith(word)
