"""Lines of templates, fields and options that do not fit examples: one line on standard error."""

import pytest
from refusals import refuse
from reviews import record, write

TRAIN = "train classify {} -o new.sap -q"
HOSTILE = "\x1b[2J\n\r\u2028"  # what would steer a terminal or break a message's line
LONG = "x" * 1_000_000


TAGGED = "dog N A\nruns V B\n\ncat N A\n"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("B", "a line starts with U, A, C, N or S"),
        ("U1:%y[-1]", "unknown macro %y; there are %x"),
        ("U1:%d[author]", "the documents have no field 'author'"),
        ("U1:%d[author", "expected ']'"),
        ("U1:%d", "expected '['"),
        ("U1:%chars[0,0,3]", "%chars is the only macro of an A or C line"),
        ("A1:%chars[0,0,3]%x[0,0]", "%chars is the only macro of an A or C line"),
        ("A1:%chars[0,0,0]", "has at least one character"),
        ("A1:%chars[0,0]", "expected ','"),
        ("A1:%x[0,1]", "there is no column 1; the data has 0 (word), 1 (label) = the label"),
        ("A1:%x[0,tag]", "there is no column 'tag'"),
        ("N1:%before%after", "an N line has one macro"),
        ("N1:", "an N line has one of %before"),
        ("N1:%x[0,0]", "unknown number %x"),
        ("N1:%d[price]", "the documents have no field 'price'"),
        ("A1:%before", "unknown macro %before"),
        ("Z1:%x[0,0]", "a line starts with U, A, C, N or S"),
    ],
)
def test_lines_of_templates_that_do_not_fit_are_refused(run_cli, folder, line, what):
    write(folder, "bad.tpl", f"U:bias\n{line}\n")
    if "column 1" in what:
        what = "there is no column 1; the data has 0 (word)"
    refuse(run_cli, folder, TRAIN.format("t.txt") + " --template bad.tpl", 1, "bad.tpl:2: ", what)


@pytest.mark.parametrize("line", ["A1:%x[0,0]", "C1:%x[0,0]", "N1:%before", "U1:%chars[0,0,2]", "U1:%d[author]"])
def test_lines_for_documents_are_refused_in_a_tagger(run_cli, folder, line):
    write(folder, "tagged.txt", TAGGED)
    write(folder, "bad.tpl", f"U:%x[0,0]\n{line}\n")
    refuse(run_cli, folder, "train tag tagged.txt -o new.sap -q --template bad.tpl", 1, "bad.tpl:2: ", "")


@pytest.mark.parametrize("line", ["N1:%before", "N1:%after", "N1:%offset", "U1:%x[0,0]", "U1:%X[-1,0]/%x[@1,0]"])
def test_lines_that_look_from_a_marked_word_need_one(run_cli, folder, line):
    write(folder, "mark.tpl", f"U:bias\n{line}\n")
    what = "no word is marked, and the template looks from the marked word"
    refuse(run_cli, folder, TRAIN.format("t.txt") + " --template mark.tpl", 1, "t.txt:1: ", what)
    run = run_cli("train classify tokens.jsonl -o mark.sap -q --template mark.tpl --min-updates 1")
    assert run == (0, "", "")
    write(folder, "unmarked.jsonl", record(tokens=[["a", "b"]], marked=0) + record(tokens=[["a", "b"]]))
    assert refuse(run_cli, folder, "classify mark.sap unmarked.jsonl", 1, "unmarked.jsonl:2: ", what).out == ""


def test_fields_that_are_no_numbers_are_refused(run_cli, folder):
    write(folder, "n.tpl", "U:bias\nN1:%d[price]\n")
    good = [record(label=y, text="a", price=p) for y, p in (("+", 1), ("-", 2), ("-", None))]
    for bad, what in (
        ("cheap", "'cheap' is not a number; the template takes this field as one (an N line)"),
        (HOSTILE, r"'\x1b[2J\n\r\u2028' is not a number"),
        ("nan", "N1:%d[price]: a value is not a number (NaN)"),
        ("-inf", "N1:%d[price]: a value is infinite"),
        ("1e16", "N1:%d[price]: a value is larger than 1e15"),
        ("1e999", "'1e999' is not a number"),
        (LONG, "is not a number"),
    ):
        write(folder, "p.jsonl", "".join(good) + record(label="+", text="a", price=bad))
        refuse(run_cli, folder, TRAIN.format("p.jsonl") + " --template n.tpl", 1, "p.jsonl:4: ", what)
    write(folder, "good.jsonl", "".join(good))
    assert run_cli("train classify good.jsonl -o price.sap -q --template n.tpl --min-updates 1") == (0, "", "")
    write(folder, "p.jsonl", "".join(good) + record(label="+", text="a", price="nan"))
    refuse(run_cli, folder, "classify price.sap p.jsonl", 1, "p.jsonl:4: ", "not a number (NaN)")
    refuse(run_cli, folder, "classify price.sap p.jsonl --threads 3", 1, "p.jsonl:4: ", "not a number (NaN)")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("train classify", "required: TRAIN, -o/--output"),
        ("train classify t.txt", "required: -o/--output"),
        (TRAIN.format("t.txt") + " --format xml", "--format"),
        (TRAIN.format("t.txt") + " --update winnow", "--update"),
        (TRAIN.format("t.txt") + " --class-weight heavy", "class_weight is balanced, or LABEL=WEIGHT"),
        (TRAIN.format("t.txt") + " --cv 1", "--cv"),
        (TRAIN.format("t.txt") + " --cv 5 --dev t.txt", "cv chooses the passes without held-out data"),
        (TRAIN.format("t.txt") + " --cv 5 --patience 3", "leave out dev, dev_fraction and patience"),
        (TRAIN.format("t.txt") + " --gamma nan", "gamma"),
        (TRAIN.format("t.txt") + " --prune-below 0", "--prune-below"),
        (TRAIN.format("t.txt") + " --dev 200%", "'200%' is not a part of the training data"),
        ("classify", "required: MODEL"),
        ("classify t.txt.sap t.txt --top 0", "--top"),
        ("classify t.txt.sap t.txt --format xml", "--format"),
        ("classify t.txt.sap t.txt --threads 0", "--threads"),
        ("calibrate t.txt.sap", "required: DEV"),
        ("calibrate t.txt.sap t.txt --method magic", "--method"),
        ("inspect t.txt.sap --label odd", "no label 'odd'; it has +, -, neutral"),
    ],
)
def test_wrong_usage_is_refused(run_cli, folder, arguments, what):
    refuse(run_cli, folder, arguments, 2, "", what)
