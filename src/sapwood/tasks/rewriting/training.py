"""Training of taggers whose labels are edit scripts: lemmatizers and splitters.

A script rewrites a form, cities to city by ``[:-3]y`` (core/text/edit_script.hpp). The scripts of a treebank are chosen
so that few of them make all of its lemmas, or split all of its tokens, and the tagger chooses among them for each form.
A lemmatizer has a lexicon, too: the words of training data, and of a lexicon's file, whose script it would get wrong.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

import sapwood._core as _core
from sapwood.errors import OptionError, warn
from sapwood.io.conllu import has_values
from sapwood.io.lexicons import LexiconEntry, entries_of
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.parts import TAGGED
from sapwood.tasks.rewriting.options import LEMMA_COLUMNS, LemmatizerOptions, SplitterOptions
from sapwood.tasks.tagging.row_tagger import packed_tag_lexicon, tag_lexicon
from sapwood.tasks.tagging.training import Rows, row_trainer
from sapwood.training.run import Run
from sapwood.training.task import HeldOutScore, InMemory, Trainer

TOKEN_COLUMNS = ("form", "known")
_SPLIT_OFTEN = 0.05  # share of multiword tokens from which on words are known
_OFTEN = 0.05  # share of the words of a UPOS and script
Row = tuple[str, ...]  # form, UPOS, XPOS, FEATS, the next word and its tags, if it is a clitic, and script
Word = tuple[str, str]  # form in lower case, UPOS
Predict = Callable[[list[list[tuple[str, str, str, str]]]], list[list[str]]]

_LISTS = "script_lists"  # name of the array
_MOST_SCRIPTS = 1 << 16

Score = Callable[["ModelFile", _core.Conllu], HeldOutScore]  # scores a model on held-out data


def lemmatizer_trainer(
    options: LemmatizerOptions, data: InMemory[_core.Conllu], held_out: _core.Conllu | None, run: Run, *, score: Score
) -> Trainer:
    """Return the trainer of a lemmatizer. Raises SapwoodError."""
    rows, names = lemma_rows(options, data.first), [*LEMMA_COLUMNS, "label"]
    task = Rows(task="lemmatize", data=InMemory(rows), names=names, label=len(names) - 1, known=run.known)
    trainer = row_trainer(task, options)
    trainer.model.options["tag_columns"] = [name for name in TAGGED if has_values(data.first, [name])]
    trainer.model.extra |= script_lists(rows, trainer.model.labels, run.known)
    if entries := entries_of(options.lexicon):
        tags = {tag for _, tag, _ in entries}
        if tags.isdisjoint(chain.from_iterable(data.first.column("upos"))):
            few = ", ".join(sorted(tags)[:3])
            warn(f"no tag of the lexicon ({few}) is a UPOS of the training data, so that no lemma is looked up in it")
        trainer.model.extra |= packed_tag_lexicon(tag_lexicon(entries))
    return _of_treebank(trainer, data, held_out, score)


def lemma_rows(options: LemmatizerOptions, data: _core.Conllu) -> _core.Columns:
    """Return the forms, tags and edit scripts that a lemmatizer learns from."""
    return _core.lemma_rows(data, labelled=True, min_words=options.min_words)


def splitter_trainer(
    options: SplitterOptions, data: InMemory[_core.Conllu], held_out: _core.Conllu | None, run: Run, *, score: Score
) -> Trainer:
    """Return the trainer of a splitter. Raises SapwoodError."""
    if run.known is not None:
        raise OptionError("a splitter cannot go on with other data, by which it chose what it decides; train anew")
    treebank = data.first
    known = options.known_words == "always" or (options.known_words == "auto" and _share(treebank) >= _SPLIT_OFTEN)
    rows = Rows(
        task="split",
        data=InMemory(_core.split_examples(treebank, known)),
        names=[*TOKEN_COLUMNS, "label"],
        label=len(TOKEN_COLUMNS),
        extra={"known": Array.of("U32", _core.known_words(treebank))} if known else {},
        template="split-words" if known and options.template == "split" else options.template,
    )
    return _of_treebank(row_trainer(rows, options), data, held_out, score)


def _of_treebank(
    trainer: Trainer, data: InMemory[_core.Conllu], held_out: _core.Conllu | None, score: Score
) -> Trainer:
    trainer.facts["data_checksum"] = f"{data.checksum:016x}"
    trainer.score = None if held_out is None else lambda model, weights: score(model, held_out)
    return trainer


def _share(data: _core.Conllu) -> float:
    tokens = [words for sentence in _core.token_words(data) for words in sentence]
    return sum(len(words) > 1 for words in tokens) / len(tokens)


def exceptions(
    entries: Iterable[LexiconEntry], rows: _core.Columns, labels: Sequence[str], predict: Predict
) -> dict[str, Array]:
    """Return the words that a lemmatizer gets wrong, with their scripts: of training data, and of a lexicon's entries.

    They are arrays of the model file; there are none if it gets no word wrong.

    rows : the training data as Row has them; labels : the scripts of the model. Clitics are not looked at: what stands
    behind them decides
    """
    columns = [[value for sentence in rows.column(c) for value in sentence] for c in range(rows.width)]
    seen = Counter(row for row in zip(*columns, strict=True) if not row[4])
    number = {script: k for k, script in enumerate(labels[:_MOST_SCRIPTS])}
    wrong = _wrong_in_training(seen, number, predict) | _wrong_of(entries, seen, number, predict)
    words = [(form, upos, number[script]) for (form, upos), script in wrong.items()]
    keys, scripts = _core.lemma_lexicon(words)
    return {"lexicon.keys": Array.of("U32", keys), "lexicon.scripts": Array.of("U16", scripts)} if words else {}


def _wrong_in_training(seen: Counter[Row], number: Mapping[str, int], predict: Predict) -> dict[Word, str]:
    """Return the words for which one script is right more often than the lemmatizer, by two words at least."""
    rows = [row for row in seen if row[-1] in number]
    guesses = predict([[(row[0], row[1], row[2], row[3]) for row in rows]])[0]
    right: Counter[Word] = Counter()
    of_word: dict[Word, list[tuple[Row, list[str] | None]]] = {}
    for row, guess in zip(rows, guesses, strict=True):
        form, upos, script = row[0], row[1], row[-1]
        lemma = _core.EditScript(script).apply(form)
        of_word.setdefault((form.lower(), upos), []).append((row, lemma))
        if [guess] == lemma:
            right[form.lower(), upos] += seen[row]
    wrong = {}
    for word, pairs in of_word.items():
        if right[word] + 2 > sum(seen[row] for row, _ in pairs):
            continue
        by_script = {
            script: sum(seen[row] for row, lemma in pairs if _core.EditScript(script).apply(row[0]) == lemma)
            for script in sorted({row[-1] for row, _ in pairs})
        }
        best = max(by_script, key=by_script.__getitem__)
        if by_script[best] >= right[word] + 2:
            wrong[word] = best
    return wrong


def _wrong_of(
    entries: Iterable[LexiconEntry], seen: Counter[Row], number: Mapping[str, int], predict: Predict
) -> dict[Word, str]:
    """Return the entries of a lexicon that the lemmatizer gets wrong.

    A lexicon has no XPOS and no FEATS. An entry is tried with every XPOS that words of its UPOS, script and last letter
    often have in training. Left out are entries with several lemmas or capitals, those whose form and UPOS
    training has, and those for whose lemma the model has no script.
    """
    tags: dict[tuple[str, str, str], Counter[tuple[str, str]]] = {}
    for (form, upos, xpos, feats, *_, script), count in seen.items():
        for last in ("", form[-1].lower()):
            tags.setdefault((upos, script, last), Counter())[xpos, feats] += count
    often = {key: _often(counts) for key, counts in tags.items()}
    in_training = {(form.lower(), upos) for form, upos, *_ in seen}
    words, found = [], []
    for form, upos, lemmas in entries:
        if len(lemmas) > 1 or form != form.lower() or (form, upos) in in_training:
            continue
        scripts = [script.text for script in _core.scripts_for(form, lemmas)]
        known = [script for script in scripts if (upos, script, "") in tags and script in number]
        if not known:
            continue
        best = max(known, key=lambda script: tags[upos, script, ""].total())
        for xpos, feats in often.get((upos, best, form[-1]), often[upos, best, ""]):
            words.append((form, upos, xpos, feats))
            found.append((form, upos, best, lemmas[0]))
    guesses = predict([words])[0]
    wrong = zip(found, guesses, strict=True)
    return {(form, upos): script for (form, upos, script, lemma), guess in wrong if guess != lemma}


def _often(tags: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return each XPOS of at least so large a share of some words, with the FEATS that it has most often."""
    best: dict[str, tuple[int, str]] = {}
    total: Counter[str] = Counter()
    for (xpos, feats), count in tags.items():
        total[xpos] += count
        best[xpos] = max(best.get(xpos, (0, "")), (count, feats))
    return [(xpos, best[xpos][1]) for xpos in total if total[xpos] >= _OFTEN * total.total()]


def script_lists(rows: _core.Columns, labels: list[str], known: ModelFile | None) -> dict[str, Array]:
    """Return the forms that scripts may rewrite (core/rewriting/script_guard.hpp), as an array of the model file.

    rows : training data, with forms first and scripts last; labels : all scripts; known : a model from which training
    goes on
    """
    if known is not None and _LISTS not in known.extra:
        return {}
    before = "" if known is None else bytes(known.extra[_LISTS].data).decode()
    lists = _core.script_lists(rows, labels, before)
    return {_LISTS: Array.of("U8", lists.encode())} if lists else {}
