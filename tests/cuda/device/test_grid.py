"""How launches lie on grids: blocks fit the extents, the fastest dimension in memory goes along x, and
threads stride where a grid may be too short.
"""

from typing import Any

import pytest

from weft.cuda.grid import GridAxis, grid_of, linear_grid, names_block, without_reason, without_strides
from weft.launch import Launch, parse_launch


def launch(dims: list[Any], **more: Any) -> Launch:
    return parse_launch({"dims": dims, "parameters": {}, **more}, "launch")


GRIDS = {
    "one dimension": (["n"], [((0,), "x")], (256, 1, 1)),
    "one thread": ([1], [((0,), "x")], (32, 1, 1)),
    "fewer threads than a block has": ([100], [((0,), "x")], (128, 1, 1)),
    "a warp that the caller may outgrow": (["w"], [((0,), "x")], (32, 1, 1)),
    "a square": (["n", "n"], [((1,), "x"), ((0,), "y")], (32, 8, 1)),
    "a cube": (["n", "n", "n"], [((2,), "x"), ((1,), "y"), ((0,), "z")], (32, 4, 2)),
    "short rows, as many as a grid has along y": (
        ["n // 1000000 + 1", "w"],
        [((1,), "x"), ((0,), "y")],
        (16, 16, 1),
    ),
    "short rows, more of them": (["n", "w"], [((1,), "x"), ((0,), "y", True)], (16, 16, 1)),
    "few rows": (["w // 4", "n"], [((1,), "x"), ((0,), "y")], (64, 4, 1)),
    "a long first dimension of three": (
        ["n", "w", "w"],
        [((2,), "x"), ((1,), "y"), ((0,), "", True)],
        (16, 16, 1),
    ),
    "a long second dimension": (
        ["w", "n", "w"],
        [((2,), "x"), ((1,), "y", True), ((0,), "z")],
        (16, 4, 4),
    ),
    "rows of three numbers": (["n", 3], [((0,), "y")], (3, 64, 1)),
    "rows of twelve": (["n", 12], [((0,), "y")], (12, 16, 1)),
    "a warp": (["n", 32], [((0,), "y")], (32, 8, 1)),
    "a block": (["n", 128], [((0,), "")], (128, 1, 1)),
    "more than a block": (["n", 2000], [((1,), "x"), ((0,), "y", True)], (32, 8, 1)),
    "small matrices": (["n", 3, 4], [((0,), "z")], (4, 3, 16)),
    "tiles of a picture": (["n", "w", 8, 4], [((0,), ""), ((1,), "z")], (4, 8, 8)),
    "four dimensions": (
        ["w", 3, "n", "w"],
        [((3,), "x"), ((2,), "y", True), ((0, 1), "z")],
        (16, 4, 4),
    ),
}


@pytest.mark.parametrize(("dims", "axes", "block"), GRIDS.values(), ids=GRIDS)
def test_a_block_fits_the_extents(dims: list[Any], axes: list[Any], block: tuple[int, int, int]) -> None:
    grid = grid_of(launch(dims, sizes={"w": "12"}))
    assert grid.axes == tuple(GridAxis(*axis) for axis in axes)
    assert grid.block == block


def test_the_fastest_dimension_in_memory_goes_along_x() -> None:
    grid = grid_of(launch(["n", "w", "n"], sizes={"w": "12"}), order=(2, 0, 1))
    assert [axis.dims for axis in grid.axes] == [(1,), (0,), (2,)]
    assert grid.block == (16, 8, 2)


def test_the_longest_dimension_goes_along_x_where_threads_cannot_stride() -> None:
    described = launch(["n", "w"], sizes={"w": "12"})
    grid = without_strides(described, grid_of(described))
    assert grid.axes == (GridAxis((0,), "y"), GridAxis((1,), "x"))
    assert "stride" not in grid.reason


@pytest.mark.parametrize("last", [*range(1, 200), 500, 1000, 1024, 1025])
def test_a_block_is_whole_warps(last: int) -> None:
    for dims in (["n", last], ["n", last, last], ["n", 2, last], ["w", "n", "w", last]):
        x, y, z = grid_of(launch(dims, sizes={"w": str(last)})).block
        assert x * y * z % 32 == 0
        assert x * y * z <= 1024
        assert z <= 64


@pytest.mark.parametrize("dims", [["w", "n"], ["n", "w"], ["n", 3], ["w", "w", "n"]])
def test_nothing_is_known_of_a_launch_that_nobody_described(dims: list[Any]) -> None:
    grid = grid_of(launch(dims, sizes={"w": "12"}, inferred_dims=True))
    assert grid.strided
    assert grid.axes == tuple(
        GridAxis((dim,), threads, threads != "x")
        for dim, threads in zip(reversed(range(len(dims))), "xyz", strict=False)
    )
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
