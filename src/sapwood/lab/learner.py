"""The sparse averaged perceptron of any search, and its training as an iterator of updates.

Goldberg & Elhadad (2011), section 2, structured case, and section 3::

    w <- 0;  U <- 0
    for each (x, y) of T passes over D:
        y' <- argmax over structures z of f(x, z)
        if y' is not y:
            w <- w + phi(x, y) - phi(x, y')
            U <- U + 1 for each component of phi(x, y) - phi(x, y') that is not 0
    return the mean of w after each example             (Huang, lecture notes; Clark 2015)

f(x, z) is the sum of w over the components of phi(x, z), without those whose U is below minUpdates. So what did not
prove its relevance is ignored; once it does, it "comes with its update-history".

A component of phi is a feature for an output, such as "B" for the labels ("DT", "NN"). Section 3 keeps a vector U
beside w, so each component of a structure has a count of its own: ``count_updates="weight"``. In multiclass decisions,
which have a w for each class, "the update-counts vector U is shared between all the perceptrons": a feature has one
count for all classes. That is ``count_updates="feature"``, which structures may have, too. A feature counts once an
update, however many of its components are not 0.

With a margin the guess is the argmax of f(x, z) + cost(z), so gold has to win by the cost, or there is an update::

    hamming    cost(z) = gamma times the number of wrong parts of z
    constant   cost(z) = gamma, unless z is y

The first is that of Taskar, Guestrin & Koller (2003) and of McDonald, Crammer & Pereira (2005). The second is that of
Dyer (2015), "Another View", whose loss is max {0, gamma + score(y^) - score(y)}. The slide does not say how y^ is
found; here it is the best structure that is not y. Either loss is L(w) = max over z of (f(x, z) + cost(z)) - f(x, y),
and the update is a step of length 1 against its subgradient phi(x, y') - phi(x, y). Without a margin the cost is 0, and
the step is the perceptron's.

A subclass says how a guess is found; `Learner.present` is the update. The mean is the sum of all vectors, one added
after each example, because that is plain to see. ``sapwood.lab.binary.averaged`` has the fast way.

The mean is that of the lectures. In the letters of Goldberg & Elhadad it is the mean of w^1 ... w^T, and w^t is the
vector by which round t is scored, before its update. So theirs is one tick earlier: w^1 = 0 is in it, and the last
vector is not. An update in the last of T rounds adds violation / T here, and nothing there.
"""

from collections.abc import Callable, Collection, Generator, Hashable, Iterator, Mapping, Sequence
from operator import ne
from typing import Any, ClassVar, Generic, Literal, NamedTuple, ParamSpec, Self, TypedDict, TypeVar

from sapwood.errors import DataError, OptionError

Weight = tuple[str, Hashable]  # a feature, and the output (a label, labels, a move) that the weight is for
Vector = dict[Weight, float]  # what is not in it is 0
Data = ParamSpec("Data")  # what an algorithm trains on
X = TypeVar("X")  # an example of it

PRESENTATIONS = {"once": 1, "repeat": 100}  # of a decision in guided learning, at most

_BITS = (1 << 64) - 1


class Step(NamedTuple):
    """An update: what was decided, what was wrong with it, and what the weights learned from it."""

    number: int  # updates so far, with this one
    clock: int  # c: decisions that were presented before this one
    epoch: int  # passes over the data, with this one
    input: Any  # x
    gold: Any  # y
    guess: Any  # y'
    violation: Vector  # phi(x, y) - phi(x, y')
    before: Vector  # the weights of the violation's features; all others stay as they are
    after: Vector
    counts: Mapping[Weight, int]  # U of each weight of the violation, or of its feature, after the update

    def _repr_html_(self) -> str:
        from sapwood.draw.stepper import html_step

        return html_step(self)


Rule = Callable[[float, float, float], float]  # the step tau of an update, given loss, |violation|^2 and importance


class Learning(TypedDict, total=False):
    """The options of all learners, as `Learner` has them."""

    gamma: float
    rule: Rule
    ignored: Collection[str]
    cost: str
    min_updates: int
    count_updates: Literal["feature", "weight"]
    average: bool
    epochs: int
    seed: int | None


def perceptron(loss: float, square: float, importance: float) -> float:
    """Return the step of the perceptron: 1 for each example that counts once."""
    return importance


class Learner(Generic[Data, X]):
    """The base class of all algorithms: the weights, the update, the passes over the data.

    gamma : cost of a wrong part while training, 0 for the perceptron without a margin
    cost : "hamming", or "constant", where a wrong structure costs gamma however much of it is wrong
    rule : how far an update goes; see `sapwood.lab.passive_aggressive`
    ignored : features that are removed before training; see `sapwood.lab.pruning`
    min_updates : updates that a feature, or a weight, must have taken part in to be scored
    count_updates : which of both: "feature" or, where whole structures are searched, "weight"
    average : return the mean of the weights after each example; otherwise the last ones
    seed : of the order in which examples are presented, a new one for each pass; None for the order of the data

    Raises OptionError if one of them has a value that it cannot have, or that the search does not have.
    """

    structured: ClassVar[bool] = False  # whether a decision is a whole structure, and not one of several classes
    costs: ClassVar[tuple[str, ...]] = ("hamming",)  # that the search has

    def __init__(
        self,
        *,
        gamma: float = 0.0,
        rule: Rule = perceptron,
        ignored: Collection[str] = (),
        cost: str = "hamming",
        min_updates: int = 1,
        count_updates: Literal["feature", "weight"] = "feature",
        average: bool = True,
        epochs: int = 5,
        seed: int | None = 1,
    ) -> None:
        if not 0 <= gamma < float("inf") or min_updates < 0 or epochs < 1:
            raise OptionError("gamma and min_updates are numbers from 0, and epochs is at least 1")
        if count_updates not in (("feature", "weight") if self.structured else ("feature",)):
            raise OptionError("count_updates is feature or, for structures (Viterbi, Eisner, beam), weight")
        if cost not in self.costs:
            raise OptionError(f"the cost of {type(self).__name__} is {' or '.join(self.costs)}, not {cost!r}")
        self.cost = cost
        self.gamma, self.min_updates, self.average, self.epochs, self.seed = gamma, min_updates, average, epochs, seed
        self.rule, self.ignored = rule, frozenset(ignored)
        self.count_updates = count_updates
        self.forget()

    def forget(self) -> None:
        """Set w and U to 0."""
        self.w: Vector = {}
        self.w_s: Vector = {}  # the sum of w after each decision
        self.U: dict[Hashable, int] = {}  # of each feature, or of each weight, the updates that it took part in
        self.c = 0  # decisions presented
        self.updates = 0
        self.repeated, self.given_up = 0, 0  # presentations and decisions of guided learning
        self.epoch = 0

    def score(self, phi: Mapping[Weight, float]) -> float:
        """Return f = w . phi, without what took part in fewer than `min_updates` updates."""
        w = self.w
        return sum(n * w[k] for k, n in phi.items() if k in w and self.is_relevant(k))

    def counted(self, k: Weight) -> Hashable:
        """Return what has the count of a weight's updates: the weight itself, or its feature."""
        return k if self.count_updates == "weight" else k[0]

    def is_relevant(self, k: Weight) -> bool:
        """Return whether a weight, or its feature, took part in enough updates to be scored."""
        return self.U.get(self.counted(k), 0) >= self.min_updates

    def whole_cost(self, guess: Sequence[object], gold: Sequence[object]) -> float:
        """Return the cost of a structure, given its parts."""
        wrong: int = sum(map(ne, guess, gold))
        return self.gamma * (min(wrong, 1) if self.cost == "constant" else wrong)

    def present(
        self,
        x: object,
        gold: object,
        guess: object,
        right: Mapping[Weight, float],
        wrong: Mapping[Weight, float],
        importance: float = 1.0,
        loss: float = 0.0,
    ) -> Generator[Step, None, bool]:
        """Learn from phi(x, gold), `right`, and phi(x, guess), `wrong`; yield the update, if there is one.

        Returns whether there was one.
        importance : how much the example counts
        loss : by how much the guess, with its cost, is ahead of gold: rules look at it
        """
        every = {k: right.get(k, 0.0) - wrong.get(k, 0.0) for k in {**right, **wrong}}
        delta = {k: n for k, n in every.items() if n != 0 and k[0] not in self.ignored}
        tau = self.rule(loss, self.square(delta), importance) if delta else 0.0
        if tau > 0:
            before = {k: self.w.get(k, 0.0) for k in delta}
            for k, n in delta.items():
                self.w[k] = before[k] + tau * n
            for counted in {self.counted(k) for k in delta}:
                self.U[counted] = self.U.get(counted, 0) + 1
            self.updates += 1
            after = {k: self.w[k] for k in delta}
            counts = {k: self.U[self.counted(k)] for k in delta}
            made = Step(self.updates, self.c, self.epoch, x, gold, guess, delta, before, after, counts)
        for k, weight in self.w.items():
            self.w_s[k] = self.w_s.get(k, 0.0) + weight
        self.c += 1
        if tau > 0:
            yield made
        return tau > 0

    def square(self, delta: Vector) -> float:
        """Return the squared length of a violation."""
        return sum(n * n for n in delta.values())

    def steps(self, *data: Data.args, **named: Data.kwargs) -> Iterator[Step]:
        """Train from scratch on what `fit` of the same algorithm in the core takes, and yield each update.

        The weights are those after the update, until the iterator goes on. At its end they are averaged.
        Raises DataError for data that the algorithm cannot read.
        """
        self.forget()
        examples = self.read(*data, **named)
        if not examples:
            raise DataError("there is no example to train on")
        order, state = list(range(len(examples))), self.seed or 0
        for epoch in range(1, self.epochs + 1):
            self.epoch = epoch
            if self.seed is not None:
                state = shuffle(order, state)
            for k in order:
                yield from self.learn(examples[k])
        if self.average:
            self.w = {k: total / self.c for k, total in self.w_s.items()}

    def fit(self, *data: Data.args, **named: Data.kwargs) -> Self:
        """Train from scratch: make all steps. Raises DataError as `steps` does."""
        for _ in self.steps(*data, **named):
            pass
        return self

    def weights(self) -> Vector:
        """Return the weights that are scored and not 0."""
        return {k: w for k, w in self.w.items() if w != 0 and self.is_relevant(k)}

    def read(self, *data: Data.args, **named: Data.kwargs) -> list[X]:
        """Return the examples that the data have. Raises DataError."""
        raise NotImplementedError

    def learn(self, example: X) -> Iterator[Step]:
        """Present the decisions of an example, one after the other, and yield the updates."""
        raise NotImplementedError


def shuffle(order: list[int], state: int) -> int:
    """Shuffle a list as the core does (Fisher & Yates, with numbers by `split_mix_64`); return the next state."""
    for k in range(len(order), 1, -1):
        state, random = split_mix_64(state)
        j = random * k >> 64
        order[k - 1], order[j] = order[j], order[k - 1]
    return state


def split_mix_64(state: int) -> tuple[int, int]:
    """Return the next state of the generator of Steele, Lea & Flood (2014), and its random number, both of 64 bits."""
    state = (state + 0x9E3779B97F4A7C15) & _BITS
    z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _BITS
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _BITS
    return state, z ^ z >> 31
