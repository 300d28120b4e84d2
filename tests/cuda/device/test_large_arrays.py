"""Offsets and thread numbers past what an int counts are right.

The translated kernel runs as a plain C++ function, for one thread, on memory that is reserved only.
"""

import subprocess
from pathlib import Path

import pytest
from translated import device_of

from weft.runs.build import CPU_FLAGS, SYSTEM_HEADERS

KERNELS = """
@wp.func
def middle(rows: wp.array2d(dtype=wp.int8), i: int):
    return rows[i, 1]


@wp.kernel
def shift(a: wp.array2d(dtype=wp.int8), out: wp.array2d(dtype=wp.int8)):
    i, j = wp.tid()
    row = a[i]
    column = a[:, j]
    out[i, j] = a[i, j] + middle(a, i) + row[-1] + column[i]
"""

DESCRIBED = """

LAUNCH = {"shift": {"dims": ["n", "n"], "parameters": {
    "a": {"shape": ["n", "n"], "values": {"integers": [0, 9]}},
    "out": {"role": "out", "shape": ["n", "n"]},
}}}
"""

STRIDED = DESCRIBED.replace('"a": {"shape": ["n", "n"],', '"a": {"shape": ["n", "n"], "strides": ["n", 1],')

MAIN = """
#include <sys/mman.h>
#include <cstdio>

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

int main() {
    const long long n = 70000, i = 69998, j = 69990;
    const auto reserve = [&] {
        return static_cast<int8_t*>(mmap(nullptr, n * n, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    };
    int8_t *a = reserve(), *out = reserve();
    a[i * n + j] = 1;
    a[i * n + 1] = 2;
    a[i * n + n - 1] = 4;
    threadIdx.x = unsigned(j);
    threadIdx.y = unsigned(i);
    shift(a, out, ARGUMENTS);
    std::printf("%d\\n", out[i * n + j]);
}
"""


@pytest.mark.parametrize("launch", ["", DESCRIBED, STRIDED], ids=["inferred", "described", "strided"])
def test_an_element_past_two_billion_is_found(tmp_path: Path, launch: str) -> None:
    device = device_of(tmp_path, KERNELS + launch)
    extents = [parameter for parameter in device.parameters if parameter.kind == "extent"]
    main = MAIN.replace("ARGUMENTS", ", ".join("int(n)" for _ in extents))
    text = f"#include <cuda_runtime.h>\n#include <cstdint>\n{device.definitions}\n{device.kernel}\n{main}"
    source, program = tmp_path / "large.cpp", tmp_path / "large"
    source.write_text(text, encoding="utf-8")
    command = ["g++", *CPU_FLAGS, *SYSTEM_HEADERS, "-DWEFT_CPU_DEVICE", str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "8\n")


def test_offsets_that_fit_into_an_int_are_ints(tmp_path: Path) -> None:
    bounded = DESCRIBED.replace('["n", "n"]', '["7", "(n + 6) // 7"]')
    kernel = device_of(tmp_path, KERNELS + bounded).kernel
    assert "size_t" not in kernel
    assert "int64_t" not in kernel


def test_one_kernel_counts_in_one_type(tmp_path: Path) -> None:
    fits = DESCRIBED.replace('["n", "n"]', '["7", "(n + 6) // 7"]')
    large = fits.replace('"a": {"shape": ["7", "(n + 6) // 7"]', '"a": {"shape": ["n", "n"]')
    assert "out[size_t(i) * " in device_of(tmp_path, KERNELS + large).kernel
