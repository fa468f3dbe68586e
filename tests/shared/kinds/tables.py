"""Tables of other people: what is no word or no label is named by its column, and what is usual is not."""

import json

import pytest
from commands import run_command
from heard import heard

from kinds import kind
from sapwood import DataError, load
from sapwood._core import Conllu
from sapwood.io.entities import read_entities
from sapwood.io.formats import other_format, warn_of_format
from sapwood.tasks.tagging.data import parse_columns

WORDS = [
    [("Mara", "NNP", "B-PER"), ("left", "VBD", "O"), ("Lund", "NNP", "B-LOC"), (".", ".", "O")],
    [("We", "PRP", "O"), ("saw", "VBD", "O"), ("1996", "CD", "O"), ("trees", "NNS", "O")],
    [("Nils", "NNP", "B-PER"), ("sang", "VBD", "O"), ("in", "IN", "O"), ("Ghent", "NNP", "B-LOC")],
] * 3


def rows(change=lambda s, k, row: row, mark="\t", front=""):
    """Return a column file; change : the cells of a row, given the numbers of sentence and token, from 0."""
    lines = [
        [mark.join(map(str, change(s, k, row))) for k, row in enumerate(sentence)] for s, sentence in enumerate(WORDS)
    ]
    return front + "".join("\n".join(each) + "\n\n" for each in lines)


def train(folder, content, *options):
    (folder / "t.tsv").write_text(content, encoding="utf-8")
    options = [*(() if "--template" in options else ("--template", "pos")), *options]
    return run_command(["train", "tag", "t.tsv", "-o", "m.sap", "--min-updates", "1", "--epochs", "2", *options])


def lines_of(run):
    return [line for line in run.err.splitlines() if line.startswith("sapwood: ")]


def warned(*words):
    """Return the check of a text that trains with one warning, which has these words."""

    def check(folder, content):
        run = train(folder, content)
        return run.status == 0 and len(lines_of(run)) == 1 and all(word in run.err for word in words)

    return check


def no_model(*words):
    """Return the check of a text of which no model is made, with these words in the error."""

    def check(folder, content):
        run = train(folder, content)
        return run.status == 1 and not (folder / "m.sap").exists() and all(word in run.err for word in words)

    return check


def each(check, contents):
    for name, content in contents.items():
        yield name, lambda folder, content=content: check(folder, content)


@kind("a number in front of each word is no word, and --columns leaves it out")
def numbers_in_front():
    counted = [0]

    def all_through(s, k, row):
        counted[0] += 1
        return counted[0], *row[::2]

    contents = {
        "from 1 in each sentence": rows(lambda s, k, row: (k + 1, row[0], row[2])),
        "from 0 in each sentence": rows(lambda s, k, row: (k, row[0], row[2])),
        "through the file": rows(all_through),
        "of sentence and word": rows(lambda s, k, row: (f"{s + 1}-{k + 1}", row[0], row[2])),
        "of the sentence": rows(lambda s, k, row: (f"Sentence:{s}", row[0], row[2])),
        "with a stop, between blanks": rows(lambda s, k, row: (f"{k + 1}.", row[0], row[2]), mark=" "),
    }
    yield from each(warned("column 1 counts (", "--columns _,word,label"), contents)
    for name, content in contents.items():

        def advised(folder, content=content):
            runs = [train(folder, content, "--columns", "_,word,label")]
            (folder / "words.tsv").write_text("".join(line[: line.rfind("\t")] + "\n" for line in content.split("\n")))
            runs += [run_command([verb, "m.sap", "t.tsv"]) for verb in ("tag", "eval")]
            runs.append(train(folder, content, "--columns", "_,word,label", "--stream"))
            return all(run.status == 0 and lines_of(run) == [] for run in runs)

        yield f"{name}, with --columns", advised


@kind("numbers that rise by any step are no words and no tags")
def rising_numbers():
    yield from each(
        warned(" has rising numbers (", "--columns"),
        {
            "offsets in front": rows(lambda s, k, row: (f"{7 * k}-{7 * k + 4}", row[0], row[2])),
            "offsets in two columns": rows(lambda s, k, row: (7 * k, 7 * k + 4, row[0], row[2])),
            "by tens": rows(lambda s, k, row: (10 * k, row[0], row[2])),
            "times": rows(lambda s, k, row: (f"0:{s:02}.{3 * k}0", row[0], row[2])),
            "behind the word": rows(lambda s, k, row: (row[0], k + 1, row[2])),
            "ids behind the word": rows(lambda s, k, row: (row[0], f"s{s}-{k}", row[1], row[2]), mark=" "),
            "in place of the label": rows(lambda s, k, row: (row[0], row[1], 5 * k)),
        },
    )


@kind("a file of names is read as its rows are, and said if nearly every word would be a name")
def names_files():
    heads = "# sent_id = {0}\n# text = x\n"
    below = {
        "numbers without comments": (rows(lambda s, k, row: (k + 1, row[0], row[2], "-", "ann1")), []),
        "GermEval": (rows(lambda s, k, row: (k + 1, row[0], row[2], "O")), []),
        "words below sent_id": (
            "".join(heads.format(s) + text + "\n\n" for s, text in enumerate(rows().split("\n\n")[:-1])),
            [],
        ),
        "numbers below sent_id and a line with tabs": (
            "".join(
                f"# sent_id = {s}\n#\thttp://x.y\n{text}\n\n"
                for s, text in enumerate(rows(lambda s, k, row: (k + 1, row[0], row[2], "-")).split("\n\n")[:-1])
            ),
            [],
        ),
        "tabs at the ends": (rows(lambda s, k, row: (row[0], row[2], "")), []),
        "tags in place of labels": (rows(lambda s, k, row: row[:2]), ["nearly every word has a name (NNP, VBD, .)"]),
        "quoted": (rows(lambda s, k, row: (row[0], f'"{row[2]}"')), ["quotes around", "nearly every word"]),
        "offsets in front": (rows(lambda s, k, row: (9 * k, row[0], row[2])), ["rising numbers (0, 9, 18)"]),
    }
    treebank = "".join(
        "".join(f"{k}\t{row[0]}\t_\tX\t_\t_\t{k - 1}\tdep\t_\t_\n" for k, row in enumerate(each, 1)) + "\n"
        for each in WORDS
    )
    treebank = "".join(f"# sent_id = {s}\n{each}\n\n" for s, each in enumerate(treebank.split("\n\n")[:-1]))
    for name, (content, wanted) in below.items():

        def read(folder, content=content, wanted=wanted):
            (folder / "names.txt").write_text(content, encoding="utf-8")
            gold = Conllu.read(treebank.encode(), "t")
            found, said = heard(lambda: read_entities(gold, [folder / "names.txt"]))
            labels = [label for each in found.of_treebank if each for label in each]
            labels += [label for each in found.others for _, label in each]
            right = len(said) == len(wanted) and all(b in a for a, b in zip(said, wanted, strict=True))
            return right and (wanted != [] or labels == [row[2] for sentence in WORDS for row in sentence])

        yield name, read


@kind("labels of other shapes are named, and none is learned that is half of something")
def odd_labels():
    brackets = {
        "of CoNLL-2012": lambda s, k, row: (row[0], row[1], {"O": "*"}.get(row[2], f"({row[2][2:]})")),
        "of CoNLL-2012, of two words": lambda s, k, row: (row[0], ("(PERSON*", "*)", "*", "*")[k]),
        "of CoNLL-2005": lambda s, k, row: (row[0], ("(A0*)", "(V*)", "(A1*", "*)")[k]),
        "one in another": lambda s, k, row: (row[0], ("((A1*", "*", "*)", "*)")[k]),
        "with hyphens": lambda s, k, row: (row[0], ("-", "(0)", "-", "(12)")[k]),
    }
    yield from each(no_model("t.tsv: column ", "labels in brackets ("), {n: rows(c) for n, c in brackets.items()})
    yield from each(
        warned("one label only ('", "is the last column the label?"),
        {
            "who annotated": rows(lambda s, k, row: (*row[:2], "ann7")),
            "nothing": rows(lambda s, k, row: (row[0], "_")),
            "O": rows(lambda s, k, row: (row[0], "O")),
            "a date": rows(lambda s, k, row: (row[0], row[1], "2024-01-05")),
            "a hyphen, between blanks": rows(lambda s, k, row: (row[0], "-"), mark=" "),
        },
    )
    heads = (2, 0, 2, 3)
    yield from each(
        warned("column ", " has the heads of a tree (2, 0, 3)"),
        {
            "Malt-Tab": rows(lambda s, k, row: (*row[:2], heads[k], "dep" if k else "root")),
            "head behind the word": rows(lambda s, k, row: (row[0], heads[k], row[1])),
            "head at the end": rows(lambda s, k, row: (*row[:2], heads[k])),
            "two of them": rows(lambda s, k, row: (row[0], heads[k], heads[k], row[1])),
            "between blanks": rows(lambda s, k, row: (*row[:2], heads[k], "dep" if k else "root"), mark=" "),
        },
    )
    yield from each(
        warned("column 2 has labels of chunks (", "read as the label"),
        {
            "names, then spaces": rows(lambda s, k, row: (row[0], row[2], ("_", "NoSpaceAfter")[k % 2])),
            "names, then who annotated": rows(lambda s, k, row: (row[0], row[2], ("ann1", "ann2")[s % 2])),
            "names, then tags": rows(lambda s, k, row: (row[0], row[2], row[1])),
            "names, a hyphen, then sources": rows(lambda s, k, row: (row[0], row[2], "-", ("web", "news")[k % 2])),
            "between blanks": rows(lambda s, k, row: (row[0], row[2], ("x", "y")[k % 2]), mark=" "),
        },
    )


@kind("tables with a header, quotes, or texts in place of words")
def other_tables():
    yield from each(
        warned("has quotes around its values (", "R: quote = FALSE"),
        {
            "of R": rows(lambda s, k, row: [f'"{cell}"' for cell in row]),
            "between blanks": rows(lambda s, k, row: [f'"{cell}"' for cell in row], mark=" "),
            "of labels alone": rows(lambda s, k, row: (row[0], f'"{row[2]}"')),
            "of words alone": rows(lambda s, k, row: (f'"{row[0]}"', row[2])),
            "single": rows(lambda s, k, row: [f"'{cell}'" for cell in row]),
            "curly": rows(lambda s, k, row: (f"“{row[0]}”", f"“{row[2]}”")),
            "with NA": rows(lambda s, k, row: (f'"{row[0]}"', "NA" if k else '"X"', f'"{row[2]}"')),
        },
    )
    sentences = [" ".join(row[0] for row in sentence) for sentence in WORDS]
    yield from each(
        warned("column 1 has texts, not words ("),
        {
            "a sentence and its label": "".join(f"{each}\t{'ab'[k % 2]}\n" for k, each in enumerate(sentences)),
            "with blank lines": "".join(f"{each}\t{'ab'[k % 2]}\n\n" for k, each in enumerate(sentences)),
            "of Chinese": "".join(f"今天天气很好我们去公园散步吧\t{'ab'[k % 2]}\n" for k in range(9)),
            "of Thai": "".join(f"วันนี้อากาศดีมากเราไปเดินเล่น\t{'ab'[k % 2]}\n\n" for k in range(9)),
            "paths": "".join(f"corpus/part/file-{'xyz'[k % 3]}.txt\t{'ab'[k % 2]}\n" for k in range(9)),
        },
    )
    for name, header in {
        "usual": "Word\tPOS\tTag\n",
        "CoNLL": "TOKEN\tNE-COARSE-LIT\tMISC\n",
        "small letters": "token\tpos\tlabel\n\n",
        "quoted": '"word"\t"pos"\t"ner_tag"\n',
        "of Kaggle's table": "Word\tPOS Tag\tNER_Tag\n",
    }.items():

        def left_out(folder, header=header):
            assert train(folder, rows()).status == 0
            plain = run_command(["tag", "m.sap", "t.tsv"]).out
            run = train(folder, rows(front=header))
            said = len(lines_of(run)) == 1 and "the first row has names of columns (" in run.err
            tagged = run_command(["tag", "m.sap", "t.tsv"]).out
            return (
                said and tagged == header + plain and sorted(load(folder / "m.sap").labels_) == ["B-LOC", "B-PER", "O"]
            )

        yield f"header, {name}", left_out


def conll_2009(predicate, guess="2"):
    """Return two rows of CoNLL-2009, whose heads stand in two columns: gold, and a parser's guess."""
    row = "{}\t{}\t{}\t_\t{}\t_\t_\t_\t{}\t" + guess + "\t{}\t_\t" + predicate + "\n"
    return (
        row.format(1, "Mara", "Mara", "NNP", 2, "SBJ") + row.format(2, "left", "leave", "VBD", 0, "ROOT") + "\n"
    ) * 3


@kind("formats with sure signs make no model of columns")
def sure_signs():
    texts = {
        "WebAnno TSV": "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=Mara left\n1-1\t0-4\tMara\tPER[1]\t\n1-2\t5-9\tleft\t_\t\n",
        "PostScript": "%!PS-Adobe-3.0\n/Times findfont\n",
        "WebAnno TSV 2": " # webanno.custom.Names | value\n#id=1\n#text=Mara left\n1-1\tMara\tB-PER\n1-2\tleft\tO\n",
        "brat": "T1\tLOC 0 4\tLund\nT2\tPER 12 15;17 20\tMara\n",
        "brat, relations": "T1\tLOC 0 4\tLund\nR1\tIn Arg1:T1 Arg2:T1\nA1\tNegation T1\n*\tEquiv T1 T1\n",
        "doccano": '{"id":7,"text":"Lund is cold.","label":[[0,4,"LOC"]]}\n' * 3,
        "Prodigy": '{"text": "Mara left", "spans": [{"start": 0, "label": "PER"}], "answer": "accept"}\n' * 2,
        "records without tokens": '{"words": ["Mara", "ran"], "labels": [1, 0]}\n' * 4,
        "Label Studio": json.dumps([{"id": 1, "data": {"text": "Mara left"}, "annotations": []}]) + "\n",
        "Label Studio, indented": json.dumps([{"id": k, "data": {"text": "Mara left"}} for k in (1, 2)], indent=2),
        "XML": '<?xml version="1.0"?>\n<s>\n<w pos="NN">dog</w>\n</s>\n',
        "HTML": "<!DOCTYPE html>\n<html>\n<body>\n",
        "trees": "(S (NP (NNP Mara)) (VP (VBD left)))\n" * 3,
        "CRFsuite": "B-PER\tw=Mara\nO\tw=left\nO\tw=.\n",
        "word/TAG": "Mara/NNP left/VBD Lund/NNP\nWe/PRP saw/VBD 1996/CD\n",
        "word_TAG": "Mara_NNP left_VBD Lund_NNP\nWe_PRP saw_VBD 1996_CD\n",
        "CSV": "Sentence #,Word,Tag\nSentence: 1,Mara,B-PER\n,left,O\nSentence: 2,We,O\n",
        "CSV, quoted": '"word","tag"\n"Mara","B-PER"\n"left","O"\n',
        "CSV, semicolons": "word;tag\nMara;B-PER\nleft;O\n",
        "CoNLL-2009": conll_2009("Y\ts.1\tA0\t_"),
        "CoNLL-2009, no predicates": conll_2009("_\t_"),
        "CoNLL-2009, one head": conll_2009("_\t_", guess="_"),
        "CoNLL-2012": "#begin document (a/b); part 000\n" + "a/b 0 0 Mara NNP * - - - - (PERSON) -\n" * 2,
    }
    yield from each(no_model("this looks like "), texts)
    uneven = {
        "sentences": "Mara left Lund .\nWe saw many old trees in it .\nNils sang .\nIt was late when we left .\n",
        "sentences of few words": "Mara left Lund\nWe saw it\nNils\nIt was very late\nGhent sang\n" * 2,
        "sentences of Russian": "Собака спит.\nМы видели её.\nДа.\nНаступила ночь, и все ушли.\n" * 2,
        "ARFF": "% rows\n@relation x\n@attribute c {y,n}\n@data\ny\n",
        "NEGRA": "%% Word Tag\n#BOS 1 0 0 0\nMara NE -- HD 500\n#EOS 1\n",
    }
    yield from each(no_model("this line has ", "the lines before it"), uneven)
    for name in ("WebAnno TSV", "brat", "doccano", "CSV", "Label Studio"):

        def as_names(folder, text=texts[name]):
            with pytest.raises(DataError, match="this looks like"):
                warn_of_format(text, "names.txt", "names")
            return True

        yield f"--names: {name}", as_names


@kind("what is usual is not warned of")
def usual_tables():
    usual = {
        "words, tags, names": rows(),
        "a number as a word, and four cells": rows(lambda s, k, row: (row[0], row[1], row[2], row[2])),
        "years": rows(lambda s, k, row: (1990 + 7 * s + k * k * (-1) ** k, "CD", row[2])),
        "two labels of numbers": rows(lambda s, k, row: (row[0], k % 2)),
        "numbers of labels": rows(lambda s, k, row: (row[0], (0, 0, 5, 0, 7, 8, 0)[(s + k) % 7])),
        "comments of CoNLL-U": "".join(
            f"# sent_id = {s}\n# text = x y\n{each}\n\n" for s, each in enumerate(rows().split("\n\n")[:-1])
        ),
        "quotes as words": rows(lambda s, k, row: ('"' if k == 3 else row[0], row[2])),
        "years that rise": "".join(f"{1900 + 3 * n}\tCD\t{'AB'[n * n % 3 % 2]}\n" for n in range(40)),
        "dates that rise": "".join(f"{2000 + n}-0{1 + n % 9}-1{n % 7}\t{'AB'[n * n % 3 % 2]}\n" for n in range(40)),
        "numbers of letters": rows(lambda s, k, row: (row[0], len(row[0]), row[2])),
        "words in quotes": rows(lambda s, k, row: (("'", "''", "'s", "“")[k], row[2])),
        "brackets as words": rows(lambda s, k, row: ("(" if k == 0 else ")" if k == 3 else row[0], row[2])),
    }
    yield from each(
        lambda folder, text: [line for line in lines_of(train(folder, text)) if "comments" not in line] == [], usual
    )
    for name, line in {
        "Chinese": "今天天气很好我们去公园散步吧",
        "Japanese": "彼は駅で待っています。",
        "Thai": "วันนี้อากาศดีมาก",
        "names of towns": "Lund",
        "Khmer": "ថ្ងៃនេះអាកាសធាតុល្អ",
    }.items():
        yield f"lines of {name}", lambda folder, line=line: other_format(f"{line}\n" * 14, "text") is None


@kind("lines of key and value in a table with tabs are comments wherever they stand")
def comments_anywhere():
    plain = rows()
    for name, place in {"first": 0, "in a sentence": 1, "at its end": 4, "behind it": 5, "twice": 2}.items():

        def read(folder, place=place, name=name):
            lines = plain.split("\n")
            lines[place:place] = ["# segment = 3"] * (1 + (name == "twice"))
            with pytest.warns(match="comment"):
                found = parse_columns("\n".join(lines).encode(), "t.tsv")
            wanted = parse_columns(plain.encode(), "t.tsv")
            return [found.column(c) for c in range(3)] == [wanted.column(c) for c in range(3)]

        yield name, read
