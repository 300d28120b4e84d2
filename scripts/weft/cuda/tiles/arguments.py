"""Arguments of Warp's tile functions by the names of their parameters."""

from __future__ import annotations

import ast

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
