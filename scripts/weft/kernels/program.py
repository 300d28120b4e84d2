"""The tree of one generated kernel: typed expressions that know their bounds, statements, and a program.

Expressions overload Python's operators, so that idioms read like the code that they stand for; what may be
written is decided by `operators`. Comparison gives a boolean expression; `&`, `|`, `~` mean and, or, not on
booleans.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from weft.concepts import Kernel
from weft.kernels.intervals import Interval
from weft.kernels.launched import Step
from weft.kernels.types import BOOL, I32
from weft.types import Matrix, Quaternion, Scalar, Tile, Type, Vector

Number = int | float


class Undefined(Exception):  # noqa: N818
    """An idiom asked for something ill-typed, out of range, or not in scope: a mistake in the generator."""


class Redraw(Exception):  # noqa: N818
    """What was drawn does not go together; other choices of the same idiom may."""


class Rejected(Exception):  # noqa: N818
    """A kernel that means too little, or that no person would write. `reason` is one lower-case word; `idiom`
    was to write it.
    """

    def __init__(self, reason: str, message: str, idiom: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.idiom = idiom


@dataclasses.dataclass(slots=True, eq=False)
class Expr:
    """An expression of a type, whose value lies in an interval."""

    type: Type
    interval: Interval

    def __add__(self, other: Expr | Number) -> Expr:
        return _apply("+", self, other)

    def __radd__(self, other: Number) -> Expr:
        return _apply("+", other, self)

    def __sub__(self, other: Expr | Number) -> Expr:
        return _apply("-", self, other)

    def __rsub__(self, other: Number) -> Expr:
        return _apply("-", other, self)

    def __mul__(self, other: Expr | Number) -> Expr:
        return _apply("*", self, other)

    def __rmul__(self, other: Number) -> Expr:
        return _apply("*", other, self)

    def __truediv__(self, other: Expr | Number) -> Expr:
        return _apply("/", self, other)

    def __rtruediv__(self, other: Number) -> Expr:
        return _apply("/", other, self)

    def __floordiv__(self, other: Expr | Number) -> Expr:
        return _apply("//", self, other)

    def __mod__(self, other: Expr | Number) -> Expr:
        return _apply("%", self, other)

    def __matmul__(self, other: Expr) -> Expr:
        return _apply("@", self, other)

    def __and__(self, other: Expr | Number) -> Expr:
        return _apply("and" if self.type == BOOL else "&", self, other)

    def __or__(self, other: Expr | Number) -> Expr:
        return _apply("or" if self.type == BOOL else "|", self, other)

    def __xor__(self, other: Expr | Number) -> Expr:
        return _apply("^", self, other)

    def __lshift__(self, other: Expr | Number) -> Expr:
        return _apply("<<", self, other)

    def __rshift__(self, other: Expr | Number) -> Expr:
        return _apply(">>", self, other)

    def __lt__(self, other: Expr | Number) -> Expr:
        return _apply("<", self, other)

    def __le__(self, other: Expr | Number) -> Expr:
        return _apply("<=", self, other)

    def __gt__(self, other: Expr | Number) -> Expr:
        return _apply(">", self, other)

    def __ge__(self, other: Expr | Number) -> Expr:
        return _apply(">=", self, other)

    def equals(self, other: Expr | Number) -> Expr:
        return _apply("==", self, other)

    def differs(self, other: Expr | Number) -> Expr:
        return _apply("!=", self, other)

    def __neg__(self) -> Expr:
        return _apply("negative", self)

    def __invert__(self) -> Expr:
        return _apply("not" if self.type == BOOL else "~", self)

    def __getitem__(self, index: Expr | int | tuple[Expr | int, ...]) -> Expr:
        """A component of a vector or matrix, or a row of a matrix; indices are checked against the type."""
        indices = tuple(_index(one) for one in (index if isinstance(index, tuple) else (index,)))
        element: Type
        match self.type:
            case Vector(length, element):
                limits: tuple[int, ...] = (length,)
            case Matrix(rows, columns, element) if len(indices) == 1:
                limits, element = (rows,), Vector(columns, element)
            case Matrix(rows, columns, element):
                limits = (rows, columns)
            case Quaternion(element):
                limits = (4,)
            case Tile(element, limits):
                pass
            case _:
                raise Undefined(f"{self.type} has no components")
        if len(indices) != len(limits):
            raise Undefined(f"{len(indices)} indices into {self.type}")
        for one, limit in zip(indices, limits, strict=True):
            if not one.interval.within(0, limit - 1):
                raise Undefined(f"component index in {one.interval} of {self.type}")
        return Item(element, self.interval, self, indices)

    def __bool__(self) -> bool:
        raise Undefined("an expression has no truth value while the kernel is being written")

    def __iter__(self) -> Any:
        raise Undefined("an expression cannot be iterated over")


def _apply(operator: str, *operands: Expr | Number) -> Expr:
    return _operators()(operator, *operands)


@functools.cache
def _operators() -> Callable[..., Expr]:
    """What builds expressions; it needs the nodes of this module."""
    from weft.kernels.expressions import apply

    return apply


def _index(index: Expr | int) -> Expr:
    if isinstance(index, int):
        return Literal(I32, Interval(index, index, integral=True), index)
    return index


@dataclasses.dataclass(slots=True, eq=False)
class Literal(Expr):
    """A number. `hexadecimal` integers are printed as 0x…"""

    value: Number
    hexadecimal: bool = False


@dataclasses.dataclass(slots=True, eq=False)
class Name(Expr):
    """A variable or parameter. `mutable` ones may be assigned again; a `counter` counts a loop."""

    name: str
    mutable: bool = False
    counter: bool = False


@dataclasses.dataclass(slots=True, eq=False)
class ConstantDef:
    """A number that the module names: `NAME = wp.constant(value)`."""

    name: str
    type: Scalar
    value: Number


@dataclasses.dataclass(slots=True, eq=False)
class Constant(Expr):
    """A constant of the module."""

    definition: ConstantDef


@dataclasses.dataclass(slots=True, eq=False)
class Unary(Expr):
    """`-x`, `~x`, `not x`."""

    operator: str
    operand: Expr


@dataclasses.dataclass(slots=True, eq=False)
class Binary(Expr):
    """`left operator right`, comparisons and and/or included."""

    operator: str
    left: Expr
    right: Expr


@dataclasses.dataclass(slots=True, eq=False)
class Call(Expr):
    """A call of a Warp builtin (`wp.sqrt`), of a type (`wp.vec3`), or of a program's function or struct."""

    function: str | FunctionDef | StructDef
    arguments: tuple[Expr, ...]
    keywords: tuple[tuple[str, Expr], ...] = ()


@dataclasses.dataclass(slots=True, eq=False)
class Group(Expr):
    """`(a, b)`: the shape or the offset of a tile. A `bare` single item stands without parentheses."""

    items: tuple[Expr, ...]
    bare: bool = True


@dataclasses.dataclass(slots=True, eq=False)
class Callee(Expr):
    """A function or a type as an argument: `wp.max`, a program's function, `dtype=wp.float32`."""

    function: str | FunctionDef


@dataclasses.dataclass(slots=True, eq=False)
class Item(Expr):
    """`value[indices]`: an element of an array or a component of a vector or matrix."""

    value: Expr
    indices: tuple[Expr, ...]


@dataclasses.dataclass(slots=True, eq=False)
class Member(Expr):
    """`value.field` of a struct."""

    value: Expr
    field: str


@dataclasses.dataclass(slots=True, eq=False)
class Conditional(Expr):
    """`if_true if condition else if_false`."""

    condition: Expr
    if_true: Expr
    if_false: Expr


@dataclasses.dataclass(slots=True, eq=False)
class Assign:
    """`target = value`, or `target += value` and the like where `operator` is given."""

    target: Expr
    value: Expr
    operator: str | None = None


@dataclasses.dataclass(slots=True, eq=False)
class Unpack:
    """`a, b = f(x)`."""

    targets: tuple[Name, ...]
    value: Expr


@dataclasses.dataclass(slots=True, eq=False)
class ThreadIndex:
    """`i, j = wp.tid()`."""

    names: tuple[Name, ...]


@dataclasses.dataclass(slots=True, eq=False)
class Evaluate:
    """A call for its effect: an atomic."""

    call: Call


@dataclasses.dataclass(slots=True, eq=False)
class Change:
    """A call that changes its first argument, a variable."""

    call: Call


@dataclasses.dataclass(slots=True, eq=False)
class If:
    """`if … else …`; an `otherwise` that is one If prints as elif."""

    condition: Expr
    then: list[Stmt]
    otherwise: list[Stmt]


@dataclasses.dataclass(slots=True, eq=False)
class For:
    """`for variable in range(start, stop, step)`."""

    variable: Name
    start: Expr
    stop: Expr
    step: int | Expr
    body: list[Stmt]


@dataclasses.dataclass(slots=True, eq=False)
class While:
    """`while condition`."""

    condition: Expr
    body: list[Stmt]


@dataclasses.dataclass(slots=True, eq=False)
class Jump:
    """`break`, `continue`, or `return` (with a value in a function)."""

    kind: str
    value: Expr | None = None


Stmt = Assign | Unpack | ThreadIndex | Evaluate | Change | If | For | While | Jump


def jumps(body: Sequence[Stmt], depth: int = 0) -> Iterator[tuple[Jump, int]]:
    """All jumps in a body, each with the number of loops around it."""
    for statement in body:
        match statement:
            case Jump():
                yield statement, depth
            case If(then=then, otherwise=otherwise):
                yield from jumps(then, depth)
                yield from jumps(otherwise, depth)
            case For(body=inner) | While(body=inner):
                yield from jumps(inner, depth + 1)


@dataclasses.dataclass(slots=True, eq=False)
class FunctionDef:
    """A `@wp.func`, with defaults, overloads of the same name, and a gradient and replay of its own."""

    name: str
    doc: str
    parameters: list[tuple[str, Type]]
    body: list[Stmt]
    defaults: dict[str, Number] = dataclasses.field(default_factory=dict)
    overloads: list[FunctionDef] = dataclasses.field(default_factory=list)
    gradient: FunctionDef | None = None
    replay: FunctionDef | None = None


@dataclasses.dataclass(slots=True, eq=False)
class StructDef:
    """A `@wp.struct`."""

    name: str
    doc: str
    fields: list[tuple[str, Type]]


@dataclasses.dataclass(slots=True, eq=False)
class Parameter:
    """A kernel parameter with its launch description; `shape` is empty for what is passed by value.

    A struct that holds arrays is described by its `leaves`, named as in `state.positions`.
    """

    name: str
    type: Type
    role: str
    shape: tuple[str, ...]
    values: dict[str, Any] | None
    memory: str = "global"
    leaves: list[Parameter] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True, eq=False)
class GeneratedProgram:
    """One kernel with all it needs."""

    name: str
    doc: str
    parameters: list[Parameter]
    body: list[Stmt]
    functions: list[FunctionDef]
    structs: list[StructDef]
    constants: list[ConstantDef]
    sizes: dict[str, str]
    dims: list[str]
    block_dim: int | None = None
    facts: Kernel | None = None
    concepts: list[str] = dataclasses.field(default_factory=list)
    difficulty: str = ""
    parts: list[GeneratedProgram] = dataclasses.field(default_factory=list)
    steps: list[Step] = dataclasses.field(default_factory=list)
    equality: str = "bits"
    other_names: list[str] = dataclasses.field(default_factory=list)
    made_of: dict[str, Any] = dataclasses.field(default_factory=dict)
