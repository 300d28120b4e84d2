"""Pass: where every thread of a block reads the same elements in a loop, the block reads them once.

Before: each thread walks through whole arrays, `for (int j = 0; j < count; ++j)`, as in the sum of the forces
of all bodies on each. After: the loop goes from tile to tile (`staged_loops`).

Source: Nyland, Harris and Prins, "Fast N-Body Simulation with CUDA" (GPU Gems 3, chapter 31).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.contents import assigned_names, contents
from weft.cuda.fresh_names import fresh
from weft.cuda.grid import LINEAR, Grid
from weft.cuda.passes.staged_loops import (
    Counts,
    Names,
    Operand,
    Staged,
    checked_work,
    fits,
    may_leave,
    names_for,
    stage,
)
from weft.cuda.sizes import canonical_size
from weft.cuda.tiles.loops import THREAD
from weft.cuda.traverse import all_expressions, is_name, walk
from weft.cuda.tree import BOOL, INT, AddressOf, Binary, Declare, For, Function, Name, Pointee, Shared
from weft.launch import Launch
from weft.sizes import Size
from weft.types import Array, Structs

_FEWEST = 64
"""The threads of the smallest block. A loop of no more turns has one tile: caches do as well."""

_REMARK = "All threads read the same elements: the block stages a tile of them at a time."


def share_loops(
    kernel: Function,
    launch: Launch,
    grid: Grid,
    written: Collection[str],
    sizes: Mapping[str, Size],
    structs: Structs,
) -> Grid:
    """Run the pass on a kernel whose launch has one dimension, and give the grid that it then has. `written`
    are the leaves that the kernel writes, `sizes` what its parameters are described as.
    """
    if grid != LINEAR or (work := checked_work(kernel)) is None:
        return grid
    head, check = work
    everything = contents(kernel)
    fixed = {name: size for name, size in sizes.items() if name not in everything.assigned}
    counts = Counts(launch, fixed)
    arrays = _readable(kernel, launch, written)
    found = [
        (one, loads) for one in check.body if isinstance(one, For) and (loads := _loads(one, counts, arrays))
    ]
    if not found:
        return grid
    threads, most = math.prod(grid.block), max(counts.most(loop) for loop, _ in found)
    while threads >= most:
        threads //= 2
    names, next = names_for(launch, threads, everything.taken), fresh("next", everything.taken)
    shared = {array: fresh(f"shared_{array}", everything.taken) for _, loads in found for array in loads}
    staged = [_staged(loop, loads, names, next, shared) for loop, loads in found]
    if not fits(staged, structs):
        return grid
    kernel.body = stage(head, check, staged, names, _REMARK)
    return dataclasses.replace(grid, block=(threads, 1, 1))


def _readable(kernel: Function, launch: Launch, written: Collection[str]) -> dict[str, Size]:
    """The arrays of one dimension that nobody writes, and how many elements each has."""
    return {
        name: canonical_size(extent, launch.sizes)
        for name, kind in kernel.parameters
        if isinstance(kind, Array)
        and kind.ndim == 1
        and launch_assumptions.is_only_read(launch, name, written)
        and (extent := launch_assumptions.extent_of(launch, name, 0)) is not None
    }


def _loads(loop: For, counts: Counts, arrays: Mapping[str, Size]) -> dict[str, list[Pointee]]:
    """What a loop loads of whole arrays, if every thread takes all of its turns, and loads nothing else in a
    turn: memory of its own would be what a thread waits for.
    """
    nodes, changed = all_expressions(loop.body), assigned_names(loop.body)
    if counts.most(loop) <= _FEWEST or may_leave(loop.body) or loop.name in changed:
        return {}
    loads: dict[str, list[Pointee]] = {}
    for node in nodes:
        match node:
            case AddressOf():
                return {}
            case Pointee(base=Name(name=array), offset=Name(name=loop.name), address=False):
                if array not in arrays or arrays[array] != counts.size(loop):
                    return {}
                loads.setdefault(array, []).append(node)
            case Pointee() if any(is_name(one, name) for one in walk(node) for name in (loop.name, *changed)):
                return {}
    return loads


def _staged(
    loop: For, loads: Mapping[str, Sequence[Pointee]], names: Names, next: str, shared: Mapping[str, str]
) -> Staged:
    """The loop, with an element of each tile for each thread."""
    inside = Binary(BOOL, "<", Name(INT, next), loop.stop)
    operands = []
    for array, found in loads.items():
        kind = found[0].type
        tile = Shared(kind, shared[array], (int(names.tile.value),), extents=[names.tile], node=loop.node)
        row = Name(kind, shared[array])
        operands.append(
            Operand(
                found,
                tile,
                inside,
                dataclasses.replace(found[0], offset=Name(INT, next)),
                Pointee(kind, row, Name(INT, THREAD)),
                Pointee(kind, row, names.along(loop.name)),
            )
        )
    place = Declare(INT, next, Binary(INT, "+", names.first(), Name(INT, THREAD)), True)
    return Staged(loop, operands, [place])
