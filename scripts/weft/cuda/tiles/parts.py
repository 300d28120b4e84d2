"""Parts of tiles in brackets: rows and slices, elements, and parts of elements."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from weft.cuda import rules
from weft.cuda.c_types import component_names
from weft.cuda.tiles import values
from weft.cuda.tiles.facts import is_tile
from weft.cuda.tiles.values import Coordinates, TileValue
from weft.cuda.traverse import clone
from weft.cuda.tree import INT, Binary, Call, Expression, Literal, Member
from weft.cuda.values import coerce, component_place
from weft.subscript_indices import indices_of
from weft.types import Matrix, Tile, Vector

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder


def subscript(builder: TileBuilder, node: ast.Subscript, kind: Tile) -> TileValue:
    """`t[i]`, `t[a:b, ::2]`, `t[indices, :]`, `t[::-1][i]`: a part of the tile."""
    tile, indices = _target(builder, node)
    part = view(builder, tile, indices)
    if part.shape != kind.shape:
        raise builder.refusal(node, "this use of a part of a tile is not supported")
    return part


def _target(builder: TileBuilder, node: ast.Subscript) -> tuple[TileValue, list[ast.expr]]:
    """The tile that a chain of brackets indexes, and the indices: what gives a part is taken first."""
    groups: list[list[ast.expr]] = []
    target: ast.expr = node
    while isinstance(target, ast.Subscript):
        groups.insert(0, indices_of(target))
        target = target.value
    tile = builder.value(target)
    while len(groups) > 1 and (
        _selects(builder, groups[0])
        or (len(groups[0]) < len(tile.shape) and any(_selects(builder, group) for group in groups[1:]))
    ):
        tile = view(builder, tile, groups.pop(0))
    return tile, [index for group in groups for index in group]


def _selects(builder: TileBuilder, indices: Sequence[ast.expr]) -> bool:
    return any(isinstance(index, ast.Slice) or is_tile(builder.source, index) for index in indices)


def view(builder: TileBuilder, tile: TileValue, indices: Sequence[ast.expr]) -> TileValue:
    """The part of a tile at some indices. Slices have constant bounds; a tile of indices makes a copy."""
    axes: list[_Axis] = []
    for axis, extent in enumerate(tile.shape):
        axes.append(_axis(builder, indices[axis] if axis < len(indices) else ast.Slice(), extent))
    shape = tuple(axis.extent for axis in axes if axis.extent is not None)

    def origin(coordinates: Coordinates) -> Coordinates:
        rest = iter(coordinates)
        return [axis.place(rest) for axis in axes]

    part = values.rearranged(tile, shape, origin)
    gathered = [read for axis in axes for read in axis.reads]
    if not any(is_tile(builder.source, index) for index in indices):
        return part
    reads = dict.fromkeys((*part.reads, *gathered))
    return dataclasses.replace(part, place=False, reads=tuple(reads))


@dataclasses.dataclass(frozen=True)
class _Axis:
    """Where along an axis of a tile the next coordinate of its part lies, and how far the part extends; None
    for an index, which takes no coordinate. `reads` as in TileValue.
    """

    extent: int | None
    place: Callable[[Iterator[Expression]], Expression]
    reads: tuple[tuple[str, bool], ...] = ()


def _axis(builder: TileBuilder, item: ast.expr, extent: int) -> _Axis:
    if isinstance(item, ast.Slice):
        bounds = (_bound(builder, part) for part in (item.lower, item.upper, item.step))
        taken = range(*slice(*bounds).indices(extent))
        return _Axis(len(taken), lambda rest: _shifted(clone(next(rest)), taken.start, taken.step))
    if is_tile(builder.source, item):
        chosen = builder.value(item)
        reads = tuple((name, False) for name, _ in chosen.reads)
        return _Axis(chosen.size, lambda rest: _wrapped(chosen.at([next(rest)]), extent), reads)
    index = _wrapped(builder.simple(item, "index", INT), extent)
    return _Axis(None, lambda rest: clone(index))


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
    if isinstance(coordinate, Literal):
        return Literal(INT, start + step * int(coordinate.value))
    if step < 0:
        return Binary(INT, "-", Literal(INT, start), values.times(coordinate, -step))
    return values.plus(values.times(coordinate, step), Literal(INT, start))


def extract(builder: TileBuilder, node: ast.Subscript) -> Expression:
    """An element of a tile, or a part of one."""
    tile, indices = _target(builder, node)
    return element_at(builder, node, tile, indices, wraps=True)


def element_at(
    builder: TileBuilder, node: ast.expr, tile: TileValue, indices: list[ast.expr], *, wraps: bool = False
) -> Expression:
    """The element of a tile at `indices`; further ones reach into it."""
    if len(indices) < len(tile.shape) or _selects(builder, indices):
        raise builder.refusal(node, "this use of a part of a tile is not supported")
    built = [coerce(builder.build(index), INT) for index in indices]
    own = built[: len(tile.shape)]
    if wraps:
        own = [_wrapped(index, extent) for index, extent in zip(own, tile.shape, strict=True)]
    value = tile.at(own)
    rest = built[len(tile.shape) :]
    return _part(builder, node, value, rest) if rest else value


def _part(builder: TileBuilder, node: ast.expr, value: Expression, indices: list[Expression]) -> Expression:
    """A component of an element, or a row of one."""
    match value.type, indices:
        case Vector(length=length, scalar=scalar), [Literal(value=int(place))] if -length <= place < length:
            return Member(scalar, value, component_names(value.type)[place])
        case Vector(scalar=scalar), [index] if not isinstance(index, Literal):
            return rules.dynamic_component(value, index, scalar)
        case Matrix(), [_, _]:
            return component_place(value, indices)
        case Matrix(rows, columns, scalar), [index]:
            return Call(
                Vector(columns, scalar), "row", [value, _wrapped(index, rows)], ("row", (value.type, INT))
            )
        case _:
            raise builder.refusal(node, "this part of an element of a tile is not supported: use a variable")
