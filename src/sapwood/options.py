"""Options of models and kernels, each declared in one place.

::

    class Learner(Options):
        gamma: float = option(default=1.0, least=0, most=1e6, metavar="G", help="cost of a mistake", kept=True)

    class Tagger(Learner):
        order: Literal[1, 2] = option(default=1, help="labels of history", kept=True)
        gamma: float = 20.0                                 # the inherited option with another default
        epochs: int = changed(default=5, help="passes")     # or with other texts and limits

From a declaration follow the keyword arguments of the class with their signature, `get_params`, `set_params`, `repr`,
the list of options in the class's documentation, the checks, the flags of the command line, and what a model file keeps
of them. As in scikit-learn the constructor only stores values (NumPy's scalars as Python's); `check_options` checks
them, when training begins.

``Tagger.options()`` returns every `Option` by its name, the class's own first. For the command line an Option has

* ``name`` (``--name`` with hyphens), ``default``, ``help``, ``metavar``; ``command``: true if there is a flag for it,
  and ``group``: its heading, one of GROUPS;
* ``kind``: "choice" (one of ``choices``), "whole" or "number" (from ``least`` or ``above`` to ``most`` or ``below``),
  "switch" (true or false), "list" (of strings) or "text" (a name or path);
* ``flag``: its flag, if that is not made from the name;
* ``optional``: true if it may be None; ``off``: the word for None, or the flag that turns off a switch that is on;
* ``allowed``: its possible values, in words; ``check(value)``, which raises OptionError in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, dataclass_transform

from sapwood.errors import OptionError

Values = dict[str, Any]  # values of options or of an option's fields, by name

GROUPS = {  # headings of options, in the order of the command line's help
    "first": "the options that matter first",
    "reading": "what it reads",
    "learning": "learning",
    "size": "size of the model",
    "long": "long trainings",
    "machines": "this machine and others",
}

_SMALLEST = 1e-200  # least weight of a subsequence without gaps
_PLAIN = {bool, int, float, str, type(None)}  # types of values that are stored as they are
_KINDS = {"int": "whole", "float": "number", "bool": "switch", "Sequence[str]": "list"}


class Option:
    """The declaration of one option; see the top of this file."""

    name = ""
    annotation = "str"
    default: Any
    help = ""
    metavar: str | None = None
    choices: tuple[object, ...] = ()
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    kept: bool | str = False  # "given": if it is not the default; "training": the same, once training is over
    command = True
    core = True
    group = "learning"
    off: str | None = None
    flag: str | None = None

    def __init__(self, fields: Values) -> None:
        vars(self).update(fields)

    @property
    def optional(self) -> bool:
        """True if the value may be None."""
        return self.annotation.endswith(" | None")

    @property
    def kind(self) -> str:
        """The kind of its values: "choice", "whole", "number", "switch", "list" or "text"."""
        if self.choices:
            return "choice"
        return _KINDS.get(self.annotation.partition(" | ")[0], "text")

    @property
    def allowed(self) -> str:
        """Its possible values, in words."""
        if self.kind in ("choice", "switch"):
            return f"one of {', '.join(map(str, self.choices or (True, False)))}"
        if self.kind == "whole":
            return f"a whole number from {self.least} to {self.most}"
        low = f"above {_shown(self.above)}, up to" if self.above is not None else f"from {_shown(self.least)} to"
        return f"a number {low} {f'less than {_shown(self.below)}' if self.most is None else _shown(self.most)}"

    def check(self, value: object) -> None:
        """Raise OptionError if the option cannot have this value."""
        if not (value is None and self.optional) and not self.has(value):
            raise OptionError(f"{self.name} is {self.allowed}, not {value!r}")

    def has(self, value: object) -> bool:
        """Return true if the option can have a value, which is not None."""
        match self.kind, value:
            case "choice", _:
                return type(value) is type(self.choices[0]) and value in self.choices
            case "switch", bool():
                return True
            case "whole" | "number", bool():
                return False
            case ("whole", int() as number) | ("number", (int() | float()) as number):
                return (
                    (self.least is None or self.least <= number)
                    and (self.above is None or self.above < number)
                    and (self.most is None or number <= self.most)
                    and (self.below is None or number < self.below)
                )
            case "switch" | "whole" | "number", _:
                return False
        return True


def option(
    *,
    default: Any,
    help: str,
    metavar: str | None = None,
    choices: tuple[object, ...] = (),
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    below: float | None = None,
    kept: bool | Literal["given", "training"] = False,
    command: bool = True,
    core: bool = True,
    group: str = "learning",
    off: str | None = None,
    flag: str | None = None,
) -> Any:
    """Declare an option of a class that derives from Options; its type is the attribute's annotation.

    kept : true if a model file keeps it; "given": only if it is not the default; "training": the same, and other
    training that goes on from a checkpoint may have another value
    core : true if an option of learning goes to the core's trainer, which has to know it, not to Python alone
    A whole number has a least value; the most is 2^32 - 1 if it is not given. Choices are those of Literal, or given.
    """
    given = {name: value for name, value in locals().items() if value not in (None, ())}
    return Option({"default": default, **given})


def changed(*, default: Any = ..., **fields: object) -> Any:
    """Declare an inherited option again, with another default, help, limit or the like."""
    return _Changed(fields if default is ... else {"default": default, **fields})


class _Changed:
    def __init__(self, fields: Values) -> None:
        self.fields = fields


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(option, changed))
class Options:
    """Keyword arguments that are declared as options, by scikit-learn's conventions."""

    _declared: ClassVar[dict[str, Option]] = {}
    first: ClassVar[tuple[str, ...]] = ()  # the options that matter first; a subclass names its own
    python_only: ClassVar[tuple[str, ...]] = ()  # inherited options that the command line of this class does not have
    __signature__: ClassVar[Signature] = Signature()
    if not TYPE_CHECKING:  # type checkers make the signature of the declarations

        def __init__(self, **values):
            if unknown := values.keys() - self._declared.keys():
                raise unknown_option(type(self), unknown)
            vars(self).update({name: declared.default for name, declared in self._declared.items()})
            vars(self).update(plain(values))

    def __init_subclass__(cls) -> None:
        """Collect the options that are declared in the class, and list them in its documentation."""
        super().__init_subclass__()
        own: dict[str, Option] = {}
        annotations = cls.__annotations__
        for name, value in vars(cls).items():
            fields = _typed(annotations[name]) if name in annotations else {}
            match value:
                case Option():
                    own[name] = Option({"name": name} | fields | vars(value))
                case _Changed(fields=given) if name in cls._declared:
                    own[name] = Option(vars(cls._declared[name]) | fields | given)
                case _ if name in cls._declared:
                    own[name] = Option(vars(cls._declared[name]) | fields | {"default": value})
        for name in vars(cls).get("python_only", ()):
            own[name] = Option(vars(own.get(name) or cls._declared[name]) | {"command": False})
        for declared in own.values():
            if declared.kind == "whole":
                vars(declared).setdefault("most", (1 << 32) - 1)
            if declared.annotation == "str" and declared.choices:
                declared.annotation = f"Literal{list(declared.choices)}"
            setattr(cls, declared.name, declared)
        new = {name: declared for name, declared in own.items() if name not in cls._declared}
        cls._declared = new | cls._declared | own
        cls.__signature__ = Signature(
            [
                Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=each.annotation)
                for each in cls._declared.values()
            ]
        )
        if own_doc := vars(cls).get("__doc__"):
            cls.__doc__ = cls.documented(own_doc)

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Return the declared options by name, the class's own first."""
        return dict(cls._declared)

    def get_params(self, deep: bool = True) -> Values:
        """Return the options' values by name. `deep` is there for scikit-learn and changes nothing."""
        return {name: getattr(self, name) for name in self._declared}

    def set_params(self, **params: object) -> Self:
        """Set options by name and return self. Raises OptionError for an unknown name."""
        self.check_names(type(self).__name__, params)
        vars(self).update(plain(params))
        return self

    @classmethod
    def check_names(cls, owner: str, names: Iterable[str]) -> None:
        """Raise OptionError if a name is no option of a class that is called `owner`."""
        for name in names:
            if name not in cls._declared:
                raise OptionError(f"{owner} has no parameter '{name}'; it has {', '.join(cls._declared)}")

    def check_options(self) -> None:
        """Raise OptionError if an option has a value that it cannot have, or if options contradict each other."""
        for name, declared in self._declared.items():
            declared.check(getattr(self, name))

    def kept(self) -> Values:
        """Return the options that a model file keeps."""
        return self._kept("given", True)

    def of_training(self) -> Values:
        """Return the options of the finished training that a model file keeps: those that are not the defaults."""
        return self._kept("training")

    def _kept(self, *kinds: str | bool) -> Values:
        options = [each for each in self._declared.values() if each.kept in kinds]
        values = [(each, getattr(self, each.name)) for each in options]
        return {each.name: value for each, value in values if each.kept is True or value != each.default}

    @classmethod
    def documented(cls, text: str) -> str:
        """Return the documentation of a class, with a list of the options behind it."""
        entries = "".join(map(_documented, cls._declared.values()))
        return f"{text}\n\n    Parameters\n    ----------{entries}\n    "

    def __repr__(self) -> str:
        return self.shown_as(type(self).__name__)

    def shown_as(self, name: str) -> str:
        """Return a call of `name` with the options that differ from their defaults."""
        values = self.get_params().items()
        changed = {name: value for name, value in values if value != self._declared[name].default}
        shown = (f"{name}={_short(repr(value))}" for name, value in changed.items())
        return f"{name}({', '.join(shown)})"


def plain(values: Mapping[str, object]) -> Values:
    """Return values of options as they are stored: scalars of NumPy's as Python's."""
    return {
        name: value.item()
        if type(value) not in _PLAIN and getattr(value, "ndim", None) == 0 and hasattr(value, "item")
        else value
        for name, value in values.items()
    }


def options_of(owner: Any) -> dict[str, Option]:
    """Return the declared options of a model, of its class, or of a class of options, by name."""
    found: dict[str, Option] = getattr(owner, "_params_type", owner).options()
    return found


def unknown_option(owner: type, names: Iterable[str]) -> TypeError:
    """Return the error of a call of `owner` with names that are none of its options."""
    return TypeError(f"{owner.__name__}() got an unexpected keyword argument '{min(names)}'")


THREADS = option(
    default=1, least=1, metavar="N", group="machines", help="work on so many cores; the results are the same"
)


def check_decay(decay: float, length: int) -> None:
    """Raise OptionError if a kernel's decay is too small for subsequences of `length` symbols; 0 is every length."""
    length = max(length, 1)  # the shortest subsequences weigh most
    if decay ** (2 * length) < _SMALLEST:
        raise OptionError(f"a decay of {decay!r} is too small for a length of {length}")


def _typed(annotation: object) -> Values:
    """Return the fields of an option that follow from its annotation: the type, and the choices of a Literal."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    found: Values = {"annotation": text}
    if text.startswith("Literal["):
        words = text[8 : text.index("]")].split(", ")
        found["choices"] = tuple(int(word) if word.isdigit() else word.strip("\"'") for word in words)
    return found


def _shown(bound: float | None) -> str:
    """Return a bound as messages have it: 1,000,000 or 1e15, 0.125 or 1e-6."""
    if bound is not None and bound <= 1e6 and bound == int(bound):
        return f"{bound:,.0f}"
    return f"{bound:g}".replace("+", "").replace("e-0", "e-")


def _documented(declared: Option) -> str:
    """Return the entry of an option in its class's documentation."""
    return f"\n    {declared.name} : {declared.annotation}, default {declared.default!r}\n        {declared.help}"


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:60]} ... {text[-10:]}"


class Threads(Options):
    """The one option that all models have."""

    threads: int = THREADS
