"""What the cases reach of a program is counted by outcomes (benchmarks/comparisons.py)."""

import importlib.util
import sys
from pathlib import Path

from hand_written import evens_reference, program, shard, write_shard

from building import ROOT
from weft.runs.stage import read_shard

SPEC = importlib.util.spec_from_file_location("comparisons", ROOT / "benchmarks/comparisons.py")
assert SPEC is not None and SPEC.loader is not None
comparisons = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = comparisons  # where data classes look
SPEC.loader.exec_module(comparisons)

KERNEL = """
__device__ float clamped(float value) {
    return fmaxf(value, 0.0f);
}
__global__ void evens(const float* x, const float* y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || i % 2 != 0) return;
    float value = clamped(2.0f * x[i] + y[i]);
    if (value < -1.0f) value = 7.0f;
    out[i] = value;
}
"""


def test_an_outcome_that_no_case_has_is_missing(tmp_path: Path) -> None:
    write_shard(tmp_path / "0.cu", shard([program(KERNEL)]))
    (sample,) = evens_reference(1).samples
    (tmp_path / "work").mkdir()
    found = comparisons.reached(read_shard(tmp_path / "0.cu"), sample, tmp_path / "work")
    # Two of the first condition, two of the second, two of the clamp, and one of two below.
    assert (found.outcomes, found.taken) == (8, 7)
    # The clamp finds no equal numbers, the last comparison greater ones alone; i % 2 is never below zero.
    assert sorted(map(sorted, found.comparisons.values())) == [[1, 2, 4], [1, 4], [2, 4], [4]]
    assert found.whole == 1
