"""Formulas: functions of a domain's quantities, written as annotated Python, which compose into kernels.

A *quantity* is what a value is: its name, its kind and the range that inputs of it are drawn from. A
*formula* takes quantities and gives one; its signature is all that `composition` needs to find out which
formulas fit together. A *domain* is a set of formulas about the same elements (particles, pixels, options).

    position = Quantity("position", -1.0, 1.0, space)
    Position, Positions = Annotated[Expr, position], Annotated[ArrayHandle, position]
    ...
    @fluid.formula(source="Monaghan 1994")
    def tait_pressure(k: Builder, density: Density, stiffness: Stiffness) -> Pressure:
        # its docstring: Tait equation of state.
        return ...

An argument of type Expr is the value of the thread's own element, one of type ArrayHandle the array of all
elements; both are named by the parameter. A `Setting` is a number that shapes the computation.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import ops
from weft.kernels.intervals import INFINITY
from weft.kernels.program import Expr, Undefined
from weft.kernels.types import F32, I32, U32
from weft.kernels.words import words
from weft.types import Matrix, Quaternion, Type, Vector

Kind = Callable[[Builder], Type]


def number(k: Builder) -> Type:
    """A float of the kernel's precision."""
    return k.real


def space(k: Builder) -> Type:
    """A vector of the kernel's plane or space, the same for all its quantities."""
    return Vector(k.dimension, k.real)


def square_matrix(k: Builder) -> Type:
    """A matrix of the kernel's plane or space."""
    return Matrix(k.dimension, k.dimension, k.real)


def whole(_: Builder) -> Type:
    """An int."""
    return I32


def bits(_: Builder) -> Type:
    """An unsigned word of 32 bits."""
    return U32


def vector(length: int) -> Kind:
    """A vector of so many floats."""
    return lambda k: Vector(length, k.real)


def matrix(rows: int, columns: int) -> Kind:
    """A matrix of floats."""
    return lambda k: Matrix(rows, columns, k.real)


def rotation(k: Builder) -> Type:
    """A quaternion, not normalised."""
    return Quaternion(k.real)


def single(_: Builder) -> Type:
    """A float32, whatever the kernel's precision."""
    return F32


def of(kind: Type) -> Kind:
    """A number or vector of this very type."""
    return lambda _: kind


Load = Callable[[Builder, str], Expr]

Nodes = Callable[[Builder], tuple[Sequence[Expr], str]]
"""The numbers of the nodes that the thread's element joins, and the size of arrays over all nodes."""


@dataclasses.dataclass(frozen=True, eq=False)
class Scatter:
    """How a value of an element is added to the nodes that it joins: a share for each of so many.

    `told` is the sentence that says so, with `{words}` for the value and without a full stop.
    """

    told: str
    shares: Callable[[Builder, Expr, int], Sequence[Expr]]


Grid = tuple[tuple[str, str, str], ...]
"""Elements in several dimensions: each axis with its index, its size, and that size by n."""


@dataclasses.dataclass(frozen=True, eq=False)
class Quantity:
    """What a value is. Inputs lie in [low, high]; what a formula gives lies in [least, most].

    Each element has `trailing` dimensions of its own, sizes of the domain: `logits[row, label]`.
    `load` reads the thread's own element where it does not simply lie in an array over all elements.
    One that is `derived` is not read from an array where a formula gives it, however simple the kernel; one
    that is `computed` not even beyond the number of formulas that kernels of its length have.
    `updates` names the quantity that it is the next value of. `additive` ones may be summed over elements,
    of `extremal` ones the largest may be sought, of `signed` ones among them in magnitude. `scatter` says
    how the nodes of elements get their shares. `told` is the noun for it, if not as its name. What a
    `generic` one is called when a kernel stores it, the formula says.
    """

    name: str
    low: float
    high: float
    kind: Kind = number
    least: float | None = None
    most: float | None = None
    plural: str | None = None
    load: Load | None = None
    trailing: tuple[str, ...] = ()
    updates: Quantity | None = None
    derived: bool = False
    computed: bool = False
    additive: bool = False
    extremal: bool = False
    signed: bool = False
    scatter: Scatter | None = None
    told: str = ""
    generic: bool = False

    @functools.cached_property
    def words(self) -> str:
        """The noun for it in a sentence."""
        return self.told or words(self.name.removeprefix("new_"))

    @functools.cached_property
    def limits(self) -> tuple[float, float]:
        """What consumers may rely on: a positive quantity stays positive, a share stays in [0, 1]."""
        share = self.low == 0.0 and self.high == 1.0
        least = 1e-3 * self.low if self.low > 0.0 else 0.0 if self.low == 0.0 else -1e5
        most = 1.0 if share else 1e5
        return (least if self.least is None else self.least, most if self.most is None else self.most)

    @property
    def lowest(self) -> float:
        """Where a search for the largest begins, which no value falls short of."""
        if self.signed or self.limits[0] >= 0.0:
            return 0.0
        return self.limits[0] if self.kind is whole else -INFINITY

    @property
    def ranked(self) -> str:
        """What a sentence about the largest adds."""
        return ", in magnitude" if self.signed else ""

    def ranking(self, value: Expr) -> Expr:
        """What of a value is compared where the largest is sought."""
        return ops.abs(value) if self.signed else value


@dataclasses.dataclass(frozen=True, eq=False)
class Setting:
    """A number that shapes a computation: in the text, a constant of the module, or a parameter.

    `kinds` says where it may be: l(iteral, of the text or the module), p(arameter). One of another `kind`
    than a number (`space`, `vector(3)`, `rotation`) is a parameter; a `whole` one is an int in [low, high].
    """

    low: float
    high: float
    kinds: str = "lp"
    kind: Kind = number


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """A parameter of a formula: its name, what it is, and whether it is the array of all elements."""

    name: str
    of: Quantity | Setting
    array: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Formula:
    """A function of quantities, and what people call it: `Tait equation of state`.

    The title is a noun phrase, or an order such as `Wrap positions into the periodic box`; `note` is what a
    reader should know besides. Formulas of several laws, such as two of elasticity, do not go together in one
    kernel.
    """

    function: Callable[..., Expr]
    arguments: tuple[Argument, ...]
    result: Quantity
    title: str
    source: str
    goal: bool
    ranks: tuple[int, ...]
    teaches: tuple[str, ...]
    law: str = ""
    undoes: tuple[str, ...] = ()
    note: str = ""

    @property
    def name(self) -> str:
        return self.function.__name__

    @functools.cached_property
    def full_name(self) -> str:
        """Its name, with that of the domain's file in front."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.name}"

    @property
    def words(self) -> str:
        """The noun for what it gives."""
        return self.result.words

    @property
    def begins(self) -> bool:
        """Does it set a state to begin with? That fills an array, and no kernel goes on with it at once."""
        return self.title.startswith("Initialize ")

    @functools.cached_property
    def is_order(self) -> bool:
        """Does its title say what to do, rather than what there is?"""
        first, _, rest = self.title.partition(" ")
        return first in ORDERS and rest.partition(" ")[0] not in _JOINTS

    @functools.cached_property
    def is_value(self) -> bool:
        """Is what its title names a value, such as a density or a distance, and no method, as a filter is?"""
        return not self.is_order and not self.head & _METHODS

    @functools.cached_property
    def noun(self) -> str:
        """What its title is about, without what is said of that."""
        return re.split(rf" (?:{_PREPOSITIONS}) |[,:]|\($| \([^)]*\)$", self.title)[0]

    @functools.cached_property
    def head(self) -> frozenset[str]:
        """The last word of the noun, and of a conversion's title, in small letters."""
        whole = self.title if self.title.endswith(" conversion") else self.noun
        return frozenset((self.noun.split()[-1].lower(), whole.split()[-1].lower()))

    @property
    def is_heavy(self) -> bool:
        """Does it go through other elements, or a loop?"""
        return "loop" in self.teaches or any(one.array for one in self.arguments)

    @functools.cached_property
    def is_slight(self) -> bool:
        """Does it have so little in it that nobody would call a function for it?"""
        cells = [one.cell_contents for one in self.function.__closure__ or ()]
        written: list[Any] = [self.function, *(one for one in cells if isinstance(one, types.FunctionType))]
        names = {name for one in written for name in _names(one)}
        return len(self.arguments) + len(names - {"bounded"}) < LEAST_CALLED

    @functools.cached_property
    def is_pure(self) -> bool:
        """Does it need neither an array nor the thread's index, so that it can be a function of its own?"""
        return not any(one.array for one in self.arguments) and not _mentions(self.function, _PLACES)


@dataclasses.dataclass(eq=False)
class Domain:
    """Formulas about one kind of elements.

    `element` is the noun of docstrings, `index` the thread's name on a line of them, `ranks` the
    dimensions that the elements may lie in, `grids` what these are called if not as in `GRIDS`. `half` says
    that their numbers may be stored in half precision, `bytes` that those from 0 to 1 may be stored as bytes.
    `sizes` has the extents that a trailing dimension may have; `flexible` says that formulas read arrays with
    trailing dimensions by `along.at`, so that these may lie with the element's index last; `single` that its
    numbers are float32 always, as formulas say themselves where a number is wider or narrower. `nodes` finds
    what the element of a mesh joins; `node` is the noun for it. Elements that are no `things`, such as rows,
    are neither described by records nor listed, marked or grouped.
    """

    element: str
    index: tuple[str, ...] = ("i",)
    ranks: tuple[int, ...] = (1,)
    grids: Mapping[int, tuple[Grid, ...]] = dataclasses.field(default_factory=dict)
    half: bool = False
    bytes: bool = False
    flexible: bool = False
    single: bool = False
    sizes: Mapping[str, tuple[int, ...]] = dataclasses.field(default_factory=dict)
    nodes: Nodes | None = None
    node: str = "node"
    things: bool = True
    formulas: list[Formula] = dataclasses.field(default_factory=list)

    def formula(
        self,
        *,
        name: str = "",
        doc: str = "",
        source: str = "",
        goal: bool = True,
        ranks: tuple[int, ...] = (),
        teaches: tuple[str, ...] = (),
        law: str = "",
        undoes: tuple[str, ...] = (),
    ) -> Callable[[Callable[..., Expr]], Callable[..., Expr]]:
        """Add a formula, whose docstring is its title: `Tait equation of state.` Further sentences are put
        behind that of a kernel for it.

        One of a table of formulas, which is a function within another, gets its `name` and `doc` here.
        `source` names the paper, book or library that it is from. `goal` ones may be what a kernel is for.
        `ranks` says in how many dimensions it works, if not in all. `teaches` are words by which a category
        may choose goals: loop, branch, atomic; those that read a table that all elements share teach `table`,
        those that read other elements `texture`, those with a
        window in the plane `nested loop`, those with a while loop or an early exit `iteration`. Of
        formulas with a `law` a kernel has those of one law only, and of kinds of it, whose names begin with
        that of the law. `undoes` names formulas that come to nothing together with it: what encodes what it
        decodes.
        """

        def add(function: Callable[..., Expr]) -> Callable[..., Expr]:
            function.__name__, function.__doc__ = name or function.__name__, doc or function.__doc__
            arguments, result = signature(function)
            title, *notes = re.split(r"\. (?=[A-Z])", doc_line(function).removesuffix("."), maxsplit=1)
            if not title or f"of each {self.element}" in title:
                raise Undefined(f"{function.__name__}: the docstring is not what the formula is called")
            tags = (*teaches, "table") if _mentions(function, _TABLES) else teaches
            tags = (*tags, "texture") if any(one.array for one in arguments) else tags
            flat = min(self.ranks) < 2 and not (ranks and min(ranks) > 1)
            tags = (*tags, "nested loop") if not flat and _mentions(function, _WINDOWS) else tags
            tags = (*tags, "iteration") if _mentions(function, _ENDS_EARLY) else tags
            tags = (*tags, "transcendental") if _mentions(function, _TRANSCENDENTAL) else tags
            settings = sum(isinstance(one.of, Setting) for one in arguments)
            tags = (*tags, "parameters") if settings >= PARAMETERS else tags
            self.formulas.append(
                Formula(function, arguments, result, title, source, goal, ranks, tags, law, undoes, *notes)
            )
            return function

        return add

    def size(self, k: Builder, name: str) -> str:
        """The name of a trailing dimension, whose extent is drawn once."""
        k.sizes[name] = str(k.once(f"extent of {name}", lambda: k.rng.pick(*self.sizes[name])))
        return name

    def giving(self, quantity: Quantity) -> tuple[Formula, ...]:
        """The formulas whose result is this quantity."""
        return self._by_result.get(quantity, ())

    def leads(self, formula: Formula, teaching: str, steps: int = 3) -> bool:
        """Does a formula, or one for what it takes, teach something?"""
        if teaching in formula.teaches:
            return True
        taken = [one.of for one in formula.arguments if isinstance(one.of, Quantity) and not one.array]
        return steps > 0 and any(
            self.leads(one, teaching, steps - 1) for of in taken for one in self.giving(of) if not one.begins
        )

    def of_rank(self, rank: int) -> Domain:
        """The domain on elements that lie in so many dimensions."""
        fitting = [one for one in self.formulas if not one.ranks or rank in one.ranks]
        return dataclasses.replace(self, ranks=(rank,), formulas=fitting)

    @functools.cached_property
    def _by_result(self) -> Mapping[Quantity, tuple[Formula, ...]]:
        found: dict[Quantity, list[Formula]] = {}
        for one in self.formulas:
            found.setdefault(one.result, []).append(one)
        return {quantity: tuple(several) for quantity, several in found.items()}


ORDERS = frozenset(
    """
    Add Advance Advect Apply Blend Bounce Center Choose Clamp Classify Clear Clip Combine Compare Compute
    Convert Correct Count Decode Dequantize Draw Encode Extract Fade Flip Initialize Integrate Interpolate
    Iterate Jitter Mask Mix Multiply Normalize Pack Posterize Premultiply Project Push Quantize Reflect
    Refract Relax Remove Reverse Rotate Round Sample Scramble Scroll Set Shrink Simulate Soft-threshold
    Solve Subtract Swap Threshold Transform Translate Turn Unpack Unproject Update Wrap
    """.split()
)
_METHODS = frozenset(
    """
    adjustment advection aggregation annealing approximation attention automaton avalanche average
    blend blur calibration centering classification closing codec coloring compositing condition
    conduction confinement connection conversion correction creep curve decoding dequantization
    detection diffusion dilation dithering dropout dynamics elimination elu encoder encoding
    equation equilibration erosion exponentiation extract filter filtering finalizer fog follower
    function fusion gate gather geglu gelu generator grade grading hash hashing heating
    initialization insertion interpolation inversion iteration jumping  kinetics labeling
    layer limiter lookup map mapping mask method mish mixing model multiplication noise
    normalization opening orthogonalization pairing peeling perceptron pooling preconditioner
    prediction process projection propagation push quadrature quantization reconstruction recurrence
    reduction refinement reglu regression relaxation relu relu6 response restriction rotation
    roulette rounding rule sampling scaling schedule scheme selection self-advection selu shading
    sharpening shrinkage sigmoid silu skinning smoothing softplus softsign solve splitting state
    steering step steps subtraction suppression sweep sweeps swiglu swirl swish tanh tanhshrink test
    thermostat thresholding tone toning transform transport unit update vignette warp
    """.split()
)
_PREPOSITIONS = "about|after|against|along|at|behind|between|by|for|from|in|of|on|to|under|with|without"
_JOINTS = frozenset(("of", "from", "between", "blend"))
"""A noun that is a verb, too, stands before these."""
_PLACES = frozenset(("index", "input", "shape", "extent"))
_ENDS_EARLY = frozenset(("repeat", "jump"))
_TRANSCENDENTAL = frozenset(
    "acos asin atan atan2 cbrt cos cosh erf exp log log10 log2 pow sin sinh tan tanh".split()
)
PARAMETERS = 2
"""How many numbers the caller of a formula passes that teaches parameters."""
_WINDOWS = frozenset(("window",))
_TABLES = frozenset(("table", "velocity_of", "each_body", "_balls"))


def _names(function: Callable[..., Any]) -> set[str]:
    """The names that a function's code uses, with that of functions and comprehensions within it."""
    waiting: list[Any] = [function.__code__]
    names: set[str] = set()
    while waiting:
        code = waiting.pop()
        names.update(code.co_names)
        waiting += [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return names


def _mentions(
    function: Callable[..., Any], sought: frozenset[str], seen: frozenset[str] = frozenset()
) -> bool:
    """Does a function, or one of the generator's that it calls, use one of these names?"""
    names = _names(function)
    if names & sought:
        return True
    values = [function.__globals__.get(name) for name in sorted(names - seen)]
    values += [one.cell_contents for one in function.__closure__ or ()]
    called = [one for one in values if isinstance(one, types.FunctionType) and "domains" in one.__module__]
    return any(_mentions(one, sought, seen | names) for one in called)


LEAST_CALLED = 4
"""How many names and arguments a formula has that is worth a function."""


def doc_line(function: Callable[..., Any]) -> str:
    """A docstring as one line."""
    return " ".join((function.__doc__ or "").split())


def signature(function: Callable[..., Expr]) -> tuple[tuple[Argument, ...], Quantity]:
    """What a formula takes and gives, from its annotations.

    Raises Undefined for a parameter that is neither a quantity nor a setting, and for a result that is no
    quantity.
    """
    hints: dict[str, Any] = typing.get_type_hints(function, include_extras=True)
    hints.pop("k", None)
    result = _annotation(function, "return", hints.pop("return"))
    if not isinstance(result, Quantity):
        raise Undefined(f"{function.__name__} returns no quantity")
    arguments = []
    for name, hint in hints.items():
        of = _annotation(function, name, hint)
        arguments.append(Argument(name, of, typing.get_args(hint)[0] is ArrayHandle))
    return tuple(arguments), result


def _annotation(function: Callable[..., Expr], name: str, hint: Any) -> Quantity | Setting:
    for one in getattr(hint, "__metadata__", ()):
        if isinstance(one, (Quantity, Setting)):
            return one
    raise Undefined(f"{function.__name__}: {name} is neither a quantity nor a setting")
