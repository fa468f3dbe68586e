"""Sentences recast in capitals, in small letters, and without a final mark."""

from collections import Counter

import pytest

from recipes.en.recast import SHARES, recast
from sapwood import _core

ROWS = (
    "1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t_\t_",
    "2\tsleeps\tsleep\tVERB\tVBZ\t_\t0\troot\t_\tP=80|SpaceAfter=No",
    "3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\tP=90",
)


def treebank(*sentences):
    return _core.Conllu.read(("\n\n".join("\n".join(rows) for rows in sentences) + "\n\n").encode(), "data")


def test_words_change_and_answers_stay():
    data = treebank(["# sent_id = a", "# text = Ann sleeps.", *ROWS])
    for writing, forms in (("capitals", ["ANN", "SLEEPS", "."]), ("small letters", ["ann", "sleeps", "."])):
        changed = recast(data, {writing: 1.0})
        assert changed.column("form") == [forms]
        for column in ("lemma", "upos", "xpos", "head", "deprel", "misc"):
            assert changed.column(column) == data.column(column)
        assert b"# sent_id = a" in changed.replace({})
        assert b"# text" not in changed.replace({})


def test_a_final_mark_goes_with_the_note_about_the_space_before_it():
    changed = recast(treebank(ROWS), {"no final mark": 1.0})
    assert changed.column("form") == [["Ann", "sleeps"]]
    assert changed.column("misc") == [["_", "P=80"]]
    assert changed.trees(False)[0][0] == [2, 0]


@pytest.mark.parametrize(
    "rows",
    [
        ROWS[:2],  # no mark
        ("1\t!\t!\tPUNCT\t.\t_\t0\troot\t_\t_",),  # nothing else
        ("# text = !", "1\t!\t!\tPUNCT\t.\t_\t_\t_\t_\t_"),  # nothing else, and no tree
        (
            "1-2\tOk!\t_\t_\t_\t_\t_\t_\t_\t_",
            "1\tOk\tok\tINTJ\tUH\t_\t0\troot\t_\t_",
            "2\t!\t!\tPUNCT\t.\t_\t1\tx\t_\t_",
        ),
        ("1\tNo\tno\tINTJ\tUH\t_\t2\tx\t_\t_", "2\t!\t!\tPUNCT\t.\t_\t0\troot\t_\t_"),  # the mark has a child
    ],
)
def test_other_sentences_keep_their_end(rows):
    data = treebank(rows)
    assert recast(data, {"no final mark": 1.0}).column("form") == data.column("form")


def test_tokens_of_several_words_change_as_their_words_do():
    rows = [
        "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
        *("1\tdo\tdo\tAUX\tVB\t_\t0\troot\t_\t_", "2\tn't\tnot\tPART\tRB\t_\t1\tx\t_\t_"),
    ]
    assert b"1-2\tDON'T\t" in recast(treebank(rows), {"capitals": 1.0}).replace({})


def test_shares_are_kept_and_the_draw_is_the_same_each_time():
    data = treebank(*[ROWS] * 400)
    changed = recast(data, SHARES)
    kinds = Counter(forms[0] + forms[-1] for forms in changed.column("form"))
    for kind, share in (
        ("ANN.", SHARES["capitals"]),
        ("ann.", SHARES["small letters"]),
        ("Annsleeps", SHARES["no final mark"]),
    ):
        assert abs(kinds[kind] / 400 - share) < 0.06
    assert sum(kinds.values()) - kinds["Ann."] == sum(kinds[kind] for kind in ("ANN.", "ann.", "Annsleeps"))
    assert recast(data, SHARES).replace({}) == changed.replace({})
    assert recast(data, SHARES, seed=2).replace({}) != changed.replace({})
    assert recast(data, {}).column("form") == data.column("form")
