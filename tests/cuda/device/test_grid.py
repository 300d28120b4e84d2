"""How launches lie on grids: blocks fit extents that are numbers, and the fastest dimension in memory goes
along x unless another one may be too long for y and z.
"""

from typing import Any

import pytest

from weft.cuda.grid import GridAxis, grid_of, linear_grid, names_block, without_reason
from weft.launch import Launch, parse_launch


def launch(dims: list[Any], **more: Any) -> Launch:
    return parse_launch({"dims": dims, "parameters": {}, **more}, "launch")


SIZES = {
    "k": "3",
    "w": "12",
    "u": "20",
    "c": "48",
    "v": "min(n // 2 + 8, 64)",
}

GRIDS = {
    "one dimension": (["n"], [((0,), "x")], (256, 1, 1)),
    "one thread": ([1], [], (1, 1, 1)),
    "no more threads than a block has": ([100], [], (100, 1, 1)),
    "more threads than a block has": ([300], [((0,), "x")], (256, 1, 1)),
    "a warp that the caller may outgrow": (["w"], [((0,), "x")], (32, 1, 1)),
    "a square": (["n", "n"], [((1,), "x"), ((0,), "y")], (32, 8, 1)),
    "a cube": (["n", "n", "n"], [((2,), "x"), ((1,), "y"), ((0,), "z")], (32, 4, 2)),
    "short rows, as many as a grid has along y": (
        ["n // 1000000 + 1", "w"],
        [((1,), "x"), ((0,), "y")],
        (32, 8, 1),
    ),
    "short rows, more of them": (["n", "w"], [((0,), "y"), ((1,), "x")], (32, 8, 1)),
    "planes of 20 by 12, which a caller may choose otherwise": (
        ["n", "u", "w"],
        [((0,), "z"), ((1,), "y"), ((2,), "x")],
        (32, 4, 2),
    ),
    "maps of short rows": ([8, "v", "u"], [((2,), "x"), ((1,), "y"), ((0,), "")], (32, 8, 1)),
    "pixels of three channels, a plane for each": (
        ["(n + 63) // 64", "k", "(n + 63) // 64"],
        [((0,), "z"), ((1,), "y"), ((2,), "x")],
        (32, 4, 2),
    ),
    "rows that are short at all sizes": (
        ["n // 99 + 1", "min(n // 4 + 4, 16)"],
        [((1,), "x"), ((0,), "y")],
        (32, 8, 1),
    ),
    "rows of a picture": (["(n + 63) // 64", "v"], [((1,), "x"), ((0,), "y")], (32, 8, 1)),
    "two rows": ([2, "n"], [((1,), "x"), ((0,), "y")], (128, 2, 1)),
    "few rows, which a caller may choose": (["w // 4", "n"], [((1,), "x"), ((0,), "y")], (32, 8, 1)),
    "a long first dimension of three": (
        ["n", "w", "w"],
        [((0,), "z"), ((1,), "y"), ((2,), "x")],
        (32, 4, 2),
    ),
    "a long second dimension": (
        ["w", "n", "w"],
        [((1,), "y"), ((2,), "x"), ((0,), "z")],
        (32, 4, 2),
    ),
    "rows of three numbers": (["n", 3], [((0,), "y")], (3, 64, 1)),
    "rows of twelve": (["n", 12], [((0,), "y")], (12, 16, 1)),
    "a warp": (["n", 32], [((0,), "y")], (32, 8, 1)),
    "a block": (["n", 128], [((0,), "")], (128, 1, 1)),
    "more than a block": (["n", 2000], [((0,), "y"), ((1,), "x")], (32, 8, 1)),
    "small matrices": (["n", 3, 4], [((0,), "z")], (4, 3, 16)),
    "tiles of a picture": (["n", "w", 8, 4], [((0,), ""), ((1,), "z")], (4, 8, 8)),
    "four dimensions": (
        ["w", 3, "n", "w"],
        [((2,), "y"), ((3,), "x"), ((0, 1), "")],
        (32, 8, 1),
    ),
}


@pytest.mark.parametrize(("dims", "axes", "block"), GRIDS.values(), ids=GRIDS)
def test_a_block_fits_the_extents(dims: list[Any], axes: list[Any], block: tuple[int, int, int]) -> None:
    grid = grid_of(launch(dims, sizes=SIZES))
    assert grid.axes == tuple(GridAxis(*axis) for axis in axes)
    assert grid.block == block


@pytest.mark.parametrize("size", ["w", "c"])
def test_a_block_is_no_reason_to_name_the_length_of_a_test_s_rows(size: str) -> None:
    """A caller may choose another."""
    reason = grid_of(launch(["n", size], sizes=SIZES)).reason
    assert SIZES[size] not in reason


def test_the_fastest_dimension_in_memory_goes_along_x() -> None:
    grid = grid_of(launch(["n", "w", "n"], sizes={"w": "12"}), order=(2, 0, 1))
    assert [axis.dims for axis in grid.axes] == [(1,), (0,), (2,)]
    assert grid.block == (32, 4, 2)


@pytest.mark.parametrize("last", [*range(1, 200), 500, 1000, 1024, 1025])
def test_a_block_is_whole_warps(last: int) -> None:
    for dims in (["n", last], ["n", last, last], ["n", 2, last], ["w", "n", "w", last]):
        x, y, z = grid_of(launch(dims, sizes={"w": str(last)})).block
        assert x * y * z % 32 == 0
        assert x * y * z <= 1024
        assert z <= 64


@pytest.mark.parametrize("length", range(1, 200))
def test_blocks_of_lengths_with_names_are_powers_of_two(length: int) -> None:
    for dims in (["n", "w"], ["w", "n"], ["n", "w", "w"], ["w", "w", "n"], [9, "w", "w"]):
        block = grid_of(launch(dims, sizes={"w": str(length)})).block
        assert all(threads.bit_count() == 1 for threads in block)
        assert block[2] <= block[1] or length <= 4


@pytest.mark.parametrize("dims", [["w", "n"], ["n", "w"], ["n", 3], ["w", "w", "n"]])
def test_the_first_dimension_may_be_long_in_a_launch_that_nobody_described(dims: list[Any]) -> None:
    grid = grid_of(launch(dims, sizes={"w": "12"}, inferred_dims=True))
    assert grid.axes == tuple(GridAxis((dim,), "xyz"[len(dims) - 1 - dim]) for dim in range(len(dims)))
    assert grid.block == ((32, 8, 1) if len(dims) == 2 else (32, 4, 2))


def test_tiles_along_a_long_dimension_go_along_x() -> None:
    grid = grid_of(launch(["n", "w"], sizes={"w": "12"}, block_dim=64))
    assert [axis.dims for axis in grid.axes] == [(0,), (1,)]
    assert grid.block == (64, 1, 1)


def test_a_launcher_says_that_a_kernel_counts_on_its_block_where_it_has_the_number() -> None:
    grid = linear_grid(64)
    assert names_block(grid, {1, 64}) and names_block(grid, {63})
    assert not names_block(grid, {0, 1, 2})
    assert grid.reason and not without_reason(grid).reason
