"""Calls of tile builtins that change something: an array, or another tile."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from weft.cuda import atomic_rules
from weft.cuda.tiles import products, sorting, triangular, values
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.arguments import checked as is_checked
from weft.cuda.tiles.arguments import offset as arguments_offset
from weft.cuda.tiles.loops import share
from weft.cuda.tiles.values import Coordinates
from weft.cuda.tree import INT, Assign, Evaluate, Expression, If, Statement
from weft.cuda.values import coerce
from weft.types import Array

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder


def _store(builder: TileBuilder, call: ast.Call) -> list[Statement]:
    """wp.tile_store: elements beyond the array's end are not written."""
    return _to_array(builder, call, lambda place, value: Assign(place, "", value))


def _atomic_add(builder: TileBuilder, call: ast.Call) -> list[Statement]:
    """wp.tile_atomic_add."""
    return _to_array(builder, call, lambda place, value: Evaluate(atomic_rules.update("add", place, [value])))


def _to_array(
    builder: TileBuilder, call: ast.Call, change: Callable[[Expression, Expression], Statement]
) -> list[Statement]:
    arguments = bound(builder.builtin(call), call)
    array = builder.build(arguments["a"])
    tile = builder.value(arguments["t"])
    if not isinstance(array.type, Array) or array.type.ndim != len(tile.shape):
        raise builder.refusal(call, "a tile and the array it is stored to need the same number of dimensions")
    offset = arguments_offset(builder, arguments, array.type.ndim)
    checked = is_checked(builder, arguments)
    kind = array.type.element

    def body(coordinates: Coordinates) -> list[Statement]:
        places = values.moved(coordinates, offset)
        statement = change(values.element_of(array, places), coerce(tile.at(coordinates), kind))
        test = values.within(array, places, [checked] * len(places))
        return [statement if test is None else If(test, [statement], [])]

    return [share(tile.shape, builder.names, body)]


def _scatter(builder: TileBuilder, call: ast.Call) -> list[Statement]:
    """wp.tile_scatter_add and wp.tile_scatter_masked: each thread that has a value changes an element."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    tile = builder.value(call.args[0])
    rank = len(tile.shape)
    order = [*"ijkl"[:rank], "value", "has_value", "atomic"]
    given = dict(zip(order, call.args[1:], strict=False)) | keywords
    place = tile.at(
        [coerce(builder.evaluated_by_block(builder.build(given[axis])), INT) for axis in order[:rank]]
    )
    value = coerce(builder.evaluated_by_block(builder.build(given["value"])), tile.element)
    test = builder.build(given["has_value"])
    change: Statement = Assign(place, "", value)
    if builder.builtin(call) == "tile_scatter_add":
        change = Evaluate(atomic_rules.update("add", place, [value]))
    return [If(test, [change], [], divergent=True)]


def _tile_assign(builder: TileBuilder, call: ast.Call) -> list[Statement]:
    """wp.tile_assign: a tile becomes part of another."""
    arguments = bound("tile_assign", call)
    destination, source = builder.value(arguments["dst"]), builder.value(arguments["src"])
    offset = arguments_offset(builder, arguments, len(destination.shape))

    def body(coordinates: Coordinates) -> list[Statement]:
        place = destination.at(values.moved(coordinates, offset))
        return [Assign(place, "", source.at(coordinates))]

    return [share(source.shape, builder.names, body)]


STATEMENTS: dict[str, Callable[[TileBuilder, ast.Call], list[Statement]]] = {
    "tile_store": _store,
    "tile_atomic_add": _atomic_add,
    "tile_matmul": products.accumulate,
    "tile_assign": _tile_assign,
    "tile_scatter_add": _scatter,
    "tile_sort": sorting.sort,
    "tile_scatter_masked": _scatter,
    **triangular.IN_PLACE,
}
