"""Which blocks turn tiles of what they store. That results are right is for transposed_kernels.py to show."""

from pathlib import Path

import pytest
from translated import device_of

SOURCE = (Path(__file__).parent / "transposed_kernels.py").read_text()


def alone(kernel: str) -> str:
    """The file with one entry of LAUNCH and one kernel."""
    _, *kernels = SOURCE.split("@wp.kernel\n")
    own = next(one for one in kernels if one.startswith(f"def {kernel}(")).partition("\n\n\n")[0]
    entry = SOURCE.partition("LAUNCH = {")[2].partition(f'    "{kernel}": {{')[2].partition("\n    },\n")[0]
    return f'@wp.kernel\n{own}\n\n\nLAUNCH = {{\n    "{kernel}": {{{entry}\n    }},\n}}\n'


@pytest.mark.parametrize("kernel", ["plain", "of_several", "fewer_threads"])
def test_a_block_turns_a_tile(tmp_path: Path, kernel: str) -> None:
    device = device_of(tmp_path, alone(kernel))
    assert device.grid.block == (32, 32, 1)
    assert "tile[threadIdx.y][threadIdx.x] = " in device.kernel
    assert " = tile[threadIdx.x][threadIdx.y];" in device.kernel


@pytest.mark.parametrize("kernel", ["in_place", "as_it_lies", "sum_by_rows"])
def test_a_thread_stores_what_it_computes(tmp_path: Path, kernel: str) -> None:
    assert "tile" not in device_of(tmp_path, alone(kernel)).kernel
