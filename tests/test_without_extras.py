"""Where rich alone is installed, each verb works, or says in one line which extra it needs."""

from alone import run_alone
from verbs import COMMANDS


def test_every_verb_works_or_says_what_it_needs(tmp_path):
    found = run_alone("import verbs\nverbs.main()", tmp_path)
    assert (found.stdout, found.stderr) == (f"{len(COMMANDS)} verbs, each works or says what it needs\n", "")


def test_every_table_can_begin_or_says_what_it_needs(tmp_path):
    code = """
from importlib import import_module
from papers.__main__ import run
from papers.contents import EXPERIMENTS
from commands import run_command
from verbs import SAYS
import recipes.en.run
for name, experiment in EXPERIMENTS.items():
    if experiment.needs is None:
        import_module(experiment.module)
    else:
        found = run_command(name, run=run)
        assert SAYS.fullmatch(found.err), found
"""
    found = run_alone(code, tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
