"""A pytest plugin for spaCy's own tests: where they ask for one of spaCy's components, they get one of sapwood's.

    pytest -p spacy_in_place --outcomes FILE --pyargs spacy.tests.pipeline.test_pipe_methods

To FILE goes, for each test, its name, its outcome, how many of sapwood's components it made, and the error, as JSON.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("spacy")

from spacy.language import Language
from spacy.util import registry

from sapwood.spacy.components import SapwoodPipe

IN_PLACE = {
    "tagger": ["tag"],
    "morphologizer": ["tag"],
    "parser": ["parse"],
    "ner": ["entities"],
    "senter": ["segment"],
    "sentencizer": ["segment"],
    "trainable_lemmatizer": ["lemmatize"],
    "textcat": [],
}


class WithLabels(SapwoodPipe):
    """A component that does not mind being given labels, as spaCy's tests do first; it has those of its model."""

    made = 0

    def add_label(self, label):
        return 0


def _factory(ours):
    def make(nlp: Language, name: str, model: str | None, parts: list[str], tokens: str, threads: int):
        WithLabels.made += 1
        made = ours(nlp=nlp, name=name, model=model, parts=parts, tokens=tokens, threads=threads)
        return WithLabels(name, made.model, tokens, threads)

    return make


def pytest_addoption(parser):
    parser.addoption("--outcomes")


def pytest_collection_finish():
    """Only now: spaCy registers its own components by the first pipeline, and as its tests are imported."""
    Language()
    meta = Language.get_factory_meta("sapwood")
    for theirs, parts in IN_PLACE.items():
        registry.factories.register(theirs, func=_factory(registry.factories.get("sapwood")))
        settings = meta.default_config | {
            "model": "en",
            "parts": parts,
        }  # also in pipelines of other languages, or of none
        Language.set_factory_meta(theirs, replace(meta, factory=theirs, default_config=settings))


def pytest_runtest_setup():
    WithLabels.made = 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" or report.outcome != "passed":
        error = call.excinfo.exconly().strip() if call.excinfo else ""
        name = item.nodeid.rpartition("spacy/tests/")[2]
        line = json.dumps([name, report.outcome, WithLabels.made, error])
        with Path(item.config.getoption("--outcomes")).open("a", encoding="utf-8") as file:
            file.write(line + "\n")
    return report
