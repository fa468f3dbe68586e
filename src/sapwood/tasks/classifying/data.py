"""Examples for a model: read, turned into rows of features, and their labels, which a file may rename, into numbers."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import sapwood._core as _core
from sapwood.errors import DataError, ModelError, OptionError, warn
from sapwood.io.example_files import FORMATS, format_by_name, read_examples
from sapwood.io.examples import Examples, Layout, take_examples
from sapwood.io.label_sets import BETWEEN
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.model.base import is_file
from sapwood.model.familiarity import Familiarity
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.classifying.given_labels import one_column
from sapwood.tasks.classifying.labelled import Labelled, is_multi_label, sets_of
from sapwood.tasks.classifying.options import ClassifierOptions

Source = os.PathLike[str] | Iterable[Any]
_WANTED = "examples: a list of texts, of dicts of features or of (tokens, number of the marked one)"
_CHECKED = 4000  # examples that are looked at, at most
_SHARE = 0.1  # warn if more of the examples have such labels
_OFTEN = 5  # average count of a word behind a label that may be the rest of it

_LAYOUT = ("format", "label", "text", "fields")  # its entries in a model file's options


def examples_in(
    source: Source, labels: list[Any] | None, options: ClassifierOptions, layout: Layout | None = None
) -> Examples:
    """Read examples from a file, or take them from memory. Raises DataError, OptionError.

    labels : those of examples in memory, as `GivenLabels.read` gives them
    layout : that of a model; without, the data tell it
    """
    if not is_file(source, _WANTED):
        if options.labels is not None and labels is not None:
            raise OptionError("labels names those of examples in a file, and these are in memory")
        examples = one_column(source, "examples")  # type: ignore[arg-type]
        return take_examples(examples, labels, layout, several=options.multi_label)
    if labels is not None:
        raise OptionError("labels beside a file: a file has them in it")
    wanted = layout or Layout("", [], [], options.label, options.text, options.multi_label)
    wanted = wanted._replace(format=options.format or format_by_name(source, wanted.format))  # type: ignore[arg-type]
    fixed = layout is not None
    data = read_examples(source, wanted, fixed=fixed, tag_in_label=options.tag_in_label)  # type: ignore[arg-type]
    return data if options.labels is None else LabelNames(options.labels).in_place_of(data)


def labelled(data: Examples, model: ModelFile, purpose: str) -> Labelled:
    """Return examples as rows of the features that a model sees, with their own labels.

    purpose : a verb for messages: "train on" or "score"

    Raises DataError if some have no label; where an example has any number of labels, if none has one.
    """
    if is_multi_label(model):
        names, sets = sets_of(data, purpose)
        return Labelled(example_rows(data, features_in(model)), sets, names, several=True)
    require_labels(data, purpose)
    return Labelled(example_rows(data, features_in(model)), data.answers.gold, data.answers.labels)


def warn_of_cut_labels(data: Examples) -> None:
    """Warn if labels in fastText's lines were cut at a space: few words follow them, which begin no other text.

    That happens by chance, too, but to a few rare labels, not to more than a tenth of the examples.
    """
    if data.layout.format != "fasttext" or data.documents is None:
        return
    labels, gold = data.answers.labels, data.answers.gold  # the core copies them each time
    following: dict[str, Counter[str]] = {label: Counter() for label in labels}
    for k in range(0, len(data), 1 + len(data) // _CHECKED):
        if (y := gold[k]) >= 0:
            text = data.documents.words(k)
            following[labels[y]][text[0] if len(text) > 1 else ""] += 1
    begins = Counter(word for words in following.values() for word in words)
    few = {y: words for y, words in following.items() if _OFTEN * len(words) <= words.total() and 0 < len(words) <= 5}
    cut = {y: words for y, words in few.items() if words[""] == 0 and all(begins[word] == 1 for word in words)}
    share = sum(words.total() for words in cut.values()) / max(1, sum(words.total() for words in following.values()))
    if share > _SHARE and len(begins) > 1:  # with a single word there is nothing to tell it from
        label, words = next(iter(cut.items()))
        first, *others = sorted(words)
        begin = f"{first!a}{' or another of few words' if others else ''}"
        before, joined = (ascii(f"__label__{text}")[1:-1] for text in (label, f"{label}_{first}"))
        message = f"after {before} each text begins with {begin}; if that is a part of the label, write {joined}"
        place = data.answers.where(gold.index(labels.index(label)))
        warn(f"{place}: {message}: labels have no spaces here")


def require_several(labels: list[str], name: str, least: int = 2) -> None:
    """Raise DataError if the examples of a file have fewer labels than `least`."""
    if len(labels) < least:
        raise DataError(f"{name}: all examples have the label '{labels[0]}', one class; training needs two or more")


def with_known_labels(
    data: Examples, model: ModelFile, familiarity: Familiarity
) -> tuple[_core.FeatureRows, list[list[int]]]:
    """Return the rows of held-out examples, and the numbers of the labels of each. Warn of those of training.

    Raises DataError if the data have labels that the model lacks, or none.
    """
    familiarity.warn_if_seen(data.content, data.answers.name)
    found, answers = labelled(data, model, "score").relabelled(model.labels), data.answers
    gold = found.gold if found.several else [[y] for y in found.gold]
    if wrong := [k for k, each in enumerate(gold) if -1 in each]:
        label = f"{'one of the labels' if found.several else 'the label'} '{answers.labels[answers.gold[wrong[0]]]}'"
        raise DataError(
            f"{answers.where(wrong[0])}: the model does not know {label}; "
            f"leave out the examples of such labels ({len(wrong)})"
        )
    return found.rows, gold


def features_in(model: ModelFile) -> _core.DocumentFeatures | None:
    """Return the template that turns the model's texts into features; None if it was trained on features."""
    return _core.DocumentFeatures(model) if model.template else None


def example_rows(data: Examples, features: _core.DocumentFeatures | None) -> _core.FeatureRows:
    """Return the rows of features that a model with this template sees. Raises DataError for another kind of data."""
    if data.documents is not None:
        return for_documents(features, data).rows(data.documents)
    assert data.rows is not None
    if features is not None:
        raise DataError(f"{data.answers.name}: these are features, but the model was trained on texts")
    return data.rows


def for_documents(features: _core.DocumentFeatures | None, data: Examples) -> _core.DocumentFeatures:
    """Return the template of a model's texts. Raises DataError if it has none."""
    if features is None:
        raise DataError(f"{data.answers.name}: these are texts, but the model was trained on features")
    return features


def layout_of(model: ModelFile) -> Layout:
    """Return the layout of the examples that a model was trained on."""
    options = model.options
    columns = model.columns[: model.label]
    asked = [field for field in options["fields"] if f"%d[{field}]" in model.template]
    several = is_multi_label(model)
    return Layout(columns=columns, several=several, asked=asked, **{name: options[name] for name in _LAYOUT})


def row_names(data: Examples, rows: _core.FeatureRows, model: ModelFile) -> dict[int, str]:
    """Return the texts of the features of some rows of the data, by key."""
    if data.documents is None:
        return {_core.key_of(name): name for name in ("bias", *data.names())}
    keys = sorted(set(memoryview(_core.pack_rows(rows)[1]).cast("Q")))
    names = for_documents(features_in(model), data).names_of(data.documents, keys)
    return dict(zip(keys, names, strict=True))


def file_of_rows(labels: list[str], bits: int) -> ModelFile:
    """Return the file of a model of rows of features, without weights."""
    return ModelFile(task="classify", labels=labels, bits=bits)


def check_model(model: ModelFile) -> None:
    """Raise ModelError, or TemplateError, if a file's metadata are not those of a classifier."""
    _core.check_classifier(model)
    if model.options["format"] not in FORMATS:
        raise ModelError(f"the format of its examples is {model.options['format']!a}")


def require_labels(data: Examples, purpose: str) -> None:
    """Raise DataError if there is no example, or one without a label. purpose : a verb for the message"""
    if len(data) == 0:
        raise DataError(f"{data.answers.name}: there is no example to {purpose}")
    if data.flaw:
        raise DataError(data.flaw)
    gold = data.answers.gold
    if missing := gold.count(-1):
        more = f", and {missing - 1} more examples have none" if missing > 1 else ""
        raise DataError(
            f"{data.answers.where(gold.index(-1))}: there is no label{more}; examples to {purpose} have one "
            f"(any number with multi_label){data.hint and '; ' + data.hint}"
        )


class LabelNames:
    """The labels that are allowed, with their names, of a file: a label a line, or an old one and a new one.

    Raises DataError if the file cannot be read so.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file, names = shown(path), dict[str, str]()
        for number, line in enumerate(plain_text(read_bytes(path), self._file).splitlines(), start=1):
            old, *new = (cell.strip() for cell in line.split("\t"))
            if not line.strip():
                continue
            name = new[0] if new else old
            if len(new) > 1 or not old or not name or names.get(old, name) != name:
                what = (
                    "a line is a label, or an old one and a new one with a tab between them, and no label has two names"
                )
                raise DataError(f"{self._file}:{number}: {what}")
            names[old] = name
        if not names:
            raise DataError(f"{self._file}: there is no label in it")
        self._names = {name: name for name in names.values()} | names

    def in_place_of(self, data: Examples) -> Examples:
        """Return examples of a file with these names. Raises DataError for a label that is not allowed."""
        answers = data.answers
        found = [_renamed(label, self._names, several=data.layout.several) for label in answers.labels]
        if None in found:
            number = found.index(None)
            where, known = answers.where(answers.gold.index(number)), ", ".join(dict.fromkeys(self._names.values()))
            raise DataError(f"{where}: the label {answers.labels[number]!a} is not allowed; {self._file} has {known}")
        labels = [found[y] or "" if y >= 0 else "" for y in answers.gold]
        lines = [int(answers.where(k).rpartition(":")[2]) for k in range(len(answers))]
        return Examples(**data._asdict() | {"answers": _core.Answers.build(labels, lines, answers.name)})


def _renamed(label: str, names: Mapping[str, str], *, several: bool) -> str | None:
    parts = [names.get(part.strip()) for part in (label.split(BETWEEN) if several else [label])]
    return None if None in parts else BETWEEN.join(dict.fromkeys(map(str, parts)))
