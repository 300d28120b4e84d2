"""Arguments passed by value: a description says what one launch has, and callers may choose others."""

from __future__ import annotations

from pathlib import Path

import pytest
from translated import record_of

from weft.cuda.program import translate

SHIFT = """
@wp.kernel
def shift(x: wp.array(dtype=float), first: int, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[{index}]

LAUNCH = {{"shift": {{"dims": ["n"], "parameters": {{
    "x": {{"shape": ["n + 9"], "values": {{"uniform": [0.0, 1.0]}}}},
    "first": {{"values": {recipe}}},
    "y": {{"role": "out", "shape": ["n"]}},
}}}}}}
"""

PRODUCT = """
@wp.kernel
def product(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), depth: int, c: wp.array2d(dtype=float)):
    i, j = wp.tid()
    total = wp.tile_zeros(shape=(16, 16), dtype=float)
    for k in range(0, depth, 16):
        left = wp.tile_load(a, shape=(16, 16), offset=(i * 16, k))
        right = wp.tile_load(b, shape=(16, 16), offset=(k, j * 16))
        wp.tile_matmul(left, right, total)
    wp.tile_store(c, total, offset=(i * 16, j * 16))

LAUNCH = {{"product": {{"sizes": {{"tiles": "n", "depth": "{depth}"}}, "dims": ["tiles", 2], "block_dim": 64,
    "equality": "bounded", "parameters": {{
        "a": {{"shape": ["16 * tiles", "{given}"], "values": {{"uniform": [0.0, 1.0]}}}},
        "b": {{"shape": ["{given}", 32], "values": {{"uniform": [0.0, 1.0]}}}},
        "depth": {{"values": {{"size": "{given}"}}}},
        "c": {{"role": "out", "shape": ["16 * tiles", 32]}},
}}}}}}
"""


@pytest.mark.parametrize(
    ("index", "recipe", "refused"),
    [
        ("i + first", '{"integers": [0, 9]}', "first < 0 || first > 9"),
        ("i + first", '{"constant": 4}', "first < 1 || first > 9"),
        ("i + first - 1", '{"integers": [3, 9]}', "first < 1 || first > 10"),
        ("i + first + 2", '{"integers": [-2, 3]}', "first < -2 || first > 7"),
        ("i % first", '{"integers": [2, 9]}', "first < 1"),
    ],
)
def test_a_launcher_refuses_what_the_kernel_cannot_index_by(
    tmp_path: Path, index: str, recipe: str, refused: str
) -> None:
    text = translate(record_of(tmp_path, SHIFT.format(index=index, recipe=recipe))).standalone
    assert "wrap_index" not in text
    assert f"if ({refused}) return cudaErrorInvalidValue;" in text


def test_no_more_than_its_sign_is_relied_on(tmp_path: Path) -> None:
    text = translate(record_of(tmp_path, SHIFT.format(index="i + first - 3", recipe='{"integers": [3, 9]}')))
    assert "wrap_index(i + first - 3, " in text.standalone


@pytest.mark.parametrize("given", ["depth", "16 * n", "n"])
@pytest.mark.parametrize("depth", ["48", "16 * n"])
def test_a_depth_of_no_whole_tiles_is_read_within_its_arrays(tmp_path: Path, given: str, depth: str) -> None:
    text = translate(record_of(tmp_path, PRODUCT.format(depth=depth, given=given))).standalone
    assert text.count("< depth ?") == 2


def test_a_launcher_that_ends_without_rows_does_not_refuse_them(tmp_path: Path) -> None:
    source = PRODUCT.format(depth="16 * n", given="depth").replace('"tiles": "n"', '"rows": "16 * n"')
    source = source.replace('"dims": ["tiles"', '"dims": ["rows // 16"').replace("16 * tiles", "rows")
    text = translate(record_of(tmp_path, source)).standalone
    assert "if (rows <= 0) return cudaSuccess;" in text and "rows < 1" not in text


def test_no_depth_exceeds_an_extent_that_is_a_number(tmp_path: Path) -> None:
    text = translate(record_of(tmp_path, PRODUCT.format(depth="n", given="48"))).standalone
    assert "if (depth > A_COLS) return cudaErrorInvalidValue;" in text and "_COLS ?" not in text


TABLE = """
@wp.kernel
def filter(x: wp.array(dtype=float), taps: wp.array(dtype=float), count: int, y: wp.array(dtype=float)):
    i = wp.tid()
    total = float(0.0)
    for k in range(count):
        total += taps[k] * x[i + k]
    y[i] = total

LAUNCH = {"filter": {"dims": ["n"], "sizes": {"taps": 9}, "parameters": {
    "x": {"shape": ["n + 8"], "values": {"uniform": [0.0, 1.0]}},
    "taps": {"shape": [9], "memory": "constant", "values": {"uniform": [0.0, 1.0]}},
    "count": {"values": {"size": "taps"}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


def test_a_launcher_refuses_more_elements_than_a_table_has(tmp_path: Path) -> None:
    text = translate(record_of(tmp_path, TABLE)).standalone
    assert "if (count > 9) return cudaErrorInvalidValue;" in text
