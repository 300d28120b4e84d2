"""Reductions of tiles: each thread over its own elements, then the block over its threads."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from weft.cuda.rules import Use, extreme
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.loops import share
from weft.cuda.tiles.values import Coordinates, TileValue
from weft.cuda.tree import INT, Assign, Binary, Call, Expression, For, Literal, Name, Statement
from weft.cuda.values import zero
from weft.types import Scalar, Tile

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder

Reduction = Callable[["TileBuilder", ast.Call, Tile], Expression]


def _sum(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
    """wp.tile_sum."""
    return _block_sum(builder, builder.value(bound("tile_sum", call)["a"]))


def _dot(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
    """wp.tile_dot."""
    arguments = bound("tile_dot", call)
    left, right = builder.value(arguments["a"]), builder.value(arguments["b"])
    product = TileValue(
        kind.element,
        left.shape,
        lambda c: Binary(kind.element, "*", left.at(c), right.at(c)),
        reads=left.reads + right.reads,
    )
    return _block_sum(builder, product)


def _block_sum(builder: TileBuilder, tile: TileValue) -> Expression:
    if tile.size == 1:
        return tile.at(_zeros(tile))
    part = builder.names.fresh("part")
    kind = tile.element
    builder.before.append(Assign(Name(kind, part), "", zero(kind)))
    builder.before.append(
        share(tile.shape, builder.names, lambda c: [Assign(Name(kind, part), "+", tile.at(c))])
    )
    return Call(kind, "block_sum", [Name(kind, part)], ("block_sum", (kind,)), effect="total")


def _extreme(name: str) -> Reduction:
    """wp.tile_min and wp.tile_max."""

    def rule(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
        return block_extreme(builder, builder.value(bound(f"tile_{name}", call)["a"]), name)

    return rule


def block_extreme(builder: TileBuilder, tile: TileValue, name: str) -> Expression:
    """The smallest or largest element. Threads without elements of their own have the first one."""
    if tile.size == 1:
        return tile.at(_zeros(tile))
    kind = tile.element
    if not isinstance(kind, Scalar):
        raise builder.refusal(
            builder.source.definition, f"wp.tile_{name} of {kind} is not supported: use scalars"
        )
    best = builder.names.fresh("smallest" if name == "min" else "largest")
    builder.before.append(Assign(Name(kind, best), "", tile.at(_zeros(tile))))

    def body(coordinates: Coordinates) -> list[Statement]:
        value = extreme(name)(Use(name, [Name(kind, best), tile.at(coordinates)], kind))
        return [Assign(Name(kind, best), "", value)]

    builder.before.append(share(tile.shape, builder.names, body))
    return Call(kind, f"block_{name}", [Name(kind, best)], (f"block_{name}", (kind,)), effect="total")


def _reduce(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
    """wp.tile_reduce with wp.add, wp.min or wp.max; other functions combine the threads' results in order."""
    arguments = bound("tile_reduce", call)
    tile = builder.value(arguments["a"])
    applied = (builder.source.callee(call) or {}).get("applied", {})
    name = applied.get("builtin")
    if name == "add":
        return _block_sum(builder, tile)
    if name in ("min", "max") and isinstance(tile.element, Scalar):
        return block_extreme(builder, tile, str(name))
    raise builder.refusal(call, "wp.tile_reduce with this function is not supported")


def _zeros(tile: TileValue) -> list[Expression]:
    return [Literal(INT, 0) for _ in tile.shape]


def along_axis(builder: TileBuilder, call: ast.Call, target: TileValue) -> list[Statement]:
    """wp.tile_sum and wp.tile_reduce along one axis: a thread for each result, in the order of the axis."""
    name = builder.builtin(call)
    arguments = bound(name, call)
    axis = builder.source.value(arguments["axis"])
    tile = builder.stored(arguments["a"], "values")
    if not isinstance(axis, int):
        raise builder.refusal(arguments["axis"], "the axis must be a constant")
    axis %= len(tile.shape)
    applied = (builder.source.callee(call) or {}).get("applied")
    kind = tile.element
    total, k = builder.names.standing("sum" if applied is None else "result"), builder.names.standing("k")

    def body(coordinates: Coordinates) -> list[Statement]:
        # A tile of one dimension leaves a tile of one element.
        kept = list(coordinates) if len(tile.shape) > 1 else []

        def at(place: Expression) -> Expression:
            return tile.at([*kept[:axis], place, *kept[axis:]])

        value = at(Name(INT, k))
        if applied is None:
            step = Assign(Name(kind, total), "+", value)
        else:
            step = Assign(Name(kind, total), "", builder.apply(call, applied, [Name(kind, total), value]))
        return [
            Assign(Name(kind, total), "", at(Literal(INT, 0))),
            For(INT, k, Literal(INT, 1), Literal(INT, tile.shape[axis]), 1, [step]),
            Assign(target.at(coordinates), "", Name(kind, total)),
        ]

    return [share(target.shape, builder.names, body)]


TABLE: dict[str, Reduction] = {
    "tile_sum": _sum,
    "tile_min": _extreme("min"),
    "tile_max": _extreme("max"),
    "tile_dot": _dot,
    "tile_reduce": _reduce,
}
