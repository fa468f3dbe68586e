"""Train UDPipe 1 on a treebank, for bench/tasks/pipeline.py to run beside `sapwood annotate`.

    python -m bench.tasks.train_udpipe TRAIN.conllu MODEL [--tokenizer-epochs N] [--tagger-iterations N]
                                       [--parser-iterations N]

Tokenizer, tagger (UPOS, XPOS, FEATS and lemmas) and parser in one file, all other options as UDPipe has them. It takes
more than an hour on a treebank of 200,000 words, so it is done once, and the file is kept outside the repository. The
three parts are trained one after the other; each is kept beside the model (MODEL.1, MODEL.2) until the last is done,
and a training that was interrupted goes on with the part it was at. Before a training with other options or another
treebank, remove MODEL.1 and MODEL.2. The treebank may be compressed. UDPipe tells on standard error how far it is.
"""

import argparse
import sys
from pathlib import Path
from time import process_time

from sapwood.io.source import read_bytes


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


def train_in_parts(treebank: str, path: Path, options: list[str]) -> None:
    """Write the model to `path`, part by part; `options` are those of the tokenizer, the tagger and the parser."""
    if path.exists():
        sys.exit(f"{path} is there already; remove it to train anew")
    parts = [path.with_name(f"{path.name}.{number}") for number in (1, 2)] + [path]
    for number, part in enumerate(parts):
        if not part.exists():
            kept = [f"from_model=file:{parts[number - 1]}"] * number
            trained = train(treebank, *kept, options[number], *["none"] * (len(parts) - number - 1))
            unfinished = part.with_name(part.name + ".unfinished")
            unfinished.write_bytes(trained)
            unfinished.rename(part)
    for part in parts[:-1]:
        part.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank")
    parser.add_argument("model", type=Path)
    parser.add_argument("--tokenizer-epochs", type=int, default=15, metavar="N")
    parser.add_argument("--tagger-iterations", type=int, default=20, metavar="N")
    parser.add_argument("--parser-iterations", type=int, default=3, metavar="N")
    given = parser.parse_args()
    train_in_parts(
        bytes(read_bytes(given.treebank)).decode(),
        given.model,
        [
            f"epochs={given.tokenizer_epochs}",
            f"iterations={given.tagger_iterations}",
            f"iterations={given.parser_iterations}",
        ],
    )
    print(f"{given.model}: {given.model.stat().st_size:,} bytes, {process_time():.0f} CPU seconds")


if __name__ == "__main__":
    main()
