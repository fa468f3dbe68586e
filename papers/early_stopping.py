"""The best number of passes: training and held-out error after each pass, by ten-fold cross-validation."""

from collections.abc import Sequence

from measure.report import Data, OnStart, Options, Report, Row, by_corpus
from papers.classification import FOLDS, review_problem, sense_problem
from sapwood.base.drawing.figure import label_axes, save_figure
from sapwood.metrics.labels import table
from sapwood.tasks.classifying.model import Classifier
from sapwood.tasks.classifying.training import cross_validate

_EPOCHS = 20
_LEARNERS: dict[str, Options] = {
    "vanilla": {"update": "perceptron", "average": False, "min_updates": 1},
    "averaged": {"update": "perceptron", "min_updates": 1},
    "averaged, margin": {"update": "margin", "min_updates": 1},
}


def run(data: Data, on_start: OnStart) -> Report:
    """Return the tables as text, and their rows. Raises DataError if a corpus is not there."""
    lines: list[str] = []
    rows: list[Row] = []
    for problem in (sense_problem(data), review_problem(data)):
        name = problem.name
        columns: list[list[object]] = [["pass", *range(1, _EPOCHS + 1)]]
        best = []
        for learner, options in _LEARNERS.items():
            on_start(name, learner)
            result = cross_validate(Classifier(epochs=_EPOCHS, **options).params, problem.data, FOLDS)
            held_out = [100 - accuracy for accuracy in result.accuracies]
            columns += [[f"{learner}: training", *result.mistakes], ["held out", *held_out]]
            best.append(f"{learner}: {result.best_epochs}")
            rows += [
                {
                    "corpus": name,
                    "learner": learner,
                    "pass": epoch,
                    "training_error": wrong,
                    "held_out_error": error,
                    "best": epoch == result.best_epochs,
                }
                for epoch, (wrong, error) in enumerate(zip(result.mistakes, held_out, strict=True), start=1)
            ]
        lines += [f"{name}: error in %, {FOLDS} folds; training: mistakes during the pass"]
        lines += [*table(zip(*columns, strict=True)), f"best number of passes  {', '.join(best)}", ""]
    return Report("\n".join(lines).rstrip(), rows)


def draw(rows: Sequence[Row], path: str) -> None:
    """Write the figure of all corpora, .png, .svg or .pdf. Raises OptionError or DataError."""
    corpora = by_corpus(rows)
    with save_figure(path, (5.2 * len(corpora), 4.0), columns=len(corpora)) as panels:
        for axes, (corpus, here) in zip(panels, corpora.items(), strict=True):
            for learner, colour in zip(_LEARNERS, ("C0", "C1", "C2"), strict=True):
                chosen = [row for row in here if row["learner"] == learner]
                passes = [row["pass"] for row in chosen]
                axes.plot(passes, [row["held_out_error"] for row in chosen], color=colour, label=f"{learner}, held out")
                axes.plot(passes, [row["training_error"] for row in chosen], color=colour, ls=":", label="training")
                [best] = [row for row in chosen if row["best"]]
                axes.plot(best["pass"], best["held_out_error"], "o", color=colour)
            axes.set_ylim(0, 1.3 * max(row["held_out_error"] for row in here))  # training errors can begin far above
            axes.locator_params(axis="x", integer=True)
            label_axes(axes, corpus, "passes", "error, %")
        panels[0].legend(fontsize=8)
