"""How the command line behaves towards people: typing errors, terminals, colours, completion."""

import argparse
import contextlib
import re
import shutil
import subprocess

import pytest
from processes import on_terminal

from sapwood.cli.app import all_verbs
from sapwood.cli.base.progress import _Descriptions
from sapwood.cli.base.verb import option_values, parser_of
from sapwood.events import EpochDone, Finished, MemoryNeeded, Started
from sapwood.loading import model_class
from sapwood.options import options_of

_ESCAPE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


# Typing errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("evl m.sap t.txt", "No such command 'evl'; did you mean 'eval'? See 'sapwood --help'."),
        ("train pasre t.conllu", "No such command 'pasre'; did you mean 'train parse'? See 'sapwood train --help'."),
        ("--verison", "No such option '--verison'; did you mean '--version'? See 'sapwood --help'."),
        ("zzz", "No such command 'zzz'. See 'sapwood --help'."),
        (
            "train tag t.txt -o m.sap --epcohs 3",
            "No such option '--epcohs'; did you mean '--epochs'? See 'sapwood train tag --help'.",
        ),
        (
            "train tag t.txt --ouput m.sap",  # not: -o is missing
            "No such option '--ouput'; did you mean '--output'? See 'sapwood train tag --help'.",
        ),
        (
            "tag m.sap --thread=2",
            "No such option '--thread'; did you mean '--threads'? See 'sapwood tag --help'.",
        ),
        ("tag m.sap --zzz", "No such option '--zzz'. See 'sapwood tag --help'."),
    ],
)
def test_the_right_word_is_named_after_a_typing_error(run_cli, arguments, message):
    assert run_cli(arguments) == (2, "", f"sapwood: {message}\n")


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("0", "'0' is not a whole number, 1 or more"),
        ("-3", "'-3' is not a whole number, 1 or more"),
        ("many", "'many' is not a whole number, 1 or more"),
    ],
)
def test_a_number_out_of_range_is_told_in_plain_words(run_cli, number, message):
    run = run_cli(["train", "tag", "t.txt", "-o", "m.sap", f"--epochs={number}"])
    assert run == (2, "", f"sapwood: Argument --epochs: {message}. See 'sapwood train tag --help'.\n")


def test_no_message_about_a_number_has_2_to_the_64(run_cli):
    """Whatever option it is: 2^64 says nothing to anyone who typed 0."""
    for name, verb in all_verbs().items():
        for action in parser_of(name, verb)._actions:
            for text in ("x", "-1", "0") if action.type is not None else ():
                with contextlib.suppress(argparse.ArgumentTypeError, ValueError):
                    action.type(text)
                    continue
                with pytest.raises((argparse.ArgumentTypeError, ValueError)) as error:
                    action.type(text)
                assert not re.search(r"\d{9}", str(error.value).replace(",", "")), (name, action.dest)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "train rank t -o m --kernel none",
            "Argument --kernel: 'none' is none of linear, tree, subsequence, polynomial",
        ),
        (
            "train rank t -o m --kernel linaer",
            "Argument --kernel: 'linaer' is none of linear, tree, subsequence, polynomial; did you mean 'linear'?",
        ),
        (
            "train parse t -o m --update-strategy=max",
            "--update-strategy is set in Python alone: the option update_strategy of the model's class",
        ),
        ("train tag t -o m --names", "--names is called --feature-names here"),
        ("train rank t -o m --violation max", "No such option '--violation'"),
        ("train rank t -o m --decay 1.5", "Argument --decay: '1.5' is not a number above 0, up to 1"),
        ("train tag t -o m --gamma x", "Argument --gamma: 'x' is not a number from 0 to 1,000,000"),
    ],
)
def test_names_and_values_of_options_that_are_others_now(run_cli, arguments, message):
    end = "" if message.endswith("?") else "."
    help = f"See 'sapwood {' '.join(arguments.split()[:2])} --help'."
    assert run_cli(arguments) == (2, "", f"sapwood: {message}{end} {help}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("train tag t -o m --order 1 --order 2", "--order is given twice, as '1' and as '2'; give it once"),
        ("train tag t -o m --order=2 t --order 1", "--order is given twice, as '2' and as '1'; give it once"),
        ("train tag t -o m -o n", "-o is given twice, as 'm' and as 'n'; give it once"),
        ("train tag t -om --output n", "--output is given twice, as 'm' and as 'n'; give it once"),
    ],
)
def test_an_option_with_two_values_is_refused(run_cli, arguments, message):
    """argparse takes the last one."""
    assert run_cli(arguments) == (2, "", f"sapwood: {message}. See 'sapwood train tag --help'.\n")


def test_an_option_given_twice_with_one_value_is_no_error(run_cli):
    run = run_cli("train tag nowhere.txt -o m --order 1 --order=1")
    assert run.status == 1
    assert "nowhere.txt" in run.err


# Options of training


@pytest.mark.parametrize("task", ["tag", "parse", "classify", "rank", "grammar"])
def test_training_has_the_options_that_the_model_declares(task):
    """With their defaults; no option of a model is written down on the command line."""
    name = f"train {task}"
    parser = parser_of(name, all_verbs()[name])
    declared = {option.name: option for option in options_of(model_class(task)).values() if option.command}
    given = vars(parser.parse_args(["data", "-o", "model"]))
    own = {"source", "output", "quiet", "force"}
    if task != "grammar":
        own |= {"dev", "checkpoint", "resume"}
        if task != "rank":
            own |= {"from_checkpoint", "workers", "notes"}
        if task in ("tag", "classify"):
            own |= {"stream"}
    assert set(given) == own | set(declared)
    values = option_values(model_class(task), dict(given))
    assert values == {name: option.default for name, option in declared.items()}
    assert model_class(task)(**values).get_params() == model_class(task)().get_params()


# Help


@pytest.mark.parametrize("name", list(all_verbs()))
def test_every_help_has_an_example_and_fits_the_terminal(run_cli, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    run = run_cli([*name.split(), "--help"])
    assert (run.status, run.err) == (0, "")
    assert re.search(f"^  .*sapwood {name}( |$)", run.out[run.out.index("\nExample") :], re.MULTILINE)
    prose = [line for line in run.out[run.out.index("\n\n") :].splitlines() if not line.startswith("  ")]
    assert max(map(len, prose)) <= 80


# Progress


def test_lines_of_progress_fit_80_columns():
    """Of the largest data and models that there are likely to be."""
    for unit, learned in (("tokens", "features"), ("examples", "features"), ("lists", "support candidates")):
        describe = _Descriptions()
        events = [
            Started(12_345_678, 234_567_890, 1_234, 100, 123.4, unit, learned),
            MemoryNeeded(123_456_000_000, 123_456_000_000),
            EpochDone(100, 100, 234_567_890, 234_567_890, 123_456_789, 1e5, 12_345_678.9, 100.0, True),
            EpochDone(1, 100, 234_567_890, 1, 1, 1e5, 0.4, None, True),
            Finished(100, 100, "patience", 1e5, freeze=None),
            Finished(100, 100, "interrupted", 1e5, freeze=None),
            Finished(100, 100, "epochs", 1e5, freeze=None, repeated=2_345_678_900, given_up=12_345_678),
        ]
        for event in events:
            line = describe(event)
            assert line
            assert len(line) <= 80, line


def test_progress_is_shown_on_a_terminal(tiny_file, tiny_template, tmp_path):
    """A live bar, and the lines of the epochs stay."""
    train = ["train", "tag", tiny_file, "-o", tmp_path / "m.sap", "--template", tiny_template, "--epochs", "3"]
    status, shown = on_terminal(train, columns=120)
    assert status == 0
    assert b"epoch 3/3" in shown
    assert b"tokens/s" in shown


def test_the_live_bar_fits_80_columns(tiny_file, tiny_template, tmp_path):
    options = ["--template", tiny_template, "--epochs", 200, "--dev", tiny_file]
    status, shown = on_terminal(["train", "tag", tiny_file, "-o", tmp_path / "m.sap", *options])
    assert status == 0
    lines = [line.decode() for line in re.split(rb"[\r\n]+", _ESCAPE.sub(b"", shown))]
    assert any(line.startswith("epoch 200/200") for line in lines)
    assert max(len(line) for line in lines if str(tmp_path) not in line) <= 80


# Colours


def test_colours_are_for_terminals(tiny_model, tiny_file):
    bad, good = ["tag", "missing.sap"], ["eval", tiny_model, tiny_file]
    for arguments, status in ((bad, 1), (good, 0)):
        found, shown = on_terminal(arguments)
        assert found == status
        assert b"\x1b[1" in shown
        for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            assert b"\x1b" not in on_terminal(arguments, **plain)[1]


def test_there_are_no_colours_in_a_pipe(run_cli, tiny_model, tiny_file, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for arguments in (["tag", "missing.sap"], ["eval", tiny_model, tiny_file], ["inspect", tiny_model]):
        run = run_cli(arguments)
        assert "\x1b" not in run.out + run.err


def test_a_terminal_shows_what_a_pipe_gets(run_cli, tiny_model, tiny_file):
    for arguments in (["eval", tiny_model, tiny_file], ["inspect", tiny_model]):
        shown = _ESCAPE.sub(b"", on_terminal(arguments)[1]).decode().replace("\r\n", "\n")
        assert shown == run_cli(arguments).out


# Typing


@pytest.mark.parametrize("arguments", [["tag", "{model}"], ["tag", "{model}", "-"], ["eval", "{model}", "-"]])
def test_a_verb_that_waits_for_typing_says_so(tiny_model, arguments):
    arguments = [argument.format(model=tiny_model) for argument in arguments]
    status, shown = on_terminal(arguments, typed=b"she PRP B-NP\n\x04")
    assert status == 0
    assert b"reading from the terminal; end with Ctrl-D" in shown


def test_a_verb_that_reads_files_or_a_pipe_does_not(run_cli, tiny_model, tiny_file):
    assert b"terminal" not in on_terminal(["tag", tiny_model, tiny_file])[1]
    assert run_cli(["tag", tiny_model], stdin="she PRP\n").err == ""


# Completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_verb_and_option(run_cli, shell):
    pytest.importorskip("shtab")
    run = run_cli(["completion", shell])
    assert (run.status, run.err) == (0, "")
    for name, verb in all_verbs().items():
        assert name.split()[-1] in run.out
        for option in parser_of(name, verb)._option_string_actions:
            assert option.lstrip("-") in run.out, (name, option)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tr", "train"),
        ("generate rev", "reviews"),
        ("train tag --sea", "--search"),
        ("train tag --search gr", "greedy"),
        ("tag {model}", "{model}"),
    ],
)
def test_bash_completes(run_cli, tmp_path, tiny_model, words, expected):
    pytest.importorskip("shtab")
    (tmp_path / "script").write_text(run_cli("completion bash").out)
    words = words.format(model=str(tiny_model)[:-1])
    asked = f'''. {tmp_path / "script"}
        function_name=$(complete -p sapwood | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
        COMP_WORDS=(sapwood {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        $function_name sapwood "${{COMP_WORDS[-1]}}" "${{COMP_WORDS[-2]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"'''
    run = subprocess.run(["bash", "-c", asked], capture_output=True, text=True)
    assert (run.stdout.split(), run.stderr) == ([expected.format(model=tiny_model)], "")


def test_completion_without_its_library_names_the_extra(run_cli, monkeypatch):
    monkeypatch.setattr("sapwood.base.optional.installed", lambda library: library.startswith("sapwood"))
    assert run_cli("completion bash") == (2, "", "sapwood: completion needs shtab: pip install 'sapwood[completion]'\n")
    assert run_cli("completion tcsh").status == 2
