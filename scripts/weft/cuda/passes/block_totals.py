"""Pass: where all threads of a launch update one element, the threads of a block first combine their values.

Before: each thread updates the element with an atomic of its own, and all of them queue for one address.
After: each thread keeps its value, the block reduces the values by shuffles, and one of its threads makes the
atomic. The bounds check encloses what it used to skip, since all threads of the block take part.

Integers have one result in any order; sums of floats are taken in another order only where the launch leaves
it free. Sources: Harris, "Optimizing Parallel Reduction in CUDA"; Luitjens, "Faster Parallel Reductions on
Kepler".
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Collection, Iterator, Sequence

from weft.comparisons import OPPOSITE
from weft.cuda import launch_assumptions
from weft.cuda.c_types import LIMITS
from weft.cuda.contents import contents
from weft.cuda.device_functions import atomic_of
from weft.cuda.helpers.blocks import RESULTS, reduction
from weft.cuda.helpers.text import Request, scalar_of
from weft.cuda.passes.launch_place import strides_grid
from weft.cuda.rules import Use, extreme
from weft.cuda.tiles.loops import barrier
from weft.cuda.traverse import clone, own_nodes, statements, walk
from weft.cuda.tree import (
    BOOL,
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
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
    Statement,
    Unary,
    While,
    is_blank,
)
from weft.cuda.values import zero
from weft.launch import Launch
from weft.types import Scalar, Type, Vector

_LARGEST = 4
"""Elements that one kernel updates so; each costs a reduction."""

_SHUFFLED = (*LIMITS, "float32", "float64")
"""Halves are so coarse that another order would show in the leading digits."""


@dataclasses.dataclass(frozen=True)
class _Total:
    """One element that all threads update: the calls that do so, whether a thread may make several of them,
    and the names of what a thread and a block contribute.
    """

    operation: str
    calls: tuple[Call, ...]
    repeated: bool
    thread: str
    block: str

    @property
    def first(self) -> Call:
        return self.calls[0]


def reduce_in_blocks(kernel: Function, launch: Launch, written: Collection[str], dimensions: int) -> None:
    """Run the pass on a kernel of blocks of whole warps and so many dimensions, each thread of which may be
    beyond the launch. `written` are the leaves that the kernel writes.
    """
    begin = next((i for i, one in enumerate(kernel.body) if not isinstance(one, Declare | Remark)), 0)
    rest = _enclosed(kernel.body[begin:])
    if any(isinstance(one, Return) for one in statements(rest)):
        return
    totals = _totals(kernel, rest, launch, written)
    if totals:
        kernel.body[begin:] = _reduced(rest, totals, dimensions)


def _is_exit(statement: Statement) -> bool:
    """Whether a statement is `if (test) return;`."""
    return (
        isinstance(statement, If)
        and not statement.otherwise
        and len(statement.body) == 1
        and isinstance(statement.body[0], Return)
        and not statement.body[0].values
    )


def _enclosed(block: Sequence[Statement]) -> list[Statement]:
    """The block with each exit as an `if` around what follows it, neighbours as one."""
    position = next((i for i, one in enumerate(block) if _is_exit(one)), None)
    if position is None:
        return list(block)
    leave = block[position]
    assert isinstance(leave, If)
    inner = _enclosed(list(itertools.dropwhile(is_blank, block[position + 1 :])))
    test = opposite(leave.test)
    if len(inner) == 1 and isinstance(inner[0], If) and not inner[0].otherwise and not inner[0].trailing:
        test, inner = Binary(BOOL, "&&", test, inner[0].test), inner[0].body
    enclosing = If(test, inner, [], trailing=leave.trailing, node=leave.node)
    return [*block[:position], enclosing]


def opposite(test: Expression) -> Expression:
    """The opposite of a test, without `!` where there is an operator for it."""
    match test:
        case Unary(operator="!", operand=operand):
            return operand
        case Binary(operator="||" | "&&" as operator, left=left, right=right):
            other = "&&" if operator == "||" else "||"
            return Binary(BOOL, other, opposite(left), opposite(right))
        case Binary(operator=operator, left=left, right=right) if operator in OPPOSITE and (
            operator in ("==", "!=") or not _may_be_nan(left, right)
        ):
            return Binary(BOOL, OPPOSITE[operator], left, right)
        case _:
            return Unary(BOOL, "!", test)


def _may_be_nan(*operands: Expression) -> bool:
    return not all(isinstance(one.type, Scalar) and not one.type.is_float for one in operands)


def _totals(
    kernel: Function, rest: Sequence[Statement], launch: Launch, written: Collection[str]
) -> list[_Total]:
    """The elements that all threads may update by way of their blocks."""
    calls: dict[tuple[str, str], list[Call]] = {}
    for statement in statements(list(rest)):
        if isinstance(statement, Evaluate) and isinstance(statement.value, Call):
            call = statement.value
            if (array := _array(call)) is not None and _order_is_free(call, launch):
                calls.setdefault((array, repr(call.arguments[0])), []).append(call)
    everything = contents(kernel)
    mentions = [node.name for node in everything.nodes if isinstance(node, Name)]
    changed, taken = everything.assigned, everything.taken
    found: list[tuple[str, list[Call]]] = []
    for (array, _), group in calls.items():
        alone = sum(len(others) for (other, _), others in calls.items() if other == array)
        if (
            mentions.count(array) == alone
            and len({call.function for call in group}) == 1
            and _is_uniform(group[0], array, changed)
            and (not launch_assumptions.may_overlap(launch, array, written) or _stand_last(rest, group))
        ):
            found.append((array, group))
    if len(found) > _LARGEST:
        return []
    totals = [
        _Total(_operation(group), tuple(group), len(group) > 1 or _in_loop(rest, group), thread, block)
        for (_, group), (thread, block) in zip(found, _names(found), strict=True)
    ]
    return [one for one in totals if not taken & {one.thread, one.block}]


def _operation(group: Sequence[Call]) -> str:
    return _reduction(group[0])


def _names(found: Sequence[tuple[str, list[Call]]]) -> Iterator[tuple[str, str]]:
    """What a thread and a block have to add to each element: by the operation if that tells which element it
    is, else by the array, and the place in it.
    """
    operations = [_operation(group) for _, group in found]
    arrays = [array for array, _ in found]
    for number, (array, group) in enumerate(found):
        stem = RESULTS[operations[number]]
        if operations.count(operations[number]) > 1:
            stem = array
            if arrays.count(array) > 1:
                offset = _address(group[0]).offset
                stem += f"_{offset.value if isinstance(offset, Literal) else number}"
        yield f"thread_{stem}", f"block_{stem}"


def _address(call: Call) -> Pointee:
    address = call.arguments[0]
    assert isinstance(address, AddressOf) and isinstance(address.place, Pointee)
    return address.place


def _reduction(call: Call) -> str:
    """How several updates become one; '' for a call that is none, or that has no such way."""
    atomic = atomic_of(call.function)
    return atomic.reduction if atomic is not None else ""


def _array(call: Call) -> str | None:
    """The parameter an element of which the call updates, if blocks can reduce what it takes."""
    address = call.arguments[0] if call.arguments else None
    if not _reduction(call) or not isinstance(address, AddressOf):
        return None
    place = address.place
    if not isinstance(place, Pointee) or not isinstance(place.base, Name):
        return None
    kind = place.type
    adds = _reduction(call) == "sum"
    if not isinstance(kind, Scalar) and not (adds and isinstance(kind, Vector)):
        return None
    return place.base.name if scalar_of(kind).name in _SHUFFLED else None


def _order_is_free(call: Call, launch: Launch) -> bool:
    """Whether the result may be that of any order. A NaN among floats makes their extremes depend on it."""
    assert isinstance(call.arguments[0], AddressOf)
    return not scalar_of(call.arguments[0].type).is_float or (
        launch.equality == "bounded" and _reduction(call) == "sum"
    )


def _is_uniform(call: Call, array: str, changed: Collection[str]) -> bool:
    """Whether all threads compute the same address."""
    return all(
        isinstance(node, AddressOf | Pointee | Literal | Binary | Cast)
        or (isinstance(node, Name) and node.name not in changed)
        for node in walk(call.arguments[0])
    )


def _in_loop(rest: Sequence[Statement], group: Sequence[Call], strides: bool = True) -> bool:
    """Whether one of the calls is in a loop; if `strides`, a grid-stride loop over what stands for other
    threads is one.
    """
    loops = [
        one
        for one in statements(list(rest))
        if isinstance(one, For | While) and (strides or not strides_grid(one))
    ]
    return any(
        isinstance(one, Evaluate) and one.value in group for loop in loops for one in statements(loop.body)
    )


def _stand_last(rest: Sequence[Statement], group: Sequence[Call]) -> bool:
    """Whether a thread makes the update after all its other accesses to memory, so that none can tell."""
    if len(group) > 1 or _in_loop(rest, group, strides=False):
        return False
    flat = statements(list(rest))
    first = next(i for i, one in enumerate(flat) if isinstance(one, Evaluate) and one.value is group[0])
    return not any(
        isinstance(node, Pointee) or (isinstance(node, Call) and node.user)
        for statement in flat[first + 1 :]
        for node in own_nodes(statement)
    )


def _reduced(rest: Sequence[Statement], totals: Sequence[_Total], dimensions: int) -> list[Statement]:
    """The statements, which keep what a thread has; then the reductions, and the atomics of one thread."""
    alone = _only_update(rest, totals)
    if alone is not None:
        lines: list[Statement] = [alone]
    else:
        kinds = [(total, total.first.type) for total in totals]
        lines = [Declare(kind, total.thread, _identity(total.operation, kind)) for total, kind in kinds]
        lines += _with_names(rest, {id(call): total for total in totals for call in total.calls})
    updates: list[Statement] = []
    reductions: list[Statement] = []
    called: set[Request] = set()
    for total in totals:
        kind = total.first.type
        helper = reduction(total.operation, dimensions), (kind,)
        value = Call(kind, f"block_{total.operation}", [Name(kind, total.thread)], helper)
        if helper in called:
            reductions.append(barrier())
            called.clear()
        called.add(helper)
        reductions.append(Declare(kind, total.block, value, True))
        arguments = [total.first.arguments[0], Name(kind, total.block)]
        updates.append(Evaluate(dataclasses.replace(total.first, arguments=arguments)))
    remark = Remark("One atomic a block: those of all threads would queue for one address.")
    lines += [Remark(""), remark, *reductions]
    places = [Name(INT, f"threadIdx.{axis}") for axis in "xyz"[:dimensions]]
    tests: list[Expression] = [Binary(BOOL, "==", place, Literal(INT, 0)) for place in places]
    first = functools.reduce(functools.partial(Binary, BOOL, "&&"), tests)
    return [*lines, If(first, updates, [], divergent=True)]


def _only_update(rest: Sequence[Statement], totals: Sequence[_Total]) -> Declare | None:
    """What a thread has, where an update is all that it does: `i < n ? value : 0`."""
    match rest, totals:
        case [If(test=test, body=[Evaluate(value=Call() as call) as body], otherwise=[]) as only], [total]:
            if call is not total.first or body.trailing or only.trailing:
                return None
            value = Conditional(call.type, test, call.arguments[1], _identity(total.operation, call.type))
            return Declare(call.type, total.thread, value, True, node=body.node)
        case _:
            return None


def _identity(operation: str, kind: Type) -> Expression:
    """What changes nothing."""
    if operation == "sum":
        return zero(kind)
    assert isinstance(kind, Scalar)
    least, largest = LIMITS[kind.name]
    return Name(kind, largest if operation == "min" else least)


def _with_names(block: Sequence[Statement], totals: dict[int, _Total]) -> list[Statement]:
    """The block, with each update made in the thread's name."""
    lines: list[Statement] = []
    for statement in block:
        match statement:
            case Evaluate(value=Call() as call) if (total := totals.get(id(call))) is not None:
                kind = call.type
                target, value = Name(kind, total.thread), call.arguments[1]
                operator = "+" if total.repeated and total.operation == "sum" else ""
                if total.repeated and not operator:
                    value = extreme(total.operation)(Use(total.operation, [clone(target), value], kind))
                statement = Assign(target, operator, value, trailing=statement.trailing, node=statement.node)
            case If(body=body, otherwise=otherwise):
                statement = dataclasses.replace(
                    statement, body=_with_names(body, totals), otherwise=_with_names(otherwise, totals)
                )
            case For(body=body) | While(body=body):
                statement = dataclasses.replace(statement, body=_with_names(body, totals))
            case _:
                pass
        lines.append(statement)
    return lines
