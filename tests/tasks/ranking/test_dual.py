"""Rerankers in dual form: kernels end to end, votes, memory, the commands."""

import random

import pytest
from reranking import as_features, as_heads, as_labels, attachments
from tiny import train_tiny

from sapwood import DataError, OptionError, Reranker, load
from sapwood.events import MemoryNeeded, Started
from sapwood.io.lists import Candidate, CandidateList, format_list

CASES = [
    ({"kernel": "tree"}, attachments),
    ({"kernel": "tree", "voted": True, "decay": 0.2}, attachments),
    ({"kernel": "tree", "average": False}, attachments),
    ({"kernel": "subsequence", "length": 2}, lambda n, s: as_labels(attachments(n, s))),
    ({"kernel": "subsequence", "length": 3, "voted": True}, attachments),
    ({"kernel": "subsequence", "length": 2, "update": "pa"}, lambda n, s: as_heads(attachments(n, s))),
    ({"kernel": "subsequence", "length": 0, "decay": 1.0}, lambda n, s: as_labels(attachments(n, s))),
    ({"kernel": "subsequence", "length": 0, "normalise": False}, lambda n, s: as_labels(attachments(n, s))),
    ({"kernel": "tree", "decay": 1.0, "normalise": False, "voted": True}, attachments),
    ({"kernel": "tree", "normalise": False, "update": "pa"}, attachments),
    ({"kernel": "polynomial", "normalise": False}, lambda n, s: as_features(attachments(n, s))),
    ({"kernel": "polynomial"}, lambda n, s: as_features(attachments(n, s))),
    ({"kernel": "polynomial", "voted": True, "update": "perceptron"}, lambda n, s: as_features(attachments(n, s))),
    ({"kernel": "polynomial", "update": "pa"}, attachments),
    ({"voted": True}, attachments),
]


def wrong(ranker, lists):
    return sum(each.candidates[k].loss > 0 for each, k in zip(lists, ranker.predict(lists), strict=True))


@pytest.mark.few(5)
@pytest.mark.parametrize(("options", "make"), CASES)
def test_every_kernel_learns_what_the_base_model_does_not_see(options, make, tmp_path):
    lists, test = make(60, 1), make(40, 2)
    ranker = Reranker(epochs=6, gamma=0.1, base_weight=0.1, **options).fit(lists)
    by_base = sum(each.candidates[0].loss > 0 for each in test)
    assert wrong(ranker, test) <= by_base // 4, by_base
    size = ranker.save(tmp_path / "r.sap")
    assert size == (tmp_path / "r.sap").stat().st_size
    loaded = load(tmp_path / "r.sap")
    assert loaded.rank(test) == ranker.rank(test)
    assert [loaded.rank([each])[0] for each in test] == ranker.rank(test)  # a list does not depend on those around it
    loaded.save(tmp_path / "s.sap")
    assert (tmp_path / "r.sap").read_bytes() == (tmp_path / "s.sap").read_bytes()
    Reranker(epochs=6, gamma=0.1, base_weight=0.1, cache=1, threads=2, **options).fit(lists).save(tmp_path / "t.sap")
    assert (tmp_path / "r.sap").read_bytes() == (tmp_path / "t.sap").read_bytes()
    assert {k: v for k, v in loaded.get_params().items() if k in options} == options


def test_only_support_candidates_are_kept():
    lists = attachments(60, 1)
    ranker = Reranker(kernel="tree", epochs=3, base_weight=0.1).fit(lists)
    support = ranker.support_
    texts = {c.structure for each in lists for c in each.candidates}
    assert 0 < len(support) < len(texts)
    assert set(support.content) <= texts
    assert all(support.alphas())
    assert sum(support.alphas()) == pytest.approx(0)


def test_votes_are_parts_of_a_whole():
    lists = attachments(30, 1)
    ranker = Reranker(kernel="tree", voted=True, epochs=2, base_weight=0.1).fit(lists)
    for ranked in ranker.rank(lists):
        assert sum(ranked.scores) == pytest.approx(1)
    summed = Reranker(kernel="tree", average=False, epochs=2, base_weight=0.1).fit(lists)
    last = {text: a for text, a in zip(ranker.support_.content, ranker.support_.alphas(), strict=True) if a}
    assert last == dict(zip(summed.support_.content, summed.support_.alphas(), strict=True))


def test_a_base_model_that_is_never_wrong_leaves_no_support(tmp_path):
    lists = [each for each in attachments(20, 1) if each.candidates[0].loss == 0]
    for voted in (False, True):
        ranker = Reranker(kernel="tree", voted=voted, update="perceptron").fit(lists)
        assert len(ranker.support_) == 0
        ranker.save(tmp_path / "r.sap")
        assert load(tmp_path / "r.sap").predict(lists) == [0] * len(lists)


def test_without_a_kernel_votes_are_of_the_features():
    """Trained on the same lists, the last vector of the dual form is that of the primal one."""
    chosen = random.Random(1)
    lists = [
        CandidateList(
            "features",
            [
                Candidate({f: chosen.randint(-2, 2) for f in "abc"}, -float(j), float(chosen.randint(0, 2)))
                for j in range(3)
            ],
        )
        for _ in range(20)
    ]
    options = {"update": "perceptron", "average": False, "base_weight": 1.0, "epochs": 3}
    seen = []
    for voted in (False, True):
        mistakes = []
        Reranker(voted=voted, **options).fit(
            lists, on_event=lambda e, m=mistakes: m.append(getattr(e, "mistakes", None))
        )
        seen.append([count for count in mistakes if count is not None][-1])
    assert seen[0] == seen[1] > 0


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
def test_held_out_lists_score_the_epochs():
    lists = attachments(60, 1)
    events = []
    ranker = Reranker(kernel="tree", epochs=5, patience=2, base_weight=0.1)
    ranker.fit(lists, dev=attachments(40, 2), on_event=events.append)
    assert ranker.model_.provenance["dev_score"] > 80
    (started,) = (event for event in events if isinstance(event, Started))
    assert (started.unit, started.learned) == ("lists", "support candidates")
    assert any(isinstance(event, MemoryNeeded) and event.learner > 0 for event in events)


def test_what_does_not_fit_is_refused_before_training(monkeypatch):
    lists = as_features(attachments(60, 1))
    monkeypatch.setattr("sapwood.tasks.ranking.scorers._machine_bytes", lambda: 1e6)
    monkeypatch.setattr("sapwood.tasks.ranking.scorers._used_bytes", lambda: 10**6)
    with pytest.raises(OptionError, match=r"this machine has 1: lower the cache of 512 MB, the number of candidates"):
        Reranker(kernel="polynomial").fit(lists)
    with pytest.raises(OptionError, match=r"this machine has 1: lower the number of candidates a list, or of lists"):
        Reranker(kernel="tree").fit(attachments(60, 1))
    monkeypatch.undo()
    many = [CandidateList("features", [Candidate({"a": 1}, 0.0, 0.0)] * 70_000)] * 2
    with pytest.raises(
        OptionError, match=r"cache of 1 MB does not hold two rows of 140,000 candidates: raise cache to 2"
    ):
        Reranker(kernel="polynomial", cache=1).fit(many)


REFUSED = [
    ({"kernel": "string"}, OptionError, "kernel is one of linear, tree, subsequence, polynomial"),
    ({"kernel": "tree", "decay": 0}, OptionError, "decay is a number above 0"),
    ({"kernel": "subsequence", "decay": 1e-50}, OptionError, "too small for a length of 3"),
    ({"kernel": "polynomial", "degree": 0}, OptionError, "degree is a whole number from 1"),
    ({"kernel": "polynomial", "degree": 101}, OptionError, "degree is a whole number from 1 to 100"),
    ({"kernel": "tree", "cache": 0}, OptionError, "cache is a whole number from 1"),
    ({"kernel": "tree", "min_updates": 2}, OptionError, "hash_bits, false_matches are of features"),
    ({"voted": True, "drop_below": 0.1}, OptionError, "hash_bits, false_matches are of features"),
    ({"kernel": "tree"}, DataError, "the tree kernel compares trees, and the candidates are features"),
    ({"kernel": "subsequence"}, DataError, "compares labels, heads and trees, not features"),
]


@pytest.mark.parametrize(("options", "error", "message"), REFUSED)
def test_what_no_kernel_can_compare(options, error, message):
    with pytest.raises(error, match=message):
        Reranker(**options).fit(as_features(attachments(4, 1)))


def test_a_subsequence_longer_than_every_candidate_is_refused():
    lists = as_labels(attachments(4, 1))
    Reranker(kernel="subsequence", length=4).fit(lists)
    with pytest.raises(OptionError, match="no candidate has the 5 symbols that the kernel compares: lower length"):
        Reranker(kernel="subsequence", length=5).fit(lists)


def long_labels(symbols):
    candidates = [Candidate(labels, 0.0, loss) for loss, labels in enumerate((symbols, symbols[1:]))]
    return [CandidateList("labels", candidates)]


def test_counts_that_are_too_large_name_the_decay():
    """2^n - 1 for n different symbols: a double holds 1,023 of them, what is added up without normalising 127."""
    symbols = [f"label {k}" for k in range(1024)]
    kernel = {"kernel": "subsequence", "length": 0, "decay": 1.0, "epochs": 1}
    Reranker(**kernel).fit(long_labels(symbols[1:]))
    with pytest.raises(DataError, match=r"than a number can be; lower its decay of 1$"):
        Reranker(**kernel).fit(long_labels(symbols))
    Reranker(**kernel, normalise=False).fit(long_labels(symbols[:127]))
    with pytest.raises(DataError, match=r"added up without normalising; lower its decay of 1$"):
        Reranker(**kernel, normalise=False).fit(long_labels(symbols[:129]))
    Reranker(**kernel | {"decay": 0.9}, normalise=False).fit(long_labels(symbols[:129]))


def test_only_models_that_count_say_so(tmp_path):
    lists = attachments(6, 1)
    plain, counts = Reranker(kernel="tree", epochs=1), Reranker(kernel="tree", epochs=1, normalise=False)
    assert "normalise" not in plain.fit(lists).model_.options
    assert counts.fit(lists).model_.options["normalise"] is False
    assert (plain.params.value("gamma"), counts.params.value("gamma")) == (0.03, 10.0)


def write_lists(path, lists):
    path.write_text("".join(format_list(each) for each in lists), encoding="utf-8")
    return path


def test_the_verbs_train_and_use_kernels(run_cli, tmp_path, tiny_file, tiny_model):
    train = write_lists(tmp_path / "train.jsonl", attachments(60, 1))
    test = write_lists(tmp_path / "test.jsonl", attachments(20, 2))
    model = tmp_path / "r.sap"
    run = run_cli(["train", "rank", train, "-o", model, "--kernel", "tree", "--decay", 0.3, "--epochs", 3])
    assert run.status == 0, run.err
    assert "MB at most" in run.err
    assert run.err.count("support candidates") == 4  # each epoch's, and the file's
    best = run_cli(["rank", model, test])
    assert best.status == 0, best.err
    assert best.out.count("(S (NP") == 20
    shown = run_cli(["inspect", model, "--top", 2]).out
    assert "kernel tree" in shown
    assert "support candidates, 180 lists seen" in shown
    assert "text (support candidates)" in shown
    assert shown.count("(VP (VBD saw)") == 4
    for verb in (["eval", model, tiny_file], ["tag", model, tiny_file], ["nbest", model, tiny_file, "-n", 2]):
        refused = run_cli(verb)
        assert (refused.status in (1, 2), refused.err.count("\n")) == (True, 1)
    voted = run_cli(["train", "rank", train, "-o", model, "--voted", "--quiet"])
    assert (voted.status, voted.err) == (0, "")
    assert "support candidates" in run_cli(["inspect", model, "--top", 1]).out
    (tmp_path / "empty").touch()
    for verb in (
        ["eval", model, tmp_path / "empty"],
        ["train", "rank", train, "-o", model, "--dev", tmp_path / "empty"],
    ):
        refused = run_cli(verb)
        assert (refused.status, refused.err) == (
            1,
            f"sapwood: {tmp_path / 'empty'}: there is no list of candidates to score\n",
        )
    small = run_cli(["train", "rank", train, "-o", model, "--kernel", "tree", "--cache", 0])
    assert (small.status, small.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("kernel", ["linear", "tree", "polynomial"])
def test_parameters_that_change_after_fitting(kernel):
    lists = attachments(12, 1)
    ranker = Reranker(kernel=kernel).fit(lists)
    before = ranker.rank(lists)
    for other in ("subsequence", "linear", "tree", "polynomial"):
        assert ranker.set_params(kernel=other, length=2, decay=0.9, degree=3).rank(lists) == before


def test_models_of_other_tasks_have_no_support(tiny_file, tmp_path):
    tagger = train_tiny(tiny_file)
    assert tagger.model_.extra == {}
