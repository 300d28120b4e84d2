"""What Warp's builtins do with indices and arrays, for the abstract run of weft.ir.index_run."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from weft.intrinsics import Effect, intrinsic
from weft.ir.index_values import NOTHING, UNKNOWN, Meaning, Value, constant, may_hold_floats, values, views
from weft.ir.symbolic_bounds import Extent
from weft.subscript_indices import items_of
from weft.types import Scalar, Tile, Type, Vector, parse_type

if TYPE_CHECKING:
    from weft.ir.index_scope import Scope

_HANDLES = ("mesh_", "hash_grid_", "volume_", "bvh_", "texture_", "marching_cubes_")
_MEMORY = Effect.READS | Effect.WRITES | Effect.ATOMIC


def builtin_result(scope: Scope, node: ast.Call, callee: Mapping[str, Any]) -> Meaning:
    """What a call of a builtin may give, its effects noted."""
    name = str(callee.get("builtin", ""))
    known = intrinsic(name)
    if name.startswith("tile_"):
        return _tile(scope, node, name, callee)
    if name == "array":
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            of_array = isinstance(argument, ast.Attribute) and argument.attr == "ptr"
            whole = argument.value if isinstance(argument, ast.Attribute) and of_array else argument
            scope.escape(scope.place(whole) if of_array else scope.value(whole), node)
        return NOTHING
    arguments = [scope.value(argument) for argument in node.args]
    arguments += [scope.value(keyword.value) for keyword in node.keywords]
    result = _type(callee.get("result"))
    if known.operator and len(arguments) == 2:
        integer = isinstance(result, Scalar) and result.is_integer
        operation = ast.parse(f"a {known.operator} b", mode="eval").body
        assert isinstance(operation, ast.BinOp)
        return scope.operation(operation.op, *arguments) if integer else NOTHING
    match name:
        case "tid":
            return frozenset({Value("index", Extent("tid", ""))})
        case "min":
            scope.facts.relate(arguments)
            return _least(arguments)
        case "max":
            scope.facts.relate(arguments)
            return _greatest(arguments)
        case "clamp" if len(arguments) == 3:
            scope.facts.relate(arguments)
            return _least([arguments[0], arguments[2]])
        case "abs":
            return arguments[0]
        case "where" | "select" if len(arguments) == 3:
            return arguments[1] | arguments[2]
        case "len":
            return frozenset(Value("count", view.extent(view.depth)) for view in views(arguments[0]))
        case "randi" if len(arguments) == 3:
            return scope.facts.below(arguments[2])
        case "lower_bound":
            scope.facts.touch(arguments[0], read=True)
            starts = [Extent("axis", view.name, view.depth) for view in views(arguments[0])]
            return frozenset(Value("index", extent) for extent in starts)
    if arguments and isinstance(result, Vector) and result.scalar.is_integer:
        # A vector stands for what each of its components may be.
        return frozenset().union(*(meaning or {UNKNOWN} for meaning in arguments))
    if Scalar(name).is_integer:
        return (arguments[0] if arguments else NOTHING) or frozenset({UNKNOWN})
    if known.effect & Effect.ATOMIC and arguments:
        return _atomic(scope, node, name, arguments, result)
    if name == "rand_init":
        scope.facts.seeds |= _parameters(arguments[0])
    if name.startswith(_HANDLES):
        scope.facts.handles |= _parameters(arguments[0]) if arguments else set()
    for meaning in arguments:
        scope.facts.touch(meaning, read=True)
        if not known.effect & Effect.READS:
            scope.escape(meaning, node)
    return frozenset({UNKNOWN}) if any(arguments) else NOTHING


def _type(text: Any) -> Type | None:
    """The type that a record writes so, None for what is no single type, or none that is known."""
    try:
        return parse_type(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _parameters(meaning: Meaning) -> set[str]:
    """The integer parameters that a value may come from."""
    extents = [item.extent for item in values(meaning)]
    return {extent.name for extent in extents if extent and extent.kind == "parameter"}


def _known(meaning: Meaning) -> list[Value]:
    """The values of a meaning, none if one of them may be anything."""
    return [] if UNKNOWN in meaning else values(meaning)


_PREFERRED = ("index", "count", "span", "loaded", "constant")


def _least(arguments: Sequence[Meaning]) -> Meaning:
    """The smallest of several: as small as whichever says most."""
    sides = [known for meaning in arguments if (known := _known(meaning))]
    if not sides:
        return frozenset({UNKNOWN})
    best = min(sides, key=lambda side: max(_PREFERRED.index(value.kind) for value in side))
    clamped = any(value.kind == "count" for side in sides if side is not best for value in side)
    return frozenset(
        dataclasses.replace(value, offset=0) if clamped and value.kind == "index" else value for value in best
    )


def _greatest(arguments: Sequence[Meaning]) -> Meaning:
    known = [item for meaning in arguments for item in values(meaning)]
    indices = [dataclasses.replace(one, offset=max(one.offset, 0)) for one in known if one.kind == "index"]
    others = [one for one in known if one.kind not in ("index", "constant")]
    return frozenset([*indices, *others] or known)


def _atomic(
    scope: Scope, node: ast.Call, name: str, arguments: Sequence[Meaning], result: Type | None
) -> Meaning:
    slots: set[Value] = set()
    for item in views(arguments[0]):
        count = item.ndim - item.depth
        for axis, meaning in enumerate(arguments[1 : 1 + count], start=item.depth):
            scope.facts.indexed(item.name, axis, meaning, (scope.source, node))
        slots.add(Value("index", Extent("slots", item.name)))
        if intrinsic(name).adds and may_hold_floats(result, scope.sources.structs):
            scope.note_atomic(node, node.args[1 : 1 + count])
    scope.facts.touch(arguments[0], read=True, write=True)
    return frozenset(slots if name == "atomic_add" and slots else {UNKNOWN})


def _tile(scope: Scope, node: ast.Call, name: str, callee: Mapping[str, Any]) -> Meaning:
    """Loads and stores of tiles reach from an offset as far as the tile's shape."""
    facts = scope.facts
    facts.uses_tiles = True
    kinds = [_type(text) for text in (*callee.get("arguments", ()), callee.get("result"))]
    tile = next((kind for kind in kinds if isinstance(kind, Tile)), None)
    known = intrinsic(name)
    if known.adds and (tile is None or not isinstance(tile.element, Scalar) or tile.element.is_float):
        facts.float_atomics = True
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    given = [*node.args, *keywords.values()]
    first = scope.value(node.args[0]) if node.args else NOTHING
    if known.effect & _MEMORY and "offset" in known.parameters and tile and views(first):
        offset = keywords.get("offset") or (node.args[2] if len(node.args) > 2 else None)
        _transfer(scope, node, first, tile, offset)
        read, write = known.effect is not Effect.WRITES, known.effect is not Effect.READS
        scope.facts.touch(first, read=read, write=write)
        given = given[1:]
    for argument in given:
        meaning = scope.value(argument)
        scope.facts.touch(meaning, read=True)
        if not known.effect & Effect.READS:
            scope.escape(meaning, node)
    return frozenset({UNKNOWN})


def _transfer(scope: Scope, node: ast.Call, arrays: Meaning, tile: Tile, offset: ast.expr | None) -> None:
    """Note that arrays are used from an offset (none is zero) as far as a tile's shape reaches."""
    starts = [] if offset is None else items_of(offset)
    for item in views(arrays):
        for axis, extent in enumerate(tile.shape):
            meaning = scope.value(starts[axis]) if axis < len(starts) else constant(0)
            last = scope.facts.combine(ast.Add(), meaning, constant(extent - 1))
            if item.depth + axis < item.ndim:
                scope.facts.indexed(item.name, item.depth + axis, last, (scope.source, node))
