"""From Python's expressions, typed by Warp, to the translator's tree."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence

from weft.cuda import rules
from weft.cuda.c_types import component_names
from weft.cuda.calls import CallBuilder, ModuleContext
from weft.cuda.known_values import KnownValues
from weft.cuda.slices import Selection, repeatable
from weft.cuda.subscripts import SubscriptBuilder
from weft.cuda.tiles.builder import tile_builder
from weft.cuda.traverse import walk
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Call,
    Chain,
    Conditional,
    Expression,
    Extent,
    Literal,
    Member,
    Name,
    Result,
    Unary,
)
from weft.cuda.values import compare, component_place
from weft.function_source import FunctionSource, stored_names
from weft.operator_symbols import SYMBOLS
from weft.types import (
    Array,
    BucketArray,
    IndexedBucketArray,
    Quaternion,
    Scalar,
    Struct,
    Transform,
    Type,
    Vector,
)

_Access = ast.Attribute | ast.Subscript
_Testable = Scalar | Array


class ExpressionBuilder:
    """Translates the expressions of one function."""

    def __init__(self, module: ModuleContext, source: FunctionSource) -> None:
        self.module = module
        self.source = source
        self.local_names = _local_names(source.definition)
        self.calls = CallBuilder(module, source, self)
        self.known = KnownValues(module, source, self.local_names)
        self.subscripts = SubscriptBuilder(source, self, self.known.captured)
        self.tuples: dict[str, list[tuple[str, Type]]] = {n: list(p) for n, p in source.tuples.items()}
        self.tiles = tile_builder(module, source, self.build, self.calls, self.local_names)

    def build(self, node: ast.expr) -> Expression:
        """The tree of `node`. Refuses what has no translation."""
        try:
            return self._build(node)
        except rules.UnsupportedError as error:
            raise self.source.refusal(node, str(error)) from error

    def keep_tuple(self, name: str, types: Sequence[Type]) -> list[str]:
        """Names of their own for the values of a tuple that is kept in `name`."""
        if name not in self.tuples:
            taken = self.local_names | {part for parts in self.tuples.values() for part, _ in parts}
            stem = name if not any(f"{name}_{i}" in taken for i in range(len(types))) else f"{name}_part"
            self.tuples[name] = [(f"{stem}_{i}", kind) for i, kind in enumerate(types)]
        return [part for part, _ in self.tuples[name]]

    def build_test(self, node: ast.expr) -> Expression:
        """The tree of a condition or an operand of `and`, `or`, `not`: an array is true unless it is null."""
        test = self.build(node)
        if not isinstance(test.type, _Testable):
            raise self.source.refusal(
                node, f"{test.type} is neither true nor false: compare it with something"
            )
        if isinstance(test, Binary) and test.operator in ("*", "<<"):
            # As a condition it would look like a slip for && or <.
            return compare(["!="], [test, Literal(test.type, 0)])
        return test

    def tile(self, node: ast.expr, function: str, parameter: str) -> Expression:
        """A tile that is given to a function."""
        assert self.tiles is not None
        return self.tiles.argument(node, function, parameter)

    def build_place(self, node: ast.expr) -> Expression:
        """The tree of what an assignment writes: components by number become references."""
        place = self.build(node)
        if isinstance(place, Call) and place.function == "component":
            types = (place.arguments[0].type,)
            return dataclasses.replace(place, function="component_ref", helper=("component_ref", types))
        return place

    def _build(self, node: ast.expr) -> Expression:
        if self.source.is_known(node):
            if (iterations := self.source.iterations(node)) is not None:
                return self.known.of_iteration(node, iterations)
            known = self.source.value(node)
            if known is not None and not self.is_local(node) and not isinstance(node, ast.UnaryOp):
                return self.known.constant(node, known)
        if self.tiles is not None and (element := self.tiles.scalar(node)) is not None:
            return element
        match node:
            case ast.Constant(value=str(text)):
                return Literal(INT, text)
            case ast.Constant(value=bool() | int() | float()):
                return self.known.constant(node, node.value)
            case ast.Name(id=name):
                if not self.is_local(node) and self.source.has_type(node):
                    return self.known.read_again(node)
                return Name(self.source.type(node), name)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self.subscripts.build(node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.Compare():
                return self._compare(node)
            case ast.BoolOp(op=op, values=values):
                symbol = "&&" if isinstance(op, ast.And) else "||"
                result = self.build_test(values[0])
                for value in values[1:]:
                    result = Binary(BOOL, symbol, result, self.build_test(value))
                return result
            case ast.IfExp():
                return self._conditional(node)
            case ast.Call():
                return self.calls.build(node)
            case _:
                raise self.source.refusal(node, f"{type(node).__name__} expressions are not supported")

    def is_local(self, node: ast.expr) -> bool:
        """Whether an expression is a name that the function assigns, or a part of one."""
        while isinstance(node, _Access):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.local_names

    def _attribute(self, node: ast.Attribute) -> Expression:
        value = self.build(node.value)
        match value.type:
            case Struct(name=name):
                fields = dict(self.module.structs[name])
                if node.attr in fields:
                    return Member(fields[node.attr], value, f".{node.attr}")
            case Vector(length=length) if node.attr == "length":
                return Literal(INT, length)
            case Vector(length=length, scalar=scalar) if node.attr in "xyzw"[:length]:
                if isinstance(value, Call) and value.function == "row":
                    matrix, row = value.arguments
                    return component_place(matrix, [row, Literal(INT, "xyzw".index(node.attr))])
                return Member(scalar, value, component_names(value.type)["xyzw".index(node.attr)])
            case Quaternion(scalar=scalar) if node.attr in "xyzw":
                return Member(scalar, value, f".{node.attr}")
            case Transform(scalar=scalar) if node.attr in "pq":
                part = Vector(3, scalar) if node.attr == "p" else Quaternion(scalar)
                return Member(part, value, f".{node.attr}")
            case Array(ndim=rank) if node.attr == "ndim":
                return Literal(INT, rank)
            case BucketArray() | IndexedBucketArray() if node.attr == "size":
                return Extent(Scalar("uint64"), value, 0)
            case Array():
                raise self.source.refusal(
                    node, f"`.{node.attr}` of an array is not supported (`.shape[k]` is)"
                )
        raise self.source.refusal(node, f"`.{node.attr}` of {value.type} is not supported")

    def several(self, node: ast.expr) -> list[Expression] | None:
        """The values of a tuple: one that was kept in a name, one that a call returns, or one written out."""
        if isinstance(node, ast.Name) and node.id in self.tuples:
            return [Name(kind, name) for name, kind in self.tuples[node.id]]
        if isinstance(node, ast.Tuple):
            return [self.build(item) for item in node.elts]
        if (results := self.calls.whole_results(node)) is not None:
            call, types = results
            return [Result(kind, call, i) for i, kind in enumerate(types)]
        return None

    def selection(self, node: ast.Subscript) -> Selection:
        """The components of a vector or matrix that a subscript with slices selects."""
        return self.subscripts.selection(node)

    def flat(self, node: ast.expr) -> list[Expression]:
        """The value of an expression, or the values of a tuple that is written out or was kept in a name."""
        parts = self.several(node) if isinstance(node, ast.Name | ast.Tuple) else None
        return [self.build(node)] if parts is None else parts

    def _unary(self, node: ast.UnaryOp) -> Expression:
        known = self.source.value(node)
        if isinstance(node.operand, ast.Constant) and known is not None:
            return self.known.constant(node, known)
        match node:
            case ast.UnaryOp(ast.USub(), ast.Constant(value=int(value))) if not self.source.has_type(node):
                return Literal(INT, -value)
        operand = self.build(node.operand)
        match node.op:
            case ast.UAdd():
                return operand
            case ast.Not():
                return Unary(BOOL, "!", self.build_test(node.operand))
            case ast.Invert():
                return Unary(operand.type, "~", operand)
            case _ if known is not None and not isinstance(known, dict):
                # Warp negates what it knows at compile time exactly.
                return Unary(operand.type, "-", operand)
            case _:
                return rules.negation(operand)

    def _binary(self, node: ast.BinOp) -> Expression:
        callee = self.source.callee(node)
        left, right = self.build(node.left), self.build(node.right)
        if callee is not None and "function" in callee:
            return self.calls.user_call(node, callee["function"], [left, right])
        return rules.binary(SYMBOLS[type(node.op)], left, right, self.source.type(node))

    def _compare(self, node: ast.Compare) -> Expression:
        operands = [self.build(operand) for operand in (node.left, *node.comparators)]
        if not all(type(op) in SYMBOLS for op in node.ops):
            raise self.source.refusal(node, "`is` and `in` are not supported: use comparisons")
        operators = [SYMBOLS[type(op)] for op in node.ops]
        # All operands are evaluated, whatever the first comparison says.
        parts = [part for operand in operands for part in walk(operand)]
        acts = any(isinstance(part, Call) and (part.user or part.effect) for part in parts)
        if (len(operands) == 2 or not acts) and all(repeatable(operand) for operand in operands[1:-1]):
            return compare(operators, operands)
        return Chain(BOOL, operators, operands)

    def _conditional(self, node: ast.IfExp) -> Expression:
        known = self.source.value(node.test)
        if known is not None:
            taken, other = (node.body, node.orelse) if known else (node.orelse, node.body)
            if not self.source.has_type(other):
                return self.build(taken)
        test = self.build_test(node.test)
        return Conditional(self.source.type(node), test, self.build(node.body), self.build(node.orelse))


def _local_names(definition: ast.FunctionDef) -> set[str]:
    """Parameters and names that the function assigns."""
    arguments = definition.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    return names | stored_names(definition.body)
