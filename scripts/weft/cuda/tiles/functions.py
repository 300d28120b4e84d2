"""Tiles that a function is given, and those that it returns."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from weft.cuda.tiles import values
from weft.cuda.tiles.facts import is_tile, viewed
from weft.cuda.tiles.values import TileValue
from weft.cuda.tree import Call, Component, Evaluate, Expression, Name, Return, Statement
from weft.cuda.values import coerce
from weft.function_source import FunctionSource
from weft.types import Tile

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder


def argument(builder: TileBuilder, node: ast.expr, function: str, parameter: str) -> Expression:
    """A tile that a function is given: always one in shared memory."""
    tile = builder.value(node)
    place = tile.first()
    kind = Tile(tile.element, tile.shape)
    whole = place.value if isinstance(place, Component) and place.value.type == kind else None
    if isinstance(whole, Name) and tile.reads == ((whole.name, True),):
        return Name(kind, whole.name)
    if parameter in builder.module.changed_tiles.get(function, ()):
        raise builder.refusal(
            node, "a part of a tile cannot be changed by a function: give it a name of its own"
        )
    target = builder.allocate("argument", kind)
    builder.before.append(builder.fill(target, tile))
    return Name(kind, builder.shared[-1].name)


def result_of(builder: TileBuilder, node: ast.Call, kind: Tile) -> TileValue:
    """The tile of one element that a function returns: the threads have its value."""
    call = _call(builder, node)
    return values.constant(builder.temporary("result", kind.element, call), kind)


def store_result(builder: TileBuilder, node: ast.Call, target: TileValue) -> list[Statement]:
    """The call of a function that writes the tile it returns to `target`."""
    call = _call(builder, node, target)
    call.arguments.append(Name(Tile(target.element, target.shape), target.reads[0][0]))
    return [Evaluate(call)]


def _call(builder: TileBuilder, node: ast.Call, target: TileValue | None = None) -> Call:
    """The call of a function that returns a tile, one whose memory nobody shares."""
    call = builder.calls.build(node)
    assert isinstance(call, Call) and call.user is not None
    parameters = [name for name, _ in builder.module.functions[call.user].parameters]
    names = {name for name, _ in target.reads} if target is not None else set()
    for parameter in builder.module.returned_tiles.get(call.user, ()):
        given = call.arguments[parameters.index(parameter)]
        names |= {given.name} if isinstance(given, Name) else set()
        if names & builder.facts.changed:
            raise builder.refusal(
                node,
                "this function returns a tile that it is given, and one of the two is changed: copy it first",
            )
    return call


def returned(builder: TileBuilder, node: ast.Return) -> list[Statement]:
    """`return t`: the caller's tile takes the elements; of a tile of one element the value is returned."""
    assert node.value is not None
    tile = builder.value(node.value)
    if builder.result is None:
        value = tile.first()
        return [Return([coerce(value, tile.element)], node=node)]
    filled = builder.fill(builder.result, tile)
    filled.node = node
    last = builder.source.definition.body[-1]
    return [filled] if node is last else [filled, Return([], node=node)]


def returned_parameters(source: FunctionSource) -> set[str]:
    """Parameters that a function returns, whole or in part: Warp's result shares their memory."""
    aliases = {name: {name} for name, kind in source.parameters if isinstance(kind, Tile)}
    for node in ast.walk(source.definition):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and is_tile(source, node.value)
        ):
            shared = [aliases.get(name, set()) for name in viewed(source, node.value)]
            aliases.setdefault(node.targets[0].id, set()).update(*shared)
    found: set[str] = set()
    for node in ast.walk(source.definition):
        if isinstance(node, ast.Return) and node.value is not None and is_tile(source, node.value):
            found.update(*(aliases.get(name, set()) for name in viewed(source, node.value)))
    return found
