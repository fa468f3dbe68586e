"""Training of taggers whose labels are edit scripts: lemmatizers and splitters.

A script rewrites a form, cities to city by ``[:-3]y`` (core/text/edit_script.hpp). The scripts of a treebank are chosen
so that few of them make all of its lemmas, or split all of its tokens, and the tagger chooses among them for each form.
"""

from collections.abc import Callable

from sapwood import _core
from sapwood.errors import OptionError
from sapwood.io.conllu import has_values
from sapwood.io.lexicons import entries_of
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.parts import TAGGED
from sapwood.tasks.rewriting.lexicon import script_lists
from sapwood.tasks.rewriting.options import LEMMA_COLUMNS, LemmatizerOptions, SplitterOptions
from sapwood.tasks.tagging.row_tagger import packed_tag_lexicon, tag_lexicon
from sapwood.tasks.tagging.training import Rows, row_trainer
from sapwood.training.run import Run
from sapwood.training.task import HeldOutScore, InMemory, Trainer

TOKEN_COLUMNS = ("form", "known")
_OFTEN = 0.05  # share of multiword tokens from which on words are known

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
    known = options.known_words == "always" or (options.known_words == "auto" and _share(treebank) >= _OFTEN)
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
