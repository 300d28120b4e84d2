"""If an nvcc is named, what is verified must be CUDA to it, too, and have registers for its blocks."""

import json
from pathlib import Path

import pytest
from hand_written import SIGNATURE, sample_id
from test_candidate import LAUNCHER, SAMPLE, judge

from tools import has_sandbox
from weft.runs.candidate_nvcc import error_of, most_threads

SAID = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5lightPf' for 'sm_90'
ptxas info    : Function properties for _Z5lightPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers
ptxas info    : Compiling entry function '_Z5heavyILi3EEvPf' for 'sm_90'
ptxas info    : Used 114 registers, used 1 barriers, 4096 bytes smem
"""

MANY_REGISTERS = f"""
__global__ void @bounds@evens({SIGNATURE}) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float held[160];
#pragma unroll
    for (int j = 0; j < 160; ++j) held[j] = i + j < n ? x[i + j] : 0.0f;
    __syncthreads();
    float other = 0.0f;
#pragma unroll
    for (int j = 1; j < 160; ++j) other += fminf(held[j] * held[(j * 7) % 160] + 4.0f, 0.0f);
    if (i < n && i % 2 == 0) out[i] = fmaxf(2.0f * held[0] + y[i] + other, 0.0f);
}}
{LAUNCHER} {{
    evens<<<(n + 1023) / 1024, 1024, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}}
"""

ONE_NAME_FOR_TWO_TYPES = f"""
__global__ void twice(const float* x, float* u, int n) {{
    extern __shared__ int tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i;
    if (i < n) u[i] = 2.0f * x[tile[threadIdx.x]];
}}
__global__ void add(const float* u, const float* y, float* out, int n) {{
    extern __shared__ float tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? u[i] + y[i] : 0.0f;
    if (i < n && i % 2 == 0) out[i] = fmaxf(tile[threadIdx.x], 0.0f);
}}
{LAUNCHER} {{
    float* u = nullptr;
    cudaMallocAsync(&u, n * sizeof(float), stream);
    twice<<<(n + 255) / 256, 256, 1024, stream>>>(x, u, n);
    add<<<(n + 255) / 256, 256, 1024, stream>>>(u, y, out, n);
    cudaFreeAsync(u, stream);
    return cudaGetLastError();
}}
"""

PROGRAMS = {
    "blocks for which there are no registers": (
        MANY_REGISTERS.replace("@bounds@", ""),
        "cuda_error",
        "too many resources requested for launch",
    ),
    "launch bounds": (MANY_REGISTERS.replace("@bounds@", "__launch_bounds__(1024) "), "verified", ""),
    "one name for shared memory of two types": (
        ONE_NAME_FOR_TWO_TYPES,
        "compile_error",
        "nvcc: candidate.cu:9",
    ),
    "a launcher and a kernel": (SAMPLE, "verified", ""),
    "a kernel": (SAMPLE.partition("cudaError_t")[0], "verified", ""),
}


def judged(folder: Path, *options: str) -> dict[str, tuple[str, str]]:
    """The verdict and the message of each program, by name."""
    files = [f"{number}.cu" for number in range(len(PROGRAMS))]
    for file, (text, _, _) in zip(files, PROGRAMS.values(), strict=True):
        (folder / file).write_text(text)
    sandboxed = [] if has_sandbox() else ["--without-sandbox"]
    done = judge(folder, "--candidate", *files, "--sample", sample_id(0), *options, *sandboxed)
    assert done.returncode == 0, done.stderr
    samples = json.loads((folder / "runs.json").read_text())["samples"]
    return {
        name: (one["reason"] or one["verdict"], one["message"])
        for name, one in zip(PROGRAMS, samples, strict=True)
    }


@pytest.mark.needs("nvcc")
def test_verdicts_with_nvcc(tmp_path: Path) -> None:
    found = judged(tmp_path, "--nvcc", "pinned")
    assert {name: reason for name, (reason, _) in found.items()} == {
        name: reason for name, (_, reason, _) in PROGRAMS.items()
    }
    for name, (_, _, part) in PROGRAMS.items():
        assert part in found[name][1]
    runs = json.loads((tmp_path / "runs.json").read_text())
    assert runs["versions"]["nvcc"].startswith("V")
    assert all("nvcc" in one["checks"] for one in runs["samples"] if one["verdict"] == "verified")


def test_largest_blocks() -> None:
    assert most_threads(SAID) == {"_Z5heavyILi3EEvPf": 544}
    assert most_threads(SAID.replace("Used 64 ", "Used 65 ")) == {"_Z5lightPf": 896, "_Z5heavyILi3EEvPf": 544}
    assert most_threads("nothing") == {}


def test_errors_have_the_form_of_others() -> None:
    said = "a.cu(3): warning #177-D: unused\n\ncandidate.cu(10): error: incompatible\n      int a;\n"
    assert error_of(said) == "candidate.cu:10: error: incompatible"
