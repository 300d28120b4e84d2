"""Arguments of Warp's tile functions by the names of their parameters."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from weft.cuda import rules
from weft.cuda.tree import INT, Expression, Literal
from weft.types import Scalar

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder

SIGNATURES: dict[str, tuple[str, ...]] = {
    "tile_zeros": ("shape", "dtype", "storage"),
    "tile_ones": ("shape", "dtype", "storage"),
    "tile_empty": ("shape", "dtype", "storage"),
    "tile_full": ("shape", "value", "dtype", "storage"),
    "tile_from_thread": ("shape", "value", "thread_idx", "storage"),
    "tile_load": ("a", "shape", "offset", "storage", "bounds_check", "aligned"),
    "tile_store": ("a", "t", "offset", "bounds_check", "aligned"),
    "tile_atomic_add": ("a", "t", "offset", "bounds_check"),
    "tile_view": ("t", "offset", "shape"),
    "tile_squeeze": ("t", "axis"),
    "tile_reshape": ("t", "shape"),
    "tile_astype": ("t", "dtype"),
    "tile_assign": ("dst", "src", "offset"),
    "tile": ("x", "preserve_type"),
    "untile": ("a",),
    "tile_transpose": ("a",),
    "tile_broadcast": ("a", "shape"),
    "tile_sum": ("a", "axis"),
    "tile_min": ("a",),
    "tile_max": ("a",),
    "tile_argmin": ("a",),
    "tile_argmax": ("a",),
    "tile_reduce": ("op", "a", "axis"),
    "tile_map": ("op", "a", "b"),
    "tile_scan_inclusive": ("a",),
    "tile_scan_exclusive": ("a",),
    "tile_scan_min_inclusive": ("a",),
    "tile_scan_max_inclusive": ("a",),
    "tile_sort": ("keys", "values"),
    "tile_dot": ("a", "b"),
    "tile_axpy": ("alpha", "src", "dest"),
    "tile_diag_add": ("a", "d"),
    "tile_cholesky": ("A", "fill_mode"),
    "tile_lower_solve": ("L", "y"),
    "tile_upper_solve": ("L", "y"),
    "tile_cholesky_solve": ("L", "y", "fill_mode"),
}

_OTHER_WORDS: dict[str, dict[str, str]] = {"tile_upper_solve": {"U": "L", "z": "y"}}


def bound(name: str, call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call that have a name; further positional ones are left out."""
    given = dict(zip(SIGNATURES.get(name, ()), call.args, strict=False))
    words = _OTHER_WORDS.get(name, {})
    return given | {words.get(one.arg, one.arg): one.value for one in call.keywords if one.arg}


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
