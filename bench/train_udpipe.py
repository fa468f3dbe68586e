"""Train UDPipe 1 on a treebank, for bench/pipeline.py to run beside `sapwood annotate`.

    python bench/train_udpipe.py TRAIN.conllu MODEL [--tokenizer-epochs N] [--tagger-iterations N]
                                 [--parser-iterations N]

Tokenizer, tagger (UPOS, XPOS, FEATS and lemmas) and parser in one file, all other options as UDPipe has them. It takes
about an hour on a treebank of 200,000 words, so it is done once, and the file is kept outside the repository. The
treebank may be compressed. UDPipe tells on standard error how far it is.
"""

import argparse
import sys
from pathlib import Path
from time import process_time

from sapwood.io.text import read_bytes


def train(treebank: str, tokenizer: str, tagger: str, parser: str) -> bytes:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer

    sentences, reader, error = Sentences(), InputFormat.newConlluInputFormat(), ProcessingError()
    reader.setText(treebank)
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = Sentence()
    model = Trainer.train("morphodita_parsito", sentences, Sentences(), tokenizer, tagger, parser, error)
    if error.occurred():
        sys.exit(error.message)
    return bytes(model)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank")
    parser.add_argument("model", type=Path)
    parser.add_argument("--tokenizer-epochs", type=int, default=15, metavar="N")
    parser.add_argument("--tagger-iterations", type=int, default=20, metavar="N")
    parser.add_argument("--parser-iterations", type=int, default=3, metavar="N")
    given = parser.parse_args()
    trained = train(
        bytes(read_bytes(given.treebank)).decode(),
        f"epochs={given.tokenizer_epochs}",
        f"iterations={given.tagger_iterations}",
        f"iterations={given.parser_iterations}",
    )
    given.model.write_bytes(trained)
    print(f"{given.model}: {len(trained):,} bytes, {process_time():.0f} CPU seconds")


if __name__ == "__main__":
    main()
