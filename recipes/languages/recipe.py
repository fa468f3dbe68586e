"""The recipe of the bundled pipelines beside the English one, byte for byte; it is the same for all of them.

The averages of three runs are taken, and then the smallest weights are dropped. The parser keeps a fourth or less, and
learns that anew. Training and development part are learned from; the confidences, and the gap of the parser's beam, are
those of a pipeline of one run that has learned from the training part alone, and were fitted to the development part.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from recipes.en.name_words import name_words
from recipes.en.recipe import corpus
from recipes.languages.committee import tagged_in_folds, trees_by_committee
from recipes.languages.conventions import corpora_of, with_one_convention, with_relations_of_others
from recipes.languages.corpora import LANGUAGES, Language
from sapwood import SapwoodWarning, _core
from sapwood.events import Callback
from sapwood.io.conllu import read_treebank
from sapwood.io.lexicons import LexiconEntry
from sapwood.io.source import read_bytes
from sapwood.model.small import Goal
from sapwood.options import Values
from sapwood.tasks.parsing.model import DependencyParser
from sapwood.tasks.pipeline.model import Pipeline

_MOST = {  # bytes of each model
    "tagger": 300_000,
    "morphology": 120_000,
    "lemmatizer": 190_000,
    "parser": 720_000,
    "entities": 240_000,
}
_RUNS = 3
_PARTS = ("segment", "tag", "lemmatize", "parse")  # beside the names


def options_of(
    runs: int, language: Language, lexicon: list[LexiconEntry], trees: Sequence[_core.Conllu] = ()
) -> dict[str, Values]:
    """Return the options of a language's models, which are trained so often.

    lexicon : words of names
    trees : further ones for the parser, of neighbouring languages, of a committee, of corpora unlike the test set
    """
    epochs = 6 if runs == 1 else language.epochs
    small: dict[str, Values] = {
        model: {"false_matches": 0.01, "small": Goal(bytes, levels="uneven", retrain=model == "parser")}
        for model, bytes in {**_MOST, **language.bytes}.items()
    }
    trained: dict[str, Values] = {
        "splitter": {"known_words": language.known_words},
        "tagger": {"runs": runs, "min_updates": 3},
        "morphology": {"runs": 1},
        "lemmatizer": {"runs": 1},
        "parser": {"search": "beam", "runs": runs, "epochs": epochs, "min_updates": 3, "drop_below": 0.0}
        | {
            "fill_tags": language.fills_tags,
            **({"silver": trees, "gold_times": language.gold_times} if trees else {}),
        },
        "entities": {"runs": runs, "min_updates": 3, "lexicon": lexicon},
    }
    return {model: options | small.get(model, {}) for model, options in trained.items()}


def train(folder: Path, code: str, on_event: Callback | None = None) -> Pipeline:
    """Train the pipeline of a language on the corpora of a folder. Raises DataError if one is missing."""
    language = LANGUAGES[code]
    files = _files(folder, code)
    everything = _core.Conllu.read(b"".join(file.replace({}) for file in files), code)
    for column, corpora in (("xpos", language.xpos), ("feats", language.feats)):
        everything = with_one_convention(everything, column, corpora)
    everything = with_relations_of_others(everything, language.converted)
    first = files[0].sentences
    learned, held_out = (everything.select(range(*place)) for place in ((0, first), (first, everything.sentences)))
    trees = neighbours(folder, language, everything)
    trees += trees_by_committee(texts(folder, code), learned, options_of(1, language, []))
    checked = fitted(Pipeline(parts=_PARTS), learned, language, 1, trees, on_event=on_event)
    gap = fitted_gap(checked, held_out)
    checked.calibrate(held_out)
    ids = set(filter(None, everything.sentence_ids))
    with TemporaryDirectory() as scratch:
        names = [path for name in language.names for path in typed_names(folder, code, name, ids, Path(scratch))]
        parts = [*_PARTS, *(["entities"] if names else [])]
        lexicon = name_words(folder) if names else []
        untrained = Pipeline(parts=parts, names=names)
        trained = fitted(untrained, everything, language, _RUNS, trees, lexicon, on_event)
    calibrations = {name: part.calibration for name, part in checked.model_.parts.items()}
    models = {name: part.replaced(calibration=calibrations.get(name)) for name, part in trained.model_.parts.items()}
    models["parser"] = models["parser"].replaced(options=models["parser"].options | gap)
    return Pipeline._of_file(trained.model_.replaced(parts=models))


def fitted(
    pipeline: Pipeline,
    data: _core.Conllu,
    language: Language,
    runs: int,
    trees: Sequence[_core.Conllu],
    lexicon: Sequence[LexiconEntry] = (),
    on_event: Callback | None = None,
) -> Pipeline:
    """Train a pipeline on a treebank, and its parser on further trees as well as those of corpora like the test set."""
    own, others = parted(data, language)
    options = options_of(runs, language, list(lexicon), [*others, *trees])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* no usable tree", SapwoodWarning)  # those of other corpora are taken away
        return pipeline.set_params(skip_bad=len(others) > 0).fit(own, model_options=options, on_event=on_event)


def parted(data: _core.Conllu, language: Language) -> tuple[_core.Conllu, list[_core.Conllu]]:
    """Return a treebank in which the corpora that are like the test set alone have trees, and the trees of the others.

    These have the tags that taggers of other sentences give them. Where all corpora are like the test set, the treebank
    is returned as it is.
    """
    if language.like_test is None:
        return data, []
    others = [s for s, corpus in enumerate(corpora_of(data)) if not corpus.startswith(language.like_test)]
    tagged, heads = tagged_in_folds(data, options_of(1, language, [])), data.column("head")
    for s in others:
        heads[s] = ["_"] * len(heads[s])
    return data.with_columns({"head": heads}), [tagged.select(others)]


def _files(folder: Path, code: str) -> list[_core.Conllu]:
    """Return the training and the development part of a language's treebanks."""
    return [treebank_part(folder, code, part) for part in ("train", "dev")]


def treebank_part(folder: Path, code: str, part: str) -> _core.Conllu:
    """Return the training, development or test part of a language's treebanks: part is train, dev or test."""
    return read_treebank(corpus(folder, f"languages/{code}/{code}-{part}.conllu"))


def neighbours(folder: Path, language: Language, own: _core.Conllu) -> list[_core.Conllu]:
    """Return the trees of other languages that the parser learns from beside its own, each with its own tags.

    XPOS are those that the language has, of a tagger; of a relation that it does not have the universal part is left.
    """
    relations, corpora = set(chain.from_iterable(own.column("deprel"))), tuple(sorted({*corpora_of(own)}))
    found = []
    for name in language.neighbours:
        data = _core.Conllu.joined(_files(folder, name[:2]))
        data = data.select([s for s, corpus in enumerate(corpora_of(data)) if corpus.startswith(name)])
        deprel = [[each if each in relations else each.partition(":")[0] for each in s] for s in data.column("deprel")]
        both = _core.Conllu.joined([own, data.with_columns({"deprel": deprel})])
        both = with_one_convention(both, "xpos", () if language.xpos == () else corpora)
        found.append(both.select(range(own.sentences, both.sentences)))
    return found


def texts(folder: Path, code: str) -> list[str]:
    """Return the sentences of raw text from which a language learns, with a blank between written words.

    Sentences of the test set of the treebank are left out.
    """
    tested = {"".join(forms) for forms in treebank_part(folder, code, "test").column("form")}
    named = chain.from_iterable(_labelled(folder, code, name) for name in LANGUAGES[code].texts)
    sentences = [[form for form, _ in words] for _, words in named]
    return [" ".join(forms) for forms in sentences if "".join(forms) not in tested]


def _labelled(folder: Path, code: str, name: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield the sentences of a file of names: their comments, and the form and the label of each word."""
    text = read_bytes(corpus(folder, f"names_languages/{code}/{name}.iob2")).decode()
    for sentence in text.strip().split("\n\n"):
        lines = sentence.splitlines()
        yield (
            [line for line in lines if line.startswith("# ")],
            [line.split("\t") for line in lines if not line.startswith("# ")],
        )


def fitted_gap(checked: Pipeline, held_out: _core.Conllu) -> Values:
    """Fit the option `gap` of the checked parser if it fills tags, and return it; otherwise return no option.

    A parser that fills tags looks up half as many features again, so that texts took 18 % longer. With a gap that
    leaves 19 of 20 trees as they are they take 5 % longer.
    """
    parser = checked.models_["parser"]
    if not isinstance(parser, DependencyParser) or not parser.params.fill_tags:
        return {}
    return {"gap": parser.fit_gap(checked._filled(held_out), share=0.95).params.gap}


def typed_names(folder: Path, code: str, name: str, ids: set[str], scratch: Path) -> list[str]:
    """Write the names of a file again and return the paths: with a `sent_id` those of these ids, and the others.

    Names of no type and those of other things (MISC) are left out.
    """
    found: dict[str, list[str]] = {"known": [], "others": []}
    for comments, words in _labelled(folder, code, name):
        known = [line for line in comments if line.removeprefix("# sent_id = ") in ids]
        labels = ["O" if label.endswith(("-MISC", "-NAME")) else label for _, label in words]
        rows = [f"{form}\t{label}" for (form, _), label in zip(words, labels, strict=True)]
        rows = [*known, *(f"{number}\t{row}" for number, row in enumerate(rows, 1))] if known else rows
        found["known" if known else "others"].append("\n".join(rows) + "\n\n")
    paths = []
    for kind, sentences in found.items():
        if sentences:
            path = scratch / f"{name.replace('/', '-')}-{kind}.iob2"
            path.write_text("".join(sentences), encoding="utf-8")
            paths.append(os.fspath(path))
    return paths
