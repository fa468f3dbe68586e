"""Training of a classifier: the model that it will be, what is held out, the learner, the epochs.

`Classifier.fit`, cross-validation and the experiments share it; they differ in the examples that they give.
"""

from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.examples import Examples
from sapwood.io.word_lists import read_word_lists
from sapwood.learning.epochs import Trained, Trainer, run_epochs
from sapwood.modelfile.schema import ModelFile
from sapwood.models.labelled_rows import Labelled, balanced, frozen
from sapwood.models.support import SupportTrainer, Weights
from sapwood.templates import find_template

if TYPE_CHECKING:
    from sapwood.learning.events import Callback
    from sapwood.models.classifier import Classifier

__all__ = ["begin", "hold_out", "run", "trainer_of"]

_LEARNER = ("update", "gamma", "average", "voted", "min_updates", "penalty", "eta", "prune_below")


def begin(classifier: "Classifier", data: Examples) -> ModelFile:
    """Return the model that training data will give, yet without weights. Raises TemplateError or DataError."""
    text, word_lists = "", []
    if data.documents is not None:
        text, where, folder = find_template(classifier.template, "classify")
        template = _core.Template(text, where, data.layout.columns, len(data.layout.columns), data.layout.fields)
        word_lists = read_word_lists(template.word_lists, classifier.word_lists or folder)
    layout = data.layout._asdict()
    columns = layout.pop("columns")
    return ModelFile(
        task="classify",
        labels=data.answers.labels,
        template=text,
        columns=[*columns, "label"],
        label=len(columns),
        options={name: getattr(classifier, name) for name in classifier.kept_options()} | layout,
        bits=classifier.bits,
        scale=1.0,
        tables=[],
        word_lists=word_lists,
    )


def hold_out(data: Labelled, fraction: float) -> tuple[Labelled, Labelled]:
    """Return the examples to train on and, spread evenly, those to hold out. Raises DataError if one has none."""
    parts: tuple[list[int], list[int]] = ([], [])
    for k in range(len(data.gold)):
        parts[int((k + 1) * fraction) > int(k * fraction)].append(k)
    if not all(parts):
        raise DataError("there are too few examples to hold out a fraction of them; give more, or --dev")
    return data.select(parts[0]), data.select(parts[1])


def trainer_of(classifier: "Classifier", train: Labelled) -> Trainer[Weights]:
    """Return a trainer that has the examples."""
    trainer = _core.ClassifierTrainer(
        len(train.labels),
        seed=classifier.seed,
        shuffled=classifier.shuffle,
        **{name: getattr(classifier, name) for name in _LEARNER},
    )
    trainer.add(train.rows, train.gold, balanced(train.gold) if classifier.class_weight == "balanced" else [])
    return SupportTrainer(trainer, trainer.freeze_votes, train.rows) if classifier.voted else trainer


def run(
    classifier: "Classifier",
    trainer: Trainer[Weights],
    train: Labelled,
    held_out: Labelled | None,
    epochs: int,
    *,
    on_event: "Callback",
) -> Trained[Weights]:
    """Run the epochs over the trainer's examples; each is scored on those held out, and the best one's weights kept."""

    def dev_score(weights: Weights) -> float:
        assert held_out is not None
        guess = frozen(train.labels, weights).predict(held_out.rows, classifier.threads)
        return 100 * sum(map(int.__eq__, guess, held_out.gold)) / len(held_out.gold)

    return run_epochs(
        trainer,
        tokens=len(train.gold),
        epochs=epochs,
        patience=classifier.patience,
        bits=classifier.bits,
        shrink=classifier.shrink,
        score=dev_score if held_out is not None else None,
        report=on_event,
    )
