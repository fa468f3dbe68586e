"""What a person who looks for a verb or a flag is told: help, headings, wrong words."""

import argparse

import pytest

import sapwood
from sapwood.cli.app import HEADINGS, all_verbs
from sapwood.cli.base.verb import parser_of, texts_of_help
from sapwood.loading import model_class
from sapwood.options import GROUPS, options_of
from sapwood.tasks.pipeline.options import NamesOptions

TASKS = {
    "tag": "tag",
    "pipeline": "pipeline",
    "entities": "pipeline",
    "segmenter": "segment",
    "parse": "parse",
    "lemmatizer": "lemmatize",
    "splitter": "split",
    "classify": "classify",
    "grammar": "grammar",
    "rank": "rank",
}
OPTIONS = {word: model_class(task)._params_type for word, task in TASKS.items()} | {"entities": NamesOptions}


def parser(name):
    return parser_of(name, all_verbs()[name])


def flags(name):
    """The arguments of a verb that begin with a hyphen, but -h and --force, as they are counted."""
    return [each for each in parser(name)._actions if each.option_strings and each.dest not in ("help", "force")]


# Help and version


def test_help_alone_shows_the_verbs_under_what_a_person_wants(run_cli):
    run = run_cli("help")
    assert (run.status, run.err) == (0, "")
    assert run == run_cli("--help") == run_cli("-h")
    lines = run.out.splitlines()
    assert [line[:-1] for line in lines if line.endswith(":") and not line.startswith(" ")] == list(HEADINGS)
    shown = [line for line in lines if line.startswith("  sapwood ")]
    assert len(shown) == len(all_verbs())
    for name, line in zip(all_verbs(), shown, strict=True):
        assert line.startswith(f"  sapwood {name} ")


@pytest.mark.parametrize("name", all_verbs())
def test_help_of_a_verb_is_that_of_its_flag(run_cli, name):
    run = run_cli(f"help {name}")
    assert run == run_cli(f"{name} --help")
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith(f"usage: sapwood {name}")


@pytest.mark.parametrize("group", ["train", "generate"])
def test_help_of_the_first_word_of_verbs_lists_them(run_cli, group):
    run = run_cli(f"help {group}")
    assert run == run_cli(f"{group} --help")
    assert (run.status, run.err) == (0, "")
    for name in all_verbs():
        assert (f"  sapwood {name} " in run.out) == name.startswith(f"{group} ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nonsense", "No such command 'nonsense'. See 'sapwood --help'."),
        ("evl", "No such command 'evl'; did you mean 'eval'? See 'sapwood --help'."),
        ("train pasre", "No such command 'pasre'; did you mean 'train parse'? See 'sapwood train --help'."),
        ("tag nonsense", "'tag nonsense' is no command; did you mean 'tag'?"),
    ],
)
def test_help_of_what_is_no_verb(run_cli, words, message):
    assert run_cli(f"help {words}") == (2, "", f"sapwood: {message}\n")


@pytest.mark.parametrize("arguments", ["version", "--version", "-V"])
def test_version(run_cli, arguments):
    assert run_cli(arguments) == (0, f"sapwood {sapwood.__version__}\n", "")


# Headings, and how many flags there are


@pytest.mark.parametrize("name", ["train tag", "train parse"])
def test_options_stand_under_headings_and_the_five_that_matter_first_come_first(run_cli, name):
    groups = [(group.title, group._group_actions) for group in parser(name)._action_groups]
    assert [title for title, _ in groups] == ["positional arguments", *GROUPS.values(), "other options"]
    assert len(dict(groups)["the options that matter first"]) == 5
    assert all(actions for _, actions in groups)
    out = run_cli(f"{name} --help").out
    places = [out.index(f"\n{title}:\n") for title, _ in groups]
    assert places == sorted(places)


@pytest.mark.parametrize("name", [f"train {word}" for word in TASKS if word != "grammar"])
def test_five_options_at_most_matter_first(name):
    [first] = [group for group in parser(name)._action_groups if group.title == GROUPS["first"]]
    assert {"output", "dev"} < {action.dest for action in first._group_actions}
    assert len(first._group_actions) <= 5


def test_there_are_not_too_many_flags():
    assert len(flags("train tag")) <= 27
    assert len(flags("train parse")) <= 31
    assert sum(len(flags(name)) for name in all_verbs()) <= 300


@pytest.mark.parametrize(
    ("word", "name"),
    [(word, each.name) for word, options in OPTIONS.items() for each in options.options().values() if not each.command],
)
def test_options_of_python_alone_say_so(run_cli, word, name):
    flag = f"--{name.replace('_', '-')}"
    run = run_cli(f"train {word} t -o m {flag} 1")
    why = f"{flag} is set in Python alone: the option {name} of the model's class"
    assert run == (2, "", f"sapwood: {why}. See 'sapwood train {word} --help'.\n")
    assert name in options_of(model_class(TASKS[word]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("anno t.txt", "No such command 'anno'; did you mean 'annotate'? See 'sapwood --help'."),
        ("expl m.sap", "No such command 'expl'; did you mean 'explain'? See 'sapwood --help'."),
        ("com", "No such command 'com'; did you mean 'compare' or 'completion'? See 'sapwood --help'."),
        ("train lem t", "No such command 'lem'; did you mean 'train lemmatizer'? See 'sapwood train --help'."),
        (
            "train tag t -o m --epoch 3",
            "No such option '--epoch'; did you mean '--epochs'? See 'sapwood train tag --help'.",
        ),
        (
            "train tag t -o m --check c",
            "No such option '--check'; did you mean '--checkpoint'? See 'sapwood train tag --help'.",
        ),
    ],
)
def test_what_is_shortened_is_answered_with_the_whole(run_cli, arguments, message):
    assert run_cli(arguments) == (2, "", f"sapwood: {message}\n")


# Held-out data


def test_a_part_of_the_training_data_is_held_out(run_cli, tiny_file, tmp_path):
    options = ["--template", "pos", "--epochs", "2", "-q"]
    assert run_cli(["train", "tag", tiny_file, "-o", tmp_path / "m.sap", *options, "--dev", "40%"]).status == 0
    tagger = sapwood.SequenceTagger(template="pos", epochs=2).fit(tiny_file, dev_fraction=0.4)
    tagger.save(tmp_path / "python.sap")
    assert (tmp_path / "m.sap").read_bytes() == (tmp_path / "python.sap").read_bytes()


@pytest.mark.parametrize("name", [f"train {word}" for word in TASKS if word != "grammar"] + ["shrink"])
def test_what_is_no_part_is_told(name):
    [dev] = [action for action in parser(name)._actions if action.dest == "dev"]
    assert dev.type("10%") == 0.1
    assert dev.type("dev.txt") == "dev.txt"
    for text in ("0%", "100%", "x%", "-5%", "%"):
        with pytest.raises(argparse.ArgumentTypeError, match=rf"'{text}' is not a part .* such as 10%; a file is ./"):
            dev.type(text)


# The core


@pytest.mark.parametrize(
    ("trainer", "word"),
    [("Tagger", "tag"), ("Parser", "parse"), ("Classifier", "classify"), ("Ranker", "rank"), ("Dual", "rank")],
)
def test_what_the_core_takes_is_declared(trainer, word):
    """By the class, by one of its family, or added by for_core: no name is spelled in two ways."""
    family = [each for other in OPTIONS.values() for each in other.options()]
    added = set(OPTIONS[word]().for_core())
    names = getattr(sapwood._core, f"{trainer}Trainer").options
    assert names
    assert set(names) <= added | set(family)
    assert "seed" in names


def test_each_text_of_help_is_that_of_a_verb():
    assert sorted(texts_of_help()) == sorted(all_verbs())
