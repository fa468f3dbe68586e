"""The command line, verb by verb."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from conftest import TINY_CORPUS, TINY_TEMPLATE, sentences_of, train_tiny

import sapwood
from sapwood.metrics import chunk_scores, label_scores

INPUT = "\n\n".join("\n".join(" ".join(row[:2]) for row in s) for s in sentences_of(TINY_CORPUS)) + "\n"


def with_labels(text, labels, separator=" "):
    """The text with a label put behind each line that is not blank."""
    flat = iter([label for sentence in labels for label in sentence])
    lines = [line + separator + next(flat) if line.strip() else line for line in text.split("\n")]
    return "\n".join(lines)


@pytest.fixture
def gold(tiny):
    return [[row[-1] for row in sentence] for sentence in tiny]


# Help


TABLES = [f"reproduce {name}" for name in ("table1", "table2", "table3", "averaging", "stability")]
VERBS = ["train tag", "tag", "eval", "inspect", "generate treebank", *TABLES]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_has_an_example(run_cli, verb, option):
    run = run_cli([*verb.split(), option])
    assert (run.status, run.err) == (0, "")
    examples = run.out[run.out.index("Example") :].splitlines()
    assert any(line.strip().startswith((f"sapwood {verb} ", "tokenise")) for line in examples)
    assert "\noptions:\n" in run.out


def test_examples_in_the_help_are_options_that_exist(run_cli):
    """Each example parses: whatever fails then is a missing file."""
    for verb in VERBS:
        text = run_cli([*verb.split(), "--help"]).out
        examples = text[text.index("Example") : text.index("\noptions:")].splitlines()
        for line in examples:
            if line.strip().startswith(f"sapwood {verb}") and verb not in ("generate treebank", *TABLES):
                words = re.split("[<>|]", line)[0].split()[1:]
                run = run_cli(words)
                assert run.status == 1, line
                assert "no such file" in run.err.lower(), run.err


@pytest.mark.parametrize("arguments", [[], ["train"], ["generate"], ["reproduce"]])
def test_a_verb_that_is_missing_shows_the_help(run_cli, arguments):
    run = run_cli(arguments)
    assert run.status == 2
    assert "Usage: sapwood" in run.out + run.err
    for verb in VERBS:
        assert (f"sapwood {verb} " in run.out + run.err) == (not arguments or verb.split()[0] == arguments[0])


def test_version(run_cli):
    assert run_cli(["--version"]).out == f"sapwood {sapwood.__version__}\n"


def test_the_script_and_the_module(tiny_model):
    script = os.path.join(os.path.dirname(sys.executable), "sapwood")  # noqa: PTH118, PTH120
    called = [sys.executable, "-c", "from sapwood.cli import script; script()"]
    for command in ([script], called, [sys.executable, "-m", "sapwood"]):
        run = subprocess.run([*command, "tag", tiny_model], input=b"the DT\n", capture_output=True)
        assert (run.returncode, run.stdout, run.stderr) == (0, b"the DT B-NP\n", b"")


def test_tagging_imports_little(tiny_model, tiny_file):
    """Whoever labels one sentence waits for what is imported, so each module here has to be worth it."""

    def imported(code, *arguments):
        code = f"{code}; import sys; print(*sys.modules, file=sys.stderr)"
        run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
        return set(run.stderr.split())

    verb = "import sys; from sapwood.cli import run; run(sys.argv[1:])"
    beside = imported(verb, "tag", tiny_model, tiny_file) - imported("import argparse")
    ours = {name for name in beside if name.partition(".")[0] == "sapwood"}
    assert {name for name in beside - ours if not name.startswith("importlib.")} <= {
        *("__future__", "collections.abc", "importlib", "warnings", "errno", "math", "mmap", "zlib", "atexit"),
        *("json", "json.decoder", "json.encoder", "json.scanner", "_json"),
    }
    assert {name.removeprefix("sapwood.") for name in ours} == {
        *("sapwood", "_core", "errors", "cli", "cli.app", "cli.flags", "cli.options", "cli.predict", "cli.streams"),
        *("io", "io.compressed", "io.source", "io.text", "learning", "learning.options"),
        *("modelfile", "modelfile.container", "modelfile.format1", "modelfile.schema", "modelfile.tables"),
        *("models", "models.base", "models.learner", "models.bundled", "models.load", "models.nbest"),
        *("models.row_tagger", "models.confident", "models.tag_lexicon", "models.tagger", "models.tagger_input"),
    }


# train


def test_train_writes_the_model_that_python_writes(run_cli, tiny_file, tiny_template, tmp_path):
    out = tmp_path / "cli.sap"
    options = ["--template", tiny_template, "--epochs", 8, "--min-updates", 1]
    run = run_cli(["train", "tag", tiny_file, "-o", out, *options])
    assert (run.status, run.out) == (0, "")
    train_tiny(tiny_file).save(tmp_path / "python.sap")
    assert out.read_bytes() == (tmp_path / "python.sap").read_bytes()
    lines = run.err.splitlines()
    assert lines[0].startswith("5 sentences, 32 tokens, 6 labels")
    assert [line.split()[:2] for line in lines[1:9]] == [["epoch", f"{k}/8"] for k in range(1, 9)]
    assert lines[9].startswith(f"{out}: ")
    assert len(lines) == 10
    assert list(tmp_path.glob(".*")) == []


def test_train_quietly(run_cli, tiny_file, tiny_template, tmp_path):
    run = run_cli(["train", "tag", tiny_file, "-o", tmp_path / "m.sap", "--template", tiny_template, "-q"])
    assert run == (0, "", "")


def test_train_with_every_option(run_cli, tiny_file, tmp_path):
    (tmp_path / "named.tpl").write_text("U:%x[0,word]\nU:%x[0,pos]\nU1:%y[-1]\n")
    out = tmp_path / "m.sap"
    options = (
        "--search greedy --update pa --gamma 0.5 --no-average --min-updates 2 --prune-below 1 --epochs 5 --patience 3 "
        "--seed 9 --bits 16 --shrink 0.01 --names --columns word,pos,label --history own --encoding iobes --threads 2 "
        "--order 2 --dictionary pos"
    )
    run = run_cli(f"train tag {tiny_file} -o {out} --dev {tiny_file} --template {tmp_path / 'named.tpl'} {options}")
    assert run.status == 0, run.err
    model = sapwood.load(out).model_
    assert model.options == {
        "search": "greedy", "order": 2, "update": "pa", "gamma": 0.5, "average": False, "min_updates": 2,
        "drop_below": 0.01, "prune_below": 1, "history": "own", "encoding": "iobes", "dictionary": "pos",
    }  # fmt: skip
    assert (model.bits, model.columns, model.label) == (16, ["word", "pos", "label"], 2)
    assert model.provenance["seed"] == 9
    assert " dev " in run.err


def test_train_tag_and_inspect_easiest_first(run_cli, tiny_file, tmp_path):
    (tmp_path / "both.tpl").write_text("U00:%x[0,0]\nU01:%y[-1]/%y[+1]\n")
    out = tmp_path / "m.sap"
    options = f"--template {tmp_path / 'both.tpl'} --search easiest-first --min-updates 1 --names -q"
    assert run_cli(f"train tag {tiny_file} -o {out} {options}") == (0, "", "")
    assert len(run_cli(f"tag {out} {tiny_file}").out.splitlines()) == len(tiny_file.read_text().splitlines())
    assert "easiest-first" in run_cli(f"inspect {out}").out


def test_train_from_standard_input_and_from_compressed_files(run_cli, tiny_file, tiny_template, tmp_path):
    import bz2
    import gzip
    import lzma

    text = tiny_file.read_bytes()
    sources = {"-": None, "t.gz": gzip.compress(text), "t.xz": lzma.compress(text), "t.bz2": bz2.compress(text)}
    models = set()
    for name, data in sources.items():
        source = name if data is None else tmp_path / name
        if data is not None:
            source.write_bytes(data)
        out = tmp_path / "m.sap"
        run = run_cli(["train", "tag", source, "-o", out, "--template", tiny_template, "-q"], stdin=text)
        assert run == (0, "", "")
        models.add(out.read_bytes())
    assert len(models) == 1


def test_train_stops_by_patience_and_says_so(run_cli, tiny_file, tiny_template, tmp_path):
    run = run_cli(
        ["train", "tag", tiny_file, "-o", tmp_path / "m.sap", "--template", tiny_template, "--min-updates", 1,
         "--dev-fraction", 0.2, "--epochs", 100, "--patience", 2]
    )  # fmt: skip
    assert run.status == 0
    assert "no better score for a while: stopped after" in run.err


def test_progress_on_a_terminal(tiny_file, tiny_template, tmp_path):
    """A live bar, and the lines of the epochs stay."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sapwood", "train", "tag", tiny_file, "-o", tmp_path / "m.sap"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen([*command, "--template", tiny_template, "--epochs", "3"], stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    try:
        while block := os.read(ours, 4096):
            shown += block
    except OSError:  # how a terminal whose other end is closed says so
        pass
    os.close(ours)
    assert process.wait() == 0
    assert b"epoch 3/3" in shown
    assert b"tokens/s" in shown


# tag


def test_tag_a_file_is_the_input_and_a_column(run_cli, tiny_model, tmp_path, gold):
    (tmp_path / "in.txt").write_text(INPUT)
    run = run_cli(["tag", tiny_model, tmp_path / "in.txt"])
    assert run == (0, with_labels(INPUT, gold), "")


def test_tag_reads_standard_input(run_cli, tiny_model, gold):
    for arguments in (["tag", tiny_model], ["tag", tiny_model, "-"], ["tag", tiny_model, "--threads", 2]):
        assert run_cli(arguments, stdin=INPUT) == (0, with_labels(INPUT, gold), "")


def test_tag_keeps_a_label_that_is_there(run_cli, tiny_model, tiny_file, gold):
    assert run_cli(["tag", tiny_model, tiny_file]).out == with_labels(TINY_CORPUS, gold)


def test_tag_several_files_and_standard_input_between_them(run_cli, tiny_model, tmp_path):
    (tmp_path / "a.txt").write_text("the DT\ndog NN\n")
    (tmp_path / "b.txt").write_text("she PRP")
    run = run_cli(["tag", tiny_model, tmp_path / "a.txt", "-", tmp_path / "b.txt"], stdin="cats NNS\n\n")
    assert run == (0, "the DT B-NP\ndog NN I-NP\ncats NNS B-NP\n\nshe PRP B-NP\n", "")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("the DT\ndog NN", "the DT B-NP\ndog NN I-NP\n"),  # no last newline
        ("the\tDT\ndog\tNN\n", "the\tDT\tB-NP\ndog\tNN\tI-NP\n"),
        ("the   DT\ndog NN\n", "the   DT B-NP\ndog NN I-NP\n"),
        ("the DT\r\ndog NN\r\n\r\nshe PRP\r\n", "the DT B-NP\r\ndog NN I-NP\r\n\r\nshe PRP B-NP\r\n"),
        ("\n\nthe DT\n\n\n\nshe PRP\n\n\n", "\n\nthe DT B-NP\n\n\n\nshe PRP B-NP\n\n\n"),
        ("the DT\n \t\nshe PRP\n", "the DT B-NP\n \t\nshe PRP B-NP\n"),
        ("\ufeffthe DT\ndog NN\n", "\ufeffthe DT B-NP\ndog NN I-NP\n"),
        ("the DT more columns\ndog NN than needed\n", "the DT more columns B-NP\ndog NN than needed I-NP\n"),
        ("# NN\n", None),  # no comments: '#' is a word
        ("", ""),
        ("\n", "\n"),
    ],
)  # fmt: skip
def test_tag_keeps_the_form_of_the_input(run_cli, tiny_model, tmp_path, data, expected):
    (tmp_path / "in.txt").write_bytes(data.encode())
    from_file = run_cli(["tag", tiny_model, tmp_path / "in.txt"])
    from_pipe = run_cli(["tag", tiny_model], stdin=data)
    assert from_file == from_pipe
    assert from_file.status == 0
    if expected is not None:
        assert from_file.out == expected
    else:
        assert len(from_file.out.split()) == 3


def test_tag_one_token_a_line(run_cli, tmp_path):
    from sapwood import SequenceTagger

    tagger = SequenceTagger(template="U:%x[0,0]\nB\n", min_updates=1).fit([[("the", "D"), ("dog", "N")]])
    tagger.save(tmp_path / "m.sap")
    assert run_cli(["tag", tmp_path / "m.sap"], stdin="the\ndog\n\ndog").out == "the\tD\ndog\tN\n\ndog\tN\n"


def test_tag_streams_sentence_by_sentence(spawn_cli, tiny_model):
    """A sentence comes out when its blank line is in, while standard input is still open."""
    process = spawn_cli(["tag", tiny_model])
    for _ in range(3):
        process.stdin.write(b"the DT\ndog NN\n\n")
        process.stdin.flush()
        assert [process.stdout.readline() for _ in range(3)] == [b"the DT B-NP\n", b"dog NN I-NP\n", b"\n"]
    process.stdin.write(b"she PRP\r\n\r\n")
    process.stdin.flush()
    assert [process.stdout.readline() for _ in range(2)] == [b"she PRP B-NP\r\n", b"\r\n"]
    process.stdin.write(b"cats NNS")
    process.stdin.close()
    assert process.stdout.read() == b"cats NNS B-NP\n"
    assert process.wait() == 0


def test_tag_in_pieces_of_any_size(spawn_cli, tiny_model, gold):
    """Where the pipe happens to cut the input changes nothing."""
    data = INPUT.replace("\n", "\r\n").encode()
    expected = with_labels(INPUT, gold).replace("\n", "\r\n")
    process = spawn_cli(["tag", tiny_model], bufsize=0)
    for at in range(0, len(data), 7):
        process.stdin.write(data[at : at + 7])
        time.sleep(0.001)
    process.stdin.close()
    assert process.stdout.read().decode() == expected


@pytest.mark.parametrize("from_file", [True, False])
def test_a_reader_that_has_enough(spawn_cli, tiny_model, tmp_path, from_file):
    """As in `sapwood tag ... | head -1`: no traceback, no message."""
    path = tmp_path / "long.txt"
    path.write_text(f"{INPUT}\n" * 3000)
    with path.open() as source:
        process = spawn_cli(["tag", tiny_model, *([path] if from_file else [])], stdin=source)
        assert process.stdout.readline() == b"the DT B-NP\n"
        process.stdout.close()
        assert process.wait() in (0, 141)
        assert process.stderr.read() == b""


def test_other_verbs_whose_reader_has_enough(spawn_cli, tiny_model, tiny_file):
    for arguments in (["inspect", tiny_model, "--top", 1000], ["eval", tiny_model, tiny_file], ["--help"]):
        process = spawn_cli(arguments)
        process.stdout.close()
        assert process.wait() in (0, 141)
        assert process.stderr.read() == b""


def test_an_interrupt_while_tagging(spawn_cli, tiny_model):
    process = spawn_cli(["tag", tiny_model])
    process.stdin.write(b"the DT\n\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"the DT B-NP\n"
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert process.stderr.read().count(b"\n") == 1


# eval


TEST = (
    TINY_CORPUS.replace("bird NN I-NP", "bird NN B-NP")
    .replace("on IN B-PP", "on IN B-ADVP")
    .replace("VBN I-VP", "VBN O")
)


def test_eval_prints_labels_and_the_block_of_conlleval(run_cli, tiny_model, tmp_path):
    (tmp_path / "test.txt").write_text(TEST)
    run = run_cli(["eval", tiny_model, tmp_path / "test.txt", "--json", tmp_path / "eval.json"])
    assert (run.status, run.err) == (0, "")
    sentences = sentences_of(TEST)
    gold = [[row[-1] for row in sentence] for sentence in sentences]
    guess = sapwood.load(tiny_model).predict(sentences)
    labels, chunks = label_scores(gold, guess), chunk_scores(gold, guess)
    assert run.out == (
        f"{labels.format()}\n\nlabels that training never saw, scored as wrong: B-ADVP (1)\n\n{chunks.format()}\n"
    )
    assert f"processed 32 tokens with {chunks.gold} phrases; found: {chunks.guessed} phrases" in run.out
    assert 0 < labels.accuracy < 100
    [row] = json.loads((tmp_path / "eval.json").read_text())["rows"]
    assert row["accuracy"] == pytest.approx(labels.accuracy)
    assert row["f1"] == pytest.approx(chunks.f1)
    assert row["name"] == str(tiny_model)


def test_eval_from_a_pipe_and_on_two_threads(run_cli, tiny_model):
    one = run_cli(["eval", tiny_model, "-"], stdin=TINY_CORPUS)
    assert one.status == 0
    assert "FB1: 100.00" in one.out
    assert "never saw" not in one.out
    assert run_cli(["eval", tiny_model, "-", "--threads", 2], stdin=TINY_CORPUS) == one


def test_eval_of_labels_that_are_no_chunks(run_cli, tmp_path):
    from sapwood import SequenceTagger

    data = "the D\ndog N\n"
    (tmp_path / "t.txt").write_text(data)
    SequenceTagger(template="U:%x[0,0]\n", min_updates=1).fit(tmp_path / "t.txt").save(tmp_path / "m.sap")
    run = run_cli(["eval", tmp_path / "m.sap", tmp_path / "t.txt", "--json", tmp_path / "j.json"])
    assert "tokens:    2 of 2 correct, 100.00%" in run.out
    assert "FB1" not in run.out
    [row] = json.loads((tmp_path / "j.json").read_text())["rows"]
    assert "f1" not in row


# inspect


def test_inspect(run_cli, tiny_file, tmp_path):
    path = tmp_path / "m.sap"
    train_tiny(tiny_file, names=True, seed=3).save(path)
    run = run_cli(["inspect", path, "--top", 2])
    assert (run.status, run.err) == (0, "")
    size = path.stat().st_size
    for text in (
        f"file      {path}, {size:,} bytes",
        "task      tag",
        "labels    6: B-NP I-NP B-VP O I-VP B-PP",
        "columns   0, 1, 2 (label)",
        "template  6 lines",
        "search viterbi",
        "min_updates 1",
        "int8, scale ",
        "seed 3, sentences 5, tokens 32",
        "header and alignment",
    ):
        assert text in run.out, text
    model = sapwood.load(path)
    [line] = [line for line in run.out.splitlines() if line.startswith("weights   ")]
    assert f"{sum(t.packed.weights for t in model.model_.tables):,} non-zero" in line
    shares = [line.split() for line in run.out.splitlines() if line.endswith(" %")]
    assert sum(int(words[-3].replace(",", "")) for words in shares) == size
    # the heaviest feature of a label
    heaviest = max(weight for output, weight, name in model.weights() if output.name == "B-VP" and "after" not in name)
    block = run.out[run.out.index("\nB-VP\n") :].splitlines()
    assert block[2].split()[0] == f"{heaviest:+.3f}"
    assert len(block) >= 6


def test_inspect_one_label_without_names(run_cli, tiny_model):
    run = run_cli(["inspect", tiny_model, "--label", "B-PP", "--label", "O", "--template"])
    assert run.status == 0
    assert "train with --names" in run.out
    assert "\nB-PP\n" in run.out
    assert "\nI-NP\n" not in run.out
    assert TINY_TEMPLATE in run.out


def test_inspect_without_features(run_cli, tiny_model):
    assert "\nB-PP\n" not in run_cli(["inspect", tiny_model, "--top", 0]).out


# generate and reproduce


def test_generate_a_treebank_and_learn_it(run_cli, tmp_path):
    run = run_cli(["generate", "treebank", "--sentences", 200, "--seed", 7, "-o", tmp_path / "corpus"])
    assert (run.status, run.err) == (0, "")
    names = {path.name for path in (tmp_path / "corpus").iterdir()}
    assert {f"{split}.{kind}" for split in ("train", "dev", "test") for kind in ("txt", "conllu", "mrg")} <= names
    assert [line.split(":")[0].rsplit("/")[-1] for line in run.out.splitlines()] == [
        f"{split}.txt, .conllu, .mrg" for split in ("train", "dev", "test")
    ]
    train, test, model = (tmp_path / "corpus" / name for name in ("train.txt", "test.txt", "m.sap"))
    run = run_cli(
        ["train", "tag", train, "-o", model, "--template", "crfsuite-chunking", "--min-updates", 1, "--epochs", 3]
    )
    assert run.status == 0, run.err
    assert "FB1" in run_cli(["eval", model, test]).out


@pytest.fixture
def small_data(tmp_path, tiny):
    """A folder laid out as SAPWOOD_DATA is."""
    folder = tmp_path / "data" / "conll2000"
    folder.mkdir(parents=True)
    (folder / "train.txt").write_text(f"{TINY_CORPUS}\n" * 20)
    (folder / "test.txt").write_text(TINY_CORPUS)
    return folder.parent


def test_reproduce_table_1(run_cli, small_data, tmp_path):
    run = run_cli(
        ["reproduce", "table1", "--data", small_data, "--epochs", 1, "--only", "SAP10", "--json", tmp_path / "t.json"]
    )
    assert run.status == 0, run.err
    assert run.err == "CoNLL-2000: SAP10 ...\n"
    rows = [line for line in run.out.splitlines() if line.startswith("SAP10 ")]
    assert len(rows) == 1
    assert "26,160" in rows[0]  # the paper's
    [row] = json.loads((tmp_path / "t.json").read_text())["rows"]
    assert row["name"] == "SAP10"
    assert {"accuracy", "f1", "features", "weights", "bytes", "train_cpu_s"} <= set(row)
    assert 0 < row["accuracy"] <= 100
    assert row["weights"] >= row["features"] > 0
    assert f"{row['accuracy']:.2f}" in rows[0]
    assert f"{row['bytes']:,}" in rows[0]


def test_reproduce_takes_the_folder_from_the_environment(run_cli, small_data, monkeypatch):
    monkeypatch.setenv("SAPWOOD_DATA", str(small_data))
    run = run_cli(["reproduce", "table1", "--epochs", 1, "--only", "Avg. Percep", "--only", "SAP5"])
    assert run.status == 0, run.err
    assert [line.split("  ")[0] for line in run.out.splitlines()[2:]] == ["Avg. Percep", "SAP5"]


# Ctrl-C


@pytest.fixture
def long_training(spawn_cli, tmp_path):
    """A training run that would take minutes, in its second epoch or later."""
    (tmp_path / "train.txt").write_text(f"{TINY_CORPUS}\n" * 1000)
    (tmp_path / "t.tpl").write_text(TINY_TEMPLATE)
    arguments = ["train", "tag", tmp_path / "train.txt", "-o", tmp_path / "m.sap", "--template", tmp_path / "t.tpl"]
    process = spawn_cli([*arguments, "--epochs", 1_000_000, "--min-updates", 1])
    while not process.stderr.readline().startswith(b"epoch"):
        pass
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_once_it_finishes_the_epoch_and_writes_the_model(long_training, tmp_path, tiny, number):
    long_training.send_signal(number)
    err = long_training.stderr.read().decode()
    assert long_training.wait() == 0
    assert "interrupted: kept the model of epoch" in err
    model = sapwood.load(tmp_path / "m.sap")
    assert model.model_.provenance["stopped_by"] == "interrupted"
    assert model.score(tiny) == 1.0
    assert {path.name for path in tmp_path.iterdir()} == {"train.txt", "t.tpl", "m.sap"}


def test_a_terminal_that_is_closed_ends_training_like_ctrl_c(spawn_cli, tmp_path):
    (tmp_path / "train.txt").write_text(f"{TINY_CORPUS}\n" * 100)
    ours, theirs = os.openpty()
    arguments = ["train", "tag", tmp_path / "train.txt", "-o", tmp_path / "m.sap", "--epochs", 1_000_000]
    process = spawn_cli(arguments, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while b"epoch" not in shown:
        shown += os.read(ours, 1000)
    os.close(ours)
    process.send_signal(signal.SIGHUP)  # as the system does if the terminal controls the process
    assert process.wait(60) == 0
    assert sapwood.load(tmp_path / "m.sap").model_.provenance["stopped_by"] == "interrupted"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_twice_it_writes_nothing(run_cli, tiny_file, tiny_template, tmp_path, monkeypatch, number):
    """Two signals within one epoch, sent from where the progress is drawn."""
    before = signal.getsignal(number)

    def interrupt_twice(self, event):
        if getattr(event, "epoch", 0) == 2:
            signal.raise_signal(number)
            signal.raise_signal(number)

    monkeypatch.setattr("sapwood.cli.progress._Descriptions.__call__", interrupt_twice)
    run = run_cli(["train", "tag", tiny_file, "-o", tmp_path / "m.sap", "--template", tiny_template, "--epochs", 1000])
    assert run.status == 128 + number
    assert run.err.strip().startswith("sapwood: interrupted")
    assert run.err.strip().count("\n") == 0
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(number) is before
