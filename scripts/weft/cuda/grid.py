"""How a launch lies on a grid: which of its dimensions go along which axis, and what blocks fit them."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Collection, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.sizes import canonical_size, size_expression
from weft.cuda.tree import Literal
from weft.launch import Launch

MOST_BLOCKS = 65535
"""Blocks along y or z of a grid; x holds any number."""

_THREADS = 256
"""They divide the number of threads that a multiprocessor of any architecture holds."""
WARP = 32
"""Threads of a warp: shuffles need whole ones."""

_LARGEST_BLOCK = 1024
_DEEPEST_BLOCK = 64
_BUSY = 0.75
"""The share of a warp's threads below which other widths are looked at."""
_FEWEST = 128
"""The threads of a block below which a multiprocessor may not fill up."""
_FEW_ROWS = 4
"""The most rows of which each thread of a block may have one, so that a block is deep instead of tall."""
FILLING_BLOCKS = 1024
"""The most blocks of a grid whose threads stride, as in Luitjens, "Faster Parallel Reductions on Kepler"."""

_ONE_WARP = "There are few threads: blocks of one warp spread them over more multiprocessors."
_COUNTED_ON = "The kernel is written for blocks of this size."
_ROW = "Each block works on one row, with a thread for each element."
_WHOLE_ROWS = "A block is as wide as a row and covers several."
_PLANES = "A block has a thread for each element of the last two dimensions."
_LONG = "A grid has up to 65,535 blocks along y and z: the long dimension goes along its x."
_FILLING = "About 1,024 blocks keep a GPU busy: their threads stride over the other elements."
_SEVERAL = "At least {} elements per thread: with fewer, the atomics of a block would outweigh its work."
_PERHAPS_LONG = "A grid has up to 65,535 blocks along y and z: the first dimension goes along its x."


@dataclasses.dataclass(frozen=True, order=True)
class GridAxis:
    """An axis of a grid, x, y or z: the launch dimensions along it, outermost first, and the axis along which
    a block has several threads for them ('' if it has one). Threads stride along an axis that is `filled`
    with no more blocks than keep a GPU busy, each thread for so many `elements` at least; there they count
    without a sign if they are `unsigned`.
    """

    dims: tuple[int, ...]
    threads: str = ""
    filled: bool = False
    elements: int = 1
    unsigned: bool = False


@dataclasses.dataclass(frozen=True)
class Grid:
    """A grid. `axes` are x, y and z, `block` the threads of a block along each. A launch dimension on no axis
    is the last one, and each block spans it; without axes there is one block. `reason` says why, in lines.
    """

    axes: tuple[GridAxis, ...]
    block: tuple[int, int, int]
    reason: str

    @property
    def dimensions(self) -> int:
        """Those of a block."""
        return max([1, *(number for number, threads in enumerate(self.block, 1) if threads > 1)])

    @property
    def filled_axis(self) -> tuple[str, str]:
        """The axis that is filled, and that of a block's threads along it."""
        return next((name, axis.threads) for name, axis in zip("xyz", self.axes, strict=False) if axis.filled)


@dataclasses.dataclass(frozen=True)
class ExtentNames:
    """The constants that are `fixed` sizes, by name or number, extents of tiles, `across` their rows and
    `down` their columns, and numbers of `threads` along the axes of a block.
    """

    fixed: Mapping[str, str] = dataclasses.field(default_factory=dict)
    across: Mapping[int, str] = dataclasses.field(default_factory=dict)
    down: Mapping[int, str] = dataclasses.field(default_factory=dict)
    threads: Mapping[int, str] = dataclasses.field(default_factory=dict)

    def in_words_of(self, names: Mapping[str, str]) -> ExtentNames:
        """The same with the C++ names of the constants."""
        return ExtentNames(
            {size: names[name] for size, name in self.fixed.items()},
            *(
                {value: names[name] for value, name in one.items()}
                for one in (self.across, self.down, self.threads)
            ),
        )


LINEAR = Grid((GridAxis((0,), "x"),), (_THREADS, 1, 1), "")
"""That of a launch of one dimension."""


def linear_grid(block_dim: int) -> Grid:
    """That of a launch of one dimension whose kernel names the number of threads of a block."""
    return dataclasses.replace(LINEAR, block=(block_dim, 1, 1), reason=_COUNTED_ON)


def names_block(grid: Grid, numbers: Collection[int]) -> bool:
    """Whether some of the numbers of a kernel are those of the threads of its blocks, or their last."""
    threads = math.prod(grid.block)
    return not {threads, threads - 1, *grid.block}.isdisjoint({*numbers} - {0, 1})


def without_reason(grid: Grid) -> Grid:
    """The grid of a kernel that works in blocks of any size as well."""
    lines = [line for line in grid.reason.split("\n") if line != _COUNTED_ON]
    return dataclasses.replace(grid, reason="\n".join(lines))


def with_squares(launch: Launch, grid: Grid, threads: int) -> Grid | None:
    """The grid of blocks of so many threads along x and along y. None if the launch has no two dimensions for
    these.
    """
    block = (threads, threads, 1)
    if grid.axes == (GridAxis((0,), "y"),) and len(launch.dims) == 2:
        return _longest_first(launch, Grid((GridAxis((1,), "x"), GridAxis((0,), "y")), block, ""))
    if sorted(axis.threads for axis in grid.axes) != ["x", "y"] or len(launch.dims) != 2:
        return None
    lines = [line for line in grid.reason.split("\n") if line in (_LONG, _PERHAPS_LONG)]
    return dataclasses.replace(grid, block=block, reason="\n".join(lines))


def filled(launch: Launch, grid: Grid, elements: int = 1) -> Grid | None:
    """The grid with no more blocks than keep a GPU busy, whose threads stride along one axis. Each thread has
    at least so many `elements`. None where a launch is always small, or described as too small for several
    elements a thread, or no axis is known to be long.
    """
    few = elements * _THREADS * FILLING_BLOCKS
    count = " * ".join(f"({dim})" for dim in launch.dims)
    chosen = elements == 1 and any(isinstance(canonical_size(one, launch.sizes), str) for one in launch.dims)
    if not (launch.inferred_dims or chosen or launch_assumptions.may_exceed(launch, count, few)):
        return None
    strides = [number for number, axis in enumerate(grid.axes) if axis.filled]
    alone = len(grid.axes) == 1 and bool(grid.axes[0].threads)
    number = strides[0] if strides else 0 if alone else _long_axis(launch, grid)
    if number is None:
        return None
    axes = [*grid.axes]
    axes[number] = dataclasses.replace(axes[number], filled=True, elements=elements)
    lines = [line for line in grid.reason.split("\n") if line and line != _FILLING]
    lines += [*([_SEVERAL.format(elements)] if elements > 1 else []), _FILLING]
    return dataclasses.replace(grid, axes=tuple(axes), reason="\n".join(lines))


def _long_axis(launch: Launch, grid: Grid) -> int | None:
    """The axis of a launch of several dimensions that is described as the longest."""
    if launch.inferred_dims or launch.block_dim is not None or len(launch.dims) == 1:
        return None
    lengths = {
        number: (launch_assumptions.largest(launch, launch.dims[axis.dims[0]]), number)
        for number, axis in enumerate(grid.axes)
        if len(axis.dims) == 1 and axis.threads
    }
    return max(lengths, key=lengths.__getitem__, default=None)


def filled_with_blocks(launch: Launch, grid: Grid) -> Grid | None:
    """The same of a row of blocks that are the launch's own, where their threads count without a sign."""
    if len(grid.axes) > 1 or grid.dimensions > 1 or launch.inferred_dims:
        return None
    if not launch_assumptions.may_exceed(launch, launch.dims[0], FILLING_BLOCKS):
        return None
    axis = dataclasses.replace(grid.axes[0], filled=True, unsigned=True)
    return dataclasses.replace(grid, axes=(axis,), reason="\n".join(filter(None, [grid.reason, _FILLING])))


def grid_of(launch: Launch, warps: int = 1, order: Sequence[int] = ()) -> Grid:
    """How the dimensions of a launch lie on a grid. `order` is their order in memory, by default that of the
    launch; the last is the fastest and goes along x. A block works on one tile, or on `warps` tiles, one a
    warp.
    """
    rank = len(launch.dims)
    if launch.block_dim is not None:
        axes = [GridAxis((dim,), "" if launch.tiled else "x") for dim in reversed(range(rank))]
        grid = _longest_first(launch, Grid(tuple(axes), (launch.block_dim, 1, 1), _COUNTED_ON))
        return grid if warps == 1 else _shared_by_warps(grid, warps)
    if rank == 1:
        return _linear(launch)
    if spanned := _spanned(launch):
        block = _spanning(spanned, rank)
        reason = _PLANES if len(spanned) > 1 else _WHOLE_ROWS if math.prod(block) > block[0] else _ROW
        return _longest_first(launch, Grid(_axes(range(rank), block, len(spanned)), block, reason))
    order = [*(order or range(rank))]
    block = _block([_length(launch, dim) for dim in reversed(order)])
    if block[1] == 1 and block[2] > 1:
        # A short dimension of which each thread has one: the next is that of the rows of a block.
        order[-3:-1] = order[-2], order[-3]
        block = block[0], block[2], 1
    return _longest_first(launch, Grid(_axes(order, block, 0), block, ""))


def _linear(launch: Launch) -> Grid:
    """A row of blocks; one block where the launch is a number of threads that it can have, blocks of one warp
    where it is described as no more.
    """
    size = None if launch.inferred_dims else size_expression(launch.dims[0], launch.sizes)
    if not isinstance(size, Literal) or not isinstance(size.value, int) or size.value > _THREADS:
        few = not launch.inferred_dims and launch_assumptions.largest(launch, launch.dims[0]) <= WARP
        return dataclasses.replace(LINEAR, block=(WARP, 1, 1), reason=_ONE_WARP) if few else LINEAR
    return Grid((), (size.value, 1, 1), "")


def _axes(order: Sequence[int], block: tuple[int, int, int], spanned: int) -> tuple[GridAxis, ...]:
    """Axes for launch dimensions, the slowest first, of which a block spans the last ones."""
    alone = [(dim,) for dim in order[: len(order) - spanned]]
    together = [alone[0] + alone[1], *alone[2:]] if len(alone) > 3 else alone
    return tuple(
        GridAxis(dims, _threads(block, place)) for place, dims in enumerate(reversed(together), spanned)
    )


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
    return WARP // math.gcd(length, WARP)


def _spanning(spanned: Sequence[int], rank: int) -> tuple[int, int, int]:
    """A block of whole warps, which spans these lengths, the last first."""
    x, *others = spanned
    points = math.prod(spanned)
    rows = _rows_of_warps(points)
    while points < 2 * WARP and 2 * rows * points <= _THREADS:
        rows *= 2
    if rank == 2:
        return x, rows, 1
    if others:
        return x, others[0], min(rows, _DEEPEST_BLOCK)
    y = max(rows // 2, 1)
    return x, y, rows // y


def _length(launch: Launch, dim: int) -> int | None:
    """The length of a dimension, if it is a small number in the kernel, which no caller chooses."""
    size = None if launch.inferred_dims else size_expression(launch.dims[dim], launch.sizes)
    if isinstance(size, Literal) and isinstance(size.value, int) and size.value <= _THREADS:
        return size.value
    return None


def _busy(length: int, threads: int) -> float:
    """The share of threads along a dimension that have work."""
    return length / (-(-length // threads) * threads)


def _block(lengths: Sequence[int | None]) -> tuple[int, int, int]:
    """A block of up to 256 threads, whole warps, of which few have no work where dimensions are short. The
    fastest dimension in memory comes first. Threads along each are a power of two, and no more are deep than
    tall.
    """
    width, *others = lengths
    x = _width(width)
    rest = _THREADS // x
    powers = [1 << power for power in range(rest.bit_length())]
    few = others[0] is not None and others[0] <= _FEW_ROWS
    deep = [1] if len(others) == 1 else [2] if others[:2] == [None, None] else powers
    fitting = [
        (y, z)
        for y in powers
        for z in deep
        if y * z <= rest and x * y * z % WARP == 0 and z <= (_DEEPEST_BLOCK if y == 1 and few else y)
    ]

    def merit(shape: tuple[int, int]) -> tuple[int, int, int]:
        busy = [_busy(one, count) for one, count in zip(others, shape, strict=False) if one]
        # A block of so few rows is wider, if nothing keeps it from that.
        widened = width is None and shape[: len(others)] == tuple(filter(None, others))
        threads = _THREADS if widened else x * math.prod(shape)
        return round(8 * math.prod(busy) * min(1, threads / _FEWEST)), threads, shape[0]

    y, z = max(fitting, key=merit)
    while width is None and 2 * x * y * z <= _THREADS:
        x *= 2
    return x, y, z


def _width(row: int | None) -> int:
    """How many threads lie along the fastest dimension: less than a warp where rows leave a quarter of the
    last warp's threads or more without work.
    """
    if row is None or _busy(row, WARP) > _BUSY:
        return WARP
    return max(WARP, WARP // 2, min(WARP, _power_of_two(row)), key=functools.partial(_busy, row))


def _power_of_two(length: int) -> int:
    """The smallest power of two that is no smaller."""
    return 1 << max(length - 1, 0).bit_length()


def _threads(block: tuple[int, int, int], from_last: int) -> str:
    return "xyz"[from_last] if from_last < 3 and block[from_last] > 1 else ""


def _shared_by_warps(grid: Grid, warps: int) -> Grid:
    """The grid of blocks that several warps share, which are apart along y."""
    first, *others = grid.axes
    axes = (dataclasses.replace(first, threads="y"), *others)
    return dataclasses.replace(grid, axes=axes, block=(WARP, warps, 1))


def threads_along(axis: GridAxis, block: tuple[int, int, int]) -> int:
    """The threads of a block along an axis of the grid."""
    return block["xyz".index(axis.threads)] if axis.threads else 1


def whole_blocks_along(axis: GridAxis, grid: Grid, extent: int | None) -> int | None:
    """How many blocks lie along an axis whose extent is a number, if none has threads beyond it."""
    if extent is None or len(axis.dims) > 1 or not axis.threads:
        return None
    blocks, beyond = divmod(extent, threads_along(axis, grid.block))
    return None if beyond else blocks


def _longest_first(launch: Launch, grid: Grid) -> Grid:
    """The grid, with a dimension along x that may need more blocks than y and z have: the first one where
    nobody said which dimensions are long.
    """

    def blocks(axis: GridAxis) -> float:
        size = " * ".join(f"({launch.dims[dim]})" for dim in axis.dims)
        threads = threads_along(axis, grid.block)
        if not launch_assumptions.may_outgrow(launch, size, MOST_BLOCKS * threads):
            return 0.0
        return launch_assumptions.largest(launch, size) / threads

    first = grid.axes[-1] if launch.inferred_dims else max(grid.axes, key=blocks)
    if first is grid.axes[0]:
        return grid
    others = [axis for axis in grid.axes if axis is not first]
    axes = (first, *(others[::-1] if first is grid.axes[-1] else others))
    reason = _PERHAPS_LONG if launch.inferred_dims else _LONG
    return dataclasses.replace(grid, axes=axes, reason="\n".join(filter(None, [grid.reason, reason])))
