"""What others give and set before a component for spaCy works: words, norms, sentences, hooks; and what fails."""

import re
import warnings

from heard import heard

import sapwood
from kinds import kind
from kinds.spacy_habits import SPACY, given, pipeline, refuses, texts

if SPACY:
    import spacy
    from spacy.matcher import Matcher
    from spacy.tokens import Doc, SpanGroup

    from sapwood.errors import SapwoodError


def no_hook(*given):
    return None


class ByBlanks:
    def __init__(self, vocab):
        self.vocab = vocab

    def __call__(self, text):
        words = text.split(" ")
        return Doc(self.vocab, words=words, spaces=[True] * (len(words) - 1) + [False])


def by_blanks():
    nlp = spacy.blank("en")
    nlp.tokenizer = ByBlanks(nlp.vocab)
    nlp.add_pipe("sapwood")
    return nlp


def special_case():
    nlp = spacy.blank("en")
    nlp.tokenizer.add_special_case("don't", [{"ORTH": "don't"}])
    nlp.add_pipe("sapwood")
    return nlp


@kind("words that are given")
def words():
    if not SPACY:
        return
    rows = ["I can't go .", "cannot do", "well-known don't it's", "gimme that", "U.S.A., e.g. this"]
    for row in rows:
        for way, made in {
            "with spaces": lambda row: pipeline()(given(row.split())),
            "in a stream": lambda row: next(iter(pipeline().pipe([given(row.split())]))),
            "by a tokenizer": lambda row: by_blanks()(row),
            "without spaces": lambda row: pipeline()(Doc(pipeline().vocab, words=row.split())),
        }.items():
            yield (
                f"{row}, {way}",
                lambda folder, row=row, made=made: (
                    texts(doc := made(row)) == row.split()
                    and all(token.pos_ for token in doc)
                    and doc.has_annotation("DEP")
                ),
            )
    yield "special cases", lambda folder: texts(special_case()("I don't know.")) == ["I", "don't", "know", "."]
    yield "spaCy's own give way", lambda folder: texts(pipeline()("I can't."))[1:3] == ["ca", "n't"]
    yield (
        "sentences are found",
        lambda folder: (
            texts(pipeline()(given(["I", "can't", "go", ".", "Why", "not", "?"])).sents)
            == ["I can't go .", "Why not ?"]
        ),
    )


@kind("norms of exceptions")
def norms():
    if not SPACY:
        return
    for text in ("She didn't.", "I can't go", "They won't come.", "She isn’t here", "He didn't, and won't."):
        yield (
            text,
            lambda folder, text=text: (
                len(matched(pipeline(), [{"NORM": "not"}], text)) == len(re.findall("n['’]t", text))
            ),
        )
    yield "ca", lambda folder: texts(matched(pipeline(), [{"NORM": "can"}, {"NORM": "not"}], "I can't.")) == ["can't"]
    yield "will", lambda folder: texts(matched(pipeline(), [{"NORM": "will"}], "He'll go.")) == ["'ll"]
    yield "set by hand", lambda folder: norm_by_hand()
    yield (
        "in a stream",
        lambda folder: [token.norm_ for token in next(iter(pipeline().pipe(["I can't"])))] == ["i", "can", "not"],
    )


def matched(nlp, pattern, text):
    matcher = Matcher(nlp.vocab)
    matcher.add("x", [pattern])
    return matcher(nlp(text), as_spans=True)


def norm_by_hand():
    doc = pipeline().make_doc("Colour, that can't fade.")
    doc[0].norm_ = "color"
    return pipeline()(doc)[0].norm_ == "color"


@kind("what was set before")
def set_before():
    if not SPACY:
        return
    for text in ("It can't be Ann in London.", "Ann left Rome."):
        yield (
            f"{text}: hooks",
            lambda folder, text=text: kept(
                text,
                lambda doc: doc.user_hooks.update(similarity=no_hook),
                lambda doc: "similarity" in doc.user_hooks,
            ),
        )
        yield (
            f"{text}: hooks of tokens",
            lambda folder, text=text: kept(
                text,
                lambda doc: doc.user_token_hooks.update(vector=no_hook),
                lambda doc: "vector" in doc.user_token_hooks,
            ),
        )
        yield (
            f"{text}: sentiment",
            lambda folder, text=text: kept(
                text, lambda doc: setattr(doc, "sentiment", 0.5), lambda doc: doc.sentiment == 0.5
            ),
        )
        yield (
            f"{text}: tensor",
            lambda folder, text=text: kept_or_said(
                text, lambda doc: setattr(doc, "tensor", [[1.0]] * len(doc)), lambda doc: len(doc.tensor) == len(doc)
            ),
        )
        yield (
            f"{text}: attributes of span groups",
            lambda folder, text=text: kept(
                text,
                lambda doc: doc.spans.update(a=SpanGroup(doc, name="b", attrs={"k": 1}, spans=[doc[0:1]])),
                lambda doc: (doc.spans["a"].name, doc.spans["a"].attrs, len(doc.spans["a"])) == ("b", {"k": 1}, 1),
            ),
        )
        yield (
            f"{text}: a blocked name",
            lambda folder, text=text: kept(
                text,
                lambda doc: doc.set_ents([], blocked=[word(doc, "Ann")], default="unmodified"),
                lambda doc: "Ann" not in texts(doc.ents) and word(doc, "Ann")[0].ent_iob_ == "B" and len(doc.ents) == 1,
            ),
        )
        yield (
            f"{text}: a blocked name, given tokens",
            lambda folder, text=text: kept(
                text,
                lambda doc: doc.set_ents([], blocked=[word(doc, "Ann")], default="unmodified"),
                lambda doc: "Ann" not in texts(doc.ents) and word(doc, "Ann")[0].ent_iob_ == "B",
                tokens="given",
            ),
        )
        yield (
            f"{text}: a sentence start",
            lambda folder, text=text: kept(
                text,
                lambda doc: setattr(word(doc, "Ann")[0], "is_sent_start", True) if doc[0].text != "Ann" else None,
                lambda doc: word(doc, "Ann")[0].is_sent_start,
            ),
        )
        yield (
            f"{text}: a custom attribute of a token",
            lambda folder, text=text: kept_or_said(
                text,
                lambda doc: doc.user_data.update({("._.", "x", doc[1].idx, None): 1}),
                lambda doc: ("._.", "x", doc[1].idx, None) in doc.user_data,
            ),
        )
    two = "Ann left. Bob stayed."
    yield (
        "no sentence start",
        lambda folder: kept(
            two, lambda doc: setattr(doc[3], "is_sent_start", False), lambda doc: len([*doc.sents]) == 1
        ),
    )
    yield (
        "no sentence start, given tokens",
        lambda folder: kept(
            two, lambda doc: setattr(doc[3], "is_sent_start", False), lambda doc: len([*doc.sents]) == 1, tokens="given"
        ),
    )
    yield (
        "all sentence starts",
        lambda folder: kept(
            two,
            lambda doc: [setattr(token, "is_sent_start", token.i == 1) for token in doc],
            lambda doc: texts(doc.sents) == ["Ann", "left. Bob stayed."],
        ),
    )
    yield (
        "a start inside of a token",
        lambda folder: said("gonna go.", lambda doc: setattr(doc[1], "is_sent_start", True), "cannot"),
    )


def word(doc, text):
    [found] = [token.i for token in doc if token.text == text]
    return doc[found : found + 1]


def kept(text, change, right, **config):
    nlp = pipeline(**config)
    doc = nlp.make_doc(text)
    change(doc)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return right(nlp(doc))


def kept_or_said(text, change, right):
    doc = pipeline().make_doc(text)
    change(doc)
    made, said = heard(lambda: pipeline()(doc))
    return right(made) or "lost" in " ".join(said)


def said(text, change, other):
    """Whether a start that falls into a token is warned of, if the model's tokens are others than spaCy's."""
    doc = pipeline().make_doc(text)
    change(doc)
    made, messages = heard(lambda: pipeline()(doc))
    return doc[1].idx in [token.idx for token in made] or "sentence start" in " ".join(messages)


@kind("texts that fail")
def failing():
    if not SPACY:
        return
    for name, batch, bad in (
        ("in the middle", 1000, [5]),
        ("first", 1000, [0]),
        ("last, small batches", 3, [10]),
        ("several", 1000, [1, 2, 9]),
        ("all", 4, [*range(11)]),
    ):
        for part in ([], ["segment"]):
            yield (
                f"{name}, {part}",
                lambda folder, batch=batch, bad=bad, part=part: others_are_done(batch, bad, part),
            )
    yield (
        "without a handler",
        lambda folder: refuses(lambda: [*spacy_with().pipe(["Ann left.", "a\0b"])], SapwoodError, "NUL"),
    )


def spacy_with(parts=()):
    nlp = spacy.blank("en")
    nlp.add_pipe("sapwood", config={"parts": list(parts)})
    return nlp


def others_are_done(batch, bad, parts):
    nlp = spacy_with(parts)
    failed = []
    nlp.set_error_handler(lambda name, component, docs, error: failed.extend(doc.text for doc in docs))
    texts_of_stream = [f"Text {k} is short." if k not in bad else f"{k}\0" for k in range(11)]
    found = texts(nlp.pipe(texts_of_stream, batch_size=batch))
    good = [text for text in texts_of_stream if "\0" not in text]
    return found == good and failed == [text for text in texts_of_stream if "\0" in text]


@kind("documents joined")
def joined():
    if not SPACY:
        return
    pieces = {
        "several words in one": ["She didn't go.", "We can't see."],
        "one of them plain": ["A dog barks.", "We can't see it."],
        "the other one plain": ["We can't see it.", "A dog barks."],
        "paragraphs": ["One.\n\nTwo don't.", "Three isn't."],
        "three": ["I won't.", "You don't.", "He can't."],
        "space at the end": ["I won't. ", "You don't.\n"],
    }
    for name, some in pieces.items():
        yield name, lambda folder, some=some: nothing_lost(pipeline(), some)
    yield "words that are not in the text", lambda folder: french_twice()
    yield "twice", lambda folder: twice()


def conllu(doc):
    return [line for line in sapwood.Doc.from_spacy(doc).to_conllu().split("\n") if line[:1].isdigit()]


def of_text(row):
    """Return a row of CoNLL-U but for MISC, where the space at the end of a text is."""
    return row.rpartition("\t")[0]


def nothing_lost(nlp, some):
    docs = [nlp(text) for text in some]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = Doc.from_docs(docs)
    again = Doc(nlp.vocab).from_bytes(whole.to_bytes())
    rows = [of_text(row) for doc in docs for row in conllu(doc)]
    return [*map(of_text, conllu(whole))] == [*map(of_text, conllu(again))] == rows


def french():
    from documents import french as document

    return sapwood.Doc(document())


def french_twice():
    nlp = spacy.blank("fr")
    docs = [french().to_spacy(nlp) for _ in range(2)]
    rows = [of_text(row) for row in french().to_conllu().split("\n") if row[:1].isdigit()]
    return [*map(of_text, conllu(Doc.from_docs(docs)))] == rows * 2 and any("3-4\tdu" in row for row in rows)


def twice():
    docs = [pipeline()(text) for text in ("I won't.", "You don't.", "He can't.")]
    whole = Doc.from_docs([Doc.from_docs(docs[:2]), docs[2]])
    return [*map(of_text, conllu(whole))] == [of_text(row) for doc in docs for row in conllu(doc)]
