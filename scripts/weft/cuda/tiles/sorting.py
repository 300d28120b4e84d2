"""Tiles sorted by key: Warp's sorting network (warp/native/tile_radix_sort.h), so that equal keys end up in
the same order too.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.loops import share
from weft.cuda.tiles.reductions import who
from weft.cuda.tiles.values import Coordinates, TileValue, unravel
from weft.cuda.traverse import clone
from weft.cuda.tree import (
    BOOL,
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Conditional,
    Evaluate,
    Expression,
    Literal,
    Remark,
    Statement,
)
from weft.cuda.values import zero
from weft.intrinsics import Effect
from weft.types import Scalar, Struct, Tile

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder

NETWORK = 2048
"""The most elements that Warp sorts with a network; it sorts 32 bit keys of longer tiles by their digits."""


def sort(builder: TileBuilder, call: ast.Call) -> list[Statement]:
    """wp.tile_sort: keys and values change places together."""
    arguments = bound("tile_sort", call)
    keys, values = (_whole(builder, arguments[name]) for name in ("keys", "values"))
    if len(call.args) + len(call.keywords) > 2:
        raise builder.refusal(call, "sorting a part of a tile is not supported: sort all of it")
    if keys.size > NETWORK:
        raise builder.refusal(call, f"wp.tile_sort of more than {NETWORK} elements is not supported")
    if isinstance(values.element, Struct):
        raise builder.refusal(call, f"wp.tile_sort of {values.element} is not supported: sort indices")
    if keys.size == 1:
        return []
    count = 1 << (keys.size - 1).bit_length()
    if count == keys.size:
        return [_network(builder, keys, values, count)]
    # The largest key fills up what the network needs.
    assert isinstance(keys.element, Scalar)
    padded = {
        "keys": (keys, _largest(keys.element)),
        "values": (values, zero(values.element)),
    }
    whole = {
        name: builder.allocate(f"padded_{name}", Tile(one.element, (count,)))
        for name, (one, _) in padded.items()
    }

    def fill(coordinates: Coordinates) -> list[Statement]:
        (e,) = coordinates
        within = Binary(BOOL, "<", clone(e), Literal(INT, keys.size))
        return [
            Assign(
                whole[name].at([e]),
                "",
                Conditional(one.element, clone(within), one.at(unravel(e, one.shape)), clone(rest)),
            )
            for name, (one, rest) in padded.items()
        ]

    def take(coordinates: Coordinates) -> list[Statement]:
        (e,) = coordinates
        return [
            Assign(one.at(unravel(e, one.shape)), "", whole[name].at([e]))
            for name, (one, _) in padded.items()
        ]

    return [
        Remark(f"The bitonic network sorts {count} pairs: the largest key pads the rest."),
        share((count,), builder.names, fill),
        _network(builder, whole["keys"], whole["values"], count),
        share((keys.size,), builder.names, take),
    ]


def _network(builder: TileBuilder, keys: TileValue, values: TileValue, count: int) -> Statement:
    given: list[Expression] = [
        AddressOf(one.element, one.at([Literal(INT, 0) for _ in one.shape])) for one in (keys, values)
    ]
    name = f"{who(builder)}_sort"
    helper = (name, (keys.element, values.element))
    return Evaluate(Call(INT, name, [*given, Literal(INT, count)], helper, Effect.BARRIER))


def _whole(builder: TileBuilder, node: ast.expr) -> TileValue:
    """A tile in shared memory, all of it and in its order."""
    tile = builder.value(node)
    if tile.size > 1 and not (tile.place and all(in_order for _, in_order in tile.reads)):
        raise builder.refusal(node, "wp.tile_sort takes whole tiles that have a name")
    return tile


def _largest(scalar: Scalar) -> Literal:
    if scalar.is_float:
        return Literal(scalar, (2 - 2.0**-23) * 2.0**127)
    return Literal(scalar, scalar.limits[1])
