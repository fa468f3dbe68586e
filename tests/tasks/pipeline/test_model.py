"""Pipelines: raw text in, sentences, words, tags, lemmas, trees and names out, in one file."""

import signal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from treebanks import ONE_EPOCH, treebank

import sapwood
from sapwood import DataError, ModelError, OptionError, SapwoodWarning
from sapwood._core import Conllu
from sapwood.events import Preparing
from sapwood.io.lexicons import read_lemma_lexicon
from sapwood.model.small import Goal
from sapwood.tasks.pipeline.model import Pipeline

AVERAGED = ("tagger", "lemmatizer", "parser")
CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0") | st.sampled_from(" \t\n\r\u3000\u200bab.!5")


@pytest.fixture(scope="module")
def pipeline(toy) -> Pipeline:
    return toy


def test_text_comes_back_with_everything(pipeline):
    report = pipeline.evaluate(treebank(60, 2))
    assert report["Tokens"].f1 > 98
    assert report["Words"].f1 > 97
    assert report["UPOS"].f1 > 80
    assert report["Lemmas"].f1 > 95
    assert report["LAS"].f1 > 50
    names = report["Names"]
    assert names.gold > 10 and names.f1 > 50


def test_given_words_stay(pipeline):
    report = pipeline.evaluate(treebank(60, 2), tokens=True)
    assert report["Words"].f1 == report["Sentences"].f1 == 100


def test_a_pipeline_comes_back_from_its_file(pipeline, tmp_path):
    text = treebank(20, 3).text().text.decode()
    pipeline.save(tmp_path / "model.sap")
    again = sapwood.load(tmp_path / "model.sap")
    assert isinstance(again, Pipeline)
    assert again(text).to_conllu() == pipeline(text).to_conllu()


def test_ctrl_c_while_a_model_is_learned_anew_ends_the_pipeline():
    def press(event):
        if isinstance(event, Preparing) and event.what.startswith("learning anew"):
            signal.raise_signal(signal.SIGINT)

    with pytest.warns(SapwoodWarning, match="are not learned anew"), pytest.raises(KeyboardInterrupt):
        Pipeline(parts=("segment", "tag")).fit(
            treebank(60, 1), model_options={"tagger": {"max_bytes": 4000}}, on_event=press
        )


def test_a_file_without_parts_is_refused(pipeline, tmp_path):
    pipeline.model_.replaced(parts={}).save(tmp_path / "model.sap")
    with pytest.raises(ModelError, match="no part of the analysis"):
        sapwood.load(tmp_path / "model.sap")


def test_a_treebank_that_teaches_nothing_is_refused():
    bare = Conllu.read(b"1\ta" + b"\t_" * 8 + b"\n\n", "bare")
    with pytest.raises(DataError, match="bare: it teaches no part of the analysis"):
        Pipeline().fit(bare)


def test_segmenter_and_tagger_may_learn_from_other_data():
    one, other = treebank(60, 1), treebank(60, 2)
    both = Pipeline(parts=["segment", "tag"]).fit(one, model_data={"segmenter": other, "tagger": other})
    alone = Pipeline(parts=["segment", "tag"]).fit(other)
    test = treebank(20, 3)
    text, rows = test.text().text.decode(), [[(form,) for form in sentence] for sentence in test.column("form")]
    assert both.models_["segmenter"].predict(text) == alone.models_["segmenter"].predict(text)
    assert both.models_["tagger"].predict(rows) == alone.models_["tagger"].predict(rows)
    with pytest.raises(OptionError, match="model_data are of segmenter, splitter, tagger, lemmatizer; got parser"):
        Pipeline().fit(one, model_data={"parser": other})


def test_threads_and_chunks_change_nothing(pipeline):
    text = treebank(300, 4).text().text * 3
    whole = [doc.to_conllu(1) for doc in pipeline.pipeline_.read(text, "text")]
    assert [doc.to_conllu(1) for doc in pipeline.pipeline_.read(text, "text", threads=2)] == whole

    def sentences(chunks):
        docs = pipeline.annotate(chunks)
        return [line for doc in docs for line in doc.to_conllu(1).decode().split("\n") if not line.startswith("# sent")]

    once = sentences([text])
    for size in (1000, 77_777):
        assert sentences(text[at : at + size] for at in range(0, len(text), size)) == once


@given(text=st.text(CHARACTERS, max_size=60))
@example(text="a ")
def test_the_text_can_be_put_together_from_conllu(pipeline, text):
    doc = pipeline(text)
    assert doc.text == text
    if len(doc) > 0:
        assert Conllu.read(doc.to_conllu().encode(), "output").text().text.decode() == text


def joined(docs):
    """The CoNLL-U of documents, without the numbers of sentences, and the text that they hold."""
    docs = list(docs)
    conllu = b"".join(doc.to_conllu(1) for doc in docs).decode()
    return [line for line in conllu.split("\n") if not line.startswith("# sent")], "".join(doc.text for doc in docs)


@given(
    text=st.text(st.sampled_from(" \n\n\n\r\t\u3000.ab中"), max_size=40),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=40),
    prompt=st.booleans(),
)
def test_chunks_change_nothing(pipeline, text, sizes, prompt):
    data, chunks = text.encode(), []
    for size in sizes:
        chunks.append(data[:size])
        data = data[size:]
    lines, found = joined(pipeline.annotate([*chunks, data]))
    assert found == text
    assert lines == joined(pipeline.pipeline_.read(text.encode(), "text"))[0]
    if prompt:  # answers come as soon as they can; what is at the end may be missing
        early, found = joined(pipeline.annotate([*chunks, data], prompt=True))
        assert found == text
        if text == text.rstrip():
            assert early == lines


def test_answers_come_paragraph_by_paragraph(pipeline):
    asked = []

    def chunks():
        for chunk in (b"A helt b", b"ungs.\n", b"\n", b"The helt", b" sings.\n\n"):
            asked.append(chunk)
            yield chunk

    docs = pipeline.annotate(chunks(), prompt=True)
    assert next(docs).text == "A helt bungs.\n\n"
    assert asked[-1] == b"\n"
    assert next(docs).text == "The helt sings.\n\n"
    assert list(docs) == []


@pytest.mark.few(1)
@pytest.mark.filterwarnings("ignore:.*this looks like a token a line")
@pytest.mark.parametrize("unit", ["a", "-a", "A helt bungs. ", "中", " ", "\n", "a\n"])
def test_long_lines_are_read_in_bounded_memory(pipeline, unit):
    block = unit * (40_000 // len(unit.encode()))
    docs = list(pipeline.only("segment").annotate([block.encode()] * 30))
    assert "".join(doc.text for doc in docs) == block * 30
    assert max(doc.size for doc in docs) <= 1_200_000
    if block.strip():
        assert len(docs) > 5


def test_what_stands_before_a_bad_byte_is_read(pipeline):
    docs = pipeline.annotate([b"A helt bungs.\n\nThe \xff"])
    assert next(docs).text == "A helt bungs.\n\n"
    with pytest.raises(DataError, match=r"^input: byte 19: invalid UTF-8"):
        next(docs)
    for text, byte in ((b"\x80", 0), (b"a \xe2\x82", 2), (b"ab\0", 2)):
        with pytest.raises(DataError, match=f"^input: byte {byte}: "):
            list(pipeline.annotate([text]))


@pytest.mark.slow
def test_held_out_data_choose_the_epochs():
    model = Pipeline(beam=1).fit(treebank(200, 1), dev=treebank(60, 5), model_options=ONE_EPOCH)
    for name, part in model.models_.items():
        assert part.model_.provenance["dev_score"] > 0, name
    again = Pipeline(beam=1).fit(treebank(200, 1), dev_fraction=0.2, model_options=ONE_EPOCH)
    assert again.parts == model.parts
    with pytest.raises(OptionError, match="exclude each other"):
        Pipeline().fit(treebank(60, 1), dev=treebank(60, 5), dev_fraction=0.2)


def test_only_some_parts_may_be_used(pipeline):
    doc = pipeline.only("segment", "tag")("A helt bungs.")
    assert doc.sentences[0][0].upos is not None
    assert doc.sentences[0][0].head is None
    with pytest.raises(OptionError, match="got translate"):
        pipeline.only("translate")


def test_without_tags_only_the_segmenter_and_names_are_learned():
    data = treebank(60, 1)
    none = [["_"] * len(sentence) for sentence in data.column("form")]
    untagged = Conllu.read(data.replace({"upos": none, "xpos": none}), "generated")
    with pytest.warns(SapwoodWarning) as found:
        model = Pipeline(beam=1).fit(untagged, model_options=ONE_EPOCH)
    assert [str(each.message).split(":")[0] for each in found] == [f"without {part}" for part in model.skipped_]
    assert model.parts == ["segment", "entities"]
    assert set(model.skipped_) == {"tag", "lemmatize", "parse"}
    assert len(model("A helt bungs.")) > 0


def test_a_tag_with_a_space_is_refused():
    data = treebank(60, 1)
    spaced = Conllu.read(data.replace({"xpos": [["N N"] * len(s) for s in data.column("form")]}), "generated")
    with pytest.raises(DataError, match="a tag has a space in it"):
        Pipeline(beam=1).fit(spaced)


def test_files_are_looked_at_before_training(tmp_path):
    with pytest.raises(DataError, match=r"nowhere\.iob2: cannot read it"):
        Pipeline(names=[str(tmp_path / "nowhere.iob2")]).fit(treebank(60, 1))


def test_a_lexicon_is_for_tags_and_lemmas(tmp_path):
    data = treebank(100, 1)
    cells = ([cell for sentence in data.column(name) for cell in sentence] for name in ("form", "upos", "lemma"))
    entries = {(form.lower(), tag, lemma) for form, tag, lemma in zip(*cells, strict=True) if tag in ("NOUN", "VERB")}
    words = tmp_path / "words.tsv"
    words.write_text("".join("\t".join(entry) + "\n" for entry in sorted(entries)) + "zorks\tNOUN\tzork\n")
    model = Pipeline(parts=["tag", "lemmatize", "parse"], beam=1, lexicon=words).fit(data, model_options=ONE_EPOCH)
    assert {"lexicon.tags", "lexicon.high"} < set(model.model_.parts["tagger"].extra)
    assert "tagger's lexicon" in model.contents.arrays.values()
    in_memory = Pipeline(**model.get_params()).set_params(lexicon=read_lemma_lexicon(words))
    in_memory.fit(data, model_options=ONE_EPOCH)
    assert in_memory.model_.arrays() == model.model_.arrays()
    words.unlink()
    model.save(tmp_path / "m.sap")
    again = sapwood.load(tmp_path / "m.sap")
    conllu = "".join(f"{k}\t{form}" + "\t_" * 8 + "\n" for k, form in enumerate(("The", "zorks", "helt"), 1)) + "\n"
    assert again.fill(conllu.encode()) == model.fill(conllu.encode())
    assert again.fill(conllu.encode()).split(b"\n")[1].split(b"\t")[3] == b"NOUN"


def test_names_may_have_a_lexicon_of_their_own(tmp_path):
    data = treebank(100, 1)
    sentences = zip(data.column("form"), data.column("upos"), strict=True)
    words = (pair for sentence in sentences for pair in zip(*sentence, strict=True))
    names = sorted({"zorks", *(form.lower() for form, tag in words if tag == "PROPN")})
    lexicon = [(name, "CITY", [name]) for name in names]
    options = {"entities": {"lexicon": lexicon, "template": "U:%lexicon[0,form]\n"}}
    model = Pipeline(parts=["tag", "entities"]).fit(data, model_options=options)
    assert "lexicon.tags" in model.model_.parts["entities"].extra
    assert "lexicon.tags" not in model.model_.parts["tagger"].extra
    model.save(tmp_path / "m.sap")
    for each in (model, sapwood.load(tmp_path / "m.sap")):
        doc = each(["Zorks", "Zurks"])
        assert [token.entity for token in doc] == ["B-NAME", "O"]
    small = sapwood.load(tmp_path / "m.sap").shrink(data, below=0.01)
    assert [token.entity for token in small(["Zorks", "Zurks"])] == ["B-NAME", "O"]


def test_an_empty_lexicon_changes_nothing(tmp_path):
    (tmp_path / "empty").write_text("")
    options = {"parts": ["tag"], "beam": 1}
    with_file = Pipeline(lexicon=tmp_path / "empty", **options).fit(treebank(60, 1), model_options=ONE_EPOCH).model_
    without = Pipeline(**options).fit(treebank(60, 1), model_options=ONE_EPOCH).model_
    assert with_file.arrays() == without.arrays()


def test_what_a_treebank_cannot_teach_is_left_out():
    text = treebank(60, 1).replace({"lemma": [["_"] * len(s) for s in treebank(60, 1).column("form")]})
    data = Conllu.read(text, "generated")
    with pytest.warns(SapwoodWarning, match="^without lemmatize: no word has a lemma, so no lemmatizer is learned$"):
        model = Pipeline(beam=1).fit(data, model_options=ONE_EPOCH)
    assert "no word has a lemma" in model.skipped_["lemmatize"]
    assert "lemmatize" not in model.parts
    with pytest.raises(DataError, match="no word has a lemma"):
        Pipeline(parts=["segment", "tag", "lemmatize"]).fit(data)


@pytest.mark.parametrize(
    ("given", "silver", "runs"),
    [({}, False, 3), ({"runs": 2}, False, 2), ({"shards": 2}, False, 1), ({}, True, 1)],
    ids=["alone", "runs", "shards", "silver"],
)
def test_models_of_a_small_treebank_are_averages_of_three_runs(tmp_path, given, silver, runs):
    (tmp_path / "silver.conllu").write_bytes(treebank(20, 2).replace({}))
    options = {name: ONE_EPOCH[name] | given for name in AVERAGED}
    parts = ("segment", "tag", "lemmatize", "parse")
    pipeline = Pipeline(beam=1, parts=parts, silver=[str(tmp_path / "silver.conllu")] if silver else [])
    pipeline.fit(treebank(120, 1), model_options=options)
    found = {name: pipeline.model_.parts[name].provenance.get("runs", 1) for name in AVERAGED}
    assert found == dict.fromkeys(AVERAGED, runs)


SINGLE = {"silver": [treebank(20, 5)]}


@pytest.mark.parametrize(
    ("sentences", "options", "of_parser", "votes"),
    [
        (100, {}, {}, True),
        (100, {"committee": "never"}, {}, False),
        (100, {"beam": 2}, {}, False),
        (100, {"beam": 2, "committee": "always"}, {}, True),
        (100, SINGLE, {}, False),
        (100, {}, {"committee": False}, False),
        (100, {"committee": "never"}, {"committee": True}, True),
        (100, {}, {"silver": [treebank(20, 5)]}, False),
        (100, {}, {"gap": 2.0}, False),
        (100, {}, {"cost": "constant"}, False),
        (100, {}, {"search": "easy-first"}, False),
        (100, {}, {"small": Goal(20_000, retrain=False)}, False),
        (100, {}, {"single_root": False}, True),
        (150, {}, {}, False),
    ],
)
def test_a_committee_parses_for_a_small_treebank_unless_one_parser_is_chosen(
    monkeypatch, sentences, options, of_parser, votes
):
    monkeypatch.setattr("sapwood.tasks.pipeline.options.SMALL", treebank(150, 1).words)
    data = treebank(sentences, 1)
    given = {**ONE_EPOCH, "parser": ONE_EPOCH["parser"] | of_parser}
    fitted = Pipeline(parts=["tag", "parse"], **options).fit(data, model_options=given)
    parser = fitted.model_.parts["parser"]
    assert list(parser.parts) == (["backward", "easy-first"] if votes else [])
    assert parser.options["drop_below"] == ONE_EPOCH["parser"].get("drop_below", 0.008 if votes else 0.012)
    assert fitted.models_["parser"].params.beam == options.get("beam", 8 if votes else 4)


def test_a_committee_and_silver_data_contradict_each_other():
    with pytest.raises(OptionError, match="does not learn from silver data"):
        Pipeline(committee="always", **SINGLE).fit(treebank(20, 1))


def test_options_of_the_parser_go_before_the_size_of_the_treebank():
    options = {**ONE_EPOCH, "parser": {**ONE_EPOCH["parser"], "beam": 4}}
    fitted = Pipeline(parts=["segment", "tag", "parse"]).fit(treebank(60, 1), model_options=options)
    assert (fitted.models_["parser"].params.search, fitted.models_["parser"].params.min_updates) == ("beam", 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tagger": {"small": 3}}, "small, an option of the tagger, is a sapwood.model.small.Goal, not the number 3"),
        ({"tagger": 3}, "the model_options of the tagger are a dict, not the number 3"),
        ({"tager": {}}, "model_options are of segmenter, splitter, tagger, .*, not of 'tager'"),
        ([("tagger", {})], "model_options are dicts of options by the names of models, not a list"),
    ],
)
def test_options_of_models_that_are_none_are_named(options, message):
    with pytest.raises(OptionError, match=message):
        Pipeline(parts=["tag"]).fit(treebank(20, 1), model_options=options)
