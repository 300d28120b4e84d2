"""Mutation operators: the small, typed mistakes that can be made in the translator's tree.

Each keeps the types right, so that nearly every mutant compiles. `sites` lists all places of a program in a
fixed order; `Site.apply` makes the mistake in the tree.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence

from weft.cuda.device_functions import ALIKE, BY_FUNCTION
from weft.cuda.helpers import HELPERS
from weft.cuda.traverse import blocks, clone, slots
from weft.cuda.tree import (
    BOOL,
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Chain,
    Component,
    Conditional,
    Declare,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Literal,
    Member,
    Pointee,
    Statement,
    Unary,
)
from weft.intrinsics import Effect
from weft.launch import Launch
from weft.mutation.elections import harmless
from weft.mutation.ranges import Ranges
from weft.mutation.unread import Tiles
from weft.operator_symbols import OPPOSITE
from weft.types import Matrix, Quaternion, Scalar, Vector

_ORDERS = {"<", "<=", ">", ">="}

_SWAPPED = {"+": "-", "-": "+", "*": "+", "/": "*"}
_SWAPPED_INTEGERS = {**_SWAPPED, "%": "*", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<"}
_SWAPPED_TRUTHS = {"&&": "||", "||": "&&", "&": "|", "|": "&", "^": "&", "==": "!=", "!=": "=="}

_NARROWER = {
    "float64": "float32",
    "float32": "float16",
    "int64": "int16",
    "uint64": "uint16",
    "int32": "int8",
    "uint32": "uint8",
    "int16": "int8",
    "uint16": "uint8",
}
"""Narrow enough for the values of small cases to show it."""

_MATRIX_PATH = re.compile(r"\.m\[(\d+)\]\[(\d+)\]")
_VECTOR_PATH = re.compile(r"\.v\[(\d+)\]")


@dataclasses.dataclass(frozen=True)
class Site:
    """A place in a tree, and a mistake that can be made there. `function` is its function's Python name.
    `harmless`: it is none, as another thread does the same (weft.mutation.elections), the narrower type
    holds all that comes (weft.mutation.ranges), or nobody reads what is not loaded (weft.mutation.unread).
    """

    operator: str
    function: str
    apply: Callable[[], None]
    harmless: bool = False


def sites(functions: Sequence[Function], launch: Launch, block: tuple[int, int, int]) -> list[Site]:
    """All mistakes that can be made in the functions of a program, in the order of its text. `block` is the
    shape of its blocks.

    Only one of them can be applied to a tree.
    """
    found = []
    ranges = Ranges(functions, launch)
    for function in functions:
        elections, tiles = harmless(function, block), Tiles(function, block)
        for operator, apply, changed, statement in _block(function.body, function.result is not None):
            match changed:
                case Cast() if operator == "cast":
                    is_harmless = _holds(changed, ranges, function)
                case (loop, other):
                    is_harmless = tiles.loads_alike(loop, other)
                case _:
                    is_harmless = operator in elections.get(id(statement), ())
            found.append(Site(operator, function.name, apply, is_harmless))
    return found


def _holds(cast: Cast, ranges: Ranges, function: Function) -> bool:
    """Whether the narrower type by way of which a cast to a whole one goes by mistake does it no harm."""
    kind = cast.type
    assert isinstance(kind, Scalar)
    return kind.is_integer and ranges.fits(cast.operand, Scalar(_NARROWER[kind.name]), function)


Change = tuple[str, Callable[[], None], Expression | tuple[For, For] | None]
"""An operator, what makes the mistake, and the expression that is another then, or the loop and the other."""


def _block(block: list[Statement], returns: bool) -> Iterator[tuple[*Change, Statement | None]]:
    """Changes in a block, with the statement in whose own expressions they are; at the end of one that
    `returns`, no branch may go: there would be no value.
    """
    for position, statement in enumerate(block):
        last = returns and position == len(block) - 1
        for change in _statement(block, position, statement, last):
            yield *change, None
        if not _prints(statement):
            for part, put in slots(statement):
                whole = isinstance(statement, For) and part is not statement.stride
                for change in _expression(part, put, bound=whole):
                    yield *change, statement
        for inner in blocks(statement):
            yield from _block(inner, last)


def _prints(statement: Statement) -> bool:
    """What a program prints is nothing that it computes."""
    return (
        isinstance(statement, Evaluate)
        and isinstance(statement.value, Call)
        and bool(statement.value.effect & Effect.PRINTS)
    )


def _statement(block: list[Statement], position: int, statement: Statement, last: bool) -> Iterator[Change]:
    def become(*others: Statement) -> Callable[[], None]:
        def apply() -> None:
            block[position : position + 1] = others

        return apply

    match statement:
        case If(body=body, otherwise=otherwise) if otherwise and last:
            yield "branch", become(*otherwise), None
            yield "branch", become(*body), None
        case If(otherwise=otherwise) if not last:
            yield "branch", become(*otherwise), None
            if otherwise:
                yield "branch", become(dataclasses.replace(statement, otherwise=[])), None
        case For(start=start, stop=stop):
            for first, end in (
                (start, _shifted(stop, 1)),
                (start, _shifted(stop, -1)),
                (_shifted(start, 1), stop),
            ):
                other = dataclasses.replace(statement, start=first, stop=end)
                yield "bound", become(other), (statement, other)
        case Evaluate(value=Call(effect=Effect.BARRIER, arguments=[])):
            yield "barrier", become(), None
        case Assign(target=target, operator=operator) if operator:
            swapped = _swapped(operator, target.type, statement.value.type)
            if swapped is not None:
                yield "operator", become(dataclasses.replace(statement, operator=swapped)), None
        case _:
            pass
    for plain in _plain_updates(statement):
        yield "atomic", become(*plain), None


def _plain_updates(statement: Statement) -> Iterator[list[Statement]]:
    """An atomic update as a read and a write, with the old value where the statement takes it."""
    match statement:
        case Evaluate(value=Call() as call):
            old: list[Statement] = []
        case Declare(value=Call() as call) | Assign(operator="", value=Call() as call):
            place = _place(call)
            old = [dataclasses.replace(statement, value=clone(place))] if place else []
        case _:
            return
    place = _place(call)
    update = _update(call, place) if place is not None else None
    if update is not None:
        yield [*old, update]


def _place(call: Call) -> Expression | None:
    """What an atomic updates; None for other calls."""
    if call.function not in BY_FUNCTION or len(call.arguments) != 2:
        return None
    address = call.arguments[0]
    return address.place if isinstance(address, AddressOf) else None


def _update(call: Call, place: Expression) -> Statement | None:
    value = call.arguments[1]
    atomic = BY_FUNCTION[call.function]
    if atomic.operator is not None:
        return Assign(place, atomic.operator, value)
    if isinstance(place.type, Scalar):
        test = Binary(BOOL, "<" if atomic.reduction == "min" else ">", clone(value), clone(place))
        return Assign(place, "", Conditional(place.type, test, value, clone(place)))
    return None


def _expression(node: Expression, put: Callable[[Expression], None], bound: bool = False) -> Iterator[Change]:
    """Changes of an expression and its parts. `bound`: it is a bound or an index, which has its own
    operators for being one off.
    """

    def become(other: Expression) -> Callable[[], None]:
        return lambda: put(other)

    for operator, other in _alternatives(node):
        if not (bound and isinstance(node, Literal)):
            yield operator, become(other), node
    compares = isinstance(node, Binary) and node.operator in _ORDERS and _counts(node.right)
    for part, put_part in slots(node):
        inner_bound = (compares and part is node.right) or isinstance(node, Pointee | Component)  # type: ignore[attr-defined]
        yield from _expression(part, put_part, inner_bound)


def _alternatives(node: Expression) -> Iterator[tuple[str, Expression]]:
    """What could stand in place of `node` by mistake, without regard to its parts."""
    match node:
        case Binary(operator=operator, left=left, right=right):
            if operator in OPPOSITE and left.type != BOOL:
                yield "comparison", dataclasses.replace(node, operator=OPPOSITE[operator])
                if operator in _ORDERS and _counts(right):
                    for one in (1, -1):
                        yield "bound", dataclasses.replace(node, right=_shifted(right, one))
            elif (swapped := _swapped(operator, left.type, right.type)) is not None:
                yield "operator", dataclasses.replace(node, operator=swapped, negates=False)
        case Unary(operand=operand):
            yield "operator", operand
        case Literal():
            if (number := _beside(node)) is not None:
                yield "constant", dataclasses.replace(node, value=number)
        case Conditional(then=then, otherwise=otherwise):
            yield "branch", then
            yield "branch", otherwise
        case Chain(operators=operators):
            for place, operator in enumerate(operators):
                changed = [*operators[:place], OPPOSITE[operator], *operators[place + 1 :]]
                yield "comparison", dataclasses.replace(node, operators=changed)
        case Call():
            if (other := _confused(node)) is not None:
                yield "operator", other
        case Cast(type=Scalar(name=name) as kind, operand=operand) if name in _NARROWER:
            narrow = Scalar(_NARROWER[name])
            # Whole numbers in small cases are exact in any float.
            if not _fits(operand, narrow) and not (kind.is_float and _counts(operand)):
                yield "cast", Cast(kind, Cast(narrow, operand))
        case Pointee(offset=offset):
            for one in (1, -1):
                yield "index", dataclasses.replace(node, offset=_shifted(offset, one))
        case Component(indices=indices):
            for place, index in enumerate(indices):
                changed_indices = [*indices[:place], _shifted(index, 1), *indices[place + 1 :]]
                yield "index", dataclasses.replace(node, indices=changed_indices)
        case Member(value=value, path=path):
            if (beside := _component_beside(value, path)) is not None:
                yield "index", dataclasses.replace(node, path=beside)
        case _:
            pass


def _swapped(operator: str, left: object, right: object) -> str | None:
    """Another operator for operands of these types."""
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        if left == BOOL:
            return _SWAPPED_TRUTHS.get(operator)
        return (_SWAPPED_INTEGERS if left.is_integer else _SWAPPED).get(operator)
    if left == right and isinstance(left, Vector | Matrix | Quaternion) and operator in ("+", "-"):
        return _SWAPPED[operator]
    if isinstance(left, Vector | Matrix) and isinstance(right, Scalar):
        return {"*": "/", "/": "*"}.get(operator)
    return None


def _confused(call: Call) -> Call | None:
    """A call of the function that is easily taken for the one called."""
    other = ALIKE.get(call.function)
    if other is None or call.user is not None:
        return None
    if call.helper is None:
        return dataclasses.replace(call, function=other)
    if call.helper[0] != call.function or other not in HELPERS:
        return None
    return dataclasses.replace(call, function=other, helper=(other, call.helper[1]))


def _counts(expression: Expression) -> bool:
    return isinstance(expression.type, Scalar) and expression.type.is_integer and expression.type != BOOL


def _shifted(expression: Expression, by: int) -> Expression:
    """An integer off by one."""
    if isinstance(expression, Literal) and not isinstance(expression.value, str):
        return dataclasses.replace(expression, value=int(expression.value) + by)
    return Binary(expression.type, "+" if by > 0 else "-", expression, Literal(expression.type, 1))


def _beside(literal: Literal) -> bool | int | float | None:
    """The value that a literal has by mistake, which its type holds; None if there is none."""
    value = literal.value
    if isinstance(value, str) or not isinstance(literal.type, Scalar):
        return None
    if literal.type == BOOL:
        return not value
    if literal.type.is_integer:
        bits = 8 * literal.type.bytes - (0 if literal.type.is_unsigned else 1)
        return int(value) + 1 if int(value) + 1 < 2**bits else int(value) - 1
    number = float(value)
    if abs(number) > 2.0**7:  # where a half precision number may be the same as the next
        return number / 2 if abs(number) != float("inf") else None
    return number + 1 if number == number else None


def _fits(operand: Expression, narrow: Scalar) -> bool:
    """Whether every value of the operand's type is a value of `narrow`."""
    kind = operand.type
    if not isinstance(kind, Scalar):
        return True
    if kind in (BOOL, narrow):
        return True
    if kind.is_float or not kind.is_integer:
        return narrow.is_float and kind.bytes <= narrow.bytes
    digits = 8 * kind.bytes - (0 if kind.is_unsigned else 1)
    if narrow.is_float:
        return digits <= {"float32": 24, "float16": 11}[narrow.name]
    room = 8 * narrow.bytes - (0 if narrow.is_unsigned else 1)
    return digits <= room and (kind.is_unsigned or not narrow.is_unsigned)


def _component_beside(value: Expression, path: str) -> str | None:
    """The path of the next component of a vector, quaternion or row of a matrix."""
    match value.type:
        case Vector(length=length) if path[1:] in list("xyzw"[:length]):
            return f".{'xyzw'[('xyzw'.index(path[1:]) + 1) % length]}" if length > 1 else None
        case Quaternion() if path[1:] in list("xyzw"):
            return f".{'xyzw'[('xyzw'.index(path[1:]) + 1) % 4]}"
        case Vector(length=length) if found := _VECTOR_PATH.fullmatch(path):
            return f".v[{(int(found[1]) + 1) % length}]" if length > 1 else None
        case Matrix(columns=columns) if found := _MATRIX_PATH.fullmatch(path):
            return f".m[{found[1]}][{(int(found[2]) + 1) % columns}]" if columns > 1 else None
        case _:
            return None
