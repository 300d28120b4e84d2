"""Which blocks turn tiles of what they store. That results are right is for transposed_kernels.py to show."""

from pathlib import Path

import pytest
from translated import alone, device_of

SOURCE = (Path(__file__).parent / "transposed_kernels.py").read_text()


@pytest.mark.parametrize("kernel", ["plain", "of_several", "fewer_threads"])
def test_a_block_turns_a_tile(tmp_path: Path, kernel: str) -> None:
    device = device_of(tmp_path, alone(SOURCE, kernel))
    assert device.grid.block == (32, 32, 1)
    assert "tile[threadIdx.y][threadIdx.x] = " in device.kernel
    assert " = tile[threadIdx.x][threadIdx.y];" in device.kernel


@pytest.mark.parametrize(
    "kernel",
    ["in_place", "as_it_lies", "sum_by_rows", "to_its_own", "through_indices", "wide", "by_function"],
)
def test_a_thread_stores_what_it_computes(tmp_path: Path, kernel: str) -> None:
    assert "tile" not in device_of(tmp_path, alone(SOURCE, kernel)).kernel
