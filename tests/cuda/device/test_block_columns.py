"""Which sums of columns a block makes. That the results are right is for total_kernels.py to show."""

from pathlib import Path

import pytest
from translated import device_of, text_of

KERNEL = """
@wp.kernel
def columns(
    a: wp.array2d(dtype=float), limit: int, sums: wp.array(dtype=float), out: wp.array2d(dtype=float)
):
    i, j = wp.tid()
    {body}


LAUNCH = {{"columns": {{"sizes": {{"rows": "{rows}", "cols": "100"}}, "dims": ["rows", "cols"],
"equality": "{equality}", "parameters": {{
    "a": {{"shape": ["rows", "cols"], "values": {{"uniform": [0.0, 1.0]}}}},
    "limit": {{"values": {{"integers": [0, 9]}}}},
    "sums": {{"role": "inout", "shape": ["cols"], "values": {{"constant": 0.0}}}},
    "out": {{"role": "inout", "shape": ["rows", "cols"], "values": {{"constant": 0.0}}}},
}}}}}}
"""
ADD = "wp.atomic_add(sums, j, a[i, j])"
MANY, FEW = "n // 64 + 2", "min(n, 40)"


def source(body: str, rows: str = MANY, equality: str = "bounded") -> str:
    return KERNEL.format(body=body.replace("\n", "\n    "), rows=rows, equality=equality)


def test_the_first_row_of_a_block_adds_for_all(tmp_path: Path) -> None:
    text = text_of(tmp_path, source(ADD, FEW))
    assert "__shared__ float shared_sums[WARPS][32];" in text
    assert "thread_sums = a[size_t(i) * cols + j];" in text.replace(
        "a[i * cols + j]", "a[size_t(i) * cols + j]"
    )
    assert "if (threadIdx.y == 0 && j < cols) {" in text
    assert text.count("atomicAdd") == 1 and "atomicAdd(&sums[j], thread_sums);" in text
    stored, _, read = text.partition("__syncthreads();\n")
    assert "shared_sums[threadIdx.y][threadIdx.x] = thread_sums;" in stored
    assert (
        "thread_sums += shared_sums[warp][threadIdx.x];" in read
        and "thread_sums += shared_sums[" not in stored
    )


def test_threads_stride_over_many_rows(tmp_path: Path) -> None:
    text = text_of(tmp_path, source(ADD))
    assert "i += gridDim.y * blockDim.y" in text and "thread_sums += a[" in text
    assert [axis.filled for axis in device_of(tmp_path, source(ADD)).grid.axes] == [False, True]


KEPT = {
    "the order of floats is that of Warp": (ADD, "bits"),
    "some threads add nothing": (f"if a[i, j] > 0.5:\n    {ADD}", "bounded"),
    "a loop may have no turn": (f"for k in range(limit):\n    {ADD}", "bounded"),
    "the sums are read": (f"out[i, j] = sums[j]\n{ADD}", "bounded"),
    "a thread adds twice": (f"{ADD}\n{ADD}", "bounded"),
    "the element is no column": ("wp.atomic_add(sums, (i + j) % 100, a[i, j])", "bounded"),
    "the element is that of a row": ("wp.atomic_add(sums, i, a[i, j])", "bounded"),
}


@pytest.mark.parametrize(("body", "equality"), KEPT.values(), ids=KEPT)
def test_threads_make_their_own(tmp_path: Path, body: str, equality: str) -> None:
    assert "__shared__" not in text_of(tmp_path, source(body, FEW, equality))
