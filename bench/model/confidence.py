"""How far confidences can be trusted, and what they are good for.

    python -m bench.model.confidence FOLDER

The folder holds CoNLL-2000 and the English Web Treebank, as the corpora of `papers`. The English pipeline
that comes with the package was calibrated on EWT's development part. It is scored on EWT's test part: the expected
calibration error over ten bins (Guo et al. 2017), the same less what chance adds to it ("debiased", Kumar, Liang & Ma
2019), and the accuracy of all decisions and of the surest 90 %. Then chunks
of CoNLL-2000: a tagger calibrated on a tenth of the training data beside the marginals of crfsuite, trained on the same
nine tenths with the same features. crfsuite (python-crfsuite) is left out where it is not installed.
"""

import sys
import tempfile
from pathlib import Path

import sapwood
from measure.calibration import debiased_calibration_error
from measure.corpora import corpus_files
from measure.peers import chunking_features
from measure.processes import Clock
from sapwood import SequenceTagger, _core
from sapwood.io.conllu import read_treebank
from sapwood.io.entities import read_entities
from sapwood.io.source import read_bytes
from sapwood.metrics.chunks import extract_chunks
from sapwood.metrics.reliability import calibration_error


def row(name, sure, right, speed=None):
    """Print a line of the table."""
    order = sorted(range(len(sure)), key=lambda k: (-sure[k], k))[: round(0.9 * len(sure))]
    accuracy, surest = sum(right) / len(right), sum(right[k] for k in order) / len(order)
    error, debiased = 100 * calibration_error(sure, right), 100 * debiased_calibration_error(sure, right)
    end = "" if speed is None else f"{speed:>14,.0f}"
    shares = f"{100 * accuracy:>12.2f}{100 * surest:>12.2f}"
    print(f"{name:34}{len(sure):>10,}{error:>8.2f}{debiased:>10.2f}{shares}{end}", flush=True)


def flat(sentences):
    """Return the words of all sentences in one list."""
    return [word for sentence in sentences for word in sentence]


def file_of(folder, place, name):
    """Return the path of a corpus's file."""
    [path] = corpus_files(folder, place, name)
    return path


def english(folder):
    """Score the bundled pipeline on the words of EWT's test part."""
    nlp, gold = sapwood.load("en"), read_treebank(file_of(folder, "ewt", "en_ewt-ud-test.conllu"))
    doc = nlp.pipeline_.read_words(gold)
    nlp.confidence.parts.add_confidences(doc, threads=1)
    decisions = {
        "tag": ("upos", "xpos"),
        "feats": ("feats",),
        "arc": ("head", "deprel"),
    }
    for decision, fields in decisions.items():
        columns = (list(map(str, doc.heads)) if field == "head" else doc.column(field) for field in fields)
        said = zip(*columns, strict=True)
        known = zip(*(flat(gold.column(field)) for field in fields), strict=True)
        row(f"en, {decision}", doc.confidences[decision], [a == b for a, b in zip(said, known, strict=True)])
    names = read_entities(gold, [file_of(folder, "ewt_names", "en_ewt-ner-test.iob2")]).of_treebank
    sure, hits, word = [], [], 0
    for k, known in enumerate(names):
        labels = doc.column("entity")[word : word + len(gold.column("form")[k])]
        for chunk in extract_chunks(labels) if known is not None else ():
            sure.append(doc.confidences["name"][word + chunk[1]])
            hits.append(chunk in extract_chunks(known))
        word += len(labels)
    row("en, names, whole", sure, hits)
    tagger = nlp.models_["entities"]
    known = [k for k, labels in enumerate(names) if labels is not None]
    guess, confidences = tagger.predict(doc.rows), tagger.confidences(doc.rows)
    hits = [a == b for k in known for a, b in zip(guess[k], names[k], strict=True)]
    row("en, names, label of a word", flat(confidences[k] for k in known), hits)


def chunks(folder):
    """Score chunk labels of CoNLL-2000's test part, beside crfsuite's marginals."""
    train, test = (
        _core.Columns.read(read_bytes(file_of(folder, "conll2000", f"{part}.txt")), part) for part in ("train", "test")
    )
    data = train.select([k for k in range(train.sentences) if k % 10])
    held_out = train.select([k for k in range(train.sentences) if k % 10 == 0])
    gold = flat(test.column(2))
    for search in ("viterbi", "greedy"):
        tagger = SequenceTagger(template="crfsuite-chunking", search=search).fit(data).calibrate(held_out)
        with Clock() as clock:
            sure = flat(tagger.confidences(test))
        speed = test.tokens / clock.seconds
        right = [a == b for a, b in zip(flat(tagger.predict(test)), gold, strict=True)]
        row(f"chunk labels, {search}", sure, right, speed)
    try:
        import pycrfsuite
    except ImportError:
        print("python-crfsuite is not installed")
        return

    def examples(columns):
        for cells in zip(*map(columns.column, range(3)), strict=True):
            rows = list(zip(*cells, strict=True))
            yield chunking_features(rows), [row[2] for row in rows]

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params={"c2": 1.0, "max_iterations": 100}, verbose=False)
    for features, labels in examples(data):
        trainer.append(features, labels)
    with tempfile.TemporaryDirectory() as scratch:
        trainer.train(f"{scratch}/crfsuite.model")
        tagger = pycrfsuite.Tagger()
        tagger.open(f"{scratch}/crfsuite.model")
        sure, right = [], []
        with Clock() as clock:
            for features, labels in examples(test):
                for t, (label, guess) in enumerate(zip(labels, tagger.tag(features), strict=True)):
                    sure.append(tagger.marginal(guess, t))
                    right.append(guess == label)
    row("chunk labels, crfsuite's marginals", sure, right, len(sure) / clock.seconds)


if __name__ == "__main__":
    shares = f"{'accuracy %':>12}{'surest 90%':>12}{'a CPU second':>14}"
    print(f"{'':34}{'decisions':>10}{'ECE %':>8}{'debiased':>10}{shares}")
    english(Path(sys.argv[1]))
    chunks(Path(sys.argv[1]))
