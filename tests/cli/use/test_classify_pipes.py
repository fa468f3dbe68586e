"""classify from pipes: formats by the beginning, labels as soon as an example is there, readers that go away."""

from pathlib import Path

import pytest
from processes import HANG, assert_ctrl_c_ends_waiting, assert_ends_without_its_reader
from reviews import FORMATS, TEXTS
from scores import label_scores

import sapwood

WORDS = "".join(f"{text}\n" for _, text in TEXTS)


def rows(out):
    return [line.split("\t") for line in out.splitlines()]


@pytest.mark.parametrize("name", FORMATS)
def test_files_and_streams_give_the_same_labels(run_cli, folder, name):
    by_file = run_cli(f"classify {name}.sap {name} {name}")
    assert (by_file.status, by_file.err) == (0, "")
    classifier = sapwood.load(f"{name}.sap")
    got = rows(by_file.out)
    assert [label for label, _ in got] == classifier.predict(Path(name)).tolist() * 2
    scores = [sorted(row) for row in label_scores(classifier, Path(name)).tolist()] * 2
    assert [float(margin) for _, margin in got] == pytest.approx([s[-1] - s[-2] for s in scores], rel=1e-5)
    content = (folder / name).read_text()
    if name not in ("t.tsv", "t.csv"):
        assert run_cli(f"classify {name}.sap", stdin=content + content) == by_file
        assert run_cli(f"classify {name}.sap -", stdin=content + content) == by_file
    assert run_cli(f"classify {name}.sap {name} {name} --threads 3") == by_file


def test_an_example_is_classified_as_soon_as_it_is_there(spawn_cli, folder):
    for model, lines in (
        ("t.txt.sap", [b"good\n", b"__label__- awful\r\n", b"\n"]),
        ("t.jsonl.sap", [b'{"text": "good"}\n', b'{"text": "awful", "label": "-"}\n']),
        ("tokens.jsonl.sap", [b'{"tokens": [["a", "b"]], "marked": 0}\n']),
        ("t.svm.sap", [b"? 1:1 2:1\n", b"+ 3:1 # comment\n"]),
        ("t.csv.sap", [b"a good film\n", b"an awful, dull plot\n"]),  # plain lines
    ):
        process = spawn_cli(["classify", model])
        for line in lines:
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline().count(b"\t") == 1
        process.stdin.close()
        assert process.wait(HANG) == 0
        assert b"sapwood: warning: " in (said := process.stderr.read()) or said == b""


def test_csv_in_a_pipe_is_read_to_its_end(run_cli, folder):
    text = (folder / "t.csv").read_text()
    assert run_cli("classify t.csv.sap", stdin=text) == run_cli("classify t.csv.sap t.csv")
    assert run_cli("classify t.txt.sap --format csv", stdin=text).out == run_cli("classify t.csv.sap t.csv").out


LINES = ["a good film , what a charming film !", "", "a dull plot, and more", "__label__+ an awful cast"]


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl"])
def test_plain_lines_come_by_a_pipe(run_cli, folder, tmp_path, name):
    """Whatever the classifier was trained on."""
    text = "\n".join([*LINES, ""])
    run = run_cli(f"classify {name}.sap", stdin=text)
    assert run.status == 0
    assert run.err.endswith("standard input: an example has no feature that the model knows, and is answered with _\n")
    with pytest.warns(sapwood.UnfamiliarWarning):
        expected = sapwood.load(f"{name}.sap").predict(LINES)
    assert [label for label, _ in rows(run.out)] == [
        "_" if line == "" else y for line, y in zip(LINES, expected, strict=True)
    ]
    assert run_cli(f"classify {name}.sap -", stdin=text) == run
    assert run_cli(f"classify {name}.sap", stdin=text.rstrip("\n")) == run
    (tmp_path / "lines.txt").write_text(text)
    assert run_cli(f"classify {name}.sap --format lines {tmp_path / 'lines.txt'}").out == run.out
    why = run_cli(f"explain {name}.sap --sentence 3", stdin=text)
    assert (why.status, "dull" in why.out) == (0, True)
    assert run_cli(f"classify {name}.sap", stdin="").out == ""


def test_cells_between_tabs_are_read_from_a_pipe(run_cli, folder):
    rows = run_cli("classify t.tsv.sap", stdin="label\ttext\n+\tgood\n")
    assert (rows.status, rows.out) == (0, run_cli("classify t.tsv.sap", stdin="good\n").out)


@pytest.mark.parametrize(
    ("model", "text", "message"),
    [
        ("t.csv", "label,review\n+,good\n", "1: the header has no column 'text'; it has label, review"),
        ("t.tsv", "label\treview\n+\tgood\n", "1: the header has no column 'text'; it has label, review"),
        ("t.jsonl", '{"text": "good"\n', "1: the line is not JSON"),
        ("features.jsonl", "good\n", "1: the line is not JSON"),
        ("tokens.jsonl", "good\n", "1: the line is not JSON"),
    ],
)
def test_what_only_looks_like_plain_lines_is_refused(run_cli, folder, model, text, message):
    run = run_cli(f"classify {model}.sap", stdin=text)
    assert (run.status, run.out) == (1, "")
    assert f"standard input:{message}" in run.err


def test_lines_are_nothing_to_train_on(run_cli, folder):
    assert run_cli("train classify t.txt -o m.sap --format lines").status == 2


def test_the_name_tells_tabs(run_cli, folder, tmp_path):
    """Of the file, not of the folder that it is in."""
    (tmp_path / "a.tsv").mkdir()
    (tmp_path / "a.tsv" / "t.csv").write_bytes((folder / "t.csv").read_bytes())
    assert run_cli(f"classify t.csv.sap {tmp_path / 'a.tsv' / 't.csv'}").out.count("\n") == 60
    assert run_cli("classify t.csv.sap t.tsv").out == run_cli("classify t.csv.sap t.csv").out


def test_a_reader_that_goes_away(spawn_cli, folder):
    assert_ends_without_its_reader(spawn_cli(["classify", "t.txt.sap"]), WORDS.encode())


def test_ctrl_c_ends_waiting_for_input(spawn_cli, folder):
    assert_ctrl_c_ends_waiting(spawn_cli(["classify", "t.txt.sap"]), b"good\n")
