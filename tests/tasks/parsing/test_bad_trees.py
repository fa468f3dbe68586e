"""Treebanks in which some sentences have no tree: they are named, counted and, on request, left out."""

import warnings

import pytest

import sapwood
from sapwood import DataError, DependencyParser
from sapwood.io.conllu import read_treebank, warn_of_old_relations
from sapwood.tasks.pipeline.model import Pipeline

# Number of a sentence -> its heads, made of the right ones.
BAD = {
    1: lambda heads: ["_"] * len(heads),
    3: lambda heads: ["_", *heads[1:]],
    4: lambda heads: ["0"] * len(heads),
    7: lambda heads: ["2", "1", *heads[2:]],
    8: lambda heads: ["999", *heads[1:]],
    9: lambda heads: ["1" if head == "0" else head for head in heads],
}
KINDS = (
    "1 without heads, 1 with words that have no head, 1 with several roots, 1 with a cycle, "
    "1 with heads outside of the sentence, 1 without a root"
)
QUICK = {"epochs": 3, "min_updates": 2, "beam": 1}


@pytest.fixture
def banks(run_cli, tmp_path):
    """The files of a treebank whose sentences in BAD have no trees, and of the remaining ones."""
    assert run_cli(f"generate treebank --sentences 100 --writing attached -o {tmp_path / 'bank'}").status == 0
    whole = read_treebank(tmp_path / "bank" / "train.conllu")
    heads = [BAD[s](each) if s in BAD else each for s, each in enumerate(whole.column("head"))]
    (tmp_path / "bad.conllu").write_bytes(whole.with_columns({"head": heads}).to_bytes())
    (tmp_path / "good.conllu").write_bytes(whole.select([s for s in range(80) if s not in BAD]).to_bytes())
    return tmp_path / "bad.conllu", tmp_path / "good.conllu"


def line_of(path, sentence):
    """Return the number of the line of a sentence's first word."""
    words = [n for n, line in enumerate(path.read_text().split("\n"), 1) if line.startswith("1\t")]
    return words[sentence]


def test_a_parser_names_them_and_learns_without(banks, tmp_path):
    bad, good = banks
    where = f"{bad}:{line_of(bad, 1)}: sentence 'train-2': the word has no head"
    with pytest.raises(DataError) as refused:
        DependencyParser(**QUICK).fit(bad)
    assert str(refused.value).startswith(where)
    assert f"; 6 of 80 sentences have no usable tree ({KINDS}); --skip-bad" in str(refused.value)
    with pytest.warns(sapwood.SapwoodWarning) as said:
        parser = DependencyParser(skip_bad=True, **QUICK).fit(bad)
    assert [str(each.message) for each in said] == [str(refused.value).partition("; --skip")[0] + "; they are left out"]
    known = DependencyParser(**QUICK).fit(good)
    assert list(parser.contents.weights()) == list(known.contents.weights())
    assert parser.model_.provenance["sentences"] == 74

    with pytest.raises(DataError, match="5 of 80 sentences have no usable tree"):  # several roots can be scored
        parser.evaluate(bad)
    with pytest.warns(sapwood.SapwoodWarning, match="5 of 80 sentences .* they are left out"):
        assert parser.evaluate(bad, skip_bad=True).sentences == 75


def test_held_out_sentences_are_left_out_too(banks):
    bad, good = banks
    with pytest.raises(DataError, match="5 of 80 sentences"):
        DependencyParser(**QUICK).fit(good, dev=bad)
    with pytest.warns(
        sapwood.SapwoodWarning, match="5 of 80 sentences .* they are left out|stand in the training data"
    ):
        parser = DependencyParser(skip_bad=True, **QUICK).fit(good, dev=bad)
    assert 0 < parser.model_.provenance["dev_score"] < 100


def test_nothing_is_left_of_a_treebank_without_trees(banks, tmp_path):
    bad, _ = banks
    none = tmp_path / "none.conllu"
    data = read_treebank(bad)
    none.write_bytes(data.with_columns({"head": [["_"] * len(each) for each in data.column("head")]}).to_bytes())
    with pytest.raises(DataError, match=r"80 of 80 sentences have no usable tree \(80 without heads\)$"):
        DependencyParser(skip_bad=True, **QUICK).fit(none)


@pytest.mark.slow
def test_the_other_models_of_a_pipeline_learn_from_them(banks):
    bad, good = banks
    options = {"tagger": {"epochs": 3}, "parser": {"epochs": 2}}
    with pytest.warns(sapwood.SapwoodWarning) as said:
        without = Pipeline().fit(bad, model_options=options)
    [why] = [str(each.message) for each in said if "without parse" in str(each.message)]
    assert "5 of 80 sentences have no usable tree" in why
    assert "--skip-bad" in why
    with pytest.warns(sapwood.SapwoodWarning) as said:
        pipeline = Pipeline(skip_bad=True).fit(bad, dev=good, model_options=options)
    assert sum("6 of 80 sentences have no usable tree" in str(each.message) for each in said) == 1
    assert not any("without parse" in str(each.message) for each in said)
    facts = {name: model.model_.provenance["sentences"] for name, model in pipeline.models_.items()}
    assert (facts["tagger"], facts["parser"]) == (80, 74)
    assert list(without.models_["segmenter"].contents.weights()) == list(
        Pipeline(parts=["segment"]).fit(bad).models_["segmenter"].contents.weights()
    )
    with pytest.warns(sapwood.SapwoodWarning, match="5 of 80 sentences .* they are left out|several roots"):
        assert pipeline.evaluate(bad, skip_bad=True)["Sentences"].gold == 75


@pytest.mark.filterwarnings("default")
def test_the_command_line_has_it(banks, run_cli, tmp_path):
    bad, _ = banks
    options = f"{bad} -o {tmp_path / 'm.sap'} -q --beam 1 --epochs 1"
    run = run_cli(f"train parse {options}")
    assert (run.status, run.err.count("\n")) == (1, 1)
    assert not (tmp_path / "m.sap").exists()
    run = run_cli(f"train parse {options} --skip-bad")
    assert (run.status, "6 of 80 sentences have no usable tree" in run.err) == (0, True)
    assert run_cli(f"eval {tmp_path / 'm.sap'} {bad}").status == 1
    run = run_cli(f"eval {tmp_path / 'm.sap'} {bad} --skip-bad")
    assert ("5 of 80 sentences have no usable tree" in run.err, "of 75 correct" in run.out) == (True, True)
    refused = run_cli(f"eval {bad} {bad} --skip-bad")
    assert (refused.status, "--skip-bad are for models" in refused.err) == (2, True)


def test_relations_of_version_1_are_named(banks):
    _, good = banks
    data = read_treebank(good)
    new = {"obj": "dobj", "obl": "nmod", "aux": "auxpass", "flat": "name", "fixed": "mwe"}

    def renamed(only):
        old = [[only.get(name, name) for name in sentence] for sentence in data.column("deprel")]
        return data.with_columns({"deprel": old})

    with pytest.warns(sapwood.SapwoodWarning, match=r"relations of version 1 .* dobj \(\d+; now obj\), auxpass"):
        DependencyParser(**QUICK).fit(renamed(new))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_old_relations(data)
        warn_of_old_relations(renamed({"aux": "auxpass", "flat": "name"}))  # a few, beside many of version 2
        warn_of_old_relations(renamed({"obj": "dobj", "obl": "nmod"}))  # a name that a treebank may have given itself
