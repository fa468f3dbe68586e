"""The peers, each as a command that reads a column file and writes a model or labels.

    python -m measure.peers crfsuite-train TRAIN MODEL ap|lbfgs PASSES [SEED]
    python -m measure.peers crfsuite-tag MODEL TEXT > labelled
    python -m measure.peers nltk-train TRAIN MODEL EPOCHS [SEED]
    python -m measure.peers nltk-tag MODEL TEXT > labelled
    python -m measure.peers udpipe-train TREEBANK MODEL EPOCHS
    python -m measure.peers udpipe-parse MODEL TREEBANK > parsed
    python -m measure.peers udpipe-annotate MODEL TEXT > annotated
    python -m measure.peers spacy-annotate MODEL TEXT [silent] > annotated
    python -m measure.peers sapwood-annotate MODEL TEXT [silent] > annotated
    python -m measure.peers sklearn-train TEXTS MODEL perceptron|svm [SEED]
    python -m measure.peers sklearn-classify MODEL TEXTS > labels

python-crfsuite: the averaged perceptron ('ap') and its default, a CRF by L-BFGS, over the features of sapwood's
template crfsuite-chunking, as strings. NLTK: its PerceptronTagger, a greedy averaged perceptron that learns
part-of-speech tags from words; its model is kept as JSON, which is how NLTK distributes it. Both are written as their
users would for speed: a sentence at a time, no objects but lists of strings. The label goes to the end of each line.
A seed shuffles the sentences of CRFsuite, which has none of its own, and is that of NLTK's shuffling.

UDPipe 1 (ufal.udpipe): its transition-based parser alone, with its own defaults, on the treebank's tags (it reads
UPOS and FEATS); and everything from raw text to trees by a model of bench/tasks/train_udpipe.py.

spaCy: a model of its own, paragraph by paragraph (`nlp.pipe`), and sapwood's pipeline likewise; `silent`: not written.

scikit-learn: CountVectorizer of which word uni- and bigrams between spaces occur, and its Perceptron, 10 passes, on
fastText's format. Its bias moves by a hundredth of a step in sparse matrices, so a column of ones is the bias
(`with_bias`). Or a linear SVM, with the C that `python -m papers sentiment` has chosen, and a bias of its own.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Rows = list[list[str]]


def sentences(path: str) -> Iterator[Rows]:
    """Yield the sentences of a column file as rows of cells."""
    rows: Rows = []
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            if cells := line.split():
                rows.append(cells)
            elif rows:
                yield rows
                rows = []
    if rows:
        yield rows


def chunking_features(rows: Rows) -> list[list[str]]:
    """Return each token's features: what the template crfsuite-chunking expands to."""
    w = ["_B-2", "_B-1", *(row[0] for row in rows), "_B+1", "_B+2"]
    p = ["_B-2", "_B-1", *(row[1] for row in rows), "_B+1", "_B+2"]
    return [
        [
            f"U00:{w[i - 2]}",
            f"U01:{w[i - 1]}",
            f"U02:{w[i]}",
            f"U03:{w[i + 1]}",
            f"U04:{w[i + 2]}",
            f"U05:{w[i - 1]}/{w[i]}",
            f"U06:{w[i]}/{w[i + 1]}",
            f"U10:{p[i - 2]}",
            f"U11:{p[i - 1]}",
            f"U12:{p[i]}",
            f"U13:{p[i + 1]}",
            f"U14:{p[i + 2]}",
            f"U15:{p[i - 2]}/{p[i - 1]}",
            f"U16:{p[i - 1]}/{p[i]}",
            f"U17:{p[i]}/{p[i + 1]}",
            f"U18:{p[i + 1]}/{p[i + 2]}",
            f"U20:{p[i - 2]}/{p[i - 1]}/{p[i]}",
            f"U21:{p[i - 1]}/{p[i]}/{p[i + 1]}",
            f"U22:{p[i]}/{p[i + 1]}/{p[i + 2]}",
        ]
        for i in range(2, len(rows) + 2)
    ]


def write_labels(rows: Rows, labels: list[str]) -> None:
    """Write a sentence with its labels to standard output."""
    lines = [f"{' '.join(row)} {label}\n" for row, label in zip(rows, labels, strict=True)]
    sys.stdout.write("".join(lines) + "\n")


def crfsuite_train(train: str, model: str, algorithm: str, passes: str, seed: str = "1") -> None:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm, {"max_iterations": int(passes)}, verbose=False)
    shuffled = list(sentences(train))
    random.Random(int(seed)).shuffle(shuffled)
    for rows in shuffled:
        trainer.append(chunking_features(rows), [row[2] for row in rows])
    trainer.train(model)


def crfsuite_tag(model: str, text: str) -> None:
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    for rows in sentences(text):
        write_labels(rows, tagger.tag(chunking_features(rows)))


def nltk_train(train: str, model: str, epochs: str, seed: str = "1") -> None:
    from nltk.tag.perceptron import PerceptronTagger

    random.seed(int(seed))
    tagger = PerceptronTagger(load=False)
    tagger.train([[(row[0], row[1]) for row in rows] for rows in sentences(train)], None, int(epochs))
    with Path(model).open("w", encoding="utf-8") as out:
        json.dump([tagger.model.weights, tagger.tagdict, sorted(tagger.classes)], out)


def nltk_tag(model: str, text: str) -> None:
    from nltk.tag.perceptron import PerceptronTagger

    tagger = PerceptronTagger(load=False)
    with Path(model).open(encoding="utf-8") as file:
        tagger.decode_json_params(json.load(file))
    for rows in sentences(text):
        write_labels(rows, [tag for _, tag in tagger.tag([row[0] for row in rows])])


def udpipe_train(train: str, model: str, epochs: str) -> None:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer

    treebank, reader, error = Sentences(), InputFormat.newConlluInputFormat(), ProcessingError()
    reader.setText(Path(train).read_text(encoding="utf-8"))
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        treebank.append(sentence)
        sentence = Sentence()
    nothing = Trainer.NONE
    trained = Trainer.train(
        "morphodita_parsito", treebank, Sentences(), nothing, nothing, f"iterations={epochs};use_gold_tags=1", error
    )
    if error.occurred():
        sys.exit(error.message)
    Path(model).write_bytes(trained)


def udpipe_parse(model: str, text: str) -> None:
    _udpipe(model, text, "conllu", tag=False)


def udpipe_annotate(model: str, text: str) -> None:
    _udpipe(model, text, "tokenize", tag=True)


def _udpipe(model: str, text: str, input: str, tag: bool) -> None:
    from ufal.udpipe import Model, Pipeline, ProcessingError

    error = ProcessingError()
    loaded = Model.load(model)  # the pipeline does not keep it alive
    pipeline = Pipeline(loaded, input, Pipeline.DEFAULT if tag else Pipeline.NONE, Pipeline.DEFAULT, "conllu")
    sys.stdout.write(pipeline.process(Path(text).read_text(encoding="utf-8"), error))
    if error.occurred():
        sys.exit(error.message)


def _texts(path: str) -> tuple[list[str], list[str]]:
    with Path(path).open(encoding="utf-8") as lines:
        pairs = [line.rstrip("\n").partition(" ") for line in lines]
    return [label for label, _, _ in pairs], [text for _, _, text in pairs]


def with_bias(matrix: Any) -> Any:
    """Return a sparse matrix of counts with a column of ones behind it."""
    from scipy.sparse import csr_matrix, hstack

    return hstack([matrix, csr_matrix([[1]] * matrix.shape[0])], format="csr")


def sklearn_train(train: str, model: str, learner: str, seed: str = "1") -> None:
    import joblib
    from sklearn.feature_extraction.text import CountVectorizer

    labels, texts = _texts(train)
    vectorizer = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\S+", binary=True)
    matrix = vectorizer.fit_transform(texts)
    if learner == "perceptron":
        from sklearn.linear_model import Perceptron

        matrix = with_bias(matrix)
        estimator = Perceptron(max_iter=10, tol=None, fit_intercept=False, random_state=int(seed))
    else:
        from sklearn.svm import LinearSVC

        estimator = LinearSVC(C=0.001, random_state=int(seed))
    joblib.dump((vectorizer, estimator.fit(matrix, labels)), model)


def sklearn_classify(model: str, text: str) -> None:
    import joblib

    vectorizer, estimator = joblib.load(model)
    matrix = vectorizer.transform(_texts(text)[1])
    if not estimator.fit_intercept:
        matrix = with_bias(matrix)
    sys.stdout.write("\n".join(estimator.predict(matrix)) + "\n")


# The kinds of OntoNotes that Universal NER has, too; chosen, as is the trimming, on EWT's development part.
_KINDS = {"PERSON": "PER", "ORG": "ORG", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC"}


def spacy_annotate(model: str, text: str, silent: str = "") -> None:
    import spacy

    nlp = spacy.load(model)
    for doc in nlp.pipe(_paragraphs(text)):
        if silent:
            continue
        names = _names(doc)
        for sentence in doc.sents:
            words = [token for token in sentence if not token.is_space]
            for number, token in enumerate(words, 1):
                cells = [number, token.text, token.lemma_, token.pos_, token.tag_, str(token.morph) or "_"]
                sys.stdout.write("\t".join(map(str, [*cells, "_", "_", "_", names.get(token.i, "_")])) + "\n")
            sys.stdout.write("\n" if words else "")


def _names(doc: Any) -> dict[int, str]:
    """Return names by their words, without the articles and possessives at their ends that OntoNotes takes along."""
    found = {}
    for name in doc.ents:
        words = [token for token in name if not token.is_space]
        if words and words[0].lower_ in ("the", "a", "an"):
            del words[0]
        if words and words[-1].tag_ == "POS":
            words.pop()
        if name.label_ in _KINDS:
            for prefix, token in zip("B" + "I" * len(words), words, strict=False):
                found[token.i] = f"NER={prefix}-{_KINDS[name.label_]}"
    return found


def sapwood_annotate(model: str, text: str, silent: str = "") -> None:
    import sapwood

    for doc in sapwood.load(model).pipe(_paragraphs(text)):
        if not silent:
            sys.stdout.write(doc.to_conllu())


def _paragraphs(path: str) -> list[str]:
    """Return the paragraphs of a text, which a blank line ends."""
    return Path(path).read_text(encoding="utf-8").split("\n\n")


_COMMANDS = {
    "sapwood-annotate": sapwood_annotate,
    "spacy-annotate": spacy_annotate,
    "crfsuite-train": crfsuite_train,
    "crfsuite-tag": crfsuite_tag,
    "nltk-train": nltk_train,
    "nltk-tag": nltk_tag,
    "udpipe-train": udpipe_train,
    "udpipe-parse": udpipe_parse,
    "udpipe-annotate": udpipe_annotate,
    "sklearn-train": sklearn_train,
    "sklearn-classify": sklearn_classify,
}

if __name__ == "__main__":
    _COMMANDS[sys.argv[1]](*sys.argv[2:])
