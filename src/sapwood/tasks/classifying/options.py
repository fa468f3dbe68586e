"""The options of a classifier, which its training reads and a fitted one keeps."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from typing import Literal, get_args

from sapwood._core import ClassifierTrainer, WordClusters
from sapwood.errors import OptionError
from sapwood.io.example_files import FORMATS
from sapwood.options import Values, option
from sapwood.tasks.classifying.class_weights import class_weights
from sapwood.training import options as shared
from sapwood.training.options import FitKeywords

Update = Literal["perceptron", "margin", "pa", "l1-cumulative", "truncated-gradient"]


class ClassifierOptions(shared.LearnerOptions):
    """The options of a classifier."""

    first = ("template", "ngrams", "class_weight")
    python_only = ("penalty", "eta", "shuffle", "tag_in_label", "clusters")

    trainer = ClassifierTrainer

    template: str | os.PathLike[str] = option(default="text", core=False, metavar="NAME|FILE").described(
        "name of a shipped template (text, characters, wsd, lecture), path of one, or the text itself; features "
        "that were given (dicts, svmlight) need none"
    )
    ngrams: int | None = option(default=None, core=False, least=1, most=9, metavar="N").described(
        "take runs of one to N words, in lower case, as features, in place of a template; without it, characters "
        "goes with single words"
    )
    characters: int | None = option(default=None, core=False, least=2, most=20, metavar="N").described(
        "take also runs of two to N characters of each word, in lower case, as features; they mark where a word "
        "begins and ends"
    )
    stop_words: str | os.PathLike[str] | None = option(group="reading", default=None, metavar="FILE").described(
        "leave the words of this file (a word or phrase a line, upper and lower case alike) out of texts before "
        "features are taken; runs are made of the words that are left"
    )
    format: str | None = option(group="reading", default=None, choices=FORMATS).described(
        "format of the files; without, the one that their names tell, or fasttext"
    )
    label: str = option(
        group="reading", default="label", metavar="NAME", kept=True, help="what csv and jsonl call the label"
    )
    text: str = option(
        group="reading", default="text", metavar="NAME", kept=True, help="what csv and jsonl call the text"
    )
    labels: str | os.PathLike[str] | None = option(group="reading", default=None, core=False, metavar="FILE").described(
        "the labels that are allowed, one a line; an old name and a new one with a tab between them rename a label. "
        "Data with other labels are refused"
    )
    weight: str | None = option(group="reading", default=None, core=False, metavar="NAME", kept="training").described(
        "what csv, jsonl and parquet call the weight of an example to train on, a factor of its steps"
    )
    tag_in_label: bool = option(group="reading", default=False, kept=True).described(
        "learn the marked word's tag and its sense as one label, 'NN:interest_6' (senseval)"
    )
    multi_label: bool = option(group="reading", default=False, kept="given").described(
        "an example has any number of labels, and each is decided by itself; held-out data choose a threshold for "
        "each label, by its F1"
    )
    voted: bool = option(default=False, kept=True).described(
        "let every vector of training vote, as often as it stood, instead of averaging (Freund & Schapire 1999); "
        "the model keeps the examples of the updates, and min_updates has to be 1"
    )
    penalty: float = option(default=1.0, least=0, most=1e6, metavar="C", kept=True).described(
        "strength of the L1 penalty over an epoch, for the baselines"
    )
    eta: float = option(default=0.1, above=0, most=1e3, metavar="E", kept=True, help="first step of the baselines")
    prune_below: int = option(default=1, least=1, metavar="N", kept=True).described(
        "drop features that fewer training examples have, the usual alternative to min_updates"
    )
    class_weight: Mapping[Hashable, float] | str | None = option(
        default=None, core=False, metavar="balanced|LABEL=W,...", kept=True, off="none"
    ).described(
        "how much the examples of a label count: LABEL=W,... (in Python a dict), 1 for labels that are not named; "
        "or balanced: an example of a rare class counts more, n / (classes * n of its class)"
    )
    cv: int | None = option(kept="training", default=None, core=False, least=2, metavar="K").described(
        "choose the number of epochs by cross-validation in so many folds, before training on everything"
    )
    shuffle: bool = option(default=True, kept=True, help="a new order of the examples for every epoch")
    update: Update = option(default="margin", choices=get_args(Update)).described(  # type: ignore[assignment]
        "what happens at a mistake: a step (perceptron, Rosenblatt 1958), one that has to win by gamma (margin), "
        "or the smallest that does (pa: passive-aggressive, PA-I of Crammer et al. 2006); or the baselines, "
        "logistic regression with an L1 penalty: l1-cumulative (Tsuruoka et al. 2009) and truncated-gradient (Langford "
        "et al. 2009)"
    )
    gamma: float = option(
        default=1.0, help="cost of a wrong label, in units of the mean squared length of the examples' features"
    )
    seed: int = option(default=1, help="seed of the shuffling, and of the folds")
    hash_bits: int | None = shared.HASH_BITS
    word_lists: str | os.PathLike[str] | None = shared.WORD_LISTS
    clusters: str | os.PathLike[str] | WordClusters | None = shared.CLUSTERS
    clusters_limit: int | None = shared.CLUSTERS_LIMIT

    def chosen_template(self) -> str | os.PathLike[str]:
        """Return the template: the one that is named, or that of the runs of words and characters."""
        if self.ngrams is None and self.characters is None:
            return self.template
        words = ["/".join(f"%X[{k},0]" for k in range(n)) for n in range(1, (self.ngrams or 1) + 1)]
        characters = [f"%CHARS[0,0,{n}]" for n in range(2, (self.characters or 1) + 1)]
        lines = [f"A{number}:{macros}" for number, macros in enumerate([*words, *characters], 1)]
        return "\n".join(["U:bias", *lines, ""])

    def kept(self) -> Values:
        return super().kept() | {"class_weight": class_weights(self.class_weight)}

    def check_options(self) -> None:
        super().check_options()
        shared.check_hash_bits(self.hash_bits, self.names)
        class_weights(self.class_weight)
        if self.hash_bits is not None and self._one_order() is not None:
            raise OptionError("hash_bits is for the perceptron family's weights: not for the baselines, and not voted")
        if self.runs > 1 and not self.shuffle:
            raise OptionError("runs differ in the order of the examples; without shuffle they would all be the same")
        if self.false_matches != self.options()["false_matches"].default and self._one_order() is not None:
            raise OptionError("false_matches is for the perceptron family: not for the baselines, and not voted")
        if self.chosen_template() != self.template != self.options()["template"].default:
            raise OptionError("ngrams and characters stand in place of a template; leave out the one or the other")
        if self.multi_label and self._one_order() is not None:
            with_what = "voted" if self.voted else self.update
            raise OptionError(f"multi_label is for averaged perceptrons (perceptron, margin, pa), not for {with_what}")
        if self.multi_label and self.update == "pa" and self.class_weight is not None:
            raise OptionError("class_weight with multi_label is for perceptron and margin updates, not for pa")
        if self.max_bytes is not None and self.is_baseline():
            raise OptionError("max_bytes is not for models with an L1 penalty: raise the penalty")
        if self.voted and self.is_baseline():
            raise OptionError(f"the vectors of a perceptron vote, and {self.update} has none")
        if self.voted and (self.min_updates, self.prune_below, self.drop_below, self.names) != (1, 1, 0, False):
            raise OptionError(
                "a voted classifier keeps examples, not features: min_updates and prune_below have to be 1, and there "
                "are neither drop_below nor names"
            )

    def is_baseline(self) -> bool:
        """Return true if the learner is a baseline with an L1 penalty, not a perceptron."""
        return self.update in ("l1-cumulative", "truncated-gradient")

    def _one_order(self) -> str | None:
        """Return the name of a learner that needs the examples one by one, in one order, if the options ask for one."""
        return "voted training" if self.voted else self.update if self.is_baseline() else None

    def needs_all_data(self) -> str | None:
        if self.prune_below > 1:
            return "prune_below counts features in all data"
        if self.cv is not None:
            return "cv trains on folds in one process"
        what = self._one_order()
        return f"{what} goes through all data in one order" if what else super().needs_all_data()

    def needs_each_update(self) -> str | None:
        what = self._one_order()
        return f"{what} learns from one example after the other" if what else super().needs_each_update()

    def check_training(self, how: FitKeywords) -> None:
        if self.cv is not None and (shared.check_held_out(how) or self.patience is not None):
            raise OptionError("cv chooses the passes without held-out data; leave out dev, dev_fraction and patience")
        super().check_training(how)
        if how.get("stream"):
            if unfit := [name for name in ("voted", "cv", "multi_label", "weight") if getattr(self, name)]:
                raise OptionError(f"{unfit[0]} needs the examples in memory; leave out stream")
            if self.is_baseline():
                raise OptionError("the baselines with an L1 penalty need the examples in memory; leave out stream")
