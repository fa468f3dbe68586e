"""Options of models and kernels, each declared in one place.

::

    class Learner(Options):
        gamma: float = option(default=1.0, least=0, most=1e6, metavar="G", help="cost of a mistake", kept=True)

    class Tagger(Learner):
        order: Literal[1, 2] = option(default=1, help="labels of history", kept=True)
        gamma: float = 20.0                                # the inherited option with another default
        epochs: int = option(default=5).described(         # or with other texts and limits; the others stay
            "passes over the data, at most"
        )

From a declaration follow the keyword arguments of the class with their signature, `get_params`, `set_params`, `repr`,
the list of options in the class's documentation, the checks, the flags of the command line, and what a model file keeps
of them. As in scikit-learn the constructor only stores values (NumPy's scalars as Python's); `check_options` checks
them, when training begins.

These are no dataclasses. To import those and to compile a constructor for each class would add a tenth to the time that
loading a pipeline takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

from sapwood.errors import OptionError

if TYPE_CHECKING:
    from inspect import Signature

Values = dict[str, Any]  # values of options or of an option's fields, by name

GROUPS = {  # headings of options, in the order of the command line's help
    "first": "the options that matter first",
    "reading": "what it reads",
    "learning": "learning",
    "size": "size of the model",
    "long": "long trainings",
    "machines": "this machine and others",
}

_PLAIN = {bool, int, float, str, type(None)}  # types of values that are stored as they are
_KINDS = {"int": "whole", "float": "number", "bool": "switch", "Sequence[str]": "list"}


class Option:
    """The declaration of one option."""

    name = ""
    annotation = "str"
    default: Any = None
    help = ""
    metavar: str | None = None
    choices: tuple[object, ...] = ()  # values of Literal, if they are not given
    least: float | None = None
    most: float | None = None  # 2^32 - 1 for a whole number, if it is not given
    above: float | None = None
    below: float | None = None
    # True if a model file keeps it. "given": if it is not the default. "training": the same, and other training that
    # goes on from a checkpoint may have another value.
    kept: bool | str = False
    command = True  # whether the command line has a flag for it
    core = True  # whether an option of learning goes to the core's trainer, which has to know it, not to Python alone
    group = "learning"  # one of GROUPS
    off: str | None = None  # the word for None, or the flag that turns off a switch that is on
    flag: str | None = None  # its flag, if that is not made from the name

    def __init__(self, **fields: Any) -> None:
        assert all(hasattr(Option, name) for name in fields), fields
        vars(self).update(fields)

    def changed(self, **fields: Any) -> Option:
        return Option(**vars(self) | fields)

    def described(self, help: str) -> Any:
        """Return the option with its help, which stands beneath what is declared."""
        return self.changed(help=help)

    @property
    def optional(self) -> bool:
        return self.annotation.endswith(" | None")

    @property
    def kind(self) -> str:
        """The kind of its values: "choice", "whole", "number", "switch", "list" (of strings) or "text"."""
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


def option(**fields: Any) -> Any:
    """Declare an option of a class that derives from Options by fields of `Option`; its type is the annotation.

    An option that is inherited keeps the fields that are not given.
    """
    return Option(**fields)


class _Signature:
    """The signature of a class. It is made when somebody looks at it, as `inspect` is slow to import."""

    def __get__(self, instance: object, owner: type) -> Signature:
        from inspect import Parameter, Signature

        return Signature(
            [
                Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=each.annotation)
                for each in options_of(owner).values()
            ]
        )


class Parameters:
    """Keyword arguments by scikit-learn's conventions: attributes, which the constructor only stores."""

    _declared: ClassVar[dict[str, Option]] = {}
    __signature__: ClassVar[Any] = _Signature()

    def __init__(self, **values: Any) -> None:
        if unknown := values.keys() - self._declared.keys():
            raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument '{min(unknown)}'")
        vars(self).update({name: declared.default for name, declared in self._declared.items()})
        vars(self).update(plain(values))

    def get_params(self, deep: bool = True) -> Values:
        """Return the options' values by name. `deep` is there for scikit-learn and changes nothing."""
        return plain({name: getattr(self, name) for name in self._declared})

    def set_params(self, **params: object) -> Self:
        """Set options by name and return self. Raises OptionError for an unknown name."""
        for name in params:
            if name not in self._declared:
                owner = type(self).__name__
                raise OptionError(f"{owner} has no parameter '{name}'; it has {', '.join(self._declared)}")
        vars(self).update(plain(params))
        return self

    def __repr__(self) -> str:
        changed = {name: value for name, value in self.get_params().items() if value != self._declared[name].default}
        return f"{type(self).__name__}({', '.join(f'{name}={_short(repr(v))}' for name, v in changed.items())})"

    @classmethod
    def _document(cls) -> None:
        """Write the list of the options behind the documentation of the class, if it has one of its own."""
        if text := vars(cls).get("__doc__"):
            entries = "".join(
                f"\n    {each.name} : {each.annotation}, default {each.default!r}\n        {each.help}"
                for each in cls._declared.values()
            )
            cls.__doc__ = f"{text}\n\n    Parameters\n    ----------{entries}\n    "


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(option,))
class Options(Parameters):
    """Keyword arguments that are declared as options."""

    first: ClassVar[tuple[str, ...]] = ()  # the options that matter first; a subclass names its own
    python_only: ClassVar[tuple[str, ...]] = ()  # inherited options that the command line of this class does not have

    def __init_subclass__(cls) -> None:
        """Collect the options that are declared in the class, and list them in its documentation."""
        super().__init_subclass__()
        inherited, own = cls._declared, dict[str, Option]()
        for name, value in vars(cls).items():
            if isinstance(value, Option) or name in inherited:
                fields = vars(value) if isinstance(value, Option) else {"default": value}
                typed = _typed(cls.__annotations__[name]) if name in cls.__annotations__ else {}
                own[name] = inherited.get(name, Option(name=name)).changed(**typed | fields)
        for name in vars(cls).get("python_only", ()):
            own[name] = (own.get(name) or inherited[name]).changed(command=False)
        for declared in own.values():
            if declared.kind == "whole":
                vars(declared).setdefault("most", (1 << 32) - 1)
            if declared.annotation == "str" and declared.choices:
                declared.annotation = f"Literal{list(declared.choices)}"
            setattr(cls, declared.name, declared)
        cls._declared = {name: each for name, each in own.items() if name not in inherited} | inherited | own
        cls._document()

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Return the declared options by name, the class's own first."""
        return dict(cls._declared)

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
        pairs = [(each, getattr(self, each.name)) for each in self._declared.values() if each.kept in kinds]
        return {each.name: value for each, value in pairs if each.kept is True or value != each.default}


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
    found: dict[str, Option] = owner._declared
    return found


SKIP_BAD = option(group="reading", default=False, kept="training").described(
    "leave out sentences without a usable tree: without heads, with several roots or a cycle; they are counted, "
    "and a pipeline's other models learn from them"
)
THREADS = option(
    default=1, least=1, metavar="N", group="machines", help="work on so many cores; the results are the same"
)


def _typed(annotation: str) -> Values:
    """Return the fields of an option that follow from its annotation: the type, and the choices of a Literal."""
    if not annotation.startswith("Literal["):
        return {"annotation": annotation}
    words = annotation[8 : annotation.index("]")].split(", ")
    return {
        "annotation": annotation,
        "choices": tuple(int(word) if word.isdigit() else word.strip("\"'") for word in words),
    }


def _shown(bound: float | None) -> str:
    """Return a bound as messages have it: 1,000,000 or 1e15, 0.125 or 1e-6."""
    if bound is not None and bound <= 1e6 and bound == int(bound):
        return f"{bound:,.0f}"
    return f"{bound:g}".replace("+", "").replace("e-0", "e-")


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:60]} ... {text[-10:]}"
