"""Block collectives, which all threads of a block must run, and where control flow diverges in a block."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

from weft.cuda.tiles.facts import (
    depends,
    differs_between_threads,
    evaluated,
    function_name,
    has_divergent_jump,
    has_divergent_operands,
    is_tile,
    own_expressions,
    varying_names,
)
from weft.cuda.tree import THREAD
from weft.function_source import FunctionSource, root_name
from weft.intrinsics import Effect, intrinsic
from weft.types import Array, Tile

if TYPE_CHECKING:
    from weft.cuda.calls import ModuleContext
    from weft.cuda.tiles.builder import TileBuilder


@dataclasses.dataclass(frozen=True)
class Place:
    """Names that hold the place of the block in the launch, and of the thread in the block of `block_dim`."""

    block_dim: int
    blocks: tuple[str, ...]
    lanes: tuple[str, ...]


def place_of(module: ModuleContext, source: FunctionSource) -> Place:
    """The names of one function."""
    if module.varying is None:
        module.varying = _varying_parameters(module)
    blocks, lanes = _own_names(module, source)
    return Place(module.block_dim, tuple(blocks), (*lanes, *sorted(module.varying.get(source.key, ()))))


def _own_names(module: ModuleContext, source: FunctionSource) -> tuple[list[str], list[str]]:
    """Names that the function itself gives the place of the block, and what differs between threads."""
    blocks: list[str] = []
    lanes: list[str] = [] if module.blocks else [THREAD]
    for key, function in module.functions.items():
        if differs_between_threads(function, lanes):
            lanes.append(function_name(key))
    for node in ast.walk(source.definition):
        if isinstance(node, ast.Assign) and source.builtin(node.value) == "tid":
            target = node.targets[0]
            names = [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]
            count = module.blocks or 0
            blocks += names[:count]
            lanes += names[count:]
    return blocks, lanes


def _varying_parameters(module: ModuleContext) -> dict[str, set[str]]:
    """The parameters of each function that some call gives a value which differs between the threads."""
    found: dict[str, set[str]] = {key: set() for key in module.functions}
    sources = [*([module.kernel] if module.kernel else []), *reversed(list(module.functions.values()))]
    own = {source.key: set(_own_names(module, source)[1]) for source in sources}
    while True:
        before = sum(map(len, found.values())) + len(module.divergent)
        for source in sources:
            names = varying_names(source, own[source.key] | found.get(source.key, set()), module.functions)
            for node, divergent in evaluated(
                source, source.definition, names, source.key in module.divergent
            ):
                for key in _called(source, node):
                    found[key] |= _given_varying(source, node, module.functions[key], names)
                    module.divergent |= {key} if divergent else set()
        if sum(map(len, found.values())) + len(module.divergent) == before:
            return found


def _called(source: FunctionSource, node: ast.AST) -> Iterator[str]:
    """The functions that a node calls, or applies to elements of tiles."""
    callee = source.callee(node) if isinstance(node, ast.expr) else None
    for one in (callee or {}, (callee or {}).get("applied") or {}):
        if "function" in one:
            yield str(one["function"])


def _given_varying(
    source: FunctionSource, node: ast.AST, function: FunctionSource, names: set[str]
) -> set[str]:
    """Parameters whose arguments may differ between the threads; all of them where it is not a plain call."""
    parameters = {name for name, kind in function.parameters if not isinstance(kind, Tile | Array)}
    callee = source.callee(node) or {}
    if (
        "function" not in callee
        or not isinstance(node, ast.Call)
        or any(isinstance(argument, ast.Starred) for argument in node.args)
    ):
        return parameters
    given = function.given(node)
    return {name for name in parameters & given.keys() if depends(given[name], names, source)}


_DIVERGENT = (
    "divergent branch around a block-wide tile operation: "
    "make the condition the same for all threads of the block"
)


def is_divergent(builder: TileBuilder, node: ast.stmt) -> bool:
    """Whether control flow diverges in a statement. Refuses block collectives that it would reach."""
    if not isinstance(node, ast.If | ast.While | ast.For):
        return False
    test = node.iter if isinstance(node, ast.For) else node.test
    varying = builder.facts.varying
    divergent = depends(test, varying, builder.source)
    if not isinstance(node, ast.If):
        divergent = divergent or has_divergent_jump(builder.source, node.body, varying)
    if not divergent:
        return False
    # The test of a loop is asked again by those that go on, what an `if` or `for` asks for by all.
    reached: list[ast.AST] = [*node.body, *node.orelse, *([node.test] if isinstance(node, ast.While) else [])]
    for inner in (inner for part in reached for inner in ast.walk(part)):
        whole_tile = isinstance(inner, ast.stmt) and builder.concerns(inner)
        if whole_tile or isinstance(inner, ast.Return) or _needs_whole_block(builder, inner):
            raise builder.refusal(inner, _DIVERGENT)
    return True


def _needs_whole_block(builder: TileBuilder, node: ast.AST) -> bool:
    """Whether all threads of the block must evaluate an expression."""
    if is_block_collective(builder, node):
        return True
    return isinstance(node, ast.Call) and bool(intrinsic(builder.builtin(node)).effect & Effect.COLLECTIVE)


def require_same_calls(builder: TileBuilder, node: ast.stmt) -> None:
    """Refuse expressions in which a block collective is evaluated divergently."""
    first_done = has_several_block_collectives(builder, node)
    for expression in own_expressions(node):
        for part in ast.walk(expression):
            if not isinstance(part, ast.IfExp | ast.BoolOp):
                continue
            divergent = has_divergent_operands(builder.source, part, builder.facts.varying)
            # Statements of their own, before this one, would be done whatever the condition is.
            first = part.test if isinstance(part, ast.IfExp) else part.values[0]
            always = set(map(id, ast.walk(first)))
            for inner in ast.walk(part):
                if id(inner) in always:
                    continue
                makes = isinstance(inner, ast.Call | ast.BinOp | ast.UnaryOp) and is_tile(
                    builder.source, inner
                )
                if divergent and (makes or _needs_whole_block(builder, inner)):
                    raise builder.refusal(inner, _DIVERGENT)
                if first_done and is_block_collective(builder, inner):
                    raise builder.refusal(inner, "write this condition as an `if` around the call")


def has_several_block_collectives(builder: TileBuilder, node: ast.stmt) -> bool:
    """Whether a statement itself calls functions with block collectives more than once."""
    parts = (inner for expression in own_expressions(node) for inner in ast.walk(expression))
    return sum(is_block_collective(builder, inner) for inner in parts) > 1


def is_block_collective(builder: TileBuilder, node: ast.AST) -> bool:
    """Whether a node calls a function with block collectives, perhaps as an operator."""
    callee = builder.source.callee(node) if isinstance(node, ast.expr | ast.AugAssign) else None
    return (callee or {}).get("function") in builder.module.block_collective


def asks_tiles(builder: TileBuilder, node: ast.expr) -> bool:
    """Whether an expression reads tiles, or calls functions with block collectives."""
    parts = (inner for inner in ast.walk(node) if isinstance(inner, ast.expr))
    return any(is_block_collective(builder, inner) or is_tile(builder.source, inner) for inner in parts)


def is_same_for_all(builder: TileBuilder, node: ast.stmt) -> bool:
    """Whether every thread of the block would store the same value in the same element of an array."""
    match node:
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            name = root_name(target)
            varying = builder.facts.varying
            return (
                name in builder.only_written
                and not depends(target.slice, varying, builder.source)
                and not depends(value, varying, builder.source)
            )
        case _:
            return False
