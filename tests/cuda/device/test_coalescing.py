"""Neighbours in memory are neighbours in a warp, in whatever order a launch names its dimensions."""

from pathlib import Path

import pytest
from translated import device_of

KERNEL = """
@wp.kernel
def f(x: wp.array2d(dtype=float), v: wp.array(dtype=float), ids: wp.array(dtype=int), cols: int,
      flat: wp.array(dtype=float), y: wp.array2d(dtype=float)):
    a, b = wp.tid()
    {body}


LAUNCH = {{"f": {{"sizes": {{"rows": "(n + 5) // 6", "cols": "6"}}, "dims": {dims}, "parameters": {{
    "x": {{"shape": ["rows", "cols"], "values": {{"uniform": [0.0, 1.0]}}}},
    "v": {{"shape": ["rows"], "values": {{"uniform": [0.0, 1.0]}}}},
    "ids": {{"shape": ["rows"], "values": {{"integers": [0, 6]}}}},
    "cols": {{"values": {{"size": "cols"}}}},
    "flat": {{"role": "inout", "shape": ["rows * cols"], "values": {{"constant": 0.0}}}},
    "y": {{"role": "inout", "shape": ["rows", "cols"], "values": {{"constant": 0.0}}}},
}}}}}}
"""
ORDERS = {
    "in order": ("y[a, b] = x[a, b] + float(b)", True),
    "crossed": ("y[b, a] = x[b, a] + float(b)", False),
    "crossed, and a vector along the slow one": ("y[b, a] = v[b] * x[b, a] + v[b]", False),
    "a neighbour": ("y[b, a] = x[b, (a + 1) % 6] + x[b, wp.max(a - 1, 0)]", False),
    "by a name": ("i = b\nj = a\ny[i, j] = x[i, j] + float(i)", False),
    "an offset that the kernel computes": ("flat[b * cols + a] = flat[b * cols + a] + 1.0", False),
    "a transposition reads or writes what is far": ("y[a, b] = x[b, a]", True),
    "what an array says": ("y[a, ids[b]] = 1.0", True),
}


@pytest.mark.parametrize(("body", "in_order"), ORDERS.values(), ids=ORDERS)
def test_the_fastest_coordinate_goes_along_x(tmp_path: Path, body: str, in_order: bool) -> None:
    dims = '["rows", "cols"]' if in_order else '["cols", "rows"]'
    text = device_of(tmp_path, KERNEL.format(body=body.replace("\n", "\n    "), dims=dims)).kernel
    fast, slow = "ba" if in_order else "ab"
    # There may be more rows than a grid has blocks along y.
    assert f"int {fast} = blockIdx.y * blockDim.x + threadIdx.x;" in text
    assert f"int {slow} = blockIdx.x * blockDim.y + threadIdx.y;" in text
