"""Training of a parser: its template, its own tagger, jackknifed tags, silver trees beside gold ones, its trainer.

Jackknifing gives training data tags as good as those of new data will be. A word's tags are predicted together, as one
label: the tags of the columns that the parser reads, joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import sapwood._core as _core
from sapwood.errors import DataError, OptionError
from sapwood.events import Started
from sapwood.io.conllu import has_values, read_treebank
from sapwood.model.file.schema import ModelFile
from sapwood.options import Values
from sapwood.parts import CONLLU
from sapwood.tasks.parsing.answers import tree_report
from sapwood.tasks.parsing.data import Trees, warn_if_slow, with_predicted_tags
from sapwood.tasks.parsing.options import ParserOptions
from sapwood.tasks.tagging.data import joint_tags, learnable_tags, read_columns, with_joint_tags
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.templates import find_template
from sapwood.training.cross_validation import Items, folds_in_turn, splits
from sapwood.training.learner import fit_part
from sapwood.training.odd_data import first_of
from sapwood.training.shards import Shard
from sapwood.training.silver import SilverFilter, labels_of, read_silver, silver_source
from sapwood.training.task import HeldOutScore, InMemory, Trainer

if TYPE_CHECKING:
    from sapwood.training.run import Run

_FOLDS = 10
_LABEL_SETS = ("root_labels", "left_labels", "right_labels")
# Ends of the template's atoms that look at the first tag, the second tag, and the features of a word.
_TAG_ATOMS = re.compile(r"(t|pp)\b"), re.compile(r"([^n]c|c[lr]|pp)\b"), re.compile(r"f\b")


class _Treebanks(NamedTuple):
    """The data that a parser learns from, and those that it is scored on."""

    gold: _core.Conllu
    silver: _core.Conllu | None
    held_out: _core.Conllu | None


def _jackknife(there: _Treebanks, parser: ParserOptions, clusters: _core.WordClusters | None, run: Run) -> _Treebanks:
    """Return the data with predicted tags: each of ten folds of gold and silver is tagged by a tagger of the others."""
    data, silver, _ = there
    columns, count = parser.tag_columns, data.sentences
    if count < _FOLDS:
        raise DataError(f"{data.name}: jackknifing needs {_FOLDS} sentences at least, here are {count}")
    forms, gold = Items(data.column("form")), Items(learnable_tags(data, columns))
    of_silver = _SilverTags(silver, data, columns)
    everything = Items([*forms, *([] if silver is None else silver.column("form"))])
    tags: list[list[str]] = [[] for _ in everything]
    what = "tagging the training data in folds"
    for fold, (others, inside) in enumerate(splits(folds_in_turn(len(everything), _FOLDS))):
        # Greedy search takes half the time of Viterbi search over hundreds of joint labels; parsers get as good.
        taught = of_silver.of(s - count for s in others if s >= count)
        tagger = _tagger(parser, clusters, search="greedy", silver=taught)
        of_gold = [s for s in others if s < count]
        fit_part(tagger, forms.select(of_gold), gold.select(of_gold), what=what, run=run, done=fold, parts=_FOLDS)
        for sentence, found in zip(inside, tagger.predict(everything.select(inside)), strict=True):
            tags[sentence] = found
    tagged = None if silver is None else with_joint_tags(silver, columns, tags[count:])
    return there._replace(gold=with_joint_tags(data, columns, tags[:count]), silver=tagged)


class _SilverTags:
    """The words of silver data with their tags, for the sentences whose tags are those that gold data have."""

    def __init__(self, silver: _core.Conllu | None, gold: _core.Conllu, columns: Sequence[str]) -> None:
        self._numbers: set[int] = set()
        if silver is None or any(has_values(gold, [name]) != has_values(silver, [name]) for name in columns):
            return
        choice = SilverFilter(silver, "parser's tagger")
        for name in columns:
            choice.known(silver.column(name), labels_of(gold.column(name)), name.upper())
        words = [[(form,) for form in sentence] for sentence in silver.column("form")]
        self._rows, self._numbers = read_columns(words, joint_tags(silver, columns), silver.name), set(choice.left)

    def of(self, sentences: Iterable[int]) -> _core.Columns | tuple[()]:
        """Return the chosen ones of these sentences, as the option `silver` has them."""
        chosen = sorted(self._numbers.intersection(sentences))
        return self._rows.select(chosen) if chosen else ()


def _tagger(parser: ParserOptions, clusters: _core.WordClusters | None, **options: Any) -> SequenceTagger:
    shared = {name: getattr(parser, name) for name in ("seed", "bits", "threads")}
    return SequenceTagger(template="pos", clusters=clusters, **shared, **options)


def parser_trainer(
    options: ParserOptions, treebank: InMemory[_core.Conllu], held_out: _core.Conllu | None, run: Run
) -> Trainer:
    """Return the trainer of a parser. Raises OptionError, TemplateError and DataError."""
    data = treebank.first
    gold = held_out.trees(False) if held_out is not None else []
    silver = read_silver_trees(options, data, held_out, run)
    there = _Treebanks(data, silver, held_out)
    for each in filter(None, there):
        warn_if_slow(each, options)
    labelling = options.labelling or ("joint" if options.search == "beam" else "second-stage")
    text = _template(options, labelling)
    clusters = options.word_clusters(options.tags != "gold" or _core.looks_at_clusters(text))
    if run.known is not None and options.tags != "gold":
        raise OptionError("a parser with a tagger of its own cannot go on with other data; its tags are gold")
    there, parts, of_tags = _tagged(options, there, clusters, run)
    tagged = InMemory(there.gold, there.silver, options.gold_times)
    model = ModelFile(
        task="parse",
        labels=[],
        template=text,
        columns=[*options.tag_columns, "head"],
        label=len(options.tag_columns),
        options=options.kept() | {"labelling": labelling},
        bits=options.bits,
        parts=parts,
        clusters=clusters,
    )
    core = _core.ParserTrainer(tagged.learned, model, options.for_core(labelling=labelling), run.known)
    of_labels = {name: getattr(core, name) for name in _LABEL_SETS}
    model = model.replaced(labels=core.labels, options=model.options | of_labels | of_tags)
    trainer = _trainer(options, tagged, there.held_out, gold, core, model)
    counts = {"sentences": core.sentences, "words": core.words}
    if silver is None:  # gold sentences would count several times
        counts |= {"non_projective_sentences": core.non_projective_sentences, "lifted_arcs": core.lifted_arcs}
    trainer.facts = tagged.facts(counts)
    return trainer


def _tagged(
    options: ParserOptions, there: _Treebanks, clusters: _core.WordClusters | None, run: Run
) -> tuple[_Treebanks, dict[str, ModelFile], dict[str, bool]]:
    """Return the data with the tags that the parser reads, its own tagger's file if it has one, and further options.

    The options are those of the model file: "untagged" if the data have no tags. Raises DataError for a tag with a
    space.
    """
    columns, (data, silver, held_out) = options.tag_columns, there
    if options.tags == "gold":
        has_tags = has_values(data, columns)
        if silver is not None and has_tags and not has_values(silver, columns):
            message = f"{silver.name}: these silver data have no tags ({', '.join(columns)}), and the parser reads them"
            raise DataError(f"{message}; tags='jackknife' gives them the tags of a tagger")
        return there, {}, {} if has_tags else {"untagged": True}
    of_silver = () if silver is None else _SilverTags(silver, data, columns).of(range(silver.sentences))
    tagger = _tagger(options, clusters, silver=of_silver)
    fit_part(tagger, data.column("form"), learnable_tags(data, columns), what="training the tagger", run=run)
    if options.tags == "jackknife":
        there = _jackknife(there, options, clusters, run)
    else:
        silver = None if silver is None else with_predicted_tags(silver, columns, tagger)
        there = there._replace(gold=with_predicted_tags(data, columns, tagger), silver=silver)
    if held_out is not None:
        there = there._replace(held_out=with_predicted_tags(held_out, columns, tagger))
    return there, {"tagger": tagger.model_}, {}


def _columns_read(options: ParserOptions, gold: _core.Conllu, template: str) -> dict[str, int]:
    """Return the names and numbers of columns: the form, and the tags of the data that the template looks at."""
    atoms, names = re.sub("#.*", "", template), {"form"}
    if options.tags == "gold":  # else a tagger of its own fills them
        looked_at = zip(options.tag_columns, _TAG_ATOMS, strict=False)
        names |= {tag for tag, atom in looked_at if atom.search(atoms) and has_values(gold, [tag])}
    return {name: number for number, name in enumerate(CONLLU) if name in names}


def _template(options: ParserOptions, labelling: str) -> str:
    text = find_template(options.template or options.search, "parse").text
    if labelling == "second-stage" and "[labels]" not in text:
        text += "\n" + find_template("arc-labels", "parse").text
    return text


def _trainer(
    options: ParserOptions,
    data: InMemory[_core.Conllu],
    held_out: _core.Conllu | None,
    gold: Trees,
    core: _core.ParserTrainer,
    model: ModelFile,
) -> Trainer:
    def score(model: ModelFile, weights: object) -> HeldOutScore:
        assert held_out is not None
        guess = _core.Parser(model).predict(held_out, options.threads)
        scores = tree_report(gold, guess, held_out)
        if scores.las is None:
            return HeldOutScore.of(scores.uas, *([heads for heads, _ in trees] for trees in (gold, guess)))
        return HeldOutScore.of(scores.las, *([[*zip(*tree, strict=True)] for tree in trees] for trees in (gold, guess)))

    def shard(chosen: Sequence[int], seed: int) -> Shard:
        in_core = options.for_core(labelling=model.options["labelling"], seed=seed, threads=1)
        settings = {"model": model.replaced(parts={}), "options": in_core}
        return Shard(_shard_trainer, data.learned.select(list(chosen)), settings)

    return Trainer(
        core,
        model,
        Started(core.sentences, core.words, len(core.labels), options.epochs, 0),
        facts={},
        score=None if held_out is None else score,
        names=core.names,
        familiar=lambda: data.familiar(_columns_read(options, data.first, model.template)),
        where=lambda label: first_of(data.first.column("deprel"), data.first.where, label),
        examples=data.learned.sentences,
        shard=shard,
    )


def _shard_trainer(data: _core.Conllu, model: ModelFile, options: Values) -> _core.ParserTrainer:
    return _core.ParserTrainer(data, model, options, model)


def read_silver_trees(
    options: ParserOptions, gold: _core.Conllu, held_out: _core.Conllu | None, run: Run
) -> _core.Conllu | None:
    """Return the silver sentences that a parser learns from beside gold ones, as `read_silver` does."""
    known = [] if run.known is None else run.known.labels
    rules = partial(choose_trees, gold=gold, least=options.least_sureness, single_root=options.single_root, known=known)
    return read_silver(silver_source(options.silver, _core.Conllu), read_treebank, run, "parser", gold, held_out, rules)


def choose_trees(
    choice: SilverFilter[_core.Conllu],
    gold: _core.Conllu,
    least: float,
    *,
    single_root: bool,
    known: Iterable[str] = (),
) -> None:
    """Leave out silver sentences that do not teach a parser.

    Crossing arcs are lifted in training, and the relation of a lifted word tells where it came from. A teacher whose
    arcs cross by mistake makes hundreds of such relations; each is one more output that every decision has to weigh.

    least : mean sureness, in percent; known : relations beside those of the gold data
    """
    silver = choice.silver
    choice.trees(silver.column("head"), single_root=single_root)
    choice.sure(silver.column("misc"), least)
    choice.known(silver.column("deprel"), labels_of(gold.column("deprel")).union(known), "relations")
    of_gold = [_core.projectivise(*tree)[1] for tree in gold.trees(single_root)]
    heads, relations = silver.column("head"), silver.column("deprel")
    lifted: list[list[str]] = [[] for _ in heads]
    for s in choice.left:
        lifted[s] = _core.projectivise([*map(int, heads[s])], relations[s])[1]
    choice.known(lifted, labels_of(of_gold).union(known), "relations of lifted words")
