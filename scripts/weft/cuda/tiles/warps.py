"""How many tiles a block works on: several where a warp is enough for one, and needs no shared memory.

A multiprocessor holds a limited number of blocks, of which those of one warp fill only a part.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda.grid import WARP
from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import Call, Function, Native, Shared, Threads
from weft.intrinsics import Effect

_WARPS = 8


def warps_of_block(functions: Sequence[Function], block_dim: int) -> int:
    """The warps of a block, each with a tile of its own; 1 where a block has one tile."""
    everything = [statement for function in functions for statement in statements(function.body)]
    calls = [n for f in functions for n in all_expressions(f.body) if isinstance(n, Call)]
    apart = not any(isinstance(one, Shared | Native) for one in everything)
    apart &= not any(
        (one.effect & Effect.BARRIER and one.function != "__syncwarp") or one.function.startswith("block_")
        for one in calls
    )
    placed = any(isinstance(one, Threads) for one in everything)
    return _WARPS if block_dim == WARP and placed and apart else 1
