"""The thread's place in the launch, the bounds check."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

from weft.cuda.conditions import joined
from weft.cuda.contents import mentioned_names
from weft.cuda.device_code import Axis
from weft.cuda.grid import GridAxis, grid_of, whole_blocks_along
from weft.cuda.passes.coalescing import memory_order
from weft.cuda.passes.extent_parameters import ExtentParameters, extent_name
from weft.cuda.passes.grid_stride import strided_loop
from weft.cuda.passes.offsets import times
from weft.cuda.passes.own_checks import OwnChecks, take_checks
from weft.cuda.sizes import counts_blocks, size_expression
from weft.cuda.traverse import clone, statements, walk
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Declare,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Remark,
    Return,
    Statement,
    Threads,
)
from weft.launch import Launch
from weft.sizes import Size, size_names


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a thread of a described launch is: its coordinates, none of which changes, what they are below,
    in the kernel and as sizes, and the `lines` that say so and check it.
    """

    coordinates: tuple[str, ...]
    extents: tuple[Expression, ...]
    sizes: tuple[Size, ...]
    lines: tuple[Statement, ...]


@dataclasses.dataclass(frozen=True)
class _Counter:
    """What threads count along an axis of the grid, or within a block: a variable, and the test that a thread
    is beyond, None where none is. `inside` are the coordinates that follow from it.
    """

    variable: Declare
    beyond: Binary | None
    inside: tuple[Statement, ...] = ()


class LaunchPlace:
    """Writes out what `tid()` is, for one kernel.

    `grid` says how the launch lies on a grid, `covered` how long its dimensions are, less the threads beyond
    the kernel's own check. `place` is there for a described launch of several dimensions.
    """

    def __init__(self, launch: Launch, written: set[str], extents: ExtentParameters, warps: int = 1) -> None:
        self.launch = launch
        self.written = written
        self.extents = extents
        self.warps = warps
        self.grid = grid_of(launch, warps)
        self.covered = launch.dims
        self.place: Place | None = None

    def replace(self, threads: Threads, rest: list[Statement]) -> list[Statement]:
        """What stands for `threads` and the statements after it. Extents are parameters already."""
        if self.launch.block_dim is not None:
            place, beyond = self._place_of_block(threads), self._beyond_blocks(threads)
            return _commented([*place, *([beyond, *after_guard(rest)] if beyond else rest)], threads)
        if len(threads.names) == 1 and (
            found := strided_loop(threads.names[0], rest, self.launch, self.written)
        ):
            loop, threads_given = found
            self.extents.only_launches(threads_given, self.launch.dims[0])
            loop.start, loop.stride = number_along("x", "x"), threads_along("x", "x")
            return [loop]
        checks = take_checks(threads.names, rest, self.launch, self.written)
        self.grid = grid_of(self.launch, self.warps, memory_order(threads.names, checks.rest))
        extents = self._extents(threads.names, checks)
        lines = _lines(self._counters(threads, extents), checks.before, checks.trailing)
        lines[0].trailing = threads.trailing
        if not self.launch.inferred_dims and len(threads.names) > 1 and all(_constants(threads)):
            self.place = Place(tuple(threads.names), tuple(extents), self.covered, tuple(lines))
        return [*lines, *after_guard(checks.rest)]

    def count_blocks(self, kernel: Function) -> None:
        """The launcher must know how many blocks there are, though no block asks: it counts them itself where
        they are made of sizes that it has.
        """
        used = mentioned_names(kernel.body)
        counted: list[str] = []
        for axis, dim in enumerate(self.launch.dims):
            if self.launch.inferred_dims or self.extents.holder(dim) or not counts_blocks(dim):
                self._blocks_along(axis)
                continue
            counted += [e.name for n in size_names(dim) if isinstance(e := self.extents.size(n, n), Name)]
        self.extents.in_order(counted)
        for extent in self.extents.parameters:
            extent.launches_only = extent.name not in used

    def _place_of_block(self, threads: Threads) -> list[Statement]:
        """A block for each point of the launch; then the thread's place in it."""
        axes = [number_along(letter, axis.threads) for letter, axis in self._axes()]
        places = [*axes, _place("threadIdx", "x")]
        if not self.launch.tiled:
            # The launch is of whole blocks, so that all threads reach every barrier.
            places = [number_along("x", "x")]
        return [
            Declare(INT, name, place, constant, node=threads.node)
            for name, constant, place in zip(threads.names, _constants(threads), places, strict=False)
        ]

    def _beyond_blocks(self, threads: Threads) -> If | None:
        """The guard against warps that have no tile, if several share a block."""
        shared = [axis.dims[0] for axis in self.grid.axes if axis.threads] if self.launch.tiled else []
        for dim in shared:
            return guard(Binary(BOOL, ">=", Name(INT, threads.names[dim]), self._blocks_along(dim)))
        return None

    def _blocks_along(self, axis: int) -> Expression:
        name = extent_name("", len(self.launch.dims), axis, False).strip("_")
        return self.extents.of_launch(axis, f"{name}_of_blocks")

    def _axes(self) -> list[tuple[str, GridAxis]]:
        """The axes of the grid, in the order of the launch dimensions."""
        return sorted(zip("xyz", self.grid.axes, strict=False), key=lambda pair: pair[1].dims)

    def _number(self, dim: int) -> int | None:
        """What the coordinates along a dimension are below, if no caller chooses it."""
        if self.launch.inferred_dims:
            return None
        match size_expression(self.covered[dim], self.launch.sizes):
            case Literal(value=int(extent)):
                return extent
            case _:
                return None

    def _extents(self, names: Sequence[str], checks: OwnChecks) -> list[Expression]:
        """What the coordinates are below: the extents of the launch, or where the kernel's own checks end."""
        extents, sizes = [], []
        for axis, name in enumerate(names):
            limit, size = checks.limits.get(name, (None, self.launch.dims[axis]))
            if limit is None or self.launch.inferred_dims:
                if isinstance(limit, Name):
                    self.extents.held[Axis(None, axis)] = limit.name
                limit = self.extents.of_launch(axis, self._extent_name(names, axis))
            extents.append(limit)
            sizes.append(size)
        self.covered = tuple(sizes)
        return extents

    def _extent_name(self, names: Sequence[str], axis: int) -> str:
        if len(names) == 1:
            return "thread_count"
        name = extent_name("", len(names), axis, False).strip("_")
        taken = not self.launch.inferred_dims or name in self.extents.taken
        return f"{names[axis]}_count" if taken else name

    def _counters(self, threads: Threads, extents: Sequence[Expression]) -> list[_Counter]:
        """What threads count, in the order of the launch dimensions."""
        counters = [self._counter(letter, axis, threads, extents) for letter, axis in self._axes()]
        rank = len(threads.names)
        for dim in range(sum(len(axis.dims) for axis in self.grid.axes), rank):
            name, constant = threads.names[dim], _constants(threads)[dim]
            thread = _place("threadIdx", "xyz"[rank - 1 - dim])
            coordinate = Declare(INT, name, thread, constant, node=threads.node)
            counters.append(_Counter(coordinate, None))
        return counters

    def _counter(
        self, letter: str, axis: GridAxis, threads: Threads, extents: Sequence[Expression]
    ) -> _Counter:
        """The counter of an axis; the extent of what it counts is in its test, and is lowered there."""
        names = [threads.names[dim] for dim in axis.dims]
        constants = [_constants(threads)[dim] for dim in axis.dims]
        values: list[Expression] = []
        counted, constant = names[0], constants[0]
        if len(names) > 1:
            counted, constant = self.extents.free("slice"), True
            last = extents[axis.dims[-1]]
            values = [Binary(INT, operator, Name(INT, counted), clone(last)) for operator in ("/", "%")]
        beyond, number = None, number_along(letter, axis.threads)
        blocks = whole_blocks_along(axis, self.grid, self._number(axis.dims[0]))
        if blocks == 1:
            number = _place("threadIdx", axis.threads)
        elif axis.threads and blocks is None:
            count = functools.reduce(times, [clone(extents[dim]) for dim in axis.dims])
            beyond = Binary(BOOL, ">=", Name(INT, counted), count)
        return _Counter(
            Declare(INT, counted, number, constant, node=threads.node),
            beyond,
            tuple(
                Declare(INT, *one, node=threads.node) for one in zip(names, values, constants, strict=False)
            ),
        )


def _lines(counters: Sequence[_Counter], before: Sequence[Statement], trailing: str) -> list[Statement]:
    """The variables that count, and the check that stops the threads that are beyond."""
    tests = [one.beyond for one in counters if one.beyond is not None]
    lines: list[Statement] = [*(one.variable for one in counters), *before]
    if tests:
        beyond = joined(tests, "||")
        lines.append(dataclasses.replace(guard(beyond, trailing), node=counters[0].variable.node))
    return [*lines, *(line for one in counters for line in one.inside)]


def _constants(threads: Threads) -> list[bool]:
    return threads.declares or [True] * len(threads.names)


def _commented(lines: list[Statement], threads: Threads) -> list[Statement]:
    lines[0].trailing = threads.trailing
    return lines


def guard(test: Expression, trailing: str = "") -> If:
    """`if (test) return;`"""
    return If(test, [Return([])], [], guard=True, trailing=trailing)


def after_guard(rest: list[Statement]) -> list[Statement]:
    """The statements after a guard: guards of the kernel's own at once, the others below a blank line."""
    if not rest:
        return rest
    match rest[0]:
        case Remark(text=""):
            return rest
        case If(body=[Return()], otherwise=[], trailing="") as check:
            check.guard = True
            return [check, *after_guard(rest[1:])]
        case _:
            return [Remark(""), *rest]


def strides_grid(statement: Statement) -> bool:
    """Whether this is a grid-stride loop, each turn of which does what a thread of a launch does."""
    if not isinstance(statement, For) or statement.stride is None:
        return False
    return bool(_grid_extents(statement.stride))


def strided_axes(kernel: Function) -> str:
    """The axes of the grid along which a kernel's threads stride."""
    strides = [one.stride for one in statements(kernel.body) if isinstance(one, For)]
    return "".join(sorted({axis for one in strides if one is not None for axis in _grid_extents(one)}))


def _grid_extents(stride: Expression) -> list[str]:
    """The axes whose number of blocks an expression has."""
    names = [node.name for node in walk(stride) if isinstance(node, Name)]
    return [name.removeprefix("gridDim.") for name in names if name.startswith("gridDim.")]


def _place(variable: str, letter: str) -> Expression:
    return Name(INT, f"{variable}.{letter}")


def number_along(letter: str, threads: str) -> Expression:
    """The number of a thread along an axis of the grid, along which a block has those of its axis `threads`,
    or one if that is ''.
    """
    block = _place("blockIdx", letter)
    if not threads:
        return block
    before = Binary(INT, "*", block, _place("blockDim", threads))
    return Binary(INT, "+", before, _place("threadIdx", threads))


def threads_along(letter: str, threads: str) -> Expression:
    """How many threads a grid has along an axis."""
    blocks_along = _place("gridDim", letter)
    return Binary(INT, "*", blocks_along, _place("blockDim", threads)) if threads else blocks_along
