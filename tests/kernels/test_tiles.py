"""Tiles of generated kernels: blocks write apart, sums of floats are exact, shapes fit."""

import pytest

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.emit import expression
from weft.kernels.expressions import lift
from weft.kernels.neighbors import Halo
from weft.kernels.policy import DEFAULT
from weft.kernels.program import Assign, For, Redraw, Undefined
from weft.kernels.rng import Random
from weft.kernels.types import F16, F32, I32
from weft.types import Tile


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


def test_a_loop_scatters_to_a_tile_that_is_made_before_it(k: Builder):
    with k.loop("step", 0, 4):
        counts = k.ahead("counts", tiles.filled("zeros", (64,), I32, storage="shared"))
        tiles.scatter_add(k, counts, k.lane, lift(1, I32))
    before, loop = k.body[-2:]
    assert isinstance(before, Assign) and before.target is counts
    assert isinstance(loop, For)
    assert counts.interval.hi == 4 * 64  # a block of 64 threads adds one each, four times


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


def test_products_of_half_precision_are_added_up_in_single(k: Builder):
    half = k.array("h", F16, ["8 * rows", "8"], BROKEN, "in")
    tile = tiles.load(half, (8, 8), (k.index[0] * 8, 0))
    total = k.var("total", tiles.filled("zeros", (8, 8), F32))
    assert tiles.product(tile, tile, total).type == Tile(F32, (8, 8))


def test_row_and_column_of_a_thread_in_its_block_determine_it_together(k: Builder):
    (row,) = k.index
    y, x = k.in_square(8, ("y", "x"))
    out = k.array("squares", F32, ["8 * rows", "8"], None, "out")
    part = k.array("parts", F32, ["rows", "8"], None, "out")
    k.store(out, (k.within("place", row * 8 + y, "8 * rows"), x), 1.0)
    with pytest.raises(Undefined, match="dimension"):
        k.store(part, (row, y + 1), 1.0)


def test_a_halo_is_read_within_the_rim(k: Builder):
    array = k.array("field", F32, ["8 * rows + 2"], BROKEN)
    tile = k.let("window", tiles.load(array, (66,), (k.index[0] * 8,), shared=True))
    halo = Halo(k, array.parameter, F32, array.interval, tile=tile, corner=(k.lane,))
    assert expression(halo.near(-1)) == "window[lane]"
    assert expression(halo.near(1)) == "window[lane + 2]"
    assert halo.used == 1
    with pytest.raises(Redraw, match="rim"):
        halo.near(2)
