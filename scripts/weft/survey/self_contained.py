"""Which kernels are self-contained: one rule on what Warp resolved, fixed before any is translated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

TILES = frozenset(
    """
    tile_load tile_store tile_zeros tile_ones tile_arange tile_map tile_sum tile_min tile_max
    tile_reduce tile_broadcast tile_transpose tile_matmul tile_extract
    """.split()
)
"""The tile builtins that count as part of the language; those with other names exclude a kernel."""

_GROUPS = {
    "mesh": re.compile(r"(tile_)?mesh_"),
    "bvh": re.compile(r"(tile_)?bvh_"),
    "hash grid": re.compile(r"hash_grid_"),
    "volume": re.compile(r"volume_"),
    "texture": re.compile(r"texture_"),
    "tile": re.compile(r"tile(_|$)|untile$"),
}
_HANDLES = {
    "mesh": re.compile(r"opaque<\w*[mM]esh"),
    "bvh": re.compile(r"opaque<\w*[bB]vh"),
    "hash grid": re.compile(r"opaque<\w*([hH]ash_?[gG]rid)"),
    "texture": re.compile(r"opaque<\w*[tT]exture"),
}
_FEM = re.compile(r"(^|/)warp/(_src/)?fem/")


def excluded(record: Mapping[str, Any]) -> str | None:
    """What keeps a kernel from being self-contained, None for one that is.

    It looks at the builtins that its calls resolved to, at the types of its expressions, and at the files
    that its functions come from.
    """
    functions = (*record["functions"], record["kernel"])
    for function in functions:
        if _FEM.search(function["file"]):
            return "warp.fem"
    for name in _builtins(functions):
        for group, pattern in _GROUPS.items():
            if pattern.match(name) and name not in TILES:
                return group
    for function in functions:
        for text in (*function["types"], *(parameter["type"] for parameter in function["parameters"])):
            for group, pattern in _HANDLES.items():
                if pattern.search(text):
                    return group
    return None


def _builtins(functions: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    for function in functions:
        for call in function["calls"]:
            if "builtin" in call[4]:
                yield call[4]["builtin"]
