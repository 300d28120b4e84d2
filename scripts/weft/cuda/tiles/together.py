"""What the threads of a block do together, and where they part."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

from weft.cuda.source import FunctionSource
from weft.cuda.tiles import reductions
from weft.cuda.tiles.facts import depends, differs_between_threads, function_name, root, varying_names
from weft.cuda.tree import THREAD
from weft.types import Array, Tile

if TYPE_CHECKING:
    from weft.cuda.calls import Program
    from weft.cuda.tiles.builder import TileBuilder


@dataclasses.dataclass(frozen=True)
class Place:
    """Names that hold the place of the block in the launch, and of the thread in the block of `block_dim`."""

    block_dim: int
    blocks: tuple[str, ...]
    lanes: tuple[str, ...]


def place_of(program: Program, source: FunctionSource) -> Place:
    """The names of one function."""
    if program.varying is None:
        program.varying = _varying_parameters(program)
    blocks, lanes = _own_names(program, source)
    return Place(program.block_dim, tuple(blocks), (*lanes, *sorted(program.varying.get(source.key, ()))))


def _own_names(program: Program, source: FunctionSource) -> tuple[list[str], list[str]]:
    """Names that the function itself gives the place of the block, and what differs between threads."""
    blocks: list[str] = []
    lanes: list[str] = [] if program.blocks else [THREAD]
    for key, function in program.functions.items():
        if differs_between_threads(function, lanes):
            lanes.append(function_name(key))
    for node in ast.walk(source.definition):
        if isinstance(node, ast.Assign) and str((source.callee(node.value) or {}).get("builtin")) == "tid":
            target = node.targets[0]
            names = [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]
            count = program.blocks or 0
            blocks += names[:count]
            lanes += names[count:]
    return blocks, lanes


def _varying_parameters(program: Program) -> dict[str, set[str]]:
    """The parameters of each function that some call gives a value which differs between the threads."""
    found: dict[str, set[str]] = {key: set() for key in program.functions}
    sources = [*([program.kernel] if program.kernel else []), *reversed(list(program.functions.values()))]
    own = {source.key: set(_own_names(program, source)[1]) for source in sources}
    while True:
        before = sum(map(len, found.values())) + len(program.parted)
        for source in sources:
            names = varying_names(source, own[source.key] | found.get(source.key, set()))
            for node, divergent in _nodes(source, source.definition, names, source.key in program.parted):
                for key in _called(source, node):
                    found[key] |= _given_varying(source, node, program.functions[key], names)
                    program.parted |= {key} if divergent else set()
        if sum(map(len, found.values())) + len(program.parted) == before:
            return found


def _nodes(
    source: FunctionSource, node: ast.AST, names: set[str], divergent: bool
) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes, and for each whether some threads may pass it by."""
    yield node, divergent
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.For(iter=test):
            divergent = divergent or depends(test, names, source)
        case ast.BoolOp(values=operands):
            divergent = divergent or any(depends(operand, names, source) for operand in operands)
        case _:
            pass
    for inner in ast.iter_child_nodes(node):
        yield from _nodes(source, inner, names, divergent)


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
    order = [argument.arg for argument in function.definition.args.args]
    given = dict(zip(order, node.args, strict=False)) | {
        word.arg: word.value for word in node.keywords if word.arg
    }
    return {name for name in parameters & given.keys() if depends(given[name], names, source)}


def parts_threads(builder: TileBuilder, node: ast.stmt) -> bool:
    """Whether a statement parts the threads of a block. Refuses what they must do together."""
    if not isinstance(node, ast.If | ast.While | ast.For):
        return False
    test = node.iter if isinstance(node, ast.For) else node.test
    if not depends(test, builder.facts.varying, builder.source):
        return False
    for inner in ast.walk(node):
        together = isinstance(inner, ast.stmt) and inner is not node and builder.concerns(inner)
        if isinstance(inner, ast.Call):
            callee = (builder.source.callee(inner) or {}).get("function")
            together = (
                together or builder.builtin(inner) in reductions.TABLE or callee in builder.program.together
            )
        if together or isinstance(inner, ast.Return):
            raise builder.refusal(
                inner,
                "the threads of a block part here, but they work on tiles together: "
                "make the condition the same for all of them",
            )
    return True


def several_together(builder: TileBuilder, node: ast.AST) -> bool:
    """Whether a statement calls functions in which the threads work together more than once."""
    return sum(is_together(builder, inner) for inner in ast.walk(node)) > 1


def is_together(builder: TileBuilder, node: ast.AST) -> bool:
    """Whether a node calls a function in which the threads work together."""
    callee = builder.source.callee(node) if isinstance(node, ast.Call) else None
    return (callee or {}).get("function") in builder.program.together


def is_same_for_all(builder: TileBuilder, node: ast.stmt) -> bool:
    """Whether every thread of the block would store the same value in the same element of an array."""
    match node:
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            name = root(target)
            varying = builder.facts.varying
            return (
                name in builder.only_written
                and not depends(target.slice, varying, builder.source)
                and not depends(value, varying, builder.source)
            )
        case _:
            return False
