"""The options of a pipeline, and which stages of the analysis it has."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Literal

from sapwood._core import Conllu
from sapwood.errors import OptionError
from sapwood.io.lexicons import LEXICON_LINES, LexiconEntry
from sapwood.io.memory import called
from sapwood.model.file.bundled import AUTO
from sapwood.model.file.schema import ModelFile
from sapwood.model.small import Goal
from sapwood.options import SKIP_BAD, THREADS, Options, Values, option
from sapwood.parts import PART_NAMED, PARTS, STAGES, listed
from sapwood.training.options import FitKeywords, check_held_out

BASE = ("segment", "tag")  # the stages that a base does, in their order
OF_NAMES = (*BASE, "entities")  # the stages of a pipeline of names
SMALL = 100_000  # words; few features of such a treebank take part in ten updates
_BEAM = 4
_AVERAGED = ("tagger", "morphology", "lemmatizer", "parser")  # these average three runs, if the treebank is small
_OF_COMMITTEE: Values = {"committee": True, "drop_below": 0.008}  # docs/decisions/committees.md
# Whoever gives one of these options of the parser has chosen one parser, and how large and how fast it is.
_OF_ONE_PARSER = {
    *("search", "beam", "gap", "cost", "template", "update_strategy", "count_updates", "labelling", "tags"),
    *("silver", "small", "max_bytes", "shards"),
}


class PipelineOptions(Options):
    """The options of a pipeline."""

    first: ClassVar[tuple[str, ...]] = ("parts", "clusters", "names")
    python_only: ClassVar[tuple[str, ...]] = ("clusters_limit", "base")
    parts: Sequence[str] = option(default=(), metavar="PART,...").described(
        f"parts of the analysis: some of {listed(STAGES)}; without, all that the treebank can teach"
    )
    clusters: str | os.PathLike[str] | None = option(group="reading", default=None, metavar="FILE").described(
        "word clusters, as 'train clusters' writes them, for tags, trees and names"
    )
    clusters_limit: int | None = option(group="reading", default=60_000, least=1, metavar="N").described(
        "keep the clusters of the N most frequent words only"
    )
    lexicon: str | os.PathLike[str] | list[LexiconEntry] | None = option(
        group="reading", default=None, metavar="FILE"
    ).described(f"tags and lemmas of words, for tagger and lemmatizer: {LEXICON_LINES}")
    names: Sequence[str] = option(group="reading", default=(), metavar="FILE,...").described(
        "files of names: sentences of the treebank by their sent_id with a label in BIO for each word, or column "
        "files of other sentences; without, NER= in the treebank's MISC"
    )
    base: str | os.PathLike[str] | None = option(
        group="reading", default=AUTO, off="none", kept="training", metavar="NAME|FILE"
    ).described(
        "names without tags: the pipeline that cuts texts and tags words; auto: the one of their language, if it "
        "knows their words; with none they are cut by rule, and names go by words alone"
    )
    silver: Sequence[str] | Sequence[Conllu] | Conllu = option(
        group="reading", default=(), metavar="FILE,..."
    ).described(
        "files in CoNLL-U that another model or person labelled, to learn from beside TRAIN; any column may be "
        "missing, and P= in MISC may say how sure a head is, in percent (Q=: a name)"
    )
    skip_bad: bool = SKIP_BAD
    card: str | os.PathLike[str] | None = option(group="reading", default=None, metavar="FILE").described(
        "what people should know of the model, in Markdown: data, licence, author; 'inspect' shows it"
    )
    beam: int = option(default=_BEAM, least=1, most=4096, metavar="N", kept=True).described(
        "configurations kept in parsing"
    )
    committee: Literal["auto", "always", "never"] = option(default="auto", kept="training").described(
        "three parsers give each sentence the tree that they agree on most, at half to a third of the speed; auto: "
        f"where the treebank has less than {SMALL:,} words, without --silver and another --beam; their beam is then "
        f"{2 * _BEAM}"
    )
    seed: int = option(
        kept="training", default=1, least=0, most=(1 << 64) - 1, metavar="S", help="seed of the shuffling"
    )
    threads: int = THREADS

    def check_options(self) -> None:
        super().check_options()
        parts = list(self.parts)
        if len(set(parts)) != len(parts) or not set(parts) <= set(STAGES):
            raise OptionError(f"parts are some of {', '.join(STAGES)}; got {','.join(parts)}")
        if self.committee == "always" and len(self.silver):
            raise OptionError("a committee does not learn from silver data: leave out silver, or committee 'always'")
        check_tags(parts)

    def check_training(self, how: FitKeywords) -> None:
        """Raise OptionError as check_options does, or if the keyword arguments of `fit` are not for pipelines."""
        self.check_options()
        check_held_out(how)
        if how.get("from_checkpoint") is not None:
            raise OptionError("a pipeline cannot go on with other data; its models can, one by one")
        if how.get("workers") is not None:
            raise OptionError("a pipeline trains its models in this process; leave workers out")

    def of_model(self, name: str, words: int, *, taught: bool, given: Values) -> Values:
        """Return the options of a model, of which `given` are some, by the words of the treebank.

        taught : there are silver data, too
        """
        is_small = words < SMALL and not taught and given.get("shards", 1) == 1
        runs: Values = {"runs": 3} if is_small and name in _AVERAGED else {}
        return {"seed": self.seed, "threads": self.threads} | runs | given

    def of_parser(self, words: int, *, taught: bool, given: Values) -> Values:
        """Return options of the parser, by the words of the treebank.

        taught : there are silver data, too
        given : options that the parser has beside these
        """
        least, epochs = (3, 20) if words < SMALL else (10, 10)
        chosen: Values = {"beam": self.beam, "min_updates": least, "epochs": epochs}
        is_alone = words >= SMALL or taught or self.beam != _BEAM or _OF_ONE_PARSER & given.keys()
        wanted = self.committee == "always" or (self.committee == "auto" and not is_alone)
        if given.get("committee", wanted):
            chosen |= _OF_COMMITTEE | ({"beam": 2 * _BEAM} if self.beam == _BEAM else {})
        return chosen


class NamesOptions(PipelineOptions):
    """The options of a pipeline of names, as the command line has them."""

    first: ClassVar[tuple[str, ...]] = ("base", "clusters")
    python_only: ClassVar[tuple[str, ...]] = (
        "clusters_limit", "parts", "lexicon", "names", "silver", "skip_bad", "beam", "committee",
    )  # fmt: skip
    parts: Sequence[str] = option(default=OF_NAMES)
    base: str | os.PathLike[str] | None = option(command=True)


def check_tags(parts: Sequence[str], without: Collection[str] = ("segment", "entities")) -> None:
    """Raise OptionError if parts of the analysis lack the tags that they need; some do `without`."""
    if "tag" not in parts and not set(without).issuperset(parts):
        raise OptionError("lemmas, trees and names need tags: add the part tag")


def stages_in(model: ModelFile) -> list[str]:
    """Return the stages of the analysis that a pipeline's model has the models for."""
    return [stage for stage, names in STAGES.items() if names[0] in model.parts]


def of_parts(model: ModelFile, parts: Sequence[str]) -> ModelFile:
    """Return a pipeline's model of some of its parts. Raises OptionError for a part that it does not have."""
    there = stages_in(model)
    if not parts or not set(parts) <= set(there):
        raise OptionError(f"the pipeline's parts are {', '.join(there)}; got {','.join(parts) or 'none'}")
    check_tags(parts, ("segment",) if "tagger" in model.parts else there)
    stages = {*parts, *({"segment"} - set(there))}  # a splitter without a segmenter stays
    wanted = {part.name for part in PARTS if part.stage in stages}
    return model.replaced(parts={name: kept for name, kept in model.parts.items() if name in wanted})


def checked_model_options(given: Mapping[str, Values] | None) -> Mapping[str, Values]:
    """Return the options of models, by name. Raises OptionError unless each model has a dict of them, `small` a Goal.

    The models check the other options by themselves.
    """
    if not isinstance(given, Mapping | None):
        raise OptionError(f"model_options are dicts of options by the names of models, not {called(given)}")
    for name, options in (given or {}).items():
        if name not in PART_NAMED:
            raise OptionError(f"model_options are of {', '.join(PART_NAMED)}, not of {name!r}")
        if not isinstance(options, Mapping):
            raise OptionError(f"the model_options of the {name} are a dict, not {called(options)}")
        if not isinstance(small := options.get("small"), Goal | None):
            raise OptionError(f"small, an option of the {name}, is a sapwood.model.small.Goal, not {called(small)}")
    return given or {}
