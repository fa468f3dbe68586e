"""spaCy: documents there and back, components, tokenizer, saving, training."""

import os
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

spacy = pytest.importorskip("spacy")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from spacy import displacy  # noqa: E402
from spacy.language import Language  # noqa: E402
from spacy.tokens import Doc as SpacyDoc  # noqa: E402
from spacy.tokens import DocBin, Span  # noqa: E402
from spacy.training import Example  # noqa: E402
from spacy.vocab import Vocab  # noqa: E402

import sapwood  # noqa: E402
import sapwood.spacy  # noqa: E402
from sapwood import DataError, Doc, ModelError, OptionError, _core  # noqa: E402
from sapwood.datasets.treebank import generate  # noqa: E402

ROOT = Path(__file__).parent.parent
PARTS = ("segmenter", "tagger", "lemmatizer", "parser", "entities")
TEXTS = [
    "Ada Lovelace wrote the  first program in 1843.\n\nShe didn't live in Paris.",
    "  Leading space, and a\ttab. ",
    "",
    " \n ",
    "The New York Times didn’t say.",
    "One sentence. And 汉字 and 🙂 too!",
]


@pytest.fixture(scope="module")
def english():
    return sapwood.load("en")


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("sapwood")
    return nlp


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The file of a small model with a part of each kind but entities, and a text that it has learned."""
    folder = tmp_path_factory.mktemp("spacy")
    sentences = [sentence.conllu(f"s{k}", "attached") for k, sentence in enumerate(generate(150, 3))]
    (folder / "train.conllu").write_text("".join(sentences))
    sapwood.Pipeline(beam=1).fit(folder / "train.conllu").save(folder / "small.sap")
    return folder


def analyses(docs):
    return [Doc.from_spacy(doc).to_conllu() for doc in docs]


# Documents


def french():
    """ "Il vient du lac." with du = de le, which do not stand in the text."""
    return _core.Doc.build(
        "Il vient du lac.",
        [(0, 2), (3, 8), (9, 11), (12, 15), (15, 16)],
        [0, 1, 2, 4, 5, 6],
        [(0, 0, True), (5, 6, False)],
        {
            "form": ["Il", "vient", "de", "le", "lac", "."],
            "upos": ["PRON", "VERB", "ADP", "DET", "NOUN", "PUNCT"],
            "xpos": ["_"] * 6,
            "feats": ["Person=3|Number=Sing", "_", "_", "Definite=Def", "_", "_"],
            "lemma": ["il", "venir", "de", "le", "lac", "."],
            "deprel": ["nsubj", "root", "case", "det", "obl", "punct"],
            "entity": ["O", "O", "O", "O", "B-LOC", "O"],
        },
        [2, 0, 5, 5, 2, 2],
    )


def test_names_with_separators_stay_in_their_cell():
    columns = {"form": ["a"], "entity": ["B-x|y\tz"]}
    doc = _core.Doc.build("a", [(0, 1)], [0, 1], [(0, 0, True), (1, 1, False)], columns, None)
    [row] = [line for line in doc.to_conllu(1).decode().split("\n") if line.startswith("1")]
    assert row.split("\t")[9].split("|") == [r"NER=B-x\py\tz", "SpacesAfter="]


def test_by_eye(english):
    doc = english("Ada Lovelace  wrote.").to_spacy(Vocab())
    assert [token.text_with_ws for token in doc] == ["Ada ", "Lovelace ", " ", "wrote", "."]
    assert [token.pos_ for token in doc] == ["PROPN", "PROPN", "SPACE", "VERB", "PUNCT"]
    assert [token.tag_ for token in doc] == ["NNP", "NNP", "_SP", "VBD", "."]
    assert [token.lemma_ for token in doc] == ["Ada", "Lovelace", "", "write", "."]
    assert [token.head.i for token in doc] == [3, 0, 1, 3, 3]
    assert [token.dep_ for token in doc] == ["nsubj", "flat", "dep", "ROOT", "punct"]
    assert doc[3].morph.get("Tense") == ["Past"]
    assert [(name.text, name.label_) for name in doc.ents] == [("Ada Lovelace", "PER")]
    assert [sentence.root.text for sentence in doc.sents] == ["wrote"]


def test_words_that_do_not_stand_in_the_text_are_one_token():
    doc = Doc(french()).to_spacy(spacy.blank("fr"))
    assert [token.text for token in doc] == ["Il", "vient", "du", "lac", "."]
    du = doc[2]
    assert (du.pos_, du.tag_, du.lemma_, du.dep_, du.head.text) == ("ADP", "", "de le", "case", "lac")
    back = Doc.from_spacy(doc)
    assert back.forms == ["Il", "vient", "de", "le", "lac", "."]
    assert back.to_conllu() == Doc(french()).to_conllu()
    assert "3-4\tdu" in back.to_conllu()


def test_record_that_does_not_agree_with_the_document_is_not_used():
    doc = Doc(french()).to_spacy(spacy.blank("fr"))
    doc[3].lemma_ = "étang"
    assert Doc.from_spacy(doc).forms == ["Il", "vient", "du", "lac", "."]
    assert Doc.from_spacy(doc).values("lemma") == ["il", "venir", "de le", "étang", "."]


@pytest.mark.parametrize(
    "record",
    [7, {"words": 7}, {"words": {"tokens": [[0, 99]]}}, {"multiword": [[1]]}, {"paragraphs": ["x"]}, {"values": [1]},
     {"values": {"lemma": [[0], [99, "a", "b"], [0, "x", 1]], "color": [[0, "a", "b"]]}}, {"multiword": [[0, 400]]},
     {"confidences": {"tag": [1.0]}},
     {"confidences": {"Tag": [0.5] * 4}}, {"confidences": {"tag": [2.0] * 4}}],
)  # fmt: skip
def test_record_of_a_stranger_does_no_harm(english, record):
    doc = english("Ada wrote it.").to_spacy(Vocab())
    expected = Doc.from_spacy(doc).to_conllu()
    doc.user_data["sapwood"] = record
    assert Doc.from_spacy(doc).to_conllu().replace("# newpar\n", "") == expected.replace("# newpar\n", "")


@pytest.mark.parametrize("text", TEXTS)
def test_there_and_back(english, text):
    doc = english(text)
    there = doc.to_spacy(Vocab())
    assert there.text == text
    assert Doc.from_spacy(there).to_json() == doc.to_json()
    assert Doc.from_spacy(there).to_conllu() == doc.to_conllu()


def test_saved_documents_lose_nothing(english):
    for doc in [*map(english, TEXTS), Doc(french())]:
        there = doc.to_spacy(Vocab())
        back = SpacyDoc(Vocab()).from_bytes(there.to_bytes())
        assert Doc.from_spacy(back).to_conllu() == doc.to_conllu()
    box = DocBin(store_user_data=True, docs=[english(text).to_spacy(Vocab()) for text in TEXTS if text])
    docs = DocBin().from_bytes(box.to_bytes()).get_docs(Vocab())
    assert analyses(docs) == [english(text).to_conllu() for text in TEXTS if text]


def test_document_of_spacy_comes_without_anything_of_ours():
    doc = SpacyDoc(
        Vocab(),
        words=["We", " ", "saw", "Rome", "."],
        spaces=[True, False, True, False, False],
        pos=["PRON", "SPACE", "VERB", "PROPN", "PUNCT"],
        heads=[2, 0, 2, 2, 2],
        deps=["nsubj", "", "ROOT", "obj", "punct"],
        ents=["O", "O", "O", "B-GPE", "O"],
    )
    found = Doc.from_spacy(doc)
    assert [(token.text, token.upos, token.xpos, token.feats, token.lemma) for token in found][:2] == [
        ("We", "PRON", "_", "_", None), ("saw", "VERB", "_", "_", None)]  # fmt: skip
    assert (found.heads, found.values("deprel")) == ([2, 0, 2, 2], ["nsubj", "root", "obj", "punct"])
    assert [(name.text, name.label, name.start) for name in found.entities] == [("Rome", "GPE", 8)]
    assert len(Doc.from_spacy(spacy.blank("en")("A b. C d.")).sentences) == 1


LETTERS = st.text(alphabet="ab'é汉\N{ZERO WIDTH JOINER}-", min_size=1, max_size=4)
VALUES = st.sampled_from(["_", "A=b", "B=2|A=1", "A=2,1", "NOUN", "VERB", "NN", "x y", "I-X", "ROOT", "root", "SPACE"])


@st.composite
def documents(draw):
    """Documents with whatever stands in columns, also what spaCy has other rules for."""
    text, tokens, first_words, sentences, forms = draw(st.sampled_from(["", " ", "\n\n"])), [], [0], [], []
    for _ in range(draw(st.integers(0, 3))):
        sentences.append((len(tokens), len(forms), draw(st.booleans())))
        for _ in range(draw(st.integers(1, 4))):
            words = draw(st.lists(LETTERS, min_size=1, max_size=3))
            form = "".join(words) if draw(st.booleans()) else draw(LETTERS)
            tokens.append((len(text), len(text) + len(form)))
            forms += words if len(words) > 1 else [form]
            first_words.append(len(forms))
            text += form + draw(st.sampled_from(["", " ", "  ", "\n", "\n \n", "\N{NO-BREAK SPACE}", " \t "]))
    sentences.append((len(tokens), len(forms), False))

    def column(values):
        return draw(st.lists(values, min_size=len(forms), max_size=len(forms)))

    columns, heads = {"form": forms}, None
    if draw(st.booleans()):
        columns |= {name: column(VALUES) for name in ("upos", "xpos", "feats")}
    if draw(st.booleans()):
        columns["lemma"] = column(VALUES)
    if draw(st.booleans()):
        columns["entity"] = column(st.sampled_from(["O", "B-X", "I-X", "I-Y", "B-Y", "X"]))
    if draw(st.booleans()):
        columns["deprel"], heads = column(VALUES), []
        for (_, first, _), (_, last, _) in pairwise(sentences):
            order = draw(st.permutations(range(last - first)))  # each word hangs on one before it, or on the root
            sentence = [0] * (last - first)
            for k, word in enumerate(order):
                sentence[word] = 0 if k == 0 else draw(st.sampled_from([0, *(w + 1 for w in order[:k])]))
            heads += sentence
    doc = _core.Doc.build(text, tokens, first_words, sentences, columns, heads)
    if forms and draw(st.booleans()):
        sure = st.one_of(st.floats(0, 1), st.just(float("nan")))
        doc.add_confidences("tag", draw(st.lists(sure, min_size=len(forms), max_size=len(forms))))
    return doc


@given(documents())
@settings(max_examples=200)
def test_no_document_loses_anything(core):
    doc = Doc(core)
    there = doc.to_spacy(Vocab())
    assert there.text == doc.text
    back = Doc.from_spacy(SpacyDoc(Vocab()).from_bytes(there.to_bytes()))
    assert back.text == doc.text
    assert back.to_conllu() == doc.to_conllu()
    assert back.to_json() == doc.to_json()
    assert repr(back.confidences) == repr(doc.confidences)
    assert all(0 <= token.head.i < len(there) for token in there)
    assert "".join(sentence.text_with_ws for sentence in there.sents) == doc.text
    assert all(name.label_ for name in there.ents)


def test_displacy_shows_it(english):
    doc = english("Ada Lovelace wrote it.").to_spacy(Vocab())
    picture = displacy.render(doc, style="dep", jupyter=False)
    assert all(word in picture for word in ("Ada", "nsubj", "VERB"))
    assert "PER" in displacy.render(doc, style="ent", jupyter=False)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"text": "a\0"}, "NUL"),
        ({"tokens": [(0, 3)]}, "behind the text"),
        ({"tokens": [(1, 1)]}, "token 1 is empty"),
        ({"first_words": [0, 0]}, "token 1 has no words"),
        ({"first_words": [0]}, "first word for each token"),
        ({"sentences": [(0, 0, True)]}, "last sentence does not end"),
        ({"sentences": []}, "no end of the last sentence"),
        ({"columns": {}}, "no forms"),
        ({"columns": {"form": ["a", "b"]}}, "1 words, but 2 values of form"),
        ({"columns": {"form": [""]}}, "is empty"),
        ({"columns": {"form": ["a"], "upos": ["X"]}}, "go together"),
        ({"columns": {"form": ["a"], "color": ["X"]}}, "no column 'color'"),
        ({"columns": {"form": ["a"], "deprel": ["x"]}}, "heads and relations"),
        ({"columns": {"form": ["a"], "deprel": ["x"]}, "heads": [2]}, "has the head 2 in a sentence of 1 words"),
        ({"columns": {"form": ["a"], "deprel": ["x"]}, "heads": [1]}, "make a cycle"),
    ],
)
def test_document_of_parts_that_contradict_each_other(change, message):
    parts = {
        "text": "ab",
        "tokens": [(0, 1)],
        "first_words": [0, 1],
        "sentences": [(0, 0, True), (1, 1, False)],
        "columns": {"form": ["a"]},
        "heads": None,
    }
    _core.Doc.build(**parts)
    with pytest.raises(DataError, match=message):
        _core.Doc.build(**parts | change)


# Components


def test_component_is_the_pipeline(nlp, english):
    expected = [doc.to_conllu() for doc in english.pipe(TEXTS)]
    assert analyses(map(nlp, TEXTS)) == expected
    assert analyses(nlp.pipe(TEXTS, batch_size=2)) == expected
    assert [context for _, context in nlp.pipe(zip(TEXTS, range(9), strict=False), as_tuples=True)] == [*range(6)]


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # of forking in a process that has threads
def test_processes_give_the_same(nlp, english):
    texts = TEXTS * 4
    assert analyses(nlp.pipe(texts, n_process=2, batch_size=3)) == [doc.to_conllu() for doc in english.pipe(texts)]


def test_parts_one_by_one_are_the_whole(english):
    nlp = spacy.blank("en")
    for part in PARTS:
        nlp.add_pipe(f"sapwood_{part}")
    assert nlp.analyze_pipes()["problems"] == {f"sapwood_{part}": [] for part in PARTS}
    assert analyses(nlp.pipe(TEXTS)) == [doc.to_conllu() for doc in english.pipe(TEXTS)]


def test_words_that_do_not_stand_in_the_text_go_from_part_to_part():
    """The tags that a part writes are those of the words, also of the two of du."""
    from sapwood.spacy.codes import Codes
    from sapwood.spacy.docs import read, write

    bare = french()
    columns = {"form": bare.column("form")}
    core = _core.Doc.build(bare.text, bare.tokens, bare.first_words, bare.sentences, columns, None)
    doc = Doc(core).to_spacy(spacy.blank("fr"))
    analysis, units = read(doc)
    tags = {name: bare.column(name) for name in ("upos", "xpos", "feats")}
    write(doc, analysis._replace(columns=columns | tags), units, ["tags"], Codes(doc.vocab))
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


def test_sentences_of_spacy_are_taken():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("sapwood_tagger")
    nlp.add_pipe("sapwood_parser")
    doc = nlp("A dog barks. A cat sleeps.")
    assert [token.pos_ for token in doc] == ["DET", "NOUN", "VERB", "PUNCT"] * 2
    assert [sentence.root.text for sentence in doc.sents] == ["barks", "sleeps"]


def test_other_components_go_on_with_what_is_found(nlp):
    ruler = nlp.add_pipe("entity_ruler", config={"overwrite_ents": False})
    ruler.add_patterns([{"label": "WORK", "pattern": "program"}])
    doc = nlp("Ada Lovelace wrote the program.")
    assert [(name.text, name.label_) for name in doc.ents] == [("Ada Lovelace", "PER"), ("program", "WORK")]
    assert [(name.text, name.label) for name in Doc.from_spacy(doc).entities][1] == ("program", "WORK")
    assert isinstance(doc[0:2], Span)


def test_tokenizer():
    nlp = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "sapwood.Tokenizer.v1"}}})
    assert [[token.text for token in sentence] for sentence in nlp(TEXTS[5]).sents] == [
        ["One", "sentence", "."], ["And", "汉字", "and", "🙂", "too", "!"]]  # fmt: skip
    assert all(nlp.make_doc(text).text == text for text in TEXTS)
    again = spacy.blank("en", config=nlp.config)
    again.from_bytes(nlp.to_bytes())
    assert [token.text for token in again(TEXTS[0])] == [token.text for token in nlp(TEXTS[0])]


def test_saved_pipelines(small, tmp_path):
    """A saved pipeline has its model in it: the file that it came from may be gone."""
    model = tmp_path / "model.sap"
    model.write_bytes((small / "small.sap").read_bytes())
    nlp = spacy.blank("xx")
    nlp.add_pipe("sapwood_segmenter", config={"model": str(model)})
    nlp.add_pipe("sapwood_tagger", config={"model": str(model)})
    nlp.add_pipe("sapwood_parser", config={"model": str(model)})
    expected = analyses([nlp("A helt bungs.")])
    nlp.to_disk(tmp_path / "nlp")
    data = nlp.to_bytes()
    model.unlink()
    assert analyses([spacy.load(tmp_path / "nlp")("A helt bungs.")]) == expected
    again = spacy.blank("xx")
    for part in ("segmenter", "tagger", "parser"):
        again.add_pipe(f"sapwood_{part}", config={"model": None})
    assert analyses([again.from_bytes(data)("A helt bungs.")]) == expected
    assert nlp.get_pipe("sapwood_parser").pipeline.parts == ["tag", "parse"]
    with pytest.raises(ModelError):
        again.get_pipe("sapwood_parser").from_bytes(again.get_pipe("sapwood_segmenter").to_bytes())


def test_pickles(nlp):
    import pickle

    again = pickle.loads(pickle.dumps(nlp.get_pipe("sapwood")))
    doc = spacy.blank("en").make_doc(TEXTS[0])
    assert analyses([again(doc)]) == analyses([nlp(TEXTS[0])])


def test_training_on_a_treebank(small, tmp_path):
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


def test_training_on_examples_of_spacy(small):
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


@pytest.mark.parametrize(
    "component, config, error, message",
    [
        ("sapwood", {"model": "nowhere.sap"}, ModelError, "nowhere.sap"),
        ("sapwood", {"model": None}, ModelError, "sapwood has no model yet"),
        ("sapwood_tagger", {}, DataError, "sapwood_tagger: the document has no sentences; put sapwood_segmenter"),
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
    parser.add_pipe("sapwood_parser")
    with pytest.raises(DataError, match="the document has no tags"):
        parser("Some words.")


def test_languages_without_a_model_are_named():
    nlp = spacy.blank("fr")
    nlp.add_pipe("sapwood")
    with pytest.raises(ModelError, match="no model for the language 'fr'"):
        nlp("Bonjour.")


@pytest.mark.parametrize("config", [{"tokens": "mine"}, {"threads": 0}])
def test_settings_are_checked(config):
    with pytest.raises(OptionError):
        spacy.blank("en").add_pipe("sapwood", config=config)


def test_error_handler_goes_on(small):
    nlp = spacy.blank("xx")
    nlp.add_pipe("sapwood", config={"model": str(small / "small.sap")})
    failed = []
    nlp.set_error_handler(lambda name, component, docs, error: failed.extend(doc.text for doc in docs))
    docs = list(nlp.pipe(["A helt bungs.", "N\0L", "A helt."], batch_size=1))
    assert [doc.text for doc in docs] == ["A helt bungs.", "A helt."]
    assert failed == ["N\0L"]


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
    paths = [str(tmp_path), str(Path(sapwood.__path__[0]).parent)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("3\n", 0), done.stderr


def test_factories_are_told_apart():
    for name in ("sapwood", *(f"sapwood_{part}" for part in PARTS)):
        assert Language.get_factory_meta(name).default_config == {"model": "auto", "tokens": "own", "threads": 1}


@pytest.mark.corpus
def test_round_trip_of_ewt(english):
    from sapwood.datasets.corpora import data_folder
    from sapwood.io.conllu import read_treebank

    path = next(data_folder(None).glob("**/en_ewt-ud-test.conllu*"))
    text = read_treebank(path).text().text.decode()
    doc = english(text)
    there = doc.to_spacy(spacy.blank("en"))
    back = Doc.from_spacy(SpacyDoc(there.vocab).from_bytes(there.to_bytes()))
    assert (there.text, back.text) == (text, text)
    assert back.to_conllu() == doc.to_conllu()
    assert back.to_json() == doc.to_json()
