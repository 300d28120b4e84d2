"""Tiles of generated kernels: blocks write apart, sums of floats are exact, shapes fit."""

import re

import pytest

from weft.kernels import generate, tiles
from weft.kernels.builder import Builder
from weft.kernels.emit import expression
from weft.kernels.policy import DEFAULT
from weft.kernels.program import Undefined
from weft.kernels.rng import Random
from weft.kernels.types import F32, I32


@pytest.fixture
def k() -> Builder:
    builder = Builder("probe", Random("test", 1, 0, 0), DEFAULT)
    builder.sizes["rows"] = "(n + 7) // 8"
    builder.blocks(["rows"], ["row"], 64, "lane")
    return builder


def matrix(k: Builder, name: str, values=None):
    role = "in" if values else "out"
    return k.array(name, F32, ["8 * rows", "32"], values, role)


WHOLE = {"integers": [-4, 5]}
BROKEN = {"uniform": [-1.0, 1.0]}


def test_a_load_is_printed_as_a_person_writes_it(k: Builder):
    (row,) = k.index
    tile = tiles.load(matrix(k, "a", BROKEN), (8, 32), (row * 8, 0))
    assert expression(tile) == "wp.tile_load(a, shape=(8, 32), offset=(row * 8, 0))"
    assert expression(tiles.transposed(tile)) == f"wp.tile_transpose({expression(tile)})"


def test_tiles_of_two_blocks_do_not_overlap(k: Builder):
    (row,) = k.index
    tile = k.let("tile", tiles.load(matrix(k, "a", BROKEN), (8, 32), (row * 8, 0)))
    tiles.store(k, matrix(k, "out"), tile, (row * 8, 0))
    with pytest.raises(Undefined, match="overlap"):
        tiles.store(k, matrix(k, "narrow"), tile, (row * 4, 0))
    with pytest.raises(Undefined, match="several blocks"):
        tiles.store(k, matrix(k, "one_place"), tile, (0, 0))


def test_a_sum_of_floats_takes_whole_numbers_only(k: Builder):
    (row,) = k.index
    broken = tiles.load(matrix(k, "a", BROKEN), (8, 32), (row * 8, 0))
    exact = tiles.load(matrix(k, "b", WHOLE), (8, 32), (row * 8, 0))
    assert tiles.summed(exact).interval.within(-4 * 256, 4 * 256)
    assert tiles.extreme("max", broken).interval.within(-1.0, 1.0)
    with pytest.raises(Undefined, match="order"):
        tiles.summed(broken)


def test_the_threads_of_a_block_write_apart(k: Builder):
    (row,) = k.index
    out = k.array("lanes_out", F32, ["rows", "64"], None, "out")
    per_row = k.array("row_out", F32, ["rows"], None, "out")
    k.store(out, (row, k.lane), 1.0)
    with pytest.raises(Undefined, match="several threads"):
        k.store(per_row, row, 1.0)
    with k.when(k.lane.equals(0)):
        k.store(per_row, row, 1.0)


def test_shapes_must_fit(k: Builder):
    (row,) = k.index
    tile = tiles.load(matrix(k, "a", BROKEN), (8, 32), (row * 8, 0))
    with pytest.raises(Undefined):
        tiles.reshaped(tile, (8, 31))
    with pytest.raises(Undefined):
        tiles.product(tile, tile)
    with pytest.raises(Undefined):
        tiles.view(tile, (1, 0), (8, 32))


def test_only_tiles_of_floats_are_multiplied(k: Builder):
    """Warp has no `tile_matmul` of integers."""
    whole = k.array("c", I32, ["8 * rows", "8"], WHOLE, "in")
    tile = tiles.load(whole, (8, 8), (k.index[0] * 8, 0))
    with pytest.raises(Undefined, match="@"):
        tiles.product(tiles.transposed(tile), tile)


@pytest.mark.parametrize("seed", range(8))
def test_no_extreme_is_taken_of_what_an_extreme_was_subtracted_from(seed: int):
    """It would be 0 in every block."""
    for kernel in generate("shared_tile", seed, 40).split("@wp.kernel")[1:]:
        subtracted = re.search(r"largest_of_block|smallest_of_block", kernel)
        assert not (subtracted and re.search(r"block_(?:maxima|minima): ", kernel)), kernel
