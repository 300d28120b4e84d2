"""Which names of tiles need no memory: their one use computes each element where it is needed.

A tile that is assigned once and used once, a few lines further in the same block, by an operation that takes
its elements one by one, becomes part of that operation's loop, unless something that it is computed from
changes in between.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from weft.cuda.source import FunctionSource
from weft.cuda.tiles import scans, triangular
from weft.cuda.tiles.changes import Functions, changed_arguments
from weft.cuda.tiles.facts import TileFacts, is_tile, root
from weft.types import Array

_ONE_BY_ONE = {
    "tile_map",
    "tile_sum",
    "tile_min",
    "tile_max",
    "tile_dot",
    "tile_reduce",
    "tile_store",
    "tile_atomic_add",
    "tile_astype",
}


def fused_names(source: FunctionSource, facts: TileFacts, functions: Functions) -> set[str]:
    """Names whose tiles are computed where they are used."""
    found: set[str] = set()
    inputs: dict[str, set[str]] = {}
    written = _written_arrays(source)
    for block in _blocks(source.definition.body):
        for position, node in enumerate(block):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_tile(source, value):
                    pass
                case _:
                    continue
            if facts.assigned.get(name) != 1 or facts.read.get(name) != 1 or name in facts.changed:
                continue
            own = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
            needed = own.union(*(inputs.get(part, set()) for part in own))
            if needed & written or _is_computed_together(source, value):
                continue
            if _used_before_change(source, block[position + 1 :], name, needed, functions):
                found.add(name)
                inputs[name] = needed
    return found


def _used_before_change(
    source: FunctionSource, rest: Sequence[ast.stmt], name: str, needed: set[str], functions: Functions
) -> bool:
    for statement in rest:
        uses = [part for part in ast.walk(statement) if isinstance(part, ast.Name) and part.id == name]
        if uses:
            simple = isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr)
            return simple and _takes_one_by_one(source, statement, uses[0])
        if needed & _changed(source, statement, functions):
            return False
    return False


def _takes_one_by_one(source: FunctionSource, statement: ast.stmt, use: ast.Name) -> bool:
    """Whether the operation around the use takes each element once."""
    if isinstance(statement, ast.AugAssign) and statement.value is use:
        return True
    for node in ast.walk(statement):
        if isinstance(node, ast.BinOp | ast.UnaryOp) and use in ast.iter_child_nodes(node):
            return True
        if isinstance(node, ast.Call):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            if use in given:
                name = str((source.callee(node) or {}).get("builtin", ""))
                return name in _ONE_BY_ONE and not any(keyword.arg == "axis" for keyword in node.keywords)
    return False


def _is_computed_together(source: FunctionSource, value: ast.expr) -> bool:
    """Whether the tile is no expression of elements: the threads compute it together."""
    callee = source.callee(value) or {}
    name = str(callee.get("builtin", ""))
    return "function" in callee or name in (
        *triangular.STORING,
        *scans.STORING,
        "tile_matmul",
        "tile_from_thread",
        "tile_sum",
        "tile_reduce",
        "tile",
        "tile_empty",
    )


def _changed(source: FunctionSource, statement: ast.stmt, functions: Functions) -> set[str]:
    """Names of variables and tiles that a statement, or one in it, changes."""
    names: set[str] = set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                names |= {root(node) or ""}
            case ast.Call():
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                names |= {root(part) or "" for part in given if is_tile(source, part)}
                names |= {root(part) or "" for part in changed_arguments(source, node, functions)}
            case _:
                pass
    return names


def _written_arrays(source: FunctionSource) -> set[str]:
    """Array parameters that the function may write, and views of any array."""
    arrays = {name for name, kind in source.parameters if isinstance(kind, Array)}
    written: set[str] = set()
    for node in ast.walk(source.definition):
        match node:
            case ast.Subscript(ctx=ast.Store()):
                written.add(root(node) or "")
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if source.has_type(value) and isinstance(source.type(value), Array):
                    written |= {name, root(value) or ""}
            case ast.Call():
                name = str((source.callee(node) or {}).get("builtin", ""))
                if name != "tile_load":
                    given = [*node.args, *(keyword.value for keyword in node.keywords)]
                    written |= {root(part) or "" for part in given} & arrays
            case _:
                pass
    return written


def _blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    yield body
    for node in body:
        for field in ("body", "orelse"):
            inner = getattr(node, field, None)
            if inner:
                yield from _blocks(inner)
