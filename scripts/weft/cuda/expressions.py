"""From Python's expressions, typed by Warp, to the translator's tree."""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from weft.cuda import rules
from weft.cuda.c_types import HALVES, component_names
from weft.cuda.calls import CallBuilder, Program
from weft.cuda.slices import Selection, repeatable, select
from weft.cuda.source import FunctionSource, stored_names
from weft.cuda.tiles.builder import tile_builder
from weft.cuda.traverse import clone, walk
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Call,
    Chain,
    Conditional,
    Construct,
    Element,
    Expression,
    Extent,
    Literal,
    Member,
    Name,
    Pointee,
    Result,
    Slice,
    Table,
    Unary,
)
from weft.cuda.values import compare, component_place, compound_literal
from weft.types import (
    Array,
    Matrix,
    Quaternion,
    Scalar,
    Struct,
    Transform,
    Tuple,
    Type,
    Vector,
    component_scalars,
    parse_type,
)

BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


class ExpressionBuilder:
    """Translates the expressions of one function."""

    def __init__(self, program: Program, source: FunctionSource) -> None:
        self.program = program
        self.source = source
        self.local_names = _local_names(source.definition)
        self.calls = CallBuilder(program, source, self)
        self.captured: dict[str, Expression] = {}
        self.loops: list[tuple[ast.For, range | None]] = []
        self.tables: list[Table] = []
        self.tuples: dict[str, list[tuple[str, Type]]] = {}
        self.tiles = tile_builder(program, source, self.build, self.calls.apply, self.local_names)

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
        if not isinstance(test.type, Scalar | Array):
            raise self.source.refusal(
                node, f"{test.type} is neither true nor false: compare it with something"
            )
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
        if (iterations := self.source.iterations(node)) is not None:
            return self._of_iteration(node, iterations)
        known = self.source.value(node)
        if known is not None and not self.is_local(node) and not isinstance(node, ast.UnaryOp):
            return self._constant(node, known)
        if self.tiles is not None and (element := self.tiles.scalar(node)) is not None:
            return element
        match node:
            case ast.Constant(value=str(text)):
                return Literal(INT, text)
            case ast.Constant(value=bool() | int() | float()):
                return self._constant(node, node.value)
            case ast.Name(id=name):
                if not self.is_local(node) and self.source.has_type(node):
                    return self._read_again(node)
                return Name(self.source.type(node), name)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._subscript(node)
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
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.local_names

    def _constant(self, node: ast.expr, value: Any) -> Expression:
        """A value that Warp knows. A captured name of scalar type becomes a C++ constant; one of another type
        a constant of the function, for device code cannot refer to objects of the host.
        """
        if isinstance(value, dict):
            kind = parse_type(value["type"])
            compound = compound_literal(kind, value["components"], self.program.structs)
            if isinstance(node, ast.Name) and self.captured.setdefault(node.id, compound) == compound:
                return Name(kind, node.id)
            return compound
        if isinstance(value, str):
            if self.source.has_type(node) and isinstance(self.source.type(node), Scalar):
                return Literal(self.source.type(node), float(value))
            return Literal(INT, value)
        # Warp reads the arguments of `range` without giving them a type.
        untyped_integer = isinstance(value, int) and not self.source.has_type(node)
        kind = INT if untyped_integer else self.source.type(node)
        literal = Literal(kind, value)
        # A half cannot be a constant expression in C++, for its constructors are none.
        if isinstance(node, ast.Name) and str(kind) not in HALVES:
            present = self.program.constants.setdefault(node.id, literal)
            if present == literal:
                return Name(kind, node.id)
        return literal

    def _read_again(self, node: ast.Name) -> Expression:
        """A captured number that Warp knew where the function named it first: a cast there, as in
        `wp.float64(PI)`, gives all later mentions of the name the type of the cast.
        """
        kind = self.source.type(node)
        for other in ast.walk(self.source.definition):
            if isinstance(other, ast.Name) and other.id == node.id and isinstance(kind, Scalar):
                value = self.source.value(other)
                if isinstance(value, int | float):
                    return Literal(kind, value)
        raise self.source.refusal(node, f"the value of {node.id!r} is not known: write the number itself")

    def _of_iteration(self, node: ast.expr, values: list[Any]) -> Expression:
        """What Warp knows of each iteration of loops that it unrolls: an element of a table."""
        loops = [(loop, iterations) for loop, iterations in self.loops if iterations is not None]
        index: Expression = Literal(INT, 0)
        for loop, iterations in loops:
            assert isinstance(loop.target, ast.Name)
            if loop.target.id in stored_names(loop.body):
                raise self.source.refusal(node, "wp.static in a loop whose variable changes is not supported")
            index = _mixed(index, Name(INT, loop.target.id), iterations)
        if len(values) != math.prod(len(iterations) for _, iterations in loops):
            raise self.source.refusal(node, "wp.static in some iterations of a loop only is not supported")
        kind = self.source.type(node)
        names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
        name, number = "values", 2
        while name in self.local_names | set(names):
            name, number = f"values_{number}", number + 1
        self.local_names.add(name)
        if isinstance(kind, Scalar):
            entries: list[Expression] = [Literal(kind, float(v) if isinstance(v, str) else v) for v in values]
        else:
            entries = [compound_literal(kind, v["components"], self.program.structs) for v in values]
        self.tables.append(Table(kind, name, entries))
        return Pointee(kind, Name(kind, name), index)

    def _attribute(self, node: ast.Attribute) -> Expression:
        value = self.build(node.value)
        match value.type:
            case Struct(name=name):
                fields = dict(self.program.structs[name])
                if node.attr in fields:
                    return Member(fields[node.attr], value, f".{node.attr}")
            case Vector(length=length) if node.attr == "length":
                return Literal(INT, length)
            case Vector(length=length, scalar=scalar) if node.attr in "xyzw"[:length]:
                return Member(scalar, value, component_names(value.type)["xyzw".index(node.attr)])
            case Quaternion(scalar=scalar) if node.attr in "xyzw":
                return Member(scalar, value, f".{node.attr}")
            case Transform(scalar=scalar) if node.attr in "pq":
                part = Vector(3, scalar) if node.attr == "p" else Quaternion(scalar)
                return Member(part, value, f".{node.attr}")
            case Array(ndim=rank) if node.attr == "ndim":
                return Literal(INT, rank)
            case Array():
                raise self.source.refusal(
                    node, f"`.{node.attr}` of an array is not supported (`.shape[k]` is)"
                )
            case _:
                pass
        raise self.source.refusal(node, f"`.{node.attr}` of {value.type} is not supported")

    def _subscript(self, node: ast.Subscript) -> Expression:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            array = self.build(node.value.value)
            axis = self.source.value(node.slice)
            if isinstance(array.type, Array):
                if isinstance(axis, int) and self._position(node.slice) is not None:
                    return self._shape(node, array, axis)
                return self._any_extent(array, self.build(node.slice))
            raise self.source.refusal(node, "`.shape` is one of arrays here")
        if (parts := self.several(node.value)) is not None:
            return self._part(node, parts)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(index, ast.Slice) for index in indices) and not self._is_array(node.value):
            selection = self.selection(node)
            return Construct(self.source.type(node), selection.components)
        value = self.build(node.value)
        match value.type:
            case Array():
                return self._element(node, value, indices)
            case Matrix():
                return self._matrix(node, value, [self._index(index) for index in indices])
            case Vector() if isinstance(value, Call) and value.function == "row" and len(indices) == 1:
                matrix, row = value.arguments
                return self._matrix(node, matrix, [row, self._index(indices[0])])
            case Vector() | Quaternion() | Transform():
                return self._component(node, value, indices)
            case _:
                raise self.source.refusal(node, f"indexing {value.type} is not supported")

    def _element(self, node: ast.Subscript, array: Expression, indices: Sequence[ast.expr]) -> Expression:
        assert isinstance(array.type, Array)
        built = [self._slice(i) if isinstance(i, ast.Slice) else self.build(i) for i in indices]
        for index, expression in zip(indices, built, strict=True):
            if not isinstance(expression.type, Scalar) or not expression.type.is_integer:
                raise self.source.refusal(index, f"an index must be an integer, this is {expression.type}")
        if len(built) > array.type.ndim:
            inner = Element(array.type.element, array, built[: array.type.ndim], node=node)
            return self._component_of(node, inner, indices[array.type.ndim :], built[array.type.ndim :])
        taken = sum(not isinstance(index, Slice) for index in built)
        rest = array.type.ndim - taken
        kind: Type = array.type.element if rest == 0 else Array(array.type.element, rest)
        if isinstance(array, Element) and not any(isinstance(index, Slice) for index in array.indices):
            return Element(kind, array.array, [*array.indices, *built], node=node)
        return Element(kind, array, built, node=node)

    def _is_array(self, node: ast.expr) -> bool:
        return self.source.has_type(node) and isinstance(self.source.type(node), Array)

    def _slice(self, node: ast.Slice) -> Slice:
        """A slice among the indices of an array."""
        start, stop = ([self.build(bound)] if bound is not None else [] for bound in (node.lower, node.upper))
        step = self._index(node.step) if node.step is not None else Literal(INT, 1)
        if isinstance(step, Unary) and isinstance(step.operand, Literal):
            step = Literal(INT, -int(step.operand.value))
        if not isinstance(step, Literal):
            raise self.source.refusal(node, "the step of a slice must be a constant")
        return Slice(INT, start, stop, step)

    def _shape(self, node: ast.expr, array: Expression, axis: int) -> Expression:
        """`.shape[axis]`; beyond the dimensions Warp's shapes are zero."""
        assert isinstance(array.type, Array)
        if not 0 <= axis < 4:
            raise self.source.refusal(node, f"`.shape[{axis}]` is outside of {array.type}")
        return Extent(INT, array, axis) if axis < array.type.ndim else Literal(INT, 0)

    def _any_extent(self, array: Expression, axis: Expression) -> Expression:
        """`.shape[axis]` where the axis is known at run time only."""
        assert isinstance(array.type, Array)
        last = array.type.ndim - 1
        result: Expression = Extent(INT, array, last)
        for number in reversed(range(last)):
            test = Binary(BOOL, "==", clone(axis), Literal(INT, number))
            result = Conditional(INT, test, Extent(INT, clone(array), number), result)
        return result

    def _component_of(
        self, node: ast.Subscript, value: Expression, nodes: Sequence[ast.expr], built: list[Expression]
    ) -> Expression:
        if isinstance(value.type, Vector | Quaternion | Transform) and len(built) == 1:
            return self._component(node, value, nodes)
        if isinstance(value.type, Matrix):
            return self._matrix(node, value, [self._index(index) for index in nodes])
        raise self.source.refusal(node, f"too many indices for {value.type}")

    def _component(self, node: ast.Subscript, value: Expression, indices: Sequence[ast.expr]) -> Expression:
        if len(indices) != 1:
            raise self.source.refusal(node, f"{value.type} takes one index")
        scalar = next(component_scalars(value.type, {}))
        names = component_names(value.type)
        position = self._position(indices[0])
        if position is not None:
            if not -len(names) <= position < len(names):
                raise self.source.refusal(node, f"index {position} is outside of {value.type}")
            return self._part_of(value, position) or Member(scalar, value, names[position])
        return rules.dynamic_component(value, self.build(indices[0]), scalar)

    def _part_of(self, value: Expression, position: int) -> Expression | None:
        """A component of a value that is written out, or of a captured one if it is a whole number."""
        if isinstance(value, Name) and value.name in self.captured:
            part = self._part_of(self.captured[value.name], position)
            return part if part is not None and part.type == INT else None
        if isinstance(value, Construct) and len(value.arguments) == _length(value):
            part = value.arguments[position]
            return part if isinstance(part, Literal) else None
        return None

    def selection(self, node: ast.Subscript) -> Selection:
        """The components of a vector or matrix that a subscript with slices selects."""
        value = self.build(node.value)
        if not isinstance(value.type, Vector | Matrix | Quaternion | Transform):
            raise self.source.refusal(node, f"slices of {value.type} are not supported: use indices")
        if not repeatable(value):
            raise self.source.refusal(node.value, "give the value a name before a slice is taken of it")
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        sizes = (value.type.rows, value.type.columns) if isinstance(value.type, Matrix) else (_length(value),)
        pairs = zip(indices, sizes, strict=False)
        return select(
            value, [self._range(i, size) if isinstance(i, ast.Slice) else self._index(i) for i, size in pairs]
        )

    def _range(self, node: ast.Slice, size: int) -> range:
        """The positions that a slice selects. Its bounds are constants, as Warp demands."""
        bounds = [
            self.source.value(part) if part is not None else None
            for part in (node.lower, node.upper, node.step)
        ]
        return range(*slice(*bounds).indices(size))

    def several(self, node: ast.expr) -> list[Expression] | None:
        """The values of a tuple: one that was kept in a name, one that a call returns, or one written out."""
        if isinstance(node, ast.Name) and node.id in self.tuples:
            return [Name(kind, name) for name, kind in self.tuples[node.id]]
        if isinstance(node, ast.Tuple):
            return [self.build(item) for item in node.elts]
        if isinstance(node, ast.Call) and (call := self.calls.several_results(node)) is not None:
            assert isinstance(call.type, Tuple)
            if self.calls.groups(node):
                raise self.source.refusal(node, "a tuple among several results: unpack them into names first")
            return [Result(kind, call, i) for i, kind in enumerate(call.type.items)]
        return None

    def flat(self, node: ast.expr) -> list[Expression]:
        """The value of an expression, or the values of a tuple that is written out or was kept in a name."""
        parts = self.several(node) if isinstance(node, ast.Name | ast.Tuple) else None
        return [self.build(node)] if parts is None else parts

    def _part(self, node: ast.Subscript, parts: list[Expression]) -> Expression:
        position = self._position(node.slice)
        if position is None or not -len(parts) <= position < len(parts):
            raise self.source.refusal(node, "an index into several values is a constant within their number")
        return parts[position]

    def _position(self, node: ast.expr) -> int | None:
        """The value of a constant index; a local name counts by its name, for it may be a loop variable."""
        value = self.source.value(node)
        if isinstance(value, bool) or not isinstance(value, int) or self.is_local(node):
            return None
        return value

    def _index(self, node: ast.expr) -> Expression:
        """An index into a vector or matrix: a literal if it is constant."""
        position = self._position(node)
        return self.build(node) if position is None else Literal(INT, position)

    def _matrix(self, node: ast.Subscript, matrix: Expression, indices: Sequence[Expression]) -> Expression:
        kind = matrix.type
        assert isinstance(kind, Matrix)
        if len(indices) == 1:
            return Call(Vector(kind.columns, kind.scalar), "row", [matrix, indices[0]], ("row", (kind, INT)))
        if len(indices) > 2:
            raise self.source.refusal(node, f"too many indices for {kind}")
        for index, size in zip(indices, (kind.rows, kind.columns), strict=True):
            outside = isinstance(index, Literal) and not -size <= int(index.value) < size
            if outside and isinstance(index, Literal):
                raise self.source.refusal(node, f"index {index.value} is outside of {kind}")
        return component_place(matrix, indices)

    def _unary(self, node: ast.UnaryOp) -> Expression:
        known = self.source.value(node)
        if isinstance(node.operand, ast.Constant) and known is not None:
            return self._constant(node, known)
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
        return rules.binary(BINARY[type(node.op)], left, right, self.source.type(node))

    def _compare(self, node: ast.Compare) -> Expression:
        operands = [self.build(operand) for operand in (node.left, *node.comparators)]
        if not all(type(op) in COMPARE for op in node.ops):
            raise self.source.refusal(node, "`is` and `in` are not supported: use comparisons")
        operators = [COMPARE[type(op)] for op in node.ops]
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


def _mixed(index: Expression, variable: Expression, iterations: range) -> Expression:
    """The number of an iteration among all those of nested loops; `index` is that of the loops around."""
    number = variable
    if iterations.start:
        number = Binary(INT, "-", number, Literal(INT, iterations.start))
    if iterations.step != 1:
        number = Binary(INT, "/", number, Literal(INT, iterations.step))
    if isinstance(index, Literal):
        return number
    return Binary(INT, "+", Binary(INT, "*", index, Literal(INT, len(iterations))), number)


def _length(value: Expression) -> int:
    return len(component_names(value.type))


def _local_names(definition: ast.FunctionDef) -> set[str]:
    """Parameters and names that the function assigns."""
    arguments = definition.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    return names | stored_names(definition.body)
