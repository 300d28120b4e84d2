"""What the threads of a block do together, and where they part."""

from __future__ import annotations

import ast
import dataclasses
from typing import TYPE_CHECKING

from weft.cuda.source import FunctionSource
from weft.cuda.tiles import reductions
from weft.cuda.tiles.facts import depends, differs_between_threads, function_name, root
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
    blocks: list[str] = []
    lanes: list[str] = []
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
    if source.key in program.functions:
        # What a function is given may differ between the threads.
        lanes += [name for name, kind in source.parameters if not isinstance(kind, Tile | Array)]
    return Place(program.block_dim, tuple(blocks), tuple(lanes))


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
