"""How a launch lies on a grid: which of its dimensions go along which axis, and what blocks fit them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from weft.cuda import launch_assumptions
from weft.cuda.sizes import size_expression
from weft.cuda.tree import Literal
from weft.launch import Launch

MOST_BLOCKS = 65535
"""Blocks along y or z of a grid; x holds any number."""

_THREADS = 256
_WARP = 32
_LARGEST_BLOCK = 1024
_DEEPEST_BLOCK = 64

_DIVIDES = "256 divides the number of threads that a multiprocessor of any architecture holds."
_COUNTED_ON = "The kernel counts on blocks of this size."
_SPANNED = (
    "A warp spans 32 neighbours along x, the fastest dimension in memory.",
    "A block spans the last dimension, {}.",
    "A block spans the last dimensions, {} by {}.",
)
_LONG = "A grid has up to 65,535 blocks along y and z: the long dimension goes along its x."
_STRIDED = "A grid has up to 65,535 blocks along y and z: threads stride over what is beyond them."


@dataclasses.dataclass(frozen=True, order=True)
class GridAxis:
    """x, y or z of a grid: the launch dimensions along it, outermost first, and the axis along which a block
    has several threads for them ('' for one).
    """

    dims: tuple[int, ...]
    threads: str = ""


@dataclasses.dataclass(frozen=True)
class Grid:
    """`axes` are x, y and z, and `block` the threads along x, y and z of a block. A launch dimension that is
    on no axis is the last, and each block spans it. If `strided`, nobody knows whether a grid is large enough
    along y and z, and threads stride on. `reason` says why all this is so, in lines.
    """

    axes: tuple[GridAxis, ...]
    block: tuple[int, int, int]
    reason: str
    strided: bool = False

    def without_strides(self) -> Grid:
        """The same for a kernel whose threads cannot stride: what is beyond y and z is not launched."""
        return dataclasses.replace(self, strided=False, reason=self.reason.removesuffix(f"\n{_STRIDED}"))

    @property
    def dimensions(self) -> int:
        """Those of a block."""
        return max(1, *(number for number, threads in enumerate(self.block, 1) if threads > 1))


LINEAR = Grid((GridAxis((0,), "x"),), (_THREADS, 1, 1), _DIVIDES)
"""That of a launch of one dimension."""


def linear_grid(block_dim: int) -> Grid:
    """That of a launch of one dimension whose kernel names the number of threads of a block."""
    return dataclasses.replace(LINEAR, block=(block_dim, 1, 1), reason=_COUNTED_ON)


def grid_of(launch: Launch, warps: int = 1) -> Grid:
    """How the dimensions of a launch lie on a grid; the last is the fastest in memory. A block works on one
    tile, or `warps` on one each.
    """
    rank = len(launch.dims)
    if launch.block_dim is not None:
        axes = [GridAxis((dim,), "" if launch.tiled else "x") for dim in reversed(range(rank))]
        grid = _longest_first(launch, Grid(tuple(axes), (launch.block_dim, 1, 1), _COUNTED_ON))
        return grid if warps == 1 else _shared_by_warps(grid, warps)
    if rank == 1:
        return LINEAR
    spanned = _spanned(launch)
    block = _block(spanned, rank)
    reason = _SPANNED[len(spanned)].format(*reversed(spanned))
    alone = [(dim,) for dim in range(rank - len(spanned))]
    together = [(0, 1), *alone[2:]] if len(alone) > 3 else alone
    axes = [GridAxis(dims, _threads(block, rank - 1 - dims[-1])) for dims in reversed(together)]
    if launch.inferred_dims:
        return Grid(tuple(axes), block, f"{reason}\n{_STRIDED}", strided=True)
    return _longest_first(launch, Grid(tuple(axes), block, reason))


def _spanned(launch: Launch) -> tuple[int, ...]:
    """The lengths of the last dimensions that are numbers, the last first: as many as one block of whole
    warps can span. A length that has a name is the caller's to choose.
    """
    spanned: tuple[int, ...] = ()
    for dim in [] if launch.inferred_dims else launch.dims[:0:-1]:
        size = size_expression(dim, launch.sizes)
        if not isinstance(size, Literal) or not isinstance(size.value, int):
            break
        points = math.prod(spanned) * size.value
        if len(spanned) == 2 or points * _rows_of_warps(points) > _LARGEST_BLOCK:
            break
        spanned = (*spanned, size.value)
    return spanned


def _rows_of_warps(length: int) -> int:
    """The fewest rows of a length that are whole warps together."""
    return _WARP // math.gcd(length, _WARP)


def _block(spanned: Sequence[int], rank: int) -> tuple[int, int, int]:
    """A block of whole warps, which spans these lengths, the last first."""
    x, *others = spanned or (_WARP,)
    points = math.prod(spanned or (_WARP,))
    rows = _rows_of_warps(points)
    while points < 2 * _WARP and 2 * rows * points <= _THREADS:
        rows *= 2
    if rank == 2:
        return x, rows, 1
    if others:
        return x, others[0], min(rows, _DEEPEST_BLOCK)
    y = max(rows // 2, 1)
    return x, y, rows // y


def _threads(block: tuple[int, int, int], from_last: int) -> str:
    return "xyz"[from_last] if from_last < 3 and block[from_last] > 1 else ""


def _shared_by_warps(grid: Grid, warps: int) -> Grid:
    """The grid of blocks that several warps share, which are apart along y."""
    first, *others = grid.axes
    axes = (dataclasses.replace(first, threads="y"), *others)
    return dataclasses.replace(grid, axes=axes, block=(_WARP, warps, 1))


def _longest_first(launch: Launch, grid: Grid) -> Grid:
    """The grid, with a dimension along x that may need more blocks than y and z have."""

    def excess(axis: GridAxis) -> float:
        size = " * ".join(f"({launch.dims[dim]})" for dim in axis.dims)
        threads = grid.block["xyz".index(axis.threads)] if axis.threads else 1
        too_long = launch_assumptions.may_exceed(launch, size, MOST_BLOCKS * threads)
        return launch_assumptions.largest(launch, size) / threads if too_long else 0.0

    first = max(grid.axes, key=excess)
    if first is grid.axes[0]:
        return grid
    others = [axis for axis in grid.axes if axis is not first]
    axes = (first, *(others[::-1] if first is grid.axes[-1] else others))
    return dataclasses.replace(grid, axes=axes, reason=f"{grid.reason}\n{_LONG}")
