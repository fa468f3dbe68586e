"""What the tests of the page and the API share: models of every kind, and a client without a network."""

import json

from starlette.testclient import TestClient

from sapwood.web.app import application
from sapwood.web.limits import Limits

TEXT = "A helt bungs. The 2 helt sing!"


def client_of(models, raised=True, **limits):
    """A client of a server with these models."""
    return TestClient(application(models, Limits(**limits)), raise_server_exceptions=raised)


def lines_of(response):
    return [json.loads(line) for line in response.text.splitlines()]
