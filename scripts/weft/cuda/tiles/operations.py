"""Operations on tiles that compute each element from elements of other tiles, and store nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from weft.cuda import rules
from weft.cuda.c_types import component_names
from weft.cuda.tiles import parts, triangular, values
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.arguments import checked as is_checked
from weft.cuda.tiles.arguments import offset as arguments_offset
from weft.cuda.tiles.loops import THREAD, by_thread
from weft.cuda.tiles.values import Coordinates, TileValue
from weft.cuda.traverse import clone
from weft.cuda.tree import INT, Assign, Binary, Cast, Construct, Expression, Literal, Member, Name, Statement
from weft.cuda.values import coerce, zero
from weft.subscript_indices import items_of
from weft.types import Scalar, Struct, Tile, Type, Vector, component_scalars

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder

Operation = Callable[["TileBuilder", ast.Call, Tile], TileValue]

SYMBOLS = (*"+-*/&|^",)
"""The operators that tiles take."""


def _zeros(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    return values.constant(zero(kind.element), kind)


def _ones(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    return values.constant(_one(builder, call, kind.element), kind)


def _one(builder: TileBuilder, call: ast.Call, kind: Type) -> Expression:
    if isinstance(kind, Scalar):
        return Literal(kind, 1)
    if isinstance(kind, Struct):
        raise builder.refusal(call, f"wp.tile_ones of {kind} is not supported")
    return Construct(kind, [Literal(scalar, 1) for scalar in component_scalars(kind, {})])


def _full(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    return values.constant(builder.simple(bound("tile_full", call)["value"], "value", kind.element), kind)


def _arange(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    """start + i * step."""
    scalar = kind.element
    assert isinstance(scalar, Scalar)
    given = [builder.simple(argument, "bound", scalar) for argument in call.args]
    start = given[0] if len(given) > 1 else Literal(scalar, 0)
    step = given[2] if len(given) > 2 else Literal(scalar, 1)

    def at(coordinates: Coordinates) -> Expression:
        place: Expression = clone(coordinates[0])
        if scalar != INT:
            place = Cast(scalar, place)
        if step != Literal(scalar, 1):
            place = Binary(scalar, "*", place, clone(step))
        return place if start == Literal(scalar, 0) else Binary(scalar, "+", clone(start), place)

    return TileValue(scalar, kind.shape, at)


def _load(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    arguments = bound("tile_load", call)
    array = builder.build(arguments["a"])
    offset = arguments_offset(builder, arguments, len(kind.shape))
    return values.loaded(array, offset, kind, is_checked(builder, arguments))


def _map(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    """wp.tile_map: a function of the elements of tiles, and of values that are the same for all."""
    operation = (builder.source.callee(call) or {}).get("applied")
    if operation is None:
        raise builder.refusal(call, "the function that wp.tile_map applies is not known")
    nodes = [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg != "op")]
    if not call.args:
        raise builder.refusal(call, "give wp.tile_map its function first")
    parts = [builder.operand(node) for node in nodes]
    return values.combined(kind, parts, lambda arguments: builder.calls.apply(call, operation, arguments))


def _transpose(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    node = bound("tile_transpose", call)["a"]
    if len(builder.type(node).shape) == 2 and 1 not in builder.type(node).shape:
        # Elements are loaded row by row, in the array as in the result.
        return values.transposed(builder.stored(node, "rows"))
    return values.transposed(builder.value(node))


def _broadcast(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    return values.broadcast(builder.value(bound("tile_broadcast", call)["a"]), kind.shape)


def _reshape(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    return values.reshaped(builder.value(bound("tile_reshape", call)["t"]), kind.shape)


def _squeeze(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    return values.reshaped(builder.value(bound("tile_squeeze", call)["t"]), kind.shape)


def _view(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    """wp.tile_view: a part of a tile; fewer offsets than dimensions are indices of the first ones."""
    arguments = bound("tile_view", call)
    tile = builder.value(arguments["t"])
    node = arguments["offset"]
    items = items_of(node)
    if any(_is_slice(builder, item) for item in items):
        return parts.view(builder, tile, [_in_brackets(builder, item) for item in items])
    offset = [builder.simple(item, "offset", INT) for item in items]
    dropped = len(tile.shape) - len(kind.shape)

    def origin(coordinates: Coordinates) -> Coordinates:
        own = [*([Literal(INT, 0)] * dropped), *coordinates]
        padded = [*offset, *([Literal(INT, 0)] * (len(own) - len(offset)))]
        return values.moved(own, padded)

    return values.rearranged(tile, kind.shape, origin)


def _is_slice(builder: TileBuilder, node: ast.expr) -> bool:
    return builder.builtin(node) == "slice"


def _in_brackets(builder: TileBuilder, node: ast.expr) -> ast.expr:
    """`slice(a, b, c)` as it stands in brackets."""
    if not isinstance(node, ast.Call) or not _is_slice(builder, node):
        return node
    return ast.copy_location(ast.Slice(*node.args), node)


def _astype(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    tile = builder.value(bound("tile_astype", call)["t"])
    name = str(kind.element)
    return values.combined(kind, [tile], lambda given: rules.cast(rules.Use(name, given, kind.element)))


def of_threads(builder: TileBuilder, call: ast.Call, target: TileValue) -> list[Statement]:
    """wp.tile: each thread's value. A vector becomes a column of components, unless its type is kept."""
    value = builder.simple(bound("tile", call)["x"], "value")
    thread = Name(INT, THREAD)
    if target.shape == (builder.block_dim,):
        return [Assign(target.at([thread]), "", value)]
    if not isinstance(value.type, Vector) or target.shape != (value.type.length, builder.block_dim):
        raise builder.refusal(call, f"wp.tile of {value.type} is not supported: use preserve_type=True")
    return [
        Assign(target.at([Literal(INT, row), clone(thread)]), "", Member(target.element, clone(value), path))
        for row, path in enumerate(component_names(value.type))
    ]


def _from_thread(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    """wp.tile_from_thread: the value of one thread, for all."""
    arguments = bound("tile_from_thread", call)
    value = builder.evaluated_by_block(builder.build(arguments["value"]))
    place = builder.simple(arguments["thread_idx"], "thread", INT)
    target = builder.allocate("chosen", Tile(kind.element, (1,)))
    element = target.at([Literal(INT, 0)])
    builder.before.append(by_thread(place, [Assign(element, "", coerce(value, kind.element))]))
    return values.broadcast(target, kind.shape)


TABLE: dict[str, Operation] = {
    "tile_zeros": _zeros,
    "tile_ones": _ones,
    "tile_empty": _zeros,
    "tile_full": _full,
    "tile_arange": _arange,
    "tile_load": _load,
    "tile_map": _map,
    "tile_transpose": _transpose,
    "tile_broadcast": _broadcast,
    "tile_reshape": _reshape,
    "tile_squeeze": _squeeze,
    "tile_view": _view,
    "tile_astype": _astype,
    "tile_diag_add": triangular.diagonal_sum,
    "tile_from_thread": _from_thread,
}
