"""The root class of all models.

A model is its options, each an attribute, and when it is fitted `model_`, the content of its file, with a few parts
that are built from it. A task's class reads data, begins training, and builds its parts from a model file (`_install`).
A part that a class does not have is None; `require_capability` turns that into an error.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast

from sapwood.errors import DataError, Listener, ModelError, not_fitted
from sapwood.io.memory import called, is_list
from sapwood.io.source import shown
from sapwood.model.explanation import Explanations, Reasons, Unit, question
from sapwood.model.facts import html_table, notes_of, with_notes
from sapwood.model.familiarity import Familiarity, ShortTexts
from sapwood.model.file.bundled import named, path_to_load
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, FileWriter, Observed, require_capability
from sapwood.model.records import Records
from sapwood.options import Options, Parameters, Values

if TYPE_CHECKING:
    from sapwood.events import Callback
    from sapwood.metrics.labels import Report
    from sapwood.model.answers import Answers
    from sapwood.model.small import Small


P = TypeVar("P", bound=Options)


class Model(Parameters, Generic[P]):
    """A model of any task: what `load` returns. Its options are keyword arguments, by scikit-learn's conventions.

    The constructor only stores them, as attributes of the same names; they are checked when training begins.
    """

    _params_type: ClassVar[type[Options]] = Options  # the class of its options
    task: ClassVar[str]  # its name in model files
    _noun: ClassVar[str]  # its name in messages
    _reads_streams: ClassVar[bool] = False  # whether `fit` takes `stream` and `scratch`

    threads: int  # the one option that all models have
    # A fitted model also has:
    model_: ModelFile  # the content of the file
    labels_: list[str]  # the labels that it gives
    card_: str  # data, licence and author, in Markdown; empty if it has no card
    familiarity_: Familiarity  # warns of texts that are unlike the training data
    _file_facts: Mapping[str, Any] = {}  # facts of the file that a server loaded it from: SHA-256, bytes, time
    _small: Small | None = None  # the rounds of shrinking, if `shrink` made this object

    # The parts that only some models have; None in the others. A model that explains defines the first three.
    _explain: Callable[..., Iterator[bytes]] | None = None  # yields explanations of decisions, as lines of JSON
    _encode_input: Callable[[Any], Any] | None = None  # converts the data that `predict` takes to the core's
    _parsed: Callable[..., Any] | None = None  # converts a file's bytes, with its name for errors, to the core's data
    _units: Callable[[Any], list[Unit]] | None = None  # returns the core's examples; None for models of sentences
    _confidence: Any = None  # margins and confidences of decisions
    _annotates: ClassVar[str | None] = None  # the format of files that `annotate` writes
    annotate: Callable[..., Iterator[Any]] | None = None  # yields the annotated blocks of a file
    recipe: Any = None  # trains a model with the same options again, also a smaller one
    lists: Any = None  # n best lists for rerankers
    _answers: Callable[..., list[Answers]] | None = None  # gives a file's gold answers and the model's, for a report
    _observed: Callable[[Any], Observed] | None = None  # gives what it finds in texts, for `sapwood drift`

    _records_type: ClassVar[type[Records] | None] = None  # the class of its answers, as the server shows them

    def __init_subclass__(cls) -> None:
        """Give the class the options of its type, with their signature, and list them in its documentation."""
        super().__init_subclass__()
        cls._declared = cls._params_type.options()
        cls._document()

    @property
    def params(self) -> P:
        """The options as an object of their own, with their types; to change it does not change the model."""
        return cast(P, self._params_type(**self.get_params()))

    def save(self, path: str | os.PathLike[str], *, notes: Mapping[str, str] | None = None) -> int:
        """Write the model to one file, whole or not at all; return its bytes.

        notes : texts of one's own by their names, such as {"prompt": "v3"}; the model keeps them beside those that it
            has, and `sapwood inspect` shows them. An empty text takes a note away

        Raises ModelError, and OptionError for notes that are no texts.
        """
        self.check_fitted()
        if notes:
            self.model_ = with_notes(self.model_, dict(notes))
        return self.model_.save(path)

    def _repr_html_(self) -> str | None:
        return html_table(self._noun, self.model_, self.contents) if "model_" in vars(self) else None

    def evaluate(self, source: os.PathLike[str]) -> Report:
        """Predict what a file has gold answers for, and score it. Raises DataError."""
        raise NotImplementedError

    def explain(
        self, data: Any, /, *, sentence: int | None = None, token: int | None = None, against: str | None = None
    ) -> Explanations:
        """Explain decisions about data, or about one sentence or one token, counted from 1.

        data : as `predict` takes them; a text for segmenters and pipelines, a treebank for lemmatizers and splitters.
            The page on explanations says what a sentence, a token and an answer are in each task.
        against : compare with this answer, not with the second best; decisions that have it are left out

        Raises ModelError if the model's decisions are no sums of features, OptionError for a sentence, token or answer
        that is not there, and what `predict` raises.
        """
        asked = question(sentence, token, against)
        return Explanations.read(require_capability(self, "reasons").of(data, asked))

    def shrink(
        self,
        data: Any,
        /,
        *,
        dev: Any = None,
        dev_fraction: float | None = None,
        bytes: int | None = None,
        loss: float | None = None,
        levels: str = "uneven",
        below: float | None = None,
        retrain: bool = True,
        on_event: Callback | None = None,
    ) -> Self:
        """Return a smaller model. It is trained as this one was; then weights are dropped, and the others learned anew.

        dev, dev_fraction : held-out data, as `fit` takes them
        bytes : the model has so many bytes at most
        loss : the smallest model whose score on held-out data is at most so many points below that of the whole one
        below : weights smaller than this part of the largest are dropped, and nothing is learned anew
        levels : how weights are rounded: to any int8 number ("even"), or only to those numbers that take few bits in
        the file ("uneven"; entropy-constrained quantisation, Chou, Lookabaugh & Gray 1989)
        retrain : if at most half of the bytes stay, forget the weights that do and learn them anew. Without, they stay
        as they are, which takes half of the time and loses more

        Each part of a pipeline gets the share of `bytes` that it has of the pipeline's bytes now, and the score of each
        may fall by `loss`. `recipe.shrunk()` of the smaller model has the size and score of each round.

        Raises OptionError, ModelError if the model has no weights that could be dropped, and what `fit` raises. Warns
        if the model cannot be made as small as that.
        """
        from sapwood.model.small import Goal  # it imports modules of training alone

        goal = Goal(bytes, loss, below, levels, retrain)
        goal.check(held_out=dev is not None or dev_fraction is not None)
        fit = require_capability(self, "recipe").smaller(goal)
        small: Self = fit(data, dev=dev, dev_fraction=dev_fraction, on_event=on_event)
        small.model_ = with_notes(small.model_, notes_of(self.model_))
        return small

    @property
    def reasons(self) -> Any:
        """The features behind decisions. The page on explanations says what is explained in each task."""
        if self._explain is None or self._encode_input is None or self._parsed is None:
            return None
        self.check_fitted()
        return Reasons(self._encode_input, self._parsed, self._explain, self._units)

    @property
    def writer(self) -> Any:
        """The writer of annotated files, for the command line and the server."""
        if self.annotate is None or self._annotates is None:
            return None
        self.check_fitted()
        return FileWriter(self.annotate, self._annotates)

    @property
    def confidence(self) -> Any:
        """The margins of decisions, and the confidences in them once the model is calibrated."""
        self.check_fitted()
        return self._confidence

    @property
    def _records(self) -> Records | None:
        """The answers of the fitted model as records of JSON, for the server; None if it has nothing to show."""
        self.check_fitted()
        return None if self._records_type is None else self._records_type(self)

    @property
    def contents(self) -> Contents:
        """The features, outputs and weights of the fitted model, for people to look at."""
        raise NotImplementedError

    def check_fitted(self) -> None:
        """Raise NotFittedError if the model is not fitted."""
        if "model_" not in vars(self):
            raise not_fitted(f"this {self._noun} is not fitted yet; call fit, or load a model")

    def _install(self, model: ModelFile) -> None:
        """Set the attributes of a fitted model. Raises SapwoodError if the file does not fit this class."""
        self.model_, self.labels_, self.card_ = model, model.labels, model.card
        self.familiarity_ = Familiarity(model)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a model of this class from its file. Raises ModelError if the file has none, or one of another class."""
        file = ModelFile.load(path_to_load(path))
        if file.task != cls.task:
            raise ModelError(
                f"{shown(path)}: a model for the task '{file.task}', not a {cls._noun}; see 'sapwood inspect'"
            )
        with named(path):
            return cls._of_file(file)

    @classmethod
    def _of_file(cls, model: ModelFile) -> Self:
        result = cls._with_options_of(model)
        result._install(model)
        return result

    @classmethod
    def _with_options_of(cls, model: ModelFile, **others: object) -> Self:
        """Return a model that is not fitted, with the options of a file and others. Raises SapwoodError."""
        declared = cls._params_type.options()
        found = {name: value for name, value in model.options.items() if name in declared}
        if foreign := [name for name in found if not declared[name].kept]:
            raise ModelError(f"its options have {foreign[0]}, which a model file does not keep")
        if "bits" in declared:
            found |= {"bits": model.bits}
        if "template" in declared and model.template:
            found |= {"template": model.template}
        params = cls._params_type(**found | others)
        params.check_options()
        result = cls.__new__(cls)
        vars(result).update(params.get_params())
        return result

    def __getstate__(self) -> Values:
        """Return the state of copies and pickles: the options and the model, as if it were saved and loaded."""
        fitted = {name: vars(self)[name] for name in _COPIED if name in vars(self)}
        return {"params": self.get_params()} | fitted

    def __setstate__(self, state: Values) -> None:
        options = state.pop("params")
        if "model_" in state:
            vars(self).update(vars(self._of_file(state["model_"])))
        vars(self).update(options | state)


# attributes that copies keep beside the options
_COPIED = ("model_", "_labels", "_metadata_request")

AnyModel = Model[Any]
M = TypeVar("M", bound=AnyModel)


def with_listener(model: M, on_warning: Listener, *, strict: bool = False, short: ShortTexts | None = None) -> M:
    """Return a view of a fitted model. Its warnings of unfamiliar texts go to a listener.

    strict : give no answer before the beginning of the text is judged, as the listener may raise
    short : counts short texts together with those of other views
    """
    model.check_fitted()
    result = object.__new__(type(model))
    familiarity = model.familiarity_.with_listener(on_warning, strict=strict, short=short)
    vars(result).update(vars(model), familiarity_=familiarity)
    return result


def is_file(source: object, wanted: str) -> bool:
    """Return true if `source` is the path of a file, a pathlib.Path or the like; false if it is a list.

    wanted : the form of data in memory, for the message

    Raises DataError for all else, also for a string, as it may be meant as a path or as data.
    """
    if not isinstance(source, os.PathLike) and not is_list(source):
        raise DataError(f"data are {wanted}; {called(source)} is neither that nor a file, whose path is a pathlib.Path")
    return isinstance(source, os.PathLike)
