"""The input of a dependency parser: treebanks in files, words in memory, and tags that its own tagger predicts."""

from collections.abc import Iterable, Sequence

import sapwood._core as _core
from sapwood.errors import ModelError, OptionError, warn
from sapwood.io.conllu import Treebank, has_values, read_treebank, treebank_in_memory
from sapwood.io.memory import answers_in, sentences_in
from sapwood.io.source import paths_in
from sapwood.model.base import is_file
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.parsing.options import ParserOptions
from sapwood.tasks.tagging.data import split_tags, with_joint_tags
from sapwood.tasks.tagging.model import SequenceTagger

Source = Treebank | Iterable[Sequence[str | Sequence[str]]]
Trees = Sequence[tuple[Sequence[int], Sequence[str]]]

WANTED = "sentences, each a list of words"


def read_sentences(source: Source, trees: Trees | None, columns: Sequence[str], name: str) -> _core.Conllu:
    """Return sentences of a file or in memory, with the tags of these columns, as a treebank. Raises DataError.

    Sentences without words are left out where trees stand beside them.
    """
    if isinstance(source, _core.Conllu):
        return source
    if not is_file(source, WANTED) and not paths_in(source):
        given = sentences_in(source, name, "words")  # type: ignore[arg-type]
        if trees is not None:
            trees = answers_in(trees, name, "trees")
            if len(trees) == len(given):  # else treebank_in_memory says so
                there = [k for k, sentence in enumerate(given) if len(sentence) or any(map(len, trees[k]))]
                given, trees = [given[k] for k in there], [trees[k] for k in there]
        return treebank_in_memory(given, columns, trees, name)
    if trees is not None:
        raise OptionError("trees beside a file: a file has them in its columns")
    return read_treebank(source)


def warn_if_slow(data: _core.Conllu, options: ParserOptions) -> None:
    """Warn of a sentence that is too long for the search, in the line that called a method of the parser."""
    if warning := _core.slow_sentence(data, options.for_core()):
        warn(warning)


def shown_tags(data: _core.Conllu) -> list[list[str]]:
    """Return the UPOS tags, or the XPOS tags where there are no others."""
    return data.column("upos" if has_values(data, ["upos"]) else "xpos")


def tagger_of(model: ModelFile, columns: Sequence[str]) -> SequenceTagger:
    """Return the tagger in a parser's model file. Raises ModelError if it does not give each word all its tags."""
    tags = list(map(split_tags, model.labels))
    if model.task != "tag" or len(model.columns) != 2 or any(len(t) != len(columns) or not all(t) for t in tags):
        raise ModelError(f"its tagger is not one for {', '.join(columns)}")
    return SequenceTagger._of_file(model)


def with_predicted_tags(data: _core.Conllu, columns: Sequence[str], tagger: SequenceTagger) -> _core.Conllu:
    """Return the treebank with tags that the tagger predicts."""
    return with_joint_tags(data, columns, tagger.predict(data.column("form")))
