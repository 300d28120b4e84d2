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
from weft.runs.shard import ShardSample
from weft.speed.measure import Machine, Plan, array_bytes, figures, groups, measure, read_machine
from weft.speed.stage import CPU_FLAGS, HEADER
from weft.speed.table import describe, make_table, table_csv
from weft.types import parse_type
from weft.workflow.machine import nvcc_path

SCRIPTS = Path(__file__).parents[2] / "scripts"
LAUNCH = {
    "dims": ["n"],
    "parameters": {
        "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        "total": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        "out": {"role": "out", "shape": ["n", 2]},
    },
}
SIGNATURE = [("x", "array<float32,1>"), ("total", "array<float64,1>"), ("out", "array<vec<3,float32>,2>")]

# As a shard's program is called; every launch doubles what it finds, and the last one writes it down.
DOUBLE = """\
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void twice(float* x) { x[threadIdx.x] *= 2.0f; }
int run(int size, int repeat) {
    if (size > 500) return 1;
    float host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float *x = nullptr, milliseconds = 0.0f;
    cudaEvent_t begin, end;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = 0; i < repeat; ++i) {
        cudaEventRecord(begin);
        twice<<<1, 8>>>(x);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&milliseconds, begin, end);
    }
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return host[7] == 16.0f ? 0 : 3;
}
int main(int argc, char** argv) {
    if (argc < 3) return 2;
    std::FILE* batch = std::fopen(argv[2], "r");
    int size = 0, repeat = 0, number = 0, status = 0;
    while (status == 0 && std::fscanf(batch, "%*s --size %d --repeat %d", &size, &repeat) == 2) {
        std::printf("begin %d\\n", number++);
        status = run(size, repeat);
    }
    return status;
}
"""


def sample() -> Sample:
    signature = [(name, parse_type(kind)) for name, kind in SIGNATURE]
    return Sample("vector-0000-0000", "twice", 0, [], signature, parse_launch(LAUNCH, "twice"), (), [])


def part() -> ShardSample:
    return ShardSample("vector-0000-0000", "twice", "s0000", "", 0, 0, 1, 1)


def test_every_launch_finds_the_arrays_as_they_were_uploaded_and_is_timed(tmp_path: Path) -> None:
    toolchain = CpuToolchain("g++", tmp_path, more=CPU_FLAGS)
    assert toolchain.compile(DOUBLE, tmp_path / "program") is None
    plan = Plan([100, 10, 1000], warm_up=1, launches=4, timeout=20.0)
    timed, problem, machine = measure(sample(), part(), tmp_path / "program", plan, limit_memory=True)
    assert [(one["size"], one["launches"]) for one in timed] == [(10, 4), (100, 4)]
    assert all(0 <= one["least"] <= one["median"] <= one["most"] < 1 for one in timed)
    assert problem.startswith("size 1000: crash: exit status 1")
    assert machine is None


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
def test_nvcc_takes_the_header(tmp_path: Path) -> None:
    toolchain = CudaToolchain(nvcc_path("pinned"), tmp_path, "sm_75", prelude=HEADER)
    assert toolchain.compile(DOUBLE, tmp_path / "program") is None


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
