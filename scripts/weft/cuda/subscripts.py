"""Subscripts: elements and views of arrays, components and slices of vectors and matrices, shapes, tuples."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Protocol

from weft.array_parts import view_type
from weft.cuda import rules
from weft.cuda.c_types import component_names
from weft.cuda.slices import Selection, repeatable, select
from weft.cuda.traverse import clone
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Call,
    Conditional,
    Construct,
    Element,
    Expression,
    Extent,
    Let,
    Literal,
    Member,
    Name,
    Slice,
    Unary,
)
from weft.cuda.values import component_place
from weft.function_source import FunctionSource
from weft.subscript_indices import indices_of
from weft.types import Array, Matrix, Quaternion, Scalar, Transform, Type, Vector, component_scalars

_Compound = Vector | Matrix | Quaternion | Transform


class Parts(Protocol):
    """What a subscript needs of the builder of expressions."""

    def build(self, node: ast.expr) -> Expression: ...

    def several(self, node: ast.expr) -> list[Expression] | None: ...

    def is_local(self, node: ast.expr) -> bool: ...


class SubscriptBuilder:
    """Translates the subscripts of one function. `expressions` translates what is inside them. `captured` has
    the values of captured names that are not numbers.
    """

    def __init__(
        self, source: FunctionSource, expressions: Parts, captured: Mapping[str, Expression]
    ) -> None:
        self.source = source
        self.expressions = expressions
        self.captured = captured

    def build(self, node: ast.Subscript) -> Expression:
        """The tree of a subscript."""
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            array = self.expressions.build(node.value.value)
            axis = self.source.value(node.slice)
            if isinstance(array.type, Array):
                if isinstance(axis, int) and self._position(node.slice) is not None:
                    return self._shape(node, array, axis)
                return self._any_extent(array, self.expressions.build(node.slice))
            raise self.source.refusal(node, "only arrays have `.shape` here")
        if (parts := self.expressions.several(node.value)) is not None:
            return self._part(node, parts)
        indices = indices_of(node)
        if any(isinstance(index, ast.Slice) for index in indices) and not self._is_array(node.value):
            return self._slices(node, indices)
        value = self.expressions.build(node.value)
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

    def _slices(self, node: ast.Subscript, indices: Sequence[ast.expr]) -> Expression:
        """A part of a vector or matrix; what must be computed for it is computed once."""
        kind, value = self.source.type(node), self.expressions.build(node.value)
        if not isinstance(value.type, _Compound):
            raise self.source.refusal(node, f"slices of {value.type} are not supported: use indices")
        if isinstance(value, Call) and value.function == "row" and all(map(repeatable, value.arguments)):
            matrix, row = value.arguments
            return Construct(kind, select(matrix, [row, *self._chosen(value.type, indices)]).components)
        if repeatable(value) and not isinstance(value, Unary | Binary | Conditional):
            return Construct(kind, select(value, self._chosen(value.type, indices)).components)
        name = f"\0part{node.lineno}:{node.col_offset}"
        whole = Name(value.type, name)
        return Let(
            kind, name, value, Construct(kind, select(whole, self._chosen(value.type, indices)).components)
        )

    def _chosen(self, kind: Type, indices: Sequence[ast.expr]) -> list[range | Expression]:
        """The positions that slices and indices select in a vector or matrix."""
        sizes = (kind.rows, kind.columns) if isinstance(kind, Matrix) else (len(component_names(kind)),)
        pairs = zip(indices, sizes, strict=False)
        return [self._range(i, size) if isinstance(i, ast.Slice) else self._index(i) for i, size in pairs]

    def _element(self, node: ast.Subscript, array: Expression, indices: Sequence[ast.expr]) -> Expression:
        assert isinstance(array.type, Array)
        built = [self._slice(i) if isinstance(i, ast.Slice) else self.expressions.build(i) for i in indices]
        for index, expression in zip(indices, built, strict=True):
            if not isinstance(expression.type, Scalar) or not expression.type.is_integer:
                raise self.source.refusal(index, f"an index must be an integer, this is {expression.type}")
        if len(built) > array.type.ndim:
            inner = Element(array.type.element, array, built[: array.type.ndim], node=node)
            return self._component_of(node, inner, indices[array.type.ndim :], built[array.type.ndim :])
        taken = sum(not isinstance(index, Slice) for index in built)
        rest = array.type.ndim - taken
        kind: Type = array.type.element if rest == 0 else view_type(array.type, rest)
        if isinstance(array, Element) and not any(isinstance(index, Slice) for index in array.indices):
            return Element(kind, array.array, [*array.indices, *built], node=node)
        return Element(kind, array, built, node=node)

    def _is_array(self, node: ast.expr) -> bool:
        return isinstance(self.source.known_type(node), Array)

    def _slice(self, node: ast.Slice) -> Slice:
        """A slice among the indices of an array."""
        start, stop = (
            [self.expressions.build(bound)] if bound is not None else [] for bound in (node.lower, node.upper)
        )
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
        return rules.dynamic_component(value, self.expressions.build(indices[0]), scalar)

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
        """The places in a vector or matrix that a subscript with slices selects."""
        value = self.expressions.build(node.value)
        if not isinstance(value.type, _Compound):
            raise self.source.refusal(node, f"slices of {value.type} are not supported: use indices")
        if not repeatable(value):
            raise self.source.refusal(node, "write one subscript to change a part: m[1, 0:2], not m[1][0:2]")
        indices = indices_of(node)
        return select(value, self._chosen(value.type, indices))

    def _range(self, node: ast.Slice, size: int) -> range:
        """The positions that a slice selects. Its bounds are constants, as Warp demands."""
        bounds = [
            self.source.value(part) if part is not None else None
            for part in (node.lower, node.upper, node.step)
        ]
        positions = range(*slice(*bounds).indices(size))
        if not positions:
            raise self.source.refusal(node, "this slice selects no component, and every CUDA type has one")
        return positions

    def _part(self, node: ast.Subscript, parts: list[Expression]) -> Expression:
        position = self._position(node.slice)
        if position is None or not -len(parts) <= position < len(parts):
            raise self.source.refusal(
                node, "an index into several values must be a constant less than their number"
            )
        return parts[position]

    def _position(self, node: ast.expr) -> int | None:
        """The value of a constant index; a local name counts by its name, for it may be a loop variable."""
        value = self.source.value(node)
        if isinstance(value, bool) or not isinstance(value, int) or self.expressions.is_local(node):
            return None
        return value

    def _index(self, node: ast.expr) -> Expression:
        """An index into a vector or matrix: a literal if it is constant."""
        position = self._position(node)
        return self.expressions.build(node) if position is None else Literal(INT, position)

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


def _length(value: Expression) -> int:
    return len(component_names(value.type))
