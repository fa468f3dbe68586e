"""What is odd about data is said in one line, by the command, also where it is quiet, and in Python."""

import warnings
from pathlib import Path

import pytest
from odd_data import ATTACKS, columns, conllu, examples, fasttext

from sapwood import Classifier, SapwoodWarning
from sapwood.loading import model_class

WARNING = "sapwood: warning: "
named = pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.few(18)
@named
@pytest.mark.filterwarnings("always::sapwood.SapwoodWarning")
def test_the_command_says_in_one_line_what_is_odd(attack, run_cli, folder):
    attack.write(folder)
    found = run_cli(attack.words())
    lines = [line for line in found.err.splitlines() if line.startswith(WARNING)]
    assert len(lines) == bool(attack.says), found.err
    assert attack.says in "".join(lines)
    assert found.status == (attack.name == "labels with spaces: all"), found.err


TASKS = {"tag": "tag", "classify": "classify", "parse": "parse", "lemmatizer": "lemmatize", "rank": "rank"}


@pytest.mark.parametrize("attack", [each for each in ATTACKS if each.task in TASKS and not each.flags])
def test_python_warns_of_it(attack, folder):
    attack.write(folder)
    train, *dev = map(Path, attack.files)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        model = model_class(TASKS[attack.task])()
        if attack.name != "labels with spaces: all":
            model.fit(train, dev=dev[0] if dev else None)
            assert [each.category for each in found] == [SapwoodWarning] * bool(attack.says)
            assert attack.says in "".join(str(each.message) for each in found)


def test_held_out_examples_are_a_pair_as_those_of_taggers(folder):
    train, dev = examples(range(300)), examples(range(300, 340))
    (folder / "dev.txt").write_text(fasttext(dev))
    labels, texts = zip(*train, strict=True)
    dev_labels, dev_texts = zip(*dev, strict=True)
    pair = Classifier(min_updates=1).fit(texts, labels, dev=(dev_texts, dev_labels))
    file = Classifier(min_updates=1).fit(texts, labels, dev=Path("dev.txt"))
    assert pair.model_.provenance == file.model_.provenance
    assert len(pair.model_.provenance["dev_scores"]) == 10
    with pytest.warns(SapwoodWarning, match="the held-out data are the training data"):
        Classifier(min_updates=1).fit(texts, labels, dev=(texts, labels))


def test_weights_that_are_asked_for_or_moderate_are_not_warned_of():
    few, many = examples(range(3), ("spam",)), examples(range(3, 30), ("ham",))
    labels, texts = zip(*few, *many, strict=True)
    Classifier(class_weight="balanced").fit(texts, labels)  # a weight of 5
    Classifier(class_weight={"spam": 100}).fit(texts, labels)


OTHERS = {  # verb, what it trains on, other data that it scores, and what is said
    "tag": (columns(range(99)), columns(range(99), lambda word, k: "NN"), "none of its labels is a label of"),
    "classify": (
        fasttext(examples(range(99))),
        fasttext(examples(range(99), ("pos", "neg"))),
        "which has ham, spam: pos, neg",
    ),
    "parse": (conllu(range(99)), conllu(range(99), relation=lambda k: "arg"), "89 % of its labels are not labels of"),
    "pipeline": (conllu(range(99)), conllu(range(99), upos=lambda k: "n"), "UPOS: none of its labels"),
}


@pytest.mark.parametrize("task", OTHERS)
@pytest.mark.filterwarnings("always::sapwood.SapwoodWarning")
def test_eval_says_if_the_labels_are_others(task, run_cli, folder):
    train, test, says = OTHERS[task]
    Path("train").write_text(train)
    Path("test").write_text(test)
    options = {"tag": {"template": "pos"}, "parse": {"beam": 1}, "pipeline": {"parts": ["segment", "tag"]}}.get(
        task, {}
    )
    model_class(task)(**options).fit(Path("train")).save("m.sap")
    for file, said in (("train", ""), ("test", says)):
        found = run_cli(["eval", "m.sap", file])
        assert found.status == 0
        assert found.err.startswith(WARNING) == bool(said), found.err
        assert said in found.err
        assert found.err.count("\n") <= 1


@pytest.mark.filterwarnings("always::sapwood.SapwoodWarning")
def test_compare_says_if_a_system_has_other_labels(run_cli, folder):
    for name, labels in {"gold": "a b a", "good": "a b b", "other": "x y x"}.items():
        Path(name).write_text("".join(f"{label}\n" for label in labels.split()))
    assert run_cli("compare good good gold").err == ""
    says = "other: none of its labels is a label of gold, which has a, b: x, y; is it another tagset or column?"
    assert run_cli("compare good other gold").err == f"{WARNING}{says}\n"


@pytest.mark.filterwarnings("always::sapwood.SapwoodWarning")
def test_compare_says_if_a_system_answers_another_file(run_cli, folder):
    for name, numbers in {"gold": range(20), "other": range(20, 40)}.items():
        Path(name).write_text(columns(numbers))
    assert run_cli("compare gold gold gold").err == ""
    says = "other: in most sentences the first column is not that of gold; are these answers to another file?"
    assert run_cli("compare gold other gold").err == f"{WARNING}{says}\n"
