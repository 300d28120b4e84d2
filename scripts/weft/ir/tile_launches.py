"""How to launch kernels whose threads put values of their own into tiles, if no description says it."""

from __future__ import annotations

import dataclasses
from collections.abc import Set

from weft.intrinsics import intrinsic

_DIMS = {1: ["min(n, 300)"], 2: ["min(n, 12)"] * 2, 3: ["min(n, 5)"] * 3}


@dataclasses.dataclass(frozen=True)
class Blocks:
    """The launch of a kernel with tiles: `dims` count blocks where `tiled`, else threads.

    `places` are what the names of `wp.tid()` lie below: beyond `dims`, the thread's place in its block.
    """

    tiled: bool
    dims: list[str]
    places: list[str | int]


def default_blocks(builtins: Set[str], rank: int, block_dim: int) -> Blocks | None:
    """The blocks of a kernel, None for one whose threads have nothing of their own and that names no thread.

    Such a kernel either asks for the thread's place in its block, by one name more than there are dimensions,
    or is launched like any other kernel.
    """
    if not any(intrinsic(name).own for name in builtins) and rank < 4:
        return None
    if rank > 1:
        dims = _DIMS.get(rank - 1, _DIMS[3])
        return Blocks(True, dims, [*dims, block_dim])
    dims = [f"{block_dim} * ((min(n, 5000) + {block_dim - 1}) // {block_dim})"]
    return Blocks(False, dims, [*dims])
