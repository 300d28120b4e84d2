"""The translator's own tree: a typed subset of C++, small enough to hold in one's head.

Expressions know their type. The passes between `build` and `printer` rewrite the tree in place or replace
statements of a block; each says what holds before and after it.
"""

from __future__ import annotations

import ast
import dataclasses

from weft.intrinsics import Effect
from weft.types import Scalar, Type

INT = Scalar("int32")
BOOL = Scalar("bool")
UINT = Scalar("uint32")
FLOAT = Scalar("float32")

THREAD = "tid()"
"""The name of the thread's place where the source asks for it within an expression."""


@dataclasses.dataclass
class Expression:
    """A value; `type` is that of the value, never a reference."""

    type: Type


@dataclasses.dataclass
class Literal(Expression):
    """A number or boolean of scalar type, or a string (type is then of no use).

    `spelling` is how the source writes an integer, where that is not decimal. A number may be the described
    `size` of that name.
    """

    value: bool | int | float | str
    spelling: str = dataclasses.field(default="", compare=False)
    size: str = dataclasses.field(default="", compare=False)


@dataclasses.dataclass
class Name(Expression):
    """A local variable, parameter or constant."""

    name: str


@dataclasses.dataclass
class Unary(Expression):
    """`-x`, `!x`, `~x`."""

    operator: str
    operand: Expression


@dataclasses.dataclass
class Binary(Expression):
    """`a + b` with a C++ operator, built-in or one of our own for vectors and matrices.

    `negates` marks `0 - x` that stands for Python's `-x`, `in_range` the test that a tile's element lies in
    its array.
    """

    operator: str
    left: Expression
    right: Expression
    negates: bool = False
    in_range: bool = False


@dataclasses.dataclass
class Conditional(Expression):
    """`test ? then : otherwise`. `eager` if the source evaluates both sides (`wp.where`)."""

    test: Expression
    then: Expression
    otherwise: Expression
    eager: bool = False


@dataclasses.dataclass
class Chain(Expression):
    """`a < b < c`, where what stands in the middle must not be computed twice."""

    operators: list[str]
    operands: list[Expression]


@dataclasses.dataclass
class Let(Expression):
    """`body`, in which `name` stands for a value that must not be computed several times."""

    name: str
    value: Expression
    body: Expression


@dataclasses.dataclass
class Call(Expression):
    """A call of a C function, a helper (`helper` is its key in the table of helpers) or a user's function.

    `effect` is what it does beside giving a value, `stem` that of a name for what it gives.
    `user` is the key of a user's function. `in_place` marks an atomic that was written `a[i] += v`.
    """

    function: str
    arguments: list[Expression]
    helper: tuple[str, tuple[Type, ...]] | None = None
    effect: Effect = Effect.NONE
    stem: str = ""
    user: str | None = None
    in_place: bool = False


@dataclasses.dataclass
class Construct(Expression):
    """`Spring{a, b}`; for a matrix, its components in row-major order."""

    arguments: list[Expression]


@dataclasses.dataclass
class Cast(Expression):
    """`float(x)`."""

    operand: Expression


@dataclasses.dataclass
class Member(Expression):
    """What follows a value to reach a part of it: `.x`, `.v[4]`, `.m[1][2]`, `.rest`."""

    value: Expression
    path: str


@dataclasses.dataclass
class Result(Expression):
    """One of the values of a function that returns several: `split(x).first`."""

    call: Expression
    index: int


@dataclasses.dataclass
class Component(Expression):
    """`value.prefix[i]…` with indices that are not constants: `m.m[i][j]`, `v.v[k]`."""

    value: Expression
    member: str
    indices: list[Expression]


@dataclasses.dataclass
class Element(Expression):
    """An element of an array, or a view if there are fewer indices than dimensions.

    `wraps` says for each index whether it may be negative and then counts from the end; the last `exact`
    ones never are. `looked_up`: the element is itself an index that is never negative.
    """

    array: Expression
    indices: list[Expression]
    wraps: list[bool] = dataclasses.field(default_factory=list)
    node: ast.AST | None = None
    exact: int = 0
    looked_up: bool = False


@dataclasses.dataclass
class LocalArray(Expression):
    """An array of zeros in the thread's own memory."""

    shape: tuple[int, ...]


@dataclasses.dataclass
class Reshaped(Expression):
    """The memory of an array from its first element on, seen row after row in another shape."""

    array: Expression
    shape: list[Expression]


@dataclasses.dataclass
class Slice(Expression):
    """`start:stop:step` among the indices of an array; `start` and `stop` are empty where left out.

    `count` is the number of elements where it is known without a look at the array's extent.
    """

    start: list[Expression]
    stop: list[Expression]
    step: Expression
    count: list[Expression] = dataclasses.field(default_factory=list)

    @property
    def takes_all(self) -> bool:
        return self.turns_all and isinstance(self.step, Literal) and self.step.value == 1

    @property
    def turns_all(self) -> bool:
        """Whether it takes everything, forwards or backwards."""
        return (
            not self.start and not self.stop and isinstance(self.step, Literal) and self.step.value in (1, -1)
        )


@dataclasses.dataclass
class Extent(Expression):
    """`array.shape[axis]`, or what lies between two neighbours along the axis if `stride`, in elements."""

    array: Expression
    axis: int
    stride: bool = False


@dataclasses.dataclass
class Pointee(Expression):
    """`base[offset]`, or the pointer `base + offset` if `address`: what Element becomes."""

    base: Expression
    offset: Expression
    address: bool = False


@dataclasses.dataclass
class AddressOf(Expression):
    """`&place`, or `place` alone where a reference is passed; `type` is that of the place."""

    place: Expression
    by_reference: bool = False


@dataclasses.dataclass
class Statement:
    """`trailing` is a comment at the end of its (first) line."""

    trailing: str = dataclasses.field(default="", kw_only=True)
    node: ast.AST | None = dataclasses.field(default=None, kw_only=True, repr=False)


@dataclasses.dataclass
class Remark(Statement):
    """A comment on its own line; an empty text is a blank line."""

    text: str


def is_blank(statement: Statement) -> bool:
    """Whether it is printed as an empty line."""
    return isinstance(statement, Remark) and not statement.text


@dataclasses.dataclass
class Declare(Statement):
    """`const float x = value;`. A coordinate in a tile lies `below` its extent; a `read_only` pointer is
    `const float*`.
    """

    type: Type
    name: str
    value: Expression | None
    constant: bool = False
    below: int | None = None
    read_only: bool = False


@dataclasses.dataclass
class Shared(Statement):
    """`__shared__ float name[rows][cols];`. If `padded`, rows are one element longer, so that the elements of
    a column lie in different banks. `extents` are how the extents are written where that is not as numbers. A
    `column` was a tile of several rows.
    """

    type: Type
    name: str
    shape: tuple[int, ...]
    padded: bool = False
    extents: list[Expression] = dataclasses.field(default_factory=list)
    column: bool = False


@dataclasses.dataclass
class Registers(Statement):
    """`float name[rows][columns];`, or `float name[count];`: elements of a tile that one thread has and no
    other uses; perhaps zeros first. `extents` are how the extents are written where that is not as numbers.
    """

    type: Type
    name: str
    shape: tuple[int, ...]
    zeros: bool = False
    extents: list[Expression] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Share(Statement):
    """`body` for each element of a tile, in row-major order element e by thread e % blockDim.x.

    `shape` has the extents above one, `coordinates` a name for each. With `start`, which only tiles of one
    dimension have, the first thread begins there, and with `last` the elements end there.
    """

    shape: tuple[int, ...]
    coordinates: tuple[str, ...]
    body: list[Statement]
    start: Expression | None = None
    last: Expression | None = None


@dataclasses.dataclass
class Table(Statement):
    """`const float values[4] = {…};`."""

    type: Type
    name: str
    values: list[Expression]
    constant: bool = True


@dataclasses.dataclass
class Assign(Statement):
    """`target operator= value;`, operator may be empty. `cyclic` marks `x = x + 1 == n ? 0 : x + 1`, which
    goes to the next place of a periodic grid of n places.
    """

    target: Expression
    operator: str
    value: Expression
    cyclic: bool = False


@dataclasses.dataclass
class Unpack(Statement):
    """`a, b = f(…)`: names that take the results of a function with several, '' for one that nobody reads."""

    names: list[str]
    types: list[Type]
    value: Expression
    declares: bool = False
    constant: bool = False


@dataclasses.dataclass
class Threads(Statement):
    """`i, j = tid()`: names of the thread's place in the launch, outermost first."""

    names: list[str]
    declares: list[bool] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Evaluate(Statement):
    """An expression for its side effect."""

    value: Expression


@dataclasses.dataclass
class If(Statement):
    """`otherwise` with one If alone is printed as else-if. `guard`: printed on one line.

    `divergent`: some threads of a block take the body, others do not, as part of work that they share.
    """

    test: Expression
    body: list[Statement]
    otherwise: list[Statement]
    guard: bool = False
    divergent: bool = False


@dataclasses.dataclass
class For(Statement):
    """`for (int i = start; i < stop; i += step)`. `step` is a constant; if the step is the value of `stride`,
    it is 1 where that is known to be positive, else 0. `unrolled` loops index registers. `closed` is printed
    `i <= last` where `stop` is `last + 1`, which does not overflow.
    """

    type: Type
    name: str
    start: Expression
    stop: Expression
    step: int
    body: list[Statement]
    stride: Expression | None = None
    unrolled: bool = False
    closed: bool = False


@dataclasses.dataclass
class While(Statement):
    """`while (test)`."""

    test: Expression
    body: list[Statement]


@dataclasses.dataclass
class Return(Statement):
    """`return values;` — several values become the function's result struct."""

    values: list[Expression]


@dataclasses.dataclass
class Jump(Statement):
    """`break;` or `continue;`."""

    keyword: str


@dataclasses.dataclass
class Native(Statement):
    """C++ text of the user's own: parts, and between them values."""

    parts: list[str]
    values: list[Expression]


@dataclasses.dataclass
class Function:
    """A function of the program: the kernel or a device function."""

    key: str
    name: str
    doc: str
    parameters: list[tuple[str, Type]]
    result: Type | tuple[Type, ...] | None
    body: list[Statement]
    kernel: bool
