"""Reductions of tiles: each thread over its own elements, then the block over its threads."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from weft.cuda.c_types import HALVES, LIMITS
from weft.cuda.grid import WARP
from weft.cuda.helpers.blocks import RESULTS
from weft.cuda.helpers.text import scalar_of
from weft.cuda.rules import Use, extreme
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.block_size import lanes_of
from weft.cuda.tiles.exact import is_exact_sum
from weft.cuda.tiles.loops import THREAD, share
from weft.cuda.tiles.rows import by_first_lane
from weft.cuda.tiles.values import Coordinates, TileValue, ravel
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
from weft.intrinsics import Effect
from weft.types import Scalar, Struct, Tile, Type

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder

IN_ORDER = "in order, for sums of floats depend on it"

Reduction = Callable[["TileBuilder", ast.Call, Tile], Expression]
Combined = Callable[[Expression, Expression], Expression]


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
        return tile.first()
    kind = tile.element
    if isinstance(kind, Struct):
        raise builder.refusal(
            builder.source.definition, f"sums of {kind} are not supported: use wp.tile_reduce"
        )
    if builder.block_dim % WARP or scalar_of(kind).name in HALVES:
        # Halves are so coarse that another order would show in the leading digits.
        add = {"builtin": "add", "arguments": [str(kind)] * 2, "result": str(kind)}
        return in_order(builder, builder.source.definition, tile, add)

    def both(left: Expression, right: Expression) -> Expression:
        return Binary(kind, "+", left, right)

    part = _of_thread(builder, tile, "own_total", zero(kind), both)
    return _of_block(builder, "sum", kind, [part])


def _of_thread(
    builder: TileBuilder, tile: TileValue, name: str, neutral: Expression, combined: Combined
) -> Expression:
    """What a thread makes of its own elements; `neutral` if it has none."""
    kind = tile.element
    part = Name(kind, builder.names.fresh(name))

    def body(coordinates: Coordinates) -> list[Statement]:
        value = tile.at(coordinates)
        once = tile.size <= builder.block_dim
        return [Assign(clone(part), "", value) if once else _update(part, combined(clone(part), value))]

    if tile.size != builder.block_dim:
        nan = isinstance(neutral, Literal) and neutral.value != neutral.value
        remark = "fmin and fmax pass over NAN" if nan else ""
        builder.before.append(Assign(clone(part), "", neutral, trailing=remark))
    builder.before.append(share(tile.shape, builder.names, body))
    return part


def _update(target: Name, value: Expression) -> Assign:
    """`target = value`, or `target += x` where that is it."""
    if isinstance(value, Binary) and value.operator in ("+", "*") and value.left == target:
        return Assign(clone(target), value.operator, value.right)
    return Assign(clone(target), "", value)


def _of_block(builder: TileBuilder, what: str, result: Type, given: list[Expression]) -> Call:
    """What the threads of a block make of a value of each of them, for all of them."""
    name = f"{who(builder)}_{what}"
    return Call(result, name, given, (name, (given[0].type,)), Effect.COLLECTIVE, "total")


def who(builder: TileBuilder) -> str:
    """Whose threads the threads of the block are. Those of one warp exchange values without shared memory."""
    return "warp" if builder.block_dim == WARP else "block"


def _extreme(name: str) -> Reduction:
    """wp.tile_min and wp.tile_max."""

    def rule(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
        return block_extreme(builder, builder.value(bound(f"tile_{name}", call)["a"]), name)

    return rule


def block_extreme(builder: TileBuilder, tile: TileValue, name: str) -> Expression:
    """The smallest or largest element."""
    if tile.size == 1:
        return tile.first()
    kind = tile.element
    if not isinstance(kind, Scalar):
        raise builder.refusal(
            builder.source.definition, f"wp.tile_{name} of {kind} is not supported: use scalars"
        )
    if builder.block_dim % WARP:
        applied = {"builtin": name, "arguments": [str(kind)] * 2, "result": str(kind)}
        return in_order(builder, builder.source.definition, tile, applied)
    neutral = Literal(kind, math.nan) if kind.is_float else _limit(kind, "max" if name == "min" else "min")
    stem = f"own_{RESULTS[name]}"
    choose = extreme(name)
    best = _of_thread(builder, tile, stem, neutral, lambda one, other: choose(Use(name, [one, other], kind)))
    return _of_block(builder, name, kind, [best])


def _limit(kind: Scalar, name: str) -> Expression:
    """The smallest or largest number of a type; of floats, infinity."""
    if kind.is_float:
        return Literal(kind, math.inf if name == "max" else -math.inf)
    if kind.name in LIMITS:
        return Name(kind, LIMITS[kind.name][name == "max"])
    return Literal(kind, kind.limits[name == "max"])


def _reduce(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
    """wp.tile_reduce with wp.add, wp.min or wp.max; other functions combine the threads' results in order."""
    arguments = bound("tile_reduce", call)
    tile = builder.value(arguments["a"])
    applied = (builder.source.callee(call) or {}).get("applied")
    if applied is None:
        raise builder.refusal(call, "the function that wp.tile_reduce applies is not known")
    name = applied.get("builtin")
    if name == "add":
        return _block_sum(builder, tile)
    if name in ("min", "max") and isinstance(tile.element, Scalar):
        return block_extreme(builder, tile, str(name))
    return in_order(builder, call, tile, applied)


def in_order(builder: TileBuilder, node: ast.AST, tile: TileValue, applied: Mapping[str, Any]) -> Expression:
    """Any function: the threads' results are combined in the order of the threads."""
    kind = tile.element
    if tile.size == 1:
        return tile.first()
    place = builder.source.definition if not isinstance(node, ast.expr) else node
    part, result = Name(kind, builder.names.fresh("part")), Name(kind, builder.names.fresh("result"))

    def combined(left: Expression, right: Expression) -> Expression:
        return builder.calls.apply(place, applied, [clone(left), right])  # type: ignore[arg-type]

    def body(coordinates: Coordinates) -> list[Statement]:
        value = tile.at(coordinates)
        if tile.size > builder.block_dim:
            first = _is_first(builder, coordinates, tile)
            value = Conditional(kind, first, value, combined(part, tile.at(coordinates)))
        return [Assign(clone(part), "", value)]

    builder.before.append(share(tile.shape, builder.names, body))
    (at,) = _slots(builder, tile, [part])
    step = Assign(clone(result), "", combined(result, at(Name(INT, builder.names.standing("k")))))
    builder.before += [Assign(result, "", at(Literal(INT, 0))), _over_threads(builder, tile, [step])]
    return clone(result)


def _is_first(builder: TileBuilder, coordinates: Coordinates, tile: TileValue) -> Expression:
    """Whether an element is the first one of its thread."""
    return Binary(BOOL, "<", ravel(coordinates, tile.shape), Literal(INT, builder.block_dim))


def _slots(
    builder: TileBuilder, tile: TileValue, values: list[Name]
) -> list[Callable[[Expression], Expression]]:
    """Values of the threads that have elements of a tile, in shared memory; by the thread's number."""
    threads = (min(builder.block_dim, tile.size),)
    slots = [builder.allocate(f"{value.name}s", Tile(value.type, threads)) for value in values]
    builder.before.append(
        share(
            threads,
            builder.names,
            lambda c: [
                Assign(slot.at(c), "", clone(value)) for slot, value in zip(slots, values, strict=True)
            ],
        )
    )
    return [lambda k, slot=slot: slot.at([k]) for slot in slots]  # type: ignore[misc]


def _over_threads(builder: TileBuilder, tile: TileValue, body: list[Statement]) -> Statement:
    """A loop over the threads that have elements of a tile, but for the first."""
    threads = min(builder.block_dim, tile.size)
    return For(INT, builder.names.standing("k"), Literal(INT, 1), Literal(INT, threads), 1, body)


def _place(symbol: str) -> Reduction:
    """wp.tile_argmin and wp.tile_argmax: of equal elements, that of the first thread."""
    name = "argmax" if symbol == ">" else "argmin"

    def rule(builder: TileBuilder, call: ast.Call, kind: Tile) -> Expression:
        tile = builder.value(bound("tile_argmin", call)["a"])
        if tile.size == 1:
            return Literal(INT, 0)
        element = tile.element
        assert isinstance(element, Scalar)
        best = Name(element, builder.names.fresh("own_largest" if symbol == ">" else "own_smallest"))
        place = Name(INT, builder.names.fresh("place"))

        def better(value: Expression, its: Expression) -> list[Statement]:
            keep: Statement = Assign(clone(place), "", its)
            both = Use(name, [clone(best), clone(value)], element)
            larger = Assign(clone(best), "", extreme(name.removeprefix("arg"))(both))
            return [If(Binary(BOOL, symbol, value, clone(best)), [keep], [], divergent=True), larger]

        def body(coordinates: Coordinates) -> list[Statement]:
            if tile.size <= builder.block_dim:
                return [Assign(clone(best), "", tile.at(coordinates))]
            value = Name(element, builder.names.standing("value", element))
            steps = better(clone(value), ravel(coordinates, tile.shape))
            return [Assign(value, "", tile.at(coordinates)), *steps]

        if tile.size != builder.block_dim:
            first = _limit(element, "min" if symbol == ">" else "max")
            if element.is_float and tile.size > builder.block_dim:
                # As in Warp, what follows a NaN is the largest so far, but not in the place of the largest.
                first = Literal(element, math.nan)
            builder.before.append(Assign(clone(best), "", first))
        builder.before += [
            Assign(clone(place), "", Name(INT, THREAD)),
            share(tile.shape, builder.names, body),
        ]
        if builder.block_dim % WARP == 0:
            return _of_block(builder, name, INT, [clone(best), clone(place)])
        values, places = _slots(builder, tile, [best, place])
        k = Name(INT, builder.names.standing("k"))
        builder.before += [
            Assign(clone(best), "", values(Literal(INT, 0))),
            Assign(clone(place), "", places(Literal(INT, 0))),
            _over_threads(builder, tile, better(values(k), places(clone(k)))),
        ]
        return clone(place)

    return rule


def along_axis(builder: TileBuilder, call: ast.Call, target: TileValue) -> list[Statement]:
    """wp.tile_sum and wp.tile_reduce along one axis: a thread for each result, in the order of the axis."""
    name = builder.builtin(call)
    arguments = bound(name, call)
    axis = builder.source.value(arguments["axis"])
    tile = builder.value(arguments["a"])
    if not isinstance(axis, int):
        raise builder.refusal(arguments["axis"], "the axis must be a constant")
    axis %= len(tile.shape)
    if isinstance(tile.element, Struct):
        raise builder.refusal(call, f"sums of {tile.element} are not supported: use wp.tile_map")
    applied = (builder.source.callee(call) or {}).get("applied")
    kind = tile.element
    if axis == 1 and (name := _free_in_order(builder, tile, applied)) and makes_groups(builder, tile):
        if tile.shape[1] > lanes_of(tile.shape[1]):
            tile = builder.placed(tile, "values")
        return [by_groups(builder, tile, name, lambda row, value: Assign(target.at([row]), "", value))]
    tile = builder.placed(tile, "values")
    word = "sum" if applied is None else "result"
    total, k = builder.names.standing(word, kind), builder.names.standing("k")

    def body(coordinates: Coordinates) -> list[Statement]:
        # A tile of one dimension leaves a tile of one element.
        kept = list(coordinates) if len(tile.shape) > 1 else []

        def at(place: Expression) -> Expression:
            return tile.at([*kept[:axis], place, *kept[axis:]])

        left, right = Name(kind, total), at(Name(INT, k))
        both: Expression = Binary(kind, "+", left, right)
        if applied is not None:
            both = builder.calls.apply(call, applied, [left, right])
        step = _update(Name(kind, total), both)
        return [
            Assign(Name(kind, total), "", at(Literal(INT, 0))),
            For(INT, k, Literal(INT, 1), Literal(INT, tile.shape[axis]), 1, [step]),
            Assign(target.at(coordinates), "", Name(kind, total)),
        ]

    return [share(target.shape, builder.names, body)]


def _free_in_order(builder: TileBuilder, tile: TileValue, applied: Mapping[str, Any] | None) -> str:
    """The reduction whose result is the same in any order, '' where it is not."""
    name = "sum" if applied is None else str(applied.get("builtin", "")).replace("add", "sum")
    if not isinstance(tile.element, Scalar) or tile.element.name in HALVES:
        return ""
    if name == "sum":
        return name if adds_in_any_order(builder, tile) else ""
    return name if name in ("min", "max") else ""


def is_any_order(builder: TileBuilder) -> bool:
    """Whether a launch description leaves the order of sums open."""
    launch = builder.module.launch
    return launch is not None and launch.equality == "bounded"


def adds_in_any_order(builder: TileBuilder, tile: TileValue) -> bool:
    """Whether nothing says, or nothing depends on, in what order elements are added up."""
    if not isinstance(tile.element, Scalar) or tile.element.name in HALVES:
        return False
    return is_any_order(builder) or not tile.element.is_float or is_exact_sum(builder, tile)


def makes_groups(builder: TileBuilder, tile: TileValue) -> bool:
    """Whether whole warps of lanes can reduce the rows of a tile, some neighbours each."""
    rows, columns = tile.shape
    return rows > 1 and columns > 1 and (rows * lanes_of(columns)) % WARP == builder.block_dim % WARP == 0


def by_groups(
    builder: TileBuilder, tile: TileValue, name: str, store: Callable[[Expression, Expression], Statement]
) -> Statement:
    """Each row by neighbouring lanes, each of which has one of its elements, or more a group apart; `store`
    takes the row and its result.
    """
    kind, (rows, columns) = tile.element, tile.shape
    assert isinstance(kind, Scalar)
    lanes = lanes_of(columns)
    value = Name(kind, builder.names.fresh(f"row_{RESULTS[name]}"))
    part, k = Name(kind, builder.names.standing("own_part", kind)), builder.names.standing("k")
    choose = extreme(name) if name != "sum" else None

    def combined(one: Expression, other: Expression) -> Expression:
        return choose(Use(name, [one, other], kind)) if choose else Binary(kind, "+", one, other)

    def body(coordinates: Coordinates) -> list[Statement]:
        row, lane = coordinates
        assert isinstance(row, Name)
        own, before = tile.at(coordinates), list[Statement]()
        if columns > lanes:
            step = _update(part, combined(clone(part), tile.at([row, Name(INT, k)])))
            # A sum from zero on is no other number, but 0 may be of the other sign.
            launch, start = builder.module.launch, Binary(INT, "+", lane, Literal(INT, lanes))
            whole = name == "sum" and launch is not None and launch.equality == "bounded"
            rest = For(INT, k, lane if whole else start, Literal(INT, columns), lanes, [step])
            before, own = [Assign(clone(part), "", zero(kind) if whole else own), rest], clone(part)
        function = f"warp_{name}" if lanes == WARP else f"lanes_{name}"
        given = [own, *([Literal(INT, lanes)] if lanes < WARP else [])]
        call = Call(kind, function, given, (function, (kind,)), Effect.COLLECTIVE, "total")
        stored = by_first_lane(lane, [store(row, clone(value))])
        return [*before, Assign(clone(value), "", call), stored]

    return share((rows, lanes), builder.names, body)


TABLE: dict[str, Reduction] = {
    "tile_sum": _sum,
    "tile_min": _extreme("min"),
    "tile_max": _extreme("max"),
    "tile_dot": _dot,
    "tile_reduce": _reduce,
    "tile_argmin": _place("<"),
    "tile_argmax": _place(">"),
}
