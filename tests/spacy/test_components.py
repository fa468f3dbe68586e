"""spaCy: documents there and back, components, tokenizer, saving, training."""

import io
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

spacy = pytest.importorskip("spacy")

from documents import TEXTS, analyses, french  # noqa: E402
from named_texts import records  # noqa: E402
from spacy.cli.package import get_third_party_dependencies  # noqa: E402
from spacy.tokens import Doc as SpacyDoc  # noqa: E402
from spacy.tokens import Span  # noqa: E402
from spacy.training import Example  # noqa: E402

import sapwood  # noqa: E402
import sapwood.spacy  # noqa: E402
from sapwood import DataError, Doc, ModelError, OptionError, _core  # noqa: E402
from sapwood.datasets.treebank import generate  # noqa: E402
from sapwood.errors import SapwoodWarning  # noqa: E402
from sapwood.model.file.schema import ModelFile  # noqa: E402
from sapwood.model.file.wheel import wheel  # noqa: E402

ROOT = Path(__file__).parents[2]
PARTS = ("segment", "tag", "lemmatize", "parse", "entities")


def add(nlp, *parts, **config):
    """Add a component for each part, which has its name."""
    for part in parts:
        nlp.add_pipe("sapwood", name=part, config={"parts": [part], **config})


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("sapwood")
    return nlp


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The file of a small model with a segmenter, a tagger and a parser, and a text that it has learned."""
    folder = tmp_path_factory.mktemp("spacy")
    sentences = [sentence.conllu(f"s{k}", "attached") for k, sentence in enumerate(generate(150, 3))]
    (folder / "train.conllu").write_text("".join(sentences))
    sapwood.Pipeline(beam=1, parts=["segment", "tag", "parse"]).fit(folder / "train.conllu").save(folder / "small.sap")
    return folder


# Components


def test_component_is_the_pipeline(nlp, english):
    expected = [doc.to_conllu() for doc in english.pipe(TEXTS)]
    assert analyses(map(nlp, TEXTS)) == expected
    assert analyses(nlp.pipe(TEXTS, batch_size=2)) == expected
    assert [context for _, context in nlp.pipe(zip(TEXTS, range(9), strict=False), as_tuples=True)] == [*range(6)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # of forking in a process that has threads
def test_processes_give_the_same(nlp, english):
    texts = TEXTS * 4
    assert analyses(nlp.pipe(texts, n_process=2, batch_size=3)) == [doc.to_conllu() for doc in english.pipe(texts)]


@pytest.mark.slow
def test_parts_one_by_one_are_the_whole(english):
    nlp = spacy.blank("en")
    add(nlp, *PARTS)
    assert nlp.analyze_pipes()["problems"] == {part: [] for part in PARTS}
    assert analyses(nlp.pipe(TEXTS)) == [doc.to_conllu() for doc in english.pipe(TEXTS)]


@pytest.mark.slow
def test_words_that_do_not_stand_in_the_text_go_from_part_to_part():
    """The tags that a part writes are those of the words, also of the two of du."""
    from sapwood.spacy.docs import read_doc, write_doc

    bare = french()
    columns = {"form": bare.column("form")}
    core = _core.Doc.build(bare.text, bare.tokens, bare.first_words, bare.sentences, columns, None)
    doc = Doc(core).to_spacy(spacy.blank("fr"))
    analysis, units = read_doc(doc)
    tags = {name: bare.column(name) for name in ("upos", "xpos", "feats")}
    write_doc(doc, analysis._replace(columns=columns | tags), units, ["tag"])
    assert Doc.from_spacy(doc).values("upos") == tags["upos"]
    assert doc[2].pos_ == "ADP"


def test_tokens_of_spacy_stay():
    nlp = spacy.blank("en")
    nlp.add_pipe("sapwood", config={"tokens": "given"})
    words = ["cannot", "do", " ", "it", ".", "Why", "not", "?"]
    given = SpacyDoc(nlp.vocab, words=words, spaces=[True, True, False, False, True, True, False, False])
    doc = nlp(given)
    assert doc is given and [token.text for token in doc] == words
    assert [sentence.text for sentence in doc.sents] == ["cannot do  it.", "Why not?"]
    assert all(token.pos_ and token.dep_ for token in doc)


def test_names_and_spans_of_earlier_components_stay(nlp):
    """Those of the model that overlap them yield; it warns of what does not begin and end with a token of the model."""
    ruler = nlp.add_pipe("entity_ruler", first=True)
    ruler.add_patterns([{"label": "CITY", "pattern": "New York", "id": "ny"}, {"label": "JOB", "pattern": "mayor"}])
    text = "I met Ann and the mayor in New York."
    doc = nlp(text)
    assert [(name.text, name.label_, name.id_) for name in doc.ents] == [
        ("Ann", "PER", ""),
        ("mayor", "JOB", ""),
        ("New York", "CITY", "ny"),
    ]
    made = nlp.make_doc(f"{text} I can't.")
    made.spans["all"] = [Span(made, 2, 6, "GROUP")]
    doc = nlp(made)
    assert [(span.text, span.label_) for span in doc.spans["all"]] == [("Ann and the mayor", "GROUP")]
    made = nlp.make_doc("An ex-wife left.")
    made.spans["all"] = [Span(made, 3, 4, "HALF"), Span(made, 1, 4, "ALL")]
    with pytest.warns(SapwoodWarning, match=r"own tokens, so 1 entities or spans \('wife'\) that do not"):
        doc = nlp(made)
    assert [span.text for span in doc.spans["all"]] == ["ex-wife"]
    tagged = nlp.make_doc("So what?")
    tagged[0].tag_ = "X"
    with pytest.warns(SapwoodWarning, match="own tokens, so tag are lost; put sapwood first, or set its tokens to"):
        nlp(tagged)


@pytest.mark.slow
def test_names_of_earlier_components_stay_beside_those_of_a_part():
    nlp = spacy.blank("en")
    add(nlp, "segment", "tag")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "CITY", "pattern": "New York", "id": "ny"}])
    add(nlp, "entities")
    doc = nlp("Ann left New York.")
    assert [(name.text, name.label_, name.id_) for name in doc.ents] == [("Ann", "PER", ""), ("New York", "CITY", "ny")]
    assert [name.label for name in sapwood.Doc.from_spacy(doc).entities] == ["PER", "CITY"]
    doc = nlp.make_doc("Ann left.")
    doc.set_ents([], blocked=[Span(doc, 0, 1)], default="unmodified")
    for name, component in nlp.pipeline:
        doc = component(doc) if name != "entity_ruler" else doc
    assert [name.text for name in doc.ents] == []
    assert [token.ent_iob_ for token in doc] == ["B", "O", "O"]


def test_words_that_were_given_or_merged_stay(nlp):
    words = ["I", "can't", "see", "New York", "."]
    doc = nlp(SpacyDoc(nlp.vocab, words=words))
    assert [token.text for token in doc] == words and doc.has_annotation("DEP") and doc[4].pos_ == "PUNCT"
    nlp.add_pipe("entity_ruler", first=True).add_patterns([{"label": "CITY", "pattern": "New York"}])
    nlp.add_pipe("merge_entities", after="entity_ruler")
    [merged, plain] = nlp.pipe(["I  like New York.", "I can't."])
    assert [token.text for token in merged] == ["I", " ", "like", "New York", "."]
    assert [name.label_ for name in merged.ents] == ["CITY"] and merged[3].pos_ == "PROPN"
    assert [token.text for token in plain] == ["I", "ca", "n't", "."]


def test_half_of_a_character_is_an_error():
    tokenizer = {"@tokenizers": "sapwood.Tokenizer.v1", "model": "auto"}
    nlp = spacy.blank("en", config={"nlp": {"tokenizer": tokenizer}})
    with pytest.raises(DataError, match=r"character 2 of the text, U\+D800, is not Unicode but half of a character"):
        nlp("a \ud800")


def test_sentences_of_spacy_are_taken():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    add(nlp, "tag", "parse")
    doc = nlp("A dog eats. A cat sleeps.")
    assert [token.pos_ for token in doc] == ["DET", "NOUN", "VERB", "PUNCT"] * 2
    assert [sentence.root.text for sentence in doc.sents] == ["eats", "sleeps"]


def test_other_components_go_on_with_what_is_found(nlp):
    ruler = nlp.add_pipe("entity_ruler", config={"overwrite_ents": False})
    ruler.add_patterns([{"label": "WORK", "pattern": "program"}])
    doc = nlp("Ada Lovelace wrote the program.")
    assert [(name.text, name.label_) for name in doc.ents] == [("Ada Lovelace", "PER"), ("program", "WORK")]
    assert [(name.text, name.label) for name in Doc.from_spacy(doc).entities][1] == ("program", "WORK")
    assert isinstance(doc[0:2], Span)


def test_the_tokenizer_cuts_as_the_model_does():
    nlp = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "sapwood.Tokenizer.v1"}}})
    assert [[token.text for token in sentence] for sentence in nlp(TEXTS[5]).sents] == [
        ["One", "sentence", "."], ["And", "汉字", "and", "🙂", "too", "!"]]  # fmt: skip
    assert all(nlp.make_doc(text).text == text for text in TEXTS)
    again = spacy.blank("en", config=nlp.config)
    again.from_bytes(nlp.to_bytes())
    assert [token.text for token in again(TEXTS[0])] == [token.text for token in nlp(TEXTS[0])]


def test_saved_pipelines_have_their_model_in_them(small, tmp_path):
    """A saved pipeline has its model in it: the file that it came from may be gone."""
    model = tmp_path / "model.sap"
    model.write_bytes((small / "small.sap").read_bytes())
    nlp = spacy.blank("xx")
    add(nlp, "segment", "tag", "parse", model=str(model))
    expected = analyses([nlp("A helt bungs.")])
    nlp.to_disk(tmp_path / "nlp")
    data = nlp.to_bytes()
    model.unlink()
    assert analyses([spacy.load(tmp_path / "nlp")("A helt bungs.")]) == expected
    again = spacy.blank("xx")
    add(again, "segment", "tag", "parse", model=None)
    assert analyses([again.from_bytes(data)("A helt bungs.")]) == expected
    assert nlp.get_pipe("parse").pipeline.parts == ["tag", "parse"]
    with pytest.raises(ModelError):
        again.get_pipe("parse").from_bytes(again.get_pipe("segment").to_bytes())


def test_pickled_components_answer_the_same(nlp):
    import pickle

    again = pickle.loads(pickle.dumps(nlp.get_pipe("sapwood")))
    doc = spacy.blank("en").make_doc(TEXTS[0])
    assert analyses([again(doc)]) == analyses([nlp(TEXTS[0])])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:without (lemmatize|entities):sapwood.SapwoodWarning")
def test_components_are_trained_on_a_treebank(small, tmp_path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("sapwood", config={"model": None})
    nlp.config["initialize"]["components"]["sapwood"] = {
        "treebank": str(small / "train.conllu"),
        "options": {"beam": 1},
    }
    nlp.initialize()
    expected = sapwood.load(small / "small.sap")("A helt bungs.").to_conllu()
    assert analyses([nlp("A helt bungs.")]) == [expected]
    nlp.to_disk(tmp_path / "nlp")
    assert analyses([spacy.load(tmp_path / "nlp")("A helt bungs.")]) == [expected]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:without (lemmatize|entities):sapwood.SapwoodWarning")
def test_components_are_trained_on_examples_of_spacy(small):
    """Gold documents of spaCy are a treebank; the scores are spaCy's."""
    teacher = sapwood.load(small / "small.sap")
    raw = _core.Conllu.read((small / "train.conllu").read_bytes(), "train").text().text.decode()
    nlp = spacy.blank("xx")
    gold = teacher(raw).to_spacy(nlp)
    examples = [Example(nlp.make_doc(raw), gold)]
    tagger = nlp.add_pipe("sapwood", config={"model": None})
    nlp.initialize(lambda: examples)
    assert tagger.pipeline.parts == ["segment", "tag", "parse"]
    scores = nlp.evaluate(examples)
    names = ("tag_acc", "pos_acc", "dep_uas", "dep_las", "sents_f")
    assert {name: scores[name] for name in names if scores[name] < 0.85} == {}
    before = tagger.pipeline
    nlp.initialize(lambda: examples)  # a model that is there stays
    assert tagger.pipeline is before


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("language", "parts", "learned"),
    [
        ("en", [], ["segment", "tag", "entities"]),
        ("en", ["entities"], ["tag", "entities"]),
        ("xx", ["segment", "entities"], ["segment", "tag", "entities"]),
    ],
)
def test_components_learn_from_examples_with_entities_alone(language, parts, learned):
    nlp = spacy.blank(language)
    nlp.add_pipe("sentencizer")
    component = nlp.add_pipe("sapwood", config={"model": None, "parts": parts, "tokens": "given"})
    spans = [[(span["start"], span["end"], span["label"]) for span in row["spans"]] for row in records(150, 1)]
    docs = [nlp.make_doc(row["text"]) for row in records(150, 1)]
    examples = [Example.from_dict(doc, {"entities": each}) for doc, each in zip(docs, spans, strict=True)]
    nlp.initialize(lambda: examples)
    assert component.pipeline.parts == learned
    doc = nlp("Then Ada Lovelace went to Rome.")
    assert [(name.text, name.label_) for name in doc.ents] == [("Ada Lovelace", "PER"), ("Rome", "LOC")]
    assert doc.has_annotation("TAG") == (not parts)
    assert nlp.evaluate(examples)["ents_f"] > 0.95


@pytest.mark.parametrize(
    "component, config, error, message",
    [
        ("sapwood", {"model": "nowhere.sap"}, ModelError, "nowhere.sap"),
        ("sapwood", {"model": None}, ModelError, "sapwood has no model yet"),
        ("sapwood", {"parts": ["tag"]}, DataError, "sapwood: the document has no sentences; add the part segment"),
    ],
)
def test_what_is_missing_is_said(component, config, error, message):
    nlp = spacy.blank("en")
    nlp.add_pipe(component, config=config)
    with pytest.raises(error, match=message):
        nlp("Some words.")


def test_untagged_documents_are_not_parsed(nlp):
    parser = spacy.blank("en")
    parser.add_pipe("sentencizer")
    add(parser, "parse")
    with pytest.raises(DataError, match="the document has no tags"):
        parser("Some words.")


def test_the_model_of_the_language_is_taken():
    nlp = spacy.blank("de")
    nlp.add_pipe("sapwood")
    assert [(token.pos_, token.lemma_) for token in nlp("Das Kind liest.")][1] == ("NOUN", "Kind")


def test_an_installed_model_is_taken_by_its_name(small, tmp_path, monkeypatch):
    _, data = wheel(ModelFile.load(small / "small.sap"), "small-one", "1.0", None)
    zipfile.ZipFile(io.BytesIO(data)).extractall(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    tagged = []
    for model in ("small-one", str(small / "small.sap")):
        nlp = spacy.blank("xx")
        nlp.add_pipe("sapwood", config={"model": model})
        tagged.append([word.pos_ for word in nlp("A dog sees it.")])
    assert tagged[0] == tagged[1] != []


@pytest.mark.slow
def test_languages_without_a_model_are_named():
    for language in ("nl", "fi", "xx"):
        nlp = spacy.blank(language)
        with pytest.raises(ModelError, match=f"^sapwood: no model for the language '{language}' .*my.sap") as error:
            nlp.add_pipe("sapwood")
        assert "\n" not in str(error.value)
        assert nlp.pipe_names == []
    with pytest.raises(ModelError, match="no model for the language 'nl'"):
        spacy.blank("nl", config={"nlp": {"tokenizer": {"@tokenizers": "sapwood.Tokenizer.v1"}}})


@pytest.mark.parametrize("config", [{"tokens": "mine"}, {"threads": 0}, {"parts": ["tags"]}])
def test_settings_are_checked(config):
    with pytest.raises(OptionError):
        spacy.blank("en").add_pipe("sapwood", config=config)


def test_a_network_of_spacy_is_no_model():
    network = {"@architectures": "spacy.Tok2VecListener.v1", "width": 8}
    with pytest.raises(OptionError, match="model of sapwood is the path of a sapwood model, not a"):
        spacy.blank("en").add_pipe("sapwood", config={"model": network})


def test_error_handler_goes_on(small):
    nlp = spacy.blank("xx")
    nlp.add_pipe("sapwood", config={"model": str(small / "small.sap")})
    failed = []
    nlp.set_error_handler(lambda name, component, docs, error: failed.extend(doc.text for doc in docs))
    docs = list(nlp.pipe(["A helt bungs.", "N\0L", "A helt."], batch_size=1))
    assert [doc.text for doc in docs] == ["A helt bungs.", "A helt."]
    assert failed == ["N\0L"]


@pytest.mark.slow
def test_entry_points_find_the_components(tmp_path):
    """What pyproject.toml says is enough: without importing sapwood, spaCy knows its components."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = []
    for group in ("spacy_factories", "spacy_tokenizers"):
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in project["entry-points"][group].items())]
    folder = tmp_path / "sapwood-0.dist-info"
    folder.mkdir()
    (folder / "entry_points.txt").write_text("\n".join(lines))
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: sapwood\nVersion: 0\n")
    program = (
        "import spacy; nlp = spacy.blank('en', config={'nlp': {'tokenizer': {'@tokenizers': 'sapwood.Tokenizer.v1'}}});"
        f"[nlp.add_pipe(name) for name in {list(project['entry-points']['spacy_factories'])}];"
        "print(len(nlp('Two words.')))"
    )
    paths = [str(tmp_path), str(Path(sapwood.__file__).parents[1])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("3\n", 0), done.stderr


def test_a_package_of_a_pipeline_requires_sapwood(nlp):
    assert any(each.startswith("sapwood") for each in get_third_party_dependencies(nlp.config))
