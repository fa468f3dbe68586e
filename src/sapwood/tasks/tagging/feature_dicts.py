"""Tokens as dicts or lists of features, as sklearn-crfsuite's users have them, and their weights.

The features of a token stand in columns, one after the other; a token with fewer features than others has empty cells.
All lines of the template are alike, so it does not matter in which column a feature stands, and a model takes tokens
with more features when its template has more such lines.
"""

from collections.abc import Iterable, Sequence
from threading import Lock

from sapwood.errors import MissingError, OptionError
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.tagging.options import TaggerOptions

Weights = Iterable[tuple[int, int, Sequence[int], float]]  # table, row, labels and weight

# Held while a model is made to take more features, so that no thread makes it take fewer again.
WIDENING = Lock()
_MARK = "# features of dicts\n"
_ID = "U:"


def is_of_dicts(template: object) -> bool:
    """Return true if a template is one of `template_of`."""
    return isinstance(template, str) and template.startswith(_MARK)


def template_of(features: int, order: int) -> str:
    """Return the template for tokens of so many features, and label n-grams."""
    lines = [f"{_ID}%x[0,{c}]\n" for c in range(features)]
    return "".join([_MARK, *lines, "B\n", *(["UB:%y[-2]/%y[-1]\n"] if order == 2 else [])])


def feature_columns(features: int) -> list[str]:
    """Return the names of the columns of tokens of so many features, and of their labels."""
    return [*(f"feature {c + 1}" for c in range(features)), "label"]


def features_of(model: ModelFile) -> int:
    """Return the number of features of a token that a model takes; 0 if it takes columns."""
    return len(model.columns) - 1 if is_of_dicts(model.template) else 0


def forbid_column_options(options: TaggerOptions) -> None:
    """Raise OptionError for options that are about columns."""
    wrong = [name for name in ("columns", "lexicon", "dictionary") if getattr(options, name) is not None]
    if options.template != options.options()["template"].default and not is_of_dicts(options.template):
        wrong.append("template")
    if wrong:
        raise OptionError(
            f"{wrong[0]} is for tokens with columns, which are tuples; features (dicts, lists) are taken as they are"
        )


def state_features(model: ModelFile, weights: Weights) -> dict[tuple[str, str], float]:
    """Return weights by feature and label. Raises MissingError if the model does not keep its features' names."""
    names = model.tables[0].names
    if names is None:
        raise MissingError("the model does not keep the names of its features; train it with names=True")
    prefix = _ID if is_of_dicts(model.template) else ""
    return {
        (names[row].removeprefix(prefix), model.labels[labels[-1]]): weight
        for table, row, labels, weight in weights
        if table == 0
    }


def transition_features(model: ModelFile, weights: Weights) -> dict[tuple[str, str], float]:
    """Return weights by label and the label after it, "<start>" before the first; those of all features added up."""
    known = [*model.labels, "<start>"]
    found: dict[tuple[str, str], float] = {}
    for table, _, labels, weight in weights:
        if table == 1:
            pair = known[labels[0]], known[labels[1]]
            found[pair] = found.get(pair, 0.0) + weight
    return found
