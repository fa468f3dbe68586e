"""``python -m papers taggers``: its rows, its data, and the MaxEnt tagger against its definition."""

import json
from itertools import pairwise, product
from math import log

import pytest

from papers import taggers
from sapwood.datasets import write_treebank
from sapwood.errors import SapwoodWarning
from sapwood_lab.trellis import START

NAMES = ["HMM", "MaxEnt", "CRF", "vanilla perceptron", "averaged perceptron", "averaged perceptron, SAP10"]
OURS = ["vanilla perceptron", "averaged perceptron"]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Generated data that take little time, unless the environment names others."""
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    monkeypatch.setattr(taggers, "GENERATED", (60, 10))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder as that of the real corpora: of the two test sets and EWT's held-out data, each has its own size."""
    folder = tmp_path_factory.mktemp("data")
    write_treebank(folder, 60, formats=("conllu", "txt"))
    (folder / "ewt").mkdir()
    (folder / "conll2000").mkdir()
    for part in ("train", "dev", "test"):
        (folder / f"{part}.conllu").rename(folder / "ewt" / f"en_ewt-ud-{part}.conllu")
    for part in ("train", "test"):
        (folder / f"{part}.txt").rename(folder / "conll2000" / f"{part}.txt")
    return folder


def measured(run_papers, tmp_path, *options):
    """The lines that are printed, and the JSON file."""
    run = run_papers(["taggers", "--json", tmp_path / "rows.json", "--epochs", 2, *options])
    assert run.status == 0, run.err
    return run.out.splitlines(), json.loads((tmp_path / "rows.json").read_text())


def only(*names):
    return [word for name in names for word in ("--only", name)]


@pytest.mark.slow
def test_all_rows_are_measured_on_tags_and_chunks(run_papers, tmp_path, monkeypatch):
    pytest.importorskip("sklearn")
    pytest.importorskip("pycrfsuite")
    monkeypatch.setattr(taggers, "GENERATED", (120, 20))
    lines, found = measured(run_papers, tmp_path)
    rows = found["rows"]
    corpora = ["generated treebank, tags", "generated treebank, chunks"]
    assert [(row["corpus"], row["name"]) for row in rows] == list(product(corpora, NAMES))
    assert found["command"] == "python -m papers taggers --epochs 2"
    for row in rows:
        assert row["accuracy"] > 50
        assert ("f1" in row) == row["corpus"].endswith("chunks")
        assert 0 < row["weights"] <= row["bytes"]
        [printed] = [line for line in lines if line.split("  ")[0] == row["name"] and f"{row['weights']:,}" in line]
        assert f"{row['accuracy']:.2f}" in printed
        assert f"{row['bytes']:,}" in printed
    by_name = {(row["corpus"], row["name"]): row for row in rows}
    for corpus in corpora:
        best = max(by_name[corpus, name]["accuracy"] for name in NAMES[1:])
        assert by_name[corpus, "HMM"]["accuracy"] < best
        sparse, dense = by_name[corpus, NAMES[-1]], by_name[corpus, NAMES[-2]]
        assert sparse["weights"] < dense["weights"]


@pytest.mark.slow
def test_a_row_whose_library_is_missing_says_which(run_papers, tmp_path, monkeypatch):
    monkeypatch.setattr("sapwood.base.optional.installed", lambda library: library.startswith("sapwood"))
    lines, found = measured(run_papers, tmp_path)
    missing = [
        "MaxEnt needs scikit-learn: pip install 'sapwood[sklearn]'",
        "CRF needs python-crfsuite: pip install 'sapwood[peers]'",
    ]
    assert [row.get("needs") for row in found["rows"]] == [None, *missing, None, None, None] * 2
    assert ["accuracy" in row for row in found["rows"]] == [True, False, False, True, True, True] * 2
    assert [line for line in lines if "needs" in line] == missing * 2


@pytest.mark.slow
def test_real_corpora_have_their_test_sets_and_held_out_data(run_papers, tmp_path, data):
    lines, found = measured(run_papers, tmp_path, "--data", data, *only("HMM"))
    assert found["command"] == "python -m papers taggers --data DIR --only HMM --epochs 2"
    dev_lines, _ = measured(run_papers, tmp_path, "--data", data, *only("HMM"), "--part", "dev")
    tokens = [
        sum(1 for line in (data / name).read_text().splitlines() if line and line[0] != "#")
        for name in ("ewt/en_ewt-ud-train.conllu", "ewt/en_ewt-ud-test.conllu", "ewt/en_ewt-ud-dev.conllu")
    ]
    assert lines[0] == f"UD English EWT, tags: learned from {tokens[0]} tokens, {tokens[1]} are tagged"
    assert dev_lines[0] == f"UD English EWT, tags: learned from {tokens[0]} tokens, {tokens[2]} are tagged"
    chunks, dev_chunks = (
        [line for line in each if line.startswith("CoNLL-2000, chunks")] for each in (lines, dev_lines)
    )
    assert chunks == [f"CoNLL-2000, chunks: learned from {tokens[0]} tokens, {tokens[1]} are tagged"]
    sentences = (data / "conll2000" / "train.txt").read_text().strip("\n").split("\n\n")
    held_out = sum(sentence.count("\n") + 1 for sentence in sentences[9::10])
    for place, start in (("ewt", "UD English EWT, tags"), ("conll2000", "CoNLL-2000, chunks")):
        alone, _ = measured(run_papers, tmp_path, "--data", data / place, *only("HMM"))
        assert [line for line in alone if "learned from" in line] == [line for line in lines if line.startswith(start)]
    assert dev_chunks == [f"CoNLL-2000, chunks: learned from {tokens[0] - held_out} tokens, {held_out} are tagged"]


def test_every_tenth_sentence_of_a_file_is_held_out(run_papers, tmp_path, monkeypatch, data):
    monkeypatch.setenv("SAPWOOD_DATA", str(data))
    monkeypatch.chdir(tmp_path)
    word = "ab"
    rows = [f"{word[k % 2]} {word[(k + 1) % 2]} {k % 10}\n\n" for k in range(30)]
    (tmp_path / "mine.txt").write_text("".join(rows))
    lines, found = measured(run_papers, tmp_path, "mine.txt", *only("HMM", *OURS))
    assert lines[0] == "mine.txt: learned from 27 tokens, 3 are tagged"
    assert found["command"].startswith('python -m papers taggers mine.txt --only HMM --only "vanilla perceptron"')
    assert [row["accuracy"] for row in found["rows"]] == [0, 0, 0]  # the held-out label is never learned


@pytest.mark.parametrize("column", ["xpos", "upos"])
def test_a_treebank_of_ones_own_has_its_finest_tags(run_papers, tmp_path, data, column):
    text = (data / "ewt" / "en_ewt-ud-train.conllu").read_text()
    rows = [line.split("\t") for line in text.splitlines()]
    if column == "upos":
        rows = [[*row[:4], "_", *row[5:]] if len(row) > 1 else row for row in rows]
    mine = tmp_path / "mine.conllu"
    mine.write_text("".join("\t".join(row) + "\n" for row in rows))
    _, found = measured(run_papers, tmp_path, mine, *only("HMM"))
    [row] = found["rows"]
    tags = {row[4 if column == "xpos" else 3] for row in rows if len(row) > 1}
    treebank = taggers._treebank(mine)
    assert {tag for sentence in treebank for _, tag in sentence} == tags
    assert row["accuracy"] > 50


LEAST = "every tenth sentence is held out, and two labels are the least"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\n\nb\n", "mine.txt:1: there is no label column; the data has 1 column"),
        ("a x\n\n" * 20, f"mine.txt: too little to learn from (sentences: 20, labels: 1); {LEAST}"),
        ("a x\nb y\n", f"mine.txt: too little to learn from (sentences: 1, labels: 2); {LEAST}"),
        ("", f"mine.txt: too little to learn from (sentences: 0, labels: 0); {LEAST}"),
    ],
)
def test_a_file_that_will_not_do_is_refused(run_papers, tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text(content)
    run = run_papers("taggers mine.txt")
    assert run == (1, "", f"sapwood: {message}\n")


def test_many_labels_are_warned_of(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(taggers, "_MANY", 3)
    (tmp_path / "mine.txt").write_text("a k\nb l\nc m\nd n\n\n" * 20)
    with pytest.warns(SapwoodWarning, match="plain Python, which takes 4 x 4 steps for each token: HMM; --only names"):
        taggers.run(None, lambda corpus, row: None, file="mine.txt", only=["HMM", "vanilla perceptron"])


def test_an_unknown_row_is_refused(run_papers):
    run = run_papers("taggers --only MEMM")
    assert run == (2, "", f"sapwood: there is no row 'MEMM' in the table; it has {', '.join(NAMES)}\n")


def test_features_are_of_words_around_spelling_and_further_columns():
    first, second = taggers.features([("The", "DT"), ("X-1", "CD")])
    assert {name: first[name] for name in ("w-2", "w-1", "w0", "w1", "w2", "w-1 w0", "w0 w1", "lower")} == {
        "w-2": "<outside>", "w-1": "<outside>", "w0": "The", "w1": "X-1", "w2": "<outside>",
        "w-1 w0": "<outside> The", "w0 w1": "The X-1", "lower": "the",
    }  # fmt: skip
    assert [first[f"prefix{k}"] for k in (1, 2)] == ["T", "Th"]
    assert [first[f"suffix{k}"] for k in (1, 2)] == ["e", "he"]
    assert "prefix3" not in first  # it is the word
    assert [name for name in ("digit", "upper", "hyphen") if name in first] == ["upper"]
    assert [name for name in ("digit", "upper", "hyphen") if name in second] == ["digit", "upper", "hyphen"]
    tags = [value for name, value in first.items() if name.startswith("1:")]
    assert tags == [
        "<outside>", "<outside>", "DT", "CD", "<outside>",
        "<outside> <outside>", "<outside> DT", "DT CD", "CD <outside>",
        "<outside> <outside> DT", "<outside> DT CD", "DT CD <outside>",
    ]  # fmt: skip


@pytest.mark.parametrize("labels", ["ND", "NDV"])
def test_the_maxent_tagger_finds_the_most_probable_of_all_sequences(monkeypatch, labels):
    """Probabilities of scikit-learn's model itself, multiplied over each sequence."""
    pytest.importorskip("sklearn")
    from papers import maxent

    monkeypatch.setattr(maxent, "RARE", 1)
    words = ["a b c", "b a", "c c a", "a a b"]
    X = [[{"w": word} for word in text.split()] for text in words]
    y = [[labels[(i + len(text)) % len(labels)] for i in range(len(text.split()))] for text in words]
    tagger, kept = maxent.MaxEntTagger(5.0), {}
    made = maxent.LogisticRegression
    monkeypatch.setattr(maxent, "LogisticRegression", lambda **how: kept.setdefault("model", made(**how)))
    tagger.fit(X, y)
    model = kept["model"]
    for sentence, found in zip(X, tagger.predict(X), strict=True):
        best = []
        for path in product(model.classes_, repeat=len(sentence)):
            logs = 0.0
            for features, (h, label) in zip(sentence, pairwise([START, *path]), strict=True):
                row = tagger.vectorizer.transform([{**features, maxent.BEFORE: h}])[:, tagger.kept]
                logs += log(model.predict_proba(row)[0][list(model.classes_).index(label)])
            best.append((logs, list(path)))
        by_path = {tuple(path): logs for logs, path in best}
        assert by_path[tuple(found)] == pytest.approx(max(by_path.values()), abs=1e-5)
    assert tagger.weights == sum(map(int, (tagger.coef != 0).ravel())) + len(labels)
