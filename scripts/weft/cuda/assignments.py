"""Assignments in all their forms."""

from __future__ import annotations

import ast

from weft.cuda import atomic_rules, rules
from weft.cuda.calls import Program
from weft.cuda.exchange import Exchange
from weft.cuda.expressions import BINARY, ExpressionBuilder
from weft.cuda.helpers.text import scalar_of
from weft.cuda.source import FunctionSource
from weft.cuda.tree import (
    INT,
    Assign,
    Call,
    Component,
    Element,
    Evaluate,
    Expression,
    Member,
    Name,
    Statement,
    Threads,
    Unpack,
)
from weft.cuda.values import coerce
from weft.types import Array, Function, Opaque, Scalar, Tuple, Type

_ATOMIC = {ast.Add: "add", ast.Sub: "sub", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
_IN_PLACE = {"+", "-", "*", "/", "&", "|", "^", "<<", ">>"}


class AssignmentBuilder:
    """Translates the assignments of one function.

    `order` has its names in the order in which they appeared, `loops` counts the loops around the statement.
    """

    def __init__(self, program: Program, source: FunctionSource, expressions: ExpressionBuilder) -> None:
        self.program = program
        self.source = source
        self.expressions = expressions
        self.exchange = Exchange()
        self.order: list[str] = [name for name, _ in source.parameters]
        self.loops = 0

    def assign(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> list[Statement]:
        """`target = value`."""
        if isinstance(value, ast.Call) and self.is_tid(value):
            return [Threads(self._names(target), node=node)]
        if isinstance(target, ast.Tuple):
            return self._assign_several(node, target, value)
        if isinstance(target, ast.Name) and isinstance(value, ast.Tuple):
            raise self.source.refusal(node, "a tuple cannot be kept in one variable: use a vector")
        built = self.expressions.build(value)
        if isinstance(built.type, Function | Tuple | Opaque):
            raise self.source.refusal(value, f"a value of type {built.type} cannot be kept in a variable")
        if isinstance(target, ast.Name):
            self._note(target.id)
            return [Assign(Name(built.type, target.id), "", built, node=node)]
        place = self._place(target)
        if isinstance(place, Call) and place.function == "row":
            types = (place.arguments[0].type, built.type)
            setter = Call(INT, "set_row", [*place.arguments, built], ("set_row", types))
            return [Evaluate(setter, node=node)]
        return [Assign(place, "", coerce(built, place.type), node=node)]

    def _note(self, name: str) -> None:
        if name not in self.order:
            self.order.append(name)

    def is_tid(self, node: ast.Call) -> bool:
        """Whether a call asks for the thread's place."""
        callee = self.source.callee(node)
        return callee is not None and callee.get("builtin") == "tid"

    def _names(self, target: ast.expr) -> list[str]:
        items = target.elts if isinstance(target, ast.Tuple) else [target]
        names = [item.id for item in items if isinstance(item, ast.Name)]
        if len(names) != len(items):
            raise self.source.refusal(target, "only names can take several values at once")
        for name in names:
            self._note(name)
        return names

    def _assign_several(self, node: ast.stmt, target: ast.Tuple, value: ast.expr) -> list[Statement]:
        names = self._names(target)
        if isinstance(value, ast.Call):
            call = self.expressions.calls.several_results(value)
            if call is None:
                raise self.source.refusal(
                    node, "this call does not return several values that can be unpacked"
                )
            result = self.program.functions[call.user or ""].result
            assert isinstance(result, tuple)
            return [Unpack(names, list(result), call, node=node)]
        if not isinstance(value, ast.Tuple):
            raise self.source.refusal(node, "only results of functions and tuples can be unpacked")
        return self._assign_tuple(node, names, value)

    def _assign_tuple(self, node: ast.stmt, names: list[str], value: ast.Tuple) -> list[Statement]:
        """`a, b = x, y`: all values before all names."""
        built = [self.expressions.build(item) for item in value.elts]
        for name, item, expression in zip(names, value.elts, built, strict=True):
            if isinstance(item, ast.Name) and item.id in self.expressions.local_names:
                if not isinstance(expression.type, Scalar):
                    raise self.source.refusal(
                        node, "Warp makes the two names share one value here: assign them one by one"
                    )
                if self.loops and item.id in names and item.id != name:
                    self._require_order(node, name, item.id)
        return self.exchange.assignments(node, list(zip(names, built, strict=True)))

    def _require_order(self, node: ast.stmt, name: str, source: str) -> None:
        """In a loop Warp copies the new values back in the order in which the names first appeared."""
        if (
            source not in self.order
            or name not in self.order
            or self.order.index(source) < self.order.index(name)
        ):
            raise self.source.refusal(
                node, "Warp computes this exchange in a loop differently from Python: use a third variable"
            )

    def _place(self, node: ast.expr) -> Expression:
        """What an assignment to `node` writes."""
        if not isinstance(node, ast.Subscript | ast.Attribute):
            raise self.source.refusal(node, "this cannot be assigned to")
        place = self.expressions.build_place(node)
        if isinstance(place.type, Array):
            raise self.source.refusal(
                node, "assigning to a view of an array is not supported: assign its elements"
            )
        if not isinstance(place, Element | Member | Component | Call):
            raise self.source.refusal(node, "this cannot be assigned to")
        if isinstance(place, Call) and place.function not in ("component_ref", "row"):
            raise self.source.refusal(node, "this cannot be assigned to")
        return place

    def augmented(self, node: ast.AugAssign) -> list[Statement]:
        """`target += value` and its like: atomic on arrays, where Warp makes it so."""
        symbol = BINARY[type(node.op)]
        if self.source.callee(node) is not None:
            raise self.source.refusal(
                node, "augmented assignment with an own operator is not supported: write it out"
            )
        if isinstance(node.target, ast.Name):
            self._note(node.target.id)
            value = self.expressions.build(node.value)
            target: Expression = Name(self._result_type(node, value), node.target.id)
        else:
            target = self._place(node.target)
            if isinstance(target, Call) and target.function == "row":
                raise self.source.refusal(
                    node, "augmented assignment to a row is not supported: assign the elements"
                )
            value = self.expressions.build(node.value)
            if _in_array(target) and type(node.op) in _ATOMIC:
                operation = _ATOMIC[type(node.op)]
                scalar = _scalar(target.type)
                if scalar is not None and scalar.bytes >= 4 and scalar.name != "bool":
                    call = atomic_rules.update(operation, target, [coerce(value, target.type)])
                    assert isinstance(call, Call)
                    call.in_place = True
                    return [Evaluate(call, node=node)]
        value = coerce(value, target.type)
        floats = isinstance(target.type, Scalar) and target.type.is_float
        if symbol in _IN_PLACE or (symbol == "%" and not floats and isinstance(target.type, Scalar)):
            return [Assign(target, symbol, value, node=node)]
        result = rules.binary(symbol, target, value, target.type)
        return [Assign(target, "", result, node=node)]

    def _result_type(self, node: ast.AugAssign, value: Expression) -> Type:
        """The type of the name that is augmented. Warp evaluates it like any expression."""
        if self.source.has_type(node.target):
            return self.source.type(node.target)
        return value.type


def _in_array(place: Expression) -> bool:
    """Whether a place lies in an array's memory."""
    match place:
        case Element():
            return True
        case Member(value=value) | Component(value=value):
            return _in_array(value)
        case Call(function="component_ref" | "row", arguments=[value, *_]):
            return _in_array(value)
        case _:
            return False


def _scalar(type: Type) -> Scalar | None:
    try:
        return scalar_of(type)
    except ValueError:
        return None
