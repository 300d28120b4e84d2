"""An interpreter of the translator's tree for integers: they wrap around, as in Warp and in CUDA."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import operator as op
from collections.abc import Mapping

from weft.cuda.tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Declare,
    Element,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Return,
    Statement,
    Threads,
    Unary,
    While,
)
from weft.types import Scalar, Type

STEPS = 150
"""How many statements a run executes before it is left."""


_COMPARISONS = {"<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge, "==": op.eq, "!=": op.ne}


class EndOfRunError(Exception):
    """The thread returned, divided by zero, or ran for long enough."""


class NegativeIndexError(AssertionError):
    """An index that the proofs called natural is negative."""


class _LeftError(Exception):
    def __init__(self, keyword: str) -> None:
        self.keyword = keyword


def wrapped(value: int, type: Type) -> int:
    """The number that a type holds for `value`."""
    low, high = limits(type)
    return value if low <= value <= high else (value - low) % (high - low + 1) + low


@functools.cache
def limits(type: Type) -> tuple[int, int]:
    """The least and the greatest number of a type."""
    assert isinstance(type, Scalar) and type.is_integer
    bits = 8 * type.bytes
    return (0, (1 << bits) - 1) if type.is_unsigned else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


@dataclasses.dataclass
class Run:
    """One thread: its variables, arrays (which never end: they repeat), and what it did."""

    names: dict[str, int]
    arrays: Mapping[str, list[int]]
    thread: int
    trace: list[tuple[str, int, int]] = dataclasses.field(default_factory=list)
    steps: int = 0

    def execute(self, function: Function) -> list[tuple[str, int, int]]:
        """Every element that the thread read or wrote: its array, index and value.

        Raises NegativeIndexError for a negative index that nothing wraps.
        """
        with contextlib.suppress(EndOfRunError):
            self._block(function.body)
        return self.trace

    def _block(self, block: list[Statement]) -> None:
        for statement in block:
            self.steps += 1
            if self.steps > STEPS:
                raise EndOfRunError
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Threads(names=[name]):
                self.names[name] = self.thread
            case Assign(target=Name(name=name, type=kind), operator=operator, value=value):
                found = Binary(kind, operator, statement.target, value) if operator else value
                self.names[name] = self.value(found)
            case Declare(name=name, value=Expression() as value):
                self.names[name] = self.value(value)
            case Assign(target=Element() as element, operator="", value=value):
                self._touch(element, self.value(value))
            case If(test=test, body=body, otherwise=otherwise):
                self._block(body if self.value(test) else otherwise)
            case For():
                self._for(statement)
            case While(test=test, body=body):
                while self.value(test) and self._iterates(body):
                    self.steps += 1
                    if self.steps > STEPS:
                        raise EndOfRunError
            case Jump(keyword=keyword):
                raise _LeftError(keyword)
            case Return():
                raise EndOfRunError
            case _:
                raise TypeError(statement)

    def _for(self, loop: For) -> None:
        step = loop.step or (self.value(loop.stride) if loop.stride is not None else 0)
        if loop.stride is not None:
            step = self.value(loop.stride)
            assert loop.step in (0, 1)
            assert not loop.step or step > 0, "a stride that the proofs called positive is not"
        if step == 0:
            raise EndOfRunError
        for number in range(self.value(loop.start), self.value(loop.stop), step):
            self.names[loop.name] = number
            if not self._iterates(loop.body):
                break

    def _iterates(self, body: list[Statement]) -> bool:
        try:
            self._block(body)
        except _LeftError as left:
            return left.keyword == "continue"
        return True

    def _touch(self, element: Element, stored: int | None = None) -> int:
        assert isinstance(element.array, Name)
        index = self.value(element.indices[0])
        if index < 0 and element.wraps == [False]:
            raise NegativeIndexError(f"{element.array.name}[{index}]")
        values = self.arrays[element.array.name]
        place = index % len(values)
        if stored is not None:
            values[place] = stored
        self.trace.append((element.array.name, index, values[place]))
        return values[place]

    def value(self, expression: Expression) -> int:
        """The value of an integer or of a truth."""
        match expression:
            case Literal(value=value):
                return int(value)
            case Name(name=name):
                return self.names[name]
            case Element():
                return self._touch(expression)
            case Unary(operator="!", operand=operand):
                return int(not self.value(operand))
            case Unary(operator=operator, operand=operand):
                inner = self.value(operand)
                return wrapped(-inner if operator == "-" else ~inner, expression.type)
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                first = self.value(left)
                return int(
                    bool(first and self.value(right) if operator == "&&" else first or self.value(right))
                )
            case Binary(operator=operator, left=left, right=right) if operator in _COMPARISONS:
                return int(_COMPARISONS[operator](self.value(left), self.value(right)))
            case Binary(operator=operator, left=left, right=right):
                return wrapped(_operation(operator, self.value(left), self.value(right)), expression.type)
            case Conditional(test=test, then=then, otherwise=otherwise):
                return self.value(then if self.value(test) else otherwise)
            case Cast(operand=operand):
                return wrapped(self.value(operand), expression.type)
            case Call(function=function, arguments=arguments):
                return wrapped(_call(function, [self.value(one) for one in arguments]), expression.type)
            case _:
                raise TypeError(expression)


def _operation(operator: str, left: int, right: int) -> int:
    if operator in "/%" and right == 0:
        raise EndOfRunError
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        case "%":
            return abs(left) % abs(right) * (1 if left >= 0 else -1)
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return left << right
        case ">>":
            return left >> right
        case _:
            raise TypeError(operator)


def _call(function: str, values: list[int]) -> int:
    match function:
        case "min":
            return min(values)
        case "max":
            return max(values)
        case "abs":
            return abs(values[0])
        case "floor_divide":
            if values[1] == 0:
                raise EndOfRunError
            return values[0] // values[1]
        case _:
            raise TypeError(function)
