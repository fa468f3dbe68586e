"""Records with the lists of a treebank, as data sets of Universal Dependencies have them: which list has the labels."""

import json
import warnings

import pytest

from sapwood import SapwoodWarning
from sapwood.io.token_records import columns_of_records

LISTS = {
    "tokens": ["Ada", "ran"],
    "lemmas": ["Ada", "run"],
    "upos": ["PROPN", "VERB"],
    "head": ["2", "0"],
    "deprel": ["nsubj", "root"],
    "misc": ["None", "SpaceAfter=No"],
}


def rows(record, *, named=False):
    return columns_of_records(json.dumps(record).encode(), "train.jsonl", named=named)


def test_it_is_said_that_misc_would_be_the_label_and_how_upos_is():
    with pytest.warns(SapwoodWarning, match=r"from 'misc'.*--columns word,_,label,_,_,_ takes 'upos'"):
        assert rows(LISTS).width == 6


@pytest.mark.parametrize("change", ["named", "deprel is last", "no treebank"])
def test_nothing_is_said_where_the_label_may_be_meant(change):
    record = dict(LISTS)
    if change == "deprel is last":
        del record["misc"]
    if change == "no treebank":
        del record["head"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rows(record, named=change == "named").width == len(record)
