"""What launchers of blocks are given, count and refuse; what is then proved of the tiles' elements."""

from pathlib import Path

import pytest
from translated import record_of

from weft.cuda.program import translate
from weft.cuda.sizes import blocks_of, counts_blocks, exact_quotient, whole_blocks

KERNEL = """
@wp.kernel
def halo(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j, lane = wp.tid()
    row = lane // 16
    column = lane % 16
    t = wp.tile_load(x, shape=(18, 18), offset=(i * 16, j * 16), storage="shared")
    y[i * 16 + row, j * 16 + column] = t[row, column] + t[row + 2, column + 2]

LAUNCH = {{"halo": {{"sizes": {{"rows": "{rows}", "cols": "16 * (n + 3)"}}, "dims": {dims}, "block_dim": 256,
    "parameters": {{
        "x": {{"shape": ["rows + 2", "cols + 2"], "values": {{"uniform": [0.0, 1.0]}}}},
        "y": {{"role": "out", "shape": ["rows", "cols"]}},
}}}}}}
"""


def program(folder: Path, rows: str, dims: str) -> str:
    return translate(record_of(folder, KERNEL.format(rows=rows, dims=dims))).standalone


def test_a_launcher_counts_its_blocks(tmp_path: Path) -> None:
    text = program(tmp_path, "16 * n", '["rows // 16", "cols // 16"]')
    assert "launch_halo(const float* x, float* y, int rows, int cols, cudaStream_t stream = nullptr)" in text
    assert "if (rows % TILE != 0 || cols % TILE != 0) return cudaErrorInvalidValue;" in text
    assert "const dim3 grid(cols / TILE, rows / TILE);" in text
    assert "const dim3 block(TILE, TILE);" in text
    # Its blocks are whole, so that no load needs a check.
    assert "<" not in text[text.index("t[r][c] =") :].partition(";")[0]


def test_what_is_rounded_up_is_checked(tmp_path: Path) -> None:
    text = program(tmp_path, "n", '["(rows + 15) // 16", "cols // 16"]')
    assert "const dim3 grid(cols / TILE, (rows + TILE - 1) / TILE);" in text
    assert "if (rows <= 0 || cols <= 0) return cudaSuccess;" in text
    assert "if (cols % TILE != 0) return cudaErrorInvalidValue;" in text
    assert "block_rows" not in text and "< rows + 2" in text


@pytest.mark.parametrize(
    ("size", "counts", "of", "whole"),
    [
        ("rows // 16", True, "rows", ("rows", 16)),
        ("rows // 32", True, "rows", ("rows", 32)),
        ("rows // 12", True, None, None),
        ("(rows + 15) // 16", True, "rows", None),
        ("(rows + 14) // 16", True, None, None),
        ("some // 16", True, None, None),
        ("rows", False, None, None),
        ("rows // some", False, None, None),
        ("rows // 16 * 2", False, None, None),
    ],
)
def test_blocks_of_a_size(size: str, counts: bool, of: str | None, whole: tuple[str, int] | None) -> None:
    sizes = {"rows": "16 * n + 32 * (n // 7)", "some": "n"} if "32" not in size else {"rows": "64 * n"}
    assert (counts_blocks(size), blocks_of(size, sizes), whole_blocks(size, sizes)) == (counts, of, whole)


def test_numbers_of_blocks_are_read_as_quotients() -> None:
    found = [exact_quotient(size) for size in ("(96 + 31) // 32", "(40 + 31) // 32", "(16 + 15) // 16", "7")]
    assert found == ["96 // 32", "(40 + 31) // 32", 1, "7"]


def test_the_last_step_of_a_loop_is_within_what_whole_steps_reach(tmp_path: Path) -> None:
    text = """
@wp.kernel
def sums(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i = wp.tid()
    total = wp.tile_zeros(shape=(8, 16), dtype=float)
    for k in range(0, {stop}, 16):
        total += wp.tile_load(x, shape=(8, 16), offset=(i * 8, k))
    wp.tile_store(y, total, offset=(i * 8, 0))

LAUNCH = {{"sums": {{"sizes": {{"rows": "8 * n"}}, "dims": ["rows // 8"], "block_dim": 128, "parameters": {{
    "x": {{"shape": ["rows", 48], "values": {{"uniform": [0.0, 1.0]}}}},
    "y": {{"role": "out", "shape": ["rows", 16]}},
}}}}}}
"""
    checks = []
    for stop in (48, 33, 49):
        found = translate(record_of(tmp_path, text.format(stop=stop))).standalone
        checks.append("< X_COLS ?" in found)
    assert checks == [False, False, True]


@pytest.mark.parametrize(("found", "breaks_ties"), [("wp.tile_argmax(t)", True), ("wp.tile_max(t)", False)])
def test_an_interface_says_whether_the_program_chooses_among_equals(
    tmp_path: Path, found: str, breaks_ties: bool
) -> None:
    text = """
    @wp.kernel
    def k(x: wp.array2d(dtype=float), out: wp.array(dtype=int)):
        i, lane = wp.tid()
        t = wp.tile_load(x[i], shape=64)
        chosen = {found}
        if lane == 0:
            out[i] = int(chosen[0])

    LAUNCH = {{"k": {{"dims": ["n"], "block_dim": 64, "parameters": {{
        "x": {{"shape": ["n", 64], "values": {{"uniform": [0.0, 1.0]}}}},
        "out": {{"role": "out", "shape": ["n"]}},
    }}}}}}
    """
    interface = translate(record_of(tmp_path, text.format(found=found))).interface
    assert interface["breaks_ties"] is breaks_ties and interface["launcher"] == "launch_k"
