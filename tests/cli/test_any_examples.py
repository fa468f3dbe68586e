"""Examples of any bytes, from memory, huge and long: learned and classified, or an error."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuse
from reviews import FORMATS, record, write

import sapwood
from sapwood import Classifier, DataError, OptionError
from sapwood.io.example_files import parse_examples
from sapwood.io.examples import Layout
from sapwood.io.records import Remarks

TRAIN = "train classify {} -o new.sap -q"
LONG = "x" * 1_000_000


@pytest.mark.parametrize(
    "examples",
    [[(["a"], -1)], [(["a"], 1)], [(["a"], 10**30)], [(["a"], True)], [("a", 0)],
     [(["a"], 0.5)], [3], [None], [["a"]], [([3], 0)], [([("a",), "b"], 0)]],
)  # fmt: skip
def test_bad_examples_from_memory_are_refused(examples):
    with pytest.raises(DataError, match=r"^input: "):
        Classifier().fit([(["good"], 0), *examples], ["+"] * (1 + len(examples)))


def test_bad_features_from_memory_are_refused():
    for features in ({3: 1}, {"a": object()}, {"a": float("inf")}, {"\ud800": 1}, {"a": "\ud800"}, "text", 7):
        with pytest.raises(DataError, match=r"input: example 2(: | \(counted from 1\) )"):
            Classifier().fit([{"a": 1}, features], ["+", "-"])
    with pytest.raises(DataError, match="input: 1 examples and 2 labels"):
        Classifier().fit([{"a": 1}], ["+", "-"])
    with pytest.raises(OptionError, match="labels beside a file"):
        Classifier().fit(Path("t.txt"), ["+"])


def test_huge_values_give_finite_sums(run_cli, folder):
    """Sums of the largest values that there may be are finite; the model can be saved, loaded and inspected."""
    rows = [f"{'+-'[k % 2]} " + " ".join(f"{j}:{'-' * (k % 3 == 0)}1e15" for j in range(1, 300)) for k in range(20)]
    write(folder, "huge.svm", "\n".join(rows) + "\n")
    for update in ("perceptron", "margin", "pa", "l1-cumulative", "truncated-gradient"):
        for bits in (8, 32):
            options = f"--update {update} --gamma 1000000 --min-updates 1 --bits {bits} -q"
            assert run_cli(f"train classify huge.svm -o huge.sap {options}") == (0, "", "")
            run = run_cli("classify huge.sap huge.svm --top 2")
            assert (run.status, run.out.count("\n")) == (0, 20)
            assert not {"nan", "inf", "-nan", "-inf"} & set(run.out.split())
            assert run_cli("inspect huge.sap").status == 0


@pytest.mark.slow
def test_very_long_lines_are_learned_and_classified(run_cli, folder):
    text = "good bad " * 200_000
    write(folder, "long.txt", f"__label__+ {text}\n__label__- {LONG}\n")
    assert run_cli(TRAIN.format("long.txt") + " --min-updates 1") == (0, "", "")
    assert run_cli("classify new.sap long.txt").out.count("\n") == 2
    write(folder, "long.jsonl", record(text=text) + record(text=LONG))
    assert run_cli("classify new.sap long.jsonl --format jsonl").out.count("\n") == 2


def test_hostile_files_take_no_longer_than_honest_ones(run_cli, folder):
    """Each of these keeps a reader that tries and comes back busy for hours."""
    for evil in (
        "<instance>" * 100_000, "<instance" * 100_000, "<instance>" + "<answer " * 100_000 + "</instance>",
        "<instance><context><wf pos='x'>" + " " * 1_000_000 + "</instance>",
        '<instance><context><wf pos="x">' + " " * 1_000_000 + "</instance>",
        "<instance><context>" + '<wf pos="' * 100_000 + "</instance>",
    ):  # fmt: skip
        write(folder, "evil.pos", evil)
        refuse(run_cli, folder, TRAIN.format("evil.pos"), 1, "evil.pos:1: ", "")


PIECES = {
    "fasttext": [b"__label__", b"__label__a ", b"good", b" ", b"\t", b"\n", b"\r\n", "é\u2028".encode()],
    "svmlight": [b"+1 ", b"a ", b"1:1 ", b"2:nan ", b"3:1e99 ", b"7", b":", b"-", b"qid:3 ", b"#", b"\n", b"\r\n"],
    "jsonl": [b'{"label":"a","text":"b c"}', b'{"tokens":["a","b"],"marked":1}', b'{"features":{"a":1}}', b'"', b"\\",
              b"\\ud800", b"{", b"}", b"[", b"]", b":", b",", b"\n", b"null", b"1e999", b"NaN"],
    "csv": [b"label,text\n", b"label,text,x\n", b"a,b\n", b",", b'"', b"\n", b"\r", b"\r\n", b"a"],
    "senseval": [b"<instance>", b"<instance id='a'>", b"</instance>", b"<answer senseid=\"a\"/>", b"<context>",
                 b"<head>", b"</head>", b'<wf pos="N">a</wf>', b'<wf pos="', b'">', b"</wf>", b"<", b" ", b"\n"],
}  # fmt: skip
ANY = [b"\0", b"\xff", b"\xef\xbb\xbf", b"\x1b"]


@pytest.mark.few(1)
@pytest.mark.parametrize("form", PIECES)
@given(data=st.data())
def test_any_bytes_are_examples_or_an_error(form, data):
    pieces = data.draw(st.lists(st.sampled_from(PIECES[form] * 3 + ANY), max_size=30))
    for tag_in_label in (False, True):
        try:
            examples = parse_examples(
                b"".join(pieces), "in", Layout(form, [], []), Remarks(), fixed=False, tag_in_label=tag_in_label
            )
        except DataError as error:
            assert str(error).startswith("in:")
            assert str(error).isprintable()
            continue
        assert len(examples) == len(examples.answers.gold)
        assert all(label and not set(label) & set("\t\r\n\0") for label in examples.answers.labels)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
def test_any_bytes_are_classified_or_an_error(models, tmp_path_factory, name, data):
    form = {"t.txt": "fasttext", "t.svm": "svmlight", "t.pos": "senseval", "t.csv": "csv", "t.tsv": "csv"}.get(
        name, "jsonl"
    )
    pieces = data.draw(st.lists(st.sampled_from(PIECES[form] * 3 + ANY), max_size=30))
    classifier = _load_once(tmp_path_factory.getbasetemp() / f"any-{name}.sap", (models / f"{name}.sap").read_bytes())
    stream = b"".join(pieces)
    try:
        lines = b"".join(classifier.annotate([stream], name="in"))
    except DataError as error:
        assert str(error).startswith("in:")
        assert str(error).isprintable()
        return
    for line in lines.split(b"\n")[:-1]:
        label, margin = line.decode().split("\t")
        assert label in (*classifier.labels_, "_")  # nothing of it is known
        assert float(margin) >= 0


@cache
def _load_once(path, content):
    path.write_bytes(content)
    return sapwood.load(path)
