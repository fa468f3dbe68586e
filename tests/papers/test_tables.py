"""Tables 2 and 3 on a small generated treebank, laid out as real ones are; what the tables share."""

import json
import re

import pytest

from measure import corpora
from measure.corpora import tree_corpora
from papers import kernels, ranking, table1, table2, table3
from papers.table import fit
from sapwood import DependencyParser
from sapwood.datasets import write_treebank
from sapwood.errors import DataError
from sapwood.templates import find_template

SENTENCES = 200


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder with ewt/ and, without relations and with one column of tags, wsj_sample/."""
    folder = tmp_path_factory.mktemp("data")
    write_treebank(folder, SENTENCES, formats=("conllu",))
    for place, start in (("ewt", "en_ewt-ud-"), ("wsj_sample", "wsj_sample-")):
        (folder / place).mkdir()
        for split in ("train", "test"):
            text = (folder / f"{split}.conllu").read_text()
            if place == "wsj_sample":
                rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
                text = "".join("\t".join([*r[:7], "_", *r[8:]] if len(r) > 1 else r) + "\n" for r in rows)
            (folder / place / f"{start}{split}.conllu").write_text(text)
    return folder


@pytest.fixture(scope="module")
def rows(data):
    """The rows of Table 2, by treebank and name."""
    found = table2.measure(data, only=["Avg. Percep", "SAP10", "beam 1 margin SAP10"], epochs=2)
    return {(row.corpus.split(",")[0], row.name): row for row in found}


@pytest.mark.slow
def test_each_treebank_has_its_rows(rows):
    names = ["Avg. Percep", "SAP10", "beam 1 margin SAP10"]
    assert list(rows) == [(c, name) for c in ("UD English EWT", "Penn Treebank sample") for name in names]
    for (corpus, _), row in rows.items():
        assert list(row.scores) == (["UAS", "LAS"] if corpus == "UD English EWT" else ["UAS"])
        assert 30 < row.scores["UAS"] <= 100
        assert row.float32 == pytest.approx(row.scores["UAS"], abs=3)
        assert 0 < row.features <= row.weights


@pytest.mark.slow
def test_the_tags_are_stated(rows):
    assert {row.corpus for row in rows.values()} == {
        "UD English EWT, gold tags (xpos, upos, feats)",
        "Penn Treebank sample, gold tags (xpos)",
    }


@pytest.mark.slow
def test_sparse_rows_are_smaller(rows):
    for corpus in ("UD English EWT", "Penn Treebank sample"):
        dense, sparse = rows[corpus, "Avg. Percep"], rows[corpus, "SAP10"]
        assert 5 * sparse.features < dense.features
        assert sparse.bytes < dense.bytes


@pytest.mark.slow
def test_relations_of_a_second_stage_are_not_counted(data, rows):
    """A parser without relations has as many features for its trees."""
    with tree_corpora(data, "ewt") as [treebank]:
        parser = DependencyParser(
            search="eisner", template="mcdonald-2006", update="perceptron", count_updates="weight", drop_below=0.0,
            labelling="none", epochs=2,
            tag_columns=treebank.tag_columns, bits=32,
        ).fit(treebank.train)  # fmt: skip
    counted = sum(table.packed.features for table in parser.model_.tables)
    assert rows["UD English EWT", "SAP10"].features == counted


def test_one_training_gives_the_models_of_two(data):
    with tree_corpora(data, "wsj") as [treebank]:
        options = {"search": "eisner", "labelling": "none", "tag_columns": ["xpos"], "epochs": 1, "min_updates": 2}
        both = fit(DependencyParser(**options), treebank.train)
        for bits, model in ((8, both.model), (32, both.float32)):
            alone = DependencyParser(bits=bits, **options).fit(treebank.train)
            assert model.bits == bits
            assert list(model.contents.weights()) == list(alone.contents.weights())


@pytest.mark.few(1)
@pytest.mark.parametrize("tags", ["predicted", "jackknife"])
def test_tags_of_a_tagger_are_named(data, tags):
    [row] = table3.measure(data, only=["SAP10"], epochs=1, tags=tags, corpus="wsj")
    assert row.corpus == f"Penn Treebank sample, {tags} tags (xpos)"


def test_every_row_of_the_paper_is_there():
    tables = (table1, table2, table3)
    in_paper = [[(row.name, row.paper.features) for row in table.SETTINGS if row.paper] for table in tables]
    assert in_paper == [
        [
            ("Avg. Percep", 196_523),
            ("pruned(5)", 77_880),
            ("pruned(10)", 52_072),
            ("SAP5", 47_906),
            ("SAP10", 26_160),
        ],
        [("Avg. Percep", 5_265_583), ("SAP5", 1_719_432), ("SAP10", 1_018_336)],
        [("Avg. Percep", 2_988_660), ("SAP5", 1_095_898), ("SAP10", 644_264)],
    ]


@pytest.mark.parametrize("table", [table1, table2, table3])
def test_no_two_rows_have_one_name(table):
    names = [row.name for row in table.SETTINGS]
    assert len(set(names)) == len(names)


def test_seeds_give_a_mean_a_range_and_its_significance(run_papers, tmp_path, monkeypatch):
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    monkeypatch.setitem(corpora.GENERATED, "txt", 60)
    out = tmp_path / "t.json"
    rows = ["--only", "pruned(10)", "--only", "SAP10", "--only", "chunking: SAP10"]
    run = run_papers(["table1", "--epochs", 2, "--seeds", 3, "--json", out, *rows])
    assert run.status == 0, run.err
    pruned, sparse, ours = json.loads(out.read_text())["rows"]
    for row in (pruned, sparse, ours):
        assert len(row["accuracies"]) == 3
        assert row["least"] == min(row["accuracies"]) < row["most"] == max(row["accuracies"])
        assert row["accuracy"] == pytest.approx(sum(row["accuracies"]) / 3)
    assert 0 < pruned["p"] <= 1  # of SAP10 with the same features
    assert "p" not in sparse.keys() | ours.keys()
    alone = next(table1.measure(only=["SAP10"], epochs=2, seed=2))
    assert sparse["accuracies"][1] == pytest.approx(alone.scores["accuracy"])
    assert f"{pruned['p']:.4f}" in run.out


def test_the_papers_features_for_chunks_are_words_tags_and_chunk_tags():
    lines = [line for line in find_template("chunking-2011").text.splitlines() if line and not line.startswith("#")]
    assert set(re.findall(r"%\w+\[[^]]*]", "".join(lines))) == {
        *(f"%x[{row},{column}]" for row in (-2, -1, 0, 1, 2) for column in (0, 1)),
        "%y[-1]",
        "%y[-2]",
    }


@pytest.mark.parametrize("table", ["table2", "table3"])
def test_prints_and_writes_the_rows(run_papers, data, tmp_path, table):
    out = tmp_path / "t.json"
    run = run_papers([table, "--data", data, "--epochs", 1, "--only", "SAP10", "--json", out])
    assert run.status == 0, run.err
    headings = [line for line in run.out.splitlines() if "1 passes, seed 1" in line]
    assert len(headings) == 2
    assert headings[0].startswith("UD English EWT, gold tags (xpos, upos, feats), ")
    assert len([line for line in run.out.splitlines() if line.startswith("SAP10 ")]) == 2
    assert ("1,018,336" if table == "table2" else "644,264") in run.out
    labelled, unlabelled = json.loads(out.read_text())["rows"]
    assert set(labelled) - set(unlabelled) == {"las"}
    assert f"{labelled['las']:.2f}" in run.out
    assert f"{unlabelled['bytes']:,}" in run.out


def test_the_treebanks_of_a_folder_are_found(data, tmp_path):
    with tree_corpora(data) as both, tree_corpora(data / "ewt") as one:
        assert [t.name for t in both] == ["UD English EWT", "Penn Treebank sample"]
        assert one == both[:1]
    with pytest.raises(DataError, match=r"no ewt/.* nor wsj_sample/.* here"), tree_corpora(tmp_path):
        pass


@pytest.mark.slow
def test_without_a_folder_a_generated_treebank_serves(monkeypatch):
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    with tree_corpora() as [treebank]:
        assert treebank.name == "generated treebank"
        assert treebank.train.is_file()
    assert not treebank.train.exists()
    with pytest.raises(DataError, match="name the folder"), tree_corpora(wanted="wsj"):
        pass


@pytest.fixture
def small_lists(monkeypatch):
    """Reproduce ranking on corpora and lists that take seconds."""
    for name, value in (("TREES", 6), ("TREE_FOLDS", 2), ("CHUNKINGS", 4), ("CHUNK_FOLDS", 2), ("PARTS", (2, 1))):
        monkeypatch.setattr(ranking, name, value)
    monkeypatch.setitem(corpora.GENERATED, "mrg", 60)
    monkeypatch.setitem(corpora.GENERATED, "txt", 60)


@pytest.mark.slow
def test_ranking_prints_writes_and_draws_its_rows(run_papers, small_lists, tmp_path, monkeypatch):
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    run = run_papers(f"ranking --json {tmp_path / 'r.json'} --figure {tmp_path / 'r.svg'}")
    assert run.status == 0
    assert run.out.count("base model's first") == 2
    rows = json.loads((tmp_path / "r.json").read_text())["rows"]
    for corpus in ("generated treebank, trees", "generated treebank, chunks"):
        here = [row for row in rows if row["corpus"] == corpus]
        named = {row["name"]: row for row in here}
        first, oracle = named["base model's first"]["f1"], named["oracle"]["f1"]
        assert 0 < first < oracle <= 100
        assert all(row["f1"] <= oracle for row in here)
        assert named["features, margin"]["gain"] == pytest.approx(named["features, margin"]["f1"] - first)
        by_length = {row["candidates"]: row for row in here if "candidates" in row}
        assert by_length[1]["f1"] == by_length[1]["oracle"] == pytest.approx(first)
        assert list(by_length) == ([1, 2, 5] if "trees" in corpus else [1, 2])
    picture = (tmp_path / "r.svg").read_text()
    assert "generated treebank, chunks" in picture


@pytest.mark.slow
def test_kernels_print_and_write_their_rows(run_papers, monkeypatch, tmp_path):
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    monkeypatch.setitem(corpora.GENERATED, "mrg", 60)
    for name, value in (("CANDIDATES", 4), ("FOLDS", 2), ("EVERY", 2), ("TREES", 5), ("SIZES", (10, 40))):
        monkeypatch.setattr(kernels, name, value)
    run = run_papers(f"kernels --json {tmp_path / 'k.json'} --figure {tmp_path / 'k.svg'}")
    assert run.status == 0
    rows = json.loads((tmp_path / "k.json").read_text())["rows"]
    speeds = [row for row in rows if row["name"] == "speed"]
    assert len(speeds) == 2
    assert all(row["us"] > 0 < row["all_pairs_us"] for row in speeds)
    rerankers = {row["name"]: row for row in rows if row["name"] != "speed"}
    assert {"features, no kernel", "tree, decay 0.4", "tree, decay 0.4, voted", "subsequences of 3"} < set(rerankers)
    assert all(50 < row["f1"] <= 100 and -20 < row["gain"] < 20 for row in rerankers.values())
    assert all(row["support"] > 0 for name, row in rerankers.items() if name != "features, no kernel")
    assert "matching productions" in (tmp_path / "k.svg").read_text()


def test_ranking_without_its_corpora_is_one_line(run_papers, tmp_path):
    run = run_papers(f"ranking --data {tmp_path}")
    assert (run.status, run.err.count("\n")) == (1, 1)
    assert "treebank/wsj_0001-0179.mrg" in run.err
