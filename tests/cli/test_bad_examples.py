"""Bad examples: one line on standard error that says where, exit 1 or 2, nothing written; and any bytes at all."""

import pytest
from refusals import refuse
from reviews import SENSES, delimited, record, senseval, write

TRAIN = "train classify {} -o new.sap -q"
HOSTILE = "\x1b[2J\n\r\u2028"  # what would steer a terminal or break a message's line
LONG = "x" * 1_000_000


GOOD = record(label="+", text="good") + record(label="-", text="bad")
GOOD_FEATURES = record(label="+", features={"a": 1}) + record(label="-", features={"b": 1})
# File, content, the line that is named, part of the message. What cannot be read at all, with labels or without.
UNREADABLE = [
    ("t.txt", "__label__+ good\n__label__ bad\n", 2, "__label__ without a name"),
    ("t.txt", "__label__+ good\n__label__- __label__+ bad\n", 2, "two labels"),
    ("t.txt", b"__label__+ good\n\n__label__- caf\xe9\n", 3, "invalid UTF-8"),
    ("t.txt", b"__label__+ good\0\n", 1, "NUL byte"),
    ("t.svm", "+ 1:1\n- 2:1 1:1\n", 2, "feature 1 comes after 2; the indices of a line ascend"),
    ("t.svm", "+ 1:1\n- 2:1 2:1\n", 2, "feature 2 comes after 2"),
    ("t.svm", "+ 1:1\n- 2\n", 2, "'2' is not INDEX:VALUE"),
    ("t.svm", "+ 1:1\n- 2:1:1\n", 2, "'2:1:1' is not INDEX:VALUE"),
    ("t.svm", "+ 1:1\n- -2:1\n", 2, "'-2:1' is not INDEX:VALUE"),
    ("t.svm", "+ 1:1\n- 99999999999999999999:1\n", 2, "is not INDEX:VALUE"),
    ("t.svm", "+ 1:1\n- 2:nan\n", 2, "feature 2: a value is not a number (NaN)"),
    ("t.svm", "+ 1:1\n- 2:-inf\n", 2, "feature 2: a value is infinite"),
    ("t.svm", "+ 1:1\n- 2:1e16\n", 2, "a value is larger than 1e15"),
    ("t.svm", "+ 1:1\n- 2:1e999\n", 2, "'2:1e999' is not INDEX:VALUE"),
    ("t.svm", f"+ 1:1\n- {LONG}:1\n", 2, "is not INDEX:VALUE"),
    ("t.svm", "+ 1:1\n- \x1b[2J:1\n", 2, r"'\x1b[2J:1' is not INDEX:VALUE"),
    ("t.svm", b"+ 1:1\n- \xff:1\n", 2, "invalid UTF-8"),
    ("t.svm", b"+ 1:1\n- \0:1\n", 2, "NUL byte"),
    ("t.jsonl", GOOD + "\n[1, 2]\n", 4, "not a JSON object"),
    ("t.jsonl", GOOD + "null\n", 3, "not a JSON object"),
    ("t.jsonl", GOOD + "{\n", 3, "not JSON"),
    ("t.jsonl", GOOD + "[" * 100_000 + "\n", 3, "nested"),
    ("t.jsonl", GOOD + '{"a":' * 100_000 + "\n", 3, "nested"),
    ("t.jsonl", GOOD + record(label="+"), 3, "there is no text in 'text', and no 'tokens' or 'features'"),
    ("t.jsonl", GOOD + record(label="+", text=3), 3, "there is no text in 'text'"),
    ("t.jsonl", GOOD + record(label="a\tb", text="good"), 3, "the label has a tab or a line end"),
    ("t.jsonl", GOOD + '{"label": "+", "text": "a", "text": "b"}\n', 3, "the line has the name 'text' twice"),
    ("t.jsonl", GOOD + record(label="+", text="\ud800"), 3, "half of a Unicode character"),
    ("t.jsonl", GOOD + record(label="\udc00", text="a"), 3, "half of a Unicode character"),
    ("t.jsonl", GOOD + record(label="+", text="a\0b"), 3, "its text is not a string of valid Unicode"),
    ("t.jsonl", GOOD + record(label="a\0b", text="b"), 3, "its label is not a string of valid Unicode"),
    ("t.jsonl", GOOD + record(label="+", tokens="good"), 3, "'tokens' is not a list"),
    ("t.jsonl", GOOD + record(label="+", tokens=[["good", "X"]]), 3, "a token does not have 1 columns"),
    ("t.jsonl", GOOD + record(label="+", tokens=[1, 2]), 3, "a token is neither a string nor"),
    ("t.jsonl", GOOD + record(label="+", tokens=[[1]]), 3, "its token is not a string"),
    ("t.jsonl", GOOD + record(label="+", tokens=["a", ""]), 3, "a token is empty"),
    ("t.jsonl", b"\n" + GOOD.encode() + b'{"label": "\xff"}\n', 4, "invalid UTF-8"),
    ("features.jsonl", GOOD_FEATURES + record(label="+", features=[1]), 3, "no object called 'features'"),
    ("features.jsonl", GOOD_FEATURES + record(label="+", features={"a": []}), 3, "neither a number nor a string"),
    ("features.jsonl", GOOD_FEATURES + record(label="+", features={"a": {}}), 3, "neither a number nor a string"),
    ("features.jsonl", GOOD_FEATURES + record(label="+", features={"a": float("nan")}), 3, "not a number (NaN)"),
    ("features.jsonl", GOOD_FEATURES + '{"label": "+", "features": {"a": 1e999}}\n', 3, "infinite"),
    ("features.jsonl", GOOD_FEATURES + record(label="+", features={"a": -1e16}), 3, "larger than 1e15"),
    ("features.jsonl", GOOD_FEATURES + record(label="+", features={"a": 10**400}), 3, "neither a number nor"),
    ("features.jsonl", GOOD_FEATURES + record(label="+", features={"a\0": 1}), 3, "its feature is not a string"),
    ("features.jsonl", GOOD_FEATURES + record(label="a\0b", features={"a": 1}), 3, "its label is not a string"),
    ("features.jsonl", GOOD_FEATURES + record(label="\ud800", features={"a": 1}), 3, "half of a Unicode character"),
    ("features.jsonl", GOOD_FEATURES + record(label="a\nb", features={"a": 1}), 3, "the label has a tab"),
    ("t.csv", "label,text\n+,good\n\n-,bad,worse\n", 4, "the row has 3 cells, and the header 2"),
    ("t.csv", 'label,text\n+,"good\ngood"\n-\n', 4, "the row has 1 cells, and the header 2"),
    ("t.csv", 'label,text\n+,"good\n-,bad\n', 2, "unexpected end of data"),
    ("t.csv", 'label,text\n+,"go"od\n', 2, "expected after"),
    ("t.csv", "label,text\n+,go\0od\n", 2, "NUL byte: this is not a text file"),
    ("t.csv", b"label,text\n+,caf\xe9\n", 2, "invalid UTF-8"),
    ("t.csv", "label,review\n+,good\n", 1, "no column 'text'; it has label, review"),
    ("t.csv", f'label,"{HOSTILE}"\n+,good\n', 1, r"it has label, \x1b[2J"),
    ("t.csv", f"label,{LONG}\n+,good\n", 1, "no column 'text'"),
    ("t.csv", "label,text,text\n+,good,bad\n", 1, "names a column twice"),
    ("t.csv", "", 1, "no column 'text'; it has nothing"),
    ("t.tsv", "label review\n+ good\n", 1, "no column 'text'"),
    ("t.pos", "\n" + senseval().replace("<head>", "", 1), 4, "no word inside <head>"),
    ("t.pos", senseval(SENSES[:1]).replace("</instance>", ""), 3, "the instance does not end"),
    ("t.pos", senseval().replace("</instance>", "", 1), 3, "the instance does not end before the next one begins"),
    ("t.pos", senseval().replace("<wf ", "<wg "), 3, "no word inside <head>"),
    ("t.pos", senseval().replace("lent", "le\0nt"), 12, "NUL byte"),
    ("t.pos", senseval().encode().replace(b"lent", b"le\xffnt"), 12, "invalid UTF-8"),
]  # fmt: skip
# What can be classified, but not be trained on or scored.
UNLABELLED = [
    ("t.svm", "+ 1:1\n1:1 2:1\n", 2, "there is no label"),
    ("t.txt", "__label__+ good\nbad\ndull\n", 2, "no label, and 1 more examples have none"),
    ("t.jsonl", record(text="good") + GOOD, 1, "there is no label"),
    ("t.jsonl", GOOD + "\n" + record(label=None, text="good"), 4, "there is no label"),
    (
        "t.jsonl",
        GOOD + record(label=["+", "-"], text="good"),
        3,
        "'label' is a list; where examples have several labels, give",
    ),
    ("t.jsonl", GOOD + record(label={"a": 1}, text="good"), 3, "'label' is neither a text nor a number"),
    ("t.csv", "label,text\n+,good\n\n,bad\n", 4, "there is no label"),
    ("t.csv", "text\ngood\n", 2, "there is no label"),
    ("t.tsv", "label\ttext\n+\tgood\n\tbad\n", 3, "there is no label"),
    ("t.pos", senseval([("", *SENSES[0][1:])]), 3, "there is no label"),
    ("features.jsonl", GOOD_FEATURES + record(features={"a": 1}), 3, "there is no label"),
]


@pytest.mark.parametrize(("name", "content", "line", "what"), UNREADABLE + UNLABELLED)
def test_bad_training_data_are_refused(run_cli, folder, name, content, line, what):
    write(folder, name, content)
    options = " --template wsd" if name == "t.pos" else ""
    run = refuse(run_cli, folder, TRAIN.format(name) + options, 1, f"{name}:{line}: ", what)
    assert len(run.err) < 2100


@pytest.mark.few(20)
@pytest.mark.parametrize(("name", "content", "line", "what"), UNREADABLE + UNLABELLED)
def test_bad_data_to_score_are_refused(run_cli, folder, name, content, line, what):
    model = f"{name}.sap"
    write(folder, name, content)
    for verb in (f"eval {model} {name} --json new.json", f"calibrate {model} {name}"):
        refuse(run_cli, folder, verb, 1, f"{name}:{line}: ", what)


@pytest.mark.few(20)
@pytest.mark.parametrize(("name", "content", "line", "what"), UNREADABLE)
def test_bad_data_to_classify_are_refused(run_cli, folder, name, content, line, what):
    write(folder, name, content)
    assert refuse(run_cli, folder, f"classify {name}.sap {name}", 1, f"{name}:{line}: ", what).out == ""


@pytest.mark.few(16)
@pytest.mark.parametrize(("name", "content", "line", "what"), UNREADABLE)
def test_bad_data_from_a_pipe_are_refused(run_cli, folder, name, content, line, what):
    if name == "t.tsv" or not content:
        return  # by its name only; nothing in a pipe is nothing to do
    stdin = content if isinstance(content, bytes) else content.encode()
    refuse(run_cli, folder, f"classify {name}.sap", 1, f"standard input:{line}: ", what, stdin=stdin)


@pytest.mark.parametrize(("name", "content", "line", "what"), UNLABELLED)
def test_labels_are_not_needed_to_classify(run_cli, folder, name, content, line, what):
    write(folder, name, content)
    assert run_cli(f"classify {name}.sap {name}").status == 0


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("t.txt", "", "no example"), ("t.txt", "\n \n\r\n", "no example"), ("t.txt", "\ufeff", "no example"),
        ("t.jsonl", "\n\n", "no example"), ("features.jsonl", "", "no example"), ("t.svm", "# nothing\n", "no example"),
        ("t.csv", "label,text\n", "no example"), ("t.pos", "<corpus/>", "no <instance>"),
        ("t.pos", "", "no <instance>"),
    ],
)  # fmt: skip
def test_files_without_examples_are_refused(run_cli, folder, name, content, what):
    write(folder, name, content)
    for verb in (TRAIN.format(name), f"eval {name}.sap {name}", f"calibrate {name}.sap {name}"):
        refuse(run_cli, folder, verb, 1, f"{name}: ", what)
    if name != "t.pos":
        run = run_cli(f"classify {name}.sap {name}")
        assert (run.status, run.out.count("\n"), run.err) == (0, content.count("\n") if name == "t.txt" else 0, "")


@pytest.mark.parametrize("blank", ["\n", " \r\n"])
def test_blank_lines_in_a_pipe_are_texts_without_words(run_cli, folder, blank):
    """A text without words is a text; there is no object and no row of features without one."""
    assert run_cli("classify t.txt.sap", stdin=blank * 3).out.count("\n") == 3
    for name in ("t.jsonl", "features.jsonl", "tokens.jsonl", "t.svm"):
        assert run_cli(f"classify {name}.sap", stdin=blank * 3) == (0, "", ""), name


def test_one_class_only_is_refused(run_cli, folder):
    write(folder, "one.txt", "__label__+ good\n__label__+ great\n")
    refuse(run_cli, folder, TRAIN.format("one.txt"), 1, "one.txt: ", "all examples have the label '+', one class")
    write(folder, "t.csv", delimited(",", [("+", "good")]))
    refuse(run_cli, folder, TRAIN.format("t.csv"), 1, "t.csv: ", "all examples have the label '+'")


def test_labels_that_training_never_saw_are_scored_as_wrong(run_cli, folder):
    write(folder, "test.txt", "__label__+ good\n__label__odd good\n")
    run = run_cli("eval t.txt.sap test.txt")
    assert run.status == 0
    assert "labels that training never saw, scored as wrong: odd (1)" in run.out
    what = "the model does not know the label 'odd'; leave out the examples of such labels (1)"
    refuse(run_cli, folder, "calibrate t.txt.sap test.txt", 1, "test.txt:2: ", what)
    run = run_cli("train classify t.txt --dev test.txt -o new.sap")
    assert run.status == 0
    assert "dev  50.00" in run.err


@pytest.mark.filterwarnings("ignore:.*t.svm. this looks like SVM-light")
def test_bad_held_out_data_are_refused(run_cli, folder):
    write(folder, "none.txt", "good\n")
    refuse(run_cli, folder, TRAIN.format("t.txt") + " --dev none.txt", 1, "none.txt:1: ", "there is no label")
    refuse(
        run_cli, folder, TRAIN.format("t.txt") + " --dev t.svm --format fasttext", 1, "t.svm:1: ", "there is no label"
    )
    refuse(run_cli, folder, TRAIN.format("t.txt") + " --dev missing.txt", 1, "missing.txt: ", "No such file")
    write(folder, "two.txt", "__label__+ good\n__label__- bad\n")
    refuse(run_cli, folder, TRAIN.format("two.txt") + " --dev 10%", 1, "", "too few examples to hold out")
    refuse(run_cli, folder, TRAIN.format("two.txt") + " --cv 3", 1, "", "2 examples, too few for 3 folds")


@pytest.mark.slow
def test_a_stream_that_goes_wrong_later(spawn_cli, folder):
    """What was good is out already; the line is counted from the stream's beginning."""
    for model, good, bad, what in (
        ("t.txt.sap", b"good\nbad\n", b"dull\n\xff\n", b"standard input:4: invalid UTF-8"),
        ("t.jsonl.sap", GOOD.encode(), b'\n{"text": "\xff"}\n', b"standard input:4: invalid UTF-8"),
        ("t.svm.sap", b"? 1:1\n? 2:1\n", b"? 3:1\n? x\n", b"standard input:4: 'x' is not INDEX:VALUE"),
        (
            "features.jsonl.sap",
            GOOD_FEATURES.encode(),
            b'\n{"features": {"a": NaN}}\n',
            b"standard input:4: a value is",
        ),
    ):
        process = spawn_cli(["classify", model])
        process.stdin.write(good)
        process.stdin.flush()
        assert [process.stdout.readline().count(b"\t") for _ in range(2)] == [1, 1]
        process.stdin.write(bad)
        process.stdin.close()
        err = process.stderr.read()
        assert process.wait() == 1
        assert err.startswith(b"sapwood: " + what), err
        assert err.count(b"\n") == 1
        assert process.stdout.read() == b""


@pytest.mark.parametrize(
    ("model", "name", "where", "what"),
    [
        ("t.pos", "t.txt", "t.txt: ", "the template reads column 1 of the tokens, which have 1"),
        ("t.txt", "t.svm", "t.svm: ", "these are features, but the model was trained on texts"),
        ("t.svm", "t.txt", "t.txt: ", "these are texts, but the model was trained on features"),
        ("t.txt", "features.jsonl", "features.jsonl: ", "these are features, but the model was trained on texts"),
        ("features.jsonl", "t.jsonl", "t.jsonl:1: ", "no object called 'features'"),
        ("t.jsonl", "tokens.jsonl", "tokens.jsonl:1: ", "a token does not have 1 columns"),
        ("t.txt", "t.pos", "t.pos: ", ""),
    ],
)
def test_files_of_another_kind_are_refused(run_cli, folder, model, name, where, what):
    kind = {"t.txt": "fasttext", "t.svm": "svmlight", "t.pos": "senseval"}.get(name, "jsonl")
    arguments = f"classify {model}.sap {name} --format {kind}"
    if not what:
        assert run_cli(arguments).status == 0  # its words are words
        return
    refuse(run_cli, folder, arguments, 1, where, what)


@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_too_few_examples_to_calibrate_leave_the_model(run_cli, folder, method):
    """The model is as it was: a calibration that cannot be scored is not written."""
    write(folder, "few.txt", "__label__+ good\n__label__- bad\n")
    for option in ("", " -q", " -o new.sap"):
        arguments = f"calibrate t.txt.sap few.txt --method {method}{option}"
        refuse(run_cli, folder, arguments, 1, "", "5 examples or more, better hundreds; here are 2")
