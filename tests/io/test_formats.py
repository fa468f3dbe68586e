"""A file in another format than the one that is read is named in a warning or error; of any other there is a word."""

import json
import warnings

import pytest
from treebanks import ONE_EPOCH, treebank

import sapwood
from sapwood import Classifier, DataError, DependencyParser, SequenceTagger
from sapwood.errors import SapwoodWarning
from sapwood.io.column_looks import header_in
from sapwood.io.entities import read_entities
from sapwood.io.labels import read_labels
from sapwood.io.lists import read_lists
from sapwood.io.spans import read_spans
from sapwood.tasks.clustering.model import WordClusterer
from sapwood.tasks.parsing.grammar import PhraseParser
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.tasks.segmenting.model import Segmenter

PROSE = "The old dog barks at every cat, and runs after some of them.\nIt never got one, so far as we know.\n" * 3
CONLLU = "# text = A helt\n1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n2\thelt\thelt\tNOUN\tNN\t_\t0\troot\t_\t_\n\n" * 3
BARE = CONLLU.replace("# text = A helt\n", "")  # which a reader of columns takes
COLUMNS = "A DT B-NP\nhelt NN I-NP\nbungs VBZ B-VP\n. . O\n\n" * 3
VERTICAL = "A\nhelt\nbungs\n.\n\n" * 5
CSV = "name,age,town\nAda,36,London\nGrace,85,Arlington\nAlan,41,Wilmslow\n" * 3
SENTENCES = 'id,label,text\n1,pos,"It was good, really."\n2,neg,"It was dull, and long."\n'
JSONL = '{"label": "good", "text": "A helt bungs."}\n{"label": "bad", "text": "No."}\n' * 3
JSON = '[\n {\n  "id": 1,\n  "text": "A helt bungs."\n },\n {\n  "id": 2,\n  "text": "No."\n }\n]\n'
HTML = "<html><body><p>A helt bungs.</p>\n<p class='x'>The helt sings.</p>\n</body></html>\n"
XML = "<TEI><s n='1'>A helt bungs.</s>\n<s n='2'>The helt sings, too.</s></TEI>\n"
RTF = "{\\rtf1\\ansi\\pard A helt bungs.\\par\n\\pard The helt sings, too.\\par}\n"
TREES = "(S (NP (DT A) (NN helt)) (VP (VBZ bungs)))\n" * 3
TABS = "id\ttext\n1\tA helt bungs.\n2\tThe helt sings.\n"
SVM = "1 3:0.5 17:1\n-1 2:1 9:0.25\n1 3:1\n"

TEXTS = {  # what is given -> what it is called
    "CoNLL-U": (CONLLU, "CoNLL-U"),
    "CoNLL-U without comments": (BARE, "CoNLL-U"),
    "columns": (COLUMNS, "columns of words and labels"),
    "vertical": (VERTICAL, "a token a line"),
    "tabs": (TABS, "columns between tabs"),
    "CSV": (CSV, "CSV"),
    "CSV of sentences": (SENTENCES, "CSV"),
    "JSON lines": (JSONL, "JSON"),
    "JSON": (JSON, "JSON"),
    "HTML": (HTML, "HTML or XML"),
    "XML": (XML, "HTML or XML"),
    "RTF": (RTF, "RTF or PostScript"),
    "trees": (TREES, "bracketed trees"),
    "SVM-light": (SVM, "SVM-light"),
    "prose": (PROSE, "plain text"),
}
OF_TOKENS = {"annotate --input tokens", "nbest of a grammar"}
ROWS = {"columns", "vertical", "tabs"}
READERS = {
    "CoNLL-U": "'sapwood annotate --input conllu' and parsers read it",
    "a token a line": "'sapwood tag' labels it",
    "columns of words and labels": "'sapwood tag' labels it",
    "plain text": "'sapwood annotate --input text' reads it",
}


class Models:
    """A small model of each kind."""

    def __init__(self):
        data = treebank(60, 1)
        self.pipeline = Pipeline(beam=1).fit(data, model_options=ONE_EPOCH)
        self.segmenter = Segmenter().fit(data)
        words = [[("the", "DT"), ("dog", "NN")], [("a", "DT"), ("cat", "NN")]] * 3
        self.pos = SequenceTagger(template="pos", epochs=2, min_updates=1).fit(words)
        chunks = [[(word, tag, "B-NP" if tag == "DT" else "I-NP") for word, tag in sentence] for sentence in words]
        self.chunker = SequenceTagger(epochs=2, min_updates=1).fit(chunks)
        self.parser = DependencyParser(epochs=1).fit(data)
        self.grammar = PhraseParser().fit(["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"])
        self.classifier = Classifier(min_updates=1).fit(["good fun", "dull"] * 3, ["+", "-"] * 3)


@pytest.fixture(scope="module")
def models():
    return Models()


def all_of(blocks):
    return list(blocks)


USES = {  # who reads a file -> how, and the texts that are as they should be
    "annotate": (lambda m, f: all_of(m.pipeline.annotate([f.read_bytes()])), {"prose"}),
    "annotate --input tokens": (
        lambda m, f: all_of(m.pipeline.writer.documents([f.read_bytes()], input="tokens")),
        set(),
    ),
    "annotate --input conllu": (
        lambda m, f: all_of(m.pipeline.writer.documents([f.read_bytes()], input="conllu")),
        {"CoNLL-U", "CoNLL-U without comments"},
    ),
    "pipeline(text)": (lambda m, f: m.pipeline(f.read_text()), {"prose"}),
    "explain of a pipeline": (lambda m, f: m.pipeline.reasons.of(f.read_text(), sapwood._core.Question()), {"prose"}),
    "segmenter": (lambda m, f: m.segmenter.predict(f.read_text()), {"prose"}),
    "tag, words": (lambda m, f: all_of(m.pos.annotate([f.read_bytes()])), ROWS),
    "tag, words with tags": (lambda m, f: all_of(m.chunker.annotate([f.read_bytes()])), ROWS),
    "train tag": (lambda m, f: SequenceTagger(template="U00:%x[0,0]\n").fit(f), ROWS),
    "train tag --stream": (lambda m, f: SequenceTagger(template="U00:%x[0,0]\n").fit(f, stream=True), ROWS),
    "parse": (
        lambda m, f: all_of(m.parser.annotate([f.read_bytes()])),
        {"CoNLL-U", "CoNLL-U without comments"},
    ),
    "train parse": (lambda m, f: DependencyParser(epochs=1).fit(f), {"CoNLL-U", "CoNLL-U without comments"}),
    "train grammar": (lambda m, f: PhraseParser().fit(f), {"trees"}),
    "eval of a grammar": (lambda m, f: m.grammar.evaluate(f), {"trees"}),
    "nbest of a grammar": (lambda m, f: m.grammar.lists.read(f.read_bytes(), f.name, False, 1, None), {"trees"}),
    "rank": (lambda m, f: read_lists(f), {"JSON", "JSON lines", "trees"}),
    "classify": (
        lambda m, f: all_of(m.classifier.annotate([f.read_bytes()])),
        {"prose", "columns", "vertical", "HTML", "XML"},
    ),
    "classify --format csv": (
        lambda m, f: all_of(m.classifier.annotate([f.read_bytes()], format="csv")),
        {"CSV", "CSV of sentences", "tabs"},
    ),
    "classify --format jsonl": (
        lambda m, f: all_of(m.classifier.annotate([f.read_bytes()], format="jsonl")),
        {"JSON", "JSON lines"},
    ),
    "classify --format svmlight": (
        lambda m, f: all_of(m.classifier.annotate([f.read_bytes()], format="svmlight")),
        {"SVM-light"},
    ),
    "names": (lambda m, f: read_entities(treebank(3, 1), [f]), {"CoNLL-U", "CoNLL-U without comments", *ROWS}),
    "train clusters": (lambda m, f: WordClusterer(min_count=1).fit(f), {"prose"}),
    "compare": (
        lambda m, f: read_labels(f, f),
        {*ROWS, "CoNLL-U", "CoNLL-U without comments", "HTML", "XML", "SVM-light", "prose"},
    ),
}


def said(use, models, file):
    """Return what is warned of or raised."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            use(models, file)
        except DataError as error:
            return [*(str(each.message) for each in found), str(error)]
    return [str(each.message) for each in found if issubclass(each.category, SapwoodWarning)]


@pytest.mark.few(8)
@pytest.mark.parametrize("reader", USES)
def test_each_reader_names_each_format(models, tmp_path, reader):
    use, fitting = USES[reader]
    for text, (content, name) in TEXTS.items():
        (file := tmp_path / "file").write_text(content)
        lines = said(use, models, file)
        looks = [line for line in lines if "looks like" in line]
        if text in fitting:
            assert looks == [], text
        elif text == "prose" and reader not in OF_TOKENS:  # its lines are no rows, no tree and no list
            assert lines != []
        else:
            assert len(looks) == 1, (text, looks)
            assert looks[0].count("looks like") == 1, text
            assert f"this looks like {name}" in looks[0], text
            assert READERS.get(name, "") in looks[0], text


@pytest.mark.parametrize(
    ("reader", "text", "name"),
    [
        ("tag, words with tags", "The old dog barks, and a cat sits in town.", "plain text"),
        ("tag, words", "a,b\nthe,DT\ndog,NN\ncat,NN\n", "CSV"),
        ("annotate --input tokens", "Well, he came in, sat down, and waited.\nSo, what now?\n", "plain text"),
        ("annotate", '17,pos,"If it is good, we buy it, and if it is not, we do not', "CSV"),
        ("annotate", "Ada;1843;London\nGrace;1952;Arlington\nAlan;1936;Wilmslow\n", "CSV"),
        ("annotate", "# sent_id = 1\n# text = A helt bungs, and so on, and so on", "CoNLL-U"),
        ("annotate --input tokens", "What's the best time to start?\n\nThat is Flat Top Grill\n", "plain text"),
        (
            "annotate --input tokens",
            "his clinic is very dirty. he is not\norganized for any step he takes\n",
            "plain text",
        ),
        ("annotate --input tokens", 'Kodak (10.2 Megapixels) lens\nEmail "Ruth" and ask for it\n', "plain text"),
    ],
)
def test_what_is_named_by_a_few_signs(models, tmp_path, reader, text, name):
    use, _ = USES[reader]
    (file := tmp_path / "file").write_text(text)
    assert sum(f"this looks like {name}" in line for line in said(use, models, file)) == 1


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        ("annotate --input tokens", "A helt , the helt and a helt bungs .\nThe helt sings , too .\nNo ?\n"),
        ("annotate --input tokens", "Dr. Who met Mr. Smith at 5 p.m.\nHe was in the U.S. then\n"),
        ("annotate --input tokens", "I don't know , and you do n't .\nThat 's all he 's got\n"),
        ("annotate --input tokens", "The U.S. President met Mr. Smith of Acme Inc. today .\nHe sang . So did she .\n"),
        ("tag, words", "The\n"),
        ("tag, words", "the DT\n" * 3 + "( -LRB-\n" * 3),
        ("tag, words with tags", "<b> TAG O\ndog NN O\n</b> TAG O\n" * 5),
        ("tag, words with tags", 'dog a=1,b="2" O\ncat a=2,b="3" O\n' * 5),
        ("names", "# sent_id = 1\n# text = Ada sang, and so on, and so on.\n1\tAda\tB-PER\n2\tsang\tO\n"),
        ("classify", "Maria\nJohn\nGrace\nAda\nAlan\nKurt\nEmmy\nMax\n" * 3),
        ("classify", "It was good.<br /><br />Really good, I <i>loved</i> it.\n"),
        (
            "annotate",
            "It was seen after months of limited exposure [17], [18] and\nby all [21], [22] after years.\n" * 3,
        ),
        (
            "annotate",
            "I will attend in person _______\n\nBy video _______\n\nBy telephone _______\n\nI will not (sorry)",
        ),
        ("annotate", "@anna-8 how nice it is here!\n@karl-5 it is (so nice)\n@anna-8 thanks\n@eva-3 really?\n" * 2),
        (
            "annotate",
            'He said, "thank you." (Applause.) You have some duties yourself, "listen to them," he said. ' * 9 + "\n",
        ),
        ("annotate", "race;\n\nage;\n\nreligion;\n\nheight or weight;\n\nphysical disability;\n\nand other.\n"),
        ("annotate", "#BreakingNews: it rains (a lot).\n#Weather: it rains.\n#Now: it rains: #here\n" * 3),
        ("annotate", "We came, we saw,\nwe sang, we danced,\nwe laughed (a lot),\nand went home,\nlate at night,\n"),
        ("annotate", "我们,他们,你们 都来了,真好.\n"),
        ("annotate", "itisnot,or,itmaybe,unspaced.itis,though,andso,itgoes.\n"),
        ("annotate", "It costs\n1,000,000 dollars, he said,\nor 2,000,000, or more.\n"),
    ],
)
def test_what_may_be_what_is_wanted_is_not_named(models, tmp_path, reader, text):
    use, _ = USES[reader]
    (file := tmp_path / "file").write_text(text)
    assert not [line for line in said(use, models, file) if "looks like" in line]


def test_rows_of_conllu_are_read_by_who_names_their_columns(tmp_path):
    (file := tmp_path / "file").write_text(BARE)
    columns = "id,word,_,label,_,_,_,_,_,_"
    tagger = SequenceTagger(template="U00:%x[0,1]\n", columns=columns, epochs=2, min_updates=1)
    assert tagger.fit(file).predict(file)[-1] == ["DET", "NOUN"]


def test_comments_alone_have_no_header():
    assert header_in("# id of a token\n# and words\n") == ""


@pytest.mark.parametrize("text", ["null", "7", '["a"]', "true"])
def test_a_text_with_spans_is_a_string(tmp_path, text):
    (tmp_path / "s.jsonl").write_text(f'{{"text": {text}, "spans": []}}\n')
    with pytest.raises(DataError, match=r"s\.jsonl:1: spans need a 'text', which is a string$"):
        read_spans(tmp_path / "s.jsonl")


def spans_of(folder, record):
    (folder / "s.json").write_text(json.dumps(record))
    return [[(span.start, span.end, span.label) for span in text.spans] for text in read_spans(folder / "s.json")]


@pytest.mark.parametrize("relations", [5, True, "r", {"a": 1}, None, []])
def test_relations_that_are_no_list_are_none(tmp_path, relations):
    record = {"text": "Ada wrote.", "spans": [[0, 3, "PER"]], "relations": relations}
    assert spans_of(tmp_path, record) == [[(0, 3, "PER")]]


@pytest.mark.parametrize("labels", ["PER", ["PER"]])
def test_labels_of_a_region_are_one_or_a_list(tmp_path, labels):
    region = {"type": "labels", "value": {"start": 0, "end": 3, "text": "Ada", "labels": labels}}
    task = {"data": {"text": "Ada wrote."}, "annotations": [{"result": [region]}]}
    assert spans_of(tmp_path, [task]) == [[(0, 3, "PER")]]


@pytest.mark.parametrize("other", [5, "r", None, ["start"]])
def test_a_region_that_is_no_object_is_no_span(tmp_path, other):
    regions = [{"start": 0, "end": 3, "text": "Ada", "labels": ["PER"]}, other]
    assert spans_of(tmp_path, [{"text": "Ada wrote.", "annotation_id": 1, "marked": regions}]) == [[(0, 3, "PER")]]
