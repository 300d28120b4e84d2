"""Threads that stride over a grid do so in small launches, too: there is one execution with one block."""

from pathlib import Path

import hand_written
import pytest
from hand_written import LAUNCHED, evens_reference, judge, program, shard

STRIDED = """
__global__ void evens(const float* x, const float* y, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (i % 2 == 0) out[i] = max(2.0f * x[i] + y[i], 0.0f);
    }
}
"""
WRONG = STRIDED.replace("gridDim.x * blockDim.x", "gridDim.x + blockDim.x")


def verdicts(folder: Path) -> list[str]:
    text = shard([program(kernel, LAUNCHED) for kernel in (STRIDED, WRONG)])
    return [one["verdict"] for one in judge(folder, text, evens_reference(2))["samples"]]


def test_a_stride_that_no_launch_takes_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdicts(tmp_path) == ["verified", "verified"]
    monkeypatch.setitem(hand_written.INTERFACE, "strides", "x")
    assert verdicts(tmp_path) == ["verified", "rejected"]
