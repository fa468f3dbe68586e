"""The part of a lexicon that a lemmatizer keeps: words that training data do not have, and that it would get wrong."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from sapwood import _core
from sapwood.errors import ModelError
from sapwood.modelfile.container import Array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sapwood.io.lemma_lexicon import LexiconEntry
    from sapwood.modelfile.schema import ModelFile

    Predict = Callable[[list[list[tuple[str, str, str, str]]]], list[list[str]]]

_ARRAYS = {"lexicon.keys": "U32", "lexicon.scripts": "U16"}  # of the model file
_MOST_SCRIPTS = 1 << 16


def exceptions(
    entries: Iterable[LexiconEntry], rows: _core.Columns, labels: Sequence[str], predict: Predict
) -> _core.LemmaLexicon:
    """Return the entries that a lemmatizer gets wrong, with their scripts.

    rows : the training data, form, UPOS, XPOS, FEATS and script; labels : the scripts of the model

    A lexicon has no XPOS and no FEATS. An entry is tried with those that words of its UPOS and script most often have
    in training. Left out are entries with several lemmas or capitals, those whose form and UPOS training has, and those
    for whose lemma the model has no script.
    """
    columns = [[value for sentence in rows.column(c) for value in sentence] for c in range(rows.width)]
    tags: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    seen = set()
    for form, upos, xpos, feats, script in zip(*columns, strict=True):
        seen.add((form.lower(), upos))
        tags.setdefault((upos, script), Counter())[xpos, feats] += 1
    number = {script: k for k, script in enumerate(labels[:_MOST_SCRIPTS])}
    words, found = [], []
    for form, upos, lemmas in entries:
        if len(lemmas) > 1 or form != form.lower() or (form, upos) in seen:
            continue
        scripts = [script.text for script in _core.scripts_for(form, lemmas)]
        known = [script for script in scripts if (upos, script) in tags and script in number]
        if not known:
            continue
        best = max(known, key=lambda script: tags[upos, script].total())
        xpos, feats = max(tags[upos, best].items(), key=lambda item: item[1])[0]
        words.append((form, upos, xpos, feats))
        found.append((form, upos, number[best], lemmas[0]))
    guesses = predict([words])[0]
    wrong = [entry[:3] for entry, guess in zip(found, guesses, strict=True) if guess != entry[3]]
    return _core.LemmaLexicon(wrong)


def packed_lexicon(lexicon: _core.LemmaLexicon) -> dict[str, Array]:
    """Return the arrays of a model file."""
    scripts = array("H", memoryview(lexicon.scripts).cast("I")).tobytes()
    return {name: Array.of(_ARRAYS[name], data) for name, data in zip(_ARRAYS, (lexicon.keys, scripts), strict=True)}


def unpacked_lexicon(model: ModelFile) -> _core.LemmaLexicon:
    """Return the lexicon in a model file, or one without words. Raises ModelError."""
    arrays = {name: model.extra[name] for name in _ARRAYS if name in model.extra}
    if not arrays:
        return _core.LemmaLexicon([])
    if {name: array.dtype for name, array in arrays.items()} != _ARRAYS:
        raise ModelError("it does not have all of its lexicon")
    keys, scripts = (bytes(array.data) for array in arrays.values())
    return _core.LemmaLexicon.unpack(keys, array("I", memoryview(scripts).cast("H")).tobytes(), len(model.labels))
