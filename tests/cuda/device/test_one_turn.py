"""Which loops are a thread for each turn. That the results are right is for turn_kernels.py to show."""

from pathlib import Path

import pytest
from translated import device_of

KERNEL = """
@wp.kernel
def work(x: wp.array2d(dtype=float), first: wp.array(dtype=float), rows: int, cols: int, count: int,
         y: wp.array2d(dtype=float), flat: wp.array(dtype=float), sums: wp.array(dtype=float),
         counts: wp.array(dtype=int)):
    tid = wp.tid()
    {body}


LAUNCH = {{"work": {{
  "sizes": {{"rows": "7", "cols": "(n + 6) // 7"}}, "dims": ["{dims}"], "equality": "{equality}",
  "parameters": {{
    "x": {{"shape": ["rows", "cols"], "values": {{"uniform": [0.0, 1.0]}}}},
    "first": {{"shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "rows": {{"values": {{"size": "rows"}}}},
    "cols": {{"values": {{"size": "cols"}}}},
    "count": {{"values": {{"size": "n"}}}},
    "y": {{"role": "inout", "shape": ["rows", "cols"], "values": {{"uniform": [0.0, 1.0]}}}},
    "flat": {{"role": "inout", "shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "sums": {{"role": "inout", "shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "counts": {{"role": "inout", "shape": ["n"], "values": {{"integers": [0, 9]}}}},
}}}}}}
"""
ROW = "for j in range(cols):\n    "
COLUMN = "for j in range(rows):\n    "
RUN = "begin = tid * 4\nfor i in range(begin, wp.min(begin + 4, count)):\n    "
QUARTERS = "(n + 3) // 4"


def kernel(folder: Path, body: str, dims: str, equality: str = "bits") -> str:
    return device_of(
        folder, KERNEL.format(body=body.replace("\n", "\n    "), dims=dims, equality=equality)
    ).kernel


TURNS = {
    "rows": (ROW + "y[tid, j] = 2.0 * x[tid, j] + float(j)", "rows", "tid >= rows || j >= cols"),
    "columns": (COLUMN + "y[j, tid] = 2.0 * x[j, tid] + float(j)", "cols", "j >= rows || tid >= cols"),
    "rows of elements that lie there": (ROW + "y[tid, j] = x[tid, j]", "rows", "index >= rows * cols"),
    "what is read before": ("a = first[tid]\n" + ROW + "y[tid, j] = a", "rows", "tid >= rows || j >= cols"),
    "a short row": ("for j in range(3):\n    y[tid, j] = 2.0 * x[tid, j]", "rows", "tid >= rows"),
    "neighbours": (RUN + "flat[i] = first[i]", QUARTERS, "i >= count"),
    "neighbours without a name": (
        "for i in range(tid * 4, wp.min(tid * 4 + 4, count)):\n    flat[i] = first[i]",
        QUARTERS,
        "i >= count",
    ),
    "neighbours from zero": (
        "for k in range(4):\n    i = tid * 4 + k\n    if i < count:\n        flat[i] = first[i]",
        QUARTERS,
        "i >= count",
    ),
}


@pytest.mark.parametrize(("body", "dims", "beyond"), TURNS.values(), ids=TURNS)
def test_a_thread_takes_one_turn(tmp_path: Path, body: str, dims: str, beyond: str) -> None:
    text = kernel(tmp_path, body, dims)
    assert "for (" not in text
    assert f"if ({beyond}) return;" in text


def test_whole_numbers_are_added_in_any_order(tmp_path: Path) -> None:
    """The lanes of a warp add to one element, so that all of them reach their sum."""
    text = kernel(tmp_path, ROW + "y[tid, j] = x[tid, j]\n    wp.atomic_add(counts, tid, j)", "rows")
    assert "for (" not in text and "tid < rows && j < cols" in text and "warp_sum" in text


def test_floats_whose_order_is_free_are_added_in_any(tmp_path: Path) -> None:
    body = ROW + "y[tid, j] = x[tid, j]\n    wp.atomic_add(sums, tid, x[tid, j])"
    assert "for (" not in kernel(tmp_path, body, "rows", "bounded")
    assert "for (" in kernel(tmp_path, body, "rows")


KEPT = {
    "a sum goes on": ("a = float(0.0)\n" + ROW + "a += x[tid, j]\n    y[tid, j] = a", "rows"),
    "a random state goes on": (
        "rng = wp.rand_init(7, tid)\n" + ROW + "y[tid, j] = wp.randf(rng)",
        "rows",
    ),
    "something follows": (ROW + "y[tid, j] = x[tid, j]\nflat[tid] = 1.0", "rows"),
    "another turn's element is read": (ROW + "y[tid, j] = y[tid, 0]", "rows"),
    "the same element is written": (ROW + "y[tid, 0] = x[tid, j]", "rows"),
    "what is read before is written": ("a = y[tid, 0]\n" + ROW + "y[tid, j] = a", "rows"),
    "much is computed before": ("a = wp.sin(first[tid])\n" + ROW + "y[tid, j] = a", "rows"),
    "a loop is left": (ROW + "if x[tid, j] > 0.5:\n        break\n    y[tid, j] = 1.0", "rows"),
    "nothing but updates": (ROW + "wp.atomic_add(counts, j, 1)", "rows"),
    "a part of the row": ("for j in range(2, cols):\n    y[tid, j] = x[tid, j]", "rows"),
    "components that lie apart": ("for j in range(3):\n    y[j, tid] = 2.0 * x[tid, 2 - j]", "cols"),
    "more threads than take four": (RUN + "flat[i] = first[i]", "n"),
    "the thread's number is asked for": (RUN + "flat[i] = first[i] + float(tid)", QUARTERS),
}


@pytest.mark.parametrize(("body", "dims"), KEPT.values(), ids=KEPT)
def test_a_thread_takes_all_its_turns(tmp_path: Path, body: str, dims: str) -> None:
    assert "for (" in kernel(tmp_path, body, dims)
