"""Programs that are wrong only where numbers are equal or zero: inputs with edges show it."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand_written import LAUNCH, judge, program, sample_id, shard

from weft.inputs import draw_parameter
from weft.launch import parse_launch
from weft.reference import store
from weft.reference.cases import MAIN, Case
from weft.types import parse_type

ROW = 8
KERNEL = """
__global__ void evens(const float* __restrict__ x, const float* __restrict__ y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int largest = i - i % 8;
    for (int k = largest + 1; k < min(largest / 8 * 8 + 8, n); ++k) {
        if (x[k] > x[largest]) largest = k;
    }
    const float sign = x[i] != 0.0f ? x[i] / fabsf(x[i]) : 0.0f;
    out[i] = float(largest % 8) + (x[i] > y[i] ? 16.0f : 0.0f) + 64.0f * sign;
}
"""
WRONG = {
    "the last of equal numbers": ("x[k] > x[largest]", "x[k] >= x[largest]"),
    "equal counts as larger": ("x[i] > y[i]", "x[i] >= y[i]"),
    "a division by zero": ("x[i] != 0.0f ? x[i] / fabsf(x[i]) : 0.0f", "x[i] / fabsf(x[i])"),
}
CASES = (Case(1, 0), Case(31, 5), Case(32, 8), Case(33, 11), Case(257, 2), MAIN)


def expected(x: Any, y: Any) -> Any:
    largest = np.concatenate(
        [np.full(len(row), row.argmax()) for row in np.split(x, range(ROW, len(x), ROW))]
    )
    return (largest + np.where(x > y, 16, 0) + 64 * np.sign(x)).astype(np.float32)


def sample(index: int, compared: tuple[float, ...] | None) -> store.Sample:
    signature = [(name, parse_type("array<float32,1>")) for name in ("x", "y", "out")]
    launch = dataclasses.replace(parse_launch(LAUNCH, "evens"), compared=compared)
    outputs = []
    for case in CASES:
        x, y, out = (
            draw_parameter(launch, name, kind, position, size=case.size, seed=case.seed, structs={})
            for position, (name, kind) in enumerate(signature)
        )
        out["c0"] = expected(x["c0"], y["c0"])
        outputs.append({"out": store.expect(out, np.full((case.size, 1), True), case.seed, 2)})
    return store.Sample(sample_id(index), "evens", index, [], signature, launch, CASES, outputs)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The reason or verdict of each program by its name, all but one on inputs with edges."""
    all_wrong = KERNEL
    for change in WRONG.values():
        all_wrong = all_wrong.replace(*change)
    kernels = {"right": KERNEL, **{name: KERNEL.replace(*change) for name, change in WRONG.items()}}
    kernels["without edges"] = all_wrong
    samples = [sample(index, None if name == "without edges" else ()) for index, name in enumerate(kernels)]
    text = shard([program(kernel) for kernel in kernels.values()])
    runs = judge(tmp_path_factory.mktemp("edges"), text, store.Reference("hand", 0, {}, samples, []))
    found = [one["reason"] or one["verdict"] for one in runs["samples"]]
    return dict(zip(kernels, found, strict=True))


@pytest.mark.parametrize("name", WRONG)
def test_edges_show_what_is_wrong(verdicts: dict[str, str], name: str) -> None:
    assert verdicts[name] in ("wrong_output", "nan_mismatch")


def test_drawn_numbers_alone_do_not(verdicts: dict[str, str]) -> None:
    assert verdicts["without edges"] == "verified"


def test_a_right_program_passes(verdicts: dict[str, str]) -> None:
    assert verdicts["right"] == "verified"


def test_a_kept_reference_has_the_same_inputs(tmp_path: Path) -> None:
    path = tmp_path / "reference.npz"
    store.write(path, store.Reference("hand", 0, {}, [sample(0, (0.5,))], []))
    assert store.read(path).samples[0].launch.compared == (0.5,)
