"""Running sums, minima and maxima of tiles, in row-major order.

Where sums of floats depend on the order, one thread adds them up from the first to the last, which is what
Warp's sums come to (warp/native/tile_scan.h). What may be combined in any order the threads of a block scan
together.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from weft.cuda.c_types import HALVES
from weft.cuda.grid import WARP
from weft.cuda.rules import Use, extreme
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.loops import by_first_thread, share
from weft.cuda.tiles.reductions import IN_ORDER, adds_in_any_order, who
from weft.cuda.tiles.values import Coordinates, TileValue, unravel
from weft.cuda.tree import INT, Assign, Binary, Call, Expression, For, Literal, Name, Remark, Statement
from weft.cuda.values import zero
from weft.intrinsics import Effect
from weft.types import Scalar

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder

Store = Callable[["TileBuilder", ast.Call, TileValue], list[Statement]]


def _scan(operation: str, exclusive: bool = False) -> Store:
    """How a scan is stored in a tile; an exclusive one leaves out the element itself."""

    def store(builder: TileBuilder, call: ast.Call, target: TileValue) -> list[Statement]:
        tile = builder.stored(bound(builder.builtin(call), call)["a"], "values")
        kind = target.element
        assert isinstance(kind, Scalar)
        in_order = kind.is_float and (
            kind.name in HALVES or (operation == "sum" and not adds_in_any_order(builder, tile))
        )
        if in_order or tile.size > builder.block_dim or builder.block_dim % WARP:
            return _one_after_the_other(builder, tile, target, operation, exclusive)
        return _by_block(builder, tile, target, operation, exclusive)

    return store


def _combined(operation: str, left: Expression, right: Expression) -> Expression:
    if operation == "sum":
        return Binary(left.type, "+", left, right)
    return extreme(operation)(Use(operation, [left, right], left.type))


def _one_after_the_other(
    builder: TileBuilder, tile: TileValue, target: TileValue, operation: str, exclusive: bool
) -> list[Statement]:
    """The first thread scans the whole tile."""
    kind = target.element
    names = {"sum": "sum", "min": "smallest", "max": "largest"}
    result, index = builder.names.standing(names[operation], kind), builder.names.standing("k")

    def at(one: TileValue, place: Expression) -> Expression:
        return one.at(unravel(place, one.shape))

    total, k = Name(kind, result), Name(INT, index)
    value: Expression = at(tile, k)
    body: list[Statement] = []
    if exclusive:
        kept = builder.names.standing("value", kind)
        # The tile may be the one that is stored to.
        body = [Assign(Name(kind, kept), "", value), Assign(at(target, k), "", Name(kind, result))]
        value = Name(kind, kept)
    step = Assign(Name(kind, result), "", _combined(operation, Name(kind, result), value))
    body.append(step)
    if not exclusive:
        body.append(Assign(at(target, k), "", Name(kind, result)))
    first = zero(kind) if operation == "sum" else at(tile, Literal(INT, 0))
    loop = For(INT, index, Literal(INT, 0), Literal(INT, tile.size), 1, body)
    ordered = IN_ORDER if operation == "sum" else "one after the other"
    remark = Remark(f"One thread scans the tile: {ordered}.")
    return [remark, by_first_thread([Assign(total, "", first), loop])]


def _by_block(
    builder: TileBuilder, tile: TileValue, target: TileValue, operation: str, exclusive: bool
) -> list[Statement]:
    """Each thread has one element; those beyond the tile come last, and nothing is made of theirs."""
    kind = target.element
    part, scanned = builder.names.fresh("part"), builder.names.fresh("scanned")
    # What was added to a sum of floats cannot be subtracted again.
    leaves_out = exclusive and isinstance(kind, Scalar) and kind.is_float

    def give(coordinates: Coordinates) -> list[Statement]:
        return [Assign(Name(kind, part), "", tile.at(coordinates))]

    def take(coordinates: Coordinates) -> list[Statement]:
        result: Expression = Name(kind, scanned)
        if exclusive and not leaves_out:
            result = Binary(kind, "-", result, Name(kind, part))
        return [Assign(target.at(coordinates), "", result)]

    name = f"{who(builder)}_{'sum_before' if leaves_out else f'scan_{operation}'}"
    scan = Call(kind, name, [Name(kind, part)], (name, (kind,)), Effect.COLLECTIVE, "total")
    beyond = [Assign(Name(kind, part), "", zero(kind))] if tile.size < builder.block_dim else []
    return [
        *beyond,
        share(tile.shape, builder.names, give),
        Assign(Name(kind, scanned), "", scan),
        share(tile.shape, builder.names, take),
    ]


STORING: dict[str, Store] = {
    "tile_scan_inclusive": _scan("sum"),
    "tile_scan_exclusive": _scan("sum", exclusive=True),
    "tile_scan_min_inclusive": _scan("min"),
    "tile_scan_max_inclusive": _scan("max"),
}
"""Builtins that store their result in a tile."""
