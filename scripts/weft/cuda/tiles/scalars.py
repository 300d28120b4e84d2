"""Values that a function takes from its tiles."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from weft.cuda.tiles import parts
from weft.cuda.tiles.block_collective import is_block_collective
from weft.cuda.tiles.facts import in_tile, is_tile
from weft.cuda.tiles.loops import THREAD
from weft.cuda.traverse import clone
from weft.cuda.tree import INT, Construct, Expression, Literal, Name
from weft.types import Vector

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder


def scalar(builder: TileBuilder, node: ast.expr) -> Expression | None:
    """The value of an expression that reads one element of a tile; None for others."""
    match node:
        case ast.Subscript() if not is_tile(builder.source, node) and in_tile(builder.source, node):
            return parts.extract(builder, node)
        case ast.Call() if (
            builder.separates_calls
            and not is_tile(builder.source, node)
            and is_block_collective(builder, node)
        ):
            call = builder.calls.build(node)
            return builder.temporary("value", call.type, call)
        case ast.Call():
            return _call(builder, node)
        case _ if is_tile(builder.source, node):
            raise builder.refusal(node, "a tile cannot be used here")
        case _:
            return None


def _call(builder: TileBuilder, node: ast.Call) -> Expression | None:
    match builder.builtin(node):
        case "tile_extract":
            return parts.element_at(builder, node, builder.value(node.args[0]), list(node.args[1:]))
        case "untile":
            return _untiled(builder, node)
        case "block_dim":
            return Literal(INT, builder.block_dim)
        case "len" if is_tile(builder.source, node.args[0]):
            return Literal(INT, builder.type(node.args[0]).shape[0])
        case name if name.startswith("tile") or name == "untile":
            raise builder.refusal(node, f"wp.{name} is not supported")
        case _:
            return None


def _untiled(builder: TileBuilder, node: ast.Call) -> Expression:
    """wp.untile: the thread's own element."""
    tile = builder.value(node.args[0])
    thread: Expression = Name(INT, THREAD)
    if tile.shape == (builder.block_dim,):
        return tile.at([thread])
    kind = builder.source.type(node)
    if not isinstance(kind, Vector) or tile.shape != (kind.length, builder.block_dim):
        raise builder.refusal(node, "wp.untile takes a tile with an element for each thread")
    return Construct(kind, [tile.at([Literal(INT, row), clone(thread)]) for row in range(kind.length)])
