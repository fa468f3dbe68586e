"""Prose of several kinds out of the corpora, the same sentences in formats that are no prose, and windows of them."""

import csv
import io
import json
import lzma
import random
import tokenize
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

BTC = "abefgh"  # parts of the Broad Twitter Corpus
FEW = 3  # lines


def read(path: Path) -> str:
    """Return the text of a compressed file."""
    return lzma.open(path, "rt", encoding="utf-8", errors="replace").read()


def paragraphs(conllu: str, shown: Callable[[list[str]], str] | None = None) -> str:
    """Return the raw text of a treebank: the sentences of a paragraph in a row, or what is shown of each."""
    parts = []
    for block in conllu.split("\n\n"):
        lines = block.split("\n")
        if any(line.startswith(("# newpar", "# newdoc")) for line in lines):
            parts.append("\n\n")
        parts += [(line[9:] if shown is None else shown(lines)) + " " for line in lines if line.startswith("# text = ")]
    return "".join(parts)


def prose(data: Path) -> dict[str, str]:
    """Return English prose: what a person may well give to an English model."""
    tweets = [
        " ".join(line.split("\t")[0].strip() for line in block.split("\n") if line.strip())
        for part in BTC
        for block in read(data / f"names/btc/{part}.conll.xz").split("\n\n")
    ]
    gum = [read(data / f"gum/en_gum_open-ud-{part}.conllu.xz") for part in ("train", "dev", "test")]
    return {
        "EWT": paragraphs(read(data / "ewt/en_ewt-ud-test.conllu.xz")),
        "GUM": paragraphs("".join(gum)),
        "MASC": read(data / "text/masc-tokens.txt.xz"),
        "novels": read(data / "text/novels.txt.xz"),
        "joined tweets": "\n".join(tweets),
    }


def languages(data: Path) -> dict[str, str]:
    """Return text of other languages."""
    names = sorted(folder.name for folder in (data / "languages").iterdir() if folder.is_dir())
    return {name: paragraphs(read(data / f"languages/{name}/{name}-test.conllu.xz")) for name in names}


def tokenised(data: Path) -> str:
    """Return sentences a line, with tokens between spaces."""
    blocks = read(data / "ewt/en_ewt-ud-test.conllu.xz").split("\n\n")
    words = ([row.split("\t") for row in block.split("\n") if row[:1].isdigit()] for block in blocks)
    return "\n".join(" ".join(cells[1] for cells in rows if cells[0].isdigit()) for rows in words)


def formats(data: Path) -> dict[str, str]:
    """Return the sentences of EWT's test set in formats that are no prose, beside treebanks, columns and programs."""
    conllu = read(data / "ewt/en_ewt-ud-test.conllu.xz")
    sentences = [line[9:] for line in conllu.split("\n") if line.startswith("# text = ")]
    words = tokenised(data).split("\n")
    table = io.StringIO()
    csv.writer(table).writerows([k, ("pos", "neg")[k % 2], sentence] for k, sentence in enumerate(sentences))
    pages = "".join(f"<h2>{k}</h2>\n<p class='x'>{sentence}</p>\n" for k, sentence in enumerate(sentences))
    return {
        "CoNLL-U": conllu,
        "columns of words and labels": read(data / "conll2000/test.txt.xz"),
        "a token a line": "\n\n".join("\n".join(line.split()) for line in words),
        "tab-separated": "".join(f"{k}\tpos\t{sentence}\n" for k, sentence in enumerate(sentences)),
        "CSV": table.getvalue(),
        "JSON lines": "".join(json.dumps({"label": "pos", "text": each}) + "\n" for each in sentences),
        "JSON": json.dumps([{"id": k, "text": sentence} for k, sentence in enumerate(sentences)], indent=1),
        "HTML": f"<html>\n<body>\n{pages}</body>\n</html>\n",
        "XML": "<text>\n" + "".join(f"<s n='{k}'>{each}</s>\n" for k, each in enumerate(sentences)) + "</text>\n",
        "RTF": "{\\rtf1\\ansi " + "".join(f"\\pard\\plain {sentence}\\par\n" for sentence in sentences) + "}",
        "bracketed trees": read(data / "treebank/wsj_0180-0199.mrg.xz"),
        "Python": "".join(programs()),
    }


def prose_and_joints(data: Path) -> tuple[str, str]:
    """Return the text of EWT's test set, and of it only the characters that another word follows without a space.

    Where there are none, the text is the same as its tokens between spaces.
    """
    conllu = read(data / "ewt/en_ewt-ud-test.conllu.xz")
    return paragraphs(conllu), paragraphs(conllu, _joints)


def _joints(lines: list[str]) -> str:
    text, end = next(line[9:] for line in lines if line.startswith("# text = ")), 0
    shown = [" "] * len(text)
    for form in (line.split("\t")[1] for line in lines if line.split("\t")[0].isdigit()):
        end = max(text.find(form, end) + len(form), end)
        if end < len(text) and not text[end].isspace():
            shown[end - 1] = text[end - 1]
    return "".join(shown)


def programs() -> list[str]:
    """Return some of the programs of Python's library."""
    files = sorted(Path(json.__file__).parents[1].glob("[a-d]*.py"))
    return [path.read_text(encoding="utf-8", errors="replace") for path in files]


def programs_and_code() -> tuple[str, str]:
    """Return programs, and their text with spaces in place of comments and of strings between three quotes."""
    return "".join(programs()), "".join(map(_without_prose, programs()))


def _without_prose(program: str) -> str:
    lines = [0, *accumulate(map(len, io.StringIO(program)))]
    shown = list(program)
    for token in tokenize.generate_tokens(io.StringIO(program).readline):
        quoted = token.type == tokenize.STRING and token.string.lstrip("rbuRBU").startswith(('"""', "'''"))
        if quoted or token.type == tokenize.COMMENT:
            begin, end = (lines[line - 1] + column for line, column in (token.start, token.end))
            shown[begin:end] = " " * (end - begin)
    return "".join(shown)


def windows(
    text: str, size: int, number: int, *, whole_lines: bool = False, counted: str = "", least: float = 0
) -> Iterator[str]:
    """Yield windows of so many characters from anywhere in a text.

    whole_lines : each begins with a line and, if there are more than a few, ends with the one that fills it
    counted, least : the text with spaces in place of what does not count, and the least share that does
    """
    chance = random.Random(1)
    while number > 0:
        begin = chance.randrange(max(len(text) - 2 * size, 1))
        if whole_lines:
            begin = text.find("\n", begin) + 1
        end = begin + size
        if whole_lines and text.count("\n", begin, end) > FEW:
            end = text.find("\n", end - 1) + 1 or len(text)
        if len("".join(counted[begin:end].split())) >= least * size:
            yield text[begin:end]
            number -= 1


def beginnings(size: int, number: int) -> Iterator[str]:
    """Yield the beginnings of programs of Python's library, with their comments and docstrings."""
    library = Path(json.__file__).parents[1]
    files = [path for path in sorted(library.glob("**/*.py")) if not {"site-packages", "test"} & {*path.parts}]
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in files)
    long = [text[:size] for text in texts if len(text) >= 200]
    yield from long[:: max(len(long) // number, 1)][:number]
