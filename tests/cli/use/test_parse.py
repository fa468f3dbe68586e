"""The command line of dependency parsers."""

import signal

import pytest
from processes import HANG, assert_ctrl_c_ends_waiting, assert_ends_without_its_reader

import sapwood
from sapwood import DependencyParser, SequenceTagger
from sapwood.base.heads import check_heads
from sapwood.datasets.treebank import generate
from sapwood.events import Preparing

RAW = "1\tthe\t_\tDET\tDT\t_\t_\t_\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n3\tbarks\t_\tVERB\tVBZ\t_\t_\t_\t_\t_\n\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A treebank and parsers that were trained on it."""
    folder = tmp_path_factory.mktemp("parse")
    sentences = list(generate(80))
    (folder / "train.conllu").write_text("".join(s.conllu(str(k)) for k, s in enumerate(sentences[:60])))
    (folder / "test.conllu").write_text("".join(s.conllu(str(k)) for k, s in enumerate(sentences[60:])))
    DependencyParser(epochs=2, min_updates=1, beam=2).fit(folder / "train.conllu").save(folder / "p.sap")
    SequenceTagger(template="pos", epochs=1, min_updates=1).fit([["a"]], [["X"]]).save(folder / "t.sap")
    (folder / "nothing.conllu").write_text("")
    (folder / "broken.conllu").write_text(RAW + "1\ta\t_\n")
    return folder


def trees_of(text):
    """(heads, relations) of each sentence of CoNLL-U."""
    blocks = [
        [row.split("\t") for row in block.split("\n") if row[:1] not in ("", "#")] for block in text.split("\n\n")
    ]
    return [([int(row[6]) for row in rows], [row[7] for row in rows]) for rows in blocks if rows]


# train parse


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "options",
    [
        "", "--beam 1", "--search easy-first", "--search eisner --order 2 --labelling none",
        "--search eisner --update pa", "--tags predicted --tag-columns upos --beam 1",
        "--multiple-roots --bits 16 --seed 7",
    ],
)  # fmt: skip
def test_train_writes_the_model_that_parse_reads(run_cli, folder, tmp_path, options):
    model = tmp_path / "m.sap"
    train = [
        "train",
        "parse",
        folder / "train.conllu",
        "-o",
        model,
        "--epochs",
        2,
        "--min-updates",
        1,
        *options.split(),
    ]
    run = run_cli([*train, "--dev", folder / "test.conllu"])
    assert (run.status, run.out) == (0, "")
    assert f"{model}: " in run.err
    assert "features" in run.err
    run = run_cli([*train, "--quiet"])
    assert (run.status, run.out, run.err) == (0, "", "")
    run = run_cli(["parse", model], (folder / "test.conllu").read_bytes())
    assert (run.status, run.err) == (0, "")
    for heads, _ in trees_of(run.out):
        check_heads(heads, "parse")
    assert trees_of(run.out) == sapwood.load(model).predict(folder / "test.conllu")


def test_the_treebank_may_come_from_standard_input(run_cli, folder, tmp_path):
    args = ["train", "parse", "-", "-o", tmp_path / "m.sap", "--epochs", 1, "-q"]
    assert run_cli(args, (folder / "train.conllu").read_bytes()).status == 0
    args[2] = folder / "train.conllu"
    args[4] = tmp_path / "same.sap"
    assert run_cli(args).status == 0
    assert (tmp_path / "m.sap").read_bytes() == (tmp_path / "same.sap").read_bytes()


@pytest.mark.parametrize(
    "options",
    ["--search viterbi", "--order 3", "--beam 0", "--beam 5000", "--labelling some", "--tags silver", "--bits 7",
     "--min-updates 0", "--epochs x", "--search eisner --labelling joint", "--tag-columns lemma", "--tag-columns ,",
     "--patience 2", "--gamma -1", "--k-best 3", "--nonsense", "--dev 100%"],
)  # fmt: skip
def test_wrong_usage_of_train_is_refused(run_cli, folder, tmp_path, options):
    run = run_cli(["train", "parse", folder / "train.conllu", "-o", tmp_path / "m.sap", "-q", *options.split()])
    assert (run.status, run.out) == (2, "")
    assert run.err.count("\n") == 1
    assert not (tmp_path / "m.sap").exists()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("none.conllu", "cannot read it"),
        ("nothing.conllu", "there is no sentence in it"),
        ("broken.conllu", "broken.conllu:5: "),
        ("t.sap", "t.sap: this is a model of sapwood or a checkpoint, not data"),
    ],
)
def test_data_that_are_wrong_are_refused(run_cli, folder, tmp_path, source, message):
    for args in (
        ["train", "parse", folder / source, "-o", tmp_path / "m.sap", "-q"],
        ["eval", folder / "p.sap", folder / source],
    ):
        run = run_cli(args)
        assert (run.status, run.out) == (1, "")
        assert message in run.err
        assert run.err.count("\n") == 1


def test_a_folder_that_cannot_be_written(run_cli, folder, tmp_path):
    run = run_cli(["train", "parse", folder / "train.conllu", "-o", tmp_path / "none" / "m.sap"])
    assert run.status == 1
    assert run.err.count("\n") == 1


def start_training(spawn_cli, folder, target, *options):
    process = spawn_cli(["train", "parse", folder / "train.conllu", "-o", target, "--epochs", 100000, *options])
    while b"epoch" not in process.stderr.readline():
        assert process.poll() is None
    return process


def test_ctrl_c_keeps_the_model(spawn_cli, folder, tmp_path):
    process = start_training(spawn_cli, folder, tmp_path / "m.sap")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=HANG)
    assert process.returncode in (0, 130)
    parser = sapwood.load(tmp_path / "m.sap")
    assert parser.model_.provenance["stopped_by"] == "interrupted"
    check_heads(parser.predict([["a", "b", "c"]])[0].heads, "parse")


def test_ctrl_c_in_jackknifing_stops(run_cli, on_progress, folder, tmp_path):
    """There is no parser yet that could be kept."""
    seen = []

    def interrupt(event):
        seen.append(event)
        if isinstance(event, Preparing) and "fold" in event.what and 0 < event.share < 1:
            signal.raise_signal(signal.SIGINT)

    on_progress(interrupt)
    run = run_cli(["train", "parse", folder / "train.conllu", "-o", tmp_path / "m.sap", "--tags", "jackknife"])
    assert run.status == 130
    assert run.err.endswith("\nsapwood: interrupted\n")
    assert isinstance(seen[-1], Preparing)
    assert (seen[-1].done, seen[-1].share < 1) == (0, True)  # while the tagger of the first fold was trained
    assert not (tmp_path / "m.sap").exists()


# parse


def test_files_and_streams_give_the_same_trees(run_cli, folder):
    by_file = run_cli(["parse", folder / "p.sap", folder / "test.conllu", folder / "test.conllu"])
    text = (folder / "test.conllu").read_text()
    by_stream = run_cli(["parse", folder / "p.sap", "-"], text + text)
    assert by_file == by_stream
    assert run_cli(["parse", folder / "p.sap", "--threads", 3], text + text) == by_file
    assert run_cli(["parse", folder / "p.sap"], b"") == (0, "", "")


def test_a_sentence_is_parsed_as_soon_as_it_is_there(spawn_cli, folder):
    process = spawn_cli(["parse", folder / "p.sap"])
    for newline in (b"\n", b"\r\n"):
        sentence = RAW.encode().replace(b"\n", newline)
        process.stdin.write(sentence)
        process.stdin.flush()
        got = b"".join(process.stdout.readline() for _ in range(4))
        assert got.count(newline) == 4
        assert got.split(b"\t")[:6] == sentence.split(b"\t")[:6]
    process.stdin.write(b"# sent_id = last\n1\ta\t_\n")
    process.stdin.close()
    assert process.wait(HANG) == 1
    err = process.stderr.read().decode()
    assert "standard input:10: " in err
    assert err.count("\n") == 1


def test_a_file_is_checked_before_anything_is_written(run_cli, folder):
    run = run_cli(["parse", folder / "p.sap", folder / "broken.conllu"])
    assert (run.status, run.out) == (1, "")
    assert "broken.conllu:5: " in run.err


def test_a_reader_that_goes_away(spawn_cli, folder):
    assert_ends_without_its_reader(spawn_cli(["parse", folder / "p.sap"]), RAW.encode() * 20)


def test_ctrl_c_ends_waiting_for_input(spawn_cli, folder):
    assert_ctrl_c_ends_waiting(spawn_cli(["parse", folder / "p.sap"]), RAW.encode())


def test_draw_writes_trees_as_text(run_cli, folder):
    run = run_cli(["parse", folder / "p.sap", "--draw"], RAW + RAW)
    assert (run.status, run.err) == (0, "")
    assert "\t" not in run.out
    for word in ("the", "dog", "barks", "root"):
        assert run.out.count(word) >= 2


def test_svg_is_written_for_each_sentence(run_cli, folder, tmp_path):
    run = run_cli(["parse", folder / "p.sap", "--svg", tmp_path / "t.svg"], RAW.replace("dog", "<dog>&"))
    assert (run.status, run.err) == (0, "")
    assert trees_of(run.out)
    text = (tmp_path / "t.svg").read_text(encoding="utf-8")
    assert "<svg" in text
    assert "&lt;dog&gt;&amp;" in text
    run = run_cli(["parse", folder / "p.sap", "--svg", tmp_path / "none" / "t.svg"], RAW)
    assert run.status == 1
    assert run.err.count("\n") == 1


def test_words_cannot_steer_the_terminal(run_cli, folder):
    run = run_cli(["parse", folder / "p.sap", "--draw"], RAW.replace("dog", "\x1b[2Jdog\x07"))
    assert run.status == 0
    assert "\x1b" not in run.out
    assert "\x07" not in run.out


@pytest.mark.parametrize(
    "args", ["parse", "parse {p} --threads 0", "parse {p} --threads x", "parse {p} --wrong", "eval {p}"]
)
def test_wrong_usage_of_parse_is_refused(run_cli, folder, args):
    run = run_cli(args.format(p=folder / "p.sap"))
    assert (run.status, run.out) == (2, "")
    assert run.err.count("\n") == 1


def test_models_that_are_none_are_refused(run_cli, folder, tmp_path):
    (tmp_path / "cut.sap").write_bytes((folder / "p.sap").read_bytes()[:-20])
    for args, message in (
        (["parse", folder / "t.sap"], "a model for tagging, not for parsing; see 'sapwood tag'"),
        (["tag", folder / "p.sap"], "a model for parsing, not for tagging; see 'sapwood parse'"),
        (["parse", tmp_path / "none.sap"], "none.sap: "),
        (["parse", folder / "test.conllu"], "test.conllu: "),
        (["parse", tmp_path / "cut.sap"], "cut.sap: "),
    ):
        run = run_cli(args, RAW)
        assert (run.status, run.out) == (1, "")
        assert message in run.err
        assert run.err.count("\n") == 1


# eval


def test_eval_prints_and_writes_the_scores(run_cli, folder):
    run = run_cli(["eval", folder / "p.sap", folder / "test.conllu"])
    assert (run.status, run.err) == (0, "")
    report = sapwood.load(folder / "p.sap").evaluate(folder / "test.conllu")
    assert f"{report.uas:.2f}" in run.out
    assert f"{report.las:.2f}" in run.out


def test_eval_needs_trees(run_cli, folder, tmp_path):
    (tmp_path / "raw.conllu").write_text(RAW)
    run = run_cli(["eval", folder / "p.sap", tmp_path / "raw.conllu"])
    assert (run.status, run.out) == (1, "")
    assert "raw.conllu:1: the word has no head" in run.err
    assert run.err.count("\n") == 1


def test_help_names_the_verb(run_cli):
    for verb in ("train parse", "parse"):
        run = run_cli([*verb.split(), "--help"])
        assert (run.status, run.err) == (0, "")
        assert f"sapwood {verb} " in run.out
