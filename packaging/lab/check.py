"""Tries what the laboratory can do, where there is no core: ``python check.py FOLDER``, which it writes to.

The same check runs where sapwood-lab is installed, in Pyodide, and on what stands in for Windows in the tests.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages

import sapwood
from sapwood.draw import svg_tree, text_tree
from sapwood.draw.step_pictures import svg_step
from sapwood.draw.steps import text_step
from sapwood.lab import *  # noqa: F403
from sapwood.lab import ArcParser, ViterbiTagger, read_columns, read_conllu, read_trees

NEED_THE_CORE = (  # readers of files for the fast models, and what scores by them
    "sapwood.io.", "sapwood.datasets.corpora", "sapwood.metrics.conll2018",
)  # fmt: skip
LESSONS = ("sapwood.lab.lessons.lesson_", "sapwood.lab.lessons.solutions")  # are run, not imported
EXAMPLES = ("chunking", "parsing", "ranking", "classification", "averaging", "plane", "overlap")


def modules(package: str) -> list[str]:
    """Return the names of a package's modules."""
    folders = import_module(package).__path__
    names = [package, *(found.name for found in walk_packages(folders, f"{package}.", onerror=print))]
    return [name for name in names if not name.startswith(LESSONS) and not name.endswith("__main__")]


def import_all() -> None:
    """Import every module. Some say that they need the core, and `sapwood.lab.binary` that it needs NumPy."""
    for package in ("lab", "draw", "datasets", "metrics", "io"):
        for name in modules(f"sapwood.{package}"):
            try:
                import_module(name)
            except (ImportError, sapwood.OptionError) as error:
                assert "numpy" in str(error) or name.startswith(NEED_THE_CORE), f"{name}: {error}"
    for name in ("cli", "experiments.steps", "experiments.slides"):
        import_module(f"sapwood.{name}")


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
    """Run 'sapwood reproduce steps' on each example, the last twice, over the files that it has written; on a file."""
    from sapwood.cli import run

    for example in (*EXAMPLES, EXAMPLES[-1]):
        files = ["--pictures", str(folder / example), "--json", str(folder / f"{example}.json")]
        assert run(["reproduce", "steps", "--example", example, *files]) == 0
        assert (folder / example / "step-01.svg").read_text(encoding="utf-8").lstrip().startswith(("<svg", "<?xml"))
    page = folder / "steps.html"
    assert run(["reproduce", "steps", "--example", str(folder / "columns.txt"), "--pictures", str(page)]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def refuse_models() -> None:
    """See that sapwood-lab says of the fast models what they need."""
    try:
        print(sapwood.SequenceTagger)
    except ImportError as error:
        assert "the fast models need the package sapwood" in str(error), error


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    import_all()
    read_and_learn(folder)
    walk_through(folder)
    if hasattr(sapwood, "ABSENT"):
        refuse_models()
    if find_spec("numpy"):
        import_module("sapwood.experiments.averaging")
    print("the laboratory is whole")
