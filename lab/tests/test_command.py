"""The command `sapwood-lab`: its verbs, its help, and what it does not know."""

from sapwood_lab import __version__
from sapwood_lab.command import VERBS


def test_it_says_what_there_is(run_lab):
    run = run_lab("--help")
    assert (run.status, run.err) == (0, "")
    assert all(f"sapwood-lab {name} " in run.out and verb.title in run.out for name, verb in VERBS.items())
    assert run_lab("") == (2, "", run.out)
    assert run_lab("--version").out == f"sapwood-lab {__version__}\n"


def test_each_verb_has_help(run_lab):
    for name in VERBS:
        run = run_lab(f"{name} --help")
        assert (run.status, run.err) == (0, "")
        assert f"sapwood-lab {name}" in run.out


def test_a_wrong_word_is_answered_with_the_right_one(run_lab):
    assert run_lab("step").err == (
        "sapwood-lab: No such command 'step'; did you mean 'steps'? See 'sapwood-lab --help'.\n"
    )
    assert "did you mean '--example'?" in run_lab("steps --exampel x").err


def test_files_of_another_kind_are_not_written_over(run_lab, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "step-01.svg").write_text("a text")
    run = run_lab(["steps", "--updates", 1, "--pictures", folder])
    assert (run.status, run.out) == (2, "")
    assert "would be written over" in run.err
    assert run_lab(["steps", "--updates", 1, "--pictures", folder, "--force"]).status == 0
