"""Tries what the laboratory can do, where there is nothing else: ``python check.py FOLDER``, which it writes to.

The same check runs where sapwood-lab is installed, in Pyodide, and on what stands in for Windows in the tests.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages

import sapwood_lab
from sapwood_lab import *  # noqa: F403
from sapwood_lab import ArcParser, ViterbiTagger, read_columns, read_conllu, read_trees
from sapwood_lab.base.drawing.svg import svg_tree
from sapwood_lab.base.drawing.terminal import text_tree
from sapwood_lab.command import run
from sapwood_lab.draw.step_pictures import svg_step
from sapwood_lab.draw.steps import text_step
from sapwood_lab.errors import OptionError

LESSONS = ("sapwood_lab.lessons.lesson_", "sapwood_lab.lessons.solutions")  # are run, not imported
EXAMPLES = ("chunking", "parsing", "ranking", "classification", "averaging", "plane", "overlap")


def import_all() -> None:
    """Import every module. `sapwood_lab.binary` says that it needs NumPy."""
    for module in walk_packages(sapwood_lab.__path__, "sapwood_lab.", onerror=print):
        if not module.name.startswith(LESSONS) and not module.name.endswith("__main__"):
            try:
                import_module(module.name)
            except (ImportError, OptionError) as error:
                assert "numpy" in str(error) and not find_spec("numpy"), f"{module.name}: {error}"


def read_and_learn(folder: Path) -> None:
    """Write two files, read them, and learn from them; draw what was learned."""
    columns = folder / "columns.txt"
    columns.write_text("the DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n\nit PRP B-NP\nsaw VBD B-VP\n", encoding="utf-8")
    sentences = read_columns(columns)
    tagger = ViterbiTagger("U1:%x[0,0]\nU2:%x[0,1]\nB\n", average=False)
    steps = list(tagger.steps(sentences))
    assert tagger.predict(sentences) == [["B-NP", "I-NP", "B-VP"], ["B-NP", "B-VP"]]
    assert text_step(steps[0]).startswith("update 1")
    assert svg_step(steps[0]).lstrip().startswith(("<svg", "<?xml"))

    words = ("1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\t_", "2\tdog\t_\tNOUN\tNN\t_\t0\troot\t_\t_")
    treebank = folder / "treebank.conllu"
    treebank.write_text("\n".join(words) + "\n\n", encoding="utf-8")
    [sentence], [(heads, deprels)] = read_conllu(treebank), read_trees(treebank)
    parser = ArcParser("[arcs]\nht mt\nhw mw\n").fit([sentence], [(heads, deprels)])
    assert list(parser.predict([sentence])[0].heads) == heads
    forms = [word[0] for word in sentence]
    assert svg_tree(forms, heads, deprels).lstrip().startswith(("<svg", "<?xml"))
    assert "┌─► the" in text_tree(forms, heads, deprels)


def walk_through(folder: Path) -> None:
    """Run 'sapwood-lab steps' on each example, the last twice, over the files that it has written; on a file."""
    for example in (*EXAMPLES, EXAMPLES[-1]):
        files = ["--pictures", str(folder / example), "--json", str(folder / f"{example}.json")]
        assert run(["steps", "--example", example, *files]) == 0
        assert (folder / example / "step-01.svg").read_text(encoding="utf-8").lstrip().startswith(("<svg", "<?xml"))
    page = folder / "steps.html"
    assert run(["steps", "--example", str(folder / "columns.txt"), "--pictures", str(page)]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    import_all()
    read_and_learn(folder)
    walk_through(folder)
    print("the laboratory is whole")
