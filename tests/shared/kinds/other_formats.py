"""Formats of annotation, of analysers and of markup that sapwood does not read: they are named."""

from pathlib import Path

from commands import run_command
from heard import heard

import sapwood
from kinds import kind
from sapwood import DataError
from sapwood.io.formats import other_format
from sapwood.tasks.parsing.grammar import PhraseParser

# Each sample stands below the name that it has in messages; → is a tab.
SAMPLES = r"""
%%% CG3's output
"<The>"
→"the" DET @>N #1->2
"<dog>"
→"dog" N NOM SG @SUBJ #2->3
;→"dog" V INF REMOVE:12
"<barks>"
→"bark" V @FMV #3->0
%%% CG3's output
"<Hunden>"
→"hund" n m sg def @subj
"<bjeffer>"
→"bjeffe" v pres @fv
→"bjeff" n pl
"<.>"
→"$." clb
%%% CG3's output
<s id="1">
The [the] <def> DET S/P @>N #1->2
dog [dog] <Azo> N S NOM @SUBJ> #2->3
barks [bark] <mv> V PR 3S @FS-STA #3->0
</s>
%%% Apertium's stream
^The/the<det><def><sp>$ ^dog/dog<n><sg>$ ^barks/bark<vblex><pri><p3><sg>$^./.<sent>$
%%% Apertium's stream
^the<det><def><sp>$ ^dog<n><sg>$ ^bark<vblex><pri><p3><sg>$^.<sent>$
%%% Apertium's stream
^Wound/wound<n><sg>/wind<vblex><past>$ ^Foo/*Foo$ ^man/man<n><sg>$ ^dogs/dog<n><pl>$
%%% AMR
# ::id 1
# ::snt The boy wants to go.
(w / want-01
   :ARG0 (b / boy)
   :ARG1 (g / go-02
            :ARG0 b))
%%% AMR
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))
%%% M2
S The dog bark at him .
A 2 3|||R:VERB:SVA|||barks|||REQUIRED|||-NONE-|||0

S I am happy .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
%%% a TextGrid of Praat
File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 2.3
tiers? <exists>
size = 1
item []:
    item [1]:
        class = "IntervalTier"
        intervals [1]:
            text = "hello there"
%%% a TextGrid of Praat
File type = "ooTextFile"
Object class = "TextGrid"

0
2.3
<exists>
1
"IntervalTier"
"words"
0
2.3
1
0
2.3
"hello there"
%%% CHAT
@UTF8
@Begin
@Languages:→eng
*MOT:→what do you want ?
%mor:→pro:int|what mod|do pro:per|you v|want ?
*CHI:→more cookie .
@End
%%% Turtle
@prefix nif: <http://example.org/nif-core#> .

<http://example.org/a#char=0,3> a nif:Phrase ;
    nif:anchorOf "Ada" .
%%% Turtle
PREFIX conll: <http://example.org/conll#>

:s1_1 a nif:Word; conll:WORD "The"; conll:POS "DT"; conll:HEAD :s1_2 .
%%% subtitles
1
00:00:01,000 --> 00:00:04,000
Where have you been?

2
00:00:04,500 --> 00:00:06,000
I was at home,
waiting for you.
%%% subtitles
WEBVTT

00:01.000 --> 00:04.000
Where have you been?

00:04.500 --> 00:06.000 align:start
I was at home.
%%% LaTeX
\documentclass{article}
\begin{document}
\section{Dogs}
The dog \emph{barks} at us~\cite{lee}.
\end{document}
%%% LaTeX
We look at dogs.
\begin{itemize}
  \item First we look.
  \item Then they bark.
\end{itemize}
%%% Toolbox's markers
\ref a.001
\t ku loh itumbwan
\m ku loh i-tumbwa -n
\g I him 3SG-hit -TR
\f I hit him.
%%% Toolbox's markers
\lx dog
\ps n
\ge an animal that barks
\dt 12/Mar/2020

\lx cat
\ps n
\ge an animal that does not
%%% parallel text
das haus ||| the house ||| 0.5 0.2 0.3 0.1 ||| 0-0 1-1 ||| 10 20 5
ein haus ||| a house ||| 0.5 0.2 0.3 0.1 ||| 0-0 1-1
%%% parallel text
Das Haus ist alt . ||| The house is old .
Der Hund bellt . ||| The dog barks .
Da kommt er . ||| There he comes .
%%% wiki markup
== History ==
'''Lund''' is a [[city|town]] in [[Sweden]], near [[Malmö]].
* [[File:Lund.jpg|thumb|The [[cathedral]]]]
"""
ANALYSED = {
    "fugashi": "これ\tコレ\tコレ\t此れ\t代名詞\t\t\t0\nは\tワ\tハ\tは\t助詞-係助詞\t\t\t\nEOS\n",
    "MeCab": "これ\t名詞,代名詞,一般,*,*,*,これ,コレ,コレ\nは\t助詞,係助詞,*,*,*,*,は,ハ,ワ\nEOS\n",
    "CaboCha": "* 0 1D 0/1 0.000000\nこれ\t名詞,代名詞,一般\nは\t助詞,係助詞\n* 1 -1D 0/1 0.0\nペン\t名詞,一般\nEOS\n",
    "Sudachi": "東京\t名詞,固有名詞,地名,一般,*,*\t東京\nに\t助詞,格助詞,*,*,*,*\tに\nEOS\n",
    "words and tags": "Mara\tNNP\nleft\tVBD\nEOS\nNils\tNNP\nsang\tVBD\nEOS\n",
}


def said_of(text, read_as):
    """What the English model says of a text that it is given as text or tokens."""
    writer = sapwood.load("en").writer
    return heard(lambda: list(writer.documents([text.encode()], name="text", input=read_as)))[1]


def tagger_of(text, *options):
    Path("t.tsv").write_text(text, encoding="utf-8")
    return run_command(["train", "tag", "t.tsv", "-o", "m.sap", "--epochs", "1", "--template", "pos", *options])


@kind("annotation, subtitles and markup are named where text, tokens or columns are read")
def annotation():
    for number, sample in enumerate(SAMPLES.split("\n%%% ")[1:], 1):
        name, _, text = sample.replace("→", "\t").partition("\n")
        for read_as in ("text", "tokens"):

            def named(_, text=f"{text}\n\n" * 2, name=name, read_as=read_as):
                return any(f"this looks like {name}, and is read as" in each for each in said_of(text, read_as))

            yield f"{number}, {name}, as {read_as}", named

        def no_model(folder, text=text):
            run = tagger_of(text)
            return run.status == 1 and "this looks like " in run.err and not (folder / "m.sap").exists()

        if name != "wiki markup":  # prose, which has as many words in a line as it likes
            yield f"{number}, {name}, as columns", no_model


@kind("words, notes and cells in which such signs stand are no such format")
def no_annotation():
    texts = {
        "a quotation": 'He said "<no>" and left.\n"<sic>"\nThat was all that was heard of it.\n',
        "powers": "It grows as n^2 and 2^n<sup>1</sup>, which is x^3 for $5 and 3^x$.\n",
        "a time": "The train from 10:00 --> Lund leaves late, at 10:15.\n",
        "a command": "Write \\item in front of each, and see what comes.\n",
        "a link": "See [[Lund]] and [1] for what is known of it.\n",
        "numbers of notes": "So said Ada [[1]] and Bob [[2]], and later [[3, p. 4]] all of them.\n",
        "an aside": "(Ada / Bob : who knows?) They left, and nobody saw them.\n",
        "a prefix": "Prefix re: <again>, as in redo.\nPrefix un: <not>\n",
        "a bar": "either ||| or, we said, and left it there.\n",
        "a speaker": "MOT: what do you want?\nCHI: more cookies.\n",
        "the end": "We saw the sign.\nEOS\nThat was the end of it.\n",
    }
    for name, text in texts.items():
        yield name, lambda _, text=text: other_format(text * 2, "text") is None
    cells = {
        "LaTeX in JSON": ('{"label": "math", "text": "\\\\begin{x}\\n\\\\item a\\n\\\\end{x}"}\n', "jsonl"),
        "LaTeX in CSV": ('label,text\nmath,"\\begin{x}\n\\item a\n\\end{x}"\nmath,"\\begin{x} \\end{x}"\n', "csv"),
        "a wiki in CSV": ("label,text\n0,see [[a]] and [[b]]\n1,or [[c]] and [[d]]\n", "csv"),
        "a wiki in examples": ("__label__0 see [[a]] and [[b]]\n__label__1 or [[c]] and [[d]]\n", "fasttext"),
        "bars in columns": ("a ||| O\nb ||| O\nc ||| B-X\n", "columns"),
        "a wiki, a token a line": ("[[Lund]]\nis\nin\n[[Sweden]]\n.\n\n", "columns"),
        "LaTeX, a token a line": ("\\item\na\nword\n\\item\n.\n\n", "columns"),
    }
    for name, (text, read_as) in cells.items():
        yield name, lambda _, text=text, read_as=read_as: other_format(text * 3, read_as) is None


@kind("a comma within a number separates no cells")
def decimal_commas():
    texts = {
        "German": "Der Preis stieg auf 3,5.\nEs waren 1.250,75 Euro.\nNur 0,2 Prozent waren es.\nDas kostet 9,99.\n",
        "French": "Il coûte 3,5 euros.\nElle a 12,5 ans.\nPrix : 1 250,75 €.\nEnviron 0,2 %.\n",
        "in front": "3,5 Prozent sagen nein.\n12,5 Prozent sagen ja.\n0,2 Prozent sagen nichts.\n",
        "thousands": "It sold 1,250 copies.\nWe saw 12,000 birds.\nOver 3,500,000 came.\n",
        "several": "Von 3,5 auf 4,7.\nVon 1,2 auf 2,25.\nVon 9,9 auf 10,1.\n",
    }
    for name, text in texts.items():
        yield name, lambda _, text=text: other_format(text, "text") is None
    tables = {
        "words": "Mara,B-PER\nleft,O\n.,O\n",
        "numbers": "1,2,3\n4,5,6\n7,8,9\n",
        "a number behind a text": "a film,1\nthe other,0\n,1\n",
        "a text behind numbers": "1,2,the film\n3,4,a dog\n5,6,no more\n",
        "decimals with points": "0.5,1.25,x y\n1.5,2.25,y z\n2.5,3.25,z z\n",
    }
    for name, text in tables.items():
        yield f"cells of {name}", lambda _, text=text: "CSV" in str(other_format(text, "text"))


@kind("what analysers write, with EOS in place of a blank line, is named, with what to write")
def analysed():
    for name, text in ANALYSED.items():
        for read_as in ("text", "tokens"):
            yield (
                f"{name}, as {read_as}",
                lambda _, text=text, read_as=read_as: "a blank line in place of each EOS" in said_of(text, read_as)[0],
            )

        def refused(folder, text=text):
            run = tagger_of(text * 4)
            return run.status == 1 and "a blank line in place of each EOS" in run.err

        yield f"{name}, as columns", refused


def weighted(*cells, mark=" "):
    """A column file, its words with lemmas and tags, and a number behind them."""
    words = [("Mara", "Mara", "NNP"), ("left", "leave", "VBD"), ("Lund", "Lund", "NNP"), (".", ".", ".")]
    rows = [mark.join((*word, cells[k % len(cells)])) for k, word in enumerate(words)]
    return ("\n".join(rows) + "\n\n") * 6


@kind("weights and probabilities in the last column are said to be no labels")
def probabilities():
    texts = {
        "FreeLing": weighted("1", "0.978261", "0.911", "1"),
        "FreeLing, tabs": weighted("1", "0.978261", "0.911", "1", mark="\t"),
        "sapwood tag --confidence": weighted("0.9981", "1.0000", "0.5120", "0.7777"),
        "costs of a transducer": weighted("0.000000", "12.503906", "inf", "3.25", mark="\t"),
        "logarithms": weighted("-0.105361", "-2.302585", "-1.2e-05", "-0.0101"),
    }
    for name, text in texts.items():

        def said(_, text=text):
            lines = [line for line in tagger_of(text).err.splitlines() if line.startswith("sapwood: ")]
            return len(lines) == 1 and "column 4 has weights or probabilities" in lines[0] and "--columns" in lines[0]

        yield name, said
        yield (
            f"{name}, with --columns",
            lambda _, text=text: "weights" not in tagger_of(text, "--columns", "word,_,label,_").err,
        )
    labels = {
        "numbers": ("0", "1", "0", "1"),
        "floats": ("0.0", "1.0", "0.0", "1.0"),
        "halves": ("0.5", "1", "1.5", "1"),
    }
    for name, cells in labels.items():
        yield f"labels that are {name}", lambda _, cells=cells: "weights" not in tagger_of(weighted(*cells)).err


@kind("of CoNLL-U that is read as columns it is said which column is the word, and how to name it")
def conllu_as_columns():
    words = ["The", "dog", "barks", "because", "it", "rains", "."]
    last = {
        "segments in MISC": ["Seg=B-seg", "Seg=O", "Seg=O", "Seg=B-seg", "Seg=O", "Seg=O", "Seg=O"],
        "an older treebank of segments": ["BeginSeg=Yes", "_", "_", "BeginSeg=Yes", "_", "_", "_"],
        "names in MISC": ["NER=O", "NER=B-X", "NER=O", "NER=O", "NER=O", "NER=O", "NER=O"],
        "spaces in MISC": ["_", "_", "_", "_", "_", "SpaceAfter=No", "_"],
        "languages in MISC": ["Lang=en", "Lang=en", "Lang=en", "Lang=sv", "Lang=en", "Lang=en", "Lang=en"],
    }
    for name, cells in last.items():
        rows = (f"{k}\t{words[k - 1]}" + "\t_" * 7 + f"\t{cell}\n" for k, cell in enumerate(cells, 1))
        text = ("# newdoc id = a\n" + "".join(rows) + "\n") * 5

        def said(_, text=text):
            run = tagger_of(text)
            return "column 1 counts (1, 2, 3), and is read as the word; --columns _,word,_,_" in run.err

        yield name, said
        yield (
            f"{name}, with --columns",
            lambda _, text=text: "counts" not in tagger_of(text, "--columns", "_,word,_,_,_,_,_,_,_,label").err,
        )


@kind("trees whose words have numbers, as they cross each other, are refused")
def discontinuous():
    texts = {
        "a question": "(S (VP (NP 0=What) (V 2=see)) (MD 1=should) (NP 3=we) (. 4=.))\n",
        "in order": "(S (NP 0=We) (VP (V 1=see) (NP 2=it)) (. 3=.))\n",
        "tags of NEGRA": "(TOP (S (NP-SB 0=Er) (VVFIN-HD 1=kommt) (ADV-MO 2=heute)) ($. 3=.))\n",
        "over lines": "(S\n  (NP 0=We)\n  (VP\n    (V 1=see)\n    (NP 2=it)))\n",
        "a word with an equals sign": "(S (NP 0=a=b) (VP (V 1=is) (ADJ 2=true)))\n",
    }
    for name, text in texts.items():

        def refused(_, text=text):
            Path("x.mrg").write_text(text * 2)
            try:
                PhraseParser().fit(Path("x.mrg"))
            except DataError as error:
                return "discontinuous trees" in str(error) and str(error).startswith("x.mrg: ")
            return False

        yield name, refused
    fine = "(S (NP (NN x=1)) (VP (VBZ is) (ADJ 2=b)))\n(S (NP (NN dogs)) (VP (VBP bark)))\n"

    def learned(_):
        Path("x.mrg").write_text(fine)
        return PhraseParser().fit(Path("x.mrg")).parse([["x=1", "is", "2=b"]])

    yield "a word that looks like it", learned
