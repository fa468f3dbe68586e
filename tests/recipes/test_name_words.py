"""Words of names in lists, as a lexicon."""

import pytest

from recipes.en import name_words as module
from recipes.en.name_words import name_words
from sapwood import DataError

LISTS = {
    "given_names_us_census_female": "Mary\nJordan\nZyx\n",
    "surnames_us_census": "Smith\nJordan\n",
    "cities_geonames": "Paris\nNew York\n’s-Graveland\n",
    "companies_sp500": "3M\nAdobe Inc.\nAES Corporation\nBest Buy\n",
    "countries_geonames": "Jordan\n\n",
}
COMMON = ["mary", "Jordan", "SMITH", "Paris", "New", "York", "3m", "adobe", "AES", "best", "’s-graveland"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "gazetteers").mkdir()
    for lists in module._LISTS.values():
        for name in lists:
            (tmp_path / "gazetteers" / f"{name}.txt").write_text(LISTS.get(name, "Xan Xin\n"))
    return tmp_path


def test_a_word_has_a_tag_for_every_list_that_it_is_in(folder):
    found = [(form, tag) for form, tag, lemmas in name_words(folder, COMMON)]
    assert [tag for form, tag in found if form == "jordan"] == ["COUNTRY", "FIRST", "LAST"]
    assert {form for form, _ in found} == {"mary", "jordan", "smith", "paris", "adobe", "aes"}
    assert found == sorted(found)


def test_without_common_words_all_words_of_the_lists_are_taken(folder):
    found = {form for form, _, _ in name_words(folder)}
    assert found == {"mary", "jordan", "zyx", "smith", "paris", "adobe", "aes"}


def test_of_lists_by_frequency_the_first_lines_count(folder, monkeypatch):
    monkeypatch.setitem(module._LISTS["FIRST"], "given_names_us_census_female", 1)
    assert [form for form, tag, _ in name_words(folder, COMMON) if tag == "FIRST"] == ["mary"]


def test_a_missing_list_is_named(folder):
    (folder / "gazetteers" / "cities_geonames.txt").unlink()
    with pytest.raises(DataError, match=r"no gazetteers/cities_geonames\.txt here"):
        name_words(folder, COMMON)
