"""Assignments to names of tiles and to their elements."""

from __future__ import annotations

import ast
import dataclasses
from typing import TYPE_CHECKING

from weft.cuda import atomic_rules
from weft.cuda.device_functions import BY_OPERATOR
from weft.cuda.tiles import exact, operations, parts, reductions, values
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.facts import depends, in_tile, is_tile, viewed
from weft.cuda.tiles.loops import share
from weft.cuda.tiles.values import Coordinates, TileValue
from weft.cuda.tree import (
    INT,
    AddressOf,
    Assign,
    Call,
    Component,
    Evaluate,
    Expression,
    Literal,
    Member,
    Name,
    Statement,
)
from weft.cuda.values import coerce
from weft.intrinsics import intrinsic
from weft.operator_symbols import SYMBOLS
from weft.subscript_indices import indices_of, items_of
from weft.types import Tile

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder


def assign(builder: TileBuilder, target: ast.expr, value: ast.expr) -> list[Statement]:
    """`target = value`, where one of them is a tile or a part of one."""
    if isinstance(target, ast.Name):
        return _assign_name(builder, target, value)
    if not isinstance(target, ast.Subscript):
        raise builder.refusal(target, "a tile cannot be kept here: give it a name")
    if not in_tile(builder.source, target):
        raise builder.refusal(target, "a tile cannot be an element of an array: use wp.tile_store")
    if is_tile(builder.source, value):
        part = parts.subscript(builder, target, builder.type(value))
        given = builder.value(value)
        if {name for name, _ in part.reads} & {name for name, _ in given.reads}:
            # The two parts of one tile may overlap.
            copy = builder.allocate("part", Tile(given.element, given.shape))
            builder.before.append(builder.fill(copy, given))
            given = copy
        return [builder.fill(part, given)]
    place = _place(builder, target)
    built = coerce(builder.build(value), place.type)
    if isinstance(place, Call) and place.function == "row":
        matrix, row = place.arguments
        arguments = [AddressOf(matrix.type, matrix, by_reference=True), row, built]
        store: Statement = Evaluate(Call(INT, "set_row", arguments, ("set_row", (matrix.type, built.type))))
    else:
        store = Assign(place, "", built)
    varying = builder.facts.varying
    own = isinstance(_whole(place), Name)
    if own or any(depends(node, varying, builder.source) for node in (value, target)):
        return [store]
    if any(_is_element(part, target) for part in ast.walk(value)):
        raise builder.refusal(
            target,
            "every thread of the block reads and changes this element, in any order: "
            "compute it in a variable that the tile does not feed, or use wp.tile_map",
        )
    return [builder.once(store)]


def _is_element(node: ast.AST, target: ast.Subscript) -> bool:
    """Whether a node reads the element that is assigned, by the words of the source."""
    match node:
        case ast.Subscript(value=tile, slice=index):
            place = [index]
        case ast.Call(args=[tile, *place]):
            pass
        case _:
            return False
    wanted = [target.value, *indices_of(target)]
    flat = [tile, *(item for one in place for item in items_of(one))]
    return [ast.dump(one) for one in wanted] == [ast.dump(one) for one in flat]


def _place(builder: TileBuilder, target: ast.Subscript) -> Expression:
    """What an assignment changes of a tile: an element, a component of one, the call that reads a row."""
    place = parts.extract(builder, target)
    if isinstance(place, Call) and place.function == "component":
        vector, index = place.arguments
        place = dataclasses.replace(
            place,
            function="component_ref",
            arguments=[AddressOf(vector.type, vector, by_reference=True), index],
            helper=("component_ref", (vector.type,)),
        )
    is_call = isinstance(place, Call) and place.function in ("row", "component_ref")
    if not is_call and not isinstance(place, Name | Component | Member):
        raise builder.refusal(
            target, "assigning this part of a tile's element is not supported: use a variable"
        )
    return place


def _whole(place: Expression) -> Expression:
    """The element that a place is a part of."""
    while True:
        match place:
            case Member(value=value) | Call(arguments=[value, *_]) | AddressOf(place=value):
                place = value
            case Component(value=value) if not isinstance(value.type, Tile):
                place = value
            case _:
                return place


def _assign_name(builder: TileBuilder, target: ast.Name, value: ast.expr) -> list[Statement]:
    name, kind = target.id, builder.type(value)
    if len(builder.facts.types.get(name, [])) > 1:
        raise builder.refusal(target, f"{name!r} takes tiles of two types: use two names")
    if kind.size == 1 and name not in builder.facts.scattered:
        return [Assign(Name(kind.element, name), "", _single(builder, name, value, kind))]
    if (view := _view(builder, name, value)) is not None:
        builder.bindings[name] = view
        return []
    if name not in builder.bindings or builder.bindings[name].reads != ((name, True),):
        builder.bindings[name] = builder.allocate(name, kind, name)
    place = builder.bindings[name]
    if builder.builtin(value) == "tile_empty":
        return []
    if (store := builder.storing(value)) is not None:
        assert isinstance(value, ast.Call)
        if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)):
            return [builder.fill(place, builder.value(value))]
        return store(builder, value, place)
    built = builder.value(value)
    if builder.facts.assigned.get(name) == 1 and name not in builder.facts.changed:
        builder.grids[name] = exact.grid_of(builder, built)
    if (name, False) in built.reads:
        copy = builder.allocate(f"{name}_next", kind)
        builder.before.append(builder.fill(copy, built))
        built = copy
    return [builder.fill(place, built)]


def _single(builder: TileBuilder, name: str, value: ast.expr, kind: Tile) -> Expression:
    """The element of a tile that has one."""
    reduction = builder.builtin(value)
    if (
        reduction in reductions.TABLE
        and isinstance(value, ast.Call)
        and "axis" not in bound(reduction, value)
    ):
        built = reductions.TABLE[reduction](builder, value, kind)
    else:
        built = coerce(builder.value(value).first(), kind.element)
    builder.bindings[name] = values.single(name, kind)
    return built


def _view(builder: TileBuilder, name: str, value: ast.expr) -> TileValue | None:
    """A view of a tile in shared memory shares its elements, as long as both names keep their meaning."""
    is_view = intrinsic(builder.builtin(value)).view or isinstance(value, ast.Subscript)
    source_name = next(iter(viewed(builder.source, value)), None) if is_view else None
    if source_name is None or builder.facts.assigned.get(name, 0) != 1:
        return None
    if builder.facts.assigned.get(source_name, 0) != 1:
        if name in builder.facts.changed or source_name in builder.facts.changed:
            raise builder.refusal(
                value, f"this view of {source_name!r}, which is assigned again, is not supported"
            )
        return None
    view = builder.value(value)
    return view if view.place else None


def augmented(
    builder: TileBuilder, node: ast.stmt, target: ast.expr, op: ast.operator, value: ast.expr
) -> list[Statement]:
    """`target += value` of a whole tile, or of one of its elements."""
    symbol = SYMBOLS[type(op)]
    if symbol not in operations.SYMBOLS:
        raise builder.refusal(node, "this operator on tiles is not supported")
    builder.require_algebra(node, builder.source.type(value))
    if isinstance(target, ast.Name):
        place = builder.value(target) if builder.source.has_type(target) else builder.bindings[target.id]
        part = builder.operand(value)
        if isinstance(part, TileValue) and any((read[0], False) in part.reads for read in place.reads):
            copy = builder.allocate(f"{target.id}_part", Tile(part.element, part.shape))
            builder.before.append(builder.fill(copy, part))
            part = copy

        def update(c: Coordinates) -> list[Statement]:
            return [Assign(place.at(c), symbol, coerce(values.element(part, c), place.element))]

        if place.size == 1 and not place.reads:
            return update([Literal(INT, 0)] * len(place.shape))
        return [share(place.shape, builder.names, update)]
    assert isinstance(target, ast.Subscript)
    element_place = _place(builder, target)
    built = coerce(builder.build(value), element_place.type)
    operation = BY_OPERATOR.get(symbol)
    if operation is None or not isinstance(element_place, Component):
        raise builder.refusal(node, "this operator on an element of a tile is not supported")
    # Every thread adds, so that the sum grows by the number of threads.
    return [Evaluate(atomic_rules.update(operation, element_place, [built]))]
