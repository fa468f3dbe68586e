"""``sapwood train clusters``: text in, a file of word clusters out."""

import sys
from pathlib import Path
from typing import Any

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Parser, Verb
from sapwood.cli.base.progress import show_progress
from sapwood.cli.base.verb import add_flags

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

_STOPPING = """Ctrl-C, SIGTERM and SIGHUP end the rounds, and what has been learned is written; a second one stops at
once and writes nothing."""


def _options(parser: Parser) -> None:
    from sapwood.tasks.clustering.model import WordClusterer

    parser.epilog = _STOPPING
    text = "text, as it is or compressed (.xz, .gz, .bz2); '-': standard input"
    parser.add_argument("texts", type=Input, metavar="TEXT", nargs="+", help=text)
    file = "the file of clusters to write"
    parser.under("first")("-o", "--output", type=OutputFile("text"), required=True, metavar="FILE", help=file)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_flags(parser, WordClusterer)


def _train(texts: list[str], output: str, quiet: bool, **values: Any) -> None:
    from sapwood.tasks.clustering.model import WordClusterer

    clusterer = WordClusterer(**values)
    with show_progress(quiet) as report:
        clusterer.fit([Path(text) for text in texts], on_event=report)
        size = clusterer.save(output)
    if not quiet:
        words = clusterer.words_
        classes = len({word.bits for word in words})
        show(f"{output}: {len(words):,} words in {classes:,} classes, {size:,} bytes", sys.stderr)


VERBS = {"train clusters": Verb(TRAIN_CLUSTERS, _options, _train)}
