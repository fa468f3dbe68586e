"""``sapwood train``: data in, a model file or word clusters out. The options of a task are those of its model."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Parser, Verb
from sapwood.cli.base.progress import show_progress
from sapwood.cli.base.verb import add_flags, add_held_out, add_workers, held_out, option_values
from sapwood.cli.base.workers import connect
from sapwood.errors import OptionError
from sapwood.loading import model_class
from sapwood.model.file.container import check_writable
from sapwood.options import Options, options_of

if TYPE_CHECKING:
    from sapwood.training.shards import Workers

TRAIN_TAG = """Train a tagger or chunker on a column file.

TRAIN has a token a line, the label in its last column, and a blank line after each sentence.

Examples:
  sapwood train tag train.txt -o chunker.sap
  sapwood train tag train.txt -o chunker.sap --dev dev.txt --patience 3 --min-updates 10
  sapwood train tag words.txt -o pos.sap --template pos --columns word,label --feature-names
  sapwood train tag words.txt -o pos.sap --template pos --columns word,label --search easiest-first
"""

TRAIN_PIPELINE = """Train a pipeline on a treebank in CoNLL-U: raw text in, an analysis out, in one file.

Its parts are segment, tag, lemmatize, parse and entities. Without --parts, those that the treebank cannot teach are
left out, with a warning: segment needs SpaceAfter=No in MISC or '# text', lemmatize lemmas, parse trees, entities
names (NER= in MISC, or --names). XPOS that fewer than 85 % of the words have is left out, too, and so are lemmas and
FEATS that fewer than 1 % have.

Examples:
  sapwood train pipeline train.conllu -o my.sap && sapwood eval my.sap test.conllu
  sapwood train pipeline train.conllu -o my.sap --clusters en.clusters --names names.iob2
  sapwood train pipeline train.conllu corrected.conllu -o my.sap --card card.md
  sapwood train pipeline train.conllu -o my.sap --silver labelled.conllu
  echo "Text." | sapwood annotate my.sap
"""

TRAIN_ENTITIES = """Train a pipeline that finds names, or any other spans, in raw text, on texts with labelled spans.

TRAIN has records of JSON, one a line, {"text": ..., "spans": [{"start": 0, "end": 3, "label": "PER"}]}, or is what
Prodigy, doccano, Label Studio or 'sapwood annotate --to jsonl' write, or a folder of brat's .txt and .ann; members tell
which. Offsets count characters (code points). Where a span has its "text", that counts, and finds it if offsets are
wrong or missing. Spans are widened to whole tokens. Of those that share words the longest stays. All that is changed
or left out is counted. CoNLL-U with names (NER= in MISC) is read, too.

Texts are cut and words tagged by a pipeline that comes with sapwood, if it is of their language and knows their words,
or by --base. Otherwise they are cut by rule, and names go by words alone.

Examples:
  sapwood train entities spans.jsonl -o names.sap --dev dev.jsonl && sapwood eval names.sap test.jsonl
  sapwood annotate names.sap texts.jsonl --to jsonl > found.jsonl
  sapwood train entities brat-folder -o names.sap --base none
"""

TRAIN_SEGMENTER = """Train a segmenter, which cuts raw text into sentences and tokens, on a treebank in CoNLL-U.

The treebank says by SpaceAfter=No in MISC, or by '# text', where no space follows a token. Paragraphs, which '# newpar'
and '# newdoc' begin, end sentences; in text they are what stands between empty lines.

Examples:
  sapwood train segmenter train.conllu -o segmenter.sap
  sapwood train segmenter train.conllu -o segmenter.sap --dev dev.conllu && sapwood eval segmenter.sap test.conllu
"""

TRAIN_PARSE = """Train a dependency parser on a treebank in CoNLL-U or CoNLL-X.

The parser reads words and, with --tags gold, the tags of the data that it is given; with --tags predicted or jackknife
it has a tagger of its own.

Examples:
  sapwood train parse train.conllu -o parser.sap
  sapwood train parse train.conllu -o fast.sap --beam 1 --dev dev.conllu
  sapwood train parse train.conllu -o raw.sap --tags jackknife --tag-columns xpos,upos
  sapwood train parse train.conllu -o graph.sap --search eisner --order 2
"""

TRAIN_CLASSIFY = """Train a classifier of texts, of marked words in context, or of features.

TRAIN has an example a line with its label, in one of these formats, told by its name (.jsonl, .csv, .tsv, .svm, .pos)
or by --format:
  fasttext   __label__NAME text ...; a label may stand anywhere in its line
  svmlight   NAME 3:0.5 17:1
  jsonl      {"label": ..., "text": ...}, or "tokens" and "marked", or "features"
  csv        a header with the columns label and text
  senseval   Senseval 2's files: tagged words, the target inside <head>
With --multi-label an example has any number of labels, with | between them: a|b, or __label__a __label__b, or a list in
jsonl, where spaCy's "cats" and Prodigy's "accept" are read, too. Texts are cut into words at spaces and at punctuation,
which is a word of its own; what's, e-mail and 3.5 stay whole.

Examples:
  sapwood train classify reviews.txt -o reviews.sap --dev 10% --patience 3
  sapwood train classify reviews.csv -o reviews.sap --label stars --text review --class-weight balanced
  sapwood train classify topics.csv -o topics.sap --multi-label --dev 10%
  sapwood train classify interest.pos -o interest.sap --template wsd --cv 10
  sapwood train classify reviews.txt -o reviews.sap --ngrams 3 --stop-words stop.txt --class-weight pos=1,neg=2
  sapwood train classify reviews.txt -o reviews.sap --voted --min-updates 1
  sapwood train classify names.txt -o languages.sap --template characters --feature-names
"""

TRAIN_GRAMMAR = """Read a phrase-structure grammar off a treebank.

The grammar is a parser whose n best trees can be reranked. TRAIN has trees in brackets, as the Penn Treebank does;
functional tags and traces are taken out. Words that it has not are parsed as its rare words of the same look are.
'sapwood nbest' parses text, a sentence a line, or the words of trees, and 'sapwood eval' scores the brackets as evalb
does.

Examples:
  sapwood train grammar train.mrg -o grammar.sap
  echo "The dog barks ." | sapwood nbest grammar.sap - -n 5
  sapwood nbest grammar.sap train.mrg -n 100 --folds 20 > train.jsonl
  sapwood train rank train.jsonl -o reranker.sap
"""

TRAIN_RANK = """Train a reranker on lists of candidates.

A reranker chooses among the structures that another model proposes, by features of whole structures. TRAIN has lists of
candidates ('sapwood nbest' writes them): JSON lines, or on each line a log-probability and a tree in brackets, with a
blank line after each list and the gold tree alone in front. The loss of a candidate is given in the list, or counted by
comparison with the gold structure.

With a kernel other than linear, or with --voted, the reranker has no weights of features. It keeps the candidates that
took part in updates, the support, and compares new candidates with each of them.

Examples:
  sapwood nbest chunker.sap train.txt -n 20 --folds 10 > train.jsonl
  sapwood train rank train.jsonl -o reranker.sap --dev 10%
  sapwood train rank trees.txt -o reranker.sap --kernel tree --decay 0.4
"""

TRAIN_LEMMATIZER = """Train a lemmatizer on a treebank in CoNLL-U.

It gives each word its lemma, by its form and its tags: UPOS, XPOS and FEATS, as far as TRAIN has them.

Examples:
  sapwood train lemmatizer train.conllu -o lemmas.sap
  sapwood train lemmatizer train.conllu -o lemmas.sap --dev dev.conllu --lexicon words.tsv
  sapwood eval lemmas.sap test.conllu
"""

TRAIN_SPLITTER = """Train a splitter of multiword tokens on a treebank in CoNLL-U.

It splits tokens into words, as French du into de and le, or English don't into do and n't.

Examples:
  sapwood train splitter train.conllu -o words.sap --dev dev.conllu
  sapwood eval words.sap test.conllu
"""

_STOPPING = """Ctrl-C, SIGTERM and SIGHUP let training finish its epoch and keep the model so far; a second
one, or one before the first epoch, stops at once and writes nothing. With --checkpoint the first one saves the state of
training at once; however training ended, --resume goes on with it, and the model is the same as without the stop."""
_STREAMING = ("tag", "classify")  # tasks that can train on a stream
_GOING_ON = ("tag", "parse", "classify")  # tasks that can go on with other data
_IN_SECONDS = ("segmenter", "splitter", "lemmatizer")  # their training takes seconds and has no checkpoints
_NOTED = ("tag", "pipeline", "entities", "parse", "classify")  # models that people put into production by themselves
_OF_FILES = ("tag", "pipeline", "segment", "parse", "lemmatize", "split")  # tasks that read several files as one
TRAIN_CLUSTERS = """Learn word clusters from text, for the option --clusters of other models.

Words that occur beside the same classes of words get the same class. Classes that are alike get bit strings that begin
with the same bits (Brown clusters, by the exchange algorithm). TEXT is raw text, in which an empty line ends a
paragraph, or with --tokenised a sentence a line, with spaces between its tokens. A model finds the clusters of those
words only that its own data have cut in the same way. The output has bits, word and count on each line, with tabs
between.

Examples:
  sapwood train clusters news.txt.xz books.txt -o en.clusters --threads 4
  sapwood train clusters --tokenised sentences.txt -o en.clusters --classes 500 --min-count 5
  sapwood train tag train.txt -o tagger.sap --template pos --columns word,label --clusters en.clusters
"""

_ENDING = """Ctrl-C, SIGTERM and SIGHUP end the rounds, and what has been learned is written; a second one stops at
once and writes nothing."""


def _options_of(verb: str, task: str) -> type[Options]:
    if verb == "entities":
        from sapwood.tasks.pipeline.options import NamesOptions

        return NamesOptions
    return model_class(task)._params_type


def _options(verb: str, task: str, data: str, parser: Parser) -> None:
    """Add the data, the model file, and the options of the verb; `data` says what held-out data are."""

    source = "training data, as they are or compressed (.xz, .gz, .bz2); '-': standard input"
    if task in _OF_FILES:
        source += "; several files are read as one"
    parser.add_argument("source", type=Input, metavar="TRAIN", nargs="+" if task in _OF_FILES else None, help=source)
    first, long = parser.under("first"), parser.under("long")
    first("-o", "--output", type=OutputFile("model"), required=True, metavar="MODEL", help="the model file to write")
    if data:
        parser.epilog = "" if verb in _IN_SECONDS else _STOPPING
        kept = "the last one is kept unless another is better beyond chance"
        add_held_out(first, f"held-out {data}: each epoch is scored, {kept}")
    if data and verb not in _IN_SECONDS:
        state = "save the state of training in this file every five minutes, and at the end"
        long("--checkpoint", type=OutputFile("checkpoint", over=["resume"]), metavar="FILE", help=state)
        resume = "go on from a checkpoint; data and options are the same as then"
        long("--resume", type=Input, metavar="FILE", help=resume)
    if task in _GOING_ON:
        text = "begin with what the training of this checkpoint had learned from other data, with its options"
        long("--from", dest="from_checkpoint", type=Input, metavar="FILE", help=text)
    if task in _STREAMING:
        stream = (
            "read TRAIN once and learn from files on disk, in $TMPDIR or /var/tmp, where the data are larger than "
            "memory; the model is the same"
        )
        long("--stream", action="store_true", default=None, help=stream)
    if verb in _NOTED:
        note = "keep a note of your own in the model, which 'sapwood inspect' shows; may be given several times"
        long("--note", dest="notes", type=_note, action="append", default=[], metavar="NAME=TEXT", help=note)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    options = _options_of(verb, task)
    add_flags(parser, options)
    if "shards" in options.options() and options.options()["shards"].command:
        add_workers(parser.under("machines"), "train", "--shards")


def _note(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise ArgumentTypeError(f"{text!a} is not a name and a text, such as prompt=v3")
    return name, value


def _train(
    verb: str,
    task: str,
    source: str | list[str],
    output: str,
    quiet: bool,
    notes: Sequence[tuple[str, str]] = (),
    **values: Any,
) -> None:
    names = [name for name, _ in notes]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise OptionError(f"--note: {twice[0]!a} has two texts; give each name once")
    check_writable(output, alone=values.get("checkpoint") is not None or values.get("resume") is not None)
    cls, options = model_class(task), _options_of(verb, task)
    defaults = {name: each.default for name, each in options.options().items()}
    estimator: Any = cls(**defaults | option_values(options, values))
    if (source_of_weights := values.get("from_checkpoint")) is not None:
        estimator = _as_then(estimator, source_of_weights)
    values |= held_out(values.get("dev"))
    where = values.pop("workers", None)
    if where is not None:
        estimator.params.check_shards()
    values = {name: value for name, value in values.items() if value is not None}
    with _workers(where) as workers, show_progress(quiet) as report:
        if workers is not None:
            values["workers"] = workers
        data = Path(source) if isinstance(source, str) else [*map(Path, source)]
        estimator.fit(data, **values, **({"on_event": report} if task != "grammar" else {}))
        size = estimator.save(output, notes=dict(notes))
    if not quiet:
        show(f"{output}: {estimator.contents.learned}, {size:,} bytes", sys.stderr)
        for line in estimator.contents.remarks:
            show(line, sys.stderr)


@contextmanager
def _workers(where: int | str | None) -> Iterator[Workers | None]:
    """Yield the workers that train the shards, or None if this process does. Raises OptionError."""
    if where is None:
        yield None
        return
    with connect(where) as client:
        from sapwood.dask import ShardWorkers

        yield ShardWorkers(client)


def _as_then(estimator: Any, path: str) -> Any:
    """Return the estimator with the options of a checkpoint's model where it has the defaults. Raises ModelError."""
    from sapwood.training.checkpoints import CheckpointFile
    from sapwood.training.learner import untrained_like

    defaults = {name: declared.default for name, declared in options_of(estimator).items()}
    given = {name: value for name, value in estimator.get_params().items() if value != defaults[name]}
    return untrained_like(type(estimator), CheckpointFile(path).checkpoint().model, given)


def _clusters_options(parser: Parser) -> None:
    from sapwood.tasks.clustering.model import WordClusterer

    parser.epilog = _ENDING
    text = "text, as it is or compressed (.xz, .gz, .bz2); '-': standard input"
    parser.add_argument("texts", type=Input, metavar="TEXT", nargs="+", help=text)
    file = "the file of clusters to write"
    parser.under("first")("-o", "--output", type=OutputFile("text"), required=True, metavar="FILE", help=file)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_flags(parser, WordClusterer)


def _train_clusters(texts: list[str], output: str, quiet: bool, **values: Any) -> None:
    from sapwood.tasks.clustering.model import WordClusterer

    clusterer = WordClusterer(**values)
    with show_progress(quiet) as report:
        clusterer.fit([Path(text) for text in texts], on_event=report)
        size = clusterer.save(output)
    if not quiet:
        words = clusterer.words_
        classes = len({word.bits for word in words})
        show(f"{output}: {len(words):,} words in {classes:,} classes, {size:,} bytes", sys.stderr)


VERBS = {
    f"train {word}": Verb(text, partial(_options, word, task, data), partial(_train, word, task))
    for word, task, text, data in (
        ("tag", "tag", TRAIN_TAG, "column file"),
        ("pipeline", "pipeline", TRAIN_PIPELINE, "treebank"),
        ("entities", "pipeline", TRAIN_ENTITIES, "spans"),
        ("segmenter", "segment", TRAIN_SEGMENTER, "treebank"),
        ("parse", "parse", TRAIN_PARSE, "treebank"),
        ("lemmatizer", "lemmatize", TRAIN_LEMMATIZER, "treebank"),
        ("splitter", "split", TRAIN_SPLITTER, "treebank"),
        ("classify", "classify", TRAIN_CLASSIFY, "examples"),
        ("grammar", "grammar", TRAIN_GRAMMAR, ""),
        ("rank", "rank", TRAIN_RANK, "lists"),
    )
} | {"train clusters": Verb(TRAIN_CLUSTERS, _clusters_options, _train_clusters)}
