"""Atomic updates that blocks may make for their threads: of which arrays they are, and in any order.

`shared_work` gives a kernel the form in which all threads of a block reach what the block does together,
`in_turns` that in which a thread works on several elements before.
"""

from __future__ import annotations

import ast
import dataclasses
import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import TypeGuard

from weft.cuda import launch_assumptions
from weft.cuda.c_types import LIMITS
from weft.cuda.conditions import joined, operands, opposite
from weft.cuda.device_functions import BY_FUNCTION
from weft.cuda.grid import Grid
from weft.cuda.helpers.text import scalar_of
from weft.cuda.passes.launch_place import number_along, threads_along
from weft.cuda.rules import Use, extreme
from weft.cuda.traverse import children, clone, expressions, mentions, rename_in, statements, walk
from weft.cuda.tree import (
    INT,
    UINT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Declare,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Remark,
    Return,
    Shared,
    Statement,
    While,
    is_blank,
)
from weft.cuda.values import zero
from weft.launch import Launch
from weft.types import Matrix, Scalar, Type, Vector

_COUNTING = frozenset({"size_t", "random_state"})
"""Functions whose arguments may be unsigned, beside the user's."""

_SHUFFLED = (*LIMITS, "float32", "float64")
"""Halves are so coarse that another order would show in the leading digits."""


def shared_work(kernel: Function) -> tuple[list[Statement], list[Statement]] | None:
    """The first declarations of a kernel, and its work with each exit turned into an `if` around what it
    would skip. None if a thread leaves from inside.
    """
    begin = next(
        (i for i, one in enumerate(kernel.body) if not isinstance(one, Declare | Remark | Shared)), 0
    )
    rest = _enclosed(kernel.body[begin:])
    return None if any(isinstance(one, Return) for one in statements(rest)) else (kernel.body[:begin], rest)


@dataclasses.dataclass(frozen=True)
class Turns:
    """The work of a kernel whose threads stride over what was one element a thread: the coordinates that a
    thread keeps, and the `loop`, perhaps in the check of these.
    """

    head: list[Statement]
    rest: list[Statement]
    loop: For


def in_turns(
    head: Sequence[Statement], rest: Sequence[Statement], axis: str = "x", threads: str = "x"
) -> Turns | None:
    """The grid-stride loop in whose turns a thread does what is the work of several: that over `y` for a
    kernel that begins with coordinates and has the rest in `if (y < height && x < width)`. Threads stride
    along an axis of the grid, along which a block has its `threads`. None for other kernels.
    """
    start = number_along(axis, threads)
    places = [one for one in head if isinstance(one, Declare) and one.constant and one.value is not None]
    counter = next((one for one in places if one.value == start), None)
    if counter is None or len(places) < len(head) or len(rest) != 1:
        return None
    kept = [one for one in places if one is not counter]
    (only,) = rest
    if not isinstance(only, If) or only.otherwise or mentions(kept, counter.name):
        return None
    tests = operands(only.test)
    own = next((one for one in tests if is_check(one, {counter.name})), None)
    if own is None or (counter.trailing and only.trailing):
        return None
    checks = [one for one in tests if is_check(one, {one.name for one in kept})]
    others = [one for one in tests if one is not own and not any(one is check for check in checks)]
    body: list[Statement] = only.body
    if others:
        body = [dataclasses.replace(only, test=joined(others), trailing="")]
    counts = all(_counts_alone(one, counter.name) for one in statements(body))
    stop = own.right
    loop = For(
        UINT if counts else INT,
        counter.name,
        start,
        Cast(UINT, stop) if counts else stop,
        1,
        body,
        threads_along(axis, threads),
        trailing=counter.trailing or only.trailing,
        node=counter.node,
    )
    inside: list[Statement] = [loop]
    return Turns([*kept], [If(joined(checks), inside, [], node=only.node)] if checks else inside, loop)


def is_check(test: Expression, names: Collection[str]) -> TypeGuard[Binary]:
    """Whether a test is that one of these coordinates is inside the launch."""
    match test:
        case Binary(operator="<", left=Name(name=name), right=Name() | Literal()):
            return name in names
        case _:
            return False


def counted_by(loop: For, grid: Grid) -> Grid:
    """The grid of a kernel with such a loop."""
    axes = [
        dataclasses.replace(axis, unsigned=loop.type == UINT) if axis.filled else axis for axis in grid.axes
    ]
    return dataclasses.replace(grid, axes=tuple(axes))


def _counts_alone(statement: Statement, name: str) -> bool:
    """Whether a statement may have a name that is not negative as an unsigned one: a variable of integers
    takes what is computed without a sign, too.
    """
    given = isinstance(statement, Declare | Assign) and statement.value is not None
    kept = statement.value if given else None  # type: ignore[attr-defined]
    integer = kept is not None and isinstance(kept.type, Scalar) and kept.type.is_integer
    return all(_may_lack_sign(one, name, integer and one is kept) for one in expressions(statement))


def _may_lack_sign(node: Expression, name: str, counts: bool = False) -> bool:
    """Whether a name that is not negative may be unsigned where an expression has it: it only counts elements
    of arrays, becomes a floating-point number, or goes to a function.
    """
    match node:
        case Name(name=other):
            return counts or other != name
        case Pointee(base=base, offset=offset):
            return _may_lack_sign(base, name) and _may_lack_sign(offset, name, counts=True)
        case Cast(type=Scalar() as kind, operand=operand):
            return _may_lack_sign(operand, name, kind.is_float and isinstance(operand, Name))
        case Call(function=function, arguments=arguments) if node.user or function in _COUNTING:
            return all(_may_lack_sign(one, name, isinstance(one, Name)) for one in arguments)
        case Binary(operator="+" | "-" | "*"):
            return all(_may_lack_sign(one, name, counts) for one in children(node))
        case _:
            return all(_may_lack_sign(one, name) for one in children(node))


def _is_exit(statement: Statement) -> bool:
    """Whether a statement is `if (test) return;`, perhaps with other statements before the return."""
    match statement:
        case If(body=[*_, Return(values=[])], otherwise=[]):
            return True
        case _:
            return False


def _enclosed(block: Sequence[Statement]) -> list[Statement]:
    """The block with each exit as an `if` around what follows it, neighbours as one; with an `else` if
    a thread does something else before it leaves.
    """
    position = next((i for i, one in enumerate(block) if _is_exit(one)), None)
    if position is None:
        return list(block)
    leave = block[position]
    assert isinstance(leave, If)
    inner = _enclosed(list(itertools.dropwhile(is_blank, block[position + 1 :])))
    *others, _ = leave.body
    if others:
        return [*block[:position], dataclasses.replace(leave, body=_enclosed(others), otherwise=inner)]
    test = opposite(leave.test)
    if len(inner) == 1 and isinstance(inner[0], If) and not inner[0].otherwise and not inner[0].trailing:
        test, inner = joined([*operands(test), *operands(inner[0].test)]), inner[0].body
    enclosing = If(test, inner, [], trailing=leave.trailing, node=leave.node)
    return [*block[:position], enclosing]


@dataclasses.dataclass(frozen=True)
class Update:
    """A statement that updates an element by an atomic, whose old value nobody uses."""

    statement: Evaluate
    call: Call

    @property
    def place(self) -> Pointee:
        """The element."""
        address = self.call.arguments[0]
        assert isinstance(address, AddressOf) and isinstance(address.place, Pointee)
        return address.place

    @property
    def operation(self) -> str:
        """How several of them become one."""
        return reduction_of(self.call)

    def by(self, value: Expression) -> Evaluate:
        """The update by what several threads have."""
        call = dataclasses.replace(self.call, arguments=[self.call.arguments[0], value])
        return Evaluate(call, node=self.statement.node)


def updates(rest: Sequence[Statement], launch: Launch) -> dict[tuple[str, str], list[Update]]:
    """The updates in any order, by array and address."""
    found: dict[tuple[str, str], list[Update]] = {}
    for statement in statements(rest):
        if isinstance(statement, Evaluate) and isinstance(statement.value, Call):
            call = statement.value
            if (array := _array(call)) is not None and _order_is_free(call, array, launch):
                found.setdefault((array, repr(call.arguments[0])), []).append(Update(statement, call))
    return found


@dataclasses.dataclass(frozen=True)
class Total:
    """One element that threads update, each of them perhaps several times if it is `repeated`; and the names
    of what a thread has for it, and of what those have `together` that combine theirs.
    """

    updates: tuple[Update, ...]
    repeated: bool
    thread: str
    together: str

    @property
    def first(self) -> Update:
        return self.updates[0]

    @property
    def type(self) -> Type:
        return self.first.call.type

    @property
    def node(self) -> ast.AST | None:
        return self.first.statement.node

    def own(self) -> Name:
        """What a thread has."""
        return Name(self.type, self.thread)

    def begun(self) -> Declare:
        """What a thread has before it updates anything."""
        nothing = identity(self.first.operation, self.type)
        return Declare(self.type, self.thread, nothing, node=self.node)


def in_names(block: Sequence[Statement], totals: Sequence[Total]) -> list[Statement]:
    """The block, with each update of the totals made in the thread's name."""
    return _in_names(block, {id(one.statement): total for total in totals for one in total.updates})


def _in_names(block: Sequence[Statement], totals: Mapping[int, Total]) -> list[Statement]:
    lines: list[Statement] = []
    for statement in block:
        match statement:
            case Evaluate(value=Call(arguments=[_, value])) if (
                total := totals.get(id(statement))
            ) is not None:
                target, operation = Name(total.type, total.thread), total.first.operation
                operator = "+" if total.repeated and operation == "sum" else ""
                if total.repeated and not operator:
                    value = extreme(operation)(Use(operation, [clone(target), value], total.type))
                statement = Assign(target, operator, value, trailing=statement.trailing, node=statement.node)
            case If(body=body, otherwise=otherwise):
                statement = dataclasses.replace(
                    statement, body=_in_names(body, totals), otherwise=_in_names(otherwise, totals)
                )
            case For(body=body) | While(body=body):
                statement = dataclasses.replace(statement, body=_in_names(body, totals))
        lines.append(statement)
    return lines


def keep_own_sums(kernel: Function) -> None:
    """Have a thread add up in the variable that its block reduces, in place of one that it then is given."""
    for outer in [one for one in kernel.body if isinstance(one, Declare) and not one.constant]:
        for guard in kernel.body:
            if isinstance(guard, If) and (found := _given(kernel, outer, guard)) is not None:
                own, given = found
                guard.body[:] = [one for one in guard.body if one is not own and one is not given]
                rename_in(kernel.body, {outer.name: own.name})
                outer.name = own.name
                break


def _given(kernel: Function, outer: Declare, guard: If) -> tuple[Declare, Assign] | None:
    """The variable that begins as `outer` does, and the assignment of what it is at last, under a guard."""
    for at, one in enumerate(guard.body):
        match one:
            case Assign(target=Name(name=name), operator="", value=Name(name=own), trailing="") if (
                name == outer.name
            ):
                declared = [s for s in statements(kernel.body) if isinstance(s, Declare) and s.name == own]
                first = next((s for s in guard.body[:at] if s is declared[0]), None) if declared else None
                if (
                    isinstance(first, Declare)
                    and len(declared) == 1
                    and not first.trailing
                    and (first.type, first.value, first.constant) == (outer.type, outer.value, False)
                    and not mentions(guard.body[at + 1 :], own)
                    and not mentions(guard.body[:at], name)
                ):
                    return first, one
    return None


def reduction_of(call: Call) -> str:
    """How several updates become one; '' for a call that is none, or that has no such way."""
    return BY_FUNCTION[call.function].reduction if call.function in BY_FUNCTION else ""


def _array(call: Call) -> str | None:
    """The parameter an element of which the call updates, if blocks can reduce what it takes."""
    address = call.arguments[0] if call.arguments else None
    if not reduction_of(call) or not isinstance(address, AddressOf):
        return None
    place = address.place
    if not isinstance(place, Pointee) or not isinstance(place.base, Name):
        return None
    kind = place.type
    adds = reduction_of(call) == "sum"
    if not isinstance(kind, Scalar) and not (adds and isinstance(kind, Vector | Matrix)):
        return None
    return place.base.name if scalar_of(kind).name in _SHUFFLED else None


def _order_is_free(call: Call, array: str, launch: Launch) -> bool:
    """Whether the result may be that of any order. Extremes pass over each NaN but one that was there."""
    if not scalar_of(call.arguments[1].type).is_float:
        return True
    if reduction_of(call) == "sum":
        return launch.equality == "bounded"
    return launch_assumptions.begins_with_numbers(launch, array)


def identity(operation: str, kind: Type) -> Expression:
    """What changes no sum, no least or no largest value."""
    if operation == "sum":
        return zero(kind)
    assert isinstance(kind, Scalar)
    if kind.is_float:
        return Literal(kind, math.inf if operation == "min" else -math.inf)
    least, largest = LIMITS[kind.name]
    return Name(kind, largest if operation == "min" else least)


def is_uniform(call: Call, changed: Collection[str]) -> bool:
    """Whether all threads compute the same address."""
    return all(
        isinstance(node, AddressOf | Pointee | Literal | Binary | Cast)
        or (isinstance(node, Name) and node.name not in changed)
        or (isinstance(node, Call) and node.function == "size_t")
        for node in walk(call.arguments[0])
    )
