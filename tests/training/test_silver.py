"""Silver data: how often gold is learned, and what the model file and checkpoints know."""

import pytest
from parsers import saved, tagged
from silver_data import conllu, rows, treebank

from sapwood import DependencyParser, SequenceTagger, load
from sapwood._core import Columns, Conllu
from sapwood.errors import DataError, OptionError
from sapwood.io.conllu import treebank_in_memory
from sapwood.tasks.parsing import training as parser_training
from sapwood.training.task import InMemory

WORDS, TREES = tagged(60, 1)
OTHER_WORDS, OTHER_TREES = tagged(60, 2)
MAY_LACK = pytest.mark.filterwarnings("ignore:.*that the training data do not have:sapwood.SapwoodWarning")


@pytest.mark.parametrize("times", [1, 2, 5])
@pytest.mark.parametrize("kind", [treebank_in_memory, None], ids=["treebank", "rows"])
def test_gold_is_there_several_times_and_silver_once(times, kind):
    if kind is None:
        gold, silver = rows("a/X b/Y", "c/X"), rows("d/Y e/X", "f/X")
        forms = InMemory(gold, silver, times).learned.column(0)
    else:
        gold, silver = (treebank([[(form, *"x_y")] for form in text], None) for text in ("ac", "df"))
        forms = InMemory(gold, silver, times).learned.column("form")
    assert [sentence[0] for sentence in forms] == ["a"] * times + ["c"] * times + ["d", "f"]


def test_tokens_of_several_words_stay_in_each_copy():
    gold = Conllu.read(b"1-2\tcan't\t_" + b"\t_" * 7 + b"".join(b"\n%d\tw" % k + b"\t_" * 8 for k in (1, 2)), "gold")
    learned = InMemory(gold, conllu("x X 0 root _"), 2).learned
    assert learned.multiwords == [(0, 2, "can't"), (2, 4, "can't")]
    assert Conllu.read(learned.to_bytes(), "again").column("form") == learned.column("form")


@pytest.mark.parametrize("times, tag", [(1, "SILVER"), (20, "GOLD")])
def test_gold_wins_where_it_is_seen_more_often(times, tag):
    gold = rows("a/GOLD", "b/SILVER", name="gold")
    silver = rows(*["a/SILVER"] * 10)
    tagger = SequenceTagger(template="U:%x[0,0]", min_updates=1, search="argmax", silver=silver, gold_times=times)
    assert tagger.fit(gold).predict([["a"]]) == [[tag]]


@MAY_LACK
def test_a_tagger_learns_the_words_of_silver():
    gold = [[(form, upos) for form, _, upos, _ in sentence] for sentence in WORDS]
    silver = Columns.build([[(form + "'", upos) for form, _, upos, _ in s] for s in OTHER_WORDS], None, "silver")
    new = [[form + "'" for form, *_ in sentence] for sentence in OTHER_WORDS]
    answers = [[upos for _, _, upos, _ in sentence] for sentence in OTHER_WORDS]

    def right(tagger):
        return sum(map(list.__eq__, tagger.fit(gold).predict(new), answers))

    assert right(SequenceTagger(template="pos", min_updates=1, silver=silver)) > right(SequenceTagger(template="pos"))


@pytest.mark.few(1)
@MAY_LACK
@pytest.mark.parametrize("tags", ["gold", "predicted", "jackknife"])
def test_a_parser_learns_the_trees_of_silver(tags):
    few, silver = (WORDS[:10], TREES[:10]), treebank(WORDS[10:] + OTHER_WORDS, TREES[10:] + OTHER_TREES)
    test, trees = tagged(60, 3)

    def right(parser):
        parses = parser.fit(*few).predict(test)
        pairs = zip(parses, trees, strict=True)
        return sum(a == b for parse, (heads, _) in pairs for a, b in zip(parse.heads, heads, strict=True))

    options = {"epochs": 5, "min_updates": 1, "tags": tags}
    assert right(DependencyParser(silver=silver, **options)) > right(DependencyParser(**options))


@pytest.mark.few(2)
@MAY_LACK
@pytest.mark.parametrize("tags", ["predicted", "jackknife"])
@pytest.mark.parametrize("column", [None, "upos", "xpos"])
def test_the_tagger_of_a_parser_learns_from_silver_that_has_its_columns(tags, column):
    silver = treebank(OTHER_WORDS, OTHER_TREES)
    if column is not None:
        silver = silver.with_columns({column: [["_"] * len(sentence) for sentence in OTHER_WORDS]})
    parser = DependencyParser(epochs=1, beam=1, tags=tags, silver=silver).fit(WORDS, TREES)
    learned = parser.tagger_.model_.provenance
    assert ("silver_sentences" in learned) == (column is None)
    assert parser.model_.provenance["silver_sentences"] > 50


@MAY_LACK
def test_no_tagger_of_a_parser_gives_tags_to_sentences_that_it_learned_from(monkeypatch):
    learned, tagged_with = [], []
    fit_part, predict = parser_training.fit_part, SequenceTagger.predict

    def fit(tagger, forms, *data, **more):
        silver = [] if not len(tagger.silver) else tagger.silver.column(0)
        learned.append({tuple(sentence) for sentence in [*forms, *silver]})
        fit_part(tagger, forms, *data, **more)

    def answer(tagger, sentences):
        tagged_with.append((learned[-1], {tuple(sentence) for sentence in sentences}))
        return predict(tagger, sentences)

    monkeypatch.setattr(parser_training, "fit_part", fit)
    monkeypatch.setattr(SequenceTagger, "predict", answer)
    gold, silver = (
        [[(f"{name}{s}{form}", *tags) for form, *tags in sentence] for s, sentence in enumerate(words)]
        for name, words in (("g", WORDS), ("s", OTHER_WORDS))
    )
    options = {"epochs": 1, "beam": 1, "tags": "jackknife", "tag_columns": ["upos"]}
    known = [t for t in OTHER_TREES if {*t[1]} <= {label for _, labels in TREES for label in labels}]
    words = [w for w, t in zip(silver, OTHER_TREES, strict=True) if t in known]
    DependencyParser(silver=treebank(words, known), **options).fit(treebank(gold, TREES, "gold"))
    assert len(tagged_with) == 10
    assert not any(before & sentences for before, sentences in tagged_with)
    assert sum(len(sentences) for _, sentences in tagged_with) == len(WORDS) + len(known)


@MAY_LACK
def test_files_are_as_good_as_data_in_memory(tmp_path):
    one, two = (treebank(OTHER_WORDS[part], OTHER_TREES[part]) for part in (slice(0, 20), slice(20, 60)))
    files = []
    for name, data in (("one.conllu", one), ("two.conllu", two)):
        (tmp_path / name).write_bytes(data.to_bytes())
        files.append(str(tmp_path / name))
    options = {"epochs": 2, "gold_times": 3, "beam": 1}
    of_files = DependencyParser(silver=files, **options).fit(WORDS, TREES)
    of_memory = DependencyParser(silver=Conllu.joined([one, two]), **options).fit(WORDS, TREES)
    assert of_files.model_.provenance == of_memory.model_.provenance
    assert saved(of_files, tmp_path / "a.sap") == saved(of_memory, tmp_path / "b.sap")
    assert saved(DependencyParser(**options).fit(WORDS, TREES), tmp_path / "c.sap") != saved(
        of_files, tmp_path / "a.sap"
    )


def test_the_model_file_says_what_silver_data_there_were(tmp_path):
    sure, unsure = conllu("a X 0 root P=90; b X 1 dep P=90"), conllu("c X 0 root P=30")
    silver = Conllu.joined([sure, unsure])
    gold = conllu("x X 0 root _; y X 1 dep _")
    facts = DependencyParser(silver=silver).fit(gold).model_.provenance
    assert (facts["sentences"], facts["words"]) == (1, 2)
    assert facts["data_checksum"] == f"{gold.checksum:016x}"
    assert (facts["silver_sentences"], facts["silver_words"]) == (1, 2)
    assert facts["silver_checksum"] == f"{silver.checksum:016x}"
    assert not any("silver" in name for name in DependencyParser().fit(gold).model_.provenance)


def test_how_sure_rows_are_may_stand_in_their_last_column():
    gold = rows("a/X/_ b/Y/_", name="gold")
    silver = rows("c/Y/P=90", "d/Y/P=70|NER=O")
    tagger = SequenceTagger(template="U:%x[0,0]", columns=["word", "label", "_"], silver=silver)
    assert tagger.fit(gold).model_.provenance["silver_sentences"] == 1
    assert tagger.set_params(least_sureness=70).fit(gold).model_.provenance["silver_sentences"] == 2


@pytest.mark.parametrize(
    "name, text, why",
    [
        ("empty", "", "there is no sentence"),
        ("blank", "\n\n", "there is no sentence"),
        ("wider", "a b X\n", "3 columns, the training data have 2"),
        ("unknown", "a NEW\n", "labels that the training data do not have: 'NEW'"),
        ("bare", "a _\n", "labels that the training data do not have: '_'"),
    ],
)
def test_files_that_teach_a_tagger_nothing(tmp_path, name, text, why):
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=f"{name}.*{why}"):
        SequenceTagger(template="U:%x[0,0]", silver=[tmp_path / name]).fit(rows("a/X b/Y"))


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "there is no sentence in it"),
        ("a X\n", "2 columns|1 column"),
        ("1\ta\t_\tX\tX\t_\t_\t_\t_\t_\n", "of 1, 1 have no trees"),
        ("1\ta\t_\tX\tX\t_\t1\tdep\t_\t_\n", "of 1, 1 have no trees"),
        ("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n", "have no tags"),
    ],
)
def test_files_that_teach_a_parser_nothing(tmp_path, text, why):
    (tmp_path / "silver.conllu").write_text(text)
    with pytest.raises(DataError, match=why) as error:
        DependencyParser(silver=[tmp_path / "silver.conllu"]).fit(WORDS, TREES)
    assert "silver.conllu" in str(error.value)


def test_silver_goes_with_all_gold_data_in_memory(tmp_path):
    (tmp_path / "gold.txt").write_text("a X\nb Y\n")
    tagger = SequenceTagger(template="U:%x[0,0]", silver=rows("a/X"))
    for fit in (lambda: tagger.fit(tmp_path / "gold.txt", stream=True), lambda: tagger.partial_fit(rows("a/X b/Y"))):
        with pytest.raises(OptionError, match="silver data are learned beside all gold data"):
            fit()
    with pytest.raises(OptionError, match="features of tokens"):
        SequenceTagger(silver=rows("a/X")).fit([[{"w": "a"}]], [["X"]])


@MAY_LACK
@pytest.mark.parametrize("silver", ["file", "memory"])
def test_a_checkpoint_knows_its_silver_data(tmp_path, silver):
    def given(words):
        data = Columns.build([[(form, upos) for form, _, upos, _ in sentence] for sentence in words], None, "silver")
        if silver == "memory":
            return data
        lines = [f"{form} {upos}\n" for sentence in words for form, _, upos, _ in [*sentence, ("", "", "", "")]]
        (tmp_path / "silver.txt").write_text("".join(line if line.strip() else "\n" for line in lines))
        return [tmp_path / "silver.txt"]

    gold = [[(form, upos) for form, _, upos, _ in sentence] for sentence in WORDS]
    file = tmp_path / "a.checkpoint"

    def tagger(words, epochs):
        return SequenceTagger(template="pos", epochs=epochs, silver=given(words), min_updates=1)

    tagger(OTHER_WORDS, 2).fit(gold, checkpoint=file)
    with pytest.raises(OptionError, match="it belongs to another training: silver was"):
        tagger(OTHER_WORDS[:30], 4).fit(gold, resume=file)
    resumed, at_once = tagger(OTHER_WORDS, 4).fit(gold, resume=file), tagger(OTHER_WORDS, 4).fit(gold)
    assert saved(resumed, tmp_path / "resumed.sap") == saved(at_once, tmp_path / "at_once.sap")


@pytest.mark.few(1)
@MAY_LACK
@pytest.mark.parametrize("options", [{"shards": 3}, {"runs": 2}, {"max_bytes": 20_000}], ids=str)
def test_silver_is_learned_in_every_way_of_training(options):
    silver = treebank(OTHER_WORDS, OTHER_TREES)
    parser = DependencyParser(epochs=2, beam=1, silver=silver, **options).fit(WORDS, TREES, dev_fraction=0.2)
    facts = parser.model_.provenance
    assert facts["sentences"] == 48
    assert facts["silver_sentences"] > 50


@MAY_LACK
def test_a_model_is_made_small_with_the_same_silver_data(tmp_path):
    file = tmp_path / "silver.conllu"
    file.write_bytes(treebank(OTHER_WORDS, OTHER_TREES).to_bytes())
    gold = treebank(WORDS, TREES, "gold")
    DependencyParser(epochs=2, beam=1, silver=[file], gold_times=3).fit(gold).save(tmp_path / "whole.sap")
    parser = load(tmp_path / "whole.sap")
    with pytest.raises(OptionError, match="trained with silver data, which it does not keep; silver names their files"):
        parser.shrink(gold, below=0.1)
    facts = parser.set_params(silver=[str(file)]).shrink(gold, below=0.1).model_.provenance
    assert facts["silver_checksum"] == parser.model_.provenance["silver_checksum"]
    assert parser.gold_times == 3


@pytest.mark.filterwarnings("ignore:.*there are no tags for the template")
@pytest.mark.parametrize("model", [SequenceTagger, DependencyParser])
@pytest.mark.parametrize(
    "silver",
    [5, {"a": 1}, [1], rows("a/X"), conllu("a X 0 root _"), [[("a", "X")]]],
    ids=["number", "dict", "numbers", "rows", "treebank", "tuples"],
)
def test_what_is_no_silver_data_is_refused(model, silver):
    right = Columns if model is SequenceTagger else Conllu
    if isinstance(silver, right) or (right is Columns and isinstance(silver, list)):
        return
    with pytest.raises(OptionError, match=r"silver is a list of files, or (sentences|treebanks) in memory, not"):
        model(silver=silver).fit(rows("a/X b/Y") if right is Columns else treebank(WORDS, TREES))


@pytest.mark.filterwarnings("ignore:.*there are no tags for the template")
def test_treebanks_are_no_silver_data_of_a_tagger():
    with pytest.raises(DataError, match="silver data"):
        SequenceTagger(silver=[conllu("a X 0 root _")]).fit(rows("a/X b/Y"))


def test_sentences_in_memory_are_rows():
    silver, gold = [[("c", "X")], [("d", "Y")]], rows("a/X b/Y")
    tagger = SequenceTagger(template="U:%x[0,0]", min_updates=1, silver=silver).fit(gold)
    assert tagger.predict([["c", "d"]]) == [["X", "Y"]]


@pytest.mark.few(1)
@MAY_LACK
@pytest.mark.filterwarnings("ignore:without (segment|lemmatize|entities):sapwood.SapwoodWarning")
@pytest.mark.parametrize("task, ending", [("tag", "txt"), ("parse", "conllu"), ("pipeline", "conllu")])
def test_the_commands_take_silver_files(run_cli, tmp_path, task, ending):
    for seed in ("1", "2"):
        folder = tmp_path / seed
        assert run_cli(["generate", "treebank", "-o", folder, "--sentences", "60", "--seed", seed]).status == 0
    gold, *silver = (tmp_path / f"{place}.{ending}" for place in ("1/train", "2/train", "2/dev"))
    model, files = tmp_path / "model.sap", ",".join(map(str, silver))
    trained = run_cli(["train", task, gold, "-o", model, "--silver", files, "-q"])
    assert trained.status == 0, trained.err
    assert load(model).model_.provenance["silver_sentences"] > 30
    lost = run_cli(["train", task, gold, "-o", silver[0], "--silver", files, "-q"])
    assert lost.status == 2
    assert "the command reads this file" in lost.err
