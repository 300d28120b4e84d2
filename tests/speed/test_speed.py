"""Times of programs: what is measured, what is left out, and the table. No figure of a GPU is tested here."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from weft.launch import parse_launch
from weft.reference.store import Sample
from weft.runs.build import CpuToolchain, CudaToolchain
from weft.runs.interface import parse_interface
from weft.runs.shard import Shard, parse_shard
from weft.speed.measure import Machine, Plan, array_bytes, figures, groups, measure, read_machine
from weft.speed.stage import CPU_FLAGS
from weft.speed.table import describe, make_table, table_csv
from weft.types import parse_type
from weft.workflow.machine import nvcc_path

SCRIPTS = Path(__file__).parents[2] / "scripts"
LAUNCH = {
    "dims": ["n"],
    "parameters": {
        "x": {"shape": ["n"], "values": {"constant": 0.5}},
        "total": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        "out": {"role": "out", "shape": ["n", 2]},
    },
}
SIGNATURE = [("x", "array<float32,1>"), ("total", "array<float64,1>"), ("out", "array<vec<3,float32>,2>")]

# What the cuda stage writes of a sample. A launch doubles what it finds, and fails if that is not what was
# uploaded.
DOUBLE = """\
#include <cuda_runtime.h>

// sample vector-0000-0000: twice
namespace s0000 {
__global__ void twice(float* x) { x[threadIdx.x] *= 2.0f; }
cudaError_t launch_twice(float* x, int n) {
    if (n > 500) return cudaErrorInvalidValue;
    float found = 0.0f;
    cudaMemcpy(&found, x, sizeof found, cudaMemcpyDeviceToHost);
    if (found != 0.5f) return cudaErrorInvalidConfiguration;
    twice<<<1, 8>>>(x);
    return cudaGetLastError();
}
}  // namespace s0000
"""
CALL = """\
const weft_driver::Leaf weft_leaves[] = {
    {"x", "float32", sizeof(float), weft_driver::Kind::array, nullptr, 0},
    {"total", "float64", sizeof(double), weft_driver::Kind::array, nullptr, 0},
    {"out", "vec<3,float32>", sizeof(float3), weft_driver::Kind::array, nullptr, 0},
};
cudaError_t weft_launch(const weft_driver::Arguments& given) {
    return launch_twice(given.array<float>(0), int(given.numbers[0]));
}
"""


def sample() -> Sample:
    signature = [(name, parse_type(kind)) for name, kind in SIGNATURE]
    return Sample("vector-0000-0000", "twice", 0, [], signature, parse_launch(LAUNCH, "twice"), (), [])


def shard() -> Shard:
    interface = {
        "leaves": [{"name": name, "type": kind, "needed": True} for name, kind in SIGNATURE],
        "outputs": ["total", "out"],
        "structs": [],
        "launch": LAUNCH,
        "numbers": ["n"],
        "derived": [],
        "ends": [],
        "dims": 0,
        "strides": "",
        "breaks_ties": False,
        "launcher": "launch_twice",
        "call": CALL,
    }
    return parse_shard(DOUBLE, "a test", {"vector-0000-0000": parse_interface("twice", interface, "a test")})


def program() -> str:
    return shard().program(shard().samples)


def test_every_launch_finds_the_arrays_as_they_were_uploaded_and_is_timed(tmp_path: Path) -> None:
    toolchain = CpuToolchain("g++", tmp_path, more=CPU_FLAGS)
    assert toolchain.compile(program(), tmp_path / "program") is None
    plan = Plan([100, 10, 1000], warm_up=1, launches=4, timeout=20.0)
    measured = measure(sample(), shard().samples[0], tmp_path / "program", plan, limit_memory=True)
    assert [(one["size"], one["launches"]) for one in measured.sizes] == [(10, 4), (100, 4)]
    assert all(0 <= one["least"] <= one["median"] <= one["most"] < 1 for one in measured.sizes)
    assert measured.problem == "size 1000: cuda_error: exit status 1: invalid argument"
    assert measured.machine is None and not measured.left


def test_what_the_last_launch_leaves_can_be_kept(tmp_path: Path) -> None:
    toolchain = CpuToolchain("g++", tmp_path, more=CPU_FLAGS)
    assert toolchain.compile(program(), tmp_path / "program") is None
    plan = Plan([10, 100, 1000], warm_up=1, launches=2, timeout=20.0, keeps=True)
    measured = measure(sample(), shard().samples[0], tmp_path / "program", plan, limit_memory=True)
    assert [one["size"] for one in measured.sizes] == [10, 100]
    assert [{name: len(one) for name, one in left.items()} for left in measured.left] == [
        {"total": 10, "out": 20},
        {"total": 100, "out": 200},
    ]
    # `out` is not written, and holds the zeros of before.
    assert not any(measured.left[0]["out"].tobytes())


def test_arrays_that_are_read_and_written_count_twice() -> None:
    assert array_bytes(sample(), 10) == 10 * 4 + 2 * 10 * 8 + 10 * 2 * 12


def test_the_figures_of_a_size() -> None:
    one = figures(sample(), 10, [3e-6, 1e-6, 2e-6], Machine({}, peak=1e9))
    assert (one["median"], one["least"], one["most"]) == (2e-6, 1e-6, 3e-6)
    assert one["per_element"] == pytest.approx(2e-7)
    assert one["bandwidth"] == pytest.approx(440 / 2e-6)
    assert one["share_of_peak"] == pytest.approx(0.22)


def test_bandwidth_is_not_said_of_a_cpu_nor_a_share_of_an_unknown_peak() -> None:
    assert "bandwidth" not in figures(sample(), 10, [1e-6], None)
    assert "share_of_peak" not in figures(sample(), 10, [1e-6], Machine({}))


def test_a_size_that_was_not_finished_has_no_times() -> None:
    assert groups([1.0, 2.0, 3.0, 4.0, 5.0], 2) == [[1.0, 2.0], [3.0, 4.0]]


def test_the_peak_follows_from_clock_and_bus(tmp_path: Path) -> None:
    lines = ["name Example GPU", "memory_clock_khz 1000000", "memory_bus_bits 512", "l2_bytes 4096"]
    (tmp_path / "device").write_text("\n".join(lines) + "\n")
    machine = read_machine(tmp_path / "device")
    assert machine is not None and machine.peak == 2 * 1e9 * 64
    assert machine.fields == {"name": "Example GPU", "l2_bytes": 4096, "peak_bandwidth": 2 * 1e9 * 64}


@pytest.mark.needs("nvcc")
def test_nvcc_takes_a_program_that_is_timed(tmp_path: Path) -> None:
    """With the driver, which flushes the cache of a GPU."""
    toolchain = CudaToolchain(nvcc_path("pinned"), tmp_path, "sm_75", prelude=None)
    assert toolchain.compile(program(), tmp_path / "program") is None


def write_times(results: Path, device: str, seconds: dict[int, float], **more: float) -> None:
    folder = results / "speed" / device / "vector"
    folder.mkdir(parents=True)
    sizes = [
        {"size": size, "median": median, "per_element": median / size, **more}
        for size, median in seconds.items()
    ]
    file = {
        "device": device,
        "machine": {"name": f"some {device}"},
        "samples": [{"sample_id": "vector-0000-0000", "sizes": sizes}],
    }
    (folder / "0.json").write_text(json.dumps(file))


def test_a_table_without_a_gpu_has_no_columns_of_one(tmp_path: Path) -> None:
    write_times(tmp_path, "cpu", {1000: 1e-3, 100: 2e-4})
    table = make_table(tmp_path)
    header, *rows = table_csv(table).splitlines()
    assert header == "size,cpu_kernels,cpu_nanoseconds_per_element"
    assert [row.split(",")[0] for row in rows] == ["100", "1000"]
    assert describe(table)[1] == "cpu (some cpu), size 1,000: 1e+03 ns per element, median of 1 kernels"


def test_devices_stand_beside_each_other_where_both_were_timed(tmp_path: Path) -> None:
    write_times(tmp_path, "cpu", {1000: 1e-3, 100: 2e-4})
    write_times(tmp_path, "cuda", {1000: 1e-5}, bandwidth=1e9, share_of_peak=0.5)
    small, large = make_table(tmp_path)["sizes"]
    assert "cuda" not in small and "cpu_over_cuda" not in small
    assert large["cpu_over_cuda"] == pytest.approx(100)
    assert large["cuda"]["share_of_peak"] == 0.5


def test_an_empty_build_has_an_empty_table(tmp_path: Path) -> None:
    assert table_csv(make_table(tmp_path)) == "size\n"


def test_without_a_gpu_device_cuda_ends_in_one_clear_line(tmp_path: Path) -> None:
    verdicts: dict[str, Any] = {"device": "cuda", "samples": []}
    (tmp_path / "runs.json").write_text(json.dumps(verdicts))
    command = [sys.executable, "-P", str(SCRIPTS / "speed.py"), "shard.cu", "reference.npz"]
    options = ["--runs", "runs.json", "--compiler", "nvcc", "--sizes", "10", "-o", "speed.json"]
    hidden = os.environ | {"CUDA_VISIBLE_DEVICES": ""}  # the driver then shows no GPU, if there is one
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, env=hidden)
    assert (done.returncode, done.stderr) == (1, "no CUDA device\n")
