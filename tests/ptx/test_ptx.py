from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from weft.cuda.shard import Part, include_lines, join_parts, split
from weft.errors import UserError
from weft.files import read_shard
from weft.ptx.build import PtxShard, build_ptx
from weft.ptx.cut import cut, entries, parse_module
from weft.ptx.figures import parse_figures
from weft.ptx.nvcc import CompileError, Toolkit, find_toolkit

pytestmark = pytest.mark.needs("nvcc")

ROOT = Path(__file__).parents[2]
INCLUDES = include_lines(["<cuda_runtime.h>", "<cstdio>", "<cstdlib>", "<cstring>"])
MAIN = "int main(int, char**) { return 0; }\n"

SPRINGS = """\
struct Spring {
    float rest;
    float stiffness;
};

__constant__ float weights[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ int visits[3];

__device__ inline float pull(const Spring& spring, float length) {
    return spring.stiffness * (length - spring.rest);
}

__global__ void springs(const Spring* __restrict__ springs, Spring* changed, const float3* positions, int n) {
    __shared__ float tile[32];
    __shared__ double sums[2];
    const int i = threadIdx.x;
    tile[i & 31] = sinf(positions[i].x);
    sums[i & 1] = tile[(i + 1) & 31];
    __syncthreads();
    if (i >= n) return;
    atomicAdd(&visits[i % 3], 1);
    changed[i].rest = pull(springs[i], tile[i & 31]) * weights[i & 3] + float(sums[i & 1]);
}
"""
CALLS = """\
struct Pair {
    float a, b;
};

__device__ __noinline__ Pair swapped(Pair pair) { return {pair.b, pair.a + float(clock())}; }

template <typename T>
__device__ __noinline__ T twice(T x) {
    return x + T(clock());
}

__global__ void calls(Pair* pairs, float3* points, int count) {
    float local[64];
    for (int i = 0; i < count; ++i) local[(i * 7) & 63] = twice(points[i].x);
    pairs[threadIdx.x] = swapped(pairs[threadIdx.x]);
    pairs[threadIdx.x].a += local[threadIdx.x & 63];
}
"""
PLAIN = "__global__ void scale(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= sinf(x[i + n]); }\n"
UNKNOWN_NAME = "__global__ void broken(float* x) { x[0] = undefined_name; }\n"
TOO_MUCH_SHARED = """\
__global__ void greedy(float* x) {
    __shared__ float tile[20000];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[threadIdx.x + 1];
}
"""


TWO_KERNELS = """\
__device__ float halved(float x) { return 0.5f * x; }
__global__ void first(float* x) { x[threadIdx.x] = halved(x[threadIdx.x]); }
__global__ void second(float* x) { x[threadIdx.x] += 1.0f; }
"""


def entries_of(sample: dict[str, Any]) -> list[str]:
    return [entry["entry"] for entry in sample["entries"]]


def shard_text(*kernels: str) -> str:
    parts = [
        Part(f"test-0002-{index:04d}", f"kernel_{index}", f"s{index:04d}", kernel + MAIN)
        for index, kernel in enumerate(kernels)
    ]
    return join_parts(INCLUDES, parts)


@pytest.fixture(scope="module")
def toolkit() -> Toolkit:
    return find_toolkit("pinned", "g++", "sm_75")


@pytest.fixture(scope="module")
def built(toolkit: Toolkit) -> PtxShard:
    return build_ptx(shard_text(PLAIN, SPRINGS, CALLS), toolkit)


def test_the_report_has_the_figures_of_each_sample(built: PtxShard) -> None:
    report = built.report
    assert report["arch"] == "sm_75"
    assert report["versions"]["nvcc"].startswith("V13.")
    assert report["rejects"] == []
    assert [sample["sample_id"] for sample in report["samples"]] == [f"test-0002-000{i}" for i in range(3)]
    plain, springs, calls = report["samples"]
    assert plain["entries"][0]["entry"] == "_ZN5s00005scaleEPfi"
    assert 0 < plain["entries"][0]["registers"] <= 255
    assert plain["entries"][0]["shared_bytes"] == 0
    assert springs["entries"][0]["shared_bytes"] == 32 * 4 + 2 * 8
    assert calls["entries"][0]["stack_bytes"] >= 64 * 4
    figures = [entry for sample in report["samples"] for entry in sample["entries"]]
    assert {entry["spill_stores"] + entry["spill_loads"] for entry in figures} == {0}


def test_spills_are_counted(toolkit: Toolkit, tmp_path: Path) -> None:
    values = "".join(f"float v{i} = x[{i}]; " for i in range(300))
    swap = "__syncthreads(); " + "".join(f"x[{299 - i}] = v{i}; " for i in range(300))
    report = build_ptx(shard_text(f"__global__ void many(float* x) {{ {values}{swap}}}\n"), toolkit).report
    assert report["samples"][0]["entries"][0]["registers"] == 255
    assert report["samples"][0]["entries"][0]["spill_stores"] > 0


def test_a_cut_is_the_ptx_of_the_sample_alone(toolkit: Toolkit, built: PtxShard, tmp_path: Path) -> None:
    parts = split(shard_text(PLAIN, SPRINGS, CALLS))
    for sample, part in list(zip(built.report["samples"], parts, strict=True))[:2]:
        alone = toolkit.ptx(f"{INCLUDES}\n{part.text}", tmp_path)
        assert cut(built.ptx, entries_of(sample)) == alone


def test_ptxas_takes_each_cut(toolkit: Toolkit, built: PtxShard, tmp_path: Path) -> None:
    for entry in entries(built.ptx):
        toolkit.assemble(cut(built.ptx, [entry]), tmp_path)


def test_a_cut_holds_what_the_entry_uses_and_no_more(built: PtxShard) -> None:
    calls = cut(built.ptx, entries_of(built.report["samples"][2]))
    assert "_Z7swapped4Pair" in calls
    assert "_Z5twiceIfET_S0_" in calls
    assert "s0002" not in calls
    assert "weights" not in calls
    assert "weights" in cut(built.ptx, entries_of(built.report["samples"][1]))


def test_a_brace_of_inline_assembly_ends_no_kernel() -> None:
    asm = "\t// begin inline asm\n\t{rcp.approx.ftz.f32 %f2, %f1;\n}\n\t// end inline asm\n"
    kernel = f".visible .entry quotient()\n{{\n{asm}\tmul.f32 %f3, %f1, %f2;\n\tret;\n\n}}\n"
    header = ".version 9.1\n.target sm_75\n.address_size 64\n"
    (item,) = parse_module(f"{header}\n{kernel}").items
    assert (item.name, item.text) == ("quotient", kernel)


def test_an_unknown_entry_is_an_error(built: PtxShard) -> None:
    with pytest.raises(ValueError, match="no entry nothing"):
        cut(built.ptx, ["nothing"])


def test_equal_text_gives_equal_ptx_in_any_folder(built: PtxShard, tmp_path: Path) -> None:
    source = tmp_path / "elsewhere" / "another_name.cu"
    source.parent.mkdir()
    source.write_text(shard_text(PLAIN, SPRINGS, CALLS))
    command = [sys.executable, "-P", ROOT / "scripts/ptx.py", source, "-o", "out.ptx", "--report", "out.json"]
    subprocess.run(command, cwd=tmp_path, check=True, env={"TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert read_shard(tmp_path / "out.ptx") == built.ptx
    assert [path.name for path in tmp_path.iterdir() if "weft" in path.name or "tmpxft" in path.name] == []


def test_a_sample_that_does_not_compile_costs_only_itself(toolkit: Toolkit) -> None:
    shard = build_ptx(shard_text(PLAIN, UNKNOWN_NAME, TOO_MUCH_SHARED), toolkit)
    assert [sample["sample_id"] for sample in shard.report["samples"]] == ["test-0002-0000"]
    assert [entry[:10] for entry in entries(shard.ptx)] == ["_ZN5s00005"]
    unknown, shared = shard.report["rejects"]
    assert unknown["message"] == 'shard.cu(6): error: identifier "undefined_name" is undefined'
    assert "uses too much shared data" in shared["message"]
    for index, rejected in ((1, unknown), (2, shared)):
        assert rejected["sample_id"] == f"test-0002-000{index}"
        assert (rejected["category"], rejected["seed"], rejected["index"]) == ("test", 2, index)
        assert rejected["kernel_name"] == f"kernel_{index}"
        assert (rejected["stage"], rejected["reason"]) == ("ptx", "compile_error")


def test_a_warning_is_printed_and_blames_nobody(toolkit: Toolkit, capsys: pytest.CaptureFixture[str]) -> None:
    warns = "__global__ void warns(float* x) { const int error = 3; x[0] = 1.0f; }\n"
    shard = build_ptx(shard_text(warns, UNKNOWN_NAME), toolkit)
    (rejected,) = shard.report["rejects"]
    assert rejected["kernel_name"] == "kernel_1"
    assert rejected["message"] == 'shard.cu(6): error: identifier "undefined_name" is undefined'
    assert 'variable "error" was declared but never referenced' in capsys.readouterr().err


def toolkit_of(folder: Path, compiling: str) -> Toolkit:
    """A toolkit whose nvcc says its release, and has these lines of a shell for all else."""
    nvcc = folder / "nvcc"
    version = "[ $1 = --version ] && echo 'Cuda compilation tools, release 13.0, V13.0.88' && exit 0"
    nvcc.write_text(f"#!/bin/sh\n{version}\n{compiling}\n")
    nvcc.chmod(0o755)
    (folder / "ptxas").touch()
    return find_toolkit(str(nvcc), "g++", "sm_75")


def test_a_broken_compiler_is_not_blamed_on_the_samples(tmp_path: Path) -> None:
    toolkit = toolkit_of(tmp_path, "echo 'error: unsupported GNU version'; exit 1")
    with pytest.raises(UserError, match=r"empty program:\nerror: unsupported GNU version"):
        build_ptx(shard_text(PLAIN), toolkit)


def test_a_compiler_that_does_not_end_has_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("weft.ptx.nvcc.COMPILE_SECONDS", 0.2)
    with pytest.raises(CompileError) as caught:
        toolkit_of(tmp_path, "exec sleep 5").ptx(PLAIN, tmp_path)
    assert "did not end within 0.2 s" in caught.value.messages


@pytest.mark.parametrize(
    ("nvcc", "host_compiler", "arch", "message"),
    [
        ("no-such-nvcc", "g++", "sm_75", "nvcc: 'no-such-nvcc' is not a program; allowed: 'pinned'"),
        ("pinned", "no-such-g++", "sm_75", "host_compiler: 'no-such-g\\+\\+' is not a program"),
        ("pinned", "g++", "turing", "arch: 'turing'; allowed: 'native', or an architecture such as sm_75"),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_allowed(
    nvcc: str, host_compiler: str, arch: str, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        find_toolkit(nvcc, host_compiler, arch)


def test_native_needs_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.ptx.nvcc.native_arch", lambda: None)
    with pytest.raises(UserError, match="nvidia-smi finds none; name an architecture instead"):
        find_toolkit("pinned", "g++", "native")
    monkeypatch.setattr("weft.ptx.nvcc.native_arch", lambda: "sm_90")
    assert find_toolkit("pinned", "g++", "native").arch == "sm_90"


def test_a_shard_without_kernels_has_no_figures() -> None:
    assert parse_figures("ptxas info    : 0 bytes gmem\n") == {}


def test_a_sample_of_several_kernels_has_an_entry_each_and_one_cut(toolkit: Toolkit, tmp_path: Path) -> None:
    built = build_ptx(shard_text(PLAIN, TWO_KERNELS), toolkit)
    sample = built.report["samples"][1]
    assert entries_of(sample) == ["_ZN5s00015firstEPf", "_ZN5s00016secondEPf"]
    alone = toolkit.ptx(f"{INCLUDES}\n{TWO_KERNELS}{MAIN}", tmp_path)
    assert entries(cut(built.ptx, entries_of(sample))) == entries(alone)
    toolkit.assemble(cut(built.ptx, entries_of(sample)), tmp_path)
