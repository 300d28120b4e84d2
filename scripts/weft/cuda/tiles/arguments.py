"""Arguments of Warp's tile functions by the names of their parameters."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from weft.cuda import rules
from weft.cuda.tree import INT, Expression, Literal
from weft.intrinsics import intrinsic
from weft.types import Scalar

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder


def bound(name: str, call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call that have a name; further positional ones are left out."""
    given = dict(zip(intrinsic(name).parameters, call.args, strict=False))
    return given | {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}


def offset(builder: TileBuilder, arguments: dict[str, ast.expr], rank: int) -> list[Expression]:
    """The argument `offset`, zero where it is left out."""
    node = arguments.get("offset")
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return [Literal(INT, 0)] * rank
    if rank == 1 and not isinstance(node, ast.Tuple):
        return [_index(builder, node)]
    if not isinstance(node, ast.Tuple) or len(node.elts) != rank:
        raise builder.refusal(node, f"write this offset as a tuple of {rank} numbers")
    return [_index(builder, item) for item in node.elts]


def _index(builder: TileBuilder, node: ast.expr) -> Expression:
    known = builder.source.value(node)
    if isinstance(known, int) and not isinstance(node, ast.Name):
        return Literal(INT, known)
    built = builder.build(node)
    if not isinstance(built.type, Scalar) or not built.type.is_integer:
        raise builder.refusal(node, f"an offset must be an integer, this is {built.type}")
    return builder.kept(rules.cast(rules.Use("int32", [built], INT)), "offset")


def checked(builder: TileBuilder, arguments: dict[str, ast.expr]) -> bool:
    """The argument `bounds_check`."""
    node = arguments.get("bounds_check")
    return node is None or builder.source.value(node) is not False
