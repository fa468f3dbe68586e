"""Every option of every learner goes through every way of training: it is refused in words, or trains and is kept.

The ways are those of docs/training.md. Data are small, and a model need not be good.
"""

import itertools
import json
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from parsers import tagged
from reranking import attachments
from reviews import FORMATS, MARKED, TEXTS, write_formats
from treebanks import treebank

from sapwood import Classifier, DependencyParser, Lemmatizer, Reranker, Segmenter, SequenceTagger, Splitter, load
from sapwood.errors import OptionError
from sapwood.events import EpochDone
from sapwood.io.lists import format_list
from sapwood.options import options_of
from sapwood.training.shards import in_threads

PAGE = Path(__file__).parents[2] / "docs" / "training.md"
WORDS, TREES = tagged(10)
SMALL = """\
[transitions]
S0w N0w
S0t N0t
[attachments]
p0w p1w
[arcs]
ht mt
[siblings]
ht mt
[labels]
ht mt
"""
ROWS = [[(form, upos) for form, _, upos, _ in sentence] for sentence in WORDS]
LISTS = attachments(12, 1)

# A learner with its training data in memory, which are those of the file of its name, and what makes it quick.
LEARNERS = {
    SequenceTagger: ((ROWS,), {"template": "pos"}),
    DependencyParser: ((WORDS, TREES), {"beam": 2, "template": SMALL}),
    Classifier: (([text for _, text in TEXTS], [label for label, _ in TEXTS]), {}),
    Reranker: ((LISTS,), {}),
    Segmenter: ((Path("Segmenter"),), {"history": "gold"}),
    Lemmatizer: ((Path("Lemmatizer"),), {}),
    Splitter: ((Path("Splitter"),), {}),
}
# A value for each option whose kind does not tell one. The files are in the folder of the fixture `here`.
VALUES = {
    "columns": ["form", "label"],
    "lexicon": "lexicon.csv",
    "clusters": "clusters.txt",
    "word_lists": "lists",
    "stop_words": "stop.txt",
    "dictionary": "0",
    "tag_columns": ["upos"],
    "class_weight": "balanced",
    "label": "gold",
    "text": "body",
    "weight": "weight",
    "labels": "labels.txt",
    "template": "U:%x[0,0]\n",
    "max_bytes": 4000,
    "hash_bits": 12,
}
OWN_VALUES = {
    (SequenceTagger, "silver"): ["silver.txt"],
    (DependencyParser, "silver"): ["silver.conllu"],
    (DependencyParser, "template"): "[transitions]\nS0w N0w\n",
    (Segmenter, "dictionary"): "kind",
    (Lemmatizer, "dictionary"): "form",
    (Splitter, "dictionary"): "form",
    (Classifier, "template"): "A:%x[0,0]\n",
    (Segmenter, "history"): "own",
}
# Other options without which an option has no meaning.
BESIDE = {
    "clusters": {"template": "U:%cluster[0,0]\nU1:%x[0,0]\n"},
    "clusters_limit": {"clusters": "clusters.txt", "template": "U:%cluster[0,0]\nU1:%x[0,0]\n"},
    "word_lists": {"template": 'U:%in[0,0,"list.txt"]\nU1:%x[0,0]\n'},
    "dictionary": {"search": "argmax"},
    "history": {"search": "greedy"},
    "mixing": {"shards": 2},
    "mixings": {"shards": 2},
    "voted": {"min_updates": 1},
    "count_updates": {"min_updates": 2},
}
OWN_BESIDE = {
    (SequenceTagger, "lexicon"): {"template": "U:%lexicon[0,0]\nU1:%x[0,0]\n"},
    (Segmenter, "cost"): {"search": "viterbi"},
    (SequenceTagger, "order"): {"template": "U:%x[0,0]\nB:%y[-2]/%y[-1]\n"},
    (SequenceTagger, "guided"): {"search": "easiest-first"},
    (DependencyParser, "guided"): {"search": "easy-first"},
    (DependencyParser, "order"): {"search": "eisner"},
    (DependencyParser, "k_best"): {"search": "eisner", "update": "pa"},
    (DependencyParser, "clusters"): {"template": "[transitions]\nS0x N0w\nS0w N0w\n"},
    (DependencyParser, "clusters_limit"): {
        "clusters": "clusters.txt",
        "template": "[transitions]\nS0x N0w\nS0w N0w\n",
    },
    (Classifier, "clusters"): {"template": "A:%cluster[0,0]\n"},
    (Classifier, "clusters_limit"): {"template": "A:%cluster[0,0]\n", "clusters": "clusters.txt"},
    (Classifier, "word_lists"): {"template": 'A:%in[0,0,"list.txt"]\n'},
    (Classifier, "tag_in_label"): {"template": "wsd", "format": "senseval"},
    (Classifier, "label"): {"format": "csv"},
    (Classifier, "text"): {"format": "csv"},
    (Reranker, "decay"): {"kernel": "tree"},
    (Reranker, "length"): {"kernel": "subsequence"},
    (Reranker, "normalise"): {"kernel": "tree"},
    (Reranker, "degree"): {"kernel": "polynomial"},
}
# Files for options that are about files, or about what data in memory would need to be other data for.
FILES = {"tag_in_label": "t.pos", "label": "gold.csv", "text": "body.csv", "multi_label": "t.txt",
         "tag_columns": "DependencyParser", "weight": "weighed.jsonl", "labels": "t.txt"}  # fmt: skip
BY_FORMAT = {"fasttext": "t.txt", "jsonl": "t.jsonl", "svmlight": "t.svm", "csv": "t.csv", "tsv": "t.tsv",
             "senseval": "t.pos", "parquet": "t.parquet"}  # fmt: skip


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A folder with the training data, and with the files that options name."""
    folder = tmp_path_factory.mktemp("ways")
    (folder / "clusters.txt").write_text("00\tthe\t9\n01\ta\t8\n1\tgood\t5\n")
    (folder / "lexicon.csv").write_text("the,DET,the\ndog,NOUN,dog\n")
    (folder / "stop.txt").write_text("the\n")
    (folder / "labels.txt").write_text("".join(f"{label}\tnew-{label}\n" for label, _ in TEXTS))
    (folder / "lists").mkdir()
    (folder / "lists" / "list.txt").write_text("dog\n")
    rows = ("".join(f"{form} {tag}\n" for form, tag in sentence) for sentence in ROWS)
    (folder / "SequenceTagger").write_text("\n".join(rows))
    (folder / "silver.txt").write_text("".join(f"{form} {tag}\n\n" for form, tag in ROWS[0]))
    (folder / "silver.conllu").write_bytes(treebank(20, 5).replace({}))
    (folder / "Reranker").write_text("".join(map(format_list, LISTS)))
    for learner in (DependencyParser, Segmenter, Lemmatizer, Splitter):
        paragraphs = ["# newpar\n" + treebank(3, seed).replace({}).decode() for seed in (1, 2, 3, 4)]
        (folder / learner.__name__).write_text("".join(paragraphs))
    write_formats(folder)
    (folder / "Classifier").write_text(FORMATS["t.txt"])
    examples = [json.loads(line) for line in FORMATS["t.jsonl"].splitlines()]
    with suppress(ImportError):
        from pyarrow import Table, parquet

        parquet.write_table(Table.from_pylist(examples), folder / "t.parquet")
    weighed = (json.dumps(example | {"weight": 1 + k % 3}) for k, example in enumerate(examples))
    (folder / "weighed.jsonl").write_text("\n".join(weighed))
    for column, old in (("gold", "label"), ("body", "text")):
        (folder / f"{column}.csv").write_text(FORMATS["t.csv"].replace(old, column, 1))
    return folder


@pytest.fixture(autouse=True)
def looks(monkeypatch, here):
    """The names of files are those of the folder; a checkpoint is saved at each look at the clock."""
    monkeypatch.chdir(here)
    monkeypatch.setattr("sapwood.training.saving.time", SimpleNamespace(monotonic=itertools.count().__next__))


class Stopped(Exception):
    """What ends a training after its first epoch."""


def stop(event):
    if isinstance(event, EpochDone):
        raise Stopped


def resumed(make, data, folder, **more):
    """Stop a training after an epoch, let it go on, and compare it with one that was not stopped."""
    file = folder / "state"
    with pytest.raises(Stopped):
        make().fit(*data, checkpoint=file, every=1, on_event=stop, **more)
    model = make().fit(*data, resume=file, **more)
    assert model.model_.dump() == make().fit(*data, **more).model_.dump()
    return model


def gone_on(make, data, folder, **more):
    make().fit(*data, checkpoint=folder / "state", **more)
    return make().fit(*data, from_checkpoint=folder / "state", **more)


# The ways, each with what makes a model by it. `file` is the training data, `scratch` a folder.
WAYS = {
    "memory": lambda make, data, file, scratch, **more: make().fit(*data, **more),
    "file": lambda make, data, file, scratch, **more: make().fit(file, **more),
    "stream": lambda make, data, file, scratch, **more: make().fit(file, stream=True, scratch=scratch, **more),
    "resume": lambda make, data, file, scratch, **more: resumed(make, data, scratch, **more),
    "from_checkpoint": lambda make, data, file, scratch, **more: gone_on(make, data, scratch, **more),
    "partial_fit": lambda make, data, file, scratch, **more: make().partial_fit(*data).partial_fit(*data),
    "shards": lambda make, data, file, scratch, **more: make(shards=2).fit(*data, **more),
    "workers": lambda make, data, file, scratch, **more: make(shards=2).fit(*data, workers=in_threads(2), **more),
    "runs": lambda make, data, file, scratch, **more: make(runs=2).fit(*data, **more),
    "batch": lambda make, data, file, scratch, **more: make(batch=2).fit(*data, **more),
    "max_bytes": lambda make, data, file, scratch, **more: make(max_bytes=4000).fit(*data, **more),
    "shrink": lambda make, data, file, scratch, **more: make().fit(file, **more).shrink(file, bytes=4000, **more),
}


# What refuses whom: options, "option=value", "Learner.option" or learners. Of these the weights are no averages of
# features' weights, which could be mixed, dropped or learned on:
UNLIKE = "kernel decay length normalise degree voted update=l1-cumulative update=truncated-gradient"
REFUSED = {
    "memory": "",
    "file": "",
    "resume": "",
    "stream": f"{UNLIKE} silver shards mixing mixings runs cv multi_label format=csv format=parquet "
    "format=senseval label text weight tag_in_label",
    "from_checkpoint": f"{UNLIKE} Segmenter Splitter runs tags committee=True "
    "SequenceTagger.names DependencyParser.names Lemmatizer.names",
    "partial_fit": f"{UNLIKE} silver runs patience max_bytes max_loss cv class_weight tags committee=True "
    "SequenceTagger.names DependencyParser.names",
    "shards": f"{UNLIKE} runs names prune_below cv k_best",
    "workers": f"{UNLIKE} runs names prune_below cv k_best",
    "runs": f"{UNLIKE} shards mixing mixings names prune_below cv k_best shuffle",
    "batch": f"{UNLIKE} names history=own search=easiest-first guided",
    "max_bytes": f"{UNLIKE} names max_loss",
    "shrink": "kernel decay length normalise degree voted stop_words",
}
ALONE = (  # refused everywhere
    "Reranker.names Lemmatizer.search Lemmatizer.history Lemmatizer.cost Splitter.search Splitter.history Splitter.cost"
)


def has(learner, way):
    if way == "stream":
        return learner._reads_streams
    return way != "partial_fit" or hasattr(learner, "partial_fit")


def values(learner, option):
    """Return values that are not the default: all choices, otherwise one."""
    own = OWN_VALUES.get((learner, option.name), VALUES.get(option.name))
    if own is not None:
        return [own]
    match option.kind:
        case "choice":
            return [choice for choice in option.choices if choice != option.default]
        case "switch":
            return [not option.default]
        case "whole":
            return [2 if option.default is None else option.default + 1]
        case "number":
            return [0.5 if option.default is None else option.default / 2 or 0.01]
    raise AssertionError(f"VALUES has none for {learner.__name__}.{option.name}")


CASES = [
    pytest.param(learner, option.name, value, id=f"{learner.__name__}-{option.name}-{value!r}")
    for learner in LEARNERS
    for option in options_of(learner).values()
    for value in values(learner, option)
]


@pytest.mark.few(4)
@pytest.mark.filterwarnings("ignore")  # of models that cannot be made so small, or that learn too little
@pytest.mark.parametrize(("learner", "name", "value"), CASES)
def test_every_way_keeps_the_option_or_refuses_it_in_words(learner, name, value, tmp_path):
    if value == "parquet":
        pytest.importorskip("pyarrow")
    data, quick = LEARNERS[learner]
    beside = OWN_BESIDE.get((learner, name), BESIDE.get(name, {}))
    more = {"dev": Path(learner.__name__)} if name in ("patience", "max_loss") else {}
    file = Path(BY_FORMAT[value] if name == "format" else FILES.get(name, learner.__name__))
    if name == "format" or name in FILES:
        data = (file,)
    if file.name in MARKED:
        beside = {"template": "wsd"} | beside

    def make(**way):
        return learner(**{"epochs": 2, "min_updates": 1, **quick, **way, **beside, name: value})

    names = {name, f"{name}={value}", learner.__name__, f"{learner.__name__}.{name}"}
    for way, train in WAYS.items():
        if not has(learner, way):
            continue
        scratch = tmp_path / way
        scratch.mkdir()
        if names & {*REFUSED[way].split(), *ALONE.split()}:
            with pytest.raises(OptionError, match=r"^.{20,250}$"):
                train(make, data, file, scratch, **more)
            continue
        model = train(make, data, file, scratch, **more)
        model.save(scratch / "model.sap")
        if way != "shrink":  # it gives a new object, whose clusters and lists of words are those of the model
            assert model.get_params()[name] == value, way
        # What shrinking trains again has options of its own for how long, and how large.
        if (kept := options_of(learner)[name].kept) and not (way == "shrink" and kept == "training"):
            assert load(scratch / "model.sap").get_params()[name] == value, way


@pytest.mark.skipif(not PAGE.is_file(), reason="the documentation is not here")
def test_the_page_has_every_way():
    table = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    words = {"memory": "`fit(data)`", "file": "`fit(data)`", "partial_fit": "`partial_fit(", "shrink": "`shrink("}
    for way in WAYS:
        assert any(words.get(way, f"{way}=") in line for line in table), way
