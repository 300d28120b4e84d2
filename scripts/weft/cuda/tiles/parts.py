"""Parts of tiles in brackets: rows and slices, elements, and parts of elements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from weft.cuda import rules
from weft.cuda.c_types import component_names
from weft.cuda.tiles import values
from weft.cuda.tiles.values import Coordinates, TileValue
from weft.cuda.traverse import clone
from weft.cuda.tree import INT, Binary, Call, Component, Expression, Literal, Member
from weft.cuda.values import coerce
from weft.types import Matrix, Tile, Vector

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder


def subscript(builder: TileBuilder, node: ast.Subscript, kind: Tile) -> TileValue:
    """`t[i]`, `t[a:b, ::2]`: a part of the tile. Slices have constant bounds."""
    tile = builder.value(node.value)
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    rules_of_axes: list[Callable[[Iterator[Expression]], Expression]] = []
    for axis, extent in enumerate(tile.shape):
        item = items[axis] if axis < len(items) else ast.Slice()
        rules_of_axes.append(_axis(builder, item, extent))

    def origin(coordinates: Coordinates) -> Coordinates:
        rest = iter(coordinates)
        return [rule(rest) for rule in rules_of_axes]

    return values.rearranged(tile, kind.shape, origin)


def _axis(builder: TileBuilder, item: ast.expr, extent: int) -> Callable[[Iterator[Expression]], Expression]:
    """Where along an axis of a tile the next coordinate of its part lies."""
    if isinstance(item, ast.Slice):
        start, _, step = slice(
            *(_bound(builder, part) for part in (item.lower, item.upper, item.step))
        ).indices(extent)
        return lambda rest: _shifted(clone(next(rest)), start, step)
    if builder.source.has_type(item) and isinstance(builder.source.type(item), Tile):
        raise builder.refusal(item, "indexing a tile with a tile is not supported")
    index = _wrapped(builder.simple(item, "index", INT), extent)
    return lambda rest: clone(index)


def _wrapped(index: Expression, extent: int) -> Expression:
    """An index in brackets: a negative one counts from the end."""
    if isinstance(index, Literal) and isinstance(index.value, int):
        return Literal(INT, index.value % extent)
    return Call(INT, "wrap_index", [index, Literal(INT, extent)], ("wrap_index", ()))


def _bound(builder: TileBuilder, node: ast.expr | None) -> int | None:
    """A bound of a slice."""
    if node is None:
        return None
    match node, builder.source.value(node):
        case _, int(known):
            return known
        case ast.Constant(value=int(known)), _:
            return known
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(known))), _:
            return -known
        case _:
            raise builder.refusal(node, "bounds of slices of tiles must be constants: use wp.tile_view")


def _shifted(coordinate: Expression, start: int, step: int) -> Expression:
    if step < 0:
        return Binary(INT, "-", Literal(INT, start), values.times(coordinate, -step))
    return values.plus(values.times(coordinate, step), Literal(INT, start))


def extract(builder: TileBuilder, node: ast.Subscript) -> Expression:
    """An element of a tile, or a component of one."""
    indices: list[ast.expr] = []
    target: ast.expr = node
    while isinstance(target, ast.Subscript):
        items = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        indices = [*items, *indices]
        target = target.value
    return element_at(builder, node, target, indices, wraps=True)


def element_at(
    builder: TileBuilder, node: ast.expr, target: ast.expr, indices: list[ast.expr], *, wraps: bool = False
) -> Expression:
    """The element of the tile `target` at `indices`; further ones reach into it."""
    tile = builder.value(target)
    if len(indices) < len(tile.shape) or any(isinstance(index, ast.Slice) for index in indices):
        raise builder.refusal(node, "this use of a part of a tile is not supported")
    built = [coerce(builder.build(index), INT) for index in indices]
    own = built[: len(tile.shape)]
    if wraps:
        own = [_wrapped(index, extent) for index, extent in zip(own, tile.shape, strict=True)]
    value = tile.at(own)
    rest = built[len(tile.shape) :]
    return _part(builder, node, value, rest) if rest else value


def _part(builder: TileBuilder, node: ast.expr, value: Expression, indices: list[Expression]) -> Expression:
    """A component of an element."""
    match value.type, indices:
        case Vector(scalar=scalar), [Literal(value=int(place))]:
            return Member(scalar, value, component_names(value.type)[place])
        case Vector(scalar=scalar), [index]:
            return rules.dynamic_component(value, index, scalar)
        case Matrix(rows, columns, scalar), [Literal(value=int(row)), Literal(value=int(column))]:
            return Member(scalar, value, f".m[{row % rows}][{column % columns}]")
        case Matrix(scalar=scalar), [_, _]:
            return Component(scalar, value, ".m", indices)
        case _:
            raise builder.refusal(node, "this part of an element of a tile is not supported: use a variable")
