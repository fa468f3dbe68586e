"""spaCy's habits: what its users do with documents and pipelines. Nothing is tried where spaCy is not installed."""

import functools
import importlib.util
import pickle
import re

from kinds import kind

SPACY = importlib.util.find_spec("spacy") is not None
if SPACY:
    import spacy
    from spacy.matcher import PhraseMatcher
    from spacy.tokens import Doc, DocBin

    from sapwood.errors import SapwoodError


@functools.cache
def pipeline(language="en", component="sapwood", **config):
    nlp = spacy.blank(language)
    nlp.add_pipe(component, config=config)
    return nlp


def given(words, nlp=None, **attributes):
    """Return a document of words, each but the last with a space behind it."""
    spaces = [True] * (len(words) - 1) + [False]
    return Doc((nlp or pipeline()).vocab, words=words, spaces=spaces, **attributes)


def texts(spans):
    return [span.text for span in spans]


PLAIN = {
    "The farmer sold the old horse.": ["The farmer", "the old horse"],
    "My sister's teacher bought a small house.": ["My sister's teacher", "a small house"],
    "The cat saw a big dog and a mouse.": ["The cat", "a big dog", "a mouse"],
    "The letter was written by Mary Jones.": ["The letter", "Mary Jones"],
    "Peter is a good doctor.": ["Peter", "a good doctor"],
}


@kind("noun chunks")
def noun_chunks():
    if not SPACY:
        return
    for text, chunks in PLAIN.items():
        yield text, lambda folder, text=text, chunks=chunks: texts(pipeline()(text).noun_chunks) == chunks
        yield (
            f"our own: {text}",
            lambda folder, text=text, chunks=chunks: (
                texts(pipeline().get_pipe("sapwood").pipeline(text).noun_chunks) == chunks
            ),
        )
    text, chunks = next(iter(PLAIN.items()))
    ways = {
        "of a stream": lambda: next(iter(pipeline().pipe([text]))),
        "of tokens of spaCy": lambda: pipeline(tokens="given")(text),
        "of a document made before the component": lambda: late(text),
        "of another language": lambda: pipeline("xx", model="en")(text),
        "of documents joined": lambda: Doc.from_docs([pipeline()(text)] * 2),
        "of a document saved in a bin": lambda: next(DocBin(docs=[pipeline()(text)]).get_docs(pipeline().vocab)),
        "of a document as bytes": lambda: Doc(pipeline().vocab).from_bytes(pipeline()(text).to_bytes()),
        "of a pickled document": lambda: pickle.loads(pickle.dumps(pipeline()(text))),
        "of a copy": lambda: pipeline()(text).copy(),
        "of a sentence as a document": lambda: next(pipeline()(text).sents).as_doc(),
        "of a document of ours": lambda: pipeline().get_pipe("sapwood").pipeline(text).to_spacy(spacy.blank("en")),
        "with spaCy's words for labels": lambda: pipeline(labels="spacy")(text),
    }
    for name, made in ways.items():
        yield name, lambda folder, made=made: texts(made().noun_chunks)[:2] == chunks
    yield "of a span", lambda folder: texts(pipeline()(text)[2:].noun_chunks) == chunks[1:]
    yield "by the rule itself", lambda folder: by_the_rule(text) == [[(0, 2)], [(0, 2), (3, 6)]]
    yield "merged", lambda folder: merged(text) == ["The farmer", "sold", "the old horse", "."]
    yield (
        "of space",
        lambda folder: texts(pipeline()("The  farmer sold\nthe old horse.").noun_chunks)[0] == "The  farmer",
    )
    yield "of an empty text", lambda folder: texts(pipeline()("").noun_chunks) == []
    yield "without a tree", lambda folder: raises(lambda: [*pipeline().make_doc("A dog.").noun_chunks])
    yield (
        "of a tree of spaCy's English parser",
        lambda folder: (
            texts(
                given(
                    ["the", "man", "in", "the", "car"],
                    pos=["DET", "NOUN", "ADP", "DET", "NOUN"],
                    heads=[1, 1, 1, 4, 2],
                    deps=["det", "ROOT", "prep", "det", "pobj"],
                ).noun_chunks
            )
            == ["the man", "the car"]
        ),
    )
    yield "a rule of somebody's own stays", lambda folder: own_rule()


def late(text):
    nlp = spacy.blank("en")
    doc = nlp.make_doc(text)
    nlp.add_pipe("sapwood", config={"tokens": "given"})
    return nlp(doc)


def by_the_rule(text):
    doc = pipeline()(text)
    found = doc.vocab.get_noun_chunks(doc[0:5]), doc.noun_chunks_iterator(doc)
    return [[row[:2] for row in rows] for rows in found]


def merged(text):
    nlp = spacy.blank("en")
    nlp.add_pipe("sapwood")
    nlp.add_pipe("merge_noun_chunks")
    return texts(nlp(text))


def no_chunks(doc):
    return iter(())


def own_rule():
    nlp = spacy.blank("en")
    nlp.vocab.get_noun_chunks = no_chunks
    nlp.add_pipe("sapwood")
    return texts(nlp("A dog barks.").noun_chunks) == []


def raises(call):
    try:
        call()
    except ValueError:  # spaCy's own, of several lines
        return True
    return False


def refuses(call, error, message=""):
    try:
        call()
    except error as found:
        return re.search(message, str(found)) is not None and "\n" not in str(found)
    return False


@kind("spaCy's words for labels")
def labels():
    if not SPACY:
        return
    names = {
        "Barack Obama left.": ("Barack Obama", "PERSON"),
        "She lives in Germany.": ("Germany", "GPE"),
        "She lives in the U.S. now.": ("U.S.", "GPE"),
        "We met in São Paulo.": ("São Paulo", "GPE"),
        "They sailed across the Atlantic.": ("Atlantic", "LOC"),
        "He works for Microsoft.": ("Microsoft", "ORG"),
    }
    for text, name in names.items():
        yield (
            text,
            lambda folder, text=text, name=name: (
                [(each.text.removeprefix("the "), each.label_) for each in pipeline(labels="spacy")(text).ents]
                == [name]
            ),
        )
    relations = {
        "dobj": ("She saw the dog.", "dog"),
        "nsubjpass": ("The dog was seen.", "dog"),
        "auxpass": ("The dog was seen.", "was"),
        "neg": ("She did not see it.", "not"),
        "poss": ("Her dog barks.", "Her"),
        "dative": ("She gave him a book.", "him"),
        "relcl": ("The book that I read was good.", "read"),
    }
    for relation, (text, word) in relations.items():
        yield (
            relation,
            lambda folder, relation=relation, text=text, word=word: (
                [token.dep_ for token in pipeline(labels="spacy")(text) if token.text == word] == [relation]
            ),
        )
    yield (
        "heads stay",
        lambda folder: (
            [token.head.i for token in pipeline(labels="spacy")(TEXT)] == [token.head.i for token in pipeline()(TEXT)]
        ),
    )
    yield (
        "labels of the component",
        lambda folder: (
            {"PERSON", "GPE", "LOC", "dobj", "nsubjpass", "ROOT"}
            <= set((found := pipeline(labels="spacy")).get_pipe("sapwood").labels) - {"PER", "obj"}
            and found.pipe_labels["sapwood"] == list(found.get_pipe("sapwood").labels)
        ),
    )
    yield (
        "labels of the model",
        lambda folder: {"PER", "LOC", "obj", "nsubj:pass"} <= set(pipeline().get_pipe("sapwood").labels),
    )
    yield "parts, one by one", lambda folder: part_by_part()
    yield "saved and loaded", lambda folder: saved(folder)
    yield "another word", lambda folder: refuses(lambda: pipeline(labels="clear"), SapwoodError, "one of own, spacy")


TEXT = "Ann Smith was given a dog by Peter in Paris, and she didn't want it."


def part_by_part():
    nlp = spacy.blank("en")
    nlp.add_pipe("sapwood", config={"parts": ["segment", "tag"]})
    for part in ("parse", "entities"):
        nlp.add_pipe("sapwood", name=part, config={"parts": [part], "labels": "spacy"})
    doc, whole = nlp(TEXT), pipeline(labels="spacy")(TEXT)
    return [(t.dep_, t.ent_type_) for t in doc] == [(t.dep_, t.ent_type_) for t in whole]


def saved(folder):
    nlp = pipeline(labels="spacy")
    nlp.to_disk(folder / "nlp")
    again = spacy.load(folder / "nlp")
    copy = pickle.loads(pickle.dumps(nlp.get_pipe("sapwood")))
    docs = [nlp(TEXT), again(TEXT), copy(nlp.make_doc(TEXT))]
    return again.config == nlp.config and len({tuple((t.dep_, t.ent_type_) for t in doc) for doc in docs}) == 1


@kind("languages without a model")
def languages():
    if not SPACY:
        return
    for language in ("da", "fi", "nl", "xx", "zh"):
        yield (
            language,
            lambda folder, language=language: refuses(
                lambda: spacy.blank(language).add_pipe("sapwood"), SapwoodError, f"'{language}'.*model"
            ),
        )
    yield (
        "a part",
        lambda folder: refuses(
            lambda: spacy.blank("nl").add_pipe("sapwood", config={"parts": ["tag"]}), SapwoodError, "'nl'"
        ),
    )
    yield (
        "the tokenizer",
        lambda folder: refuses(
            lambda: spacy.blank("nl", config={"nlp": {"tokenizer": {"@tokenizers": "sapwood.Tokenizer.v1"}}}),
            SapwoodError,
            "'nl'",
        ),
    )
    yield "a model that is named", lambda folder: len(pipeline("nl", model="en")("Two words.")) == 3
    yield "one to be trained", lambda folder: spacy.blank("nl").add_pipe("sapwood", config={"model": None}) is not None


@kind("patterns of phrases")
def phrases():
    if not SPACY:
        return
    tokenizer = {"@tokenizers": "sapwood.Tokenizer.v1"}
    for phrase in ("don't know", "state-of-the-art", "New York", "can't", "e-mail", "U.S. Army"):
        yield (
            phrase,
            lambda folder, phrase=phrase: (
                phrase in texts(phrase_matches(spacy.blank("en", config={"nlp": {"tokenizer": tokenizer}}), phrase))
            ),
        )


def phrase_matches(nlp, phrase):
    nlp.add_pipe("sapwood")
    matcher = PhraseMatcher(nlp.vocab)
    matcher.add("x", [nlp.make_doc(phrase)])
    return matcher(nlp(f"We say {phrase} here."), as_spans=True)
