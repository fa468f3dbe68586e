"""Nothing is lost: no output over an input or over a file of another kind, no short write, whole or not at all."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tiny import TINY_CORPUS
from verbs import COMMANDS, make_workshop

from sapwood.base.command.files import Input, InputFolder, OutputFile, OutputFolder, Written, check_files
from sapwood.base.writing import written_kind
from sapwood.cli.app import all_verbs
from sapwood.cli.base.verb import input_list, parser_of
from sapwood.errors import OptionError

# What an argument without a choice or a number may be, besides the files.
NO_FILES = {"ADDRESS", "HOST", "ID,...", "LABEL", "NAME", "ORIGIN", "PART,...", "ROW", "V", "VERB"}
NO_FILES |= {"balanced|LABEL=W,..."}


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A folder with data and models of every kind."""
    folder = tmp_path_factory.mktemp("workshop")
    make_workshop(folder)
    return folder


@pytest.fixture
def bench(workshop, tmp_path):
    """A copy of it for a test that writes."""
    for file in workshop.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def program(command, before="", limit=None):
    """A command of sapwood as a process. before: Python that runs first; limit: bytes of a file, at most.

    The core is imported before: an editable build looks then whether it has to be built anew, and writes files.
    """
    if limit is not None:
        before = f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
    code = f"import sys, sapwood._core\n{before}\nfrom sapwood.cli import main\nmain(sys.argv[1:])"
    return [sys.executable, "-B", "-c", code, *command.split()]


def sapwood(folder, command, before="", limit=None, **options):
    """Run a command of sapwood in a folder."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(program(command, before, limit), cwd=folder, **options)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def one_line(message):
    return re.fullmatch(r"sapwood: [^\n]+\n", message.decode()) is not None


# Every verb writes in one way


def test_every_verb_stands_in_the_table():
    assert set(COMMANDS) == set(all_verbs())


@pytest.mark.parametrize("name", all_verbs())
def test_every_argument_that_names_a_file_says_whether_it_is_read_or_written(name):
    for action in parser_of(name, all_verbs()[name])._actions:
        if action.choices or action.nargs == 0 or action.type not in (None, str):
            continue
        assert action.metavar in NO_FILES, action.dest


def test_one_file_does_all_the_writing():
    """Models, pages, pictures, tables: all go through `replacing`, and standard output through `finish_writes`."""
    writing = re.compile(
        r"""\.write_text\(|\.write_bytes\(|savefig\((?!picture)|open\([^)\n]*["'][rbt]*[wax+]|sys\.stdout\.buffer|O_WRONLY"""
    )
    source = Path(sys.modules["sapwood"].__file__).parent
    found = {}
    for path in source.rglob("*.py"):
        lines = [line for line in path.read_text().splitlines() if writing.search(line)]
        if lines:
            found[str(path.relative_to(source))] = lines
    assert set(found) == {
        "base/writing.py",
        "base/command/terminal.py",  # writes on standard output
        "cli/base/progress.py",  # opens /dev/null where a terminal was closed
    }


WATCH = """
import os
def watch(event, arguments):
    if event == 'open' and isinstance(arguments[0], (str, bytes)) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        path = os.fsdecode(arguments[0])
        if not path.startswith('/dev/') and '.sapwood-' not in path and not path.startswith(os.environ['SCRATCH']):
            os.write(2, f'wrote past replacing: {path}\\n'.encode())
sys.addaudithook(watch)"""


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [name for name, (command, _) in COMMANDS.items() if command])
def test_a_verb_opens_no_file_to_write_but_one_that_takes_its_place_when_it_is_whole(bench, name, tmp_path_factory):
    scratch = str(tmp_path_factory.mktemp("scratch"))
    environment = {**os.environ, "SCRATCH": scratch, "TMPDIR": scratch, "MPLCONFIGDIR": scratch}
    run = sapwood(bench, f"{name} {COMMANDS[name][0]}", before=WATCH, env=environment)
    assert run.returncode == 0, run.stderr
    assert b"wrote past" not in run.stderr


# A full disk


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [name for name, (command, _) in COMMANDS.items() if command and "out" in command])
def test_a_file_that_does_not_fit_is_an_error_and_leaves_what_was_there(bench, name):
    """A limit of file sizes fails as a full disk does, in the middle of a write."""
    before = contents(bench)
    run = sapwood(bench, f"{name} {COMMANDS[name][0]}", limit=20)
    assert run.returncode == 1
    assert run.stderr.decode().splitlines()[-1].startswith("sapwood: out")
    assert contents(bench) == before
    assert not list(bench.rglob(".sapwood-*"))


@pytest.mark.few(1)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("name", [name for name, (_, prints) in COMMANDS.items() if prints])
def test_a_full_disk_behind_standard_output_is_an_error(bench, name, unbuffered):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        run = sapwood(bench, f"{name} {COMMANDS[name][0]}", stdout=full, env=environment)
    assert run.returncode == 1
    assert run.stderr.decode().splitlines()[-1] == "sapwood: No space left on device"


@pytest.mark.few(1)
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "command", ["tag tagger.sap many.txt", "annotate en text.txt", "parse parser.sap train.conllu"]
)
def test_output_that_is_cut_is_an_error(bench, command, unbuffered):
    (bench / "many.txt").write_text(f"{TINY_CORPUS}\n" * 20)
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    whole = sapwood(bench, command, env=environment, check=True).stdout
    for limit in (len(whole) // 2, len(whole) - 1):
        with (bench / "cut").open("wb") as file:
            run = sapwood(bench, command, limit=limit, stdout=file, env=environment)
        assert run.returncode == 1
        assert one_line(run.stderr)
        assert whole.startswith((bench / "cut").read_bytes())


@pytest.mark.few(1)
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["tag tagger.sap many.txt", "annotate en many-texts.txt"])
def test_a_pipe_that_does_not_block_gets_all(bench, command, unbuffered):
    (bench / "many.txt").write_text(f"{TINY_CORPUS}\n" * 500)
    (bench / "many-texts.txt").write_text("Ada wrote it. Bob read it.\n\n" * 500)
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    whole = sapwood(bench, command, env=environment, check=True).stdout
    assert len(whole) > 1 << 16  # more than a pipe holds
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with subprocess.Popen(program(command), cwd=bench, stdout=writer, env=environment) as run:
        os.close(writer)
        with open(reader, "rb") as file:  # noqa: PTH123
            assert file.read() == whole
    assert run.returncode == 0


@pytest.mark.few(1)
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["tag tagger.sap many.txt", "annotate en many-texts.txt"])
def test_a_reader_that_had_enough_ends_the_verb_as_a_broken_pipe_does(bench, command, unbuffered):
    (bench / "many.txt").write_text(f"{TINY_CORPUS}\n" * 500)
    (bench / "many-texts.txt").write_text("Ada wrote it. Bob read it.\n\n" * 500)
    run = subprocess.Popen(
        program(command),
        cwd=bench,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with run:
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 128 + signal.SIGPIPE


# An output that is an input


@pytest.mark.parametrize(
    "command",
    [
        "train tag tiny.txt -o tiny.txt",
        "train tag tiny.txt -o out.sap --dev other.txt --epochs 1 --checkpoint other.txt",
        "train tag tiny.txt --dev other.txt -o other.txt",
        "train tag tiny.txt -o out.sap --checkpoint tiny.txt",
        "train tag tiny.txt -o linked.txt",
        "train tag tiny.txt -o hard.txt",
        "train tag tiny.txt -o ./tiny.txt --force",
        "train tag tiny.txt -o own.tpl --template own.tpl",
        "train clusters text.txt tiny.txt -o tiny.txt",
        "eval tagger.sap tiny.txt --json tiny.txt",
        "report tagger.sap tiny.txt -o tiny.txt",
        "report tagger.sap tiny.txt -o tagger.sap --force",
        "explain tagger.sap tiny.txt --json tagger.sap --force",
        "shrink tagger.sap --data tiny.txt -o tagger.sap --bytes 10000",
        "shrink tagger.sap --data tiny.txt -o tiny.txt --bytes 10000",
        "calibrate reviews.sap reviews.txt -o reviews.txt",
        "parse parser.sap train.conllu --svg train.conllu",
        "compare tiny.txt tiny.txt tiny.txt --json tiny.txt",
    ],
)
def test_no_verb_writes_over_a_file_that_it_reads(run_cli, bench, monkeypatch, command):
    monkeypatch.chdir(bench)
    Path("linked.txt").symlink_to("tiny.txt")
    Path("hard.txt").hardlink_to("tiny.txt")
    Path("own.tpl").write_text("U:%x[0,0]\n")
    Path("other.txt").write_text(TINY_CORPUS)
    before = contents(bench)
    run = run_cli(command)
    assert run.status == 2
    assert run.err.endswith(": the command reads this file, which would be lost; name another one\n")
    assert (run.out, run.err.count("\n"), contents(bench)) == ("", 1, before)


@pytest.mark.parametrize("name", all_verbs())
def test_every_output_of_every_verb_is_held_against_every_input(bench, monkeypatch, name):
    monkeypatch.chdir(bench)
    file = bench / "tiny.txt"
    actions = parser_of(name, all_verbs()[name])._actions
    outputs = [action for action in actions if isinstance(action.type, OutputFile) and action.type.names != ()]
    inputs = [action for action in actions if action.type in (Input, InputFolder, input_list)]
    for output in outputs:
        names = output.type.names
        written = output.type(str(bench if names else file))
        if names:
            file = bench / names[0].replace("*", "01")
            file.write_text(TINY_CORPUS)
        for given in inputs:
            if given.dest in output.type.over:
                continue
            read = InputFolder(bench) if given.type is InputFolder else Input(file)
            value = [read] if given.nargs in ("*", "+") or given.type is input_list else read
            with pytest.raises(OptionError, match="the command reads this file"):
                check_files({given.dest: value, output.dest: written}, force=True)


@pytest.mark.few(1)
@pytest.mark.parametrize("verb", ["tag tagger.sap tiny.txt", "tag tagger.sap", "eval tagger.sap tiny.txt"])
def test_standard_output_that_is_an_input_is_refused(bench, verb):
    before = contents(bench)
    with (bench / "tiny.txt").open("ab") as output, (bench / "tiny.txt").open("rb") as source:
        run = sapwood(bench, verb, stdin=source, stdout=output)
    assert run.returncode == 2
    assert one_line(run.stderr)
    assert b"which the command reads; write to another file" in run.stderr
    assert contents(bench) == before


@pytest.mark.filterwarnings("always::sapwood.SapwoodWarning")
def test_a_file_may_be_replaced_where_that_is_what_the_verb_is_for(bench, run_cli, monkeypatch):
    monkeypatch.chdir(bench)
    for command in (
        "calibrate reviews.sap reviews.txt -q",
        "calibrate reviews.sap reviews.txt -o reviews.sap -q",
        "train tag tiny.txt -o new.sap --epochs 1 --checkpoint state -q",
        "train tag tiny.txt -o new.sap --epochs 1 --checkpoint state --resume state -q",
        "train tag tiny.txt -o new.sap --epochs 1 --resume state -q",
        "train tag tiny.txt -o /dev/null --epochs 1 -q",
    ):
        assert run_cli(command).status == 0


def test_two_outputs_are_two_files(run_cli, bench, monkeypatch):
    monkeypatch.chdir(bench)
    run = run_cli("train tag tiny.txt -o new.sap --checkpoint ./new.sap")
    assert (run.status, run.err) == (2, "sapwood: new.sap: two outputs would be written to this file; name two files\n")


# An output over a file of another kind


KINDS = {
    "model": "tagger.sap",
    "checkpoint": "state",
    "HTML": b"\n<!-- a page --><!DOCTYPE html><html>",
    "picture": b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg>',
    "JSON": b'{\n "rows": []}',
    "text": TINY_CORPUS.encode(),
    "other": b"PK\x03\x04\x00\x00",
}


@pytest.fixture(scope="module")
def one_of_each(workshop, tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinds")
    sapwood(
        workshop,
        f"train tag tiny.txt -o {folder / 'model'} --epochs 1 --checkpoint {folder / 'checkpoint'} -q",
        check=True,
    )
    for kind, content in KINDS.items():
        if isinstance(content, bytes):
            (folder / kind).write_bytes(content)
    return folder


def test_kinds_are_told_by_the_first_bytes(one_of_each, tmp_path):
    assert {path.name: written_kind(path) for path in one_of_each.iterdir()} == {kind: kind for kind in KINDS}
    for kind, content in (
        ("picture", b"\x89PNG\r\n\x1a\n\0"),
        ("picture", b"<svg xmlns"),
        ("picture", b'<?xml version="1.0"?>\n' + b"<!-- a -- b > -->\n" * 100 + b"<!DOCTYPE svg>\n<!----><svg>"),
        ("HTML", b" <!---->\n" + b"<!-- <svg> -->" * 200 + b"<!doctype HTML>"),
        ("HTML", b'<?xml version="1.0"?>\n<!DOCTYPE html><html>'),
        ("text", b"<!---->" * 580 + b"words"),
        ("text", b"<!-- a --> words --> <svg>"),
        ("text", b"<!-- <svg> <html>"),
        ("HTML", b"\xef\xbb\xbf<HTML lang=en>"),
        ("JSON", b'{"text": "a"}\n{"text": "b"}\n'),
        ("JSON", b"[[1, 2]]"),
        ("text", b"{curly} words"),
        ("text", b"[S [NP a]]"),
        ("text", b"(S (NP a))"),
        ("other", b"\x1f\x8b\x08\0"),
        ("", b""),
    ):
        (tmp_path / "file").write_bytes(content)
        assert written_kind(tmp_path / "file") == kind
    for no_file in ("/dev/null", tmp_path, tmp_path / "nowhere"):
        assert written_kind(no_file) == ""


@pytest.mark.parametrize("there", KINDS)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "other"])
def test_a_file_of_another_kind_is_replaced_by_force_only(one_of_each, tmp_path, kind, there):
    file = tmp_path / "file"
    file.write_bytes((one_of_each / there).read_bytes())
    written = OutputFile(kind)(str(file))
    assert isinstance(written, Written)
    check_files({"output": written}, force=True)
    if there == kind:
        check_files({"output": written}, force=False)
    else:
        with pytest.raises(OptionError, match=r"would be written over .*; name another file, or say so by --force"):
            check_files({"output": written}, force=False)


def test_files_in_a_folder_are_looked_at_too(run_cli, bench, monkeypatch):
    monkeypatch.chdir(bench)
    Path("pages").mkdir()
    Path("pages/train.txt").write_bytes(Path("tagger.sap").read_bytes())
    run = run_cli("generate reviews --reviews 30 -o pages")
    assert (run.status, run.out) == (2, "")
    assert "would be written over" in run.err
    run = run_cli("generate reviews --reviews 30 -o pages --force")
    assert run.status == 0


def test_force_is_a_flag_of_the_verbs_that_write_files_and_of_no_other():
    for name, verb in all_verbs().items():
        actions = parser_of(name, verb)._actions
        writes = any(isinstance(action.type, (OutputFile, OutputFolder)) for action in actions)
        assert writes == any("--force" in action.option_strings for action in actions), name
