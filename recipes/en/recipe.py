"""The recipe of the English pipeline that comes with the package.

Learned from UD English EWT, the openly licensed part of UD English GUM, short sentences (short_sentences.py), English
as people type it (typed_sentences.py), the names of Universal NER for EWT, WikiGold and the Broad Twitter Corpus, Brown
clusters, the lexicon of LemmInflect with words of public lists of names (name_words.py), and MASC as a larger model
labelled it (silver data), of which some sentences are recast (recast.py). GUM's morphological features follow other
conventions than EWT's in places, so they are replaced by those that a tagger learned from EWT gives to GUM's tags.

Of tagger, lemmatizer, parser and names the smallest weights are dropped, and the others stay as they are; what stays of
segmenter and morphology is learned anew. A parser that was learned anew in 1.25 MB had LAS 83.61 on EWT's held-out
sentences, raw text, for 84.05 in 2.11 MB (docs/decisions/shrinking.md).
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from measure.corpora import corpus_files
from recipes.en.name_words import name_words
from recipes.en.recast import SHARES, recast
from recipes.en.short_sentences import short_clauses, without_subscripts, written_sentences
from recipes.en.typed_rows import Text, in_conllu
from recipes.en.typed_sentences import Typed, with_apostrophes
from sapwood import _core
from sapwood.events import Callback
from sapwood.io.conllu import read_treebank
from sapwood.io.lexicons import LexiconEntry, read_lemma_lexicon
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.model.file.bundled import FOLDER
from sapwood.model.small import Goal
from sapwood.options import Values
from sapwood.tasks.parsing.model import DependencyParser
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.templates import find_template


def _goal(bytes: int) -> Goal:
    return Goal(bytes, levels="uneven", retrain=False)


OPTIONS: dict[str, Values] = {
    "segmenter": {"epochs": 6, "runs": 16, "max_bytes": 200_000, "seed": 2},
    "tagger": {"runs": 3, "min_updates": 20, "gold_times": 3, "least_sureness": 85, "small": _goal(900_000)},
    "morphology": {"min_updates": 5, "max_bytes": 66_000},
    # Without FEATS: those of gold data say where a word is mistyped or has no singular, which a tagger does not see.
    "lemmatizer": {
        "template": "".join(line for line in find_template("lemma").text.splitlines(True) if "[0,feats]" not in line),
        "min_words": 1,
        "small": _goal(411_000),
    },
    "parser": {"epochs": 8, "runs": 3, "min_updates": 20, "false_matches": 0.01, "small": _goal(2_110_000)},
    "entities": {
        "runs": 3,
        "gold_times": 1,
        "min_updates": 12,
        "gamma": 60.0,
        "false_matches": 0.01,
        "small": _goal(583_000),
    },
}
# Whether what is before a place is an abbreviation (abbreviations.txt)
_ABBREVIATIONS = """
U60:%x[0,gap]/%in[0,head,"abbreviations.txt"]/%suffix[0,head,1]/%shape[0,tail]
U61:%x[0,gap]/%in[0,head,"abbreviations.txt"]/%suffix[0,head,1]/%prefix[0,tail,1]
U62:%x[0,gap]/%in[0,head,"abbreviations.txt"]/%shape[0,head]/%shape[0,tail]
"""
# Whether it is a title, what stands before a number, or a shortened word, in any case (typed/)
_TYPED = """
U63:%x[0,gap]/%IN[0,head,"typed/titles.txt"]/%shape[0,tail]
U64:%x[0,gap]/%IN[0,head,"typed/reference.txt"]/%shape[0,tail]
U65:%x[0,gap]/%IN[0,head,"typed/shortened.txt"]/%shape[0,tail]
U66:%x[0,gap]/%IN[0,head,"typed/reference.txt"]/%IN[0,head,"typed/titles.txt"]/%IN[0,head,"typed/shortened.txt"]/%suffix[0,head,1]
"""
_HERE = Path(__file__).parent


def train(folder: Path, on_event: Callback | None = None) -> Pipeline:
    """Train the pipeline on the corpora of a folder, and fit gap and confidences to EWT's held-out sentences.

    Raises DataError if a corpus is missing.
    """
    data, own = gold_data(folder)
    names = [corpus(folder, "ewt_names/en_ewt-ner-train.iob2"), corpus(folder, "names/wikigold.conll.txt")]
    names += [corpus(folder, f"names/btc/{part}.conll") for part in "abefgh"]
    words = lexicon(folder, names=True)
    pipeline = Pipeline(
        clusters=corpus(folder, "clusters/en-brown-1000.tsv"),
        lexicon=words,
        names=[os.fspath(name) for name in names],
        silver=[recast(data, SHARES) for data in silver_data(folder)],
        card=FOLDER / "en.md",
    )
    segmenter = {"template": find_template("segment").text + _ABBREVIATIONS + _TYPED, "word_lists": os.fspath(_HERE)}
    options = OPTIONS | {"segmenter": segmenter | OPTIONS["segmenter"]}
    options["entities"] = OPTIONS["entities"] | {"lexicon": words}
    pipeline.fit(data, model_options=options, model_data=own, on_event=on_event)
    held_out, dev_names = treebank(folder, "ewt/en_ewt-ud-dev"), corpus(folder, "ewt_names/en_ewt-ner-dev.iob2")
    parser = pipeline.models_["parser"]
    assert isinstance(parser, DependencyParser)
    parser.fit_gap(pipeline._filled(held_out))
    return pipeline.calibrate(held_out, names=[os.fspath(dev_names)])


def lexicon(folder: Path, *, names: bool) -> list[LexiconEntry]:
    """Return LemmInflect's words and, if `names`, those of the lists of names. Raises DataError."""
    words = read_lemma_lexicon(corpus(folder, "lexicon/lemminflect-lemmas.csv"))
    return words + (name_words(folder, frequencies(folder)) if names else [])


def frequencies(folder: Path) -> dict[str, float]:
    """Return how often words are seen in the text that word clusters come from, or the logarithm. Raises DataError.

    Words without a number are left out.
    """
    path = corpus(folder, "clusters/en-brown-1000.tsv")
    rows = [line.split("\t") for line in _core.composed(plain_text(read_bytes(path), shown(path))).splitlines()]
    return {row[1]: float(row[2]) for row in rows if len(row) > 2 and re.fullmatch(r"-?\d+(\.\d+)?", row[2])}


def silver_data(folder: Path) -> list[_core.Conllu]:
    """Return MASC, and the texts of the corpora of names without the teacher's names. Raises DataError."""
    texts = treebank(folder, "silver/names")
    misc = [[_without_names(items) for items in sentence] for sentence in texts.column("misc")]
    return [treebank(folder, "silver/masc"), texts.with_columns({"misc": misc})]


def _without_names(misc: str) -> str:
    return "|".join(item for item in misc.split("|") if not item.startswith(("NER=", "Q="))) or "_"


def gold_data(folder: Path) -> tuple[_core.Conllu, dict[str, _core.Conllu]]:
    """Return EWT and GUM, and by model what some models learn from in their place. Raises DataError.

    These are the treebanks, with short sentences, English as people type it and, for lemmas, sentences in small
    letters.
    """
    ewt, gum = (treebank(folder, f"{name}-ud-train") for name in ("ewt/en_ewt", "gum/en_gum_open"))
    data = _core.Conllu.read(ewt.replace({}) + _with_features_of(ewt, gum), "EWT and GUM")
    short, plain = written_sentences(), ewt.replace({}) + without_subscripts(gum).replace({})
    typed = Typed(_core.Conllu.read(plain, "EWT and GUM"), seed=2)  # seeds were chosen on development data, too
    layout = in_conllu(typed.layout(150))

    def words(clitics: int, templates: int, contracted: int) -> list[Text]:
        return [*typed.clitics(clitics), *typed.templates(templates), *typed.contracted(contracted)]

    many = in_conllu(words(300, 6, 50))
    some = in_conllu(words(60, 2, 60))  # more cost the tagger accuracy elsewhere
    few_capitals = in_conllu(typed.capitals(150, names=True))
    capitals = in_conllu(typed.capitals(500, names=False))
    entries, counts = lexicon(folder, names=False), frequencies(folder)
    irregular, common = (in_conllu(typed.lexicon(entries, counts, most)) for most in (1000, 100))
    lengthened = in_conllu(typed.lengthened())
    small_letters = recast(data.select(range(0, data.sentences, 100)), {"small letters": 1.0}).replace({})
    all_words = data.replace({})
    own = {
        "segmenter": 2 * plain + 3 * short + layout + many,
        "splitter": with_apostrophes(data) + many,
        "tagger": all_words + 4 * short + 2 * (short_clauses(data) + some + few_capitals + common),
        "lemmatizer": all_words + many + capitals + irregular + lengthened + small_letters,
    }
    return data, {model: _core.Conllu.read(text, f"EWT, GUM and what the {model} needs") for model, text in own.items()}


def _with_features_of(ewt: _core.Conllu, gum: _core.Conllu) -> bytes:
    """Return a treebank with the morphological features that another one would have."""
    tagger = SequenceTagger(template="morphology", search="greedy", dictionary="upos+xpos", epochs=8)
    tagger.set_params(columns=["form", "upos", "xpos", "label"])
    tagger.fit(_rows(ewt), ewt.column("feats"))
    return gum.replace({"feats": tagger.predict(_rows(gum))})


def _rows(data: _core.Conllu) -> list[list[tuple[str, ...]]]:
    columns = (data.column("form"), data.column("upos"), data.column("xpos"))
    return [list(zip(*sentence, strict=True)) for sentence in zip(*columns, strict=True)]


def treebank(folder: Path, name: str) -> _core.Conllu:
    """Return the treebank of a file of a corpus, named without its ending. Raises DataError."""
    return read_treebank(corpus(folder, f"{name}.conllu"))


def corpus(folder: Path, name: str) -> Path:
    """Return the path of a file of a corpus, plain or compressed. Raises DataError."""
    place, _, file = name.rpartition("/")
    [path] = corpus_files(folder, place, file)
    return path
