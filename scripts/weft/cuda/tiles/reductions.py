"""Reductions of tiles: each thread over its own elements, then the block over its threads."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from weft.cuda.c_types import HALVES
from weft.cuda.helpers.text import scalar_of
from weft.cuda.rules import Use, extreme
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.loops import THREAD, share
from weft.cuda.tiles.values import Coordinates, TileValue, unravel
from weft.cuda.traverse import clone
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Conditional,
    Expression,
    For,
    If,
    Literal,
    Name,
    Statement,
)
from weft.cuda.values import zero
from weft.types import Scalar, Struct, Tile

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder

WARP = 32
"""Threads of a warp: shuffles need whole ones."""

Reduction = Callable[["TileBuilder", ast.Call, Tile], Expression]


def _sum(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
    """wp.tile_sum."""
    return _block_sum(builder, builder.lazy(bound("tile_sum", call)["a"]))


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
    if tile.size == 1 and tile.mine is None:
        return tile.at(_zeros(tile))
    kind = tile.element
    if isinstance(kind, Struct):
        raise builder.refusal(
            builder.source.definition, f"sums of {kind} are not supported: use wp.tile_reduce"
        )
    if builder.block_dim % WARP or scalar_of(kind).name in HALVES:
        # Halves are so coarse that another order would show in the leading digits.
        add = {"builtin": "add", "arguments": [str(kind)] * 2, "result": str(kind)}
        return in_order(builder, builder.source.definition, builder.settled(tile), add)
    if tile.mine is not None:
        return Call(kind, "block_sum", [tile.mine()], ("block_sum", (kind,)), effect="total")
    part = builder.names.fresh("part")
    builder.before.append(Assign(Name(kind, part), "", zero(kind)))
    builder.before.append(
        share(tile.shape, builder.names, lambda c: [Assign(Name(kind, part), "+", tile.at(c))])
    )
    return Call(kind, "block_sum", [Name(kind, part)], ("block_sum", (kind,)), effect="total")


def _extreme(name: str) -> Reduction:
    """wp.tile_min and wp.tile_max."""

    def rule(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
        return block_extreme(builder, builder.lazy(bound(f"tile_{name}", call)["a"]), name)

    return rule


def block_extreme(builder: TileBuilder, tile: TileValue, name: str) -> Expression:
    """The smallest or largest element. Threads without elements of their own have the first one."""
    if tile.size == 1 and tile.mine is None:
        return tile.at(_zeros(tile))
    kind = tile.element
    if not isinstance(kind, Scalar):
        raise builder.refusal(
            builder.source.definition, f"wp.tile_{name} of {kind} is not supported: use scalars"
        )
    if builder.block_dim % WARP:
        choose = {"builtin": name, "arguments": [str(kind)] * 2, "result": str(kind)}
        return in_order(builder, builder.source.definition, builder.settled(tile), choose)
    helper = (f"block_{name}", (kind,))
    if tile.mine is not None:
        return Call(kind, f"block_{name}", [tile.mine()], helper, effect="total")
    best = builder.names.fresh("smallest" if name == "min" else "largest")
    builder.before.append(Assign(Name(kind, best), "", tile.at(_zeros(tile))))

    def body(coordinates: Coordinates) -> list[Statement]:
        value = extreme(name)(Use(name, [Name(kind, best), tile.at(coordinates)], kind))
        return [Assign(Name(kind, best), "", value)]

    builder.before.append(share(tile.shape, builder.names, body))
    return Call(kind, f"block_{name}", [Name(kind, best)], helper, effect="total")


def _reduce(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
    """wp.tile_reduce with wp.add, wp.min or wp.max; other functions combine the threads' results in order."""
    arguments = bound("tile_reduce", call)
    tile = builder.lazy(arguments["a"])
    applied = (builder.source.callee(call) or {}).get("applied")
    if applied is None:
        raise builder.refusal(call, "the function that wp.tile_reduce applies is not known")
    name = applied.get("builtin")
    if name == "add":
        return _block_sum(builder, tile)
    if name in ("min", "max") and isinstance(tile.element, Scalar):
        return block_extreme(builder, tile, str(name))
    return in_order(builder, call, builder.settled(tile), applied)


def in_order(builder: TileBuilder, node: ast.AST, tile: TileValue, applied: Mapping[str, Any]) -> Expression:
    """Any function: the threads' results are combined in the order of the threads."""
    kind = tile.element
    if tile.size == 1:
        return tile.at(_zeros(tile))
    threads = min(builder.block_dim, tile.size)
    parts = builder.allocate("parts", Tile(kind, (threads,)))
    place = builder.source.definition if not isinstance(node, ast.expr) else node

    def combined(left: Expression, right: Expression) -> Expression:
        return builder.calls.apply(place, applied, [left, right])  # type: ignore[arg-type]

    def own() -> Expression:
        return parts.at([Name(INT, THREAD)])

    def body(coordinates: Coordinates) -> list[Statement]:
        value = tile.at(coordinates)
        if tile.size <= builder.block_dim:
            return [Assign(own(), "", value)]
        index = Name(INT, builder.names.standing("e"))
        first = Binary(BOOL, "<", index, Literal(INT, threads))
        return [Assign(own(), "", Conditional(kind, first, value, combined(own(), tile.at(coordinates))))]

    result, k = builder.names.fresh("result"), builder.names.standing("k")
    step = Assign(Name(kind, result), "", combined(Name(kind, result), parts.at([Name(INT, k)])))
    builder.before += [
        share(tile.shape, builder.names, body),
        Assign(Name(kind, result), "", parts.at([Literal(INT, 0)])),
        For(INT, k, Literal(INT, 1), Literal(INT, threads), 1, [step]),
    ]
    return Name(kind, result)


def _place(symbol: str) -> Reduction:
    """wp.tile_argmin and wp.tile_argmax: of equal elements, that of the first thread."""

    def rule(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
        tile = builder.stored(bound("tile_argmin", call)["a"], "values")
        if tile.size == 1:
            return Literal(INT, 0)
        threads = min(builder.block_dim, tile.size)
        places = builder.allocate("places", Tile(INT, (threads,)))
        own = places.at([Name(INT, THREAD)])

        def better(one: Expression, other: Expression) -> Expression:
            return Binary(
                BOOL, symbol, tile.at(unravel(one, tile.shape)), tile.at(unravel(other, tile.shape))
            )

        index = Name(INT, builder.names.standing("e"))
        first = Binary(BOOL, "<", clone(index), Literal(INT, threads))
        keeps: list[Statement] = [Assign(clone(own), "", clone(index))]
        loop = keeps
        if tile.size > builder.block_dim:
            loop = [If(Binary(BOOL, "||", first, better(index, own)), keeps, [])]
        result, k = builder.names.fresh("place"), builder.names.standing("k")
        other = places.at([Name(INT, k)])
        take = Assign(Name(INT, result), "", clone(other))
        builder.before += [
            share((tile.size,), builder.names, lambda _: loop),
            Assign(Name(INT, result), "", places.at([Literal(INT, 0)])),
            For(
                INT,
                k,
                Literal(INT, 1),
                Literal(INT, threads),
                1,
                [If(better(other, Name(INT, result)), [take], [])],
            ),
        ]
        return Name(INT, result)

    return rule


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
    if isinstance(tile.element, Struct):
        raise builder.refusal(call, f"sums of {tile.element} are not supported: use wp.tile_map")
    applied = (builder.source.callee(call) or {}).get("applied")
    kind = tile.element
    word = "sum" if applied is None else "result"
    total, k = builder.names.standing(word, kind), builder.names.standing("k")

    def body(coordinates: Coordinates) -> list[Statement]:
        # A tile of one dimension leaves a tile of one element.
        kept = list(coordinates) if len(tile.shape) > 1 else []

        def at(place: Expression) -> Expression:
            return tile.at([*kept[:axis], place, *kept[axis:]])

        value = at(Name(INT, k))
        if applied is None:
            step = Assign(Name(kind, total), "+", value)
        else:
            step = Assign(
                Name(kind, total), "", builder.calls.apply(call, applied, [Name(kind, total), value])
            )
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
    "tile_argmin": _place("<"),
    "tile_argmax": _place(">"),
}
