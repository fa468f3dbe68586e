"""Models in memory, of which the core makes what they hold: flaws that the reading of files does not let through."""

import pytest

from sapwood import _core
from sapwood.errors import ModelError
from sapwood.model.file.schema import ModelFile


def model(**fields):
    return ModelFile(
        **{"task": "classify", "labels": ["a", "b"], "template": "C:%x[0,0]\n", "columns": ["word", "label"]}
        | {"label": 1, "options": {"fields": []}, "bits": 8}
        | fields
    )


def test_a_label_behind_the_columns_is_refused():
    _core.DocumentFeatures(model())
    with pytest.raises(ModelError, match=r"^the label is not one of the columns$"):
        _core.DocumentFeatures(model(label=1 << 40))


def test_options_that_no_header_has_are_refused_where_they_would_stand():
    with pytest.raises(ModelError, match=r"^'options' in its header has text that is not Unicode$"):
        _core.DocumentFeatures(model(options={"fields": ["\udcff"]}))
