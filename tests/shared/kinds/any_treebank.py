"""Treebanks that are tidier, older or barer than most: each gets raw text, or a sentence says why not."""

from unicodedata import normalize

from kinds import kind
from kinds.treebank_data import heard
from sapwood import DataError, DependencyParser, Pipeline
from sapwood._core import Conllu
from sapwood.io.conllu import checked_text
from sapwood.tasks.rewriting.model import Lemmatizer, Splitter
from sapwood.tasks.segmenting.model import Segmenter

LEXICON = {
    "karu": "NOUN", "milo": "NOUN", "tesa": "NOUN", "vanto": "NOUN", "pelen": "VERB", "doru": "VERB", "sika": "VERB",
    "bri": "ADJ", "olu": "ADJ", ".": "PUNCT", "?": "PUNCT", "né": "PART", "山": "NOUN", "水": "NOUN", "見る": "VERB",
    "。": "PUNCT",
}  # fmt: skip
LATIN = ["karu pelen milo .", "bri tesa doru vanto .", "milo sika ?", "vanto doru olu karu .", "tesa pelen ?"] * 4
CHINESE = ["山 見る 水 。", "水 見る 山 。", "山 水 見る 。"] * 5

CHINESE_TEXT = "".join(CHINESE).replace(" ", "")


def sentence(words, text=None, *, misc=(), comments="", tokens=()):
    """A sentence in CoNLL-U. misc : by word; tokens : (first word, last word, form, MISC) of several words."""
    rows = []
    head = next((k for k, word in enumerate(words, 1) if LEXICON.get(word) == "VERB"), 1)
    for k, word in enumerate(words, 1):
        rows += ["\t".join([f"{a}-{b}", form, *"_" * 7, last]) for a, b, form, last in tokens if a == k]
        arc = ["0", "root"] if k == head else [str(head), "dep"]
        last = dict(misc).get(k, "_")
        rows.append("\t".join([str(k), word, word, LEXICON.get(word, "X"), "_", "_", *arc, "_", last]))
    said = "" if text is None else f"# text = {text}\n"
    return comments + said + "\n".join(rows) + "\n\n"


def treebank(*sentences, name="a.conllu"):
    return Conllu.read("".join(sentences).encode(), name)


def forms(model, text):
    """The forms of each sentence that a pipeline finds in a text."""
    return [[token.text for token in each] for each in model(text).sentences]


def closed(words):
    """A text in which no space stands before a mark."""
    return " ".join(words[:-1]) + words[-1]


def set_off(line):
    return sentence(line.split(), line)


def attached(line, **more):
    words = line.split()
    return sentence(words, closed(words), misc={len(words) - 1: "SpaceAfter=No"}, **more)


ATTACHED = (["milo", "doru", "karu", "."], ["tesa", "sika", "?"])
TEXT = "milo doru karu. tesa sika?"


def learned(data, text, *expected, warnings=("without entities",)):
    """Whether a pipeline of the treebank finds these sentences, and training said nothing more than these warnings."""
    model, said = heard(lambda: Pipeline(seed=1).fit(data))
    right = forms(model, text) == list(map(list, expected))
    return right and len(said) == len(warnings) and all(map(str.__contains__, sorted(said), sorted(warnings)))


@kind("a treebank whose # text alone tells spaces gets raw text")
def told_by_text():
    blanks = (["milo", "doru", "karu", "."], ["tesa", "sika", "?"])
    only_text = [sentence(line.split(), closed(line.split())) for line in LATIN]
    glued = [sentence(line.split(), line.replace(" ", "")) for line in CHINESE]
    inside = [sentence(["ka ru", "pelen", word], f"ka ru pelen {word}") for word in ("milo", "tesa")] * 8
    plain = [sentence(line.split()[:-1], " ".join(line.split()[:-1])) for line in LATIN]
    wide = [sentence(line.split(), line.replace(" ", "  ")) for line in LATIN]
    yield "marks set off", lambda f: learned(treebank(*map(set_off, LATIN)), " ".join(map(" ".join, blanks)), *blanks)
    yield "marks at their words", lambda f: learned(treebank(*only_text), TEXT, *ATTACHED)
    yield (
        "a third has no # text",
        lambda f: learned(treebank(*only_text, *(sentence(line.split()) for line in LATIN[:7])), TEXT, *ATTACHED),
    )
    yield "no space at all", lambda f: learned(treebank(*glued), "水見る山。", ["水", "見る", "山", "。"])
    yield "words with spaces", lambda f: learned(treebank(*inside), "ka ru pelen tesa", ["ka ru", "pelen", "tesa"])
    yield "two spaces", lambda f: learned(treebank(*wide), "milo sika  ?", ["milo", "sika", "?"])
    yield (
        "line ends CR LF",
        lambda f: learned(Conllu.read("".join(only_text).replace("\n", "\r\n").encode(), "a"), TEXT, *ATTACHED),
    )

    for form in ("NFC", "NFD"):
        other = {"NFC": "NFD", "NFD": "NFC"}[form]

        def two_forms(folder, form=form, other=other):
            words = [line.replace("u", "ü").split() for line in LATIN]
            rows = [normalize(form, sentence(each)) for each in words]
            texts = [normalize(other, f"# text = {closed(each)}\n") for each in words]
            text = normalize(other, TEXT.replace("u", "ü"))
            wanted = [[normalize(other, word.replace("u", "ü")) for word in each] for each in ATTACHED]
            return learned(treebank(*map(str.__add__, texts, rows)), text, *wanted)

        yield f"words in {form}, # text in {other}", two_forms

    def no_marks(folder):
        model, _ = heard(lambda: Pipeline().fit(treebank(*plain)))
        return [word for each in forms(model, "milo doru karu tesa") for word in each] == [
            "milo",
            "doru",
            "karu",
            "tesa",
        ]

    yield "no marks", no_marks
    yield (
        "the words are others",
        lambda f: (
            "not tell where"
            in str(refused(lambda: Segmenter().fit(treebank(*(sentence(line.split(), "x " + line) for line in LATIN)))))
        ),
    )


def refused(call):
    """The error that a call ends with, or nothing."""
    try:
        heard(call)
    except DataError as error:
        return error
    return None


@kind("where nothing tells spaces a sentence says it, and what else can be learned is")
def not_told():
    bare = [sentence(line.split()) for line in LATIN]
    parts = [sentence(["né", "karu", "doru"], tokens=[(1, 2, "nékaru", "_")]), sentence(["tesa", "doru"])] * 8
    inside = [sentence(["ka ru", "pelen", word]) for word in ("milo", "tesa")] * 8
    says = "it does not tell where there are no spaces, neither by SpaceAfter=No in MISC nor by '# text'"

    def skipped(folder):
        model, said = heard(lambda: Pipeline().fit(treebank(*bare)))
        return says in model.skipped_["segment"] and any("--input tokens" in one for one in said)

    def splits(folder):
        model, said = heard(lambda: Pipeline().fit(treebank(*parts)))
        model.save(folder / "m.sap")
        written = b"".join(model.writer.written(["nekaru nékaru doru\n".encode()], input="tokens")).decode()
        given = treebank(sentence(["nékaru", "doru"]), name="words")
        return (
            any(says in one for one in said)
            and "\n3-4\tnékaru" in written
            and "\n4\tkaru" in written
            and b"1\tn\xc3\xa9karu" in model.fill(given.to_bytes())
            and "splitter" in model.only("tag").models_
        )

    yield "without segment", skipped
    yield "a segmenter", lambda f: says in str(refused(lambda: Segmenter().fit(treebank(*bare))))
    yield "asked for segment", lambda f: says in str(refused(lambda: Pipeline(parts=["segment"]).fit(treebank(*bare))))
    yield "the splitter is learned alone", splits
    yield (
        "words with spaces inside",
        lambda f: learned(
            treebank(*inside), "ka ru pelen tesa", ["ka ru", "pelen", "tesa"], warnings=("without entities", says)
        ),
    )


@kind("a treebank in which every mark means one thing has a segmenter")
def without_a_choice():
    stops = [attached(line) for line in LATIN]
    paragraphs = [attached(line, comments="# newpar\n") for line in LATIN]
    documents = [attached(line, comments=f"# newdoc id = {k}\n") for k, line in enumerate(LATIN)]
    yield "marks end sentences", lambda f: learned(treebank(*stops), TEXT, *ATTACHED)
    yield "a paragraph a sentence", lambda f: learned(treebank(*paragraphs), TEXT, *ATTACHED)
    yield "a document a sentence", lambda f: learned(treebank(*documents), TEXT, *ATTACHED)
    yield "one sentence", lambda f: learned(treebank(stops[0]), "karu pelen milo.", ["karu", "pelen", "milo", "."])
    words = [sentence([word], word) for word in ("karu", "milo", "tesa", "vanto")] * 3
    yield "one word a sentence", lambda f: learned(treebank(*words), "milo tesa", ["milo"], ["tesa"])
    bare = [sentence([word]) for word in ("karu", "milo", "tesa", "vanto")] * 3
    yield "and no # text", lambda f: learned(treebank(*bare), "milo tesa", ["milo"], ["tesa"])
    lines = [attached(line).replace("SpaceAfter=No\n", "SpaceAfter=No\n", 1) for line in LATIN]
    lines = [each.rstrip("\n").rpartition("\t")[0] + "\tSpacesAfter=\\n\n\n" for each in lines]
    yield "a sentence a line", lambda f: learned(treebank(*lines), TEXT.replace(". ", ".\n"), *ATTACHED)

    def held_out(folder):
        data = treebank(*stops)
        model, _ = heard(lambda: Segmenter().fit(data, dev=treebank(stops[0])))
        return len(model.predict(TEXT)) == 2

    yield "held-out data without one", held_out


@kind("sentences whose words are withheld are counted, and not learned from")
def withheld():
    whole = [attached(line) for line in LATIN]
    blank = [sentence(["_"] * 3, "___", misc={1: "Len=4"}), sentence(["_"], "_")] * 4
    learners = {"pipeline": Pipeline, "parser": DependencyParser, "lemmatizer": Lemmatizer, "segmenter": Segmenter}
    for name, learner in {**learners, "splitter": Splitter}.items():

        def refuses(folder, learner=learner):
            message = str(refused(lambda: learner().fit(treebank(*blank))))
            return "a.conllu: 8 of 8 sentences have _ in place of words" in message and "README" in message

        yield f"all of them: {name}", refuses
    for name, learner in learners.items():

        def leaves_out(folder, name=name, learner=learner):
            model, said = heard(lambda: learner(seed=1).fit(treebank(*blank, *whole)))
            alone, _ = heard(lambda: learner(seed=1).fit(treebank(*whole)))
            sizes = [each.model_.provenance["sentences"] for each in (model, alone)] if name == "pipeline" else [1, 1]
            return sum("8 of 28 sentences" in one for one in said) == 1 and sizes[0] == sizes[1]

        yield f"a part of them: {name}", leaves_out

    def own_word(folder):
        data = treebank(*whole, sentence(["_"], "_"), sentence(["karu", "_", "milo"], "karu _ milo"))
        return not heard(lambda: checked_text(data))[1]

    yield "a word that is _", own_word

    def scored(folder):
        model, _ = heard(lambda: Pipeline().fit(treebank(*whole)))
        _, said = heard(lambda: model.evaluate(treebank(*blank, *whole)))
        return any("8 of 28 sentences" in one for one in said)

    yield "in evaluation", scored


@kind("SpaceAfter=No at the end of nearly every sentence is a tool's, and counted")
def glued():
    def traced(line):
        return attached(line).rstrip("\n").rpartition("\t")[0] + "\tSpaceAfter=No\n\n"

    every = [traced(line) for line in LATIN]
    tool = "sentences end with SpaceAfter=No"
    said = ("without entities", tool)
    yield "all", lambda f: learned(treebank(*every), TEXT, *ATTACHED, warnings=said)
    yield "all but the last", lambda f: learned(treebank(*every, attached(LATIN[0])), TEXT, *ATTACHED, warnings=said)
    yield (
        "one paragraph begins",
        lambda f: learned(treebank(*every[:9], "# newpar\n" + every[9], *every[10:]), TEXT, *ATTACHED, warnings=said),
    )

    def text_of(*sentences):
        text, warned = heard(lambda: checked_text(treebank(*sentences)))
        return text.text.decode(), any(tool in one for one in warned)

    few, _ = text_of(*map(attached, LATIN), every[0], attached(LATIN[0]))
    yield "few of them are glued, and stay so", lambda f: few.endswith("milo.karu pelen milo.\n")
    chinese = [sentence(line.split(), misc=dict.fromkeys(range(1, 5), "SpaceAfter=No")) for line in CHINESE]
    yield "a script without spaces", lambda f: text_of(*chinese) == (CHINESE_TEXT + "\n", False)
    yield "text as it was", lambda f: treebank(*every).text().text.startswith(b"karu pelen milo.bri tesa")

    def evaluated(folder):
        model, _ = heard(lambda: Pipeline().fit(treebank(*every)))
        return heard(lambda: model.evaluate(treebank(*every)))[0]["Sentences"].f1 == 100

    yield "in evaluation", evaluated


@kind("spaces in MISC are written so that every reader keeps them, and are read again")
def escapes():
    model = None
    spaces = ["\u00a0", "\u202f", "\u3000", "\u2009", "\u2028", "\u2029", "\u0085", "\u1680", "\u000b", "\u000c", "\t"]
    for space in [*spaces, "\u00a0\u00a0", " \u202f ", "\u200b", "\ufeff", "\u200b ", "\n\u00a0\n"]:

        def check(folder, space=space):
            nonlocal model
            model = model or heard(lambda: Pipeline(parts=["segment"]).fit(treebank(*map(attached, LATIN))))[0]
            text = f"{space}milo{space}doru karu.{space}tesa sika?{space}"
            written = b"".join(model.writer.written([text.encode()], input="text"))
            cells = [line.split("\t")[9] for line in written.decode().split("\n") if "\t" in line]
            comments = [line for line in written.decode().split("\n") if line.startswith("# text = ")]
            return (
                Conllu.read(written, "a").text().text.decode() == text
                and all(cell.isascii() and cell.isprintable() and " " not in cell for cell in cells)
                and not heard(lambda: checked_text(Conllu.read(written, "a")))[1]
                and not any("\u200b" in comment or "\ufeff" in comment for comment in comments)
            )

        yield ascii(space), check


@kind("sentences with several roots train a pipeline, and are counted")
def roots():
    def several(line):
        return attached(line).replace("\tdep\t", "\troot\t").replace("\t2\troot", "\t0\troot", 1)

    lines = [attached(line) for line in LATIN[:12]]
    for name, data in {
        "one": [*lines, several(LATIN[0])],
        "first": [several(LATIN[0]), *lines],
        "half": [*lines, *map(several, LATIN[:1] * 8)],
        "all": [several(LATIN[0])] * 12,
        "with paragraphs": [*lines, "# newpar\n" + several(LATIN[0]), *lines],
    }.items():

        def check(folder, data=data):
            model, said = heard(lambda: Pipeline().fit(treebank(*data)))
            return "parser" in model.models_ and any(f"of {len(data)} sentences have several roots" in s for s in said)

        yield name, check

    def asked(folder):
        options = {"parser": {"single_root": True}}
        data = treebank(*lines, several(LATIN[0]))
        return "second root" in str(refused(lambda: Pipeline().fit(data, model_options=options)))

    yield "one root is asked for", asked
