"""Lines of other people: how they end, marks and comments in front of them, blanks in them, what stands on them."""

import json

from commands import run_command
from heard import heard

from kinds import kind
from sapwood import Classifier, SequenceTagger, _core, load
from sapwood.io.conllu import read_conllu
from sapwood.io.example_files import read_examples
from sapwood.metrics import extract_chunks
from sapwood.templates import read_word_lists

WORDS = [("red", "JJ", "O"), ("kites", "NNS", "B-TOY"), ("rise", "VBP", "O")]
SENTENCES = [WORDS, [("see", "VB", "O"), ("Oslo", "NNP", "B-LOC")]] * 3


def columns(comment="", separator=" ", sentences=SENTENCES):
    """Return a column file, with a comment in front of each sentence."""
    return "".join(comment + "".join(separator.join(row) + "\n" for row in rows) + "\n" for rows in sentences)


def conllu(comment="# sent_id = s\n", relation="nsubj", columns=lambda *cells: cells):
    rows = [
        columns("1", "Birds", "bird", "NOUN", "NNS", "_", "2", relation, "_", "_"),
        columns("2", "sing", "sing", "VERB", "VBP", "_", "0", "root", "_", "_"),
    ]
    return comment + "".join("\t".join(row) + "\n" for row in rows) + "\n"


def trained(folder, text, *options):
    """Train a tagger on a text by the command line."""
    (folder / "t.tpl").write_text("U1:%x[0,0]\nB1\n")
    (folder / "train.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
    files = ["--template", folder / "t.tpl", "-o", folder / "m.sap"]
    return run_command(["train", "tag", folder / "train.txt", *files, "--epochs", "2", *options])


def labels(folder):
    return set(load(folder / "m.sap").labels_)


EXPECTED = {"O", "B-TOY", "B-LOC"}


# -- line ends and marks

MARK = "\ufeff"


def changes(text):
    """Yield the same lines, written otherwise, by names."""
    yield "CR alone", text.replace("\n", "\r")
    yield "CR alone in the second half", text[: len(text) // 2] + text[len(text) // 2 :].replace("\n", "\r")
    yield "a mark at each line", "".join(MARK + line for line in text.splitlines(keepends=True))
    yield "joined files with marks", MARK + text.replace("\n\n", f"\n\n{MARK}")
    yield "a mark behind CR alone", MARK + text.replace("\n\n", f"\n\n{MARK}").replace("\n", "\r")
    yield "two marks in front", 2 * MARK + text


@kind("lines of columns that end in CR alone, and byte order marks at their heads")
def lines_of_columns():
    for name, text in changes(columns()):

        def train(folder, text=text):
            run = trained(folder, text)
            return (
                run.status == 0
                and "6 sentences, 15 tokens, 3 labels" in run.err + run.out
                and labels(folder) == EXPECTED
            )

        def tag(folder, text=text):
            trained(folder, columns())
            (folder / "in.txt").write_text(text, newline="")
            by_file = run_command(["tag", folder / "m.sap", folder / "in.txt"])
            by_pipe = run_command(["tag", folder / "m.sap"], stdin=text.encode())
            rows = [line.split() for line in by_file.out.lstrip(MARK).split("\n") if line.strip()]
            return by_file == by_pipe and [row[:3] for row in rows] == [list(row) for rows in SENTENCES for row in rows]

        def api(folder, text=text):
            trained(folder, columns())
            [out] = load(folder / "m.sap").annotate([text.encode()])
            return out.decode().lstrip(MARK).split() == [
                *b"".join(load(folder / "m.sap").annotate([columns().encode()])).decode().split()
            ]

        yield f"{name}, trained on", train
        yield f"{name}, tagged", tag
        yield f"{name}, from Python", api

    def streamed(folder):
        run = trained(folder, columns().replace("\n", "\r"), "--stream")
        return run.status == 0 and labels(folder) == EXPECTED

    yield "CR alone, in a stream", streamed


@kind("lines of CoNLL-U that end in CR alone, and byte order marks at their heads")
def lines_of_conllu():
    text = conllu() + conllu("# sent_id = t\n")
    for name, odd in changes(text):

        def read(folder, odd=odd):
            data = read_conllu(odd.encode(), "x")
            return data.sentence_ids == ["s", "t"] and data.column("form") == [["Birds", "sing"]] * 2

        def annotate(folder, odd=odd):
            (folder / "x.conllu").write_text(odd, newline="")
            run = run_command(["annotate", "en", "--input", "conllu", folder / "x.conllu"])
            return run.status == 0 and run.out.count("\tBirds\t") == 2

        yield name, read
        yield f"{name}, annotated", annotate

    def own(folder):
        first = run_command(["annotate", "en"], stdin=f"{MARK}Birds sing.\n".encode()).out
        again = run_command(["annotate", "en", "--input", "conllu"], stdin=(MARK + first + MARK + first).encode())
        return again.status == 0 and again.out.count("\tBirds\t") == 2

    yield "our own, joined", own


@kind("examples, lists and templates whose lines end in CR alone, or have marks in front")
def lines_of_examples():
    texts = {
        "x.txt": "__label__a great film\n__label__b dull film\n",
        "x.svm": "1 1:1 3:0.5\n-1 2:1\n",
        "x.csv": "label,text\na,great film\nb,dull film\n",
        "x.jsonl": '{"label": "a", "text": "great film"}\n{"label": "b", "text": "dull film"}\n',
    }
    for file, text in texts.items():
        for name, odd in changes(text):

            def read(folder, odd=odd, file=file, text=text):
                (folder / file).write_text(odd, newline="")
                (folder / f"plain-{file}").write_text(text)
                found, wanted = read_examples(folder / file), read_examples(folder / f"plain-{file}")
                return found.answers.labels == wanted.answers.labels and len(found.answers.gold) == 2

            yield f"{file}, {name}", read

    for name, odd in changes("Oslo\nNew York\nRome\n"):

        def word_list(folder, odd=odd):
            (folder / "list").write_text(odd, newline="")
            (folder / "plain").write_text("Oslo\nNew York\nRome\n")
            (_, found), (_, wanted) = read_word_lists(["list", "plain"], folder)
            return found.pack() == wanted.pack()

        yield f"a word list, {name}", word_list

    for name, odd in changes("U1:%x[0,0]\nU2:%x[0,1]\nB1\n"):

        def template(folder, odd=odd):
            (folder / "t.tpl").write_text(odd, newline="")
            (folder / "x.txt").write_text(columns())
            tagger = SequenceTagger(template=folder / "t.tpl", epochs=1).fit(folder / "x.txt")
            inline = SequenceTagger(template=odd, epochs=1).fit(folder / "x.txt")
            return tagger.model_.template == inline.model_.template or tagger.labels_ == inline.labels_

        yield f"a template, {name}", template


@kind("raw text whose lines end in CR alone keeps its characters, and its paragraphs are found")
def raw_text():
    text = "Birds sing.\n\nThe red kite rose\nover Oslo.\n\nBye."
    plain = [str(sentence.text).split() for sentence in load("en")(text).sentences]
    for name, odd in changes(text):

        def python(folder, odd=odd):
            doc = load("en")(odd)
            spans = [(token.start, token.end, token.text) for token in doc]
            found = [str(sentence.text).replace(MARK, " ").split() for sentence in doc.sentences]
            return found == plain and doc.text == odd and all(odd[a:b] == form for a, b, form in spans)

        def command(folder, odd=odd):
            (folder / "x.txt").write_bytes(odd.encode())
            by_file = run_command(["annotate", "en", folder / "x.txt", "--format", "json"])
            by_pipe = run_command(["annotate", "en", "--format", "json"], stdin=odd.encode())
            starts = [json.loads(line) for line in by_file.out.splitlines()]
            whole = all(odd[each["start"] :].startswith(each["text"]) for each in starts)
            return by_file.out == by_pipe.out and whole and len(starts) == len(plain)

        yield name, python
        yield f"{name}, by the command line", command


# -- comments

COMMENTS = {
    "# id 00-9bd1 domain": " ",  # three fields, as the rows have
    "# id 00-9bd1 domain=en": " ",
    "# 0": " ",
    "#\thttp://example.org/0": "\t",
    "#\thttp://example.org/0\t[2010-01-01]": "\t",
    "# sent_id = s\n# text = what is said": "\t",
    "#begin document (x); part 000": " ",
}


@kind("comments in front of the sentences of a column file")
def comments():
    for comment, separator in COMMENTS.items():
        text = columns(f"{comment}\n", separator)
        lines = text.count("#")

        def train(folder, text=text, lines=lines):
            run = trained(folder, text)
            said = run.err.count("are comments") == 1 and f"train.txt:1: {lines} lines" in run.err
            return said and labels(folder) == EXPECTED and "15 tokens" in run.out + run.err

        def tag(folder, text=text, comment=comment):
            trained(folder, columns())
            run = run_command(["tag", folder / "m.sap"], stdin=text.encode())
            kept = [line for line in run.out.split("\n") if line.startswith("#")]
            rows = [line for line in run.out.split("\n") if line and not line.startswith("#")]
            return kept == 6 * comment.split("\n") and len(rows) == 15

        yield comment, train
        yield f"{comment}, tagged", tag

    text = columns("# id 7 domain=en\n", sentences=[[(*row[:2], "_", row[2]) for row in rows] for rows in SENTENCES])

    def evaluated(folder):
        trained(folder, text)
        run = run_command(["eval", folder / "m.sap", folder / "train.txt"])
        return "15 of 15" in run.out or "processed 15 tokens" in run.out

    def held_out(folder):
        (folder / "dev.txt").write_text(text)
        return trained(folder, text, "--dev", folder / "dev.txt").err.count("are comments") == 2

    def streamed(folder):
        run = trained(folder, text, "--stream")
        return run.err.count("are comments") == 1 and labels(folder) == EXPECTED

    def python(folder):
        (folder / "x.txt").write_text(text)
        tagger = SequenceTagger(template="U1:%x[0,0]\nB1\n", epochs=2)
        _, [said] = heard(lambda: tagger.fit(folder / "x.txt"))
        return said.partition(": ")[2].startswith("6 lines are comments") and set(tagger.labels_) == EXPECTED

    def confident(folder):
        trained(folder, text)
        (folder / "c.txt").write_text(text * 20)
        assert run_command(["calibrate", folder / "m.sap", folder / "c.txt", "-o", folder / "c.sap"]).status == 0
        run = run_command(["tag", folder / "c.sap", "--confidence"], stdin=text.encode())
        rows = [line.split() for line in run.out.split("\n") if line.strip()]
        return {len(row) for row in rows if row[0] == "#"} == {4} and {len(row) for row in rows if row[0] != "#"} == {6}

    yield "four fields, evaluated", evaluated
    yield "four fields, held out", held_out
    yield "four fields, in a stream", streamed
    yield "four fields, from Python", python
    yield "four fields, with confidences", confident


@kind("a token that is or begins with # stays a token")
def hashes():
    first = [("#", "SYM", "O"), ("1", "CD", "O")]
    corpora = {
        "in a minority of sentences": [first, *SENTENCES],
        "inside of sentences": [[*rows, *first] for rows in SENTENCES],
        "alone in its sentence": [[("#", "SYM", "O")], *SENTENCES],
        "one sentence": [first],
        "of tweets": [[("#summer", "NN", "O"), *rows] for rows in SENTENCES],
        "of tweets, with a name": [[("#Oslo", "NNP", "B-LOC"), *rows] for rows in SENTENCES],
    }
    for name, sentences in corpora.items():

        def check(folder, sentences=sentences):
            run = trained(folder, columns(sentences=sentences))
            return "comments" not in run.err and f"{sum(map(len, sentences))} tokens" in run.out + run.err

        yield name, check

    def words_alone(folder):
        trained(folder, columns(sentences=[[(row[0], row[2]) for row in rows] for rows in SENTENCES]))
        run = run_command(["tag", folder / "m.sap"], stdin=b"#summer\nis\n\n#winter\nis\n\n#\nis\n")
        return len(run.out.split()) == 12

    yield "words alone", words_alone


# -- blanks

INSIDE = "\u00a0\u2007\u2009\u202f\u3000\u200b\ufeff\u2060\u0085\u2028"
PARTING = "\u00a0\u1680\u2002\u2003\u2009\u200a\u202f\u205f\u3000\u200b\ufeff\u0085\u2028\u2029\u2060\u200e"


@kind("given tokens are parted at blanks and tabs alone")
def given_tokens():
    for c in INSIDE:

        def command(folder, c=c):
            text = f"We sold 10{c}000 books .\nIt\tis {c}x here\n"
            run = run_command(["annotate", "en", "--input", "tokens", "--format", "json"], stdin=text.encode())
            found = [[token["text"] for token in json.loads(line)["tokens"]] for line in run.out.split("\n")[:-1]]
            return found == [["We", "sold", f"10{c}000", "books", "."], ["It", "is", f"{c}x", "here"]]

        yield f"U+{ord(c):04X}", command

    def offsets(folder):
        text = f"{MARK}It is\r{MARK}so 10\u00a0000\n"
        run = run_command(["annotate", "en", "--input", "tokens", "--format", "json"], stdin=text.encode())
        tokens = [token for line in run.out.split("\n")[:-1] for token in json.loads(line)["tokens"]]
        return [text[token["start"] : token["end"]] for token in tokens] == ["It", "is", "so", "10\u00a0000"]

    yield "offsets behind marks", offsets


@kind("words of texts to classify are parted at all kinds of blanks")
def words_of_texts():
    texts = ["great film", "dull film", "great fun", "dull day"] * 3
    answers = ["good", "bad", "good", "bad"] * 3
    for c in PARTING:

        def check(folder, c=c):
            classifier = Classifier(epochs=3).fit([text.replace(" ", c) for text in texts], answers)
            plain = Classifier(epochs=3).fit(texts, answers)
            odd = [f"dull{c}story", f"{c}great{c}{c}story{c}"]
            return list(classifier.predict(odd)) == list(plain.predict(odd)) == ["bad", "good"]

        yield f"U+{ord(c):04X}", check

    def joined(folder):
        data = _core.Documents.read_fasttext("nim\u200cfasle a\u200db".encode(), "x", 1, True, False)
        return data.words(0) == ["nim\u200cfasle", "a\u200db"]

    yield "joiners of letters are inside", joined


# -- formats of rows


def said(text, *words):
    def check(folder):
        run = trained(folder, text)
        return all(word in run.err for word in words)

    return check


@kind("files of CRFsuite, and words with tags in a line, are named")
def other_rows():
    attributes = [f"O\tw={word}\tn={len(word)}\n" for word in ("red", "kites", "rise", "high")]
    yield "label and attributes", said("".join([*attributes, "\n"]) * 5, "CRFsuite")
    yield "ragged attributes", said("".join([*attributes, "B-X\tw=x\n", "\n"]) * 5, "CRFsuite")
    yield (
        "attributes with numbers",
        said("".join(f"{'BI'[k % 2]}\tw[0]=x{k}:0.5\tw[1]=y\n" for k in range(20)), "CRFsuite"),
    )
    for mark in "/_|":
        line = " ".join(f"{word}{mark}{tag}" for word, tag, _ in WORDS) + "\n"
        yield f"word{mark}TAG", said(5 * line, "word/TAG")
        yield f"word{mark}TAG, ragged", said(line + f"see{mark}VB Oslo{mark}NNP\n", "word/TAG")

    def features(folder):
        rows = [("dogs", "Number=Plur", "N"), ("sat", "Tense=Past", "V"), ("cats", "Number=Plur", "N"), ("a", "_", "D")]
        return "CRFsuite" not in trained(folder, columns(separator="\t", sentences=[rows] * 5)).err

    yield "columns with features are none", features


@kind("BILUO is scored in chunks, and an unknown scheme is said")
def schemes():
    for single, last, inside in (("U", "L", "I"), ("S", "E", "I")):
        text = (
            f"Mae B-PER\nAnn {inside}-PER\nLow {last}-PER\nleft O\nLima {single}-LOC\n\nKim {single}-PER\nsat O\n\n" * 5
        )

        def scored(folder, text=text):
            trained(folder, text)
            return "with 15 phrases" in run_command(["eval", folder / "m.sap", folder / "train.txt"]).out

        yield f"{single} and {last}, evaluated", scored
    yield (
        "neighbours",
        lambda folder: (
            extract_chunks(["B-X", "L-X", "U-X", "U-X", "B-X", "I-X", "L-X"])
            == [("X", 0, 2), ("X", 2, 3), ("X", 3, 4), ("X", 4, 7)]
        ),
    )
    for odd in ("Q-PER", "0", "b-PER", "PER", "W-PER", "B_PER"):

        def unknown(folder, odd=odd):
            trained(folder, f"Mae B-PER\nAnn {odd}\nleft O\n\n" * 5)
            return odd in run_command(["eval", folder / "m.sap", folder / "train.txt"]).err

        yield f"unknown: {odd}", unknown


# -- CoNLL-U


@kind("a block of CoNLL-U without words is refused under its own line")
def blocks_without_words():
    for name, text, line in (
        ("first", "# a remark\n\n" + conllu(), 1),
        ("two lines", "# a remark\n# text =\n\n" + conllu(), 2),
        ("second", conllu() + "# a remark\n\n" + conllu(), 5),
        ("last", conllu() + "# a remark\n", 5),
        ("behind empty lines", "\n\n# a remark\n\n\n" + conllu(), 3),
        ("CR alone", ("# a remark\n\n" + conllu()).replace("\n", "\r"), 1),
    ):

        def check(folder, text=text, line=line):
            (folder / "x.conllu").write_text(text, newline="")
            run = run_command(["annotate", "en", "--input", "conllu", folder / "x.conllu"])
            return f"x.conllu:{line}: " in run.err and "without words" in run.err and "'s'" not in run.err

        yield name, check


@kind("blanks at the edge of a value of CoNLL-U are said and left out")
def blanks_at_edges():
    for name, text, field, value in (
        ("in front of a relation", conllu(relation=" nsubj"), "deprel", "nsubj"),
        ("behind a relation", conllu(relation="nsubj "), "deprel", "nsubj"),
        ("in front of a form", conllu().replace("\tBirds", "\t Birds"), "form", "Birds"),
        ("behind a tag", conllu().replace("NOUN", "NOUN  "), "upos", "NOUN"),
        ("around a head", conllu().replace("\t2\t", "\t 2 \t"), "head", "2"),
        ("at the end of a line", conllu().replace("_\n", "_ \n"), "misc", "_"),
    ):

        def check(folder, text=text, field=field, value=value):
            data, [said] = heard(lambda: read_conllu(text.encode(), "x"))
            return data.column(field)[0][0] == value and said.startswith("x:2:")

        yield name, check


@kind("CoNLL-U Plus is named, and read if the ten columns are among its own")
def plus():
    title = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
    turned = title.split()[::-1]
    for name, names, order in (
        ("a column more", [*title.split(), "PARSEME:MWE"], lambda *cells: (*cells, "*")),
        (
            "two in the middle",
            [*title.split()[:2], "A", "B", *title.split()[2:]],
            lambda a, b, *c: (a, b, "x", "y", *c),
        ),
        ("turned around", turned, lambda *cells: cells[::-1]),
        ("turned, with one in front", ["X:Y", *turned], lambda *cells: ("x", *cells[::-1])),
        ("swapped", ["FORM", "ID", *title.split()[2:]], lambda a, b, *c: (b, a, *c)),
    ):
        text = f"# global.columns = {' '.join(names)}\n" + conllu(columns=order) + conllu(columns=order)

        def check(folder, text=text):
            (folder / "x.conllu").write_text(text)
            by_file = run_command(["annotate", "en", "--input", "conllu", folder / "x.conllu"])
            by_pipe = run_command(["annotate", "en", "--input", "conllu"], stdin=text.encode())
            data = read_conllu(by_file.out.encode(), "x")
            return (
                by_file.out == by_pipe.out
                and "CoNLL-U Plus" in by_file.err
                and data.column("form")[1] == ["Birds", "sing"]
            )

        yield name, check

    def lacking(folder):
        text = "# global.columns = ID FORM UPOS HEAD DEPREL X:Y\n1\tBirds\tNOUN\t0\troot\t*\n\n"
        run = run_command(["annotate", "en", "--input", "conllu"], stdin=text.encode())
        return run.status != 0 and "CoNLL-U Plus" in run.err and "LEMMA" in run.err

    yield "without some of the ten", lacking
