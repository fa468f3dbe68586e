"""Silver data of pipelines: which model learns from them, by what they have, and how the parser sees their tags."""

import itertools
from types import SimpleNamespace

import pytest
from treebanks import ONE_EPOCH, treebank

import sapwood
from sapwood import DataError, OptionError, Pipeline
from sapwood._core import Conllu
from sapwood.io.conllu import with_items
from sapwood.tasks.pipeline import training
from sapwood.tasks.pipeline.silver import SilverTreebank

pytestmark = pytest.mark.filterwarnings("ignore:.*that the training data do not have:sapwood.SapwoodWarning")
LEARN = {"tagger", "parser", "entities"}


@pytest.fixture(scope="module")
def gold():
    return treebank(60, 1)


def write(path, data, **columns):
    """Write a treebank with other cells: a function of each one, by column."""
    changed = {name: [list(map(cell, cells)) for cells in data.column(name)] for name, cell in columns.items()}
    path.write_bytes(data.replace(changed))
    return str(path)


def nothing(cell):
    return "_"


def facts(pipeline):
    """The number of silver sentences that each model learned from, if any."""
    found = {name: model.model_.provenance.get("silver_sentences") for name, model in pipeline.models_.items()}
    return {name: count for name, count in found.items() if count is not None}


def lemmas(pipeline):
    """How many sentences the lemmatizer learned from."""
    return pipeline.models_["lemmatizer"].model_.provenance["sentences"]


def fit(gold, *files, **options):
    more = {name: {**ONE_EPOCH.get(name, {}), **given} for name, given in options.items()}
    return Pipeline(beam=1, silver=files).fit(gold, model_options=ONE_EPOCH | more)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "missing, learn",
    [
        ([], LEARN),
        (["upos", "xpos", "lemma"], LEARN - {"tagger"}),
        (["head", "deprel"], LEARN - {"parser"}),
        (["misc"], LEARN - {"entities"}),
        (["lemma", "feats"], LEARN),
        (["lemma", "upos", "xpos", "feats", "misc"], {"parser"}),
        (["lemma", "head", "deprel", "feats", "upos", "xpos"], {"entities"}),
    ],
    ids=lambda columns: "-".join(sorted(columns)) or "none",
)
def test_each_model_learns_from_what_silver_has(gold, tmp_path, missing, learn):
    silver = treebank(30, 2)
    found = fit(gold, write(tmp_path / "silver.conllu", silver, **dict.fromkeys(missing, nothing)))
    assert facts(found).keys() == learn
    assert lemmas(found) == (90 if not {"lemma", "upos"} & {*missing} else 60)
    known = found.model_.provenance
    assert known["sentences"] == 60
    assert max(facts(found).values()) <= known["silver_sentences"] <= 30
    assert known["silver_words"] <= silver.words
    assert found.models_["segmenter"].model_.provenance["sentences"] > 0


def test_tags_that_contradict_gold_are_not_learned_and_trees_are(gold, tmp_path):
    """A tag that gold has, at words that it has often and never with it."""
    forms, gold_forms = treebank(30, 2).column("form"), [form for forms in gold.column("form") for form in forms]
    assert gold_forms.count(".") >= 20
    silver = treebank(30, 2)
    half = range(0, 30, 2)
    upos = [
        ["NOUN" if form == "." and s in half else tag for form, tag in zip(forms[s], tags, strict=True)]
        for s, tags in enumerate(silver.column("upos"))
    ]
    wrong = silver.with_columns({"upos": upos})
    found, before = (facts(fit(gold, write(tmp_path / "silver.conllu", data))) for data in (wrong, silver))
    changed = sum("." in forms[s] for s in half)
    assert found | {"tagger": 0} == before | {"tagger": 0}
    assert before["tagger"] - changed <= found["tagger"] <= before["tagger"] - changed + 2 < before["tagger"]


def test_silver_that_contradicts_gold_throughout_is_an_error(gold, tmp_path):
    data = treebank(30, 2)
    stops = data.select([s for s, forms in enumerate(data.column("form")) if "." in forms])
    silver = write(tmp_path / "silver.conllu", stops, upos=lambda tag: "NOUN" if tag != "NOUN" else "VERB")
    with pytest.raises(DataError, match=r"no sentence of these silver data teaches the tagger: .* '\.' as 'NOUN'"):
        fit(gold, silver)


def test_columns_that_gold_does_not_have_are_not_learned(gold, tmp_path):
    bare = gold.with_columns({"xpos": [["_"] * len(s) for s in gold.column("form")]})
    found = fit(bare, write(tmp_path / "silver.conllu", treebank(30, 2), feats=lambda cell: "A=B"))
    assert facts(found).keys() == LEARN
    assert all(" " in label and label.endswith(" _") for label in found.models_["tagger"].labels_)
    assert "morphology" not in found.models_


def test_features_are_learned_from_the_silver_sentences_that_have_some(gold, tmp_path):
    def with_features(data, name):
        feats = [["Number=Sing" if tag == "NOUN" else "_" for tag in tags] for tags in data.column("upos")]
        (tmp_path / name).write_bytes(data.replace({"feats": feats}))
        return str(tmp_path / name)

    data = Conllu.read((tmp_path / with_features(gold, "gold")).read_bytes(), "gold")
    files = with_features(treebank(30, 2), "features.conllu"), write(tmp_path / "bare.conllu", treebank(60, 3))
    found = facts(fit(data, *files))
    assert found["parser"] > 60
    assert 15 < found["morphology"] <= 30


def test_tags_are_known_one_by_one(gold, tmp_path):
    """A pair of tags that only silver has is learned, a tag that only silver has is not."""
    silver = treebank(30, 2)
    tags = silver.column("upos")
    one, other = [s for s, [first, *_] in enumerate(silver.column("xpos")) if first == "DT"][:2]
    tags[one][0], tags[other][0] = "NOUN", "NEW"
    forms = silver.column("form")
    forms[one][0] = "Thae"  # no word that gold has often
    (tmp_path / "silver.conllu").write_bytes(silver.replace({"upos": tags, "form": forms}))
    with pytest.warns(match=r"sentences are left out, which have UPOS that .* not have: .*'NEW' \(1\)"):
        found = fit(gold, tmp_path / "silver.conllu")
    assert facts(found)["tagger"] > 25
    assert not any("NEW" in label for label in found.models_["tagger"].labels_)
    assert "NOUN DT" in found.models_["tagger"].labels_


@pytest.mark.slow
def test_files_without_names_say_nothing_about_names(gold, tmp_path):
    files = [
        write(tmp_path / "names.conllu", treebank(30, 2)),
        write(tmp_path / "bare.conllu", treebank(40, 3), misc=nothing),
    ]
    found = facts(fit(gold, *files))
    assert found["entities"] == 30
    assert found["parser"] > 50


@pytest.mark.few(1)
@pytest.mark.parametrize("kinds", ["PER", "PER LOC", "PER LOC ORG", "X", "a b c d"])
def test_names_that_silver_alone_has_are_learned(gold, tmp_path, kinds):
    bare = Conllu.read(
        gold.replace({"misc": [[with_items(cell, {"NER": None}) for cell in cells] for cells in gold.column("misc")]}),
        "gold",
    )
    kind = itertools.cycle(kinds.split())
    misc = [
        [f"NER=B-{next(kind)}" if tag == "PROPN" else "_" for tag in tags] for tags in treebank(30, 2).column("upos")
    ]
    (tmp_path / "silver.conllu").write_bytes(treebank(30, 2).replace({"misc": misc}))
    found = fit(bare, tmp_path / "silver.conllu").models_["entities"]
    assert {label[2:] for label in found.labels_ if label != "O"} <= set(kinds.split())
    assert len(found.labels_) > 1
    assert found.model_.provenance["sentences"] == 30


def test_how_sure_silver_has_to_be_is_an_option_of_each_model(gold, tmp_path):
    silver = treebank(30, 2)
    misc = [
        [f"{cell}|P={60 + s}|Q={90 - s}".removeprefix("_|") for cell in cells]
        for s, cells in enumerate(silver.column("misc"))
    ]
    (tmp_path / "silver.conllu").write_bytes(silver.replace({"misc": misc}))
    found = facts(fit(gold, tmp_path / "silver.conllu", tagger={"least_sureness": 85}))
    unlabelled = 3  # sentences, at most, with labels that gold does not have
    assert 5 - unlabelled <= found["tagger"] <= 5
    assert 10 - unlabelled <= found["parser"] <= 10
    assert 11 - unlabelled <= found["entities"] <= 11


def test_no_tagger_gives_tags_to_sentences_that_it_learned_from(gold, tmp_path, monkeypatch):
    learned, seen = [], []
    tags, tagged = SilverTreebank.tags, training.tagged

    def learn(self, part, first, among):
        found = tags(self, part, first, among)
        if part.name == "tagger":
            learned.append({tuple(sentence) for sentence in found.column(0)})
        return found

    def give(forms, *taggers):
        seen.append((len(learned), {tuple(sentence) for sentence in forms}))
        return tagged(forms, *taggers)

    monkeypatch.setattr(SilverTreebank, "tags", learn)
    monkeypatch.setattr(training, "tagged", give)
    silver = treebank(40, 2)
    numbered = [[f"{form}{s}" for form in sentence] for s, sentence in enumerate(silver.column("form"))]
    (tmp_path / "silver.conllu").write_bytes(silver.replace({"form": numbered}))
    fit(gold, tmp_path / "silver.conllu")
    assert len(learned) == 1 + training._FOLDS
    given = set()
    for number, sentences in seen:
        assert not sentences & learned[number - 1]
        given |= sentences
    assert {tuple(sentence) for sentence in numbered} <= given


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "column, models", [("deprel", ["parser"]), ("xpos", ["tagger", "lemmatizer"]), ("upos", ["tagger", "lemmatizer"])]
)
def test_what_lacks_a_part_of_the_answers_is_told(gold, tmp_path, column, models):
    file = write(tmp_path / "silver.conllu", treebank(30, 2), **{column: nothing})
    with pytest.warns() as caught:
        found = fit(gold, file)
    told = [f"{file}: no word has {column.upper()}, so the {model} learns from gold data alone" for model in models]
    assert [str(each.message) for each in caught if "no word" in str(each.message)] == told
    assert not facts(found).keys() & {*models}


@pytest.mark.few(1)
@pytest.mark.parametrize("dev", ["file", "fraction"])
def test_silver_that_holds_gold_or_held_out_sentences_is_told_and_left_out(gold, tmp_path, dev):
    held_out = treebank(40, 5)
    file = write(tmp_path / "silver.conllu", Conllu.joined([treebank(30, 2), held_out if dev == "file" else gold]))
    given = {"dev": held_out} if dev == "file" else {"dev_fraction": 0.25}
    what = "held-out" if dev == "file" else "training"
    with pytest.warns() as caught:
        found = Pipeline(beam=1, silver=[file]).fit(gold, **given, model_options=ONE_EPOCH)
    told = f"sentences stand in the {what} data, too, and are left out"
    assert any(told in str(each.message) for each in caught)
    assert found.model_.provenance["silver_sentences"] < 60


def test_silver_without_answers_teaches_nothing(gold, tmp_path):
    bare = dict.fromkeys(["upos", "xpos", "lemma", "head", "deprel", "misc"], nothing)
    with pytest.raises(DataError, match="these silver data teach nothing that gold data have: no word has tags"):
        fit(gold, write(tmp_path / "silver.conllu", treebank(20, 2), **bare))


def test_silver_that_is_gold_teaches_nothing(tmp_path):
    gold = Conllu.read(b"".join(b"%d\tw%d\tw\tX\tX\t_\t%d\troot\t_\t_\n" % (k + 1, k, k) for k in range(9)), "gold")
    file = write(tmp_path / "silver.conllu", gold)
    why = "silver.conllu: no sentence .* teaches the pipeline: of 1, 1 stand in the training data, too"
    with pytest.raises(DataError, match=why), pytest.warns():
        Pipeline(parts=["tag"], silver=[file]).fit(gold)


def test_a_checkpoint_knows_its_silver_data(gold, tmp_path):
    file, checkpoint = write(tmp_path / "silver.conllu", treebank(20, 2)), tmp_path / "a.checkpoint"
    pipeline = Pipeline(parts=["tag"], silver=[file])
    whole = pipeline.fit(gold, checkpoint=checkpoint, model_options=ONE_EPOCH).save(tmp_path / "whole.sap")
    assert whole > 0
    resumed = Pipeline(parts=["tag"], silver=[file]).fit(gold, resume=checkpoint, model_options=ONE_EPOCH)
    resumed.save(tmp_path / "b.sap")
    assert (tmp_path / "b.sap").read_bytes() == (tmp_path / "whole.sap").read_bytes()
    write(tmp_path / "silver.conllu", treebank(20, 3))
    with pytest.raises(OptionError, match="it belongs to another training: silver was"):
        Pipeline(parts=["tag"], silver=[file]).fit(gold, resume=checkpoint, model_options=ONE_EPOCH)


def test_silver_may_be_a_path_or_in_memory(gold, tmp_path):
    data = treebank(20, 2)
    file = write(tmp_path / "silver.conllu", data)
    options = {"parts": ["tag"]}
    found = [Pipeline(silver=silver, **options).fit(gold, model_options=ONE_EPOCH) for silver in ([file], file, data)]
    assert len({model.model_.dump() for model in found}) == 1
    both = [data, treebank(20, 3)]
    files = [write(tmp_path / f"{k}.conllu", each) for k, each in enumerate(both)]
    found = [Pipeline(silver=silver, **options).fit(gold, model_options=ONE_EPOCH) for silver in (both, files)]
    assert len({model.model_.dump() for model in found}) == 1
    assert found[0].model_.provenance["silver_sentences"] > data.sentences
    with pytest.raises(OptionError, match="silver is a list of files, or treebanks in memory, not 5"):
        Pipeline(silver=5).fit(gold)


def test_without_silver_nothing_is_said_of_it(gold):
    model = Pipeline(parts=["tag"]).fit(gold, model_options=ONE_EPOCH).models_["tagger"].model_
    assert not {"gold_times", "least_sureness"} & model.options.keys()


def test_a_single_gold_sentence_will_do(tmp_path):
    file = write(tmp_path / "silver.conllu", treebank(20, 2))
    first = treebank(40, 1)
    longest = max(range(40), key=lambda s: len(first.column("form")[s]))
    found = Pipeline(parts=["tag", "parse"], silver=[file]).fit(first.select([longest]), model_options=ONE_EPOCH)
    assert "tagger" in facts(found)


@pytest.mark.slow
def test_a_pipeline_is_made_small_with_the_same_silver_data(gold, tmp_path):
    file = write(tmp_path / "silver.conllu", treebank(20, 2))
    found = fit(gold, file)
    found.save(tmp_path / "whole.sap")
    again = sapwood.load(tmp_path / "whole.sap")
    with pytest.raises(OptionError, match="trained with silver data, which it does not keep; silver names their files"):
        again.shrink(gold, below=0.1)
    small = again.set_params(silver=[file]).shrink(gold, below=0.1)
    assert facts(small) == facts(found)
    assert small.models_["tagger"].params.gold_times == training._GOLD_TIMES


@pytest.mark.slow
@pytest.mark.parametrize("events", [3, 6, 9])
def test_a_stopped_training_goes_on_with_its_silver_data(gold, tmp_path, monkeypatch, events):
    class Stopped(Exception):
        pass

    counted = itertools.count(1)

    def stop(event):
        if next(counted) == events:
            raise Stopped

    monkeypatch.setattr("sapwood.training.saving.time", SimpleNamespace(monotonic=itertools.count().__next__))
    file = write(tmp_path / "silver.conllu", treebank(20, 2))
    checkpoint = tmp_path / "a.checkpoint"
    model = Pipeline(parts=["tag", "parse"], beam=1, silver=[file])
    with pytest.raises(Stopped):
        model.fit(gold, model_options=ONE_EPOCH, checkpoint=checkpoint, every=0, on_event=stop)
    resumed = model.fit(gold, model_options=ONE_EPOCH, resume=checkpoint)
    assert resumed.model_.dump() == model.fit(gold, model_options=ONE_EPOCH).model_.dump()
