"""The translator's own tree: a typed subset of C++, small enough to hold in one's head.

Expressions know their type. The passes between `build` and `printer` rewrite the tree in place or replace
statements of a block; each says what holds before and after it.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Iterator

from weft.types import Scalar, Type

INT = Scalar("int32")
BOOL = Scalar("bool")
UINT = Scalar("uint32")
FLOAT = Scalar("float32")


@dataclasses.dataclass
class Expression:
    """A value; `type` is that of the value, never a reference."""

    type: Type


@dataclasses.dataclass
class Literal(Expression):
    """A number or boolean of scalar type, or a string (type is then of no use)."""

    value: bool | int | float | str


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
    """`a + b` with a C++ operator, built-in or one of our own for vectors and matrices."""

    operator: str
    left: Expression
    right: Expression


@dataclasses.dataclass
class Conditional(Expression):
    """`test ? then : otherwise`. `eager` if the source evaluates both sides (`wp.where`)."""

    test: Expression
    then: Expression
    otherwise: Expression
    eager: bool = False


@dataclasses.dataclass
class Call(Expression):
    """A call of a C function, a helper (`helper` is its key in the table of helpers) or a user's function.

    `effect` is '' for functions without side effects, else the stem of a name for the result.
    `user` is the key of a user's function. `in_place` marks an atomic that was written `a[i] += v`.
    """

    function: str
    arguments: list[Expression]
    helper: tuple[str, tuple[Type, ...]] | None = None
    effect: str = ""
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
class Component(Expression):
    """`value.prefix[i]…` with indices that are not constants: `m.m[i][j]`, `v.v[k]`."""

    value: Expression
    member: str
    indices: list[Expression]


@dataclasses.dataclass
class Element(Expression):
    """An element of an array, or a view if there are fewer indices than dimensions.

    `wraps` says for each index whether it may be negative and then counts from the end.
    """

    array: Expression
    indices: list[Expression]
    wraps: list[bool] = dataclasses.field(default_factory=list)
    node: ast.AST | None = None


@dataclasses.dataclass
class Extent(Expression):
    """`array.shape[axis]`."""

    array: Expression
    axis: int


@dataclasses.dataclass
class Pointee(Expression):
    """`base[offset]`, or the pointer `base + offset` if `address`: what Element becomes."""

    base: Expression
    offset: Expression
    address: bool = False


@dataclasses.dataclass
class AddressOf(Expression):
    """`&place`; `type` is that of the place."""

    place: Expression


@dataclasses.dataclass
class Statement:
    """`trailing` is a comment at the end of its (first) line."""

    trailing: str = dataclasses.field(default="", kw_only=True)
    node: ast.AST | None = dataclasses.field(default=None, kw_only=True, repr=False)


@dataclasses.dataclass
class Remark(Statement):
    """A comment on its own line; an empty text is a blank line."""

    text: str


@dataclasses.dataclass
class Declare(Statement):
    """`const float x = value;`."""

    type: Type
    name: str
    value: Expression | None
    constant: bool = False


@dataclasses.dataclass
class Assign(Statement):
    """`target operator= value;`, operator may be empty."""

    target: Expression
    operator: str
    value: Expression


@dataclasses.dataclass
class Unpack(Statement):
    """`a, b = f(…)`: names that take the results of a function with several."""

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
    """`otherwise` with one If alone is printed as else-if. `guard`: printed on one line."""

    test: Expression
    body: list[Statement]
    otherwise: list[Statement]
    guard: bool = False


@dataclasses.dataclass
class For(Statement):
    """`for (int i = start; i < stop; i += step)`. `step` is a nonzero constant."""

    type: Type
    name: str
    start: Expression
    stop: Expression
    step: int
    body: list[Statement]


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
class Function:
    """A function of the program: the kernel or a device function."""

    key: str
    name: str
    doc: str
    parameters: list[tuple[str, Type]]
    result: Type | tuple[Type, ...] | None
    body: list[Statement]
    kernel: bool


def children(expression: Expression) -> list[Expression]:
    """The direct parts of an expression, in the order in which Warp evaluates them."""
    match expression:
        case Unary(operand=operand) | Cast(operand=operand):
            return [operand]
        case Binary(left=left, right=right):
            return [left, right]
        case Conditional(test=test, then=then, otherwise=otherwise):
            return [test, then, otherwise]
        case Call(arguments=arguments) | Construct(arguments=arguments):
            return list(arguments)
        case Member(value=value):
            return [value]
        case Component(value=value, indices=indices):
            return [value, *indices]
        case Element(array=array, indices=indices):
            return [array, *indices]
        case Extent(array=array):
            return [array]
        case Pointee(base=base, offset=offset):
            return [base, offset]
        case AddressOf(place=place):
            return [place]
        case _:
            return []


def walk(expression: Expression) -> Iterator[Expression]:
    """All nodes of an expression, parts first."""
    for child in children(expression):
        yield from walk(child)
    yield expression


def replace_children(expression: Expression, change: Callable[[Expression], Expression]) -> None:
    """Replace each direct part of `expression` by what `change` makes of it."""
    for field in dataclasses.fields(expression):
        value = getattr(expression, field.name)
        if isinstance(value, Expression):
            setattr(expression, field.name, change(value))
        elif isinstance(value, list) and value and isinstance(value[0], Expression):
            setattr(expression, field.name, [change(item) for item in value])


def rewrite(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """`expression` with `change` applied to every node, parts first."""
    replace_children(expression, lambda part: rewrite(part, change))
    return change(expression)


def clone(expression: Expression) -> Expression:
    """A copy that shares no node with `expression`."""
    copy = dataclasses.replace(expression)
    replace_children(copy, clone)
    return copy


def expressions(statement: Statement) -> list[Expression]:
    """The expressions that stand in the statement itself, not in its blocks; value before target."""
    match statement:
        case Declare(value=value):
            return [value] if value is not None else []
        case Assign(target=target, value=value):
            return [value, target]
        case Unpack(value=value) | Evaluate(value=value):
            return [value]
        case If(test=test) | While(test=test):
            return [test]
        case For(start=start, stop=stop):
            return [start, stop]
        case Return(values=values):
            return list(values)
        case _:
            return []


def blocks(statement: Statement) -> list[list[Statement]]:
    """The blocks of a statement."""
    match statement:
        case If(body=body, otherwise=otherwise):
            return [body, otherwise]
        case For(body=body) | While(body=body):
            return [body]
        case _:
            return []


def statements(block: list[Statement]) -> Iterator[Statement]:
    """All statements of a block and of the blocks in it, in order."""
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from statements(inner)


def all_expressions(block: list[Statement]) -> Iterator[Expression]:
    """All expression nodes of a block."""
    for statement in statements(block):
        for expression in expressions(statement):
            yield from walk(expression)


def rewrite_block(block: list[Statement], change: Callable[[Expression], Expression]) -> None:
    """Apply `rewrite` to every expression of a block."""
    for statement in statements(block):
        for field in dataclasses.fields(statement):
            value = getattr(statement, field.name)
            if isinstance(value, Expression):
                setattr(statement, field.name, rewrite(value, change))
            elif isinstance(value, list) and value and isinstance(value[0], Expression):
                setattr(statement, field.name, [rewrite(item, change) for item in value])


def assigned_names(block: list[Statement]) -> set[str]:
    """Names that statements of the block give a value, loop variables included."""
    names: set[str] = set()
    for statement in statements(block):
        match statement:
            case Assign(target=target):
                root = root_name(target)
                if root:
                    names.add(root)
            case Declare(name=name) | For(name=name):
                names.add(name)
            case Unpack(names=several) | Threads(names=several):
                names.update(several)
            case _:
                pass
    for expression in all_expressions(block):
        if isinstance(expression, AddressOf) and (root := root_name(expression.place)):
            names.add(root)
        if isinstance(expression, Call):
            names.update(mutated_arguments(expression))
    return names


def root_name(place: Expression) -> str | None:
    """The local variable that a store to `place` changes; None for elements of arrays."""
    match place:
        case Name(name=name):
            return name
        case Member(value=value) | Component(value=value):
            return root_name(value)
        case _:
            return None


def mutated_arguments(call: Call) -> set[str]:
    """Variables that a call changes: the state of the random number functions, components set by helpers."""
    if call.effect in RANDOM_EFFECTS or (call.helper and call.helper[0] in MUTATING_HELPERS):
        root = root_name(call.arguments[0]) if call.arguments else None
        return {root} if root else set()
    return set()


RANDOM_EFFECTS = {"u", "z", "r", "point", "count"}
MUTATING_HELPERS = {"set_component"}


def make_call(type: Type, function: str, *arguments: Expression) -> Call:
    """A call of a plain C function."""
    return Call(type, function, list(arguments))


def assigned_whole(statement: Statement) -> list[str]:
    """Names that the statement itself gives a whole new value."""
    if isinstance(statement, Assign) and isinstance(statement.target, Name):
        return [statement.target.name]
    if isinstance(statement, Unpack):
        return statement.names
    return []


def changed_names(block: list[Statement]) -> set[str]:
    """Names that some statement of the block changes, wholly or in part; loop variables of its loops excepted."""
    names: set[str] = set()
    for statement in statements(block):
        if isinstance(statement, Assign) and (root := root_name(statement.target)):
            names.add(root)
        if isinstance(statement, Assign) and isinstance(statement.target, Call):
            root = root_name(statement.target.arguments[0])
            names |= {root} if root else set()
        names.update(assigned_whole(statement))
    for expression in all_expressions(block):
        if isinstance(expression, AddressOf) and (root := root_name(expression.place)):
            names.add(root)
        if isinstance(expression, Call):
            names |= mutated_arguments(expression)
    return names
