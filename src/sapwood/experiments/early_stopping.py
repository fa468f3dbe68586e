"""How many passes are best: training and held-out error after each, by ten-fold cross-validation."""

from collections.abc import Callable, Sequence
from typing import Any

from sapwood.datasets.corpora import review_corpus, sense_corpus
from sapwood.experiments.classification import problem_of
from sapwood.learning.cross_validation import cross_validate
from sapwood.metrics.labels import table
from sapwood.models.classifier import Classifier

__all__ = ["draw", "run"]

_FOLDS = 10
_EPOCHS = 20
_LEARNERS: dict[str, dict[str, Any]] = {
    "vanilla": {"update": "perceptron", "average": False, "min_updates": 1},
    "averaged": {"update": "perceptron", "min_updates": 1},
    "averaged, margin": {"update": "margin", "min_updates": 1},
}


def run(data: str | None, on_start: Callable[[str, str], None]) -> tuple[str, list[dict[str, Any]]]:
    """Return the tables as text, and their rows for ``--json``. Raises DataError if a corpus is not there."""
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    for (name, examples), template in ((sense_corpus(data), "wsd"), (review_corpus(data), "text")):
        problem = problem_of(name, examples, template=template)
        columns: list[object] = ["pass"]
        cells: list[list[object]] = [[epoch + 1] for epoch in range(_EPOCHS)]
        best = []
        for learner, options in _LEARNERS.items():
            on_start(name, learner)
            result = cross_validate(Classifier(epochs=_EPOCHS, **options), problem.data, _FOLDS)
            columns += [f"{learner}: training", "held out"]
            for epoch, (wrong, accuracy) in enumerate(zip(result.mistakes, result.accuracies, strict=True)):
                cells[epoch] += [wrong, 100 - accuracy]
                rows.append(
                    {
                        "corpus": name,
                        "learner": learner,
                        "pass": epoch + 1,
                        "training_error": wrong,
                        "held_out_error": 100 - accuracy,
                        "best": epoch + 1 == result.best_epochs,
                    }
                )
            best.append(f"{learner}: {result.best_epochs}")
        lines += [f"{name}: error in %, {_FOLDS} folds; training: mistakes during the pass", *table([columns, *cells])]
        lines += [f"best number of passes  {', '.join(best)}", ""]
    return "\n".join(lines).rstrip(), rows


def draw(rows: Sequence[dict[str, Any]], path: str) -> None:
    """Write the figure of all corpora, .png or .svg. Raises OptionError or DataError."""
    from sapwood.draw.figure import save_figure

    corpora = list(dict.fromkeys(row["corpus"] for row in rows))
    with save_figure(path, (5.2 * len(corpora), 4.0), columns=len(corpora)) as panels:
        for axes, corpus in zip(panels, corpora, strict=True):
            for learner, colour in zip(_LEARNERS, ("C0", "C1", "C2"), strict=True):
                chosen = [row for row in rows if (row["corpus"], row["learner"]) == (corpus, learner)]
                passes = [row["pass"] for row in chosen]
                axes.plot(passes, [row["held_out_error"] for row in chosen], color=colour, label=f"{learner}, held out")
                axes.plot(passes, [row["training_error"] for row in chosen], color=colour, ls=":", label="training")
                (best,) = (row for row in chosen if row["best"])
                axes.plot(best["pass"], best["held_out_error"], "o", color=colour)
            worst = max(row["held_out_error"] for row in rows if row["corpus"] == corpus)
            axes.set_ylim(0, 1.3 * worst)  # training with a margin begins far above
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.set_title(corpus)
            axes.set_xlabel("passes")
            axes.set_ylabel("error, %")
            axes.grid(alpha=0.3)
        panels[0].legend(fontsize=8)
