"""Tools for the tests of the page and the API: a client without a network, and a model that waits."""

import json
import threading
from types import SimpleNamespace

from processes import HANG
from starlette.testclient import TestClient

from sapwood.model.base import Model
from sapwood.model.records import Records, as_lines, sentence_record
from sapwood.web.app import application
from sapwood.web.limits import Limits

TEXT = "A helt bungs. The 2 helt sing!"


def client_of(models, raised=True, **limits):
    """A client of a server with these models."""
    return TestClient(application(models, Limits(**limits)), raise_server_exceptions=raised)


def lines_of(response):
    return [json.loads(line) for line in response.text.splitlines()]


class SlowRecords(Records):
    """A word, once its model is let go."""

    inputs = ("tokens", "columns")
    format = "columns"

    def _written(self, data, kind, format, confidence):
        self._model.begun.release()
        assert self._model.go.wait(HANG)
        yield as_lines([sentence_record("word", ["word"], {"label": "X"})])


class Slow(Model):
    """A tagger of words that says nothing until it is let go."""

    task, _noun, _records_type = "tag", "sleeper", SlowRecords
    contents = SimpleNamespace(learned="patience")

    def __init__(self):
        self.model_ = SimpleNamespace(task="tag", provenance={})
        self.familiarity_ = SimpleNamespace(with_listener=lambda on_warning, **others: None)
        self.labels_ = ["X"]
        self.go, self.begun = threading.Event(), threading.Semaphore(0)
