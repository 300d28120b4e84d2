"""Which rows the threads of a block sum and scan. That results are right is for scan_kernels.py to show."""

from pathlib import Path

import pytest
from translated import alone, device_of, text_of

HERE = Path(__file__).parent
SOURCE = (HERE / "scan_kernels.py").read_text()
SHARED = {
    "up_to_each": "block_scan_sum(counts[level])",
    "before_each": "block_scan_sum(value) - value",
    "rows_of_few_threads": "block_running_sum(value, total) - value",
    "one_thread": "block_running_sum(value, total)",
    "many_numbers": "block_running_sum(value, total) - value",
    "no_place": "block_running_sum(value, total) - value",
    "sums_of_columns": "total = block_reduce_sum(total)",
}


@pytest.mark.parametrize("kernel", SHARED)
def test_a_block_shares_a_row(tmp_path: Path, kernel: str) -> None:
    assert SHARED[kernel] in text_of(tmp_path, alone(SOURCE, kernel))


def test_the_block_waits_before_it_scans_more(tmp_path: Path) -> None:
    """The sums of its warps are in one place in each turn."""
    helper = (
        text_of(tmp_path, alone(SOURCE, "one_thread"))
        .partition("int64_t block_running_sum")[2]
        .partition("\n}\n")[0]
    )
    stored, read, end = helper.split("__syncthreads();\n")
    assert "partial[warp] = value" in stored and "+= partial[other]" in read
    assert end.strip() == "return value;"


def test_each_row_has_a_block(tmp_path: Path) -> None:
    device = device_of(tmp_path, alone(SOURCE, "rows_of_few_threads"))
    assert "const int row = blockIdx.x;" in device.kernel
    assert device.grid.block == (256, 1, 1) and len(device.grid.axes) == 1


@pytest.mark.parametrize("kernel", ["reads_what_it_stores", "counts_the_turns", "few_numbers"])
def test_a_thread_has_a_row(tmp_path: Path, kernel: str) -> None:
    assert "block_" not in text_of(tmp_path, alone(SOURCE, kernel))


def test_threads_that_have_left_scan_nothing(tmp_path: Path) -> None:
    text = alone(SOURCE, "up_to_each").replace(
        "    total = int(0)", "    if counts[level] < 0:\n        return\n    total = int(0)"
    )
    assert "block_" not in text_of(tmp_path, text)
